//! Vertex attributes of primitives and morph targets: their names, formats and alignment (glTF 2.0, 3.7.2.1 and 3.7.2.2).

use gltf::json::accessor::{ComponentType, Type};

use crate::validate::context::{Accessor, AccessorLayout, ValidationContext, ValueRule, format};

/// An attribute of a primitive, or of one of its morph targets.
pub struct Attribute<'a> {
    /// The name in the file, such as `TEXCOORD_0`.
    pub name: &'a str,
    pub accessor: usize,
    /// Whether it belongs to a morph target, where other formats are allowed.
    pub in_morph_target: bool,
    /// JSON pointer to the attribute, for findings.
    pub pointer: &'a str,
}

/// Words of the attribute names that end with a number, such as `TEXCOORD_0`.
pub const NUMBERED: [&str; 4] = ["COLOR", "JOINTS", "TEXCOORD", "WEIGHTS"];

/// Splits a numbered name, such as `JOINTS_0`, into word and number. `None` if glTF has no such attribute. Leading zeros are not allowed.
pub fn numbered(name: &str) -> Option<(&str, usize)> {
    let (word, number) = name.split_once('_')?;
    let is_plain = number.bytes().all(|digit| digit.is_ascii_digit()) && (number == "0" || !number.starts_with('0'));
    Some((word, number.parse().ok()?)).filter(|(word, _)| is_plain && NUMBERED.contains(word))
}

/// The name without its number.
fn base_name(name: &str) -> &str {
    numbered(name).map_or(name, |(word, _)| word)
}

/// Returns whether this is the name of an attribute that glTF defines, or of a custom attribute. Custom names begin with an underscore.
pub fn is_known(name: &str, in_morph_target: bool) -> bool {
    match (name, numbered(name)) {
        ("POSITION" | "NORMAL" | "TANGENT", _) | (_, Some(("TEXCOORD" | "COLOR", _))) => true,
        (_, Some(_)) => !in_morph_target,
        (name, None) => name.starts_with('_'),
    }
}

/// Checks that an attribute's accessor has the format, bounds and alignment that glTF requires, and notes the rule for its values.
pub fn check(context: &mut ValidationContext, attribute: &Attribute) {
    let Some(accessor) = context.accessors.get(attribute.accessor).cloned() else { return };
    let pointer = attribute.pointer;
    if attribute.name == "POSITION" && !accessor.has_bounds && accessor.layout.is_some() {
        let message = "Accessors of positions must have min and max.";
        context.error("MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS", pointer, message);
    }
    let Some(layout) = accessor.layout else { return };
    if !has_allowed_format(context, attribute, &accessor, layout) {
        let message = format!("{} cannot be {}.", attribute.name, format(&accessor));
        context.error("MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT", pointer, message);
    } else if let Some(rule) = rule(attribute, layout) {
        context.value_rules.push((attribute.accessor, rule, pointer.to_owned()));
    }
    if attribute.name.starts_with('_') && layout.component == ComponentType::U32 {
        let message = "Vertex attributes must not be 32-bit integers.";
        context.error("MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_UNSIGNED_INT", pointer, message);
    }
    // Without a stride, elements follow each other directly, so their size must keep them aligned.
    let tight = context.view_of(&accessor).filter(|view| view.stride.is_none()).map_or(0, |_| layout.tight_stride());
    if !accessor.offset.is_multiple_of(4) || !tight.is_multiple_of(4) {
        let message = "Vertex attributes must begin at multiples of 4 bytes.";
        context.error("MESH_PRIMITIVE_ACCESSOR_UNALIGNED", pointer, message);
    }
}

/// The rule that the values of an attribute must satisfy. Displacements of morph targets may have any values.
fn rule(attribute: &Attribute, layout: AccessorLayout) -> Option<ValueRule> {
    match attribute.name {
        _ if attribute.in_morph_target => None,
        "NORMAL" => Some(ValueRule::Unit),
        "TANGENT" => Some(ValueRule::Tangents),
        "COLOR_0" if layout.component == ComponentType::F32 => Some(ValueRule::Colors),
        _ => None,
    }
}

/// Returns whether an accessor has a format that the attribute's name allows. KHR_mesh_quantization allows more formats.
fn has_allowed_format(context: &ValidationContext, attribute: &Attribute, accessor: &Accessor, layout: AccessorLayout) -> bool {
    use ComponentType as C;
    let is_quantized = context.uses("KHR_mesh_quantization");
    let (component, normalized) = (layout.component, accessor.normalized);
    let float = component == C::F32 && !normalized;
    let small_unsigned = matches!(component, C::U8 | C::U16);
    let small_signed = matches!(component, C::I8 | C::I16);
    let fraction = float || (small_unsigned && normalized);
    let vector = |allowed: &[Type]| allowed.contains(&layout.shape);
    match (base_name(attribute.name), attribute.in_morph_target) {
        ("POSITION", false) => vector(&[Type::Vec3]) && (float || (is_quantized && component != C::U32)),
        ("POSITION", true) => vector(&[Type::Vec3]) && (float || (is_quantized && small_signed)),
        ("NORMAL", _) | ("TANGENT", true) => vector(&[Type::Vec3]) && (float || (is_quantized && small_signed && normalized)),
        ("TANGENT", false) => vector(&[Type::Vec4]) && (float || (is_quantized && small_signed && normalized)),
        ("TEXCOORD", false) => vector(&[Type::Vec2]) && (fraction || (is_quantized && component != C::U32)),
        ("TEXCOORD", true) => vector(&[Type::Vec2]) && (fraction || (small_signed && (normalized || is_quantized))),
        ("COLOR", false) => vector(&[Type::Vec3, Type::Vec4]) && fraction,
        ("COLOR", true) => vector(&[Type::Vec3, Type::Vec4]) && (fraction || (small_signed && normalized)),
        ("JOINTS", _) => vector(&[Type::Vec4]) && small_unsigned && !normalized,
        ("WEIGHTS", _) => vector(&[Type::Vec4]) && fraction,
        _ => true,
    }
}

//! Vertex attributes: names, the forms that each may have, where they lie.

use gltf::json::accessor::{ComponentType, Type};

use super::subject::{Accessor, Duty, Layout, Subject, format};

/// An attribute of a primitive, or of one of its morph targets.
pub struct Attribute<'a> {
    pub name: &'a str,
    pub accessor: usize,
    pub of_target: bool,
    pub place: &'a str,
}

/// The names that are numbered, without their number.
pub const NUMBERED: [&str; 4] = ["COLOR", "JOINTS", "TEXCOORD", "WEIGHTS"];

/// A numbered name and its number; none where it is none of glTF's.
pub fn numbered(name: &str) -> Option<(&str, usize)> {
    let (word, number) = name.split_once('_')?;
    let plain = number.bytes().all(|digit| digit.is_ascii_digit());
    Some((word, number.parse().ok()?)).filter(|(word, _)| plain && NUMBERED.contains(word))
}

/// The name without its number.
fn word(name: &str) -> &str {
    numbered(name).map_or(name, |(word, _)| word)
}

pub fn is_known(name: &str, of_target: bool) -> bool {
    match word(name) {
        "POSITION" | "NORMAL" | "TANGENT" | "TEXCOORD" | "COLOR" => true,
        "JOINTS" | "WEIGHTS" => !of_target && numbered(name).is_some(),
        other => other.starts_with('_'),
    }
}

/// Holds one attribute's accessor against what its name asks for.
pub fn check(subject: &mut Subject, attribute: &Attribute) {
    let Some(accessor) = subject.accessors.get(attribute.accessor).cloned() else { return };
    let place = attribute.place;
    if attribute.name == "POSITION" && !accessor.has_bounds && accessor.layout.is_some() {
        let message = "Accessors of positions say their min and max; this one does not.";
        subject.error("MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS", place, message);
    }
    let Some(layout) = accessor.layout else { return };
    if !fits(subject, attribute, &accessor, layout) {
        let message = format!("{} cannot be {}.", attribute.name, format(&accessor));
        subject.error("MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT", place, message);
    } else if let Some(duty) = duty(attribute, layout) {
        subject.duties.push((attribute.accessor, duty, place.to_owned()));
    }
    if attribute.name.starts_with('_') && layout.component == ComponentType::U32 {
        let message = "Attributes of vertices cannot be integers of 32 bits.";
        subject.error("MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_UNSIGNED_INT", place, message);
    }
    let tight = subject.view_of(&accessor).filter(|view| view.stride.is_none()).map_or(0, |_| layout.tight_stride());
    if !accessor.offset.is_multiple_of(4) || !tight.is_multiple_of(4) {
        let message = "Attributes of vertices begin at multiples of 4 bytes; these do not.";
        subject.error("MESH_PRIMITIVE_ACCESSOR_UNALIGNED", place, message);
    }
}

fn duty(attribute: &Attribute, layout: Layout) -> Option<Duty> {
    match attribute.name {
        _ if attribute.of_target => None,
        "NORMAL" => Some(Duty::Unit),
        "TANGENT" => Some(Duty::Tangents),
        "COLOR_0" if layout.component == ComponentType::F32 => Some(Duty::Colors),
        _ => None,
    }
}

fn fits(subject: &Subject, attribute: &Attribute, accessor: &Accessor, layout: Layout) -> bool {
    use ComponentType as C;
    let is_quantized = subject.uses("KHR_mesh_quantization");
    let (component, normalized) = (layout.component, accessor.normalized);
    let float = component == C::F32 && !normalized;
    let small_unsigned = matches!(component, C::U8 | C::U16);
    let small_signed = matches!(component, C::I8 | C::I16);
    let fraction = float || (small_unsigned && normalized);
    let vector = |allowed: &[Type]| allowed.contains(&layout.shape);
    match (word(attribute.name), attribute.of_target) {
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

//! Reads KHR_draco_mesh_compression: one block of Draco data with the indices and attributes of a primitive. `codec::draco` decodes
//! the block. The decoded elements are then converted to the component types of the primitive's accessors, and replace the elements of
//! these accessors.

use std::collections::BTreeMap;

use gltf::json;
use gltf::json::accessor::ComponentType;
use gltf::json::mesh::{Mode, Semantic};
use gltf::json::validation::Checked;
use serde::Deserialize;

use crate::asset::accessor::{AccessorRequest, Reader, SuppliedElements};
use crate::asset::error::{AccessorProblem, LoadError, Location, Problem, existing};
use crate::asset::file::bytes::Bytes;
use crate::asset::json::{fault, with_plain_integers};
use crate::codec::draco::{self, Attribute, Kind};
use crate::numbers::{counted, grouped};

use super::attribute::attribute;

/// The name of the extension.
pub const NAME: &str = "KHR_draco_mesh_compression";

/// The properties of the extension.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Extension {
    /// The buffer view with the Draco data.
    buffer_view: usize,
    /// Draco attribute ids by glTF semantic.
    attributes: BTreeMap<String, u32>,
}

/// The decoded data of a primitive.
struct Decoded {
    /// Three vertices per triangle.
    indices: Vec<u32>,
    /// Accessor indices, each with the elements that replace the accessor's own.
    elements: Vec<(usize, SuppliedElements)>,
}

/// Decodes a compressed primitive: supplies its attributes to the reader and returns the vertices of its triangles. `None` if the
/// primitive is not compressed, or if decoding fails and the file also has the uncompressed data. Otherwise a failure is an error.
pub fn supply(reader: &mut Reader, json: &json::mesh::Primitive, location: &Location) -> Result<Option<Vec<u32>>, LoadError> {
    let extension = json.extensions.as_ref().and_then(|extensions| extensions.others.get(NAME));
    let Some(extension) = extension else { return Ok(None) };
    match decode(reader, json, extension, location) {
        Ok(decoded) => {
            reader.supplied.extend(decoded.elements);
            Ok(Some(decoded.indices))
        }
        Err(problem) if has_fallback(reader.root, json) => {
            let message = format!("{}: {problem}; its uncompressed form is used.", location.words);
            reader.findings.error("DRACO_DATA_INVALID", &location.pointer, message);
            Ok(None)
        }
        Err(problem) => Err(location.error(problem)),
    }
}

/// Returns whether the primitive also has uncompressed data: the extension is not required, and the accessor of positions has a buffer
/// view or sparse values.
fn has_fallback(root: &json::Root, json: &json::mesh::Primitive) -> bool {
    let is_required = root.extensions_required.iter().any(|name| name == NAME);
    let positions = attribute(json, Semantic::Positions).and_then(|accessor| root.accessors.get(accessor));
    !is_required && positions.is_some_and(|accessor| accessor.buffer_view.is_some() || accessor.sparse.is_some())
}

/// Decodes the block, and converts each attribute of the primitive that the block has.
fn decode(
    reader: &mut Reader,
    json: &json::mesh::Primitive,
    extension: &serde_json::Value,
    location: &Location,
) -> Result<Decoded, Problem> {
    let extension: Extension = fault::converted(&with_plain_integers(extension)).map_err(|fault| Problem::DracoExtension(fault.message))?;
    let bytes = reader.view(extension.buffer_view).map_err(Problem::View)?;
    let mesh = draco::decode(bytes.as_slice(), &mut reader.draco_budget).map_err(Problem::Draco)?;
    let mut elements = Vec::new();
    for (semantic, accessor) in &json.attributes {
        let role = semantic.to_string();
        // Attributes that are not in the block are read from their accessors as usual.
        let Some(&unique_id) = extension.attributes.get(&role) else { continue };
        let attribute = mesh.attributes.iter().find(|attribute| attribute.unique_id == unique_id);
        let Some(attribute) = attribute else { return Err(Problem::DracoAttribute { role, unique_id }) };
        let request = AccessorRequest { role: &role, accessor: accessor.value() };
        let bytes = convert_attribute(reader.root, attribute, request)?;
        check_count(reader, request, mesh.vertex_count, location)?;
        elements.push((request.accessor, SuppliedElements { bytes: Bytes::new(bytes), count: mesh.vertex_count as u64 }));
    }
    // For a strip, the index accessor and the decoded triangles have different numbers of indices, so compare them only for lists.
    if let Some(indices) = json.indices
        && json.mode == Checked::Valid(Mode::Triangles)
    {
        check_count(reader, AccessorRequest { role: "index", accessor: indices.value() }, mesh.indices.len(), location)?;
    }
    Ok(Decoded { indices: mesh.indices, elements })
}

/// Adds a finding if the accessor's count differs from the decoded one.
fn check_count(reader: &mut Reader, request: AccessorRequest, decoded: usize, location: &Location) -> Result<(), Problem> {
    let declared = existing(&reader.root.accessors, request.accessor, "accessor")?.count.0;
    if declared != decoded as u64 {
        let (role, declared, decoded) = (request.role, counted(declared as usize, "element"), grouped(decoded));
        let message = format!("{}: {role} has {declared}, but its Draco data has {decoded}; the latter is used.", location.words);
        reader.findings.error("DRACO_COUNT_MISMATCH", &format!("/accessors/{}", request.accessor), message);
    }
    Ok(())
}

/// Converts an attribute to tightly packed elements of the accessor's component type. Returns an error if the number of components
/// differs or a number is out of range.
fn convert_attribute(root: &json::Root, attribute: &Attribute, request: AccessorRequest) -> Result<Vec<u8>, Problem> {
    let accessor = existing(&root.accessors, request.accessor, "accessor")?;
    let problem = |problem| request.problem(problem);
    let Checked::Valid(component_type) = accessor.component_type else { return Err(problem(AccessorProblem::UnknownComponentType)) };
    let Checked::Valid(type_) = accessor.type_ else { return Err(problem(AccessorProblem::UnknownType)) };
    let (found, wanted) = (attribute.components, type_.multiplicity());
    if found != wanted {
        return Err(problem(AccessorProblem::DracoComponents { found, wanted }));
    }
    let bytes = convert_numbers(attribute, component_type.0, accessor.normalized);
    bytes.ok_or(problem(AccessorProblem::DracoNumber))
}

/// Converts the numbers of an attribute to a component type, little-endian. `normalized` is the accessor's property. `None` if a number
/// is out of range.
fn convert_numbers(attribute: &Attribute, component_type: ComponentType, normalized: bool) -> Option<Vec<u8>> {
    use ComponentType as To;
    let same_kind = match component_type {
        To::I8 => Kind::I8,
        To::U8 => Kind::U8,
        To::I16 => Kind::I16,
        To::U16 => Kind::U16,
        To::U32 => Kind::U32,
        To::F32 => Kind::F32,
    };
    if attribute.kind == same_kind {
        return Some(attribute.bytes.clone());
    }
    let from_float = matches!(attribute.kind, Kind::F32 | Kind::F64);
    let (min, max) = match component_type {
        To::I8 => (f64::from(i8::MIN), f64::from(i8::MAX)),
        To::U8 => (0.0, f64::from(u8::MAX)),
        To::I16 => (f64::from(i16::MIN), f64::from(i16::MAX)),
        To::U16 => (0.0, f64::from(u16::MAX)),
        To::U32 => (0.0, f64::from(u32::MAX)),
        To::F32 => {
            // A float accessor holds the fractions that normalized integers stand for.
            let scale = if attribute.normalized && !from_float { max_normalized(attribute.kind).recip() } else { 1.0 };
            return Some(numbers(attribute).flat_map(|number| ((number * scale) as f32).to_le_bytes()).collect());
        }
    };
    let mut bytes = Vec::with_capacity(attribute.bytes.len() / attribute.kind.size() * component_type.size());
    for number in numbers(attribute) {
        // A normalized accessor holds integers for the fractions of the attribute.
        let number = if from_float && normalized { (number * max).round() } else { number };
        if !(min..=max).contains(&number) {
            return None;
        }
        // In two's complement, the lower bytes are the number in the smaller type.
        bytes.extend_from_slice((number as i64).to_le_bytes().get(..component_type.size())?);
    }
    Some(bytes)
}

/// The integer that stands for 1 in normalized data of this kind.
fn max_normalized(kind: Kind) -> f64 {
    match kind {
        Kind::I8 => f64::from(i8::MAX),
        Kind::U8 => f64::from(u8::MAX),
        Kind::I16 => f64::from(i16::MAX),
        Kind::U16 => f64::from(u16::MAX),
        Kind::I32 => f64::from(i32::MAX),
        Kind::U32 => f64::from(u32::MAX),
        Kind::I64 => i64::MAX as f64,
        Kind::U64 => u64::MAX as f64,
        Kind::F32 | Kind::F64 | Kind::Bool => 1.0,
    }
}

/// The numbers of an attribute, one component after another.
fn numbers(attribute: &Attribute) -> impl Iterator<Item = f64> {
    let kind = attribute.kind;
    attribute.bytes.chunks_exact(kind.size()).map(move |bytes| {
        // Extend the bytes to 64 bits; each kind is then read from the lower bits.
        let mut padded = [0; 8];
        padded[..bytes.len()].copy_from_slice(bytes);
        let bits = u64::from_le_bytes(padded);
        match kind {
            Kind::U8 | Kind::Bool | Kind::U16 | Kind::U32 | Kind::U64 => bits as f64,
            Kind::I8 => f64::from(bits as i8),
            Kind::I16 => f64::from(bits as i16),
            Kind::I32 => f64::from(bits as i32),
            Kind::I64 => bits.cast_signed() as f64,
            Kind::F32 => f64::from(f32::from_bits(bits as u32)),
            Kind::F64 => f64::from_bits(bits),
        }
    })
}

//! Decodes the elements of a checked accessor, and names component and element types in the specification's spelling
//! (glTF 2.0, 3.6.2.2).

use gltf::json::accessor::{ComponentType, Type};

use crate::asset::file::bytes::Bytes;

/// An accessor whose ranges have been checked against its buffer views, so that decoding cannot fail.
pub struct Elements {
    /// Number of elements.
    pub count: usize,
    pub component_type: ComponentType,
    /// Whether integers stand for fractions: 0 to 1, or -1 to 1 if signed.
    pub normalized: bool,
    /// The data, and its stride in bytes. `None` if all elements are zero, except those that `sparse` replaces.
    pub base: Option<(Bytes, usize)>,
    /// Indices of replaced elements, and the tightly packed replacements (glTF 2.0, 3.6.2.3).
    pub sparse: Option<(Vec<u32>, Bytes)>,
}

impl Elements {
    /// Decodes one unsigned integer per element. `None` if the components are not unsigned integers.
    pub fn decode_indices(&self) -> Option<Vec<u32>> {
        let indices: Vec<[u32; 1]> = match self.component_type {
            ComponentType::U8 => self.decode(|bytes| u32::from(u8::from_le_bytes(bytes))),
            ComponentType::U16 => self.decode(|bytes| u32::from(u16::from_le_bytes(bytes))),
            ComponentType::U32 => self.decode(u32::from_le_bytes),
            _ => return None,
        };
        Some(indices.into_flattened())
    }

    /// Decodes every element to a `T` of `N` components. `decode_component` decodes one component of `S` bytes. The caller passes
    /// an `S` that fits the component type.
    pub fn decode<O: Copy + Default, T: From<[O; N]> + Clone, const S: usize, const N: usize>(
        &self,
        mut decode_component: impl FnMut([u8; S]) -> O,
    ) -> Vec<T> {
        let mut decode_element = |components: &[[u8; S]; N]| T::from(components.map(&mut decode_component));
        let mut decoded: Vec<T> = match &self.base {
            Some((bytes, stride)) if *stride == S * N => packed_elements(bytes.as_slice()).iter().map(&mut decode_element).collect(),
            // The last element has no padding up to the stride.
            Some((bytes, stride)) => bytes.as_slice().chunks(*stride).map(|element| decode_element(&packed_elements(element)[0])).collect(),
            None => vec![T::from([O::default(); N]); self.count],
        };
        if let Some((indices, values)) = &self.sparse {
            for (&index, value) in indices.iter().zip(packed_elements(values.as_slice())) {
                decoded[index as usize] = decode_element(value);
            }
        }
        decoded
    }
}

/// Splits bytes into elements without padding, of `N` components of `S` bytes. The compiler can decode several of them at a time.
fn packed_elements<const S: usize, const N: usize>(bytes: &[u8]) -> &[[[u8; S]; N]] {
    bytes.as_chunks::<S>().0.as_chunks::<N>().0
}

/// The element type with this number of components. 16 components are a matrix.
pub fn type_from_components(components: usize) -> Type {
    match components {
        1 => Type::Scalar,
        2 => Type::Vec2,
        3 => Type::Vec3,
        4 => Type::Vec4,
        _ => Type::Mat4,
    }
}

/// The specification's name of an element type.
pub fn type_name(type_: Type) -> &'static str {
    match type_ {
        Type::Scalar => "SCALAR",
        Type::Vec2 => "VEC2",
        Type::Vec3 => "VEC3",
        Type::Vec4 => "VEC4",
        Type::Mat2 => "MAT2",
        Type::Mat3 => "MAT3",
        Type::Mat4 => "MAT4",
    }
}

/// The specification's name of a component type.
pub fn component_name(component_type: ComponentType) -> &'static str {
    match component_type {
        ComponentType::I8 => "BYTE",
        ComponentType::U8 => "UNSIGNED_BYTE",
        ComponentType::I16 => "SHORT",
        ComponentType::U16 => "UNSIGNED_SHORT",
        ComponentType::U32 => "UNSIGNED_INT",
        ComponentType::F32 => "FLOAT",
    }
}

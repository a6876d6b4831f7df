//! A checked accessor, how to decode its elements, and the names of component and element types.

use gltf::json::accessor::{ComponentType, Type};

use crate::asset::file::bytes::Bytes;

/// An accessor checked against its buffer views.
pub struct Elements {
    pub count: usize,
    pub component_type: ComponentType,
    pub normalized: bool,
    /// The bytes and the stride of the elements; `None` for zeros.
    pub base: Option<(Bytes, usize)>,
    /// Indices of replaced elements, and the replacements.
    pub sparse: Option<(Vec<u32>, Bytes)>,
}

impl Elements {
    /// Every element. `component` decodes each component of `S` bytes.
    pub fn decode<O: Copy + Default, T: From<[O; N]> + Clone, const S: usize, const N: usize>(
        &self,
        mut component: impl FnMut([u8; S]) -> O,
    ) -> Vec<T> {
        let mut element = |bytes: &[u8]| {
            let mut values = [O::default(); N];
            for (value, bytes) in values.iter_mut().zip(bytes.as_chunks::<S>().0) {
                *value = component(*bytes);
            }
            T::from(values)
        };
        let mut decoded = match &self.base {
            // The last element has no padding up to the stride.
            Some((bytes, stride)) => bytes.as_slice().chunks(*stride).map(&mut element).collect(),
            None => vec![T::from([O::default(); N]); self.count],
        };
        if let Some((indices, values)) = &self.sparse {
            for (&index, bytes) in indices.iter().zip(values.as_slice().chunks_exact(S * N)) {
                decoded[index as usize] = element(bytes);
            }
        }
        decoded
    }
}

pub fn type_from_components(components: usize) -> Type {
    match components {
        1 => Type::Scalar,
        2 => Type::Vec2,
        3 => Type::Vec3,
        4 => Type::Vec4,
        _ => Type::Mat4,
    }
}

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

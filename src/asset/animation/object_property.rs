//! Properties of the glTF 2.0 Asset Object Model that animation pointers can lead to.

use crate::model::pointer::{Kind, Property};

/// A property of the object model, with its default.
#[derive(Debug, Clone, PartialEq)]
pub struct ObjectProperty {
    pub property: Property,
    pub kind: Kind,
    /// One number per component; `None` if the file must have the value.
    pub default: Option<Vec<f32>>,
    pub count: usize,
    /// Valid even if the enclosing object is missing.
    pub implied: bool,
}

impl ObjectProperty {
    pub fn new(property: Property, default: &[f32]) -> Self {
        let kind = if default.len() == 1 { Kind::Scalar } else { Kind::Vector };
        Self { property, kind, default: Some(default.to_vec()), count: default.len(), implied: false }
    }

    pub fn without_default(property: Property) -> Self {
        Self { default: None, ..Self::new(property, &[0.0]) }
    }

    pub fn boolean(property: Property) -> Self {
        Self { kind: Kind::Boolean, ..Self::new(property, &[1.0]) }
    }

    pub fn array(property: Property, values: &[f32]) -> Self {
        Self { kind: Kind::Vector, ..Self::new(property, values) }
    }

    pub fn implied(self) -> Self {
        Self { implied: true, ..self }
    }
}

//! Properties of the glTF 2.0 Asset Object Model that animation pointers can lead to.

use crate::model::pointer::{Kind, Property};

/// A property of the object model: what it is in the model, its type, and its default.
#[derive(Debug, Clone, PartialEq)]
pub struct ObjectProperty {
    pub property: Property,
    /// Whether its value is a boolean, a number or a vector.
    pub kind: Kind,
    /// One number per component; `None` if the file must have the value.
    pub default: Option<Vec<f32>>,
    /// Number of components; for an array, number of elements.
    pub count: usize,
    /// Valid even if the enclosing object is missing.
    pub implied: bool,
}

impl ObjectProperty {
    /// A number or vector with this default.
    pub fn new(property: Property, default: &[f32]) -> Self {
        let kind = if default.len() == 1 { Kind::Scalar } else { Kind::Vector };
        Self { property, kind, default: Some(default.to_vec()), count: default.len(), implied: false }
    }

    /// A number that the file must have.
    pub fn without_default(property: Property) -> Self {
        Self { default: None, ..Self::new(property, &[0.0]) }
    }

    /// A boolean, true by default.
    pub fn boolean(property: Property) -> Self {
        Self { kind: Kind::Boolean, ..Self::new(property, &[1.0]) }
    }

    /// An array of numbers with these defaults. Unlike in `new`, an array of one number is not a scalar.
    pub fn array(property: Property, values: &[f32]) -> Self {
        Self { kind: Kind::Vector, ..Self::new(property, values) }
    }

    /// The same property, valid even if the enclosing object is missing.
    pub fn implied(self) -> Self {
        Self { implied: true, ..self }
    }
}

//! Properties of the glTF 2.0 Asset Object Model that animation pointers can lead to.

use crate::model::pointer::{Property, ValueKind};

/// A property of the object model: the corresponding property of Sinew's model, its type and its default.
#[derive(Debug, Clone, PartialEq)]
pub struct ObjectProperty {
    pub property: Property,
    /// Whether its value is a boolean, a number or a vector.
    pub kind: ValueKind,
    /// The default value, one number per component. `None` if the file must have the value.
    pub default: Option<Vec<f32>>,
    /// Number of components; for an array, number of elements.
    pub count: usize,
    /// Whether a pointer to the property is valid even if the file lacks the enclosing object.
    pub implied: bool,
}

impl ObjectProperty {
    /// A number or a vector with this default.
    pub fn new(property: Property, default: &[f32]) -> Self {
        let kind = if default.len() == 1 { ValueKind::Scalar } else { ValueKind::Vector };
        Self { property, kind, default: Some(default.to_vec()), count: default.len(), implied: false }
    }

    /// A number that the file must have.
    pub fn without_default(property: Property) -> Self {
        Self { default: None, ..Self::new(property, &[0.0]) }
    }

    /// A boolean, true by default.
    pub fn boolean(property: Property) -> Self {
        Self { kind: ValueKind::Boolean, ..Self::new(property, &[1.0]) }
    }

    /// An array of numbers with these defaults. Unlike in `new`, an array of one number is not a scalar.
    pub fn array(property: Property, values: &[f32]) -> Self {
        Self { kind: ValueKind::Vector, ..Self::new(property, values) }
    }

    /// The same property, valid even if the file lacks the enclosing object.
    pub fn implied(self) -> Self {
        Self { implied: true, ..self }
    }
}

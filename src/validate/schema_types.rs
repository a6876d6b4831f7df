//! The types that the schema tables are made of.

/// An object of the schema.
#[derive(Debug)]
pub struct ObjectSchema {
    pub properties: &'static [SchemaProperty],
    /// Extensions that are allowed here.
    pub extensions: &'static [(&'static str, &'static ObjectSchema)],
}

/// A property of an object.
#[derive(Debug)]
pub struct SchemaProperty {
    pub name: &'static str,
    pub kind: PropertyKind,
    pub required: bool,
}

/// The type of a property, with its allowed values.
#[derive(Debug)]
pub enum PropertyKind {
    /// An index into this array of the root; not checked if empty.
    Index(&'static str),
    /// Distinct indices.
    Indices(&'static str),
    /// Accessor indices by attribute name.
    Attributes,
    /// An array of attributes.
    Targets,
    Integer(u64, u64),
    Code(&'static [u64]),
    Number(f64, f64),
    /// A number greater than this.
    Above(f64),
    /// An array of numbers in this range, of one of these lengths (if none is given, any but 0).
    Numbers(&'static [usize], f64, f64),
    Bool,
    Text,
    /// A JSON pointer (RFC 6901).
    Pointer,
    Word(&'static [&'static str]),
    /// Distinct strings.
    Words,
    Object(&'static ObjectSchema),
    Objects(&'static ObjectSchema),
    Anything,
}

pub const ANY_NUMBER: f64 = f64::INFINITY;
pub const ANY_INTEGER: u64 = u64::MAX;

pub const fn may(name: &'static str, kind: PropertyKind) -> SchemaProperty {
    SchemaProperty { name, kind, required: false }
}

pub const fn must(name: &'static str, kind: PropertyKind) -> SchemaProperty {
    SchemaProperty { name, kind, required: true }
}

pub const fn table(properties: &'static [SchemaProperty]) -> ObjectSchema {
    ObjectSchema { properties, extensions: &[] }
}

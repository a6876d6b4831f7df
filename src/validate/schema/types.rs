//! The types that the schema tables are made of, and constructors that keep the tables short.

/// An object of the schema.
#[derive(Debug)]
pub struct ObjectSchema {
    /// The properties that the object may have.
    pub properties: &'static [SchemaProperty],
    /// The extensions that are allowed in the object.
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
    /// An index into this array of the root. If the name is empty, the range of the index is not checked.
    Index(&'static str),
    /// An array of distinct indices into this array of the root.
    Indices(&'static str),
    /// Accessor indices by attribute name.
    Attributes,
    /// An array of objects like [`PropertyKind::Attributes`].
    Targets,
    /// An integer in this range, both ends included.
    Integer(u64, u64),
    /// One of these integers, such as the constants of OpenGL.
    Code(&'static [u64]),
    /// A number in this range, both ends included.
    Number(f64, f64),
    /// A number greater than this.
    Above(f64),
    /// An array of numbers in this range, both ends included. Its length is one of these lengths. If none is given, any length except 0 is
    /// allowed.
    Numbers(&'static [usize], f64, f64),
    Bool,
    /// Any string.
    Text,
    /// A JSON pointer (RFC 6901).
    Pointer,
    /// One of these strings.
    Word(&'static [&'static str]),
    /// An array of distinct strings.
    Words,
    /// An object with this table.
    Object(&'static ObjectSchema),
    /// An array of objects with this table.
    Objects(&'static ObjectSchema),
    /// A value that is not checked.
    Anything,
}

/// As the end of a range of numbers: no upper limit. Its negative, as the start of a range: no lower limit.
pub const ANY_NUMBER: f64 = f64::INFINITY;
/// As the end of a range of integers: no upper limit.
pub const ANY_INTEGER: u64 = u64::MAX;

/// An optional property.
pub const fn may(name: &'static str, kind: PropertyKind) -> SchemaProperty {
    SchemaProperty { name, kind, required: false }
}

/// A required property.
pub const fn must(name: &'static str, kind: PropertyKind) -> SchemaProperty {
    SchemaProperty { name, kind, required: true }
}

/// An object without extensions.
pub const fn table(properties: &'static [SchemaProperty]) -> ObjectSchema {
    ObjectSchema { properties, extensions: &[] }
}

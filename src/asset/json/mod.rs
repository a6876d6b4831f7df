//! The JSON of a file: its conversion to types, its extensions, and the properties that animation pointers lead to.

pub(crate) mod document;
pub(crate) mod extensions;
pub(crate) mod pointed;
pub(crate) mod typed;

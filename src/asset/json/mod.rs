//! The JSON document: typed access, extensions, and the properties that pointers name.

pub(crate) mod document;
pub(crate) mod extensions;
pub(crate) mod pointed;
pub(crate) mod typed;

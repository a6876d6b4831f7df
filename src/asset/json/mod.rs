//! The JSON of a file: its conversion to types, its extensions, and the values that animation pointers lead to.

pub(crate) mod direct;
pub(crate) mod document;
pub(crate) mod extensions;
pub(crate) mod infinite_number;
mod lone_surrogate;
pub(crate) mod object_count;
pub(crate) mod raw_pointers;
pub(crate) mod typed;

//! Actions: the table of all of them, their keys, when each is available, and what mouse buttons do.

pub mod availability;
pub mod entry;
pub mod keys;
pub mod navigation;
pub mod table;

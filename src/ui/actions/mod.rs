//! Actions: the table of all of them, their keys, and when each is available.

pub mod availability;
pub mod entry;
pub mod keys;
pub mod table;

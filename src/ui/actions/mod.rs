//! The actions: their table, their keys, and the conditions under which each is available, and what mouse buttons do.

pub mod availability;
pub mod entry;
pub mod keys;
pub mod navigation;
pub mod table;

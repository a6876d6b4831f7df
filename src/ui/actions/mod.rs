//! Actions: the table of all of them, their keys, and when each is available.

pub mod action;
pub mod availability;
pub mod keys;
pub mod table;

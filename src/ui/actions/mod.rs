//! The actions: their table, their keys, and the conditions under which each is available.

pub mod action;
pub mod availability;
pub mod keys;
pub mod table;

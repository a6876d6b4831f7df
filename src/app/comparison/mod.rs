//! The comparison of the open document with another one.

mod commands;
pub(super) mod open_comparison;
mod other_file;
mod picking;

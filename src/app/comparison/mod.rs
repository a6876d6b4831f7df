//! The comparison of the open document (A) with another one (B).
//!
//! `commands` starts and ends it, and `other_file` reads the file of B. `open_comparison` holds B with its view and pose, which follow
//! from those of A in each frame. The workers in [`super::workers::analysis`] measure the differences. `picking` resolves clicks on B.

mod commands;
pub(super) mod open_comparison;
mod other_file;
mod picking;

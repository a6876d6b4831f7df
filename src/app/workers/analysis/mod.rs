//! Computes data about models for the panels: bounds, motions, checks, comparisons and retargeted animations.

pub(in crate::app) mod borrow;
pub(in crate::app) mod bounds;
pub(in crate::app) mod checks;
pub(in crate::app) mod comparison;
pub(in crate::app) mod difference;
pub(in crate::app) mod motions;

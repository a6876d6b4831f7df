//! Computes the information about a model that the inspector and the timeline show: curves, heat maps, checks and conflicts.

pub mod curves;
pub mod heat_map;
pub mod layer_conflicts;
pub mod matrices;
pub mod missing_attributes;
pub mod morph_drivers;
pub mod weight_checks;

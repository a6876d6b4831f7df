//! What inspector and timeline read out of a model: curves, heat maps, checks, conflicts.

pub mod curves;
pub mod heat_map;
pub mod layer_conflicts;
pub mod missing_attributes;
pub mod morph_drivers;
pub mod weight_checks;

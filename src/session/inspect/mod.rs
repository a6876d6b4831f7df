//! What the inspector and the timeline read out of a model: curves, heat maps, checks, conflicts.

pub mod curves;
pub mod heat_map;
pub mod layer_conflicts;
pub mod missing_attributes;
pub mod weight_checks;

//! Posing: a model, a view and a moment give the transforms of every node and joint.

pub mod crowd;
pub mod geometry_mask;
pub mod in_place;
pub mod layers;
pub mod onion_skin;
pub mod solve;

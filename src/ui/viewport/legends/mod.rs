//! Legends in the corners of the viewport: heat map, onion skin, motion trail.

pub mod heat_map;
pub mod motion_trail;
pub mod onion_skin;
pub mod plate;

//! The animations panel: the list, and the layers mixed over the active animation.

pub mod file_row;
pub mod layer_row;
pub mod layers;
pub mod list;

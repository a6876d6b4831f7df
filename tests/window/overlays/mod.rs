//! Tests what is drawn over the model, and the camera that follows a node.

mod follow;
mod ghosts;
mod weights;

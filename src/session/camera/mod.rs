//! The camera of a view: orbit controls, the view from it, and the projection to the screen.

pub mod orbit_controls;
pub mod screen;
pub mod view_camera;

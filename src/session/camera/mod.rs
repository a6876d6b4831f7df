//! The camera of a view: orbit controls, focal lengths, bookmarks and presets, the camera to draw with, and the projection to the screen.

pub mod bookmarks;
pub mod lens;
pub mod orbit_controls;
pub mod screen;
pub mod view_camera;
pub mod view_preset;

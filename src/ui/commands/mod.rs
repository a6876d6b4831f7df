//! What actions do to the view and the transport.

pub mod camera;
pub mod copy_transforms;
pub mod isolate;
pub mod playback;
pub mod selection;
pub mod switches;

//! Commands about nodes: selecting, switching, isolating and copying them.

pub mod copy_transforms;
pub mod isolate;
pub mod selection;
pub mod switches;

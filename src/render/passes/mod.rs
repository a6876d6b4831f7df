//! The passes of a frame. Each pass is a struct that owns its targets, buffers and bind groups, and records its commands into a
//! [`context::FrameContext`].

pub(crate) mod backdrop;
pub(crate) mod composite;
pub(crate) mod context;
pub(crate) mod outline;
pub(crate) mod overlay;
pub(crate) mod picking;
pub(crate) mod scene;
pub(crate) mod shadow;
pub(crate) mod targets;
pub(crate) mod timer;

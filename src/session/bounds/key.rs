//! Extracts the part of a view that its bounds depend on.

use crate::session::pose::key::PoseKey;
use crate::session::view::View;

/// The settings of a view that its bounds depend on. Equal keys give equal bounds.
#[derive(Debug, Clone, PartialEq)]
pub struct BoundsKey {
    pub pose: PoseKey,
    /// [`crate::session::view::display::Display::asks_for_skeleton`], because joints may lie outside of the meshes.
    pub skeleton: bool,
}

impl BoundsKey {
    /// The key of a view.
    pub fn new(view: &View) -> Self {
        Self { pose: PoseKey::new(view), skeleton: view.display.asks_for_skeleton() }
    }

    /// Returns whether this is the key of a view, without making that key.
    pub fn is_of(&self, view: &View) -> bool {
        self.skeleton == view.display.asks_for_skeleton() && self.pose.is_of(view)
    }
}

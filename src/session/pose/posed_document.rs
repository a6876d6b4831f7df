//! Poses all that a picture shows of a document: the model itself, the members of its crowd, and the ghosts of its onion skin.

use crate::camera::bounds::Bounds;
use crate::session::document::Document;
use crate::session::time::moment::Moment;
use crate::session::view::View;

use super::crowd::Crowd;
use super::in_place::Roots;
use super::onion_skin::GhostPoses;
use super::solve::Posed;
use super::{Body, pose};

/// A document in a pose. Kept from pose to pose, to reuse its memory.
#[derive(Debug, Clone)]
pub struct PosedDocument {
    /// The pose of the model, which is the first member of the crowd.
    pub posed: Posed,
    pub crowd: Crowd,
    pub ghosts: GhostPoses,
    /// The moment of the pose.
    pub moment: Moment,
    /// The roots that keep the pose in place.
    pub roots: Roots,
}

impl PosedDocument {
    /// Buffers for the poses of a document. The crowd and the ghosts are empty until the first pose.
    pub fn new(document: &Document) -> Self {
        Self {
            posed: document.rig().posed(),
            crowd: Crowd::default(),
            ghosts: GhostPoses::default(),
            moment: Moment::from(0.0),
            roots: Roots::default(),
        }
    }

    /// Poses the model and its crowd. `document` must be the one given to [`Self::new`]. `bounds` are those of one model over its whole
    /// animation, and of the model that it is compared with: they determine how far apart the members of the crowd are.
    pub fn pose(&mut self, document: &Document, view: &View, moment: Moment, roots: Roots, bounds: &Bounds) {
        let model = &*document.model;
        (self.moment, self.roots) = (moment, roots);
        pose(model, view, moment, roots, &mut self.posed);
        self.crowd.pose(&Body { model, view, moment, roots, posed: &self.posed }, bounds);
    }

    /// Poses the ghosts that the view shows. Call it after [`Self::pose`], with the same document and view.
    pub fn pose_ghosts(&mut self, document: &Document, view: &View) {
        let body = Body { model: &document.model, view, moment: self.moment, roots: self.roots, posed: &self.posed };
        self.ghosts.pose(&body, document.rate(view).fps);
    }
}

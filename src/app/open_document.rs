//! The document that the window shows, with everything that drawing it needs.

use std::collections::BTreeMap;
use std::sync::{Arc, RwLock};
use std::time::Instant;

use crate::asset::file::progress::Progress;
use crate::asset::file::stamp::SourceFile;
use crate::render::model::GpuModel;
use crate::session::document::Document;
use crate::session::pose::crowd::Crowd;
use crate::session::pose::onion_skin::GhostPoses;
use crate::session::pose::solve::Posed;
use crate::session::view::View;
use crate::session::view::joint_switches::NodeSwitches;
use crate::session::view::layers::Layer;
use crate::session::view::morph_overrides::Morphs;

use super::load_job::{Fingerprints, Source};
use super::progressive_ghosts::ProgressiveGhosts;

/// The open document.
pub struct OpenDocument {
    /// The load job that read it.
    pub job: u64,
    pub source: Source,
    /// The files that the document was read from.
    pub files: Vec<SourceFile>,
    /// Hashes of its images, for sharing textures with a reload.
    pub fingerprints: Fingerprints,
    pub document: Document,
    /// Shared with background exports; written only when a texture arrives.
    pub gpu_model: Arc<RwLock<GpuModel>>,
    pub posed: Posed,
    pub crowd: Crowd,
    pub ghosts: GhostPoses,
    pub progressive_ghosts: ProgressiveGhosts,
    /// The part of the view that the document's bounds were measured for.
    pub measured: BoundsKey,
    /// Progress of its load job: cancelled when another document replaces it, so that no more images are decoded.
    pub progress: Arc<Progress>,
    /// The device was lost, and the textures have not been read again yet.
    pub textures_lost: bool,
    /// Since when it is shown; `None` unless the user stepped to it and it is not among the recent files yet.
    pub stepped: Option<Instant>,
}

/// Everything in a view that bounds depend on.
#[derive(PartialEq)]
pub struct BoundsKey {
    pub animation: Option<usize>,
    pub layers: Vec<Layer>,
    pub bind_pose: bool,
    pub morphs: Morphs,
    pub scene: Option<usize>,
    pub switches: BTreeMap<usize, NodeSwitches>,
    pub in_place: bool,
    pub skeleton: bool,
}

impl BoundsKey {
    pub fn of(view: &View) -> Self {
        Self {
            animation: view.animation,
            layers: view.layers.clone(),
            bind_pose: view.bind_pose,
            morphs: view.morphs.clone(),
            scene: view.scene,
            switches: view.switches.clone(),
            in_place: view.in_place,
            skeleton: view.display.skeleton,
        }
    }
}

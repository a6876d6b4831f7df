//! What is open in the window.

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

use super::progressive_ghosts::Stillness;
use super::workers::load::{Fingerprints, Source};

/// What is open, as the frame needs it.
pub struct OpenDocument {
    pub job: u64,
    pub source: Source,
    /// What the document was read from.
    pub files: Vec<SourceFile>,
    /// Of its images.
    pub fingerprints: Fingerprints,
    pub document: Document,
    /// Shared with whoever draws a picture; written only when a texture arrives.
    pub gpu_model: Arc<RwLock<GpuModel>>,
    pub posed: Posed,
    pub crowd: Crowd,
    pub ghosts: GhostPoses,
    pub stillness: Stillness,
    /// What the document's bounds were taken of.
    pub measured: BoundsKey,
    /// Of the job that read it: cancelled when another takes its place, so that no more images are decoded.
    pub progress: Arc<Progress>,
    /// The device was lost, and they were not read again.
    pub textures_lost: bool,
    /// Since when it is shown, where it was come to by stepping through a list and is not remembered yet.
    pub stepped: Option<Instant>,
}

/// All of a view that its bounds depend on.
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

//! What is open in the window.

use std::sync::{Arc, RwLock};
use std::time::Instant;

use crate::asset::file::progress::Progress;
use crate::asset::file::stamp::SourceFile;
use crate::render::model::GpuModel;
use crate::session::analyses::{Analyses, Subject};
use crate::session::bounds::key::BoundsKey;
use crate::session::document::Document;
use crate::session::pose::crowd::Crowd;
use crate::session::pose::in_place::Roots;
use crate::session::pose::onion_skin::GhostPoses;
use crate::session::pose::solve::Posed;
use crate::session::view::View;

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
    pub analyses: Analyses,
    /// Shared with whoever draws a picture; written only when a texture arrives.
    pub gpu_model: Arc<RwLock<GpuModel>>,
    pub posed: Posed,
    /// The roots that the last pose was kept in place by: they serve until those of the next are found.
    pub roots: Roots,
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

impl OpenDocument {
    /// What is shown of it.
    pub fn subject<'a>(&'a self, view: &'a View) -> Subject<'a> {
        Subject { document: &self.document, analyses: &self.analyses, view }
    }
}

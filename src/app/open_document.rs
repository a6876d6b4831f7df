//! The document that the window shows, with everything that drawing it needs.

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
    pub analyses: Analyses,
    /// Shared with background exports; written only when a texture arrives.
    pub gpu_model: Arc<RwLock<GpuModel>>,
    pub posed: Posed,
    /// The roots that the last pose was kept in place by: they serve until those of the next are found.
    pub roots: Roots,
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

impl OpenDocument {
    /// The document with its analyses, as `view` shows it.
    pub fn subject<'a>(&'a self, view: &'a View) -> Subject<'a> {
        Subject { document: &self.document, analyses: &self.analyses, view }
    }
}

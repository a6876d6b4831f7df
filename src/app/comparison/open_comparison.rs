//! Document B, which the open document (A) is compared with: the data for drawing it, and the result of the comparison.

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::{Arc, RwLock};

use crate::asset::file::stamp::SourceFile;
use crate::borrowed::Borrowed;
use crate::camera::bounds::Bounds;
use crate::compare::counterpart::{self, CompareView, Pair};
use crate::compare::node_pairs::NodePairs;
use crate::compare::{Choices, Comparison};
use crate::render::model::GpuModel;
use crate::session::analyses::{Analyses, Subject};
use crate::session::document::{Document, DocumentId};
use crate::session::inspect::heat_map::VertexHeats;
use crate::session::pose::posed_document::PosedDocument;
use crate::session::time::moment::Moment;
use crate::session::view::View;
use crate::ui::context::comparison::{CompareChoices, CompareStatus, OtherKind, OtherPose};

use crate::app::documents::load_job::Source;
use crate::app::documents::open_document::OpenDocument;
use crate::app::ids::LoadJobId;

/// Document B, with the data for drawing it.
#[derive(Clone)]
pub struct OtherDocument {
    pub document: Document,
    pub analyses: Analyses,
    pub gpu_model: Arc<RwLock<GpuModel>>,
    /// The file that the document was read from; `None` for a version that is only in memory.
    pub source: Option<OtherSource>,
}

/// The file that document B was read from.
#[derive(Clone)]
pub struct OtherSource {
    /// The file to open again.
    pub source: Source,
    /// The files that the document was read from.
    pub files: Vec<SourceFile>,
    /// The files that the document borrows animations from.
    pub borrowed: Borrowed,
    /// The job that loaded the file.
    pub job: LoadJobId,
}

impl OtherDocument {
    /// The open document as a version in memory, to compare two of its animations, or to compare it with its next version.
    pub fn in_memory(open: &OpenDocument) -> Self {
        Self { document: open.document.clone(), analyses: open.analyses.clone(), gpu_model: open.gpu_model.clone(), source: None }
    }

    /// The file to open again; `None` for a version that is only in memory.
    pub fn file(&self) -> Option<&Source> {
        self.source.as_ref().map(|other| &other.source)
    }
}

/// A file to compare with, and the result of the comparison.
pub struct LoadedComparison {
    pub other: OtherDocument,
    pub found: (CompareKey, Arc<Comparison>),
    /// The first file whose animations could not be read for B, with the reason.
    pub borrow_failure: Option<(PathBuf, String)>,
}

/// A file to compare with a document that is not open yet.
pub struct NextComparison {
    pub source: Source,
    /// The choices to start with.
    pub choices: CompareChoices,
}

impl NextComparison {
    /// A new comparison with this file.
    pub fn new(source: Source) -> Self {
        Self { source, choices: CompareChoices::default() }
    }
}

/// The comparison of the open document with another one.
pub struct OpenComparison {
    /// The part that panels show and change.
    pub status: CompareStatus,
    pub other: OtherDocument,
    /// The key and the result of the last measured comparison. `None` at first.
    pub found: Option<(CompareKey, Arc<Comparison>)>,
    /// The vertex colors of the difference view, and the two documents that they belong to. `None` unless the difference view is shown.
    heats: Option<([DocumentId; 2], Arc<VertexHeats>)>,
    /// The view of B in the current frame.
    view: View,
    /// The view of A and the animation of B that `view` was made for. `None` if `view` has to be made again.
    view_source: Option<(View, Option<usize>)>,
    /// The pose of B in the current frame. Its ghosts are posed only side by side.
    pub pose: PosedDocument,
}

/// Identifies a comparison: equal keys have equal results.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CompareKey {
    pub documents: [DocumentId; 2],
    pub choices: Choices,
}

impl OpenComparison {
    /// A comparison that is not measured yet.
    pub fn new(kind: OtherKind, side_names: [String; 2], choices: CompareChoices, other: OtherDocument) -> Self {
        let status = CompareStatus {
            kind,
            side_names,
            model: other.document.model.clone(),
            names: other.document.names.clone(),
            choices,
            found: None,
            is_measuring: true,
            is_shown: false,
        };
        Self::with_status(status, other)
    }

    /// A comparison with B that is not measured yet.
    fn with_status(status: CompareStatus, other: OtherDocument) -> Self {
        let pose = PosedDocument::new(&other.document);
        Self { status, other, found: None, heats: None, view: View::default(), view_source: None, pose }
    }

    /// The key of the comparison that the panels and the view of the open document ask for.
    pub fn key(&self, open: &Document, view: &View) -> CompareKey {
        let animation = open.model.existing_animation(view.animation);
        let animations = [animation, self.status.other_animation(&open.model, view)];
        let choices = Choices { animations, timing: self.status.choices.timing, scene: view.scene };
        CompareKey { documents: [open.id, self.other.document.id], choices }
    }

    /// The key and the result of the last measured comparison, if it is a comparison of these documents.
    pub fn current(&self, open: &Document) -> Option<&(CompareKey, Arc<Comparison>)> {
        self.found.as_ref().filter(|(key, _)| key.documents == [open.id, self.other.document.id])
    }

    /// The pairs of nodes; `None` until they are found for these documents.
    pub fn binding(&self, open: &Document) -> Option<&NodePairs> {
        self.current(open).map(|(_, found)| &found.node_pairs)
    }

    /// Poses B at the time that corresponds to `moment`, in the view that corresponds to `view`. Does nothing until the pairs of nodes are
    /// found. `bounds` are those of both models: they determine how far apart the members of a crowd are.
    pub fn pose(&mut self, open: &Document, view: &View, moment: &Moment, bounds: &Bounds) {
        let animation = self.status.other_animation(&open.model, view);
        let is_new = self.view_source.as_ref().is_none_or(|(source, other)| source != view || *other != animation);
        if is_new {
            let Some(node_pairs) = self.binding(open) else { return };
            let pair = Pair { a: &open.model, b: &self.other.document.model, node_pairs };
            self.view = counterpart::view(view, pair, animation);
            self.view_source = Some((view.clone(), animation));
        }
        let moment = counterpart::moment(moment, &self.status.time_map(&open.model, view));
        let Self { status, other: OtherDocument { document, analyses, .. }, view, pose, .. } = self;
        let roots = analyses.known_roots(view, &moment).or(pose.roots);
        pose.pose(document, view, moment, roots, bounds);
        if status.choices.layout == CompareView::Side {
            pose.pose_ghosts(document, view);
        }
    }

    /// B with its analyses and its view.
    pub fn subject(&self) -> Subject<'_> {
        Subject { document: &self.other.document, analyses: &self.other.analyses, view: &self.view }
    }

    /// Returns whether B is posed in its own view. Before the pairs of nodes are found, that view is not known.
    pub fn is_posed(&self) -> bool {
        self.view_source.is_some()
    }

    /// The part that panels change, and B in the pose of the current frame. `None` instead of B while it is not shown.
    pub fn split(&mut self) -> (&mut CompareStatus, Option<OtherPose<'_>>) {
        let other = OtherPose { document: &self.other.document, view: &self.view, posed: &self.pose.posed };
        let is_shown = self.status.is_shown;
        (&mut self.status, is_shown.then_some(other))
    }

    /// The vertex colors of the difference view in a recent pose.
    pub fn heats(&self) -> Option<Arc<VertexHeats>> {
        let ((key, _), (documents, heats)) = (self.found.as_ref()?, self.heats.as_ref()?);
        (key.documents == *documents).then(|| heats.clone())
    }

    /// Stores the vertex colors of these documents.
    pub fn set_heats(&mut self, heats: Option<([DocumentId; 2], Arc<VertexHeats>)>) {
        self.heats = heats;
    }

    /// Replaces B by its new version. `found` is the result of the new comparison, if it was measured already.
    pub fn replace(&mut self, other: OtherDocument, found: Option<(CompareKey, Arc<Comparison>)>) {
        let mut status = self.status.clone();
        status.replace_other(&other.document, found.as_ref().map(|(_, found)| found.clone()));
        *self = Self { found, ..Self::with_status(status, other) };
    }

    /// Forgets the result and the view of B, because the open document was replaced.
    pub fn forget_result(&mut self) {
        (self.found, self.status.found) = (None, None);
        self.forget_view();
    }

    /// Makes the next [`Self::pose`] build the view of B again, because the document or the pairs of nodes have changed.
    pub fn forget_view(&mut self) {
        self.view_source = None;
    }
}

/// The analyses of the open document, which are `own`. While a comparison is shown, their bounds include B, so that both models have the
/// same ground, shadow and crowd.
pub fn shown_analyses<'a>(own: &'a Analyses, comparison: Option<&OpenComparison>) -> Cow<'a, Analyses> {
    match comparison.filter(|comparison| comparison.status.is_shown) {
        Some(comparison) => Cow::Owned(own.widened(&comparison.other.analyses)),
        None => Cow::Borrowed(own),
    }
}

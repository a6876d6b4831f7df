//! The data that panels show about a comparison of the open document (A) with another one (B). The application writes it, and panels edit
//! the user's choices.

use std::sync::Arc;

use glam::DVec2;

use crate::camera::Camera;
use crate::captions::legends::comparison::Legend;
use crate::colors::Colors;
use crate::compare::counterpart::CompareView;
use crate::compare::time_map::{TimeMap, Timing};
use crate::compare::{Comparison, pairing, text};
use crate::model::Model;
use crate::session::camera::screen::ScreenProjection;
use crate::session::document::Document;
use crate::session::names::Names;
use crate::session::pose::solve::Posed;
use crate::session::view::View;
use crate::session::view::selection::SelectMode;
use crate::units::Units;

/// Shown in place of a distance or angle that does not exist.
pub const NOT_COMPARABLE: &str = "not comparable";
/// The reason why there are no distances and angles.
pub const NO_COUNTERPARTS: &str = "No node of A has a counterpart in B.";

/// The user's choices for a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct CompareChoices {
    pub layout: CompareView,
    pub animation: OtherAnimation,
    pub timing: Timing,
}

/// The animation of B that is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OtherAnimation {
    /// The animation with the same name as A's animation. If there is none, the animation with the same index.
    #[default]
    Counterpart,
    Chosen(usize),
}

/// The origin of B.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OtherKind {
    /// Another file.
    File,
    /// The open file as it was before the last reload.
    PreviousVersion,
    /// Another animation of the open file.
    SameFile,
}

/// A comparison of two documents, A and B. A is the open document.
#[derive(Debug, Clone)]
pub struct CompareStatus {
    pub kind: OtherKind,
    /// Names of A and B for labels: the names of the files, or of two animations of one file.
    pub side_names: [String; 2],
    /// The model of B, and the names of its nodes and animations.
    pub model: Arc<Model>,
    pub names: Arc<Names>,
    pub choices: CompareChoices,
    /// The result for the choices. The previous result stays until new choices are measured. `None` before the first result, and if the
    /// choices cannot be measured.
    pub found: Option<Arc<Comparison>>,
    /// Whether a result for the choices is still to come.
    pub is_measuring: bool,
    /// Whether B is shown. It is shown from the first result on, even while a new version of A is measured. A new version of B is not posed
    /// before its own first result.
    pub is_shown: bool,
}

impl CompareStatus {
    /// Replaces B by a new version. `found` is its comparison with the open document, if it was measured already.
    pub fn replace_other(&mut self, other: &Document, found: Option<Arc<Comparison>>) {
        (self.model, self.names) = (other.model.clone(), other.names.clone());
        self.is_shown &= found.is_some();
        self.found = found;
    }

    /// The animation of B that is compared with the animation of `model` that `view` plays. `None` for the rest pose.
    pub fn other_animation(&self, model: &Model, view: &View) -> Option<usize> {
        let played = model.existing_animation(view.animation)?;
        match self.choices.animation {
            OtherAnimation::Counterpart => pairing::animation(model, &self.model, played),
            OtherAnimation::Chosen(animation) => self.model.existing_animation(Some(animation)),
        }
    }

    /// The map between the times of the two animations that A and B play.
    pub fn time_map(&self, model: &Model, view: &View) -> TimeMap {
        self.choices.timing.map(self.durations(model, view))
    }

    /// Durations of the two animations that A and B play, in seconds. 0 for the rest pose.
    pub fn durations(&self, model: &Model, view: &View) -> [f64; 2] {
        [model.animation_duration(view.animation), self.model.animation_duration(self.other_animation(model, view))]
    }

    /// The legend of the left half, or of the whole picture if it is not split.
    pub fn legend(&self, colors: &Colors, units: Units) -> Legend {
        let layout = self.choices.layout;
        let largest = self.found.as_ref().map_or(0.0, |found| found.largest_distance());
        Legend {
            title: text::picture_title(&self.side_names, layout),
            swatch: (layout == CompareView::Overlay).then_some(colors.compared),
            scale: (layout == CompareView::Difference).then(|| ["0".to_owned(), text::small_distance(units, largest)]),
        }
    }

    /// The legend of the right half.
    pub fn other_legend(&self) -> Legend {
        let [_, title] = text::titles(&self.side_names);
        Legend { title, swatch: None, scale: None }
    }
}

/// B in the pose of the current frame.
#[derive(Clone, Copy)]
pub struct OtherPose<'a> {
    pub document: &'a Document,
    pub view: &'a View,
    pub posed: &'a Posed,
}

/// The content of a frame: A and B in their poses, seen by one camera.
#[derive(Clone, Copy)]
pub struct FrameContent<'a> {
    pub posed: &'a Posed,
    /// `None` if nothing is compared, or before the first result.
    pub other: Option<OtherPose<'a>>,
    pub camera: &'a Camera,
}

/// A click, a selection box or an opened context menu on B. The application finds the nodes of B there, and selects or lists their
/// counterparts in A.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OtherPick {
    pub projection: ScreenProjection,
    pub target: PickTarget,
    /// Whether B shows its skeleton. A ghost does not.
    pub has_joints: bool,
}

/// The pointer input. Positions are in points, relative to the top left corner of the picture of B.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PickTarget {
    /// A click. A repeated click has the same position as the previous click, and selects the next node behind the selected one.
    Point { point: DVec2, mode: SelectMode, is_repeated: bool },
    /// A selection box. The corners are the two ends of the drag.
    Box { corners: [DVec2; 2], mode: SelectMode },
    /// A click that opens the context menu.
    Menu { point: DVec2 },
}

/// The content of the context menu of B.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum OtherMenu {
    /// The application is searching for the node under the pointer.
    #[default]
    Pending,
    /// Source indices of the counterparts in A of the nodes under the pointer. Empty if there are no nodes.
    Counterparts(Vec<usize>),
    /// The name of a node without a counterpart.
    OnlyInB(String),
}

//! Adds a comparison to a picture: the other model as a ghost, or colors that show the distance to it, and a legend. The model of the
//! picture is A, the other one is B.

use std::sync::Arc;

use glam::{DVec3, Vec4};

use crate::animation::hierarchy::skinning::JointMatrix;
use crate::captions::legends::comparison::Legend;
use crate::colors::{self, Colors};
use crate::compare::counterpart::CompareView;
use crate::compare::heat::{self, HeatSource, PosePair};
use crate::compare::time_map::TimeMap;
use crate::compare::{Comparison, text};
use crate::model::Model;
use crate::render::actor::Actor;
use crate::render::model::GpuModel;
use crate::render::picture::Options;
use crate::session::analyses::Subject;
use crate::session::inspect::heat_map::VertexHeats;
use crate::session::pose::solve::Posed;
use crate::units::Units;

/// Opacity of the ghost on a dark and on a light background. Colors are blended linearly, so a light background needs a higher opacity.
const GHOST_OPACITIES: [f32; 2] = [0.55, 0.85];

/// The comparison of the model in a picture (A) with another one (B).
#[derive(Clone, Copy)]
pub struct Compared<'a> {
    /// B, in the view that [`crate::compare::counterpart::view`] derives from the view of A.
    pub subject: Subject<'a>,
    /// The model of A.
    pub model: &'a Model,
    pub comparison: &'a Comparison,
    /// The time of B for each time of A.
    pub time_map: TimeMap,
    /// The distance that has the brightest color in the difference view, in meters.
    pub max_distance: f64,
    pub layout: CompareView,
    /// The names of A and B for titles, such as "fox.glb".
    pub side_names: &'a [String; 2],
    /// The units of the legend.
    pub units: Units,
}

/// B in a pose, with its model on the device.
#[derive(Clone, Copy)]
pub struct PosedOther<'a> {
    pub posed: &'a Posed,
    pub gpu_model: &'a GpuModel,
}

/// The parts that a comparison adds to the picture of A. By default there are none.
#[derive(Default)]
pub struct ComparisonParts<'a> {
    /// B, drawn over A.
    pub ghost: Option<GhostOfOther<'a>>,
    /// The colors of the difference view per joint, which replace the heat map of skin weights.
    pub tints: Option<Vec<Vec4>>,
    /// The colors of the difference view per vertex.
    pub heats: Option<Arc<VertexHeats>>,
    pub legend: Option<Legend>,
}

/// B as a ghost.
pub struct GhostOfOther<'a> {
    model: &'a Model,
    gpu_model: &'a GpuModel,
    posed: &'a Posed,
    /// Joint matrices, relative to the anchor of A.
    palette: Vec<JointMatrix>,
    /// Linear color, and opacity as alpha.
    tint: Vec4,
}

impl GhostOfOther<'_> {
    /// The ghost as an actor.
    pub fn actor(&self) -> Actor<'_> {
        Actor { ghost: Some(self.tint), ..Actor::single(self.model, self.gpu_model, self.posed, &self.palette) }
    }
}

impl ComparisonParts<'_> {
    /// Only a legend with this title.
    pub fn from_title(title: String) -> Self {
        Self { legend: Some(Legend { title, swatch: None, scale: None }), ..Self::default() }
    }

    /// Returns the options of a picture, with those options switched on that these parts need.
    pub fn apply_to(&self, options: Options) -> Options {
        let (heat_map, onion_skin) = (options.heat_map || self.tints.is_some(), options.onion_skin || self.ghost.is_some());
        Options { heat_map, onion_skin, ..options }
    }
}

impl<'a> Compared<'a> {
    /// The titles of A and B, such as "A: fox.glb".
    pub fn titles(&self) -> [String; 2] {
        text::titles(self.side_names)
    }

    /// The title of the picture of A.
    fn title(&self) -> String {
        text::picture_title(self.side_names, self.layout)
    }

    /// The parts of an overlay: B as a ghost over A. `anchor` is the anchor of the picture.
    fn overlay_parts(&self, PosedOther { posed, gpu_model }: PosedOther<'a>, anchor: DVec3, theme: &Colors) -> ComparisonParts<'a> {
        let tint = colors::linear(theme.compared).extend(GHOST_OPACITIES[usize::from(theme.is_light)]);
        let palette = posed.joint_transforms.iter().map(|transform| JointMatrix::anchored(transform, anchor)).collect();
        let ghost = GhostOfOther { model: &self.subject.document.model, gpu_model, posed, palette, tint };
        let legend = Legend { title: self.title(), swatch: Some(theme.compared), scale: None };
        ComparisonParts { ghost: Some(ghost), legend: Some(legend), ..ComparisonParts::default() }
    }

    /// The colors of the vertices in these poses, for the difference view; `None` in other layouts. This takes long for heavy models.
    pub fn heats(&self, poses: PosePair) -> Option<Arc<VertexHeats>> {
        if self.layout != CompareView::Difference {
            return None;
        }
        heat::vertex_heats(self.heat_source(), poses.vertices(), self.max_distance, &|| true).map(Arc::new)
    }

    /// The models with their matching nodes and vertices.
    fn heat_source(&self) -> HeatSource<'a> {
        let models = [self.model, &*self.subject.document.model];
        HeatSource { models, node_pairs: &self.comparison.node_pairs, followed: &self.comparison.followed }
    }

    /// The parts of the difference view: A is colored by the distance to B.
    fn difference_parts(&self, poses: PosePair, heats: Option<Arc<VertexHeats>>) -> ComparisonParts<'a> {
        let tints = heat::tints(self.heat_source(), poses, self.max_distance);
        let scale = Some(["0".to_owned(), text::small_distance(self.units, self.max_distance)]);
        ComparisonParts { ghost: None, tints: Some(tints), heats, legend: Some(Legend { title: self.title(), swatch: None, scale }) }
    }

    /// The parts that the layout adds to a picture of A. [`CompareView::Side`] adds none, because it consists of two pictures. `a` and
    /// `other` are poses at corresponding moments, and `heats` are the vertex colors of the difference view.
    pub fn parts(&self, a: &Posed, other: PosedOther<'a>, heats: Option<Arc<VertexHeats>>, theme: &Colors) -> ComparisonParts<'a> {
        match self.layout {
            CompareView::Side => ComparisonParts::default(),
            CompareView::Overlay => self.overlay_parts(other, a.anchor, theme),
            CompareView::Difference => self.difference_parts(PosePair { a, b: other.posed }, heats),
        }
    }
}

//! Adds a comparison to a picture: the other model as a ghost, or colors that show the distance to it, and a legend. The model of the
//! picture is A, the other one is B. Stills and the window use this module.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use glam::{DVec3, Vec4};
use image::{Rgba, RgbaImage, imageops};

use crate::animation::hierarchy::skinning::JointMatrix;
use crate::captions::legends::comparison::Legend;
use crate::colors::{self, Colors};
use crate::compare::counterpart::{self, CompareView, Pair};
use crate::compare::heat::{self, HeatSource, PosePair};
use crate::compare::time_map::{TimeMap, Timing};
use crate::compare::{Choices, Comparison, compare, pairing, text};
use crate::model::Model;
use crate::render::actor::Actor;
use crate::render::model::GpuModel;
use crate::render::picture::Options;
use crate::session::analyses::{Analyses, Subject};
use crate::session::contact_sheet::Tile;
use crate::session::document::Document;
use crate::session::inspect::heat_map::VertexHeats;
use crate::session::pose::solve::Posed;
use crate::session::view::View;
use crate::units::Units;

use crate::export::error::ExportError;

use super::allocation::empty_picture;

/// Opacity of the ghost on a dark and on a light background. Colors are blended linearly, so a light background needs a higher opacity.
const GHOST_OPACITIES: [f32; 2] = [0.55, 0.85];

/// The comparison that pictures show, of the model in the picture (A) with another one (B). It owns its data; [`Compared`] borrows it.
#[derive(Debug, Clone)]
pub struct ComparedModel {
    pub document: Document,
    pub analyses: Analyses,
    /// See [`Compared::subject`].
    pub view: View,
    pub comparison: Arc<Comparison>,
    pub time_map: TimeMap,
    /// See [`Compared::max_distance`].
    pub max_distance: f64,
    pub layout: CompareView,
    /// See [`Compared::side_names`].
    pub side_names: [String; 2],
}

impl ComparedModel {
    /// The comparison for each tile of a contact sheet of `a`. If a tile shows an animation other than the compared one, that animation is
    /// compared with its counterpart in B. If A and B are the same file, all tiles are compared with one animation of that file. `None` if
    /// `keep_going` returns false before the end.
    pub fn for_tiles(&self, a: &Document, tiles: &[Tile], timing: Timing, keep_going: &dyn Fn() -> bool) -> Option<Vec<Arc<Self>>> {
        per_tile(tiles, |view| self.with_view(a, view, timing, keep_going).ok_or(())).ok()
    }

    /// The comparison with B for another view of `a`.
    fn with_view(&self, a: &Document, view: &View, timing: Timing, keep_going: &dyn Fn() -> bool) -> Option<Self> {
        let [known, other] = self.comparison.animations;
        let is_same_file = a.id == self.document.id;
        let counterpart = || view.animation.and_then(|animation| pairing::animation(&a.model, &self.document.model, animation));
        let animation = if view.animation == known || is_same_file { other } else { counterpart() };
        let choices = Choices { animations: [view.animation, animation], timing, scene: view.scene };
        let comparison =
            if view.animation == known { self.comparison.clone() } else { Arc::new(compare(a, &self.document, &choices, keep_going)?) };
        let pair = Pair { a: &a.model, b: &self.document.model, node_pairs: &comparison.node_pairs };
        let view = counterpart::view(view, pair, animation);
        let mut analyses = self.analyses.clone();
        analyses.update_bounds(&self.document, &view);
        Some(Self {
            view,
            analyses,
            time_map: comparison.time_map,
            max_distance: comparison.largest_distance(),
            side_names: if is_same_file { text::animation_names(a, choices.animations) } else { self.side_names.clone() },
            comparison,
            ..self.clone()
        })
    }

    /// Borrows the comparison for pictures of A. `model` is the model of A, `units` are the units of the legend.
    pub fn compared<'a>(&'a self, model: &'a Model, units: Units) -> Compared<'a> {
        Compared {
            subject: Subject { document: &self.document, analyses: &self.analyses, view: &self.view },
            model,
            comparison: &self.comparison,
            time_map: self.time_map,
            max_distance: self.max_distance,
            layout: self.layout,
            side_names: &self.side_names,
            units,
        }
    }
}

/// The comparison for each tile of a contact sheet. `compare` runs once per animation, with the view of its first tile. The same distance
/// has the same color in all tiles.
pub fn per_tile<E>(tiles: &[Tile], compare: impl Fn(&View) -> Result<ComparedModel, E>) -> Result<Vec<Arc<ComparedModel>>, E> {
    let mut models: BTreeMap<Option<usize>, ComparedModel> = BTreeMap::new();
    for tile in tiles {
        if let Entry::Vacant(vacant) = models.entry(tile.view.animation) {
            vacant.insert(compare(&tile.view)?);
        }
    }
    let max_distance = models.values().map(|model| model.max_distance).fold(0.0, f64::max);
    let models: BTreeMap<_, _> =
        models.into_iter().map(|(animation, model)| (animation, Arc::new(ComparedModel { max_distance, ..model }))).collect();
    Ok(tiles.iter().filter_map(|tile| models.get(&tile.view.animation).cloned()).collect())
}

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

    /// The parts of an overlay: B as a ghost over A. `anchor` is the anchor of the picture.
    fn overlay_parts(&self, PosedOther { posed, gpu_model }: PosedOther<'a>, anchor: DVec3, theme: &Colors) -> ComparisonParts<'a> {
        let tint = colors::linear(theme.compared).extend(GHOST_OPACITIES[usize::from(theme.is_light)]);
        let palette = posed.joint_transforms.iter().map(|transform| JointMatrix::anchored(transform, anchor)).collect();
        let ghost = GhostOfOther { model: &self.subject.document.model, gpu_model, posed, palette, tint };
        let legend = Legend { title: format!("{} as a ghost", self.titles()[1]), swatch: Some(theme.compared), scale: None };
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
        ComparisonParts {
            ghost: None,
            tints: Some(tints),
            heats,
            legend: Some(Legend { title: format!("Distance to {}", self.titles()[1]), swatch: None, scale }),
        }
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

/// A picture of this width with `left` at its left edge, `right` at its right edge, and a line between them. `left` and `right` have the
/// same height. Returns an error if memory is short.
pub fn side_by_side(left: &RgbaImage, right: &RgbaImage, width: u32, theme: &Colors) -> Result<RgbaImage, ExportError> {
    let mut picture = empty_picture(width, left.height())?;
    imageops::replace(&mut picture, left, 0, 0);
    imageops::replace(&mut picture, right, i64::from(width) - i64::from(right.width()), 0);
    let [red, green, blue] = theme.divider;
    let line = Rgba([red, green, blue, 255]);
    for y in 0..picture.height() {
        picture.put_pixel(width / 2, y, line);
    }
    Ok(picture)
}

//! Lays out a contact sheet: small pictures on a grid, each with its title. A tile shows an animation at its most characteristic
//! moment, a phase of one animation, or a file.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::animation::playback;
use crate::model::Model;

use super::document::Document;
use super::locomotion::root_motion;
use super::pose;
use super::pose::in_place::Roots;
use super::pose::solve::Posed;
use super::time::moment::Moment;
use super::view::{Repeat, View, playback_range};

/// Minimum and maximum number of phases of an animation.
pub const PHASE_LIMITS: [usize; 2] = [2, 100];
/// Number of phases unless the user chooses one.
pub const DEFAULT_PHASES: usize = 12;
/// Maximum number of tiles that the window draws. A file may have more animations.
pub const MAX_TILES: usize = 1000;

/// Number of intervals between the candidate moments, of which the most characteristic one is chosen.
const CANDIDATES: u32 = 24;
/// Size of the part of the model that one node or morph target moves, as a fraction of the model's size. It is an estimate that makes
/// rotations and weights comparable with distances.
const PART_SIZE: f64 = 0.1;

/// The user's options for contact sheets, remembered between runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SheetOptions {
    pub content: SheetContent,
    /// Number of phases of an animation.
    pub phases: usize,
    /// Width in pixels. 0 stands for the width of the viewport.
    pub width: u32,
    /// Height in pixels. 0 stands for the height of the viewport.
    pub height: u32,
    /// Whether the background is transparent.
    pub transparent: bool,
    /// Whether overlays appear as in the view.
    pub overlays: bool,
}

impl Default for SheetOptions {
    fn default() -> Self {
        Self { content: SheetContent::Animations, phases: DEFAULT_PHASES, width: 1920, height: 1080, transparent: false, overlays: true }
    }
}

/// The content of the tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SheetContent {
    /// Each animation of the file.
    #[default]
    Animations,
    /// Phases of the animation that plays.
    Phases,
}

impl SheetOptions {
    /// The content of the tiles for a view. Without an animation there are no phases.
    pub fn content(&self, model: &Model, view: &View) -> SheetContent {
        let plays = model.existing_animation(view.animation).is_some();
        if plays { self.content } else { SheetContent::Animations }
    }

    /// Number of tiles.
    pub fn tile_count(&self, model: &Model, view: &View) -> usize {
        match self.content(model, view) {
            SheetContent::Animations => animation_count(model).min(MAX_TILES),
            SheetContent::Phases => self.phases.clamp(PHASE_LIMITS[0], PHASE_LIMITS[1]),
        }
    }

    /// The tiles. `None` if `keep_going` has returned false.
    pub fn tiles(&self, document: &Document, view: &View, keep_going: &dyn Fn() -> bool) -> Option<Vec<Tile>> {
        let count = self.tile_count(&document.model, view);
        match self.content(&document.model, view) {
            SheetContent::Animations => animation_tiles(document, view, count, keep_going),
            SheetContent::Phases => Some(phase_tiles(document, view, count)),
        }
    }
}

/// Columns and rows of a sheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grid {
    pub columns: u32,
    pub rows: u32,
}

impl Grid {
    /// The grid that has room for `count` square tiles and makes them as large as possible. The size of the sheet is in pixels.
    pub fn fitting(count: usize, [width, height]: [u32; 2]) -> Self {
        let count = u32::try_from(count.max(1)).unwrap_or(u32::MAX).min(width.max(1));
        let grids = (1..=count).map(|columns| Self { columns, rows: count.div_ceil(columns) });
        let side = |grid: &Self| (width / grid.columns).min(height / grid.rows);
        // Among grids with equally large tiles, the one with the fewest empty cells is chosen.
        grids.max_by_key(|grid| (side(grid), u32::MAX - (grid.columns * grid.rows - count))).unwrap_or(Self { columns: 1, rows: 1 })
    }

    /// Number of tiles that fit.
    pub fn tiles(self) -> usize {
        self.columns as usize * self.rows as usize
    }

    /// Width and height of a tile in a sheet of this size, in pixels.
    pub fn tile_size(self, [width, height]: [u32; 2]) -> [u32; 2] {
        [width / self.columns.max(1), height / self.rows.max(1)]
    }
}

/// A view of a document at a moment, and its title.
#[derive(Debug, Clone)]
pub struct Tile {
    pub view: View,
    pub moment: Moment,
    pub title: String,
}

/// Number of animations, or 1 for the rest pose of a file without animations.
pub fn animation_count(model: &Model) -> usize {
    model.animations.len().max(1)
}

/// One tile per animation, up to `max_count`, each at the most characteristic moment and with name and length as its title. If there are no
/// animations, a single tile shows the rest pose. Poses each animation many times, so it returns `None` once `keep_going` returns false.
pub fn animation_tiles(document: &Document, view: &View, max_count: usize, keep_going: &dyn Fn() -> bool) -> Option<Vec<Tile>> {
    let animations = &document.model.animations;
    if animations.is_empty() {
        return Some(vec![Tile { view: view.clone(), moment: Moment::from(0.0), title: "Rest pose".to_owned() }]);
    }
    let tiles = animations.iter().enumerate().take(max_count).map(|(index, animation)| {
        let mut view = view.clone();
        view.choose_animation(Some(index));
        let title = format!("{}, {:.2} s", document.names.animation(index), animation.duration);
        keep_going().then(|| Tile { moment: characteristic_moment(document, &view, animation.duration), view, title })
    });
    tiles.collect()
}

/// Evenly spaced phases of the view's range, with their times. The end of a loop is left out, because it repeats the start.
pub fn phase_tiles(document: &Document, view: &View, count: usize) -> Vec<Tile> {
    let [start, end] = playback_range::range(&document.model, view);
    let intervals = if view.repeat == Repeat::Loop { count } else { count.saturating_sub(1).max(1) };
    let times = (0..count).map(|phase| playback::frame_time(start + (end - start) * phase as f64 / intervals as f64).min(end));
    times.map(|time| Tile { view: view.clone(), moment: Moment::from(time), title: format!("{time:.2} s") }).collect()
}

/// The moment at which the pose differs most from the start of the animation. The position of the model does not count.
fn characteristic_moment(document: &Document, view: &View, duration: f64) -> Moment {
    let mut posed = document.rig().posed();
    let part_size = PART_SIZE * root_motion::size(&document.model, &posed.compiled);
    let mut measures = |time: f64| {
        pose::pose(&document.model, view, time, Roots::default(), &mut posed);
        measures(&posed, part_size)
    };
    let first = measures(0.0);
    let mut distance = |time: f64| measures(time).iter().zip(&first).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
    let times = (0..=CANDIDATES).map(|i| playback::frame_time(duration * f64::from(i) / f64::from(CANDIDATES)).min(duration));
    let farthest = times.map(|time| (distance(time), time)).filter(|(distance, _)| distance.is_finite());
    // Among moments of equal distance, the earliest one is chosen.
    Moment::from(farthest.fold((0.0, 0.0), |best, next| if next.0 > best.0 { next } else { best }).1)
}

/// The pose as lengths: the positions of all nodes relative to their mean, and rotations, scales and morph weights by how far they move the
/// vertices of a part of this size.
fn measures(posed: &Posed, part_size: f64) -> Vec<f64> {
    let globals = &posed.globals;
    let mean = globals.iter().map(|global| global.translation).sum::<DVec3>() / globals.len().max(1) as f64;
    let of_nodes = globals.iter().flat_map(|global| {
        let axes = global.matrix3 * part_size;
        [global.translation - mean, axes.x_axis, axes.y_axis, axes.z_axis].into_iter().flat_map(|vector| vector.to_array())
    });
    let weights = posed.pose.weights.iter().map(|weight| f64::from(*weight) * part_size);
    of_nodes.chain(weights).collect()
}

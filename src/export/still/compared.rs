//! Holds the comparison that stills show, and places two stills side by side.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use image::{Rgba, RgbaImage, imageops};

use crate::colors::Colors;
use crate::compare::counterpart::{self, CompareView, Pair};
use crate::compare::time_map::{TimeMap, Timing};
use crate::compare::{Choices, Comparison, compare, pairing, text};
use crate::export::error::ExportError;
use crate::export::picture::compared::Compared;
use crate::model::Model;
use crate::session::analyses::{Analyses, Subject};
use crate::session::contact_sheet::Tile;
use crate::session::document::Document;
use crate::session::view::View;
use crate::units::Units;

use super::allocation::empty_picture;

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

//! A layer: another animation that plays over the view's own, with its own time, weight and joints.

use serde::{Deserialize, Serialize};

use super::{Repeat, playback_range};
use crate::animation::playback;
use crate::model::Model;

/// Nodes and animations by the file's own indices.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Layer {
    pub animation: usize,
    pub mode: Mode,
    /// Additive: the time of the layer's own animation that adds nothing; none: the rest pose adds nothing.
    pub reference: Option<f64>,
    /// 0: nothing of it, 1: all of it.
    pub weight: f64,
    /// Times the view's own; negative: backwards.
    pub speed: f64,
    /// Seconds of its range that have passed when the clock says 0.
    pub offset: f64,
    pub repeat: Repeat,
    /// In and out point, seconds on the animation's own time; none: all of it.
    pub range: Option<[f64; 2]>,
    /// The nodes that it moves, each with all below it; none: every node.
    pub mask: Option<Vec<usize>>,
    /// Left out for now.
    pub muted: bool,
}

impl Default for Layer {
    fn default() -> Self {
        Self {
            animation: 0,
            mode: Mode::Override,
            reference: None,
            weight: 1.0,
            speed: 1.0,
            offset: 0.0,
            repeat: Repeat::Loop,
            range: None,
            mask: None,
            muted: false,
        }
    }
}

/// What a layer does to what lies below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// Takes its place.
    #[default]
    Override,
    /// Is added to it, as a difference from the reference.
    Additive,
}

impl Layer {
    /// The weight that counts: from 0 to 1, and 0 while it is muted.
    pub fn effective_weight(&self) -> f64 {
        if self.muted || self.weight.is_nan() { 0.0 } else { self.weight.clamp(0.0, 1.0) }
    }

    /// In and out point within an animation of this duration.
    pub fn range_within(&self, duration: f64) -> [f64; 2] {
        playback_range::range_within(self.range, duration)
    }

    /// Where it stands in its animation when the clock says `clock`.
    pub fn time(&self, duration: f64, clock: f64) -> f64 {
        playback::at_clock(clock, self.speed, self.offset, playback_range::at_end(self.repeat), self.range_within(duration))
    }

    /// Whether it looks different at another time.
    pub fn moves(&self, model: &Model) -> bool {
        let Some(animation) = model.animations.get(self.animation) else { return false };
        let [start, end] = self.range_within(animation.duration);
        self.effective_weight() > 0.0 && self.speed != 0.0 && end > start
    }

    /// By node, in the model's order: whether the mask lets the layer move it.
    pub fn included(&self, model: &Model) -> Vec<bool> {
        let Some(mask) = &self.mask else { return vec![true; model.nodes.len()] };
        let mut included = vec![false; model.nodes.len()];
        for node in mask.iter().filter_map(|&source| model.node_from_source(source)) {
            included[model.hierarchy.subtree(node)].fill(true);
        }
        included
    }
}

/// The layers that change anything, in their order, with the number of each.
pub fn active<'a>(layers: &'a [Layer], model: &Model) -> impl Iterator<Item = (usize, &'a Layer)> {
    let animations = model.animations.len();
    layers.iter().enumerate().filter(move |(_, layer)| layer.animation < animations && layer.effective_weight() > 0.0)
}

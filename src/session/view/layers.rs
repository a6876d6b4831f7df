//! Layers are additional animations that are mixed over the view's animation. Each has its own time, weight and joints.

use std::fmt::{self, Formatter};

use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::animation::playback;
use crate::model::Model;
use crate::numbers;

use super::Repeat;

/// Maximum number of layers of a view file, far more than anyone adds by hand. A layer is much larger than its text, which can be as short
/// as two characters.
const MAX_SAVED_LAYERS: usize = 10_000;

/// One layer. Nodes and animations are indices of the file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Layer {
    /// The animation that the layer plays.
    pub animation: usize,
    /// How the layer combines with the layers below it.
    pub mode: Mode,
    /// For additive layers: the time of the reference pose in the layer's animation, in seconds. If `None`, the rest pose is the
    /// reference pose. The layer adds its difference from the reference pose.
    pub reference: Option<f64>,
    /// Weight, from 0 (no effect) to 1 (full effect).
    pub weight: f64,
    /// Speed as a multiple of the view's speed; a negative speed plays backward.
    pub speed: f64,
    /// Seconds that are added to the layer's time. Without an offset, the layer is at the start of its range when the clock is at 0, or at
    /// the end if its speed is negative.
    pub offset: f64,
    /// What playback does at the end of the layer's range.
    pub repeat: Repeat,
    /// The in and out point in the layer's animation, in seconds; the whole animation if `None`.
    pub range: Option<[f64; 2]>,
    /// The nodes that the layer moves, each with its whole subtree; every node if `None`.
    pub mask: Option<Vec<usize>>,
    /// Whether the layer is switched off.
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

/// Reads the layers of a view file. Errors if there are more than [`MAX_SAVED_LAYERS`].
pub fn saved<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Layer>, D::Error> {
    struct Layers;

    impl<'de> Visitor<'de> for Layers {
        type Value = Vec<Layer>;

        fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
            f.write_str("a sequence")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Vec<Layer>, A::Error> {
            let mut layers = Vec::new();
            while let Some(layer) = elements.next_element()? {
                if layers.len() == MAX_SAVED_LAYERS {
                    return Err(A::Error::custom(format_args!("more than {} layers", numbers::grouped(MAX_SAVED_LAYERS))));
                }
                layers.push(layer);
            }
            Ok(layers)
        }
    }

    deserializer.deserialize_seq(Layers)
}

/// How a layer combines with the layers below it. The lowest layer combines with the view's animation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// The layer's values replace the values below, in proportion to its weight.
    #[default]
    Override,
    /// The layer's difference from its reference pose is added to the values below.
    Additive,
}

impl Layer {
    /// The weight in effect, from 0 to 1; 0 while the layer is muted.
    pub fn effective_weight(&self) -> f64 {
        if self.muted || self.weight.is_nan() { 0.0 } else { self.weight.clamp(0.0, 1.0) }
    }

    /// The in and out point within an animation of this duration, in seconds.
    pub fn range_within(&self, duration: f64) -> [f64; 2] {
        playback::range_within(self.range, duration)
    }

    /// The time in the layer's animation when the clock is at `clock`. All times are in seconds.
    pub fn time(&self, duration: f64, clock: f64) -> f64 {
        playback::at_clock(clock, self.speed, self.offset, self.repeat.at_end(), self.range_within(duration))
    }

    /// Returns whether the layer changes the picture during playback.
    pub fn moves(&self, model: &Model) -> bool {
        let Some(animation) = model.animations.get(self.animation) else { return false };
        let [start, end] = self.range_within(animation.duration);
        self.effective_weight() > 0.0 && self.speed != 0.0 && end > start
    }

    /// Returns for each node whether the mask includes it, in model order.
    pub fn included(&self, model: &Model) -> Vec<bool> {
        let Some(mask) = &self.mask else { return vec![true; model.nodes.len()] };
        model.hierarchy.in_subtrees(mask.iter().filter_map(|&source| model.node_from_source(source)))
    }
}

/// The layers that have an effect, in the order of mixing, each with its index in `layers`.
pub fn active<'a>(layers: &'a [Layer], model: &Model) -> impl Iterator<Item = (usize, &'a Layer)> {
    let animations = model.animations.len();
    layers.iter().enumerate().filter(move |(_, layer)| layer.animation < animations && layer.effective_weight() > 0.0)
}

//! Derives the view and the moment of B from the view and the moment of A: the same choices for the paired nodes, at the matching time.

use serde::{Deserialize, Serialize};

use crate::model::Model;
use crate::session::time::moment::Moment;
use crate::session::view::display::Display;
use crate::session::view::layers::Layer;
use crate::session::view::{View, ViewCamera};

use super::node_pairs::NodePairs;
use super::pairing;
use super::time_map::TimeMap;

/// The arrangement of two models in a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum CompareView {
    /// A on the left and B on the right, drawn with the same camera.
    #[default]
    Side,
    /// B as a tinted ghost over A.
    Overlay,
    /// A, colored by the distance to B.
    Difference,
}

impl CompareView {
    /// The width of one model's picture, in pixels. `width` is the width of the whole picture.
    pub fn part_width(self, width: u32) -> u32 {
        if self == Self::Side { (width / 2).max(1) } else { width }
    }
}

/// The models of a comparison and their paired nodes.
#[derive(Debug, Clone, Copy)]
pub struct Pair<'a> {
    pub a: &'a Model,
    pub b: &'a Model,
    pub node_pairs: &'a NodePairs,
}

/// The view of B that matches the `view` of A. `animation` is the compared animation of B. Choices for parts that B does not have are left
/// out, and so are the range, the playlist, the followed node and the camera. A material variant matches the one of the same name.
pub fn view(view: &View, pair: Pair, animation: Option<usize>) -> View {
    let Pair { a, b, node_pairs } = pair;
    // Views identify nodes by their index in the file.
    let node = |source: usize| {
        let other = node_pairs.to_b.get(a.node_from_source(source)?.index()).copied().flatten()?;
        Some(b.node(other).source)
    };
    let layer = |layer: &Layer| {
        let mut layer = layer.clone();
        layer.animation = pairing::animation(a, b, layer.animation)?;
        layer.mask = layer.mask.map(|mask| mask.iter().filter_map(|&source| node(source)).collect());
        Some(layer)
    };
    // All fields are named, so that no index of A remains.
    View {
        scene: view.scene.filter(|&scene| scene < b.scenes.len()),
        animation: view.animation.and(animation),
        range: None,
        repeat: view.repeat,
        speed: view.speed,
        rate: view.rate,
        playlist: Vec::new(),
        layers: view.layers.iter().filter_map(layer).collect(),
        cross_fade: view.cross_fade,
        switches: view.switches.iter().filter_map(|(&source, switch)| Some((node(source)?, *switch))).collect(),
        bind_pose: view.bind_pose,
        morphs: view.morphs.iter().filter_map(|(&source, targets)| Some((node(source)?, targets.clone()))).collect(),
        selection: view.selection.iter().filter_map(|&source| node(source)).collect(),
        camera: ViewCamera::Fit,
        follow: None,
        in_place: view.in_place,
        retarget: view.retarget.clone(),
        display: Display { variant: view.display.variant.and_then(|variant| pairing::variant(a, b, variant)), ..view.display.clone() },
    }
}

/// The playback range of B that matches the range of A's view, in seconds.
pub fn range(range: Option<[f64; 2]>, map: &TimeMap) -> Option<[f64; 2]> {
    range.map(|range| range.map(|time| map.to_b(time)))
}

/// The moment of B that matches a moment of A. B does not take part in a cross-fade.
pub fn moment(moment: &Moment, map: &TimeMap) -> Moment {
    Moment { time: map.pose_time_of_b(moment.time), clock: map.pose_time_of_b(moment.clock), fade: None, ..*moment }
}

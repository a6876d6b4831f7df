//! Computes what a view plays: its range, duration and frame rate.

use crate::animation::playback;
use crate::model::Model;
use crate::model::animation::{Rate, RateSource};

use super::layers::{self, Layer};
use super::{Repeat, View};

/// Duration of the chosen animation, in seconds; 0 for the rest pose.
pub fn duration(model: &Model, view: &View) -> f64 {
    model.animation_duration(view.animation)
}

/// The played duration in seconds: the duration of the animation, or of the longest layer if the view shows the rest pose.
pub fn played_duration(model: &Model, view: &View) -> f64 {
    match model.existing_animation(view.animation) {
        Some(_) => duration(model, view),
        None => longest_layer(model, view),
    }
}

/// Seconds that one run of the longest layer takes; 0 if no layer moves.
pub fn longest_layer(model: &Model, view: &View) -> f64 {
    let durations = layers::active(&view.layers, model).map(|(_, layer)| layer_duration(model, layer));
    durations.filter(|duration| duration.is_finite()).fold(0.0, f64::max)
}

/// When a layer that plays once starts and ends, in seconds of the layers' clock. `None` if the layer repeats or has speed 0.
pub fn only_run(model: &Model, layer: &Layer) -> Option<[f64; 2]> {
    let start = -layer.offset / layer.speed;
    let run = [start, start + layer_duration(model, layer)];
    (layer.repeat == Repeat::Once && run.iter().all(|time| time.is_finite())).then_some(run)
}

/// Seconds that one run of a layer takes; a ping-pong run goes forward and back. Infinite at speed 0.
pub fn layer_duration(model: &Model, layer: &Layer) -> f64 {
    let [start, end] = layer.range_within(model.animations[layer.animation].duration);
    let runs = if layer.repeat == Repeat::PingPong { 2.0 } else { 1.0 };
    runs * (end - start) / layer.speed.abs()
}

/// The in and out point within the chosen animation, in seconds.
pub fn range(model: &Model, view: &View) -> [f64; 2] {
    playback::range_within(view.range, duration(model, view))
}

/// The view without ranges that start after the end of their animations, as they may after a reload. Such ranges have no effect, and
/// `--state` refuses them.
pub fn without_lost_ranges(model: &Model, mut view: View) -> View {
    let is_lost = |range: Option<[f64; 2]>, duration: f64| range.is_some_and(|[start, _]| start > duration);
    if model.existing_animation(view.animation).is_some() && is_lost(view.range, duration(model, &view)) {
        view.range = None;
    }
    for layer in &mut view.layers {
        if is_lost(layer.range, model.animation_duration(Some(layer.animation))) {
            layer.range = None;
        }
    }
    view
}

/// The playback range in seconds if `time` lies in it; otherwise the whole played duration.
pub fn range_around(model: &Model, view: &View, time: f64) -> [f64; 2] {
    let [start, end] = range(model, view);
    if end > start && (start..=end).contains(&time) { [start, end] } else { [0.0, played_duration(model, view)] }
}

/// Returns whether playing the view changes the picture.
pub fn moves(model: &Model, view: &View) -> bool {
    !view.bind_pose && (duration(model, view) > 0.0 || layers_move(model, view))
}

/// Returns whether any layer changes the picture during playback.
pub fn layers_move(model: &Model, view: &View) -> bool {
    view.layers.iter().any(|layer| layer.moves(model))
}

/// The frame rate that the user chose, if any. Otherwise [`crate::session::document::Document::rate`] infers it from the keys.
pub fn chosen_rate(view: &View) -> Option<Rate> {
    view.rate.filter(|&fps| fps > 0.0).map(|fps| Rate { fps, source: RateSource::Chosen })
}

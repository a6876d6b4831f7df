//! The mixer at work: what a view's layers and a cross-fade make of the pose of its animation. Without them it does nothing.

use crate::animation::compiled::model::CompiledModel;
use crate::animation::compiled::sample::Sampler;
use crate::animation::hierarchy::pose::Pose;
use crate::animation::mixer::{self, LayerPose};
use crate::model::Model;
use crate::session::time::transport::{Fade, Moment};
use crate::session::view::View;
use crate::session::view::layers::{self, Layer, Mode};

/// Room for poses to be mixed, made when first needed. Nothing in it is state.
#[derive(Debug, Clone, Default)]
pub struct Mixing {
    fade: Option<(Pose, Sampler)>,
    layers: Vec<LayerScratch>,
}

#[derive(Debug, Clone)]
struct LayerScratch {
    /// Of which layer; its weight and time do not count.
    made_for: Layer,
    sampled: LayerPose,
    sampler: Sampler,
}

impl Mixing {
    /// After other nodes are animated: what was worked out from them is no longer so.
    pub fn forget(&mut self) {
        self.layers.clear();
    }
}

/// `pose` holds the view's own animation at `moment`; afterwards what is shown. Tells whether anything was mixed. Nodes that are
/// not `animated` stay at rest.
pub fn mix(
    prepared: &CompiledModel,
    model: &Model,
    view: &View,
    moment: &Moment,
    animated: &[bool],
    mixing: &mut Mixing,
    pose: &mut Pose,
) -> bool {
    let fade = moment.fade.filter(|fade| fade.weight() < 1.0);
    if let Some(fade) = fade {
        fade_in(prepared, model, &fade, animated, mixing, pose);
    }
    let mut used = 0;
    for (_, layer) in layers::active(&view.layers, model) {
        let Some(animation) = model.animations.get(layer.animation) else { continue };
        if !mixing.layers.get(used).is_some_and(|room| same_room(&room.made_for, layer)) {
            mixing.layers.truncate(used);
            mixing.layers.push(room(prepared, model, layer, animated));
        }
        let LayerScratch { sampled, sampler, .. } = &mut mixing.layers[used];
        used += 1;
        sampler.sample(prepared, model, Some(layer.animation), layer.time(animation.duration, moment.clock), &mut sampled.pose);
        let weight = layer.effective_weight() as f32;
        match layer.mode {
            Mode::Override => mixer::override_by(model, sampled, weight, pose),
            Mode::Additive => mixer::add(model, sampled, weight, pose),
        }
    }
    mixing.layers.truncate(used);
    used > 0 || fade.is_some()
}

fn fade_in(prepared: &CompiledModel, model: &Model, fade: &Fade, animated: &[bool], mixing: &mut Mixing, pose: &mut Pose) {
    let (from, sampler) = mixing.fade.get_or_insert_with(|| (Pose::rest(model), Sampler::default()));
    let animation = fade.from.filter(|&animation| animation < model.animations.len());
    sampler.sample(prepared, model, animation, fade.head.time, from);
    let held: Vec<usize> = (0..animated.len()).filter(|&node| !animated[node]).collect();
    from.hold(model, &held);
    mixer::cross_fade(model, from, fade.weight() as f32, pose);
}

/// Whether all that a room was made of is the same for both.
fn same_room(a: &Layer, b: &Layer) -> bool {
    a.animation == b.animation && a.mode == b.mode && a.reference == b.reference && a.mask == b.mask
}

fn room(prepared: &CompiledModel, model: &Model, layer: &Layer, animated: &[bool]) -> LayerScratch {
    let included: Vec<bool> = layer.included(model).iter().zip(animated).map(|(&inside, &animated)| inside && animated).collect();
    let mut sampled = LayerPose { targets: Vec::new(), pose: Pose::rest(model), reference: Pose::rest(model) };
    if let Some(animation) = model.animations.get(layer.animation) {
        sampled.targets = mixer::targets(model, animation, &included);
        if let Some(time) = layer.reference {
            Sampler::default().sample(prepared, model, Some(layer.animation), time, &mut sampled.reference);
        }
    }
    LayerScratch { made_for: layer.clone(), sampled, sampler: Sampler::default() }
}

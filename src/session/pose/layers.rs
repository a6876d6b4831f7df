//! Mixes layers and a cross-fade into the pose of a view's animation.
//!
//! The order is: the view's animation, then the animations that a cross-fade comes from, then the layers from the bottom to the top.

use crate::animation::compiled::model::CompiledModel;
use crate::animation::compiled::sample::Sampler;
use crate::animation::hierarchy::pose::Pose;
use crate::animation::keys::pointer_targets;
use crate::animation::mixer::{self, LayerPose};
use crate::animation::playback::frame_time;
use crate::model::Model;
use crate::session::time::moment::{Fade, Moment};
use crate::session::view::View;
use crate::session::view::layers::{self, Layer, Mode};

/// Buffers for the poses that are mixed in, allocated on first use.
#[derive(Debug, Clone, Default)]
pub struct MixBuffers {
    /// Pose and sampler of an animation that a cross-fade comes from.
    fade: Option<(Pose, Sampler)>,
    /// Buffers of the active layers, in the order of mixing.
    layers: Vec<LayerScratch>,
}

/// The buffers of one layer.
#[derive(Debug, Clone)]
struct LayerScratch {
    /// The layer that the buffers were made for. They depend on its animation, mode, reference and mask only.
    cache_key: Layer,
    /// The layer's pose, its reference, and the properties that it drives.
    sampled: LayerPose,
    sampler: Sampler,
}

impl MixBuffers {
    /// Drops all buffers. Call it when the set of animated nodes changes: the buffers hold nodes at rest that may be animated now.
    pub fn forget(&mut self) {
        self.fade = None;
        self.layers.clear();
    }
}

/// The model to mix poses for.
#[derive(Clone, Copy)]
pub struct MixTarget<'a> {
    /// The compiled form of `model`.
    pub compiled: &'a CompiledModel,
    pub model: &'a Model,
    /// Whether each node is animated, in model order. The others stay at rest.
    pub animated: &'a [bool],
}

/// Mixes cross-fade and layers into `pose`, which holds the view's own animation at `moment`. Returns whether anything was mixed in.
pub fn mix(target: MixTarget, view: &View, moment: &Moment, buffers: &mut MixBuffers, pose: &mut Pose) -> bool {
    let MixTarget { compiled, model, .. } = target;
    let fade = moment.fade.filter(|fade| fade.weight() < 1.0);
    if let Some(fade) = fade {
        fade_in(target, &fade, buffers, pose);
    }
    let mut used = 0;
    for (_, layer) in layers::active(&view.layers, model) {
        let Some(animation) = model.animations.get(layer.animation) else { continue };
        // Layers below an inserted or removed one keep their buffers; the others are rebuilt.
        if !buffers.layers.get(used).is_some_and(|scratch| can_share_buffers(&scratch.cache_key, layer)) {
            buffers.layers.truncate(used);
            buffers.layers.push(scratch(target, layer));
        }
        let LayerScratch { sampled, sampler, .. } = &mut buffers.layers[used];
        used += 1;
        let time = layer.time(animation.duration, moment.clock);
        let time = if moment.is_frame && layer.speed != 0.0 { frame_time(time) } else { time };
        sampler.sample(compiled, model, Some(layer.animation), time, &mut sampled.pose);
        let weight = layer.effective_weight() as f32;
        match layer.mode {
            Mode::Override => mixer::override_by(model, sampled, weight, pose),
            Mode::Additive => mixer::add(model, sampled, weight, pose),
        }
    }
    buffers.layers.truncate(used);
    used > 0 || fade.is_some()
}

/// Mixes the animations that a cross-fade comes from into the pose.
fn fade_in(MixTarget { compiled, model, animated }: MixTarget, fade: &Fade, buffers: &mut MixBuffers, pose: &mut Pose) {
    let (from, sampler) = buffers.fade.get_or_insert_with(|| (Pose::rest(model), Sampler::default()));
    // Nodes whose animation is switched off are at rest in all poses, so the fade does not move them.
    let unanimated: Vec<usize> = (0..animated.len()).filter(|&node| !animated[node]).collect();
    // The weight of everything that `pose` consists of so far.
    let mut mixed = fade.weight();
    for source in fade.sources() {
        let animation = model.existing_animation(source.animation);
        sampler.sample(compiled, model, animation, source.head.time, from);
        from.reset_nodes(model, &unanimated);
        let weight = mixed;
        mixed += source.share * (1.0 - fade.weight());
        mixer::cross_fade(model, from, (weight / mixed) as f32, pose);
    }
}

/// Returns whether buffers made for one layer can be used for the other.
fn can_share_buffers(a: &Layer, b: &Layer) -> bool {
    a.animation == b.animation && a.mode == b.mode && a.reference == b.reference && a.mask == b.mask
}

/// New buffers for a layer.
fn scratch(MixTarget { compiled, model, animated }: MixTarget, layer: &Layer) -> LayerScratch {
    let included: Vec<bool> = layer.included(model).iter().zip(animated).map(|(&inside, &animated)| inside && animated).collect();
    let mut sampled = LayerPose { pose: Pose::rest(model), reference: Pose::rest(model), ..LayerPose::default() };
    if let Some(animation) = model.animations.get(layer.animation) {
        sampled.targets = mixer::targets(model, animation, &included);
        let own_weights = pointer_targets::own_weight_nodes(model, animation.channels.iter().map(|channel| channel.target));
        let excluded = model.node_indices().filter(|node| !included[node.index()]);
        sampled.without_mesh_weights = own_weights.into_iter().chain(excluded).collect();
        sampled.without_mesh_weights.sort_unstable();
        if let Some(time) = layer.reference {
            Sampler::default().sample(compiled, model, Some(layer.animation), time, &mut sampled.reference);
        }
    }
    LayerScratch { cache_key: layer.clone(), sampled, sampler: Sampler::default() }
}

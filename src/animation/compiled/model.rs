//! The data that posing needs besides the model: the schedule of its nodes and its compiled animations.
//!
//! It is computed once per model and does not change afterwards. Animations are compiled when first used.

use std::sync::OnceLock;

use glam::{DAffine3, Vec3A};

use crate::animation::compiled::{AnimationLayout, CompiledAnimation, build, coefficients};
use crate::animation::hierarchy::far_nodes::FarNodes;
use crate::animation::hierarchy::pose;
use crate::animation::hierarchy::schedule::Schedule;
use crate::animation::keys::pointer_targets;
use crate::animation::simd::InstructionSet;
use crate::model::Model;
use crate::model::animation::{Animation, Target};

/// All compiled animations of a file together may take this multiple of the file's size, within [`COMPILED_BYTES`].
const COMPILED_PER_FILE_BYTE: u64 = 2;
/// Minimum and maximum of the limit on all compiled animations of a file together, in bytes, whatever the file's size.
const COMPILED_BYTES: [u64; 2] = [64 << 20, 256 << 20];

/// A model prepared for posing.
///
/// # Example
///
/// ```
/// use sinew::animation::compiled::{model::CompiledModel, sample::Sampler};
/// use sinew::animation::hierarchy::pose::Pose;
/// use sinew::model::animation::{Animation, Channel, Interpolation, Target};
/// use sinew::model::{Model, hierarchy::{Hierarchy, Trs}, node::{Node, NodeIndex}};
///
/// // One node that moves 1 m along X within 2 s.
/// let target = Target::Translation(NodeIndex(0));
/// let output = vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0];
/// let channel = Channel { source: 0, target, key_times: 0, interpolation: Interpolation::Linear, output, components: 3 };
/// let model = Model {
///     hierarchy: Hierarchy { parents: vec![None], subtree_ends: vec![1], rest: vec![Trs::IDENTITY], fixed_local: vec![None] },
///     nodes: vec![Node::default()],
///     animations: vec![Animation { name: None, duration: 2.0, key_times: vec![vec![0.0, 2.0]], channels: vec![channel] }],
///     ..Model::default()
/// };
/// let compiled = CompiledModel::new(&model);
/// let mut pose = Pose::rest(&model);
/// Sampler::default().sample(&compiled, &model, Some(0), 1.0, &mut pose);
/// assert_eq!(pose.locals[0].translation.x, 0.5);
/// ```
#[derive(Debug)]
pub struct CompiledModel {
    /// The processor instructions that the kernels use.
    pub instructions: InstructionSet,
    /// The order in which global matrices are computed.
    pub schedule: Schedule,
    /// The nodes that are posed in f64 because they are far from the origin.
    pub far_nodes: FarNodes,
    /// Global transforms of the rest pose, one per node, in model order.
    pub rest_globals: Vec<DAffine3>,
    /// The form of each animation, by index.
    layouts: Vec<AnimationLayout>,
    /// The compiled animations, by index. Each is empty until it is first used.
    animations: Vec<OnceLock<CompiledAnimation>>,
}

/// An animation of a model, together with the data that is compiled for it. The data is borrowed, so copies are cheap.
#[derive(Clone, Copy)]
pub struct AnimationContext<'a> {
    /// The instructions of the compiled model.
    pub instructions: InstructionSet,
    pub model: &'a Model,
    /// The schedule of the model's nodes.
    pub schedule: &'a Schedule,
    /// The animation with the keys of the file.
    pub animation: &'a Animation,
    /// The same animation compiled.
    pub compiled: &'a CompiledAnimation,
}

impl CompiledModel {
    /// Prepares `model` with the fastest instructions of this machine.
    pub fn new(model: &Model) -> Self {
        Self::with_instructions(model, InstructionSet::best())
    }

    /// Leaves all animations uncompiled, which is faster if only a few poses are needed.
    pub fn uncompiled(model: &Model) -> Self {
        Self { layouts: vec![AnimationLayout::Keys; model.animations.len()], ..Self::new(model) }
    }

    /// Prepares `model` with the given instructions, for tests and benchmarks.
    pub fn with_instructions(model: &Model, instructions: InstructionSet) -> Self {
        let mut rest_globals = vec![DAffine3::IDENTITY; model.nodes.len()];
        pose::global_transforms(&model.hierarchy, &model.hierarchy.rest, &[], &mut rest_globals);
        // The anchor is the node `center` or its nearest far ancestor, so `center` should be near the middle of the drawn model.
        let first_joint = model.skins.iter().find_map(|skin| skin.joints.first()).map(|joint| joint.index());
        let center = first_joint.or_else(|| model.nodes.iter().position(|node| node.mesh.is_some())).unwrap_or(0);
        let far_nodes = FarNodes::new(model, &rest_globals, center);
        Self {
            instructions,
            schedule: Schedule::new(model, &far_nodes.nodes, &unscaled_nodes(model)),
            far_nodes,
            rest_globals,
            layouts: layouts(model),
            animations: model.animations.iter().map(|_| OnceLock::new()).collect(),
        }
    }

    /// Returns a compiled animation, and compiles it on the first call.
    ///
    /// # Panics
    ///
    /// Panics if the model has no animation of that index.
    pub fn animation(&self, model: &Model, animation: usize) -> &CompiledAnimation {
        self.animations[animation].get_or_init(|| {
            let source = &model.animations[animation];
            let mut compiled = match self.layouts[animation] {
                AnimationLayout::Compiled => build::build(source, |target| first_weight(model, target)),
                AnimationLayout::Keys => CompiledAnimation::uncompiled(source),
                AnimationLayout::KeyedRotations => CompiledAnimation::with_keyed_rotations(source),
            };
            compiled.far = self.far_nodes.channels(source);
            compiled.own_weights = pointer_targets::own_weight_nodes(model, source.channels.iter().map(|channel| channel.target));
            compiled
        })
    }

    /// Returns an animation with all data that sampling and posing it needs. `model` must be the model that `self` was made from.
    ///
    /// # Panics
    ///
    /// Panics if the model has no animation of that index.
    pub fn context<'a>(&'a self, model: &'a Model, animation: usize) -> AnimationContext<'a> {
        AnimationContext {
            instructions: self.instructions,
            model,
            schedule: &self.schedule,
            animation: &model.animations[animation],
            compiled: self.animation(model, animation),
        }
    }

    /// Returns the form in which an animation is stored, or will be when it is first used.
    pub fn layout(&self, animation: usize) -> AnimationLayout {
        self.layouts[animation]
    }
}

/// Index of the first morph weight of the target's node.
fn first_weight(model: &Model, target: Target) -> u32 {
    target.node().map_or(0, |node| model.node(node).weights.start as u32)
}

/// Chooses which animations to compile: in file order, each animation that still fits into the memory limit.
fn layouts(model: &Model) -> Vec<AnimationLayout> {
    let [min, max] = COMPILED_BYTES;
    let mut remaining = model.asset.bytes.saturating_mul(COMPILED_PER_FILE_BYTE).clamp(min, max) as usize;
    let layout = |animation| match remaining.checked_sub(build::max_bytes(animation)) {
        Some(left) => {
            remaining = left;
            AnimationLayout::Compiled
        }
        None => AnimationLayout::KeyedRotations,
    };
    model.animations.iter().map(layout).collect()
}

/// Returns for each node whether its scale is 1 at rest and in every animation, in model order.
fn unscaled_nodes(model: &Model) -> Vec<bool> {
    let mut unscaled: Vec<bool> = model.hierarchy.rest.iter().map(|rest| rest.scale == Vec3A::ONE).collect();
    for channel in model.animations.iter().flat_map(|animation| &animation.channels) {
        if let Target::Scale(node) = channel.target {
            unscaled[node.index()] &= coefficients::constant(channel).is_some_and(|value| value == [1.0; 3]);
        }
    }
    unscaled
}

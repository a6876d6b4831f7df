//! What posing needs of a model and that never changes, worked out once: the order of its nodes, and its animations compiled,
//! each when it is first asked for. Shared by everybody who poses the model.

use std::sync::OnceLock;

use glam::DAffine3;

use crate::animation::compiled::{self, Layout, Rows, build};
use crate::animation::hierarchy::far_nodes::{self, Trunk};
use crate::animation::hierarchy::pose;
use crate::animation::hierarchy::schedule::{self, Order};
use crate::animation::simd::Kernel;
use crate::model::Model;
use crate::model::animation::Target;

/// All compiled animations of a file together take no more than their keys and so many bytes.
const MOST_BYTES: usize = 64 << 20;

#[derive(Debug)]
pub struct CompiledModel {
    pub kernel: Kernel,
    pub order: Order,
    pub trunk: Trunk,
    /// Global transforms of the rest pose, by node.
    pub rest_globals: Vec<DAffine3>,
    /// By animation.
    layouts: Vec<Layout>,
    compiled: Vec<OnceLock<Rows>>,
}

impl CompiledModel {
    pub fn new(model: &Model) -> Self {
        Self::with_kernel(model, Kernel::best())
    }

    /// For a few poses: every animation is read from its keys, none is compiled.
    pub fn uncompiled(model: &Model) -> Self {
        Self { layouts: vec![Layout::Keys; model.animations.len()], ..Self::new(model) }
    }

    pub fn with_kernel(model: &Model, kernel: Kernel) -> Self {
        let mut rest_globals = vec![DAffine3::IDENTITY; model.nodes.len()];
        pose::global_transforms(&model.hierarchy, &model.hierarchy.rest, &[], &mut rest_globals);
        let first_joint = model.skins.iter().find_map(|skin| skin.joints.first()).map(|joint| joint.index());
        let center = first_joint.or_else(|| model.nodes.iter().position(|node| node.mesh.is_some())).unwrap_or(0);
        let trunk = far_nodes::trunk(model, &rest_globals, center);
        Self {
            kernel,
            order: schedule::order(model, &trunk.nodes),
            trunk,
            rest_globals,
            layouts: layouts(model),
            compiled: model.animations.iter().map(|_| OnceLock::new()).collect(),
        }
    }

    /// An animation as rows, compiled now if it was not before.
    pub fn rows(&self, model: &Model, animation: usize) -> &Rows {
        self.compiled[animation].get_or_init(|| {
            let source = &model.animations[animation];
            let mut rows = match self.layouts[animation] {
                Layout::Rows => build::rows(source, |target| weights_start(model, target)),
                Layout::Keys => Rows::keys_only(source),
            };
            rows.far = self.trunk.channels(source);
            rows
        })
    }

    /// How an animation is kept, or will be.
    pub fn layout(&self, animation: usize) -> Layout {
        self.layouts[animation]
    }
}

fn weights_start(model: &Model, target: Target) -> u32 {
    target.node().map_or(0, |node| model.node(node).weights.start as u32)
}

/// Which animations become rows: all, in the file's order, as far as memory goes.
fn layouts(model: &Model) -> Vec<Layout> {
    let mut left = MOST_BYTES;
    let layout = |animation| {
        let growth = compiled::key_bytes(animation) * (compiled::MOST_GROWTH - 1);
        match left.checked_sub(growth) {
            Some(rest) => {
                left = rest;
                Layout::Rows
            }
            None => Layout::Keys,
        }
    };
    model.animations.iter().map(layout).collect()
}

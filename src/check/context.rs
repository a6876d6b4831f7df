//! The data that all checks read: the document, the settings, and measures of the rig that several checks share.

use std::ops::Range;
use std::sync::Arc;

use glam::{DVec3, DVec4};

use crate::animation::compiled::model::CompiledModel;
use crate::camera::bounds::Bounds;
use crate::model::Model;
use crate::model::animation::Channel;
use crate::model::node::NodeIndex;
use crate::session::document::Document;
use crate::session::inspect::weight_checks::Faults;
use crate::session::locomotion::{rigs, root_motion};
use crate::session::names::NameStyle;
use crate::session::pose::Rig;
use crate::units::Units;

use super::reach;
use super::settings::Settings;

/// The file to check, with the settings and shared measures.
#[derive(Debug, Clone, Copy)]
pub struct CheckContext<'a> {
    pub document: &'a Document,
    pub model: &'a Model,
    pub settings: &'a Settings,
    /// Possible mistakes in the skin weights of the document.
    pub weights: &'a Faults,
    /// Measures of the rest pose.
    pub rest: &'a RestMeasures,
}

/// Measures of the rest pose, and the compiled model for sampling motions. This data is freed after the checks, so that the document does
/// not keep all its animations in compiled form.
#[derive(Debug)]
pub struct RestMeasures {
    pub compiled: Arc<CompiledModel>,
    /// Size of the largest rig in meters: the diagonal of the box around its joints, or around all nodes if there are no joints. Always
    /// above 0.
    pub size: f64,
    /// The joints of the scene, in model order.
    pub joints: Vec<bool>,
    /// The rigs of the scene, as ranges of nodes.
    pub rigs: Vec<Range<usize>>,
    /// Bounds of all rigs: of their joints and the vertices that these move. `None` without joints, or if they have no size.
    pub bounds: Option<Bounds>,
    /// Bounds of the largest rig.
    pub largest_rig: Option<Bounds>,
    /// How far the branch of each node extends, in meters; see [`reach::reaches`].
    pub reaches: Vec<Option<f64>>,
}

impl RestMeasures {
    /// Measures the rest pose.
    pub fn new(document: &Document) -> Self {
        let model = &*document.model;
        let compiled = Arc::new(CompiledModel::new(model));
        let size = root_motion::size(model, &compiled);
        let size = if size.is_finite() && size > 0.0 { size } else { 1.0 };
        let vertices = reach::vertex_boxes(model, &document.mesh_bounds, &compiled.rest_globals);
        let joints = rigs::in_scene(model, &document.joints);
        let mut rigs = rigs::rigs(model, &joints);
        if rigs.is_empty() {
            // Without skins, the joints are the nodes of a file that has only motion.
            rigs.push(0..joints.len());
        }
        let bounds = |nodes: &Range<usize>| {
            let mut bounds = Bounds::EMPTY;
            for node in nodes.clone().filter(|&node| joints[node]) {
                // Adding a point ignores the corners of an empty box, which are not finite.
                let points = [compiled.rest_globals[node].translation, vertices[node].min, vertices[node].max];
                points.into_iter().for_each(|point| bounds.add(point));
            }
            Some(bounds).filter(|bounds| bounds.radius() > 0.0)
        };
        let largest_rig = rigs.iter().filter_map(bounds).max_by(|a, b| a.radius().total_cmp(&b.radius()));
        let bounds = bounds(&(0..joints.len()));
        let reaches = reach::reaches(model, &vertices, &document.joints, &compiled.rest_globals, size);
        Self { compiled, size, joints, rigs, bounds, largest_rig, reaches }
    }
}

impl CheckContext<'_> {
    /// The model with its compiled form.
    pub fn rig(&self) -> Rig<'_> {
        Rig { model: self.model, compiled: &self.rest.compiled }
    }

    /// The index of a node in the file.
    pub fn source(&self, node: NodeIndex) -> usize {
        self.model.node(node).source
    }

    /// The name of a node for a message.
    pub fn node_name(&self, node: NodeIndex) -> &str {
        self.document.names.node(node, NameStyle::Full)
    }

    /// The name of an animation for a message: in quotes, or its number if it has no name.
    pub fn animation_name(&self, animation: usize) -> String {
        let label = self.document.names.animation(animation);
        let is_named = self.model.animations.get(animation).is_some_and(|animation| animation.name.is_some());
        if is_named { format!("\"{label}\"") } else { label.to_owned() }
    }

    /// The frame rate of an animation, in frames per second.
    pub fn fps(&self, animation: usize) -> f64 {
        self.document.rates[animation].fps
    }

    /// A channel in words: "LeftFoot rotation".
    pub fn channel_name(&self, channel: &Channel) -> String {
        match (self.model.target_node(channel.target), channel.target) {
            (Some(node), target) => format!("{} {}", self.node_name(node), target.path()),
            (None, target) => target.path().to_owned(),
        }
    }

    /// The JSON pointer of a channel.
    pub fn channel_pointer(animation: usize, channel: &Channel) -> String {
        format!("/animations/{animation}/channels/{}", channel.source)
    }

    /// The node that a channel drives, by its index in the file.
    pub fn channel_node(&self, channel: &Channel) -> Option<usize> {
        Some(self.source(self.model.target_node(channel.target)?))
    }

    /// The key times of a channel.
    pub fn times(&self, animation: usize, channel: &Channel) -> &[f32] {
        let sets = self.model.animations.get(animation).map(|animation| &animation.key_times);
        sets.and_then(|sets| sets.get(channel.key_times)).map_or(&[], Vec::as_slice)
    }

    /// The extent of the largest rig along each axis at rest, in meters. `None` without a rig.
    pub fn extent(&self) -> Option<DVec3> {
        self.rest.largest_rig.map(|bounds| bounds.max - bounds.min)
    }

    /// The largest of these extents, in meters. `None` without a rig.
    pub fn height(&self) -> Option<f64> {
        self.extent().map(DVec3::max_element).filter(|height| height.is_finite() && *height > 0.0)
    }

    /// A length in words, in a suitable unit: "3.2 cm".
    pub fn length(&self, meters: f64) -> String {
        Units::default().distance(meters)
    }
}

/// The vector of a key. `None` if the value has another number of components.
pub fn vector(value: &[f32]) -> Option<DVec3> {
    let &[x, y, z] = value else { return None };
    Some(DVec3::new(x.into(), y.into(), z.into()))
}

/// The quaternion of a key, normalized: x, y, z, w. `None` if its length is 0 or not finite.
pub fn quaternion(value: &[f32]) -> Option<DVec4> {
    let &[x, y, z, w] = value else { return None };
    let q = DVec4::new(x.into(), y.into(), z.into(), w.into());
    let length = q.length();
    (length > 1e-12 && length.is_finite()).then(|| q / length)
}

//! Applies the values of KHR_animation_pointer ([`Pose::pointer_values`]) to materials, cameras, lights, node visibility and morph
//! weights. Values that a renderer cannot use are replaced by usable ones.

use std::ops::Range;

use glam::Vec3;

use crate::animation::hierarchy::pose::Pose;
use crate::model::Model;
use crate::model::animation::Target;
use crate::model::camera::{Camera, Projection};
use crate::model::light::{Light, LightKind};
use crate::model::material::{MAX_EMISSION, Material};
use crate::model::node::NodeIndex;
use crate::model::pointer::{CameraProperty, LightProperty, Pointer, Property};

/// Copies the values of a pointer that drives morph weights to [`Pose::weights`]. Other pointers change nothing. `own` are the nodes of
/// [`own_weight_nodes`].
pub fn write_weights(model: &Model, pointer: &Pointer, own: &[NodeIndex], pose: &mut Pose) {
    for range in driven_weights(model, pointer, own) {
        pose.weights[range].copy_from_slice(&pose.pointer_values[pointer.values.clone()]);
    }
}

/// Returns the morph weights that a pointer drives, as ranges of [`Pose::weights`] with one weight per value. The weights of a mesh do not
/// apply to the nodes in `skipped`, which are ascending: those of [`own_weight_nodes`], and in a layer also those that it leaves alone.
pub fn driven_weights<'a>(model: &'a Model, pointer: &'a Pointer, skipped: &'a [NodeIndex]) -> impl Iterator<Item = Range<usize>> + 'a {
    let first_weight = match pointer.property {
        Property::NodeWeight { weight, .. } | Property::MeshWeight { weight, .. } => weight,
        _ => 0,
    };
    let applies = move |node: &&NodeIndex| pointer.property.node().is_some() || skipped.binary_search(node).is_err();
    let range = move |node: &NodeIndex| {
        let weights = model.node(*node).weights.clone();
        let start = weights.start + first_weight;
        let range = start..start + pointer.values.len();
        (range.end <= weights.end).then_some(range)
    };
    weight_nodes(model, pointer).iter().filter(applies).filter_map(range)
}

/// Returns the nodes whose own weights an animation with these targets drives, in ascending order. The weights of a node take precedence
/// over those of its mesh (glTF 2.0, 3.7.2.2).
pub fn own_weight_nodes(model: &Model, targets: impl Iterator<Item = Target>) -> Vec<NodeIndex> {
    let node = |target| match target {
        Target::Weights(node) => Some(node),
        Target::Pointer(pointer) => match model.pointers[pointer].property {
            Property::NodeWeight { node, .. } => Some(node),
            _ => None,
        },
        _ => None,
    };
    let mut nodes: Vec<NodeIndex> = targets.filter_map(node).collect();
    nodes.sort_unstable();
    nodes
}

/// Returns the nodes whose morph weights a pointer drives.
pub fn weight_nodes<'a>(model: &'a Model, pointer: &'a Pointer) -> &'a [NodeIndex] {
    match &pointer.property {
        Property::NodeWeight { node, .. } => std::slice::from_ref(node),
        Property::MeshWeights { mesh } | Property::MeshWeight { mesh, .. } => &model.mesh_weight_nodes[*mesh],
        _ => &[],
    }
}

/// Returns the value of a pointer in a pose, as the numbers that a file would store.
pub fn value(model: &Model, pointer: &Pointer, pose: &Pose) -> Vec<f32> {
    let local = |node: NodeIndex| &pose.locals[node.index()];
    match pointer.property {
        Property::Core(Target::Translation(node)) => local(node).translation.to_array().to_vec(),
        Property::Core(Target::Rotation(node)) => local(node).rotation.to_array().to_vec(),
        Property::Core(Target::Scale(node)) => local(node).scale.to_array().to_vec(),
        Property::Core(Target::Weights(node)) => pose.weights[model.node(node).weights.clone()].to_vec(),
        _ => pose.pointer_values[pointer.values.clone()].to_vec(),
    }
}

/// Writes the visibility of each node that a pointer drives, regardless of the node's parents, into `visible`, which has one entry per
/// node. Returns whether any entry changed.
pub fn write_visible(model: &Model, pointer_values: &[f32], visible: &mut [bool]) -> bool {
    let mut changed = false;
    for pointer in &model.pointers {
        if let Property::NodeVisible(node) = pointer.property {
            let shown = pointer_values[pointer.values.start] != 0.0;
            changed |= std::mem::replace(&mut visible[node.index()], shown) != shown;
        }
    }
    changed
}

/// Writes the values of material pointers into `materials`, a copy of the model's materials.
pub fn write_materials(model: &Model, pointer_values: &[f32], materials: &mut [Material]) {
    for pointer in &model.pointers {
        if let Property::Material { material, property } = pointer.property {
            materials[material].set(property, &pointer_values[pointer.values.clone()]);
        }
    }
}

/// Clamps `value` to the range from 0 to `max`; NaN becomes 0.
fn clamp_or_zero(value: f32, max: f32) -> f32 {
    if value.is_nan() { 0.0 } else { value.clamp(0.0, max) }
}

/// Writes the values of camera pointers into `cameras`, a copy of the model's cameras. A camera whose numbers are not valid keeps its rest
/// values.
pub fn write_cameras(model: &Model, pointer_values: &[f32], cameras: &mut [Camera]) {
    let pointers = || {
        model.pointers.iter().filter_map(|pointer| match pointer.property {
            Property::Camera { camera, property } => Some((camera, property, pointer_values[pointer.values.start])),
            _ => None,
        })
    };
    for (camera, property, value) in pointers() {
        write_camera(&mut cameras[camera].projection, property, value);
    }
    // Check at the end, because a projection may be invalid until all of its numbers are written.
    for (camera, ..) in pointers() {
        if !cameras[camera].projection.is_valid() {
            cameras[camera].projection = model.cameras[camera].projection;
        }
    }
}

/// Writes one number of a projection.
fn write_camera(projection: &mut Projection, property: CameraProperty, value: f32) {
    match (projection, property) {
        (Projection::Perspective { yfov, .. }, CameraProperty::Yfov) => *yfov = value,
        (Projection::Perspective { aspect_ratio, .. }, CameraProperty::AspectRatio) => *aspect_ratio = Some(value),
        (Projection::Perspective { znear, .. } | Projection::Orthographic { znear, .. }, CameraProperty::Znear) => *znear = value,
        (Projection::Perspective { zfar, .. }, CameraProperty::Zfar) => *zfar = Some(value),
        (Projection::Orthographic { xmag, .. }, CameraProperty::Xmag) => *xmag = value,
        (Projection::Orthographic { ymag, .. }, CameraProperty::Ymag) => *ymag = value,
        (Projection::Orthographic { zfar, .. }, CameraProperty::Zfar) => *zfar = value,
        // The loader rejects a property of the other kind of projection.
        _ => {}
    }
}

/// Writes the values of light pointers into `lights`, a copy of the model's lights.
pub fn write_lights(model: &Model, pointer_values: &[f32], lights: &mut [Light]) {
    // Clamping one cone angle depends on the other, so both start again from the values of the file.
    for (light, rest) in lights.iter_mut().zip(&model.lights) {
        light.kind = rest.kind;
    }
    for pointer in &model.pointers {
        if let Property::Light { light, property } = pointer.property {
            write_light(&mut lights[light], property, &pointer_values[pointer.values.clone()]);
        }
    }
    for light in lights {
        // The two cone angles are animated independently, so the inner one may have become larger than the outer one.
        if let LightKind::Spot { inner_cone_angle, outer_cone_angle } = &mut light.kind {
            *outer_cone_angle = clamp_or_zero(*outer_cone_angle, std::f32::consts::FRAC_PI_2);
            *inner_cone_angle = clamp_or_zero(*inner_cone_angle, *outer_cone_angle);
        }
    }
}

/// Writes one property of a light.
fn write_light(light: &mut Light, property: LightProperty, values: &[f32]) {
    match (property, &mut light.kind) {
        (LightProperty::Color, _) => light.color = Vec3::from_slice(values).map(|factor| clamp_or_zero(factor, MAX_EMISSION)),
        (LightProperty::Intensity, _) => light.intensity = clamp_or_zero(values[0], f32::MAX),
        (LightProperty::Range, _) => light.range = Some(values[0]).filter(|&range| range > 0.0 && range.is_finite()),
        (LightProperty::InnerConeAngle, LightKind::Spot { inner_cone_angle, .. }) => *inner_cone_angle = values[0],
        (LightProperty::OuterConeAngle, LightKind::Spot { outer_cone_angle, .. }) => *outer_cone_angle = values[0],
        (LightProperty::InnerConeAngle | LightProperty::OuterConeAngle, _) => {}
    }
}

//! What pointers drive (`Pose::driven`, plain numbers) as those who draw want it: materials, cameras and lights with the values
//! written in, and which nodes the file shows. A value that a renderer cannot use is brought to the nearest one that it can.

use glam::Vec3;

use crate::animation::hierarchy::pose::Pose;
use crate::model::Model;
use crate::model::animation::Target;
use crate::model::camera::{Camera, Projection};
use crate::model::light::{Light, LightKind};
use crate::model::material::{BRIGHTEST, Material};
use crate::model::node::NodeIndex;
use crate::model::pointer::{CameraProperty, LightProperty, Pointer, Property};

/// Morph weights by themselves, and those of meshes, to where every weight of a pose is.
pub fn write_weights(model: &Model, pointer: &Pointer, pose: &mut Pose) {
    let values = &pose.pointer_values[pointer.values.clone()];
    let first = match pointer.property {
        Property::NodeWeight { weight, .. } | Property::MeshWeight { weight, .. } => weight,
        _ => 0,
    };
    for &node in weight_nodes(model, pointer) {
        if let Some(weights) = pose.weights[model.node(node).weights.clone()].get_mut(first..first + values.len()) {
            weights.copy_from_slice(values);
        }
    }
}

/// Nodes of which a pointer drives morph weights.
pub fn weight_nodes<'a>(model: &'a Model, pointer: &'a Pointer) -> &'a [NodeIndex] {
    match &pointer.property {
        Property::NodeWeight { node, .. } => std::slice::from_ref(node),
        Property::MeshWeights { mesh } | Property::MeshWeight { mesh, .. } => &model.mesh_weight_nodes[*mesh],
        _ => &[],
    }
}

/// The numbers of a pointer in a pose, as the file would write them.
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

/// Whether the file shows each node by itself, whatever its parents; tells whether that is another answer than before.
pub fn write_visible(model: &Model, driven: &[f32], visible: &mut [bool]) -> bool {
    let mut changed = false;
    for pointer in &model.pointers {
        if let Property::NodeVisible(node) = pointer.property {
            let shown = driven[pointer.values.start] != 0.0;
            changed |= std::mem::replace(&mut visible[node.index()], shown) != shown;
        }
    }
    changed
}

/// Writes into `materials`, the model's or what was written before.
pub fn write_materials(model: &Model, driven: &[f32], materials: &mut [Material]) {
    for pointer in &model.pointers {
        if let Property::Material { material, property } = pointer.property {
            materials[material].set(property, &driven[pointer.values.clone()]);
        }
    }
}

/// Between 0 and `most`; what is no number is 0.
fn within(value: f32, most: f32) -> f32 {
    if value.is_nan() { 0.0 } else { value.clamp(0.0, most) }
}

/// Writes into `cameras`, the model's or what was written before. One whose numbers would make no picture stays at rest.
pub fn write_cameras(model: &Model, driven: &[f32], cameras: &mut [Camera]) {
    let pointers = || {
        model.pointers.iter().filter_map(|pointer| match pointer.property {
            Property::Camera { camera, property } => Some((camera, property, driven[pointer.values.start])),
            _ => None,
        })
    };
    for (camera, property, value) in pointers() {
        write_camera(&mut cameras[camera].projection, property, value);
    }
    for (camera, ..) in pointers() {
        if !cameras[camera].projection.is_valid() {
            cameras[camera].projection = model.cameras[camera].projection;
        }
    }
}

fn write_camera(projection: &mut Projection, property: CameraProperty, value: f32) {
    match (projection, property) {
        (Projection::Perspective { yfov, .. }, CameraProperty::Yfov) => *yfov = value,
        (Projection::Perspective { aspect_ratio, .. }, CameraProperty::AspectRatio) => *aspect_ratio = Some(value),
        (Projection::Perspective { znear, .. } | Projection::Orthographic { znear, .. }, CameraProperty::Znear) => *znear = value,
        (Projection::Perspective { zfar, .. }, CameraProperty::Zfar) => *zfar = Some(value),
        (Projection::Orthographic { xmag, .. }, CameraProperty::Xmag) => *xmag = value,
        (Projection::Orthographic { ymag, .. }, CameraProperty::Ymag) => *ymag = value,
        (Projection::Orthographic { zfar, .. }, CameraProperty::Zfar) => *zfar = value,
        // A lens of the other kind; the loader lets none through.
        _ => {}
    }
}

/// Writes into `lights`, the model's or what was written before.
pub fn write_lights(model: &Model, driven: &[f32], lights: &mut [Light]) {
    for pointer in &model.pointers {
        if let Property::Light { light, property } = pointer.property {
            write_light(&mut lights[light], property, &driven[pointer.values.clone()]);
        }
    }
    for light in lights {
        // Each cone was driven by itself.
        if let LightKind::Spot { inner_cone_angle, outer_cone_angle } = &mut light.kind {
            *outer_cone_angle = within(*outer_cone_angle, std::f32::consts::FRAC_PI_2);
            *inner_cone_angle = within(*inner_cone_angle, *outer_cone_angle);
        }
    }
}

fn write_light(light: &mut Light, property: LightProperty, values: &[f32]) {
    match (property, &mut light.kind) {
        (LightProperty::Color, _) => light.color = Vec3::from_slice(values).map(|factor| within(factor, BRIGHTEST)),
        (LightProperty::Intensity, _) => light.intensity = within(values[0], f32::MAX),
        (LightProperty::Range, _) => light.range = Some(values[0]).filter(|&range| range > 0.0 && range.is_finite()),
        (LightProperty::InnerConeAngle, LightKind::Spot { inner_cone_angle, .. }) => *inner_cone_angle = values[0],
        (LightProperty::OuterConeAngle, LightKind::Spot { outer_cone_angle, .. }) => *outer_cone_angle = values[0],
        (LightProperty::InnerConeAngle | LightProperty::OuterConeAngle, _) => {}
    }
}

//! Resolves JSON pointers to the properties that they animate (KHR_animation_pointer, glTF 2.0 Asset Object Model). Each pointer
//! of a file is resolved once. The result for an invalid pointer is the reason why it is invalid.

use std::collections::HashMap;

use gltf::json;

use crate::asset::accessor::Integers;
use crate::asset::json::raw_pointers::{ChannelPointer, RawPointers, RawValue};
use crate::model::Model;
use crate::model::animation::Target;
use crate::model::camera::Projection;
use crate::model::light::LightKind;
use crate::model::node::NodeIndex;
use crate::model::pointer::{CameraProperty, LightProperty, Pointer, Property, ValueKind};

use super::material_pointer;
use super::object_property::ObjectProperty;

/// The expected output of a channel: which vectors its accessor has, and how many of them make a key.
#[derive(Debug, Clone, Copy)]
pub struct OutputShape<'a> {
    /// Numbers per element of the accessor.
    pub element_components: usize,
    /// Numbers per key. For an array, this is the number of its elements.
    pub components: usize,
    /// Whether integers are fractions of their maximum.
    pub integers: Integers,
    /// Whether a key is an array of elements: one weight per morph target.
    pub is_array: bool,
    /// Whether a key is 0 or 1 and never interpolated.
    pub is_boolean: bool,
    /// Replaces the first key if it is not finite. One number per component, or none if all of them are 0.
    pub fallback: &'a [f32],
}

impl OutputShape<'_> {
    /// The output of a core channel (glTF 2.0, 3.11). Integers of rotations and weights are always normalized.
    pub fn from_target(target: Target, model: &Model) -> Self {
        let (element_components, fallback, integers): (_, &[f32], _) = match target {
            Target::Rotation(_) => (4, &[0.0, 0.0, 0.0, 1.0], Integers::Normalized),
            Target::Scale(_) => (3, &[1.0; 3], Integers::AsDeclared),
            Target::Weights(_) => (1, &[], Integers::Normalized),
            Target::Translation(_) | Target::Pointer(_) => (3, &[], Integers::AsDeclared),
        };
        let (components, is_array) = match target {
            Target::Weights(node) => (model.node(node).weights.len(), true),
            _ => (element_components, false),
        };
        Self { element_components, components, integers, is_array, is_boolean: false, fallback }
    }
}

/// The pointers of a file, each once, with their rest values.
#[derive(Debug)]
pub struct Pointers<'a> {
    /// The valid pointers. Each has a range of `rest_values`.
    pub list: Vec<Pointer>,
    /// The rest values of all pointers, one after another.
    pub rest_values: Vec<f32>,
    /// The index in `list` of each JSON pointer, or the reason why it is invalid.
    resolved: HashMap<String, Result<usize, &'static str>>,
    /// The pointers in the JSON, and the values that they lead to.
    raw: &'a RawPointers,
}

impl<'a> Pointers<'a> {
    /// Starts with an empty list. `raw` holds the pointers of the file.
    pub fn new(raw: &'a RawPointers) -> Self {
        Self { list: Vec::new(), rest_values: Vec::new(), resolved: HashMap::new(), raw }
    }

    /// The JSON pointer of a channel, by the indices of animation and channel, or the fault of the channel if it has none. `None` if the
    /// path of the channel is not "pointer".
    pub fn of_channel(&self, animation: usize, channel: usize) -> Option<Result<&'a ChannelPointer, &'static str>> {
        self.raw.channel(animation, channel)
    }

    /// The value in the JSON that a pointer leads to.
    pub fn json_value(&self, path: &str) -> RawValue {
        self.raw.value(path)
    }

    /// Resolves a JSON pointer to its index in `list`. Returns the reason if it is invalid.
    pub fn resolve(&mut self, path: &str, root: &json::Root, model: &Model) -> Result<usize, &'static str> {
        if let Some(resolved) = self.resolved.get(path) {
            return *resolved;
        }
        let resolved = resolve_property(path, root, model).and_then(|property| {
            let rest_value = rest_value(&property, &self.json_value(path))?;
            Ok(self.add(path, &property, &rest_value))
        });
        self.resolved.insert(path.to_owned(), resolved);
        resolved
    }

    /// Records that an animation drives this pointer. Call in ascending order of animations.
    pub fn add_animation(&mut self, pointer: usize, animation: usize) {
        let animations = &mut self.list[pointer].animations;
        if animations.last() != Some(&animation) {
            animations.push(animation);
        }
    }

    /// The expected output of a channel whose pointer is not a core target.
    pub fn shape(&self, pointer: usize) -> OutputShape<'_> {
        let pointer = &self.list[pointer];
        let is_array = matches!(pointer.property, Property::MeshWeights { .. });
        let fallback = &self.rest_values[pointer.values.clone()];
        let components = fallback.len();
        let element_components = if is_array { 1 } else { components };
        let is_boolean = pointer.kind == ValueKind::Boolean;
        OutputShape { element_components, components, integers: Integers::AsDeclared, is_array, is_boolean, fallback }
    }

    /// Appends a pointer and its rest values. Returns its index.
    fn add(&mut self, path: &str, property: &ObjectProperty, rest_value: &[f32]) -> usize {
        let start = self.rest_values.len();
        // The pose already holds translation, rotation, scale and weights, so these have no values here.
        if !matches!(property.property, Property::Core(_)) {
            self.rest_values.extend_from_slice(rest_value);
        }
        let values = start..self.rest_values.len();
        self.list.push(Pointer { path: path.to_owned(), property: property.property, kind: property.kind, values, animations: Vec::new() });
        self.list.len() - 1
    }
}

/// The rest value of a property: the value in the file, or the default if the file has none. Returns an error if there is neither.
fn rest_value(property: &ObjectProperty, raw: &RawValue) -> Result<Vec<f32>, &'static str> {
    if !raw.has_parent && !property.implied {
        return Err("points into an object that does not exist");
    }
    let file_value = raw.value.as_ref().filter(|value| value.len() == property.count);
    file_value.or(property.default.as_ref()).cloned().ok_or("points at a property that does not exist and has no default")
}

/// Resolves a pointer to a property of the object model. If this fails, returns the reason, which completes "the channel ...".
fn resolve_property(path: &str, root: &json::Root, model: &Model) -> Result<ObjectProperty, &'static str> {
    let tokens: Vec<&str> = path.split('/').collect();
    if tokens.contains(&"extras") {
        return Err("points into extras, which have no defined meaning");
    }
    let property = match &*tokens {
        ["", "nodes", node, below @ ..] => node_property(*element_at(&model.node_of_source, node)?.1, below, model)?,
        ["", "meshes", mesh, below @ ..] => {
            let (index, mesh) = element_at(&model.meshes, mesh)?;
            mesh_property(index, mesh.target_count, root.meshes[index].weights.as_deref().unwrap_or_default(), below)?
        }
        ["", "materials", material, below @ ..] => {
            let (index, material) = element_at(&model.materials, material)?;
            material_pointer::property(index, material, &below.join("/"))
        }
        ["", "cameras", camera, kind, name] => {
            let (index, camera) = element_at(&model.cameras, camera)?;
            camera_property(index, &camera.projection, kind, name)
        }
        ["", "extensions", "KHR_lights_punctual", "lights", light, below @ ..] => {
            let (index, light) = element_at(&model.lights, light)?;
            light_property(index, light.kind, below)
        }
        ["", "extensions", "EXT_lights_image_based", "lights", _, "rotation"] => {
            Some(ObjectProperty::new(Property::Other, &[0.0, 0.0, 0.0, 1.0]))
        }
        ["", "extensions", "EXT_lights_image_based", "lights", _, "intensity"] => Some(ObjectProperty::new(Property::Other, &[1.0])),
        _ => None,
    };
    property.ok_or("points at no property that the glTF 2.0 Asset Object Model can animate")
}

/// The index that a token of a JSON pointer contains, and the element with this index.
fn element_at<'a, T>(elements: &'a [T], token: &str) -> Result<(usize, &'a T), &'static str> {
    let index = index_below(elements.len(), token)?;
    Ok((index, &elements[index]))
}

/// The index that a token of a JSON pointer contains, which must be less than `count`. A sign or leading zeros are not allowed.
fn index_below(count: usize, token: &str) -> Result<usize, &'static str> {
    let canonical = token == "0" || (!token.starts_with('0') && token.bytes().all(|byte| byte.is_ascii_digit()));
    let index = token.parse().ok().filter(|&index| canonical && index < count);
    index.ok_or("points at an element that does not exist")
}

/// A property below `/nodes/i`. `None` if there is no such property. `below` is the path below the node.
fn node_property(node: NodeIndex, below: &[&str], model: &Model) -> Result<Option<ObjectProperty>, &'static str> {
    let weights = &model.rest_weights[model.node(node).weights.clone()];
    let core = |target, values: &[f32]| ObjectProperty::array(Property::Core(target), values).implied();
    Ok(Some(match below {
        ["translation"] => core(Target::Translation(node), &[0.0; 3]),
        ["rotation"] => core(Target::Rotation(node), &[0.0, 0.0, 0.0, 1.0]),
        ["scale"] => core(Target::Scale(node), &[1.0; 3]),
        ["weights", ..] if weights.is_empty() => return Err("points at the weights of a node without morph targets"),
        ["weights"] => core(Target::Weights(node), weights),
        ["weights", weight] => {
            let (weight, value) = element_at(weights, weight)?;
            ObjectProperty::new(Property::NodeWeight { node, weight }, &[*value]).implied()
        }
        ["extensions", "KHR_node_visibility", "visible"] => ObjectProperty::boolean(Property::NodeVisible(node)).implied(),
        ["extensions", "KHR_node_selectability", "selectable"] => ObjectProperty::boolean(Property::Other),
        ["extensions", "KHR_node_hoverability", "hoverable"] => ObjectProperty::boolean(Property::Other),
        ["extensions", "EXT_lights_ies", "multiplier"] => ObjectProperty::new(Property::Other, &[1.0]),
        ["extensions", "EXT_lights_ies", "color"] => ObjectProperty::new(Property::Other, &[1.0; 3]),
        _ => return Ok(None),
    }))
}

/// A property below `/meshes/i`. `None` if there is no such property. `count` is the number of morph targets, `file_weights` are
/// the mesh's weights in the file, which may be too few, and `below` is the path below the mesh.
fn mesh_property(mesh: usize, count: usize, file_weights: &[f32], below: &[&str]) -> Result<Option<ObjectProperty>, &'static str> {
    let weight_at = |target: usize| file_weights.get(target).copied().unwrap_or(0.0);
    Ok(Some(match below {
        ["weights", ..] if count == 0 => return Err("points at the weights of a mesh without morph targets"),
        ["weights"] => {
            let weights: Vec<f32> = (0..count).map(weight_at).collect();
            ObjectProperty::array(Property::MeshWeights { mesh }, &weights).implied()
        }
        // A mesh may have many targets, each with a pointer, so only this weight is read.
        ["weights", weight] => {
            let weight = index_below(count, weight)?;
            ObjectProperty::new(Property::MeshWeight { mesh, weight }, &[weight_at(weight)]).implied()
        }
        _ => return Ok(None),
    }))
}

/// A property below `/cameras/i`. `None` if the camera's projection has no such property. The file must have the value.
fn camera_property(camera: usize, projection: &Projection, kind: &str, name: &str) -> Option<ObjectProperty> {
    let property = match (projection, kind, name) {
        (Projection::Perspective { .. }, "perspective", "yfov") => CameraProperty::Yfov,
        (Projection::Perspective { .. }, "perspective", "aspectRatio") => CameraProperty::AspectRatio,
        (Projection::Orthographic { .. }, "orthographic", "xmag") => CameraProperty::Xmag,
        (Projection::Orthographic { .. }, "orthographic", "ymag") => CameraProperty::Ymag,
        (Projection::Perspective { .. }, "perspective", "znear") | (Projection::Orthographic { .. }, "orthographic", "znear") => {
            CameraProperty::Znear
        }
        (Projection::Perspective { .. }, "perspective", "zfar") | (Projection::Orthographic { .. }, "orthographic", "zfar") => {
            CameraProperty::Zfar
        }
        _ => return None,
    };
    Some(ObjectProperty::without_default(Property::Camera { camera, property }))
}

/// A property of a light of KHR_lights_punctual, with the default of that extension. Angles are in radians. `below` is the path
/// below the light.
fn light_property(light: usize, kind: LightKind, below: &[&str]) -> Option<ObjectProperty> {
    let property = |property, default: &[f32]| ObjectProperty::new(Property::Light { light, property }, default);
    let is_spot = matches!(kind, LightKind::Spot { .. });
    Some(match below {
        ["color"] => property(LightProperty::Color, &[1.0; 3]),
        ["intensity"] => property(LightProperty::Intensity, &[1.0]),
        ["range"] => property(LightProperty::Range, &[f32::INFINITY]),
        ["spot", "innerConeAngle"] if is_spot => property(LightProperty::InnerConeAngle, &[0.0]),
        ["spot", "outerConeAngle"] if is_spot => property(LightProperty::OuterConeAngle, &[std::f32::consts::FRAC_PI_4]),
        _ => return None,
    })
}

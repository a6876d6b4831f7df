//! Resolves JSON pointers to the properties that they animate (KHR_animation_pointer, glTF 2.0 Asset Object Model). Each pointer
//! of a file is resolved once; an invalid one is refused with a reason.

use std::collections::HashMap;

use gltf::json;

use crate::asset::accessor::Integers;
use crate::asset::json::pointed::{Pointed, PointedValue};
use crate::model::Model;
use crate::model::animation::Target;
use crate::model::camera::Projection;
use crate::model::light::LightKind;
use crate::model::node::NodeIndex;
use crate::model::pointer::{CameraProperty, Kind, LightProperty, Pointer, Property};

use super::material_pointer;
use super::object_property::ObjectProperty;

/// The expected output of a channel: which vectors its accessor has, and how many of them make a key.
#[derive(Debug, Clone)]
pub struct OutputShape {
    /// Numbers per element of the accessor.
    pub element: usize,
    /// Numbers per key; for an array, the number of elements.
    pub components: usize,
    /// Whether integers are fractions of their maximum.
    pub integers: Integers,
    /// Whether a key is an array of elements: one weight per morph target.
    pub is_array: bool,
    /// Whether a key is 0 or 1 and never interpolated.
    pub boolean: bool,
    /// One number per component. Replaces a value that is not finite in the first key.
    pub nothing: Vec<f32>,
}

impl OutputShape {
    /// The output of a core channel. Its integers are always normalized.
    pub fn from_target(target: Target, model: &Model) -> Self {
        let (element, nothing, integers) = match target {
            Target::Rotation(_) => (4, vec![0.0, 0.0, 0.0, 1.0], Integers::Normalized),
            Target::Scale(_) => (3, vec![1.0; 3], Integers::AsDeclared),
            Target::Weights(node) => (1, vec![0.0; model.node(node).weights.len()], Integers::Normalized),
            Target::Translation(_) | Target::Pointer(_) => (3, vec![0.0; 3], Integers::AsDeclared),
        };
        let is_array = matches!(target, Target::Weights(_));
        Self { element, components: nothing.len(), integers, is_array, boolean: false, nothing }
    }
}

/// The pointers of a file, each once, and the rest values of all of them in one array.
#[derive(Debug, Default)]
pub struct Pointers {
    /// Each names its range of `rest`.
    pub list: Vec<Pointer>,
    /// The rest values of all pointers, one after another.
    pub rest: Vec<f32>,
    /// Results by JSON pointer, failures included.
    index: HashMap<String, Result<usize, &'static str>>,
}

impl Pointers {
    /// The pointer's index in `list`, or the reason why it is invalid.
    pub fn resolve(&mut self, path: &str, pointed: &Pointed, root: &json::Root, model: &Model) -> Result<usize, &'static str> {
        if let Some(known) = self.index.get(path) {
            return *known;
        }
        let resolved = known(path, root, model).and_then(|known| {
            let rest = rest(&known, &pointed.value(path))?;
            Ok(self.add(path, &known, &rest))
        });
        self.index.insert(path.to_owned(), resolved);
        resolved
    }

    /// Records that an animation drives this pointer. Call in ascending order of animations.
    pub fn driven_by(&mut self, pointer: usize, animation: usize) {
        let animations = &mut self.list[pointer].animations;
        if animations.last() != Some(&animation) {
            animations.push(animation);
        }
    }

    /// The expected output of a channel whose pointer is not a core target.
    pub fn shape(&self, pointer: usize) -> OutputShape {
        let pointer = &self.list[pointer];
        let is_array = matches!(pointer.property, Property::MeshWeights { .. });
        let nothing = self.rest[pointer.values.clone()].to_vec();
        let components = nothing.len();
        let element = if is_array { 1 } else { components };
        OutputShape { element, components, integers: Integers::AsDeclared, is_array, boolean: pointer.kind == Kind::Boolean, nothing }
    }

    /// Appends a pointer and its rest values. Returns its index.
    fn add(&mut self, path: &str, known: &ObjectProperty, rest: &[f32]) -> usize {
        let first = self.rest.len();
        // The pose already holds translation, rotation, scale and weights, so these have no values here.
        if !matches!(known.property, Property::Core(_)) {
            self.rest.extend_from_slice(rest);
        }
        let values = first..self.rest.len();
        self.list.push(Pointer { path: path.to_owned(), property: known.property, kind: known.kind, values, animations: Vec::new() });
        self.list.len() - 1
    }
}

/// The rest value of a property: the file's, else the default. Errors if the file must have it and does not.
fn rest(known: &ObjectProperty, pointed: &PointedValue) -> Result<Vec<f32>, &'static str> {
    if !pointed.enclosed && !known.implied {
        return Err("points into an object that does not exist");
    }
    let own = pointed.value.as_ref().filter(|value| value.len() == known.count);
    own.or(known.default.as_ref()).cloned().ok_or("points at a property that does not exist and has no default")
}

/// Resolves a pointer to a property of the object model. Errors with a reason that completes "the channel ...".
fn known(path: &str, root: &json::Root, model: &Model) -> Result<ObjectProperty, &'static str> {
    let tokens: Vec<&str> = path.split('/').collect();
    if tokens.contains(&"extras") {
        return Err("points into extras, which have no defined meaning");
    }
    let known = match &*tokens {
        ["", "nodes", node, rest @ ..] => node_property(*at(&model.node_of_source, node)?.1, rest, model)?,
        ["", "meshes", mesh, rest @ ..] => {
            let (index, mesh) = at(&model.meshes, mesh)?;
            mesh_property(index, mesh.target_count, root.meshes[index].weights.as_deref().unwrap_or_default(), rest)?
        }
        ["", "materials", material, rest @ ..] => {
            let (index, material) = at(&model.materials, material)?;
            material_pointer::property(index, material, &rest.join("/"))
        }
        ["", "cameras", camera, kind, name] => {
            let (index, camera) = at(&model.cameras, camera)?;
            camera_property(index, &camera.projection, kind, name)
        }
        ["", "extensions", "KHR_lights_punctual", "lights", light, rest @ ..] => {
            let (index, light) = at(&model.lights, light)?;
            light_property(index, light.kind, rest)
        }
        ["", "extensions", "EXT_lights_image_based", "lights", _, "rotation"] => {
            Some(ObjectProperty::new(Property::Other, &[0.0, 0.0, 0.0, 1.0]))
        }
        ["", "extensions", "EXT_lights_image_based", "lights", _, "intensity"] => Some(ObjectProperty::new(Property::Other, &[1.0])),
        _ => None,
    };
    known.ok_or("points at no property that the glTF 2.0 Asset Object Model can animate")
}

/// The element at a JSON pointer token: an index without sign or leading zeros.
fn at<'a, T>(elements: &'a [T], token: &str) -> Result<(usize, &'a T), &'static str> {
    let canonical = token == "0" || (!token.starts_with('0') && token.bytes().all(|byte| byte.is_ascii_digit()));
    let index = token.parse::<usize>().ok().filter(|_| canonical);
    let element = index.and_then(|index| Some((index, elements.get(index)?)));
    element.ok_or("points at an element that does not exist")
}

/// A property below `/nodes/i`. `None` if there is no such property. `rest` is the path below the node.
fn node_property(node: NodeIndex, rest: &[&str], model: &Model) -> Result<Option<ObjectProperty>, &'static str> {
    let weights = &model.rest_weights[model.node(node).weights.clone()];
    let core = |target, values: &[f32]| ObjectProperty::array(Property::Core(target), values).implied();
    Ok(Some(match rest {
        ["translation"] => core(Target::Translation(node), &[0.0; 3]),
        ["rotation"] => core(Target::Rotation(node), &[0.0, 0.0, 0.0, 1.0]),
        ["scale"] => core(Target::Scale(node), &[1.0; 3]),
        ["weights", ..] if weights.is_empty() => return Err("points at the weights of a node without morph targets"),
        ["weights"] => core(Target::Weights(node), weights),
        ["weights", weight] => {
            let (weight, value) = at(weights, weight)?;
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

/// A property below `/meshes/i`. `None` if there is no such property. `own` holds the mesh's weights in the file, which may
/// be too few.
fn mesh_property(mesh: usize, count: usize, own: &[f32], rest: &[&str]) -> Result<Option<ObjectProperty>, &'static str> {
    let weights: Vec<f32> = own.iter().copied().chain(std::iter::repeat(0.0)).take(count).collect();
    Ok(Some(match rest {
        ["weights", ..] if weights.is_empty() => return Err("points at the weights of a mesh without morph targets"),
        ["weights"] => ObjectProperty::array(Property::MeshWeights { mesh }, &weights).implied(),
        ["weights", weight] => {
            let (weight, value) = at(&weights, weight)?;
            ObjectProperty::new(Property::MeshWeight { mesh, weight }, &[*value]).implied()
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

/// A property of a light of KHR_lights_punctual, with the default of that extension. Angles are in radians.
fn light_property(light: usize, kind: LightKind, rest: &[&str]) -> Option<ObjectProperty> {
    let known = |property, default: &[f32]| ObjectProperty::new(Property::Light { light, property }, default);
    let spot = matches!(kind, LightKind::Spot { .. });
    Some(match rest {
        ["color"] => known(LightProperty::Color, &[1.0; 3]),
        ["intensity"] => known(LightProperty::Intensity, &[1.0]),
        ["range"] => known(LightProperty::Range, &[f32::INFINITY]),
        ["spot", "innerConeAngle"] if spot => known(LightProperty::InnerConeAngle, &[0.0]),
        ["spot", "outerConeAngle"] if spot => known(LightProperty::OuterConeAngle, &[std::f32::consts::FRAC_PI_4]),
        _ => return None,
    })
}

//! From JSON pointers to what they drive, by the glTF 2.0 Asset Object Model. Each pointer of a file is looked up once; one that
//! leads nowhere, or to what nobody can drive, is refused with the reason.

use std::collections::HashMap;

use gltf::json;

use crate::asset::accessor::Integers;
use crate::asset::json::pointed::{Pointed, PointedPlace};
use crate::model::Model;
use crate::model::animation::Target;
use crate::model::camera::Projection;
use crate::model::light::LightKind;
use crate::model::node::NodeIndex;
use crate::model::pointer::{CameraProperty, Kind, LightProperty, Pointer, Property};

use super::material_pointer;

/// A property of the object model: what it is, and its value where the file has none.
#[derive(Debug, Clone, PartialEq)]
pub struct Known {
    pub property: Property,
    pub kind: Kind,
    /// As many numbers as it has. None: it must be in the file.
    pub default: Option<Vec<f32>>,
    pub count: usize,
    /// It means something without its enclosing object, too.
    pub implied: bool,
}

impl Known {
    pub fn new(property: Property, default: &[f32]) -> Self {
        let kind = if default.len() == 1 { Kind::Scalar } else { Kind::Vector };
        Self { property, kind, default: Some(default.to_vec()), count: default.len(), implied: false }
    }

    fn without_default(property: Property) -> Self {
        Self { default: None, ..Self::new(property, &[0.0]) }
    }

    fn boolean(property: Property) -> Self {
        Self { kind: Kind::Boolean, ..Self::new(property, &[1.0]) }
    }

    fn array(property: Property, values: &[f32]) -> Self {
        Self { kind: Kind::Vector, ..Self::new(property, values) }
    }

    fn implied(self) -> Self {
        Self { implied: true, ..self }
    }
}

/// What the output of a channel must be.
#[derive(Debug, Clone)]
pub struct Shape {
    /// Numbers in an element of the accessor.
    pub element: usize,
    /// Numbers in a value: of an array, as many elements.
    pub components: usize,
    pub integers: Integers,
    /// A value is a whole array of elements.
    pub is_array: bool,
    pub boolean: bool,
    /// What stands in for a value that is none.
    pub nothing: Vec<f32>,
}

impl Shape {
    /// Of what an unextended channel drives. Its integers stand for fractions, whether the file says so or not.
    pub fn of_node(target: Target, model: &Model) -> Self {
        let (element, nothing, integers) = match target {
            Target::Rotation(_) => (4, vec![0.0, 0.0, 0.0, 1.0], Integers::Normalized),
            Target::Scale(_) => (3, vec![1.0; 3], Integers::AsTheFileSays),
            Target::Weights(node) => (1, vec![0.0; model.node(node).weights.len()], Integers::Normalized),
            Target::Translation(_) | Target::Pointer(_) => (3, vec![0.0; 3], Integers::AsTheFileSays),
        };
        let is_array = matches!(target, Target::Weights(_));
        Self { element, components: nothing.len(), integers, is_array, boolean: false, nothing }
    }
}

/// What the channels of a file point at, each once, and their numbers at rest.
#[derive(Debug, Default)]
pub struct Pointers {
    pub list: Vec<Pointer>,
    pub rest: Vec<f32>,
    index: HashMap<String, Result<usize, &'static str>>,
}

impl Pointers {
    /// The pointer's place in `list`, or why it has none.
    pub fn resolve(&mut self, path: &str, pointed: &Pointed, root: &json::Root, model: &Model) -> Result<usize, &'static str> {
        if let Some(known) = self.index.get(path) {
            return *known;
        }
        let resolved = known(path, root, model).and_then(|known| {
            let rest = rest(&known, &pointed.place(path))?;
            Ok(self.add(path, &known, &rest))
        });
        self.index.insert(path.to_owned(), resolved);
        resolved
    }

    pub fn driven_by(&mut self, pointer: usize, animation: usize) {
        let animations = &mut self.list[pointer].animations;
        if animations.last() != Some(&animation) {
            animations.push(animation);
        }
    }

    /// What the output of a channel must be that drives a pointer beyond the core.
    pub fn shape(&self, pointer: usize) -> Shape {
        let pointer = &self.list[pointer];
        let is_array = matches!(pointer.property, Property::MeshWeights { .. });
        let nothing = self.rest[pointer.values.clone()].to_vec();
        let components = nothing.len();
        let element = if is_array { 1 } else { components };
        Shape { element, components, integers: Integers::AsTheFileSays, is_array, boolean: pointer.kind == Kind::Boolean, nothing }
    }

    fn add(&mut self, path: &str, known: &Known, rest: &[f32]) -> usize {
        let first = self.rest.len();
        // What the pose has already is not kept twice.
        if !matches!(known.property, Property::Core(_)) {
            self.rest.extend_from_slice(rest);
        }
        let values = first..self.rest.len();
        self.list.push(Pointer { path: path.to_owned(), property: known.property, kind: known.kind, values, animations: Vec::new() });
        self.list.len() - 1
    }
}

/// The value at rest: the file's, else the specification's.
fn rest(known: &Known, place: &PointedPlace) -> Result<Vec<f32>, &'static str> {
    if !place.enclosed && !known.implied {
        return Err("points into an object that the file does not have");
    }
    let own = place.value.as_ref().filter(|value| value.len() == known.count);
    own.or(known.default.as_ref()).cloned().ok_or("points at a property that the file does not have and that has no default")
}

/// Which property of the object model a pointer names.
fn known(path: &str, root: &json::Root, model: &Model) -> Result<Known, &'static str> {
    let tokens: Vec<&str> = path.split('/').collect();
    if tokens.contains(&"extras") {
        return Err("points into extras, of which nobody knows what they mean");
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
        ["", "extensions", "EXT_lights_image_based", "lights", _, "rotation"] => Some(Known::new(Property::Other, &[0.0, 0.0, 0.0, 1.0])),
        ["", "extensions", "EXT_lights_image_based", "lights", _, "intensity"] => Some(Known::new(Property::Other, &[1.0])),
        _ => None,
    };
    known.ok_or("points at nothing that an animation could drive by the glTF 2.0 Asset Object Model")
}

/// The element that a token names, as JSON pointers write indices: without sign or leading zeros.
fn at<'a, T>(elements: &'a [T], token: &str) -> Result<(usize, &'a T), &'static str> {
    let canonical = token == "0" || (!token.starts_with('0') && token.bytes().all(|byte| byte.is_ascii_digit()));
    let index = token.parse::<usize>().ok().filter(|_| canonical);
    let element = index.and_then(|index| Some((index, elements.get(index)?)));
    element.ok_or("points at an element that the file does not have")
}

/// None: no such property.
fn node_property(node: NodeIndex, rest: &[&str], model: &Model) -> Result<Option<Known>, &'static str> {
    let weights = &model.rest_weights[model.node(node).weights.clone()];
    let core = |target, values: &[f32]| Known::array(Property::Core(target), values).implied();
    Ok(Some(match rest {
        ["translation"] => core(Target::Translation(node), &[0.0; 3]),
        ["rotation"] => core(Target::Rotation(node), &[0.0, 0.0, 0.0, 1.0]),
        ["scale"] => core(Target::Scale(node), &[1.0; 3]),
        ["weights", ..] if weights.is_empty() => return Err("points at the weights of a node without morph targets"),
        ["weights"] => core(Target::Weights(node), weights),
        ["weights", weight] => {
            let (weight, value) = at(weights, weight)?;
            Known::new(Property::NodeWeight { node, weight }, &[*value]).implied()
        }
        ["extensions", "KHR_node_visibility", "visible"] => Known::boolean(Property::NodeVisible(node)).implied(),
        ["extensions", "KHR_node_selectability", "selectable"] => Known::boolean(Property::Other),
        ["extensions", "KHR_node_hoverability", "hoverable"] => Known::boolean(Property::Other),
        ["extensions", "EXT_lights_ies", "multiplier"] => Known::new(Property::Other, &[1.0]),
        ["extensions", "EXT_lights_ies", "color"] => Known::new(Property::Other, &[1.0; 3]),
        _ => return Ok(None),
    }))
}

/// None: no such property. `own`: the weights that the file gives the mesh.
fn mesh_property(mesh: usize, count: usize, own: &[f32], rest: &[&str]) -> Result<Option<Known>, &'static str> {
    let weights: Vec<f32> = own.iter().copied().chain(std::iter::repeat(0.0)).take(count).collect();
    Ok(Some(match rest {
        ["weights", ..] if weights.is_empty() => return Err("points at the weights of a mesh without morph targets"),
        ["weights"] => Known::array(Property::MeshWeights { mesh }, &weights).implied(),
        ["weights", weight] => {
            let (weight, value) = at(&weights, weight)?;
            Known::new(Property::MeshWeight { mesh, weight }, &[*value]).implied()
        }
        _ => return Ok(None),
    }))
}

fn camera_property(camera: usize, projection: &Projection, kind: &str, name: &str) -> Option<Known> {
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
    Some(Known::without_default(Property::Camera { camera, property }))
}

fn light_property(light: usize, kind: LightKind, rest: &[&str]) -> Option<Known> {
    let known = |property, default: &[f32]| Known::new(Property::Light { light, property }, default);
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

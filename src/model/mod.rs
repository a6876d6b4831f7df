//! Holds the content of a file as plain data. `asset` makes a [`Model`] from bytes. The model does not change afterwards.
//!
//! Names follow the glTF 2.0 specification. Indices into `meshes`, `skins`, `animations`, `materials`, `images`, `cameras`, `lights` and
//! `variants` are the same as in the file. Only nodes have a different order (depth-first); [`crate::model::node::Node::source`] has the
//! file's index.

pub mod animation;
pub mod camera;
pub mod finding;
pub mod hierarchy;
pub mod label;
pub mod light;
pub mod matching;
pub mod material;
pub mod material_layers;
pub mod material_property;
pub mod mesh;
pub mod node;
pub mod pointer;
pub mod skin;
pub mod texture;

use std::ops::Range;
use std::path::PathBuf;

use glam::{Affine3A, DVec3};

use animation::{Animation, Rate, Target};
use camera::Camera;
use finding::Finding;
use hierarchy::Hierarchy;
use light::Light;
use material::Material;
use mesh::{Mesh, Primitive};
use node::{Node, NodeIndex};
use pointer::Pointer;
use skin::Skin;
use texture::Image;

/// The content of one file. Every index is in range. Units are meters, seconds and radians; Y is up (glTF 2.0, 3.4).
#[derive(Debug, Clone, Default)]
pub struct Model {
    /// The file's metadata.
    pub asset: AssetInfo,
    /// Parents and rest transforms, in the order of `nodes`.
    pub hierarchy: Hierarchy,
    /// Every node of the file in depth-first order, including those outside all scenes.
    pub nodes: Vec<Node>,
    /// For each node in the file's order, its index in `nodes`.
    pub node_of_source: Vec<NodeIndex>,
    /// Every mesh of the file.
    pub meshes: Vec<Mesh>,
    /// Every skin of the file.
    pub skins: Vec<Skin>,
    /// Every animation of the file, then those borrowed from other files.
    pub animations: Vec<Animation>,
    /// The files that animations were borrowed from, in the order of these animations.
    pub borrowed: Vec<AnimationFile>,
    /// The matrices that nodes lost because borrowed animations move them. The nodes get them back without these animations.
    pub replaced_matrices: Vec<(NodeIndex, Box<Affine3A>)>,
    /// Every material of the file.
    pub materials: Vec<Material>,
    /// KHR_materials_variants.
    pub variants: Vec<Variant>,
    /// Metadata of each image; pixels are decoded separately.
    pub images: Vec<Image>,
    /// Every camera of the file; nodes place them.
    pub cameras: Vec<Camera>,
    /// KHR_lights_punctual.
    pub lights: Vec<Light>,
    /// Every scene of the file.
    pub scenes: Vec<Scene>,
    /// The property `scene` of the file.
    pub default_scene: Option<usize>,
    /// Morph weights at rest. [`Node::weights`] is the range of each node.
    pub rest_weights: Vec<f32>,
    /// For each mesh, the nodes that use the weights of the mesh because they have none of their own.
    pub mesh_weight_nodes: Vec<Vec<NodeIndex>>,
    /// Properties animated by KHR_animation_pointer, each once.
    pub pointers: Vec<Pointer>,
    /// Rest values of the pointers, one after another. [`Pointer::values`] is the range of each.
    pub rest_pointer_values: Vec<f32>,
    /// The nodes whose instances are so far from their node that `f32` is too coarse for them, in ascending order, with the center of these
    /// instances in the space of the node. The instances are drawn relative to it, and the node's matrix in the palette contains it.
    pub far_instances: Vec<(NodeIndex, DVec3)>,
    /// Length of the matrix palette: the joints of every skin, then one matrix per node with a mesh.
    pub palette_len: usize,
    /// Faults in the file that were ignored or repaired, and possible mistakes.
    pub findings: Vec<Finding>,
}

/// A file whose animations were retargeted to the nodes of this model.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct AnimationFile {
    /// The file's name, as labels show it.
    pub name: String,
    pub path: PathBuf,
    /// The indices of its animations in [`Model::animations`].
    pub animations: Range<usize>,
    /// The frame rate of each of these animations in the file. Their retargeted keys may be closer together.
    pub frame_rates: Vec<Rate>,
}

/// A named set of root nodes.
#[derive(Debug, Default, Clone)]
pub struct Scene {
    /// The name in the file.
    pub name: Option<String>,
    /// The nodes whose subtrees make up the scene.
    pub roots: Vec<NodeIndex>,
}

/// A variant of the file's materials (KHR_materials_variants). [`crate::model::mesh::Primitive::variants`] has the material that each
/// primitive uses in this variant.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Variant {
    /// The name in the file.
    pub name: Option<String>,
}

/// The file's `asset`, its extensions and its size.
#[derive(Debug, Default, Clone)]
pub struct AssetInfo {
    /// The tool that wrote the file.
    pub generator: Option<String>,
    /// The glTF version, such as "2.0".
    pub version: String,
    /// Copyright of the content.
    pub copyright: Option<String>,
    /// Size of the file and of its external files, in bytes.
    pub bytes: u64,
    /// The extensions that the file uses.
    pub extensions: Vec<Extension>,
    /// Number of textures in the file, used or not.
    pub textures: usize,
}

/// An extension in `extensionsUsed`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extension {
    /// The name, such as "KHR_texture_transform".
    pub name: String,
    /// Whether `extensionsRequired` lists it too.
    pub required: bool,
    /// Whether Sinew supports it.
    pub supported: bool,
}

impl Model {
    /// Number of animations in the file itself, without borrowed ones.
    pub fn own_animation_count(&self) -> usize {
        self.borrowed.first().map_or(self.animations.len(), |first| first.animations.start)
    }

    /// The file that an animation was borrowed from, as an index into [`Model::borrowed`]. `None` if it is from the model's own file.
    pub fn file_of_animation(&self, animation: usize) -> Option<usize> {
        self.borrowed.iter().position(|file| file.animations.contains(&animation))
    }

    /// The primitives of all meshes.
    pub fn primitives(&self) -> impl Iterator<Item = &Primitive> {
        self.meshes.iter().flat_map(|mesh| &mesh.primitives)
    }

    /// Number of mesh instances of EXT_mesh_gpu_instancing.
    pub fn instance_count(&self) -> usize {
        self.nodes.iter().map(|node| node.instances.len()).sum()
    }

    /// The point, in the space of a node, that its instances are drawn relative to. See [`Model::far_instances`].
    pub fn instances_center(&self, node: NodeIndex) -> DVec3 {
        let position = self.far_instances.binary_search_by_key(&node, |(node, _)| *node);
        position.map_or(DVec3::ZERO, |position| self.far_instances[position].1)
    }

    /// Number of triangles of all nodes. See [`Model::triangle_count`].
    pub fn drawn_triangle_count(&self) -> usize {
        self.nodes.iter().map(|node| self.triangle_count(node)).sum()
    }

    /// Number of triangles of a node, with all its instances.
    pub fn triangle_count(&self, node: &Node) -> usize {
        let mesh = node.mesh.and_then(|mesh| self.meshes.get(mesh));
        let count: usize = mesh.iter().flat_map(|mesh| &mesh.primitives).map(Primitive::triangle_count).sum();
        count * node.instances.len().max(1)
    }

    /// Whether the node's own transform moves at least one primitive of its mesh. With a skin, that is a primitive without influences.
    pub fn is_drawn_rigidly(&self, node: &Node) -> bool {
        let mesh = node.mesh.and_then(|mesh| self.meshes.get(mesh));
        mesh.is_some_and(|mesh| node.skin.is_none() || mesh.primitives.iter().any(|primitive| primitive.vertices.influences.sets == 0))
    }

    /// The node with this index in the file. `None` if there is none.
    pub fn node_from_source(&self, source: usize) -> Option<NodeIndex> {
        self.node_of_source.get(source).copied()
    }

    /// The node with this index in the model's order. Panics if there is none.
    pub fn node(&self, index: NodeIndex) -> &Node {
        &self.nodes[index.index()]
    }

    /// The node whose property a channel animates. `None` if the property does not belong to a node.
    pub fn target_node(&self, target: Target) -> Option<NodeIndex> {
        match target {
            Target::Pointer(pointer) => self.pointers[pointer].property.node(),
            _ => target.node(),
        }
    }

    /// Whether an animation drives a property of each node.
    pub fn driven_nodes(&self) -> Vec<bool> {
        let mut driven = vec![false; self.nodes.len()];
        for channel in self.animations.iter().flat_map(|animation| &animation.channels) {
            if let Some(node) = self.target_node(channel.target) {
                driven[node.index()] = true;
            }
        }
        driven
    }

    /// The indices of all nodes, parents first.
    pub fn node_indices(&self) -> impl Iterator<Item = NodeIndex> + use<> {
        (0..self.nodes.len() as u32).map(NodeIndex)
    }

    /// The animation, if the model has it. A view may name animations that the model does not have.
    pub fn existing_animation(&self, animation: Option<usize>) -> Option<usize> {
        animation.filter(|&animation| animation < self.animations.len())
    }

    /// Duration of an animation, in seconds. 0 for `None`, the rest pose, and for an animation that the model does not have.
    pub fn animation_duration(&self, animation: Option<usize>) -> f64 {
        animation.and_then(|animation| self.animations.get(animation)).map_or(0.0, |animation| animation.duration)
    }

    /// The scene to show: `requested`, or the file's default scene, or the first scene, in this order of preference. `None` shows every
    /// node.
    pub fn scene_or_default(&self, requested: Option<usize>) -> Option<usize> {
        requested.or(self.default_scene).or(if self.scenes.is_empty() { None } else { Some(0) }).filter(|&s| s < self.scenes.len())
    }

    /// Returns for each node whether it is in `scene`, in model order. Without a scene, every node is.
    pub fn nodes_in_scene(&self, scene: Option<usize>) -> Vec<bool> {
        let Some(scene) = scene.and_then(|s| self.scenes.get(s)) else { return vec![true; self.nodes.len()] };
        self.hierarchy.in_subtrees(scene.roots.iter().copied())
    }

    /// Returns for each node whether a skin uses it as a joint, in model order.
    pub fn joints(&self) -> Vec<bool> {
        let mut joints = vec![false; self.nodes.len()];
        for joint in self.skins.iter().flat_map(|skin| &skin.joints) {
            joints[joint.index()] = true;
        }
        joints
    }

    /// Returns whether no node has a mesh, so that the file has only a skeleton to show.
    pub fn is_motion_only(&self) -> bool {
        self.nodes.iter().all(|node| node.mesh.is_none())
    }

    /// Returns for each node whether the drawn skeleton includes it, in model order. The skeleton consists of the joints in `scene` and
    /// those of skins that a node of `scene` uses; of all joints if there are none of these; or, without skins, of the nodes of `scene`.
    /// Cameras and lights are left out unless there is nothing else.
    pub fn skeleton_nodes(&self, scene: Option<usize>) -> Vec<bool> {
        let (joints, in_scene) = (self.joints(), self.nodes_in_scene(scene));
        if joints.contains(&true) {
            let mut shown: Vec<bool> = joints.iter().zip(&in_scene).map(|(joint, in_scene)| *joint && *in_scene).collect();
            let mut used = vec![false; self.skins.len()];
            for skin in self.nodes.iter().zip(&in_scene).filter_map(|(node, in_scene)| node.skin.filter(|_| *in_scene)) {
                used[skin] = true;
            }
            for joint in self.skins.iter().zip(used).filter(|(_, used)| *used).flat_map(|(skin, _)| &skin.joints) {
                shown[joint.index()] = true;
            }
            return if shown.contains(&true) { shown } else { joints };
        }
        // A node with only cameras and lights below it counts as one of them.
        let mut has_camera_or_light: Vec<bool> = self.nodes.iter().map(|node| node.camera.is_some() || node.light.is_some()).collect();
        let mut shown = in_scene.clone();
        let mut has_shown_child = vec![false; self.nodes.len()];
        for node in (0..self.nodes.len()).rev() {
            let parent = self.hierarchy.parents[node].map(NodeIndex::index);
            let is_camera_or_light = has_camera_or_light[node] && !has_shown_child[node];
            shown[node] &= !is_camera_or_light;
            if let Some(parent) = parent {
                has_camera_or_light[parent] |= is_camera_or_light;
                has_shown_child[parent] |= !is_camera_or_light;
            }
        }
        if shown.contains(&true) { shown } else { in_scene }
    }
}

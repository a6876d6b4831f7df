//! Floor 1: what a file holds, as plain data. `asset` makes a [`Model`] from bytes; it never changes afterwards.
//!
//! Names are the glTF 2.0 specification's. Indices into `meshes`, `skins`, `animations`, `materials`, `images`, `cameras`,
//! `lights` and `variants` are the file's own; nodes alone are reordered (depth-first), and [`crate::model::node::Node::source`] tells the file's index.

pub mod animation;
pub mod camera;
pub mod finding;
pub mod hierarchy;
pub mod light;
pub mod material;
pub mod material_layers;
pub mod material_property;
pub mod mesh;
pub mod node;
pub mod pointer;
pub mod skin;
pub mod texture;

use animation::{Animation, Target};
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

/// One file, read and checked. Every index in it is in range.
#[derive(Debug, Default)]
pub struct Model {
    /// What the file says of itself, for `inspect`.
    pub asset: AssetInfo,
    /// Parents and rest transforms, in the order of `nodes`.
    pub hierarchy: Hierarchy,
    /// Every node of the file, those outside all scenes too, in depth-first order.
    pub nodes: Vec<Node>,
    /// For each node of the file, in the file's order: where it stands in `nodes`.
    pub node_of_source: Vec<NodeIndex>,
    pub meshes: Vec<Mesh>,
    pub skins: Vec<Skin>,
    pub animations: Vec<Animation>,
    pub materials: Vec<Material>,
    /// KHR_materials_variants.
    pub variants: Vec<Variant>,
    /// What is known of each image before its pixels are decoded.
    pub images: Vec<Image>,
    pub cameras: Vec<Camera>,
    /// KHR_lights_punctual.
    pub lights: Vec<Light>,
    pub scenes: Vec<Scene>,
    /// The file's `scene`.
    pub default_scene: Option<usize>,
    /// Morph weights at rest: each node's range is [`Node::weights`].
    pub rest_weights: Vec<f32>,
    /// For each mesh: the nodes that show it with the mesh's own weights, having none themselves.
    pub mesh_weight_nodes: Vec<Vec<NodeIndex>>,
    /// What animations drive by KHR_animation_pointer, each property once.
    pub pointers: Vec<Pointer>,
    /// The numbers of these at rest: each pointer's range is [`Pointer::values`].
    pub rest_driven: Vec<f32>,
    /// Length of the palette: every skin's joints, then one matrix for each node with a mesh.
    pub palette_len: usize,
    /// What was ignored, repaired or looks wrong.
    pub findings: Vec<Finding>,
}

/// A named set of root nodes.
#[derive(Debug, Default, Clone)]
pub struct Scene {
    pub name: Option<String>,
    pub roots: Vec<NodeIndex>,
}

/// Materials that primitives take on together: which, [`crate::model::mesh::Primitive::variants`] tells.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Variant {
    pub name: Option<String>,
}

/// The file's `asset`, its extensions and its size.
#[derive(Debug, Default, Clone)]
pub struct AssetInfo {
    pub generator: Option<String>,
    pub version: String,
    pub copyright: Option<String>,
    /// Bytes of the file and of the buffers it names.
    pub bytes: u64,
    pub extensions: Vec<Extension>,
    /// How many textures the file has, used or not.
    pub textures: usize,
}

/// An entry of `extensionsUsed`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extension {
    pub name: String,
    /// Also in `extensionsRequired`.
    pub required: bool,
    /// Whether this program does what it asks for.
    pub supported: bool,
}

impl Model {
    /// Copies of meshes that EXT_mesh_gpu_instancing makes.
    pub fn instances(&self) -> usize {
        self.nodes.iter().map(|node| node.instances.len()).sum()
    }

    /// Triangles, as often as nodes and their instances draw them.
    pub fn drawn_triangles(&self) -> usize {
        let drawn = self.nodes.iter().filter_map(|node| Some((self.meshes.get(node.mesh?)?, node.instances.len().max(1))));
        drawn.map(|(mesh, times)| mesh.primitives.iter().map(Primitive::triangles).sum::<usize>() * times).sum()
    }

    /// The node that the file calls `source`.
    pub fn node_from_source(&self, source: usize) -> Option<NodeIndex> {
        self.node_of_source.get(source).copied()
    }

    pub fn node(&self, index: NodeIndex) -> &Node {
        &self.nodes[index.index()]
    }

    /// The node whose property a channel drives; none where it is something else's.
    pub fn target_node(&self, target: Target) -> Option<NodeIndex> {
        match target {
            Target::Pointer(pointer) => self.pointers[pointer].property.node(),
            _ => target.node(),
        }
    }

    /// All nodes, parents first.
    pub fn node_indices(&self) -> impl Iterator<Item = NodeIndex> + use<> {
        (0..self.nodes.len() as u32).map(NodeIndex)
    }

    /// The scene to show: `wanted`, else the file's default, else its first, else none (then every node is shown).
    pub fn scene_or_default(&self, wanted: Option<usize>) -> Option<usize> {
        wanted.or(self.default_scene).or(if self.scenes.is_empty() { None } else { Some(0) }).filter(|&s| s < self.scenes.len())
    }

    /// For each node: whether it stands below a root of `scene`. Without a scene every node counts.
    pub fn nodes_in_scene(&self, scene: Option<usize>) -> Vec<bool> {
        let Some(scene) = scene.and_then(|s| self.scenes.get(s)) else { return vec![true; self.nodes.len()] };
        let mut inside = vec![false; self.nodes.len()];
        for root in &scene.roots {
            inside[self.hierarchy.subtree(*root)].fill(true);
        }
        inside
    }

    /// For each node: whether a skin lists it as a joint.
    pub fn joints(&self) -> Vec<bool> {
        let mut joints = vec![false; self.nodes.len()];
        for joint in self.skins.iter().flat_map(|skin| &skin.joints) {
            joints[joint.index()] = true;
        }
        joints
    }
}

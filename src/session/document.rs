//! Holds the open document: the model, and the data that is computed from the model alone. Its caches are in [`super::analyses`].

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use crate::animation::compiled::model::CompiledModel;
use crate::animation::frame_rate;
use crate::asset::error::Location;
use crate::model::Model;
use crate::model::animation::Rate;
use crate::model::finding::{Finding, Severity};
use crate::model::label;
use crate::model::mesh::Primitive;
use crate::model::node::NodeIndex;
use crate::model::texture::Image;

use super::bounds::mesh::MeshBounds;
use super::names::Names;
use super::pose::{Rig, geometry_mask};
use super::view::display::{Display, HeatMap, JointNames};
use super::view::{View, joint_switches, playback_range};

/// Identifies one reading of a file within this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DocumentId(u64);

impl DocumentId {
    /// An identifier that this process has not used before.
    fn next() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// An open file. It is built once, on opening. Afterwards only `image_states`, `findings` and `reload_of` change, and
/// [`Document::release_geometry`] may free the geometry.
///
/// ```
/// use std::sync::Arc;
///
/// use sinew::model::Model;
/// use sinew::session::document::Document;
///
/// let document = Document::new(Arc::new(Model::default()), "empty.glb".into(), None);
/// assert_eq!(document.joints.len(), document.model.nodes.len());
/// ```
#[derive(Debug, Clone)]
pub struct Document {
    /// Differs between any two readings, even of the same file. Clones share it.
    pub id: DocumentId,
    /// The id of the first reading of the same file if this is a later reading; otherwise `None`. See [`Document::mark_reload_of`].
    pub reload_of: Option<DocumentId>,
    /// The model of the file, shared with worker threads.
    pub model: Arc<Model>,
    /// The compiled model. All users share it, so that each animation is compiled only once.
    pub compiled: Arc<CompiledModel>,
    /// The file's name, as shown in the window.
    pub name: String,
    /// The file's path; `None` for the embedded sample model.
    pub path: Option<PathBuf>,
    /// Whether no node has a mesh, so that the file has only a skeleton to show. See [`Model::is_motion_only`].
    pub is_motion_only: bool,
    /// Whether each node is a joint of a skin, in model order. In a file without meshes and skins: whether the skeleton shows the node.
    pub joints: Vec<bool>,
    /// The nodes of the skeleton by scene, found when a scene is first shown. The first entry is that without a scene. See
    /// [`Document::skeleton_nodes`].
    skeletons: Arc<[OnceLock<Vec<bool>>]>,
    /// Whether an animation drives each node, in model order.
    pub driven: Vec<bool>,
    /// Whether each node is a joint whose influence cannot be switched off, in model order.
    pub fixed_influences: Vec<bool>,
    /// The joint that a rigid mesh at each node belongs to, in model order. See [`geometry_mask::owner_joints`].
    pub owner_joints: Vec<Option<NodeIndex>>,
    /// The names of nodes and animations, as lists show them.
    pub names: Arc<Names>,
    /// The frame rate of each animation, inferred from its keys or from the other animations.
    pub rates: Vec<Rate>,
    /// The number of ancestors of each node, in model order.
    pub depths: Vec<u32>,
    /// The number of triangles of each node, with all its instances, in model order.
    pub triangle_counts: Vec<usize>,
    /// The bounds of every mesh, without a pose.
    pub mesh_bounds: Arc<MeshBounds>,
    /// The decoding state of each image, in model order.
    pub image_states: Vec<ImageState>,
    /// The findings about the model, then those about its images.
    pub findings: Vec<Finding>,
}

/// Whether an image can be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImageState {
    /// The image is being decoded.
    Pending,
    /// The image is decoded.
    Ready,
    /// The image cannot be decoded.
    Failed,
}

impl Document {
    /// Makes the document of a model, which it compiles.
    pub fn new(model: Arc<Model>, name: String, path: Option<PathBuf>) -> Self {
        let compiled = CompiledModel::new(&model);
        Self::with_compiled(compiled, model, name, path)
    }

    /// The document of a model that is already compiled. `compiled` must come from `model`.
    pub fn with_compiled(compiled: CompiledModel, model: Arc<Model>, name: String, path: Option<PathBuf>) -> Self {
        let joints = if model.is_motion_only() { model.skeleton_nodes(None) } else { model.joints() };
        Self {
            id: DocumentId::next(),
            reload_of: None,
            name,
            path,
            names: Arc::new(Names::new(&model, &joints)),
            is_motion_only: model.is_motion_only(),
            joints,
            skeletons: (0..=model.scenes.len()).map(|_| OnceLock::new()).collect(),
            driven: model.driven_nodes(),
            fixed_influences: joint_switches::fixed_influences(&model),
            owner_joints: geometry_mask::owner_joints(&model),
            rates: frame_rate::model_rates(&model),
            depths: model.hierarchy.depths(),
            triangle_counts: model.nodes.iter().map(|node| model.triangle_count(node)).collect(),
            mesh_bounds: Arc::new(MeshBounds::new(&model)),
            image_states: vec![ImageState::Pending; model.images.len()],
            findings: model.findings.clone(),
            compiled: Arc::new(compiled),
            model,
        }
    }

    /// The document of the same model with other animations. It counts as a later reading of the file.
    pub fn with_animations(&self, model: Arc<Model>) -> Self {
        Self {
            id: DocumentId::next(),
            reload_of: Some(self.first_reading()),
            compiled: Arc::new(CompiledModel::new(&model)),
            names: Arc::new(Names::new(&model, &self.joints)),
            owner_joints: geometry_mask::owner_joints(&model),
            driven: model.driven_nodes(),
            rates: frame_rate::model_rates(&model),
            model,
            ..self.clone()
        }
    }

    /// Marks this document as a later reading of the previous one if both have the same path.
    pub fn mark_reload_of(&mut self, previous: &Self) {
        if self.path.is_some() && self.path == previous.path {
            self.reload_of = Some(previous.first_reading());
        }
    }

    /// The id of the first reading. It is the same for all readings of a file that replaced one another.
    pub fn first_reading(&self) -> DocumentId {
        self.reload_of.unwrap_or(self.id)
    }

    /// The model together with its compiled form.
    pub fn rig(&self) -> Rig<'_> {
        Rig { model: &self.model, compiled: &self.compiled }
    }

    /// The frame rate of the view's animation: the chosen one or, if none is chosen, the one inferred from its keys.
    pub fn rate(&self, view: &View) -> Rate {
        let inferred = || view.animation.and_then(|a| self.rates.get(a)).copied();
        playback_range::chosen_rate(view).or_else(inferred).unwrap_or(frame_rate::DEFAULT_RATE)
    }

    /// Frees vertices and indices. Call it when only the copies on the GPU are needed, because code that reads positions does not work
    /// afterwards. Has no effect while the model is shared.
    pub fn release_geometry(&mut self) {
        let meshes = Arc::get_mut(&mut self.model).map(|model| &mut model.meshes);
        for primitive in meshes.into_iter().flatten().flat_map(|mesh| &mut mesh.primitives) {
            let variants = std::mem::take(&mut primitive.variants);
            *primitive = Primitive { source: primitive.source, material: primitive.material, variants, ..Primitive::default() };
        }
    }

    /// Records that an image of the model is decoded, or why it cannot be.
    pub fn image_done(&mut self, image: usize, result: Result<(), String>) {
        let Some(state) = self.image_states.get_mut(image) else { return };
        let Err(reason) = result else {
            *state = ImageState::Ready;
            return;
        };
        *state = ImageState::Failed;
        let Location { words, pointer } = Location::image(image, self.model.images.get(image).unwrap_or(&Image::default()));
        // The loader may have reported already that it cannot decode the image's header.
        let is_reported = self.findings.iter().any(|finding| finding.pointer == pointer && finding.severity == Severity::Error);
        if !is_reported {
            let message = label::capitalized(&format!("{words}: {reason}; color textures show a checkerboard instead."));
            self.findings.push(Finding { code: "IMAGE_DATA_INVALID", severity: Severity::Warning, pointer, message });
        }
    }

    /// The number of joints that a pose of the model has, or its number of nodes if it has no joints.
    pub fn posed_joints(&self) -> usize {
        let joints = self.joint_count();
        if joints > 0 { joints } else { self.model.nodes.len() }
    }

    /// Returns the number of [`Self::joints`].
    pub fn joint_count(&self) -> usize {
        self.joints.iter().filter(|joint| **joint).count()
    }

    /// Returns for each node whether it is part of the skeleton of the view's scene, in model order. See [`Model::skeleton_nodes`].
    pub fn skeleton_nodes(&self, view: &View) -> &[bool] {
        let scene = self.model.scene_or_default(view.scene);
        self.skeletons[scene.map_or(0, |scene| scene + 1)].get_or_init(|| self.model.skeleton_nodes(scene))
    }

    /// Returns whether the skeleton is drawn: if the view asks for it, or if the model has nothing else to draw.
    pub fn shows_skeleton(&self, view: &View) -> bool {
        view.display.asks_for_skeleton() || self.is_motion_only
    }

    /// Returns whether a picture with the view's overlays shows which nodes are selected.
    pub fn marks_selection(&self, view: &View) -> bool {
        let Display { outline, names, trail, heat_map, .. } = &view.display;
        self.shows_skeleton(view) || *outline || *names != JointNames::None || trail.shown || *heat_map == HeatMap::Selection
    }
}

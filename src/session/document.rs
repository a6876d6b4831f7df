//! What is open: the model and what is worked out from it once, for every floor above to read.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use glam::DVec3;

use crate::animation::compiled::model::CompiledModel;
use crate::animation::hierarchy::bind_pose::{self, Difference};
use crate::animation::playback::{self, Rate};
use crate::camera::Bounds;
use crate::model::Model;
use crate::model::finding::{Finding, Severity};
use crate::model::mesh::Primitive;
use crate::model::node::NodeIndex;

use super::bounds::mesh::MeshBounds;
use super::bounds::{self, AtRest};
use super::inspect::weight_checks::{self, Faults};
use super::locomotion::cache::LocomotionCache;
use super::locomotion::root_cache::RootCache;
use super::motion::cache::MotionCache;
use super::pose::solve::Posed;
use super::pose::{crowd, geometry_mask};
use super::time::transport;
use super::view::{View, joint_switches};

/// Tells one reading of a file from every other in this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DocumentId(u64);

impl DocumentId {
    fn next() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// An open file. Made once when it is opened; afterwards only `image_states` and `findings` change, `bounds` with `hull`, and whether
/// `roots` wait.
#[derive(Debug, Clone)]
pub struct Document {
    /// Differs between any two readings, even of the same file. Clones share it.
    pub id: DocumentId,
    /// The first reading of the same file, if this is a later one; see [`Document::mark_reload_of`].
    pub reload_of: Option<DocumentId>,
    pub model: Arc<Model>,
    /// Shared by all who pose the model: an animation is compiled once.
    pub prepared: Arc<CompiledModel>,
    /// What the window calls it: the file's name.
    pub name: String,
    /// None: the embedded sample model.
    pub path: Option<PathBuf>,
    /// By node: whether a skin lists it.
    pub joints: Vec<bool>,
    /// By node: a joint whose influence cannot be switched off.
    pub fixed_influences: Vec<bool>,
    /// By node: who carries a rigid mesh there; see [`geometry_mask::carriers`].
    pub carriers: Vec<Option<NodeIndex>>,
    /// By animation: frames a second, as its keys tell.
    pub rates: Vec<Rate>,
    /// By node: how many ancestors.
    pub depths: Vec<u32>,
    pub extents: Arc<MeshBounds>,
    /// Joints that rest plainly otherwise than they were bound, the most turned first.
    pub rest_differences: Vec<Difference>,
    /// Of everything the chosen animation shows of the model by itself; see [`Document::refresh_bounds`].
    pub bounds: Bounds,
    /// The outermost of the places that vertices reach in it: what the camera fits.
    pub hull: Vec<DVec3>,
    /// Of the scene that is shown; see [`Document::follow_scene`].
    pub at_rest: AtRest,
    /// Of its nodes along animations, as far as somebody asked for them.
    pub motions: Arc<MotionCache>,
    /// How the model gets along in them.
    pub gaits: Arc<LocomotionCache>,
    pub roots: RootCache,
    /// Empty until somebody asked [`Document::weight_faults`]: it may take long.
    pub weight_faults: Arc<OnceLock<Faults>>,
    /// By image of the model.
    pub image_states: Vec<ImageState>,
    /// The model's, and what came up while its images were decoded.
    pub findings: Vec<Finding>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImageState {
    Pending,
    Ready,
    Failed,
}

impl Document {
    pub fn new(model: Arc<Model>, name: String, path: Option<PathBuf>, view: &View) -> Self {
        let prepared = CompiledModel::new(&model);
        Self::with(prepared, model, name, path, view)
    }

    pub fn with(prepared: CompiledModel, model: Arc<Model>, name: String, path: Option<PathBuf>, view: &View) -> Self {
        let extents = MeshBounds::new(&model);
        let prepared = Arc::new(prepared);
        let roots = RootCache::default();
        let (bounds, hull) = bounds::animation_bounds(&model, &prepared, &roots, view, &extents);
        let at_rest = AtRest::new(&model, &prepared, &roots, model.scene_or_default(view.scene), &extents);
        Self {
            id: DocumentId::next(),
            reload_of: None,
            name,
            path,
            joints: model.joints(),
            fixed_influences: joint_switches::fixed_influences(&model),
            carriers: geometry_mask::carriers(&model),
            rates: model.animations.iter().map(playback::infer_rate).collect(),
            depths: model.hierarchy.depths(),
            extents: Arc::new(extents),
            rest_differences: rest_differences(&model, &prepared, bounds.radius()),
            bounds,
            hull,
            at_rest,
            motions: Arc::default(),
            gaits: Arc::default(),
            roots,
            weight_faults: Arc::default(),
            image_states: vec![ImageState::Pending; model.images.len()],
            findings: model.findings.clone(),
            prepared,
            model,
        }
    }

    /// Marks this document as a later reading of the previous one if both have the same path.
    pub fn mark_reload_of(&mut self, previous: &Self) {
        if self.path.is_some() && self.path == previous.path {
            self.reload_of = Some(previous.first_reading());
        }
    }

    /// The same for all readings of a file that replaced one another.
    pub fn first_reading(&self) -> DocumentId {
        self.reload_of.unwrap_or(self.id)
    }

    /// Frames a second: as chosen, else inferred from the keys.
    pub fn rate(&self, view: &View) -> Rate {
        let inferred = || view.animation.and_then(|a| self.rates.get(a)).copied();
        transport::chosen_rate(view).or_else(inferred).unwrap_or(playback::DEFAULT_RATE)
    }

    /// After another animation, layer, scene or visibility was chosen.
    pub fn refresh_bounds(&mut self, view: &View) {
        (self.bounds, self.hull) = bounds::animation_bounds(&self.model, &self.prepared, &self.roots, view, &self.extents);
    }

    /// After a frame in which another scene may have been chosen.
    pub fn follow_scene(&mut self, view: &View) {
        let scene = self.model.scene_or_default(view.scene);
        if scene != self.at_rest.scene {
            self.at_rest = AtRest::new(&self.model, &self.prepared, &self.roots, scene, &self.extents);
        }
    }

    /// Room for a pose of the model.
    pub fn posed(&self) -> Posed {
        Posed::sharing(&self.model, self.prepared.clone(), self.roots.clone())
    }

    /// For a thread of its own, where nothing is drawn that is not worked out.
    pub fn waiting(&self) -> Self {
        Self { roots: self.roots.waiting(), ..self.clone() }
    }

    /// What of its weights may be a mistake. Worked out when it is first asked for.
    pub fn weight_faults(&self) -> &Faults {
        self.weight_faults.get_or_init(|| weight_checks::faults(self))
    }

    /// Lets go of vertices and indices, for who only draws what the device has: whatever asks for positions finds none. Without
    /// effect while the model is shared.
    pub fn release_geometry(&mut self) {
        let meshes = Arc::get_mut(&mut self.model).map(|model| &mut model.meshes);
        for primitive in meshes.into_iter().flatten().flat_map(|mesh| &mut mesh.primitives) {
            let variants = std::mem::take(&mut primitive.variants);
            *primitive = Primitive { source: primitive.source, material: primitive.material, variants, ..Primitive::default() };
        }
    }

    /// An image of the model can be shown now, or never will be, and why.
    pub fn image_done(&mut self, image: usize, done: Result<(), String>) {
        let Some(state) = self.image_states.get_mut(image) else { return };
        *state = if done.is_ok() { ImageState::Ready } else { ImageState::Failed };
        let pointer = format!("/images/{image}");
        // The loader may have seen from its header already that it cannot be decoded.
        let said = self.findings.iter().any(|finding| finding.pointer == pointer && finding.severity == Severity::Error);
        if let Some(reason) = done.err().filter(|_| !said) {
            let message = format!("{reason}; a checker stands in where it is a colour");
            self.findings.push(Finding { code: "IMAGE_DATA_INVALID", severity: Severity::Warning, pointer, message });
        }
    }

    /// Of everything that is shown: the model, or a crowd of it.
    pub fn crowd_bounds(&self, view: &View) -> Bounds {
        crowd::bounds(&self.bounds, crowd::count(view))
    }

    /// How many joints a pose of the model has; of a model without joints, its nodes.
    pub fn posed_joints(&self) -> usize {
        let joints = self.joints.iter().filter(|joint| **joint).count();
        if joints > 0 { joints } else { self.model.nodes.len() }
    }

    /// Whether the skeleton is drawn: where the view wants it, and where there is nothing else to see.
    pub fn shows_skeleton(&self, view: &View) -> bool {
        view.display.skeleton || view.display.xray || self.model.nodes.iter().all(|node| node.mesh.is_none())
    }
}

/// A person sees a tenth of a degree, and a thousandth of the model's radius or of a joint's scale.
fn rest_differences(model: &Model, prepared: &CompiledModel, radius: f64) -> Vec<Difference> {
    let mut differences = bind_pose::differences(model, &prepared.rest_globals);
    let is_plain = |d: &Difference| d.angle > 0.1f64.to_radians() || d.distance > 1e-3 * radius || (d.scale - 1.0).abs() > 1e-3;
    differences.retain(is_plain);
    differences.sort_by(|a, b| b.angle.total_cmp(&a.angle).then(b.distance.total_cmp(&a.distance)));
    differences
}

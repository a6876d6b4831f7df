//! Solves the pose of a model for a view at a moment, as a pure function.
//!
//! The steps are: switches, sampling and mixing (local transforms), animated properties, global transforms, palette.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::{Affine3A, DAffine3, DVec3};

use crate::animation::compiled::model::CompiledModel;
use crate::animation::compiled::sample::Sampler;
use crate::animation::hierarchy::bind_pose;
use crate::animation::hierarchy::deform::VertexPose;
use crate::animation::hierarchy::globals::{self, GlobalMatrices};
use crate::animation::hierarchy::pose::{self, Pose};
use crate::animation::hierarchy::schedule::Schedule;
use crate::animation::hierarchy::skinning::{self, JointMatrix, Override};
use crate::animation::keys::pointer_targets;
use crate::model::Model;
use crate::model::camera::Camera;
use crate::model::hierarchy::Trs;
use crate::model::light::Light;
use crate::model::material::Material;
use crate::model::mesh::Primitive;
use crate::model::node::NodeIndex;
use crate::model::pointer::Property;
use crate::session::time::moment::Moment;
use crate::session::view::joint_switches::{self, EffectiveSwitches, NodeSwitches};
use crate::session::view::{View, morph_overrides};

use super::geometry_mask::{self, VisibleIndices};
use super::layers::{self, MixBuffers};

/// A pose in all its stages, from local transforms to the palette that is uploaded.
///
/// It is allocated once per model and reused for every frame. All fields depend only on the model, view and moment of the last [`solve`],
/// never on earlier calls.
#[derive(Debug, Clone)]
pub struct Posed {
    /// The model in compiled form.
    pub compiled: Arc<CompiledModel>,
    /// Local transforms, morph weights and animated properties.
    pub pose: Pose,
    /// World transforms of all nodes, in model order, in meters.
    pub globals: Vec<DAffine3>,
    /// Transforms from mesh space to world space, one per palette entry: `global(joint) * inverse bind matrix` for the joints of each skin,
    /// then the global transform of each node with a rigid mesh.
    pub joint_transforms: Vec<DAffine3>,
    /// The palette that the vertex shader reads: `joint_transforms` in f32, relative to `anchor`.
    pub palette: Vec<JointMatrix>,
    /// A point near the model, in world space. Palette and camera are relative to it, so that f32 is precise enough far from the origin.
    pub anchor: DVec3,
    /// The effect of the joint switches on every node.
    pub effective: EffectiveSwitches,
    /// Whether each node is in the scene and visible, in model order. Its mesh is drawn only then.
    pub shown: Vec<bool>,
    /// The drawn indices of primitives of which only a part is drawn.
    pub visible_indices: Arc<VisibleIndices>,
    /// The model's materials with animated values, in model order. Empty if no animation of the file drives a material.
    pub materials: Vec<Material>,
    /// The model's cameras with animated values, in model order.
    pub cameras: Vec<Camera>,
    /// The model's lights with animated values, in model order.
    pub lights: Vec<Light>,
    /// Samples the view's animation. It remembers which animation it wrote to `pose`.
    sampler: Sampler,
    /// Buffers for layers and cross-fade.
    mix_buffers: MixBuffers,
    /// Global matrices in f32, relative to `anchor`, from which the palette is computed.
    placed: GlobalMatrices,
    /// Global transforms of nodes that are kept in f64 because they are far from the origin, in the order of `compiled.far_nodes.nodes`.
    far_nodes: Vec<DAffine3>,
    /// Global transforms of the bind pose, in model order, computed on first use.
    bind_globals: Option<Vec<DAffine3>>,
    /// Whether this is the bind pose, in which `globals` are not computed from `pose`.
    is_bind_pose: bool,
    /// Whether the view overrides morph weights.
    is_morphed: bool,
    /// Indices of the nodes whose animation is switched off.
    unanimated_nodes: Vec<usize>,
    /// Palette entries whose joint is replaced by another one, because its influence is switched off.
    pub(super) overrides: Vec<Override>,
    /// Each node's own KHR_node_visibility, animated or not, in model order. The visibility of parents is not applied.
    file_visible: Vec<bool>,
    /// The scene and switches for which `effective`, `unanimated_nodes`, `overrides`, `visible_indices` and `shown` were computed.
    cache_key: Option<(Option<usize>, BTreeMap<usize, NodeSwitches>)>,
    /// Whether the model was shifted after it was solved; see [`super::in_place`].
    pub(super) is_shifted: bool,
    /// A second pose with its view. During a cross-fade, [`super::in_place`] uses it to pose each animation alone.
    pub(super) fading_pose: Option<Box<(View, Posed)>>,
}

impl Posed {
    /// Compiles `model` and allocates buffers for its poses. They hold the rest pose until the first [`solve`].
    pub fn new(model: &Model) -> Self {
        Self::with_compiled(model, Arc::new(CompiledModel::new(model)))
    }

    /// Buffers for poses of a model that is already compiled. `compiled` must come from `model`.
    pub fn with_compiled(model: &Model, compiled: Arc<CompiledModel>) -> Self {
        let drives_materials = model.pointers.iter().any(|pointer| matches!(pointer.property, Property::Material { .. }));
        Self {
            pose: Pose::rest(model),
            globals: compiled.rest_globals.clone(),
            joint_transforms: vec![DAffine3::IDENTITY; model.palette_len],
            palette: vec![JointMatrix::IDENTITY; model.palette_len],
            anchor: DVec3::ZERO,
            effective: EffectiveSwitches::default(),
            shown: Vec::new(),
            visible_indices: Arc::default(),
            materials: if drives_materials { model.materials.clone() } else { Vec::new() },
            cameras: model.cameras.clone(),
            lights: model.lights.clone(),
            sampler: Sampler::default(),
            mix_buffers: MixBuffers::default(),
            placed: GlobalMatrices::new(&compiled.schedule),
            far_nodes: Vec::new(),
            bind_globals: None,
            is_bind_pose: false,
            is_morphed: false,
            unanimated_nodes: Vec::new(),
            overrides: Vec::new(),
            file_visible: model.nodes.iter().map(|node| node.visible).collect(),
            cache_key: None,
            is_shifted: false,
            fading_pose: None,
            compiled,
        }
    }

    /// The drawn indices of `primitive`, which is primitive number `primitive_index` of the mesh of `node`.
    pub fn indices<'a>(&'a self, node: NodeIndex, primitive_index: usize, primitive: &'a Primitive) -> &'a [u32] {
        self.visible_indices.get(&(node, primitive_index)).map_or(&primitive.indices, |indices| indices)
    }

    /// The part of the pose that moves vertices.
    pub fn vertex_pose(&self) -> VertexPose<'_> {
        VertexPose { transforms: &self.joint_transforms, anchor: self.anchor, weights: &self.pose.weights }
    }

    /// Returns whether a single animation could give this pose: it is not the bind pose, and no node is held at rest, moved back in place,
    /// without influence, morphed by the view, or far from the origin. Layers and cross-fades are not tested.
    pub fn is_single_animation(&self) -> bool {
        let is_animated = !self.is_bind_pose && !self.is_morphed && self.unanimated_nodes.is_empty() && !self.is_shifted;
        is_animated && self.overrides.is_empty() && self.compiled.far_nodes.nodes.is_empty()
    }

    /// The transform of a node relative to its parent, as a matrix. In the bind pose it is computed from the global transforms, unless that
    /// of the parent cannot be inverted.
    pub fn local_matrix(&self, model: &Model, node: usize) -> DAffine3 {
        let parent = model.hierarchy.parents[node].map_or(DAffine3::IDENTITY, |parent| self.globals[parent.index()]);
        let local = parent.inverse() * self.globals[node];
        if self.is_bind_pose && local.is_finite() { local } else { pose::local_matrix(&model.hierarchy, &self.pose.locals, node) }
    }

    /// The transform of a node relative to its parent, as translation, rotation and scale. Shear is lost.
    pub fn local(&self, model: &Model, node: usize) -> Trs {
        if self.is_bind_pose || model.hierarchy.fixed_local[node].is_some() {
            let local = self.local_matrix(model, node);
            Trs::from_matrix(&Affine3A { matrix3: local.matrix3.as_mat3().into(), translation: local.translation.as_vec3().into() })
        } else {
            self.pose.locals[node]
        }
    }
}

/// Poses `model` for `view` at `moment`. This does not keep the model in place; [`super::pose`] does both.
///
/// The same model, view and moment give the same bits in `posed`, whatever it held before. `moment` may be a time alone, in seconds on
/// the animation's time axis. Allocates only when scene, switches, animation, layers or visibility change, during cross-fades, and for
/// nodes far from the origin.
///
/// ```
/// use sinew::model::Model;
/// use sinew::session::pose::solve::{self, Posed};
/// use sinew::session::view::View;
///
/// let model = Model::default();
/// let mut posed = Posed::new(&model);
/// solve::solve(&model, &View { animation: Some(0), ..View::default() }, 0.5, &mut posed);
/// assert_eq!(posed.globals.len(), model.nodes.len());
/// ```
pub fn solve(model: &Model, view: &View, moment: impl Into<Moment>, posed: &mut Posed) {
    let moment = moment.into();
    let is_stale = apply_switches(model, view, posed);
    sample(model, view, &moment, posed);
    apply_pointers(model, view, is_stale, posed);
    posed.is_bind_pose = view.bind_pose;
    if view.bind_pose {
        compute_bind_pose(model, posed);
    } else {
        compute_globals(model, posed);
    }
}

/// Applies scene and switches if they have changed. Returns whether they have.
fn apply_switches(model: &Model, view: &View, posed: &mut Posed) -> bool {
    let scene = model.scene_or_default(view.scene);
    if posed.cache_key.as_ref().is_some_and(|(known, switches)| *known == scene && *switches == view.switches) {
        return false;
    }
    let before = posed.cache_key.replace((scene, view.switches.clone())).map(|(_, switches)| switches).unwrap_or_default();
    posed.effective = joint_switches::effective(model, &view.switches);
    posed.unanimated_nodes = (0..model.nodes.len()).filter(|&node| !posed.effective.animated[node]).collect();
    // The pose may hold values of nodes that are at rest from now on, so all values are sampled again.
    posed.mix_buffers.forget();
    posed.sampler.invalidate();
    // Finding the visible indices of heavy meshes is slow, so this runs only when a geometry switch has changed.
    if !geometry_mask::switched(&before).eq(geometry_mask::switched(&view.switches)) {
        posed.visible_indices = Arc::new(geometry_mask::visible_indices(model, &view.switches, &posed.effective.geometry));
    }
    posed.overrides = skinning::overrides(model, &posed.effective.influence, &posed.compiled.rest_globals);
    posed.placed.invalidate();
    true
}

/// Samples local transforms and weights: the view's animation, its layers, and its morph overrides.
fn sample(model: &Model, view: &View, moment: &Moment, posed: &mut Posed) {
    // The last call has overwritten morph weights that the sampler assumes to be unchanged.
    if std::mem::take(&mut posed.is_morphed) {
        posed.sampler.invalidate();
    }
    let animation = model.existing_animation(view.animation).filter(|_| !view.bind_pose);
    posed.sampler.sample(&posed.compiled, model, animation, moment.time, &mut posed.pose);
    posed.pose.reset_nodes(model, &posed.unanimated_nodes);
    let target = layers::MixTarget { compiled: &posed.compiled, model, animated: &posed.effective.animated };
    if !view.bind_pose && layers::mix(target, view, moment, &mut posed.mix_buffers, &mut posed.pose) {
        // The mixer has overwritten values that the sampler assumes to be unchanged.
        posed.sampler.invalidate();
    }
    posed.is_morphed = morph_overrides::write(model, &view.morphs, &mut posed.pose.weights);
}

/// Writes animated visibility, materials, cameras and lights (KHR_animation_pointer).
fn apply_pointers(model: &Model, view: &View, is_stale: bool, posed: &mut Posed) {
    let visibility_changed = pointer_targets::write_visible(model, &posed.pose.pointer_values, &mut posed.file_visible);
    if is_stale || visibility_changed {
        posed.effective.visible = joint_switches::visible(model, &view.switches, &posed.file_visible);
        let in_scene = model.nodes_in_scene(model.scene_or_default(view.scene));
        posed.shown = in_scene.iter().zip(&posed.effective.visible).map(|(&inside, &visible)| inside && visible).collect();
    }
    pointer_targets::write_materials(model, &posed.pose.pointer_values, &mut posed.materials);
    pointer_targets::write_cameras(model, &posed.pose.pointer_values, &mut posed.cameras);
    pointer_targets::write_lights(model, &posed.pose.pointer_values, &mut posed.lights);
}

/// Computes global transforms, joint transforms and palette of the bind pose.
fn compute_bind_pose(model: &Model, posed: &mut Posed) {
    let compiled = &*posed.compiled;
    let bind_globals = posed.bind_globals.get_or_insert_with(|| bind_pose::globals(model, &compiled.rest_globals));
    posed.globals.copy_from_slice(bind_globals);
    posed.far_nodes.clear();
    posed.far_nodes.extend(compiled.far_nodes.nodes.iter().map(|&node| posed.globals[node]));
    posed.anchor = compiled.far_nodes.anchor(&posed.far_nodes);
    skinning::joint_transforms(model, &posed.globals, &posed.overrides, &mut posed.joint_transforms);
    for (entry, transform) in posed.palette.iter_mut().zip(&posed.joint_transforms) {
        *entry = JointMatrix::anchored(transform, posed.anchor);
    }
    posed.placed.invalidate();
    posed.is_shifted = false;
}

/// Computes global transforms, joint transforms and palette from local transforms.
fn compute_globals(model: &Model, posed: &mut Posed) {
    let (compiled, locals) = (&*posed.compiled, &posed.pose.locals);
    let far = posed.sampler.far(&posed.unanimated_nodes);
    compiled.far_nodes.globals(model, locals, &far, &mut posed.far_nodes);
    posed.anchor = compiled.far_nodes.anchor(&posed.far_nodes);
    if std::mem::take(&mut posed.is_shifted) {
        posed.placed.invalidate();
    }
    // Nodes that nothing has moved since the last pose are not computed again.
    let is_complete = posed.placed.has_static();
    posed.placed.set_base_slots(&posed.far_nodes, posed.anchor);
    globals::compute(compiled.instructions, &compiled.schedule, locals, &mut posed.placed, &mut posed.palette);
    for far in &compiled.far_nodes.entries {
        posed.palette[far.entry] = JointMatrix::anchored(&(posed.far_nodes[far.far_node] * far.inverse_bind_matrix), posed.anchor);
    }
    if is_complete {
        let Schedule { moving_nodes, moving_rigid_nodes, .. } = &compiled.schedule;
        let nodes = moving_nodes.iter().map(|&node| node as usize);
        pose::update_global_transforms(&model.hierarchy, nodes, locals, &far, &mut posed.globals);
        let rigid_nodes = moving_rigid_nodes.iter().map(|&[node, entry]| (node as usize, entry as usize));
        skinning::update_joint_transforms(model, rigid_nodes, &posed.globals, &posed.overrides, &mut posed.joint_transforms);
    } else {
        pose::global_transforms(&model.hierarchy, locals, &far, &mut posed.globals);
        skinning::joint_transforms(model, &posed.globals, &posed.overrides, &mut posed.joint_transforms);
    }
    skinning::substitute(&posed.overrides, posed.anchor, &mut posed.palette);
}

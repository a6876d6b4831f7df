//! The pose of a model as a view wants it, at a moment. Window, picture and numbers all come from [`pose`].

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::{Affine3A, DAffine3, DVec3};

use crate::animation::compiled::model::CompiledModel;
use crate::animation::compiled::sample::Sampler;
use crate::animation::hierarchy::bind_pose;
use crate::animation::hierarchy::globals::{self, GlobalMatrices};
use crate::animation::hierarchy::pose::{self, Pose};
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
use crate::session::locomotion::root_cache::RootCache;
use crate::session::time::transport::Moment;
use crate::session::view::joint_switches::{self, Effective, NodeSwitches};
use crate::session::view::{View, morph_overrides};

use super::geometry_mask::{self, VisibleIndices};
use super::in_place::{InPlace, Shift};
use super::layers::{self, Mixing};

/// A pose in all its stages, allocated once a model. Nothing in it is state: the same model, view and moment give the same.
#[derive(Debug, Clone)]
pub struct Posed {
    pub prepared: Arc<CompiledModel>,
    /// Shared by all who pose the model.
    pub roots: RootCache,
    pub pose: Pose,
    /// World transforms, by node.
    pub globals: Vec<DAffine3>,
    /// World transforms of what the palette's entries move: joints with their inverse bind matrices, then rigid nodes.
    pub transforms: Vec<DAffine3>,
    /// What the vertex shader reads: `transforms` in f32, relative to `anchor`.
    pub palette: Vec<JointMatrix>,
    /// A place near the model, so that palette and camera can be f32 however far from the origin it is.
    pub anchor: DVec3,
    /// The switches' meaning.
    pub effective: Effective,
    /// By node: in the scene and visible, so that its mesh is drawn.
    pub shown: Vec<bool>,
    /// What is left of meshes that are not drawn whole.
    pub left: Arc<VisibleIndices>,
    /// The model's materials with what is driven in them; none where no animation of the file drives any.
    pub materials: Vec<Material>,
    /// The model's cameras with what is driven in them.
    pub cameras: Vec<Camera>,
    /// The model's lights with what is driven in them.
    pub lights: Vec<Light>,
    sampler: Sampler,
    mixing: Mixing,
    in_place: InPlace,
    /// What the model is moved by, to stay in place.
    shifts: [Option<Shift>; 2],
    placed: GlobalMatrices,
    /// Global transforms of the trunk.
    trunk: Vec<DAffine3>,
    /// Global transforms of the bind pose, once it was asked for.
    bind_globals: Option<Vec<DAffine3>>,
    /// This is the bind pose: `globals` do not follow from `pose`.
    is_bound: bool,
    /// Morph weights were set by a person.
    is_morphed: bool,
    /// Nodes that are not animated.
    held: Vec<usize>,
    overrides: Vec<Override>,
    /// By node: KHR_node_visibility, driven or not, whatever the parents'.
    file_visible: Vec<bool>,
    /// What `effective`, `held`, `overrides`, `left` and `shown` were made for.
    made_for: Option<(Option<usize>, BTreeMap<usize, NodeSwitches>)>,
}

impl Posed {
    /// The rest pose, nothing switched.
    pub fn new(model: &Model) -> Self {
        Self::with(model, Arc::new(CompiledModel::new(model)))
    }

    /// The same for a model that is prepared already.
    pub fn with(model: &Model, prepared: Arc<CompiledModel>) -> Self {
        Self::sharing(model, prepared, RootCache::default())
    }

    /// And whose roots others may have found.
    pub fn sharing(model: &Model, prepared: Arc<CompiledModel>, roots: RootCache) -> Self {
        let drives_materials = model.pointers.iter().any(|pointer| matches!(pointer.property, Property::Material { .. }));
        Self {
            roots,
            pose: Pose::rest(model),
            globals: prepared.rest_globals.clone(),
            transforms: vec![DAffine3::IDENTITY; model.palette_len],
            palette: vec![JointMatrix::IDENTITY; model.palette_len],
            anchor: DVec3::ZERO,
            effective: Effective::default(),
            shown: Vec::new(),
            left: Arc::default(),
            materials: if drives_materials { model.materials.clone() } else { Vec::new() },
            cameras: model.cameras.clone(),
            lights: model.lights.clone(),
            sampler: Sampler::default(),
            mixing: Mixing::default(),
            in_place: InPlace::default(),
            shifts: [None, None],
            placed: GlobalMatrices::new(&prepared.schedule),
            trunk: Vec::new(),
            bind_globals: None,
            is_bound: false,
            is_morphed: false,
            held: Vec::new(),
            overrides: Vec::new(),
            file_visible: model.nodes.iter().map(|node| node.visible).collect(),
            made_for: None,
            prepared,
        }
    }

    /// What is drawn of a primitive of a node's mesh.
    pub fn indices<'a>(&'a self, node: NodeIndex, place: usize, primitive: &'a Primitive) -> &'a [u32] {
        self.left.get(&(node, place)).unwrap_or(&primitive.indices)
    }

    fn is_shifted(&self) -> bool {
        self.shifts.iter().any(Option::is_some)
    }

    /// Whether an animation alone made it: nothing is held at rest or in place, has its influence switched off or is set by a
    /// person, and nothing is far out.
    pub fn is_plain(&self) -> bool {
        let is_animated = !self.is_bound && !self.is_morphed && self.held.is_empty() && !self.is_shifted();
        is_animated && self.overrides.is_empty() && self.prepared.far_nodes.nodes.is_empty()
    }

    /// A node's transform relative to its parent.
    pub fn local_matrix(&self, model: &Model, node: usize) -> DAffine3 {
        let parent = model.hierarchy.parents[node].map_or(DAffine3::IDENTITY, |parent| self.globals[parent.index()]);
        let local = parent.inverse() * self.globals[node];
        if self.is_bound && local.is_finite() { local } else { pose::local_matrix(&model.hierarchy, &self.pose.locals, node) }
    }

    /// The same taken apart; shear is lost.
    pub fn local(&self, model: &Model, node: usize) -> Trs {
        if self.is_bound || model.hierarchy.fixed_local[node].is_some() {
            let local = self.local_matrix(model, node);
            Trs::from_matrix(&Affine3A { matrix3: local.matrix3.as_mat3().into(), translation: local.translation.as_vec3().into() })
        } else {
            self.pose.locals[node]
        }
    }
}

/// Poses `model` as `view` wants it at a moment, or at a time alone (seconds on the animation's own key times). Allocates only
/// when scene, switches, animation, layers or what the file shows change.
pub fn pose(model: &Model, view: &View, moment: impl Into<Moment>, posed: &mut Posed) {
    let moment = moment.into();
    let scene = model.scene_or_default(view.scene);
    let stale = !posed.made_for.as_ref().is_some_and(|(made_scene, switches)| *made_scene == scene && *switches == view.switches);
    if stale {
        let before = posed.made_for.replace((scene, view.switches.clone())).map(|(_, switches)| switches).unwrap_or_default();
        posed.effective = joint_switches::effective(model, &view.switches);
        posed.held = (0..model.nodes.len()).filter(|&node| !posed.effective.animated[node]).collect();
        posed.mixing.forget();
        posed.sampler.invalidate();
        // It takes long: not for what leaves geometry as it is.
        if !geometry_mask::switched(&before).eq(geometry_mask::switched(&view.switches)) {
            posed.left = Arc::new(geometry_mask::left(model, &view.switches, &posed.effective.geometry));
        }
        posed.overrides = skinning::overrides(model, &posed.effective.influence, &posed.prepared.rest_globals);
        posed.placed.invalidate();
    }
    if std::mem::take(&mut posed.is_morphed) {
        posed.sampler.invalidate();
    }
    let animation = view.animation.filter(|&animation| animation < model.animations.len() && !view.bind_pose);
    posed.sampler.sample(&posed.prepared, model, animation, moment.time, &mut posed.pose);
    posed.pose.hold(model, &posed.held);
    let is_animated = &posed.effective.animated;
    if !view.bind_pose && layers::mix(&posed.prepared, model, view, &moment, is_animated, &mut posed.mixing, &mut posed.pose) {
        // What the sampler left as it was is not so any more.
        posed.sampler.invalidate();
    }
    posed.is_morphed = morph_overrides::write(model, &view.morphs, &mut posed.pose.weights);
    let shows_others = pointer_targets::write_visible(model, &posed.pose.pointer_values, &mut posed.file_visible);
    if stale || shows_others {
        posed.effective.visible = joint_switches::visible(model, &view.switches, &posed.file_visible);
        let in_scene = model.nodes_in_scene(scene);
        posed.shown = in_scene.iter().zip(&posed.effective.visible).map(|(&inside, &visible)| inside && visible).collect();
    }
    pointer_targets::write_materials(model, &posed.pose.pointer_values, &mut posed.materials);
    pointer_targets::write_cameras(model, &posed.pose.pointer_values, &mut posed.cameras);
    pointer_targets::write_lights(model, &posed.pose.pointer_values, &mut posed.lights);
    posed.is_bound = view.bind_pose;
    if view.bind_pose {
        place_bound(model, posed);
    } else {
        place(model, view, &moment, posed);
    }
}

/// The bind pose to all that follows from it.
fn place_bound(model: &Model, posed: &mut Posed) {
    let prepared = &*posed.prepared;
    let bind_globals = posed.bind_globals.get_or_insert_with(|| bind_pose::globals(model, &prepared.rest_globals));
    posed.globals.copy_from_slice(bind_globals);
    posed.trunk.clear();
    posed.trunk.extend(prepared.far_nodes.nodes.iter().map(|&node| posed.globals[node]));
    posed.anchor = prepared.far_nodes.anchor(&posed.trunk);
    skinning::joint_transforms(model, &posed.globals, &posed.overrides, &mut posed.transforms);
    for (entry, transform) in posed.palette.iter_mut().zip(&posed.transforms) {
        *entry = JointMatrix::anchored(transform, posed.anchor);
    }
    posed.placed.invalidate();
    posed.shifts = [None, None];
}

/// From local transforms to all that follows from them.
fn place(model: &Model, view: &View, moment: &Moment, posed: &mut Posed) {
    let (prepared, locals) = (&*posed.prepared, &posed.pose.locals);
    let far = posed.sampler.far(&posed.held);
    prepared.far_nodes.globals(model, locals, &far, &mut posed.trunk);
    posed.anchor = prepared.far_nodes.anchor(&posed.trunk);
    if posed.is_shifted() {
        posed.placed.invalidate();
    }
    posed.placed.set_base_slots(&posed.trunk, posed.anchor);
    globals::compute(prepared.instructions, &prepared.schedule, locals, &mut posed.placed, &mut posed.palette);
    for far in &prepared.far_nodes.entries {
        posed.palette[far.entry] = JointMatrix::anchored(&(posed.trunk[far.at] * far.inverse_bind_matrix), posed.anchor);
    }
    pose::global_transforms(&model.hierarchy, locals, &far, &mut posed.globals);
    shift_back(model, view, moment, posed);
    skinning::joint_transforms(model, &posed.globals, &posed.overrides, &mut posed.transforms);
    follow_anchor(model, posed);
    skinning::substitute(&posed.overrides, posed.anchor, &mut posed.palette);
}

/// What stays in place is moved back in the world. The anchor goes along, so that it stays as near as it was.
fn shift_back(model: &Model, view: &View, moment: &Moment, posed: &mut Posed) {
    let place = |node: usize| posed.globals[node].translation;
    posed.shifts = match view.in_place {
        true => posed.in_place.shifts(model, &posed.prepared, &posed.roots, view, moment, place),
        false => [None, None],
    };
    for Shift { nodes, by } in posed.shifts.iter().flatten() {
        for global in &mut posed.globals[nodes.clone()] {
            global.translation += by;
        }
        posed.anchor += by;
    }
}

/// What does not move with the anchor of a model that stays in place is written anew.
fn follow_anchor(model: &Model, posed: &mut Posed) {
    if !posed.is_shifted() {
        return;
    }
    let goes_along = |node: usize| posed.shifts.iter().flatten().all(|shift| shift.nodes.contains(&node));
    let joints = model.skins.iter().flat_map(|skin| skin.matrices.clone().zip(skin.joints.iter().map(|joint| joint.index())));
    let rigid = model.nodes.iter().enumerate().filter_map(|(i, node)| Some((node.rigid_matrix?, i)));
    for (entry, _) in joints.chain(rigid).filter(|(_, node)| !goes_along(*node)) {
        posed.palette[entry] = JointMatrix::anchored(&posed.transforms[entry], posed.anchor);
    }
}

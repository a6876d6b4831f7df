//! Carries all animations of one model over to another, and appends them to the animations of that model.

use std::path::PathBuf;

use crate::animation::frame_rate;
use crate::model::animation::{Animation, Rate, Target};
use crate::model::{AnimationFile, Model};

use super::bake::Baker;
use super::binding;
use super::method::{self, Method};
use super::rotation::Plan;
use super::{Carried, Settings};
use super::{direct, weights};

/// Carries the animations of `source` over to the nodes of `target`, which are paired by name. Takes seconds for long animations.
///
/// # Example
///
/// ```
/// use sinew::model::Model;
/// use sinew::retarget::{Settings, carry};
///
/// let carried = carry::carry(&Model::default(), &Model::default(), &Settings::default());
/// assert!(carried.animations.is_empty() && carried.binding.pairs.is_empty());
/// ```
pub fn carry(source: &Model, target: &Model, settings: &Settings) -> Carried {
    let binding = binding::bind(source, target, &settings.by_hand);
    let method = settings.method.unwrap_or_else(|| method::choose(source, target, &binding));
    let counterparts = binding.counterparts(source.nodes.len());
    let plan = (method == Method::Rotation).then(|| Plan::new(source, target, &binding, settings.align_rest));
    let (mut animations, mut reduced) = (Vec::with_capacity(source.animations.len()), Vec::new());
    // Leave out the animations that the source itself has borrowed from other files.
    let source_animations = &source.animations[..source.own_animation_count()];
    let mut baker = plan.as_ref().map(|plan| Baker::new(plan, source, source_animations.len()));
    let mut weight_budget = weights::budget(source_animations);
    for (index, animation) in source_animations.iter().enumerate() {
        let (mut carried, mut is_reduced) = match &mut baker {
            Some(baker) => {
                let baked = baker.bake(animation);
                (baked.animation, baked.is_reduced)
            }
            None => (direct::copy(animation, &counterparts), false),
        };
        is_reduced |= weights::carry(source, target, animation, &counterparts, &mut weight_budget, &mut carried);
        if is_reduced {
            reduced.push(index);
        }
        animations.push(carried);
    }
    // Retargeting adds keys, so the rate cannot be inferred from the new keys.
    let frame_rates = frame_rate::infer_rates(source_animations);
    Carried { animations, frame_rates, binding, method, reduced }
}

/// A file whose animations were carried over.
#[derive(Debug, Clone, Default)]
pub struct CarriedFile {
    /// The file's name, as labels show it.
    pub name: String,
    pub path: PathBuf,
    pub animations: Vec<Animation>,
    /// See [`Carried::frame_rates`].
    pub frame_rates: Vec<Rate>,
}

/// Appends the animations of other files to the model's animations. Animations that it borrowed before are removed. A node whose
/// translation, rotation or scale is animated uses these instead of its matrix.
pub fn with_animations(model: Model, files: Vec<CarriedFile>) -> Model {
    let own_count = model.own_animation_count();
    let mut animations = model.animations;
    animations.truncate(own_count);
    let mut borrowed = Vec::with_capacity(files.len());
    for CarriedFile { name, path, animations: carried, frame_rates } in files {
        let start = animations.len();
        animations.extend(carried);
        borrowed.push(AnimationFile { name, path, animations: start..animations.len(), frame_rates });
    }
    let mut hierarchy = model.hierarchy;
    for (node, matrix) in model.replaced_matrices {
        hierarchy.fixed_local[node.index()] = Some(matrix);
    }
    let mut replaced_matrices = Vec::new();
    for channel in animations.iter().flat_map(|animation| &animation.channels) {
        if let Target::Translation(node) | Target::Rotation(node) | Target::Scale(node) = channel.target {
            replaced_matrices.extend(hierarchy.fixed_local[node.index()].take().map(|matrix| (node, matrix)));
        }
    }
    Model { animations, borrowed, hierarchy, replaced_matrices, ..model }
}

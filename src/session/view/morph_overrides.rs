//! Morph weights that the user has set. They replace the weights of the file or of an animation.

use std::collections::BTreeMap;

use crate::model::Model;

/// Weight overrides by node (its index in the file) and by morph target.
pub type Morphs = BTreeMap<usize, BTreeMap<usize, f32>>;

/// Writes the overrides into a pose's `weights`. Returns whether any was written. Skips nodes and targets that do not exist, and values
/// that are not finite.
pub fn write(model: &Model, morphs: &Morphs, weights: &mut [f32]) -> bool {
    let mut any = false;
    for (&source, targets) in morphs {
        let Some(node) = model.node_from_source(source) else { continue };
        let weights = &mut weights[model.node(node).weights.clone()];
        for (&target, &value) in targets.iter().filter(|(_, value)| value.is_finite()) {
            if let Some(weight) = weights.get_mut(target) {
                *weight = value;
                any = true;
            }
        }
    }
    any
}

/// Sets an override. `source` is the node's index in the file.
pub fn set(morphs: &mut Morphs, source: usize, target: usize, weight: f32) {
    morphs.entry(source).or_default().insert(target, weight);
}

/// Removes an override.
pub fn reset(morphs: &mut Morphs, source: usize, target: usize) {
    if let Some(targets) = morphs.get_mut(&source) {
        targets.remove(&target);
        if targets.is_empty() {
            morphs.remove(&source);
        }
    }
}

/// The override of a morph target, if any.
pub fn get(morphs: &Morphs, source: usize, target: usize) -> Option<f32> {
    morphs.get(&source)?.get(&target).copied()
}

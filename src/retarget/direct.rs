//! Copies the channels of bound nodes to their counterparts without changing the keyframes.

use crate::model::animation::{Animation, Channel, Target};
use crate::model::node::NodeIndex;

/// Copies the channels of an animation to the counterparts of its nodes, with the same keys and interpolation. `counterparts` has one entry
/// per node of the source. Morph weights are left out.
pub fn copy(animation: &Animation, counterparts: &[Option<NodeIndex>]) -> Animation {
    let mut copy = Animation { name: animation.name.clone(), duration: animation.duration, ..Animation::default() };
    let mut sets: Vec<Option<usize>> = vec![None; animation.key_times.len()];
    for channel in &animation.channels {
        let counterpart = |node: NodeIndex| counterparts[node.index()];
        let target = match channel.target {
            Target::Translation(node) => counterpart(node).map(Target::Translation),
            Target::Rotation(node) => counterpart(node).map(Target::Rotation),
            Target::Scale(node) => counterpart(node).map(Target::Scale),
            Target::Weights(_) | Target::Pointer(_) => None,
        };
        if let Some(target) = target {
            let key_times = copy_key_times(&mut sets, animation, channel.key_times, &mut copy);
            copy.channels.push(Channel { target, key_times, ..channel.clone() });
        }
    }
    copy
}

/// Copies a set of key times unless the copy has it already. Returns its index in the copy. `sets` has that index for each set that was
/// copied.
pub fn copy_key_times(sets: &mut [Option<usize>], animation: &Animation, set: usize, copy: &mut Animation) -> usize {
    *sets[set].get_or_insert_with(|| {
        copy.key_times.push(animation.key_times[set].clone());
        copy.key_times.len() - 1
    })
}

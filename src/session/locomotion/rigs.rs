//! Groups the joints of a scene into rigs, so that the distance between two characters does not count as the size of one.

use std::ops::Range;

use crate::model::Model;
use crate::model::node::NodeIndex;

/// Returns for each node whether it is one of `joints` and in the file's default scene, in model order. Returns `joints` if the scene has
/// none of them.
pub fn in_scene(model: &Model, joints: &[bool]) -> Vec<bool> {
    let in_scene = model.nodes_in_scene(model.scene_or_default(None));
    let shown: Vec<bool> = joints.iter().zip(in_scene).map(|(&joint, in_scene)| joint && in_scene).collect();
    if shown.contains(&true) { shown } else { joints.to_vec() }
}

/// The rigs, as ranges of nodes, in model order. A rig is the smallest subtree that has all `joints` of a skin. Skins share a rig if one
/// subtree contains the other, as the subtrees of a body and its hair do.
pub fn rigs(model: &Model, joints: &[bool]) -> Vec<Range<usize>> {
    let ends = |skin: &Vec<NodeIndex>| {
        let joints = || skin.iter().map(|joint| joint.index()).filter(|&joint| joints[joint]);
        Some([joints().min()?, joints().max()?])
    };
    let mut skins: Vec<[usize; 2]> = model.skins.iter().filter_map(|skin| ends(&skin.joints)).collect();
    skins.sort_unstable();
    let mut rigs: Vec<Range<usize>> = Vec::new();
    for [first, last] in skins {
        // A skin that begins in the previous rig belongs to it. The search for the common ancestor goes on at the top of this rig, so no
        // node is visited twice.
        let first = rigs.last().filter(|rig| rig.contains(&first)).map_or(first, |rig| rig.start);
        if rigs.last().is_some_and(|rig| rig.contains(&first) && rig.contains(&last)) {
            continue;
        }
        let rig = common_subtree(model, first, last);
        while rigs.pop_if(|previous| previous.start >= rig.start).is_some() {}
        rigs.push(rig);
    }
    rigs
}

/// The smallest subtree that has two nodes, of which `first` has the lower index. If they have no common ancestor, the result reaches from
/// the root of the first to the end of the last one's.
fn common_subtree(model: &Model, first: usize, last: usize) -> Range<usize> {
    let subtrees = |node: usize| {
        let ancestors = std::iter::successors(Some(NodeIndex(node as u32)), |&up| model.hierarchy.parent(up));
        ancestors.map(|top| model.hierarchy.subtree(top))
    };
    let mut whole = first..last + 1;
    for subtree in subtrees(first) {
        if subtree.contains(&last) {
            return subtree;
        }
        whole.start = subtree.start;
    }
    whole.end = subtrees(last).last().map_or(whole.end, |subtree| subtree.end);
    whole
}

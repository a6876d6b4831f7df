//! The tree of bound joints. It determines which joints travel, that is, move the whole character, and how the rest pose of the target's
//! limbs is aligned to the rest pose of the source.

use std::collections::HashMap;

use glam::{DQuat, DVec3};

use crate::model::Model;
use crate::model::node::NodeIndex;

use super::binding::Pair;
use super::binding::humanoid;
use super::rest::direction;

/// The tree of the bound joints, as in the target. The index of a joint is the index of its pair. All lists have one entry per joint.
pub struct Skeleton {
    /// The nearest bound ancestor.
    parents: Vec<Option<usize>>,
    /// The only bound child; `None` if the joint has none or several.
    only_child: Vec<Option<usize>>,
    /// Whether the joint takes over the movement of its counterpart.
    pub travels: Vec<bool>,
    /// The joint whose height is compared to find the relative size of two skeletons.
    pub hips: Option<usize>,
    /// The alignment of the rest pose.
    alignment: Vec<Alignment>,
    /// The joint that this one follows; see [`Skeleton::followed_joint`].
    followed: Vec<Option<usize>>,
}

/// The alignment of a joint's rest rotation to the rest rotation of the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Alignment {
    /// The rest rotation of the target is kept, so that feet stay flat on the ground and the head looks ahead.
    Keep,
    /// The joint is rotated like its parent.
    Inherit,
    /// The joint is rotated by the shortest arc that gives its only child the direction that it has in the source.
    PointAtChild,
}

impl Skeleton {
    /// The tree of these pairs, which are in the order of the target's nodes.
    pub fn new(source: &Model, target: &Model, pairs: &[Pair]) -> Self {
        let parents = bound_parents(target, pairs, |pair| pair.target);
        let mut children = vec![(0_usize, None); pairs.len()];
        for (joint, parent) in parents.iter().enumerate() {
            if let Some(parent) = parent {
                children[*parent] = (children[*parent].0 + 1, Some(joint));
            }
        }
        let only_child: Vec<_> = children.iter().map(|(count, child)| child.filter(|_| *count == 1)).collect();
        let names = joint_names(source, target, pairs);
        let named_hips = names.iter().position(|name| *name == Some("hips"));
        let hips = named_hips.or_else(|| first_branching_joint(&children, &parents));
        let source_parents = bound_parents(source, pairs, |pair| pair.source);
        let followed = source_parents.iter().zip(&parents).map(|(source_parent, parent)| {
            let source_parent = source_parent.filter(|source_parent| Some(*source_parent) != *parent)?;
            let is_ancestor = |parent: usize| source.hierarchy.subtree(pairs[parent].source).contains(&pairs[source_parent].source.index());
            parent.is_none_or(is_ancestor).then_some(source_parent)
        });
        let followed: Vec<Option<usize>> = followed.collect();
        let mut travels: Vec<bool> =
            parents.iter().zip(&followed).map(|(parent, followed)| parent.is_none() && followed.is_none()).collect();
        for joint in std::iter::successors(hips, |&joint| parents[joint]) {
            travels[joint] = true;
        }
        let is_humanoid = names.iter().flatten().count() >= humanoid::MIN_JOINTS;
        let alignment = (0..pairs.len()).map(|joint| match names[joint] {
            _ if travels[joint] => Alignment::Keep,
            name if is_humanoid => humanoid_alignment(name),
            _ if only_child[joint].is_some() => Alignment::PointAtChild,
            _ => Alignment::Inherit,
        });
        let alignment = alignment.collect();
        Self { parents, only_child, travels, hips, alignment, followed }
    }

    /// The joint that this one follows: its parent in the source, if its parent in the target is a more distant ancestor in the source, or
    /// if it has no parent in the target. For example, a foot follows the leg if it is a child of the root in the target, for inverse
    /// kinematics.
    pub fn followed_joint(&self, joint: usize) -> Option<usize> {
        self.followed[joint]
    }

    /// Each joint that has a bound ancestor, as a pair: the nearest bound ancestor, then the joint.
    pub fn parents_and_children(&self) -> impl Iterator<Item = [usize; 2]> + '_ {
        self.parents.iter().enumerate().filter_map(|(joint, parent)| Some([(*parent)?, joint]))
    }

    /// The rotations in global space that align the rest pose of each joint of the target to the source. `source` and `target` are the
    /// global positions in both rest poses, one per joint, after the source was rotated to face the same way as the target.
    pub fn aligned(&self, source: &[DVec3], target: &[DVec3]) -> Vec<DQuat> {
        let mut rotations: Vec<DQuat> = Vec::with_capacity(self.parents.len());
        for (joint, alignment) in self.alignment.iter().enumerate() {
            let inherited = self.parents[joint].map_or(DQuat::IDENTITY, |parent| rotations[parent]);
            rotations.push(match alignment {
                Alignment::Keep => DQuat::IDENTITY,
                Alignment::Inherit => inherited,
                Alignment::PointAtChild => self.point_at_child(joint, source, target, inherited).unwrap_or(inherited),
            });
        }
        rotations
    }

    /// The inherited rotation, followed by the shortest arc that gives the only child the direction that it has in the source. `None` if
    /// the child has no direction, because it is at the joint's position.
    fn point_at_child(&self, joint: usize, source: &[DVec3], target: &[DVec3], inherited: DQuat) -> Option<DQuat> {
        let child = self.only_child[joint]?;
        let [wanted, rest] = [direction(source[joint], source[child])?, direction(target[joint], target[child])?];
        Some(DQuat::from_rotation_arc((inherited * rest).normalize(), wanted) * inherited)
    }
}

/// The alignment of a joint of a humanoid. Only limbs are aligned, because the shape of the spine belongs to the character.
fn humanoid_alignment(name: Option<&str>) -> Alignment {
    match name {
        Some("shoulder" | "upperArm" | "lowerArm" | "upperLeg" | "lowerLeg") => Alignment::PointAtChild,
        Some("hips" | "spine" | "chest" | "upperChest" | "neck" | "head" | "jaw" | "eye" | "foot") => Alignment::Keep,
        // Hands, fingers, toes, and joints that no humanoid has, such as twist joints.
        _ => Alignment::Inherit,
    }
}

/// For each pair, the pair of its nearest bound ancestor in one of the models. `node` returns the node of that model in a pair.
fn bound_parents(model: &Model, pairs: &[Pair], node: fn(&Pair) -> NodeIndex) -> Vec<Option<usize>> {
    let pair_of_node: HashMap<_, _> = pairs.iter().enumerate().map(|(index, pair)| (node(pair), index)).collect();
    let mut nearest: Vec<Option<usize>> = Vec::with_capacity(model.nodes.len());
    for index in model.node_indices() {
        let parent = model.hierarchy.parent(index);
        nearest.push(parent.and_then(|parent| pair_of_node.get(&parent).copied().or(nearest[parent.index()])));
    }
    pairs.iter().map(|pair| nearest[node(pair).index()]).collect()
}

/// The humanoid joint of each pair, by the name in the target, or by the name in the source if the target's name is unknown.
fn joint_names(source: &Model, target: &Model, pairs: &[Pair]) -> Vec<Option<&'static str>> {
    let named = |model: &Model, node: fn(&Pair) -> NodeIndex| -> HashMap<_, _> {
        let names: Vec<_> = pairs.iter().filter_map(|pair| Some((node(pair), model.node(node(pair)).name.as_deref()?))).collect();
        humanoid::joints(&names).into_iter().map(|(node, joint)| (node, joint.name)).collect()
    };
    let [sources, targets] = [named(source, |pair| pair.source), named(target, |pair| pair.target)];
    pairs.iter().map(|pair| targets.get(&pair.target).or_else(|| sources.get(&pair.source)).copied()).collect()
}

/// The first joint with several bound children, going down from the first root. The root itself if the joints form one chain. `children`
/// contains, for each joint, the number of its children and the last child.
fn first_branching_joint(children: &[(usize, Option<usize>)], parents: &[Option<usize>]) -> Option<usize> {
    let root = parents.iter().position(Option::is_none)?;
    let mut joint = root;
    loop {
        match children.get(joint)? {
            (1, Some(child)) => joint = *child,
            (0, _) => return Some(root),
            _ => return Some(joint),
        }
    }
}

//! The tree of bound joints: which of them carry the travel of a character, and how the rest pose of its limbs is aligned.

use std::collections::HashMap;

use glam::{DQuat, DVec3};

use crate::model::Model;
use crate::model::node::NodeIndex;

use super::binding::Pair;
use super::binding::humanoid;
use super::rest::direction;

/// Number of known joints from which on a skeleton counts as a humanoid.
const MIN_HUMANOID_JOINTS: usize = 8;

/// The tree of the bound joints, as in the target. Joints are numbered by their pair.
pub struct Skeleton {
    /// The nearest bound ancestor of each joint.
    parents: Vec<Option<usize>>,
    /// The only bound child of each joint; `None` if it has none or several.
    only_child: Vec<Option<usize>>,
    /// One per joint: whether it takes over the movement of its partner.
    pub travels: Vec<bool>,
    /// The joint whose height tells the size of the skeleton.
    pub hips: Option<usize>,
    /// One per joint: how its rest pose is aligned.
    alignment: Vec<Alignment>,
    /// One per joint: the joint that it rides on.
    rides: Vec<Option<usize>>,
}

/// How the rest rotation of a joint is aligned to the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Alignment {
    /// It stays as it is in the target, so that feet stay flat on the ground and the head looks ahead.
    Keep,
    /// It turns with the joint above.
    Inherit,
    /// The shortest arc turns its bone to the direction in the source.
    Turn,
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
        let hips = named_hips.or_else(|| first_fork(&children, &parents));
        let mut travels: Vec<bool> = parents.iter().map(Option::is_none).collect();
        let mut at = hips;
        while let Some(joint) = at {
            travels[joint] = true;
            at = parents[joint];
        }
        let is_humanoid = names.iter().flatten().count() >= MIN_HUMANOID_JOINTS;
        let alignment = (0..pairs.len()).map(|joint| match names[joint] {
            _ if travels[joint] => Alignment::Keep,
            name if is_humanoid => humanoid_alignment(name),
            _ if only_child[joint].is_some() => Alignment::Turn,
            _ => Alignment::Inherit,
        });
        let alignment = alignment.collect();
        let source_parents = bound_parents(source, pairs, |pair| pair.source);
        let rides = source_parents.iter().zip(&parents).map(|(wanted, own)| {
            let wanted = wanted.filter(|wanted| Some(*wanted) != *own)?;
            let is_above = |own: usize| source.hierarchy.subtree(pairs[own].source).contains(&pairs[wanted].source.index());
            own.is_none_or(is_above).then_some(wanted)
        });
        let rides = rides.collect();
        Self { parents, only_child, travels, hips, alignment, rides }
    }

    /// The joint that this one hangs on in the source, if it hangs on a joint further up in the target. It then follows that joint.
    pub fn rides_on(&self, joint: usize) -> Option<usize> {
        self.rides[joint]
    }

    /// The bones: each joint that has a bound ancestor, after that ancestor.
    pub fn bones(&self) -> impl Iterator<Item = [usize; 2]> + '_ {
        self.parents.iter().enumerate().filter_map(|(joint, parent)| Some([(*parent)?, joint]))
    }

    /// The rotation in the world that aligns the rest pose of each joint of the target to the source. The positions are those of both
    /// rest poses in the world, one per joint; those of the source face as the target does.
    pub fn aligned(&self, source: &[DVec3], target: &[DVec3]) -> Vec<DQuat> {
        let mut turns: Vec<DQuat> = Vec::with_capacity(self.parents.len());
        for (joint, alignment) in self.alignment.iter().enumerate() {
            let above = self.parents[joint].map_or(DQuat::IDENTITY, |parent| turns[parent]);
            turns.push(match alignment {
                Alignment::Keep => DQuat::IDENTITY,
                Alignment::Inherit => above,
                Alignment::Turn => self.arc(joint, source, target).map_or(above, |arc| arc(above)),
            });
        }
        turns
    }

    /// The function from the turn of the joint above to that of the joint. `None` if the bone has no direction.
    fn arc(&self, joint: usize, source: &[DVec3], target: &[DVec3]) -> Option<impl Fn(DQuat) -> DQuat + use<>> {
        let child = self.only_child[joint]?;
        let [wanted, rest] = [direction(source[joint], source[child])?, direction(target[joint], target[child])?];
        Some(move |above: DQuat| DQuat::from_rotation_arc((above * rest).normalize(), wanted) * above)
    }
}

/// How a joint of a humanoid is aligned. Only limbs turn: the shape of the spine belongs to the character.
fn humanoid_alignment(name: Option<&str>) -> Alignment {
    match name {
        Some("shoulder" | "upperArm" | "lowerArm" | "upperLeg" | "lowerLeg") => Alignment::Turn,
        Some("hips" | "spine" | "chest" | "upperChest" | "neck" | "head" | "jaw" | "eye" | "foot") => Alignment::Keep,
        // Hands, fingers, toes, and joints that no humanoid has, such as twist joints.
        _ => Alignment::Inherit,
    }
}

/// The nearest bound ancestor of each pair in one of the models, among the pairs. `node` is the pair's node of that model.
fn bound_parents(model: &Model, pairs: &[Pair], node: fn(&Pair) -> NodeIndex) -> Vec<Option<usize>> {
    let pair_of: HashMap<_, _> = pairs.iter().enumerate().map(|(at, pair)| (node(pair), at)).collect();
    let mut nearest: Vec<Option<usize>> = Vec::with_capacity(model.nodes.len());
    for index in model.node_indices() {
        let above = model.hierarchy.parent(index);
        nearest.push(above.and_then(|above| pair_of.get(&above).copied().or(nearest[above.index()])));
    }
    pairs.iter().map(|pair| nearest[node(pair).index()]).collect()
}

/// The humanoid joint of each pair, by the names of the target or else of the source.
fn joint_names(source: &Model, target: &Model, pairs: &[Pair]) -> Vec<Option<&'static str>> {
    let named = |model: &Model, node: fn(&Pair) -> NodeIndex| -> HashMap<_, _> {
        let names: Vec<_> = pairs.iter().filter_map(|pair| Some((node(pair), model.node(node(pair)).name.as_deref()?))).collect();
        humanoid::joints(&names).into_iter().map(|(node, joint)| (node, joint.name)).collect()
    };
    let [sources, targets] = [named(source, |pair| pair.source), named(target, |pair| pair.target)];
    pairs.iter().map(|pair| targets.get(&pair.target).or_else(|| sources.get(&pair.source)).copied()).collect()
}

/// The first joint with several bound children on the way down from the first root; the root itself if the joints form one chain.
fn first_fork(children: &[(usize, Option<usize>)], parents: &[Option<usize>]) -> Option<usize> {
    let root = parents.iter().position(Option::is_none)?;
    let mut at = root;
    loop {
        match children.get(at)? {
            (1, Some(child)) => at = *child,
            (0, _) => return Some(root),
            _ => return Some(at),
        }
    }
}

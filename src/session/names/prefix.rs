//! Finds the prefix that all joints of a skeleton share, such as `mixamorig:`. Short names leave it out.
//!
//! A skeleton is a set of joints that are listed by the same skin or lie below one another. Its topmost joints need not have the prefix,
//! because exporters add roots with other names. A prefix ends after a separator or before a capital letter, and the rest of each name
//! begins with a letter.

use std::collections::{HashMap, HashSet};

use crate::model::Model;

/// Minimum number of joints that must share a prefix.
const MIN_JOINTS: usize = 3;

/// The byte at which the short name of each node begins, in model order. 0 keeps the whole name.
pub fn starts(model: &Model, joints: &[bool], names: &[String]) -> Vec<usize> {
    let skeletons = skeletons(model, joints);
    // The joints of each skeleton: those below another joint, and the topmost ones.
    let mut members: HashMap<usize, [Vec<usize>; 2]> = HashMap::new();
    for (node, &skeleton) in skeletons.iter().enumerate() {
        let is_below = model.hierarchy.parents[node].is_some_and(|parent| joints[parent.index()]);
        if let Some(skeleton) = skeleton.filter(|_| joints[node]) {
            members.entry(skeleton).or_default()[usize::from(!is_below)].push(node);
        }
    }
    members.retain(|_, [below, _]| below.len() >= MIN_JOINTS);
    let prefixes: HashMap<usize, &str> = members.iter().map(|(&skeleton, members)| (skeleton, shared_prefix(members, names))).collect();
    let start = |(name, skeleton): (&String, &Option<usize>)| {
        let prefix = skeleton.and_then(|skeleton| prefixes.get(&skeleton)).filter(|prefix| name.starts_with(**prefix));
        prefix.map_or(0, |prefix| if boundary(name, prefix.len()) == prefix.len() { prefix.len() } else { 0 })
    };
    let mut starts = names.iter().zip(&skeletons).map(start).collect::<Vec<_>>();
    keep_ambiguous(&skeletons, joints, names, &mut starts);
    starts
}

/// The longest prefix that the joints below other joints share and that may be left out of each of their names. If a topmost joint shares
/// only a shorter prefix, that one is used.
fn shared_prefix<'a>([below, topmost]: &[Vec<usize>; 2], names: &'a [String]) -> &'a str {
    let first = names[below[0]].as_str();
    let common = below.iter().fold(first.len(), |length, &joint| common_prefix(&first[..length], &names[joint]));
    let length = below.iter().fold(common, |length, &joint| boundary(&names[joint], length));
    let with = |length: usize, joint: &usize| match boundary(&names[*joint], common_prefix(&first[..length], &names[*joint])) {
        0 => length,
        shorter => boundary(first, shorter),
    };
    &first[..topmost.iter().fold(length, with)]
}

/// The skeleton that each node belongs to, in model order, identified by one of its joints. Nodes below a joint belong to the joint's
/// skeleton.
fn skeletons(model: &Model, joints: &[bool]) -> Vec<Option<usize>> {
    // Each joint points to another one of the same skeleton, or to itself.
    let mut links: Vec<usize> = (0..joints.len()).collect();
    let mut nearest: Vec<Option<usize>> = vec![None; joints.len()];
    for node in 0..joints.len() {
        let above = model.hierarchy.parents[node].and_then(|parent| nearest[parent.index()]);
        nearest[node] = if joints[node] { Some(node) } else { above };
        if let Some(above) = above.filter(|_| joints[node]) {
            links[node] = above;
        }
    }
    for skin in &model.skins {
        let Some(first) = skin.joints.first() else { continue };
        let first = root(&mut links, first.index());
        for joint in &skin.joints {
            let other = root(&mut links, joint.index());
            links[other] = first;
        }
    }
    nearest.into_iter().map(|joint| joint.map(|joint| root(&mut links, joint))).collect()
}

/// The joint that identifies the skeleton of a joint. Shortens the chain of links at the same time.
fn root(links: &mut [usize], mut joint: usize) -> usize {
    while links[joint] != joint {
        links[joint] = links[links[joint]];
        joint = links[joint];
    }
    joint
}

/// Length in bytes of the longest common prefix of two names.
pub fn common_prefix(a: &str, b: &str) -> usize {
    a.char_indices().zip(b.chars()).find(|((_, a), b)| a != b).map_or(a.len().min(b.len()), |((at, _), _)| at)
}

/// The length in bytes of the longest prefix of at most `length` bytes that may be left out. 0 if there is none.
fn boundary(name: &str, length: usize) -> usize {
    let may_end = |&index: &usize| {
        let (Some(before), Some(after)) = (name[..index].chars().next_back(), name[index..].chars().next()) else { return false };
        after.is_alphabetic() && (!before.is_alphanumeric() || (after.is_uppercase() && !before.is_uppercase()))
    };
    let mut positions = name[..length.min(name.len())].char_indices().map(|(index, _)| index).chain([length.min(name.len())]);
    positions.rfind(may_end).unwrap_or(0)
}

/// If two joints with different full names have the same short name, keeps the full names of their skeletons.
fn keep_ambiguous(skeletons: &[Option<usize>], joints: &[bool], names: &[String], starts: &mut [usize]) {
    let mut first: HashMap<&str, usize> = HashMap::new();
    let mut kept = HashSet::new();
    for node in (0..names.len()).filter(|&node| joints[node]) {
        let other = *first.entry(&names[node][starts[node]..]).or_insert(node);
        if names[other] != names[node] {
            kept.extend([skeletons[other], skeletons[node]].into_iter().flatten());
        }
    }
    for (start, skeleton) in starts.iter_mut().zip(skeletons) {
        if skeleton.is_some_and(|skeleton| kept.contains(&skeleton)) {
            *start = 0;
        }
    }
}

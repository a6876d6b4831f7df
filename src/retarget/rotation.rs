//! Poses the target by the global rotations of the source, relative to both rest poses.
//!
//! A joint of the target gets the global rotation `At = As * Rs^-1 * Rt`. Here `As` is the posed global rotation of its counterpart in the
//! source, `Rs` is the counterpart's rest rotation, and `Rt` is the joint's own rest rotation. So every joint rotates from its rest pose by
//! the same angle, about the same global axis, as its counterpart. Nodes without a counterpart keep their rest transform relative to their
//! parent. All nodes keep the scale that they have in the target.
//!
//! The hips, the joints above them, and joints without a paired ancestor in either file also take over the movement of their counterparts:
//! `p_t = rest_t + (p_s - rest_s) * ratio`. The ratio is the size of the target relative to the source. Every other joint keeps its
//! position relative to its parent, or relative to the joint that it follows ([`Skeleton::followed_joint`]).

use glam::{DAffine3, DQuat, DVec3};

use crate::animation::hierarchy::pose::local_matrix;
use crate::model::Model;
use crate::model::node::NodeIndex;

use super::binding::Binding;
use super::rest::{GlobalRotation, Mirror, direction, extent, facing, rest_global_rotations, rest_globals, rest_rotation};
use super::sampler::Sampled;
use super::skeleton::Skeleton;

/// Minimum height of the hips from which the size of a skeleton can be derived, as a fraction of the extent of all joints.
const MIN_HIP_HEIGHT: f64 = 0.05;

/// A joint of the source and its counterpart in the target, with the rest poses of both in global space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Joint {
    pub source: NodeIndex,
    pub target: NodeIndex,
    /// The movement of the joint relative to its parent.
    movement: Movement,
    /// The inverse rest rotation of the source.
    source_inverse: DQuat,
    /// The rest rotation of the target, aligned to the source's rest rotation if the settings ask for it.
    target_rest: DQuat,
    source_position: DVec3,
    target_position: DVec3,
    /// Index in [`Plan::nodes`].
    plan_index: usize,
}

/// The movement of a joint relative to its parent.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Movement {
    /// It keeps its rest translation.
    None,
    /// It takes over the movement of its counterpart.
    Travel,
    /// It keeps its position relative to another joint, the leader. `position` is in the space of the leader.
    Follow { leader: usize, position: DVec3 },
}

impl Joint {
    /// Returns whether the joint moves relative to its parent.
    pub fn moves(&self) -> bool {
        self.movement != Movement::None
    }
}

/// The rotation and the translation of a joint relative to its parent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Local {
    pub rotation: DQuat,
    /// The translation in the parent's space. Only joints that move use it.
    pub translation: DVec3,
}

/// Data about the rest poses of source and target, prepared for [`Plan::pose`].
#[derive(Debug, Clone)]
pub struct Plan {
    /// The pairs whose target is posed, in the order of the target's nodes.
    pub joints: Vec<Joint>,
    /// The target's joints and all their ancestors, in the order of the target's nodes.
    nodes: Vec<PlanNode>,
    /// Indices of the nodes in the order in which they are posed: after their parents, and after the joints that they follow.
    order: Vec<usize>,
    /// Rotates the source so that it faces the same direction as the target.
    facing: DQuat,
    /// Size of the target relative to the source.
    pub ratio: f64,
}

/// A joint of the target or an ancestor of one.
#[derive(Debug, Clone, Copy)]
struct PlanNode {
    /// Index of the parent in [`Plan::nodes`].
    parent: Option<usize>,
    /// Index in [`Plan::joints`]. `None` if the node is only an ancestor.
    joint: Option<usize>,
    /// The local rest transform, its rotation and its scale.
    rest: DAffine3,
    rotation: DQuat,
    scale: DVec3,
}

impl Plan {
    /// Prepares the pairs of a binding. If the target has skins, only the joints of its skins are posed.
    pub fn new(source: &Model, target: &Model, binding: &Binding, align_rest: bool) -> Self {
        let is_joint = target.joints();
        let has_skins = is_joint.contains(&true);
        let pairs: Vec<_> = binding.pairs.iter().copied().filter(|pair| !has_skins || is_joint[pair.target.index()]).collect();
        let [source_globals, target_globals] = [rest_globals(source), rest_globals(target)];
        let [source_rotations, target_rotations] = [rest_global_rotations(source), rest_global_rotations(target)];
        let skeleton = Skeleton::new(source, target, &pairs);
        let [source_positions, target_positions]: [Vec<DVec3>; 2] = [
            pairs.iter().map(|pair| source_globals[pair.source.index()].translation).collect(),
            pairs.iter().map(|pair| target_globals[pair.target.index()].translation).collect(),
        ];
        let directions = skeleton.parents_and_children().filter_map(|[parent, child]| {
            Some([
                direction(source_positions[parent], source_positions[child])?,
                direction(target_positions[parent], target_positions[child])?,
            ])
        });
        let facing = facing(&directions.collect::<Vec<_>>());
        let facing_source_positions: Vec<DVec3> = source_positions.iter().map(|position| facing * *position).collect();
        let aligned =
            if align_rest { skeleton.aligned(&facing_source_positions, &target_positions) } else { vec![DQuat::IDENTITY; pairs.len()] };
        let extents =
            [extent(&source_globals, pairs.iter().map(|pair| pair.source)), extent(&target_globals, pairs.iter().map(|pair| pair.target))];
        let mut joints: Vec<Joint> = pairs
            .iter()
            .enumerate()
            .map(|(i, pair)| Joint {
                source: pair.source,
                target: pair.target,
                movement: match skeleton.followed_joint(i) {
                    _ if skeleton.travels[i] => Movement::Travel,
                    Some(leader) => {
                        let position = local_point(&target_globals[pairs[leader].target.index()], target_positions[i]);
                        Movement::Follow { leader, position }
                    }
                    None => Movement::None,
                },
                source_inverse: source_rotations[pair.source.index()].rotation.conjugate(),
                target_rest: aligned[i] * target_rotations[pair.target.index()].rotation,
                source_position: source_positions[i],
                target_position: target_positions[i],
                plan_index: 0,
            })
            .collect();
        let ratio = size_ratio(skeleton.hips, [&facing_source_positions, &target_positions], extents);
        let nodes = plan_nodes(target, &joints);
        let order = pose_order(&nodes, &mut joints);
        Self { nodes, order, joints, facing, ratio }
    }

    /// Writes the local pose of each joint into `out`. `sampled` is the pose of the source, one entry per source node.
    pub fn pose(&self, sampled: &[Sampled], scratch: &mut Scratch, out: &mut [Local]) {
        scratch.nodes.resize(self.nodes.len(), (GlobalRotation::IDENTITY, DAffine3::IDENTITY));
        for &index in &self.order {
            let node = &self.nodes[index];
            let (parent_rotation, parent_global) =
                node.parent.map_or((GlobalRotation::IDENTITY, DAffine3::IDENTITY), |parent| scratch.nodes[parent]);
            let (mut rotation, mut local) = (node.rotation, node.rest);
            if let Some(joint_index) = node.joint {
                let joint = &self.joints[joint_index];
                let source = &sampled[joint.source.index()];
                let rotation_since_rest = self.facing * (source.rotation.rotation * joint.source_inverse) * self.facing.conjugate();
                rotation = parent_rotation.local(rotation_since_rest * joint.target_rest);
                let position = match joint.movement {
                    Movement::None => None,
                    Movement::Travel => {
                        let movement = self.facing * (source.global.translation - joint.source_position) * self.ratio;
                        Some(joint.target_position + movement)
                    }
                    Movement::Follow { leader, position } => {
                        Some(scratch.nodes[self.joints[leader].plan_index].1.transform_point3(position))
                    }
                };
                // A parent with a scale of zero has no inverse.
                let position = position.map(|position| local_point(&parent_global, position)).filter(|position| position.is_finite());
                let translation = position.unwrap_or(node.rest.translation);
                local = DAffine3::from_scale_rotation_translation(node.scale, rotation, translation);
                out[joint_index] = Local { rotation, translation };
            }
            scratch.nodes[index] = (parent_rotation.child(rotation, Mirror::from_scale(node.scale)), parent_global * local);
        }
    }

    /// Number of nodes that each pose computes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns whether no joint is posed.
    pub fn is_empty(&self) -> bool {
        self.joints.is_empty()
    }

    /// The local pose of each joint at rest.
    pub fn rest(&self) -> Vec<Local> {
        let joints = self.nodes.iter().filter(|node| node.joint.is_some());
        joints.map(|node| Local { rotation: node.rotation, translation: node.rest.translation }).collect()
    }
}

/// Memory that each call of [`Plan::pose`] reuses.
#[derive(Debug, Default)]
pub struct Scratch {
    /// Global rotation and transform of each node of the plan.
    nodes: Vec<(GlobalRotation, DAffine3)>,
}

/// Lists the target's joints and all their ancestors, in the order of the target's nodes.
fn plan_nodes(target: &Model, joints: &[Joint]) -> Vec<PlanNode> {
    let mut is_needed = vec![false; target.nodes.len()];
    let mut joint_of = vec![None; target.nodes.len()];
    for (index, joint) in joints.iter().enumerate() {
        is_needed[joint.target.index()] = true;
        joint_of[joint.target.index()] = Some(index);
    }
    for node in (0..is_needed.len()).rev() {
        if let Some(parent) = target.hierarchy.parents[node].filter(|_| is_needed[node]) {
            is_needed[parent.index()] = true;
        }
    }
    let (mut positions, mut nodes) = (vec![None; is_needed.len()], Vec::new());
    for node in target.node_indices().filter(|node| is_needed[node.index()]) {
        positions[node.index()] = Some(nodes.len());
        let rest = &target.hierarchy.rest[node.index()];
        nodes.push(PlanNode {
            parent: target.hierarchy.parent(node).and_then(|parent| positions[parent.index()]),
            joint: joint_of[node.index()],
            rest: local_matrix(&target.hierarchy, &target.hierarchy.rest, node.index()),
            rotation: rest_rotation(rest),
            scale: rest.scale.as_dvec3(),
        });
    }
    nodes
}

/// Returns the order in which the nodes are posed. If joints follow one another in a circle, one of them stops following. Also sets
/// [`Joint::plan_index`] of every joint.
fn pose_order(nodes: &[PlanNode], joints: &mut [Joint]) -> Vec<usize> {
    nodes.iter().enumerate().for_each(|(index, node)| {
        if let Some(joint) = node.joint {
            joints[joint].plan_index = index;
        }
    });
    let followed_node = |joints: &[Joint], index: usize| match joints[nodes[index].joint?].movement {
        Movement::Follow { leader, .. } => Some(joints[leader].plan_index),
        _ => None,
    };
    // Count the nodes that must be posed before each node, and list those that must be posed after it.
    let (mut pending_counts, mut dependents) = (vec![0; nodes.len()], vec![Vec::new(); nodes.len()]);
    for index in 0..nodes.len() {
        for dependency in nodes[index].parent.into_iter().chain(followed_node(joints, index)) {
            pending_counts[index] += 1;
            dependents[dependency].push(index);
        }
    }
    let mut order = Vec::with_capacity(nodes.len());
    let mut ready: Vec<usize> = (0..nodes.len()).filter(|&index| pending_counts[index] == 0).collect();
    let mut is_done = vec![false; nodes.len()];
    // Parents come before their children. So if no node is ready, the first node that is not done waits only for the joint that it follows.
    // It stops following this joint.
    for index in 0..nodes.len() {
        if let (false, Some(joint)) = (is_done[index] || !ready.is_empty(), nodes[index].joint) {
            joints[joint].movement = Movement::None;
            ready.push(index);
        }
        while let Some(next) = ready.pop() {
            if std::mem::replace(&mut is_done[next], true) {
                continue;
            }
            order.push(next);
            for &dependent in &dependents[next] {
                pending_counts[dependent] -= 1;
                if pending_counts[dependent] == 0 {
                    ready.push(dependent);
                }
            }
        }
    }
    order
}

/// Converts a point from global space to the space of a node with this global transform. The result is not finite if the transform has no
/// inverse.
fn local_point(global: &DAffine3, point: DVec3) -> DVec3 {
    global.inverse().transform_point3(point)
}

/// Returns the size of the target relative to the source: the ratio of the heights of the hips above the lowest joint, or the ratio of the
/// extents if one of the heights is near zero. `positions` and `extents` have the source first and the target second.
fn size_ratio(hips: Option<usize>, positions: [&[DVec3]; 2], extents: [f64; 2]) -> f64 {
    let lowest = positions.map(|positions| positions.iter().map(|position| position.y).fold(f64::INFINITY, f64::min));
    let height = |which: usize| hips.and_then(|hips| positions[which].get(hips)).map_or(0.0, |hips| hips.y - lowest[which]);
    let is_high_enough = |which: usize| height(which) > MIN_HIP_HEIGHT * extents[which];
    let [source, target] = if is_high_enough(0) && is_high_enough(1) { [height(0), height(1)] } else { extents };
    let ratio = target / source;
    if ratio > 0.0 && ratio.is_finite() { ratio } else { 1.0 }
}

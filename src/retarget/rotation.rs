//! Poses the target by the global rotations of the source, relative to both rest poses.
//!
//! With the global rotations of a joint of the source at rest `Rs` and in the pose `As`, and of its partner at rest `Rt`, the partner's
//! global rotation is `At = As * Rs^-1 * Rt`: every joint turns as far, about the same axis of the world, as in the source. Nodes without
//! a partner keep their rest transform relative to their parent. Scale stays the target's.
//!
//! The joints that carry the travel also move: `p_t = rest_t + (p_s - rest_s) * ratio`, with the ratio of the heights of the hips. Every
//! other joint keeps its distance from its parent, or from the joint that it rides on: a foot that hangs on the root of the target, for
//! inverse kinematics, but on the leg in the source, follows the leg.

use glam::{DAffine3, DQuat, DVec3};

use crate::animation::hierarchy::pose::local_matrix;
use crate::model::Model;
use crate::model::node::NodeIndex;

use super::binding::Binding;
use super::rest::{Mirror, Turn, direction, extent, facing, rest_globals, rest_rotation, rest_turns};
use super::sampler::Sampled;
use super::skeleton::Skeleton;

/// Height of the hips, as a fraction of the extent of all joints, below which it does not tell the size of a skeleton.
const MIN_HEIGHT: f64 = 0.05;

/// A pair of joints with its rest poses, all in the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Joint {
    pub source: NodeIndex,
    pub target: NodeIndex,
    /// How the joint moves relative to its parent.
    movement: Movement,
    /// The inverse rest rotation of the source.
    source_inverse: DQuat,
    /// The rest rotation of the target, aligned to the source if that is wanted.
    target_rest: DQuat,
    source_position: DVec3,
    target_position: DVec3,
    /// Position among the nodes of the plan.
    node: usize,
}

/// How a joint moves relative to its parent.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Movement {
    /// It keeps its rest translation.
    None,
    /// It takes over the movement of its partner.
    Travel,
    /// It keeps its place relative to this joint, in the space of that joint.
    Ride { on: usize, place: DVec3 },
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
    /// In the units of the parent. Only joints that move use it.
    pub translation: DVec3,
}

/// Everything about two rest poses that posing needs.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The pairs whose target is posed, in the order of the target's nodes.
    pub joints: Vec<Joint>,
    /// The joints and all their ancestors, in the order of the target's nodes.
    nodes: Vec<PlanNode>,
    /// The nodes in the order in which they are posed: after their parents, and after what they ride on.
    order: Vec<usize>,
    /// Turns the source to face as the target does.
    facing: DQuat,
    /// Size of the target relative to the source.
    pub ratio: f64,
}

/// A node of the target on the way to a joint.
#[derive(Debug, Clone, Copy)]
struct PlanNode {
    /// Position of the parent among the nodes.
    parent: Option<usize>,
    /// Position among the joints.
    joint: Option<usize>,
    rest: DAffine3,
    rotation: DQuat,
    scale: DVec3,
}

impl Plan {
    /// Prepares the pairs of a binding. In a target with skins, only the joints of these are posed.
    pub fn new(source: &Model, target: &Model, binding: &Binding, align_rest: bool) -> Self {
        let is_joint = target.joints();
        let has_skins = is_joint.contains(&true);
        let pairs: Vec<_> = binding.pairs.iter().copied().filter(|pair| !has_skins || is_joint[pair.target.index()]).collect();
        let [globals_s, globals_t] = [rest_globals(source), rest_globals(target)];
        let [turns_s, turns_t] = [rest_turns(source), rest_turns(target)];
        let skeleton = Skeleton::new(source, target, &pairs);
        let [positions_s, positions_t]: [Vec<DVec3>; 2] = [
            pairs.iter().map(|pair| globals_s[pair.source.index()].translation).collect(),
            pairs.iter().map(|pair| globals_t[pair.target.index()].translation).collect(),
        ];
        let bones = skeleton.bones().filter_map(|[parent, joint]| {
            Some([direction(positions_s[parent], positions_s[joint])?, direction(positions_t[parent], positions_t[joint])?])
        });
        let facing = facing(&bones.collect::<Vec<_>>());
        let turned: Vec<DVec3> = positions_s.iter().map(|position| facing * *position).collect();
        let aligned = if align_rest { skeleton.aligned(&turned, &positions_t) } else { vec![DQuat::IDENTITY; pairs.len()] };
        let extents = [extent(&globals_s, pairs.iter().map(|pair| pair.source)), extent(&globals_t, pairs.iter().map(|pair| pair.target))];
        let mut joints: Vec<Joint> = pairs
            .iter()
            .enumerate()
            .map(|(i, pair)| Joint {
                source: pair.source,
                target: pair.target,
                movement: match skeleton.rides_on(i) {
                    _ if skeleton.travels[i] => Movement::Travel,
                    Some(on) => Movement::Ride { on, place: place_in(&globals_t[pairs[on].target.index()], positions_t[i]) },
                    None => Movement::None,
                },
                source_inverse: turns_s[pair.source.index()].rotation.conjugate(),
                target_rest: aligned[i] * turns_t[pair.target.index()].rotation,
                source_position: positions_s[i],
                target_position: positions_t[i],
                node: 0,
            })
            .collect();
        let ratio = ratio(skeleton.hips, [&turned, &positions_t], extents);
        let nodes = plan_nodes(target, &joints);
        let order = order(&nodes, &mut joints);
        Self { nodes, order, joints, facing, ratio }
    }

    /// Writes the local pose of each joint into `out`. `sampled` has the pose of the source, one entry per node of it.
    pub fn pose(&self, sampled: &[Sampled], scratch: &mut Scratch, out: &mut [Local]) {
        scratch.nodes.resize(self.nodes.len(), (Turn::IDENTITY, DAffine3::IDENTITY));
        for &at in &self.order {
            let node = &self.nodes[at];
            let (above, global) = node.parent.map_or((Turn::IDENTITY, DAffine3::IDENTITY), |parent| scratch.nodes[parent]);
            let (mut rotation, mut local) = (node.rotation, node.rest);
            if let Some(joint) = node.joint {
                let plan = &self.joints[joint];
                let source = &sampled[plan.source.index()];
                let delta = self.facing * (source.turn.rotation * plan.source_inverse) * self.facing.conjugate();
                rotation = above.local(delta * plan.target_rest);
                let mut translation = node.rest.translation;
                let place = match plan.movement {
                    Movement::None => None,
                    Movement::Travel => {
                        let moved = self.facing * (source.global.translation - plan.source_position) * self.ratio;
                        Some(plan.target_position + moved)
                    }
                    Movement::Ride { on, place } => Some(scratch.nodes[self.joints[on].node].1.transform_point3(place)),
                };
                // A parent without volume has no inverse.
                let place = place.map(|place| place_in(&global, place)).filter(|place| place.is_finite());
                translation = place.unwrap_or(translation);
                local = DAffine3::from_scale_rotation_translation(node.scale, rotation, translation);
                out[joint] = Local { rotation, translation };
            }
            scratch.nodes[at] = (above.child(rotation, Mirror::from_scale(node.scale)), global * local);
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

/// Memory that [`Plan::pose`] uses again and again.
#[derive(Debug, Default)]
pub struct Scratch {
    /// Rotation and transform in the world, one per node of the plan.
    nodes: Vec<(Turn, DAffine3)>,
}

/// The joints of the target with all their ancestors. The joints are in the order of the target's nodes.
fn plan_nodes(target: &Model, joints: &[Joint]) -> Vec<PlanNode> {
    let mut is_needed = vec![false; target.nodes.len()];
    let mut joint_of = vec![None; target.nodes.len()];
    for (at, joint) in joints.iter().enumerate() {
        is_needed[joint.target.index()] = true;
        joint_of[joint.target.index()] = Some(at);
    }
    for node in (0..is_needed.len()).rev() {
        if let Some(parent) = target.hierarchy.parents[node].filter(|_| is_needed[node]) {
            is_needed[parent.index()] = true;
        }
    }
    let (mut places, mut nodes) = (vec![None; is_needed.len()], Vec::new());
    for node in target.node_indices().filter(|node| is_needed[node.index()]) {
        places[node.index()] = Some(nodes.len());
        let rest = &target.hierarchy.rest[node.index()];
        nodes.push(PlanNode {
            parent: target.hierarchy.parent(node).and_then(|parent| places[parent.index()]),
            joint: joint_of[node.index()],
            rest: local_matrix(&target.hierarchy, &target.hierarchy.rest, node.index()),
            rotation: rest_rotation(rest),
            scale: rest.scale.as_dvec3(),
        });
    }
    nodes
}

/// The order in which the nodes are posed. Where joints ride on one another in a circle, one of them no longer rides. Also tells every
/// joint its node.
fn order(nodes: &[PlanNode], joints: &mut [Joint]) -> Vec<usize> {
    nodes.iter().enumerate().for_each(|(at, node)| {
        if let Some(joint) = node.joint {
            joints[joint].node = at;
        }
    });
    let ride = |joints: &[Joint], at: usize| match joints[nodes[at].joint?].movement {
        Movement::Ride { on, .. } => Some(joints[on].node),
        _ => None,
    };
    // Count what each node waits for, and list the nodes that wait for it.
    let (mut waits, mut waiting) = (vec![0; nodes.len()], vec![Vec::new(); nodes.len()]);
    for at in 0..nodes.len() {
        for before in nodes[at].parent.into_iter().chain(ride(joints, at)) {
            waits[at] += 1;
            waiting[before].push(at);
        }
    }
    let mut order = Vec::with_capacity(nodes.len());
    let mut ready: Vec<usize> = (0..nodes.len()).filter(|&at| waits[at] == 0).collect();
    let mut is_done = vec![false; nodes.len()];
    // Parents come first, so that the first unposed node in this order waits for its ride only.
    for first in 0..nodes.len() {
        if let (false, Some(joint)) = (is_done[first] || !ready.is_empty(), nodes[first].joint) {
            joints[joint].movement = Movement::None;
            ready.push(first);
        }
        while let Some(at) = ready.pop() {
            if std::mem::replace(&mut is_done[at], true) {
                continue;
            }
            order.push(at);
            for &next in &waiting[at] {
                waits[next] -= 1;
                if waits[next] == 0 {
                    ready.push(next);
                }
            }
        }
    }
    order
}

/// A point of the world in the space of a transform. Not finite if the transform has no inverse.
fn place_in(global: &DAffine3, point: DVec3) -> DVec3 {
    global.inverse().transform_point3(point)
}

/// The size of the target relative to the source: the ratio of the heights of the hips above the lowest joint, or of the extents where a
/// height is near zero. `positions` and `extents` are those of the source and of the target.
fn ratio(hips: Option<usize>, positions: [&[DVec3]; 2], extents: [f64; 2]) -> f64 {
    let lowest = positions.map(|positions| positions.iter().map(|position| position.y).fold(f64::INFINITY, f64::min));
    let height = |which: usize| hips.and_then(|hips| positions[which].get(hips)).map_or(0.0, |hips| hips.y - lowest[which]);
    let is_telling = |which: usize| height(which) > MIN_HEIGHT * extents[which];
    let [source, target] = if is_telling(0) && is_telling(1) { [height(0), height(1)] } else { extents };
    let ratio = target / source;
    if ratio > 0.0 && ratio.is_finite() { ratio } else { 1.0 }
}

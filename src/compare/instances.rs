//! Measures how far the instances of meshes (EXT_mesh_gpu_instancing) are from their counterparts. Joints and vertices are measured at
//! their nodes, so only this distance shows a moved instance.

use glam::DAffine3;

use crate::camera::bounds::Bounds;
use crate::model::node::NodeIndex;
use crate::session::document::Document;
use crate::session::pose;
use crate::session::pose::in_place::Roots;
use crate::session::view::View;

use super::measure;
use super::node_pairs::NodePairs;

/// The largest distance between a point of an instance of A and the same point of the same instance of B, in meters: at rest, with the mesh
/// and the node of A. Infinite if a node has another number of instances in B.
pub fn measure([a, b]: [&Document; 2], node_pairs: &NodePairs) -> f64 {
    let differing = node_pairs.pairs().filter(|&(in_a, in_b)| a.model.node(in_a).instances != b.model.node(in_b).instances);
    let differing: Vec<(NodeIndex, NodeIndex)> = differing.collect();
    if differing.is_empty() {
        return 0.0;
    }
    let mut posed = a.rig().posed();
    pose::pose(&a.model, &View::default(), 0.0, Roots::default(), &mut posed);
    let distances = differing.into_iter().map(|(in_a, in_b)| {
        let (node, other) = (a.model.node(in_a), b.model.node(in_b));
        if node.instances.len() != other.instances.len() {
            return f64::INFINITY;
        }
        let primitives = node.mesh.map_or(&[][..], |mesh| &a.mesh_bounds.meshes[mesh]);
        let bounds = primitives.iter().fold(Bounds::EMPTY, |all, primitive| all.union(&primitive.whole));
        let global = posed.globals[in_a.index()];
        let instances = node.instances.iter().zip(&other.instances).filter(|(a, b)| a != b);
        let instances = instances.map(|(a, b)| [a, b].map(|instance| global * instance.as_daffine3()));
        instances.map(|transforms| distance(&bounds, transforms)).fold(0.0, f64::max)
    });
    distances.fold(0.0, f64::max)
}

/// The largest distance between the places to which two transforms move a point within bounds. It occurs at a corner, because the
/// difference of the transforms is affine.
fn distance(bounds: &Bounds, [a, b]: [DAffine3; 2]) -> f64 {
    if bounds.is_empty() {
        return 0.0;
    }
    let distances = bounds.corners().map(|point| measure::distance(a.transform_point3(point), b.transform_point3(point)));
    distances.into_iter().fold(0.0, f64::max)
}

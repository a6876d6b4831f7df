//! What lies under a point of the viewport: joints near it, and meshes that a ray hits as they are posed (morphed, skinned,
//! switched), so that what is picked is what is seen.

use glam::{DVec2, DVec3};

use crate::animation::deform;
use crate::camera::Bounds;
use crate::model::Model;
use crate::model::mesh::{Primitive, Topology};
use crate::model::node::NodeIndex;

use super::bounds;
use super::document::Document;
use super::posing::Posed;
use super::sight::{Ray, Sight};
use super::view::View;

/// A joint is meant within so many points.
pub const JOINT_REACH: f64 = 10.0;
/// Lines and points, which have no area to be hit.
const LINE_REACH: f64 = 6.0;

/// Everything under `point`: joints, the nearest to it first, then nodes with a mesh, the nearest to the eye first.
pub fn under(document: &Document, view: &View, posed: &Posed, sight: &Sight, point: DVec2) -> Vec<NodeIndex> {
    let mut found = joints_under(document, view, posed, sight, point);
    found.extend(meshes_under(document, view, posed, sight, point));
    found
}

/// Which of several things under a point is meant: the first, or where it is selected already the next behind it.
pub fn next_behind(found: &[NodeIndex], active: Option<NodeIndex>) -> Option<NodeIndex> {
    let at = found.iter().position(|node| Some(*node) == active).map_or(0, |at| at + 1);
    found.get(at % found.len().max(1)).copied()
}

/// Whether joints are on screen: as a layer over the model, or because there is nothing else to see.
pub fn joints_shown(document: &Document, view: &View) -> bool {
    view.display.skeleton || view.display.names || !document.model.nodes.iter().any(|node| node.mesh.is_some())
}

/// The drawn joints within reach of `point`, the nearest first.
pub fn joints_under(document: &Document, view: &View, posed: &Posed, sight: &Sight, point: DVec2) -> Vec<NodeIndex> {
    if !joints_shown(document, view) {
        return Vec::new();
    }
    let near = |node: &NodeIndex| {
        let i = node.index();
        let projected = sight.project(posed.globals.get(i)?.translation)?;
        let distance = projected.point.distance(point);
        (document.joints[i] && posed.effective.drawn[i] && distance <= JOINT_REACH).then_some((distance, projected.depth, *node))
    };
    let mut found: Vec<_> = document.model.node_indices().filter_map(|node| near(&node)).collect();
    // Joints on top of each other: the one in front.
    found.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    found.into_iter().map(|(_, _, node)| node).collect()
}

/// The nodes whose visible meshes lie under `point`, the nearest to the eye first.
pub fn meshes_under(document: &Document, view: &View, posed: &Posed, sight: &Sight, point: DVec2) -> Vec<NodeIndex> {
    let model = &document.model;
    let in_scene = model.nodes_in_scene(model.scene_or_default(view.scene));
    let ray = sight.ray(point);
    let depth = |node: NodeIndex| {
        let i = node.index();
        let mesh = model.node(node).mesh.filter(|_| in_scene[i] && posed.effective.visible[i])?;
        let bounds = bounds::mesh_bounds(model, &document.extents, posed, i);
        let primitives = &model.meshes[mesh].primitives;
        // Deforming every vertex is the slow part: not for what is nowhere near.
        if bounds.is_empty() || (primitives.iter().all(|p| p.topology == Topology::Triangles) && !may_hit(&ray, &bounds)) {
            return None;
        }
        primitives.iter().filter_map(|primitive| primitive_depth(model, posed, sight, point, node, primitive)).min_by(f64::total_cmp)
    };
    let mut found: Vec<_> = model.node_indices().filter_map(|node| Some((depth(node)?, node))).collect();
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    found.into_iter().map(|(_, node)| node).collect()
}

/// How far in front of the camera a primitive lies under `point`.
fn primitive_depth(model: &Model, posed: &Posed, sight: &Sight, point: DVec2, node: NodeIndex, primitive: &Primitive) -> Option<f64> {
    let vertices = 0..primitive.positions.len();
    let positions = deform::positions(model, node, primitive, &posed.transforms, &posed.pose.weights, vertices);
    let at = |index: &u32| positions[*index as usize];
    match primitive.topology {
        Topology::Triangles => {
            let ray = sight.ray(point);
            let culled = culled_side(model, posed, node, primitive);
            let hits = primitive.indices.chunks_exact(3).filter_map(|t| triangle_hit(&ray, [at(&t[0]), at(&t[1]), at(&t[2])], culled));
            let nearest = hits.min_by(f64::total_cmp)?;
            sight.project(ray.origin + ray.direction * nearest).map(|projected| projected.depth)
        }
        Topology::Lines => {
            let ends = primitive.indices.chunks_exact(2).filter_map(|e| Some([sight.project(at(&e[0]))?, sight.project(at(&e[1]))?]));
            let near = ends.filter(|[a, b]| distance_to_segment(point, a.point, b.point) <= LINE_REACH);
            near.map(|[a, b]| a.depth.min(b.depth)).min_by(f64::total_cmp)
        }
        Topology::Points => {
            let points = primitive.indices.iter().filter_map(|index| sight.project(at(index)));
            points.filter(|p| p.point.distance(point) <= LINE_REACH).map(|p| p.depth).min_by(f64::total_cmp)
        }
    }
}

/// The winding that is not drawn, as the sign of (edge x edge) . direction; none: both sides are drawn (or, where joints may
/// mirror parts of it, it is hard to tell).
fn culled_side(model: &Model, posed: &Posed, node: NodeIndex, primitive: &Primitive) -> Option<f64> {
    let double_sided = primitive.material.is_some_and(|material| model.materials[material].double_sided);
    let skinned = model.node(node).skin.is_some() && primitive.influences.sets > 0;
    let determinant = posed.globals[node.index()].matrix3.determinant();
    (!double_sided && !skinned).then(|| determinant.signum())
}

/// How far along the ray a triangle is hit (Möller and Trumbore). `culled`: see [`culled_side`].
pub fn triangle_hit(ray: &Ray, [a, b, c]: [DVec3; 3], culled: Option<f64>) -> Option<f64> {
    let (ab, ac) = (b - a, c - a);
    let across = ray.direction.cross(ac);
    let determinant = ab.dot(across);
    // The ray runs along the triangle, or the triangle has no area or no place.
    if determinant == 0.0 || !determinant.is_finite() {
        return None;
    }
    // Seen from the front the normal looks against the ray, and the determinant is positive.
    if culled.is_some_and(|side| determinant * side < 0.0) {
        return None;
    }
    let from_a = ray.origin - a;
    let u = from_a.dot(across) / determinant;
    let q = from_a.cross(ab);
    let v = ray.direction.dot(q) / determinant;
    let distance = ac.dot(q) / determinant;
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && distance > 0.0).then_some(distance)
}

/// Whether a ray may hit anything in a box (the slab test).
fn may_hit(ray: &Ray, bounds: &Bounds) -> bool {
    let slack = DVec3::splat(bounds.radius() * 1e-6);
    let (to_min, to_max) = (bounds.min - slack - ray.origin, bounds.max + slack - ray.origin);
    let (mut enters, mut leaves) = (0f64, f64::INFINITY);
    for axis in 0..3 {
        let direction = ray.direction[axis];
        if direction == 0.0 {
            if to_min[axis] > 0.0 || to_max[axis] < 0.0 {
                return false;
            }
            continue;
        }
        let (a, b) = (to_min[axis] / direction, to_max[axis] / direction);
        enters = enters.max(a.min(b));
        leaves = leaves.min(a.max(b));
    }
    enters <= leaves
}

fn distance_to_segment(point: DVec2, a: DVec2, b: DVec2) -> f64 {
    let along = b - a;
    let u = ((point - a).dot(along) / along.length_squared()).clamp(0.0, 1.0);
    point.distance(if u.is_finite() { a + along * u } else { a })
}

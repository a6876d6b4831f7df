//! Finds the nodes under a point of the viewport: joints near it, and meshes that a ray hits.
//!
//! Meshes are tested as they are posed (morphed, skinned and switched), so that picking matches the picture.

pub mod vertex;

use std::borrow::Cow;
use std::collections::BTreeMap;

use glam::{DAffine3, DVec2, DVec3};

use crate::animation::hierarchy::deform;
use crate::camera::bounds::Bounds;
use crate::model::Model;
use crate::model::material::AlphaMode;
use crate::model::mesh::{Primitive, Topology};
use crate::model::node::NodeIndex;

use super::bounds;
use super::camera::screen::{Ray, ScreenProjection};
use super::document::Document;
use super::pose::solve::Posed;
use super::view::View;
use crate::session::view::display::{HeatMap, JointNames, Shading};

/// Distance within which the pointer hits a joint, in logical points.
pub const JOINT_REACH: f64 = 10.0;
/// Distance within which the pointer hits line and point primitives, which have no area, in logical points.
const LINE_REACH: f64 = 6.0;

/// A mesh hit at a point of the picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// The node that shows the mesh.
    pub node: NodeIndex,
    /// Depth in front of the camera, in meters.
    pub depth: f64,
    /// The position on a triangle. `None` for a line or a point.
    pub surface: Option<Surface>,
}

/// A position on a triangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Surface {
    /// Index in the mesh's primitives.
    pub primitive: usize,
    /// The corners of the triangle, as indices of the primitive's vertices.
    pub vertices: [u32; 3],
    /// Barycentric weight of each corner; they sum to 1.
    pub weights: [f64; 3],
}

/// All nodes under `point`: first joints, the nearest to the point first, then nodes with a mesh, the nearest to the eye first.
pub fn under(document: &Document, view: &View, posed: &Posed, projection: &ScreenProjection, point: DVec2) -> Vec<NodeIndex> {
    let mut found = joints_under(document, view, posed, projection, point);
    found.extend(meshes_under(document, view, posed, projection, point).into_iter().map(|hit| hit.node));
    found
}

/// The node to select among those under a point: the one behind the active node if the active node is among them, otherwise the first one.
pub fn next_behind(found: &[NodeIndex], active: Option<NodeIndex>) -> Option<NodeIndex> {
    let index = found.iter().position(|node| Some(*node) == active).map_or(0, |index| index + 1);
    found.get(index % found.len().max(1)).copied()
}

/// The drawn joints within reach of `point`, the nearest one first.
pub fn joints_under(document: &Document, view: &View, posed: &Posed, projection: &ScreenProjection, point: DVec2) -> Vec<NodeIndex> {
    let visible = visible_joints(document, view, posed, projection);
    let mut found: Vec<_> = visible
        .map(|(node, position, depth)| (position.distance_squared(point), depth, node))
        .filter(|(distance_squared, ..)| *distance_squared <= JOINT_REACH * JOINT_REACH)
        .collect();
    // If joints lie on top of each other, the one in front comes first.
    found.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    found.into_iter().map(|(.., node)| node).collect()
}

/// The joints that are shown as lines or by name and lie in front of the eye, each with its position on the picture in points and its
/// depth in meters. They are nodes of the skeleton ([`Document::skeleton_nodes`]).
pub fn visible_joints<'a>(
    document: &'a Document,
    view: &View,
    posed: &'a Posed,
    projection: &ScreenProjection,
) -> impl Iterator<Item = (NodeIndex, DVec2, f64)> + use<'a> {
    let joints =
        if document.shows_skeleton(view) { Cow::Borrowed(document.skeleton_nodes(view)) } else { joints_with_names(document, view) };
    projected_joints(joints, posed, projection)
}

/// The joints whose names are shown and that lie in front of the eye: all joints, or the selected ones. With [`JointNames::None`], the
/// selected ones if the skeleton is drawn. The values are those of [`visible_joints`].
pub fn named_joints<'a>(
    document: &'a Document,
    view: &View,
    posed: &'a Posed,
    projection: &ScreenProjection,
) -> impl Iterator<Item = (NodeIndex, DVec2, f64)> + use<'a> {
    projected_joints(joints_with_names(document, view), posed, projection)
}

/// Returns for each node whether it is a joint whose name is shown, in model order.
fn joints_with_names<'a>(document: &'a Document, view: &View) -> Cow<'a, [bool]> {
    match view.display.names {
        JointNames::All => Cow::Borrowed(document.skeleton_nodes(view)),
        JointNames::None if !document.shows_skeleton(view) => Cow::Owned(Vec::new()),
        JointNames::Selection | JointNames::None => Cow::Owned(selected_joints(document, view)),
    }
}

/// Projects those of the joints that are drawn. `joints` says for each node whether it is one of them.
fn projected_joints<'a>(
    joints: Cow<'a, [bool]>,
    posed: &'a Posed,
    projection: &ScreenProjection,
) -> impl Iterator<Item = (NodeIndex, DVec2, f64)> + use<'a> {
    let project = projection.projector();
    (0..joints.len()).filter(move |i| joints[*i] && posed.effective.drawn[*i]).filter_map(move |i| {
        let projected = project(posed.globals[i].translation)?;
        Some((NodeIndex(i as u32), projected.point, projected.depth))
    })
}

/// Returns for each node whether it is a selected joint, in model order.
fn selected_joints(document: &Document, view: &View) -> Vec<bool> {
    let all = document.skeleton_nodes(view);
    let mut joints = vec![false; all.len()];
    for node in view.selection.iter().filter_map(|&source| document.model.node_from_source(source)) {
        joints[node.index()] = all[node.index()];
    }
    joints
}

/// The nodes within a box on the picture, from `min` to `max` in points: shown joints or, if there are none, nodes whose mesh has its
/// center in the box.
pub fn inside(document: &Document, view: &View, posed: &Posed, projection: &ScreenProjection, [min, max]: [DVec2; 2]) -> Vec<NodeIndex> {
    let within = |position: DVec2| position.cmpge(min).all() && position.cmple(max).all();
    let joints: Vec<_> =
        visible_joints(document, view, posed, projection).filter(|(_, position, _)| within(*position)).map(|(node, ..)| node).collect();
    if !joints.is_empty() {
        return joints;
    }
    // The center of a mesh decides, so that a box around a part of a large mesh does not select all of it.
    let mesh_center =
        |node: &NodeIndex| projection.project(bounds::mesh_bounds(&document.model, &document.mesh_bounds, posed, node.index()).center());
    visible_meshes(&document.model, posed).filter(|node| mesh_center(node).is_some_and(|mesh_center| within(mesh_center.point))).collect()
}

/// The nodes whose mesh is visible.
fn visible_meshes<'a>(model: &'a Model, posed: &'a Posed) -> impl Iterator<Item = NodeIndex> + 'a {
    model.node_indices().filter(|node| model.node(*node).mesh.is_some() && posed.shown[node.index()])
}

/// The visible meshes under `point`, the nearest to the eye first.
pub fn meshes_under(document: &Document, view: &View, posed: &Posed, projection: &ScreenProjection, point: DVec2) -> Vec<Hit> {
    let model = &document.model;
    let ray = projection.ray(point);
    let pick = PickPoint { projection, point, ray };
    // This mode draws alpha as a color, also where a surface is transparent.
    let shows_alpha = view.display.shading == Shading::Alpha && view.display.heat_map == HeatMap::Off;
    let hit = |node: NodeIndex| {
        let bounds = bounds::mesh_bounds(model, &document.mesh_bounds, posed, node.index());
        let primitives = &model.meshes[model.node(node).mesh?].primitives;
        // Deforming every vertex is slow, so meshes that the ray cannot hit are skipped.
        if primitives.iter().all(|primitive| primitive.topology == Topology::Triangles) && !may_hit(&ray, &bounds) {
            return None;
        }
        let drawn = (0..primitives.len()).filter(|i| shows_alpha || !is_invisible(model, posed, &primitives[*i]));
        let hits = drawn.filter_map(|i| match model.node(node).instances.is_empty() {
            true => primitive_hit(document, posed, &pick, node, i),
            false => instances_hit(document, posed, &pick, node, i),
        });
        hits.min_by(|a, b| a.depth.total_cmp(&b.depth))
    };
    let mut hits: Vec<_> = visible_meshes(model, posed).filter_map(hit).collect();
    hits.sort_by(|a, b| a.depth.total_cmp(&b.depth));
    hits
}

/// The number of vertices that [`meshes_under`] has to deform for a point.
pub fn vertices_under(document: &Document, posed: &Posed, projection: &ScreenProjection, point: DVec2) -> usize {
    let (model, ray) = (&document.model, projection.ray(point));
    let near =
        visible_meshes(model, posed).filter(|node| may_hit(&ray, &bounds::mesh_bounds(model, &document.mesh_bounds, posed, node.index())));
    let meshes = near.filter_map(|node| model.meshes.get(model.node(node).mesh?));
    meshes.flat_map(|mesh| &mesh.primitives).map(|primitive| primitive.vertices.positions.len()).sum()
}

/// A point of the picture and the ray through it.
struct PickPoint<'a> {
    projection: &'a ScreenProjection,
    /// The position on the picture, in logical points.
    point: DVec2,
    /// The ray through `point`, in world space.
    ray: Ray,
}

/// The nearest hit of a primitive that its node or its skin moves.
fn primitive_hit(document: &Document, posed: &Posed, pick: &PickPoint, node: NodeIndex, index: usize) -> Option<Hit> {
    let model = &*document.model;
    let primitive = &model.meshes[model.node(node).mesh?].primitives[index];
    let vertices = 0..primitive.vertices.positions.len();
    let positions = deform::positions(model, node, primitive, posed.vertex_pose(), vertices);
    // The transform of a skinned mesh's node has no effect, so the joints decide whether triangles are mirrored.
    let side = match model.node(node).skin.filter(|_| primitive.vertices.influences.sets > 0) {
        Some(skin) => {
            let joints = &document.mesh_bounds.meshes[model.node(node).mesh?][index].joints;
            let transforms = &posed.joint_transforms[model.skins[skin].matrices.clone()];
            common_side(joints.iter().filter_map(|(joint, _)| transforms.get(usize::from(*joint))))
        }
        None => common_side([&posed.globals[node.index()]]),
    };
    let indices = posed.indices(node, index, primitive);
    shape_hit(pick, (primitive.topology, indices), &positions, culled_side(model, primitive, side)).map(|hit| hit.complete(node, index))
}

/// The nearest hit of a primitive over all of its node's instances.
fn instances_hit(document: &Document, posed: &Posed, pick: &PickPoint, node: NodeIndex, index: usize) -> Option<Hit> {
    let (model, data) = (&*document.model, document.model.node(node));
    let primitive = &model.meshes[data.mesh?].primitives[index];
    let bounds = bounds::primitive_bounds(model, &document.mesh_bounds, posed, node.index(), index);
    let morphed = deform::morphed(model, node, primitive, &posed.pose.weights);
    // Morphing is the same for all instances; only the transform differs.
    let shape: Vec<DVec3> = (0..primitive.vertices.positions.len()).map(morphed).collect();
    let hits = data.instances.iter().filter_map(|instance| {
        let transform = posed.globals[node.index()] * instance.as_daffine3();
        if primitive.topology == Topology::Triangles && !may_hit(&pick.ray, &bounds.transformed(&transform)) {
            return None;
        }
        let positions: Vec<DVec3> = shape.iter().map(|position| transform.transform_point3(*position)).collect();
        let indices = posed.indices(node, index, primitive);
        shape_hit(pick, (primitive.topology, indices), &positions, culled_side(model, primitive, common_side([&transform])))
    });
    hits.min_by(|a, b| a.depth.total_cmp(&b.depth)).map(|hit| hit.complete(node, index))
}

/// A hit without its node and primitive.
struct ShapeHit {
    /// Depth in front of the camera, in meters.
    depth: f64,
    /// The triangle's vertices and the barycentric weight of each; `None` for a line or a point.
    triangle: Option<([u32; 3], [f64; 3])>,
}

impl ShapeHit {
    /// Returns the hit with its node and primitive.
    fn complete(self, node: NodeIndex, primitive: usize) -> Hit {
        let surface = self.triangle.map(|(vertices, weights)| Surface { primitive, vertices, weights });
        Hit { node, depth: self.depth, surface }
    }
}

/// The nearest hit of a primitive whose vertices are at `positions`, in world space. `culled` is the side to skip; see [`triangle_hit`].
fn shape_hit(pick: &PickPoint, (topology, indices): (Topology, &[u32]), positions: &[DVec3], culled: Option<f64>) -> Option<ShapeHit> {
    let (projection, point, ray) = (pick.projection, pick.point, &pick.ray);
    let position = |vertex: u32| positions[vertex as usize];
    let line_or_point = |depth| ShapeHit { depth, triangle: None };
    match topology {
        Topology::Triangles => {
            let triangles = indices.chunks_exact(3).map(|t| [t[0], t[1], t[2]]);
            let hits = triangles.filter_map(|vertices| Some((triangle_hit(ray, vertices.map(position), culled)?, vertices)));
            let ((distance, weights), vertices) = hits.min_by(|a, b| a.0.0.total_cmp(&b.0.0))?;
            let depth = projection.project(ray.origin + ray.direction * distance)?.depth;
            Some(ShapeHit { depth, triangle: Some((vertices, weights)) })
        }
        Topology::Lines => {
            // Lines and points have no area for a ray to hit, so distances on the picture decide.
            let ends =
                indices.chunks_exact(2).filter_map(|e| Some([projection.project(position(e[0]))?, projection.project(position(e[1]))?]));
            let near = ends.filter(|[a, b]| distance_to_segment(point, a.point, b.point) <= LINE_REACH);
            near.map(|[a, b]| a.depth.min(b.depth)).min_by(f64::total_cmp).map(line_or_point)
        }
        Topology::Points => {
            let points = indices.iter().filter_map(|vertex| projection.project(position(*vertex)));
            points.filter(|p| p.point.distance(point) <= LINE_REACH).map(|p| p.depth).min_by(f64::total_cmp).map(line_or_point)
        }
    }
}

/// The joints that move the surface at a hit, each with its weight there, the heaviest first.
pub fn joints_at(model: &Model, hit: &Hit) -> Vec<(NodeIndex, f64)> {
    let node = model.node(hit.node);
    let (Some(surface), Some(mesh), Some(skin)) = (hit.surface, node.mesh, node.skin) else { return Vec::new() };
    let influences = &model.meshes[mesh].primitives[surface.primitive].vertices.influences;
    let mut weights = BTreeMap::<NodeIndex, f64>::new();
    for (vertex, share) in surface.vertices.into_iter().zip(surface.weights) {
        for (joint, weight) in influences.of_vertex(vertex as usize) {
            *weights.entry(model.skins[skin].joints[joint]).or_default() += f64::from(weight) * share;
        }
    }
    let mut weights: Vec<_> = weights.into_iter().filter(|(_, weight)| *weight >= 0.0005).collect();
    weights.sort_by(|a, b| b.1.total_cmp(&a.1));
    weights
}

/// Returns whether the material makes all of a primitive more transparent than what a search on the GPU finds. The alpha of textures and
/// vertices is not read.
fn is_invisible(model: &Model, posed: &Posed, primitive: &Primitive) -> bool {
    let is_invisible = |material: usize| {
        let material = posed.materials.get(material).unwrap_or(&model.materials[material]);
        let min_alpha = match material.alpha_mode {
            AlphaMode::Opaque => return false,
            AlphaMode::Mask { cutoff } => cutoff,
            // Keep in sync with picking.wgsl.
            AlphaMode::Blend => 0.1,
        };
        material.base_color_factor.w < min_alpha
    };
    // A primitive with variants is found if any variant is visible.
    primitive.material.is_some() && primitive.materials().all(is_invisible)
}

/// The side of triangles that is the inside of a surface after these transforms: 1 for the back, -1 for the front if all of them mirror.
/// `None` if only some of them mirror.
fn common_side<'a>(transforms: impl IntoIterator<Item = &'a DAffine3>) -> Option<f64> {
    let mut sides = transforms.into_iter().map(|transform| if transform.matrix3.determinant() < 0.0 { -1.0 } else { 1.0 });
    let first = sides.next()?;
    sides.all(|side| side == first).then_some(first)
}

/// The side of triangles that is not drawn: 1 for the back, -1 for the front of a mirrored primitive, `None` if both are drawn.
/// `side` is that of the primitive's transforms; see [`common_side`].
fn culled_side(model: &Model, primitive: &Primitive, side: Option<f64>) -> Option<f64> {
    // A primitive with variants counts as double-sided if any variant is.
    let double_sided = primitive.materials().any(|material| model.materials[material].double_sided);
    side.filter(|_| !double_sided)
}

/// The distance along the ray at which it hits a triangle, and the barycentric weight of each corner there (Möller and Trumbore).
/// `culled` is 1 to ignore triangles seen from the back, -1 to ignore those seen from the front, and `None` to ignore neither.
pub fn triangle_hit(ray: &Ray, [a, b, c]: [DVec3; 3], culled: Option<f64>) -> Option<(f64, [f64; 3])> {
    let (ab, ac) = (b - a, c - a);
    let across = ray.direction.cross(ac);
    // Positive where the triangle is seen from the front.
    let determinant = ab.dot(across);
    // Ignore the triangle if the ray is parallel to it, if it has no area or no finite position, or if the side that it hits is culled.
    if determinant == 0.0 || !determinant.is_finite() || culled.is_some_and(|side| determinant * side < 0.0) {
        return None;
    }
    let from_a = ray.origin - a;
    let u = from_a.dot(across) / determinant;
    let q = from_a.cross(ab);
    let v = ray.direction.dot(q) / determinant;
    let distance = ac.dot(q) / determinant;
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && distance > 0.0).then_some((distance, [1.0 - u - v, u, v]))
}

/// Returns whether a ray may hit geometry within a box (slab test).
fn may_hit(ray: &Ray, bounds: &Bounds) -> bool {
    if bounds.is_empty() {
        return false;
    }
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

/// The distance from the position `point` on the picture to a line segment, in logical points.
fn distance_to_segment(point: DVec2, a: DVec2, b: DVec2) -> f64 {
    let direction = b - a;
    let u = ((point - a).dot(direction) / direction.length_squared()).clamp(0.0, 1.0);
    point.distance(if u.is_finite() { a + direction * u } else { a })
}

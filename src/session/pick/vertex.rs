//! Finds the vertex under the pointer, and reads its joints and weights. The loader has normalized the weights.

use glam::{DVec2, DVec3};

use crate::animation::hierarchy::deform;
use crate::model::Model;
use crate::model::mesh::{Primitive, Topology};
use crate::model::node::NodeIndex;
use crate::session::camera::screen::ScreenProjection;
use crate::session::document::Document;
use crate::session::pick;
use crate::session::pose::solve::Posed;
use crate::session::view::View;

/// A vertex of a mesh, and the node that shows the mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Vertex {
    /// The node that shows the mesh.
    pub node: NodeIndex,
    /// Index in the mesh's primitives.
    pub primitive: usize,
    /// Index in the primitive's vertices.
    pub vertex: u32,
}

/// The properties of a vertex that the probe shows.
#[derive(Debug, Clone, PartialEq)]
pub struct Probed {
    pub vertex: Vertex,
    /// Index of the vertex in the file's accessors.
    pub file_index: usize,
    /// Position in world space, in meters. `None` for a mesh with instances, where a vertex has many positions.
    pub position: Option<DVec3>,
    /// Joints with a weight above 0 on the vertex, the heaviest first. A rigid mesh has the joint that it belongs to, if any, with
    /// weight 1.
    pub joints: Vec<(NodeIndex, f32)>,
}

/// Returns the corner of the frontmost triangle under `point` that is nearest to `point` on the picture. `point` is a position on the
/// picture, in logical points. `None` if no mesh is there, or if the frontmost mesh is hit on a line or a point instead of a triangle.
pub fn vertex_under(document: &Document, view: &View, posed: &Posed, projection: &ScreenProjection, point: DVec2) -> Option<Vertex> {
    let hit = *pick::meshes_under(document, view, posed, projection, point).first()?;
    let surface = hit.surface?;
    // Corners may lie behind the camera or have no position. If this applies to all three, the one with the largest barycentric weight is
    // used.
    let corner = |vertex| Vertex { node: hit.node, primitive: surface.primitive, vertex };
    let heaviest = surface.vertices.into_iter().zip(surface.weights).max_by(|a, b| a.1.total_cmp(&b.1)).map(|(vertex, _)| corner(vertex));
    nearest(document, posed, projection, point, surface.vertices.into_iter().map(corner)).or(heaviest)
}

/// Returns the corner of the frontmost triangle under `point` that is nearest to `point` on the picture. `point` is a position on the
/// picture, in logical points. `corner` is a corner of that triangle as read back from the GPU, so only triangles with this corner are
/// tested. Returns `corner` itself if none of them is hit, and `None` if the model has no such vertex.
pub fn vertex_around(document: &Document, posed: &Posed, projection: &ScreenProjection, point: DVec2, corner: Vertex) -> Option<Vertex> {
    let primitive = primitive(&document.model, corner)?;
    let indices = posed.indices(corner.node, corner.primitive, primitive);
    let same_primitive = |vertex| Vertex { vertex, ..corner };
    if primitive.topology != Topology::Triangles {
        return Some(corner);
    }
    let triangles = indices.as_chunks::<3>().0.iter().filter(|triangle| triangle.contains(&corner.vertex));
    let ray = projection.ray(point);
    let positions =
        |triangle: &[u32; 3]| triangle.map(|vertex| position(&document.model, posed, same_primitive(vertex)).unwrap_or(DVec3::NAN));
    let hit = |triangle: &&[u32; 3]| Some((pick::triangle_hit(&ray, positions(triangle), None)?.0, **triangle));
    let hits = triangles.filter_map(|triangle| hit(&triangle));
    match hits.min_by(|a, b| a.0.total_cmp(&b.0)) {
        Some((_, triangle)) => nearest(document, posed, projection, point, triangle.into_iter().map(same_primitive)),
        // The mesh has moved since the picture was drawn.
        None => Some(corner),
    }
}

/// Reads joints, weights and position of a vertex. `None` if the model has no such vertex.
pub fn probe(document: &Document, posed: &Posed, vertex: Vertex) -> Option<Probed> {
    let model = &document.model;
    let primitive = primitive(model, vertex)?;
    let position = position(model, posed, vertex);
    let influences = &primitive.vertices.influences;
    let joints = match model.node(vertex.node).skin.filter(|_| influences.sets > 0) {
        Some(skin) => {
            let influences = influences.of_vertex(vertex.vertex as usize);
            influences.map(|(joint, weight)| (model.skins[skin].joints[joint], weight)).collect()
        }
        None => document.owner_joints[vertex.node.index()].map(|owner| (owner, 1.0)).into_iter().collect(),
    };
    Some(Probed { vertex, file_index: primitive.source_vertex(vertex.vertex) as usize, position, joints: merge(joints) })
}

/// Returns each joint once, with the sum of its weights, the heaviest first.
fn merge(joints: Vec<(NodeIndex, f32)>) -> Vec<(NodeIndex, f32)> {
    let mut merged: Vec<(NodeIndex, f32)> = Vec::with_capacity(joints.len());
    for (joint, weight) in joints {
        match merged.iter_mut().find(|(known, _)| *known == joint) {
            Some((_, sum)) => *sum += weight,
            None => merged.push((joint, weight)),
        }
    }
    merged.sort_by(|a, b| b.1.total_cmp(&a.1));
    merged
}

/// The vertex whose projection is nearest to a point of the picture. Those behind the camera or without a position are left out. Occlusion
/// is not tested.
fn nearest(
    document: &Document,
    posed: &Posed,
    projection: &ScreenProjection,
    point: DVec2,
    vertices: impl Iterator<Item = Vertex>,
) -> Option<Vertex> {
    let distance = |vertex: Vertex| Some((projection.project(position(&document.model, posed, vertex)?)?.point.distance(point), vertex));
    vertices.filter_map(distance).min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, vertex)| vertex)
}

/// The position of a vertex in the pose, in world space and meters. `None` if the model has no such vertex, or if its node
/// has instances.
pub fn position(model: &Model, posed: &Posed, vertex: Vertex) -> Option<DVec3> {
    let primitive = primitive(model, vertex).filter(|_| model.node(vertex.node).instances.is_empty())?;
    let only = std::iter::once(vertex.vertex as usize);
    deform::positions(model, vertex.node, primitive, posed.vertex_pose(), only).pop()
}

/// The primitive of a vertex. `None` if the model has no such vertex.
fn primitive(model: &Model, vertex: Vertex) -> Option<&Primitive> {
    let mesh = model.nodes.get(vertex.node.index())?.mesh?;
    let primitive = model.meshes.get(mesh)?.primitives.get(vertex.primitive)?;
    ((vertex.vertex as usize) < primitive.vertices.positions.len()).then_some(primitive)
}

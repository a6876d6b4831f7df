//! Finds the vertex under the pointer, and reads its joints and weights as the file's accessors have them.

use glam::{DVec2, DVec3};

use crate::animation::hierarchy::deform;
use crate::model::Model;
use crate::model::mesh::{Primitive, Topology};
use crate::model::node::NodeIndex;
use crate::session::camera::screen::ScreenProjection;
use crate::session::document::Document;
use crate::session::pick;
use crate::session::pose::solve::Posed;

/// A vertex of a mesh as a node shows it.
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
    /// The vertex.
    pub at: Vertex,
    /// Index of the vertex in the file's accessors.
    pub number: usize,
    /// Position in world space; `None` for a mesh with instances, which has many.
    pub place: Option<DVec3>,
    /// Joints with any weight on the vertex, the heaviest first. For a rigid mesh, the joint that it belongs to, with weight 1.
    pub joints: Vec<(NodeIndex, f32)>,
}

/// The vertex nearest to a point of the picture, among the corners of the visible triangle there.
pub fn under(document: &Document, posed: &Posed, projection: &ScreenProjection, point: DVec2) -> Option<Vertex> {
    let hit = *pick::meshes_under(document, posed, projection, point).first()?;
    let surface = hit.surface?;
    // Corners may lie behind the camera or have no position; then the one with the largest barycentric weight is taken.
    let corner = |vertex| Vertex { node: hit.node, primitive: surface.primitive, vertex };
    let heaviest = surface.vertices.into_iter().zip(surface.weights).max_by(|a, b| a.1.total_cmp(&b.1)).map(|(vertex, _)| corner(vertex));
    nearest(document, posed, projection, point, surface.vertices.into_iter().map(corner)).or(heaviest)
}

/// The vertex nearest to a point of the picture, among the triangles around `seen`. `seen` is a corner of the visible triangle there, as
/// read back from the GPU.
pub fn around(document: &Document, posed: &Posed, projection: &ScreenProjection, point: DVec2, seen: Vertex) -> Option<Vertex> {
    let primitive = primitive(&document.model, seen)?;
    let indices = posed.indices(seen.node, seen.primitive, primitive);
    let corner = |vertex| Vertex { vertex, ..seen };
    if primitive.topology != Topology::Triangles {
        return Some(seen);
    }
    let triangles = indices.as_chunks::<3>().0.iter().filter(|triangle| triangle.contains(&seen.vertex));
    let ray = projection.ray(point);
    let places = |triangle: &[u32; 3]| triangle.map(|vertex| place(&document.model, posed, corner(vertex)).unwrap_or(DVec3::NAN));
    let hit = |triangle: &&[u32; 3]| Some((pick::triangle_hit(&ray, places(triangle), None)?.0, **triangle));
    let hits = triangles.filter_map(|triangle| hit(&triangle));
    match hits.min_by(|a, b| a.0.total_cmp(&b.0)) {
        Some((_, triangle)) => nearest(document, posed, projection, point, triangle.into_iter().map(corner)),
        // The mesh has moved since the picture was drawn.
        None => Some(seen),
    }
}

/// Reads joints, weights and position of a vertex. `None` if the model has no such vertex.
pub fn probe(document: &Document, posed: &Posed, at: Vertex) -> Option<Probed> {
    let model = &document.model;
    let primitive = primitive(model, at)?;
    let place = place(model, posed, at);
    let joints = match model.node(at.node).skin.filter(|_| primitive.vertices.influences.sets > 0) {
        Some(skin) => weights(primitive, at.vertex).map(|(joint, weight)| (model.skins[skin].joints[joint], weight)).collect(),
        None => document.owner_joints[at.node.index()].map(|carrier| (carrier, 1.0)).into_iter().collect(),
    };
    Some(Probed { at, number: number(primitive, at.vertex as usize), place, joints: merged(joints) })
}

/// The joints with any weight on a vertex, as indices in the skin's joints.
pub fn weights(primitive: &Primitive, vertex: u32) -> impl Iterator<Item = (usize, f32)> + '_ {
    let influences = &primitive.vertices.influences;
    let sets = vertex as usize * influences.sets..(vertex as usize + 1) * influences.sets;
    let joints = influences.joints.get(sets.clone()).unwrap_or_default().as_flattened();
    let weights = influences.weights.get(sets).unwrap_or_default().as_flattened();
    joints.iter().zip(weights).filter(|(_, weight)| **weight > 0.0).map(|(joint, weight)| (usize::from(*joint), *weight))
}

/// Each joint once with the sum of its weights, the heaviest first.
fn merged(joints: Vec<(NodeIndex, f32)>) -> Vec<(NodeIndex, f32)> {
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

/// The index of a vertex in the file. A vertex that the loader duplicated has the index of its original.
fn number(primitive: &Primitive, vertex: usize) -> usize {
    let vertices = &primitive.vertices;
    // Duplicates differ in other attributes (such as tangents), so only these are compared.
    let same = |other: usize| {
        vertices.positions[other] == vertices.positions[vertex]
            && vertices.normals.get(other) == vertices.normals.get(vertex)
            && vertices.tex_coords.iter().all(|set| set.get(other) == set.get(vertex))
    };
    let original = || (0..primitive.source_vertex_count).find(|&other| same(other)).unwrap_or(vertex);
    if vertex < primitive.source_vertex_count { vertex } else { original() }
}

/// The visible vertex nearest to a point of the picture.
fn nearest(
    document: &Document,
    posed: &Posed,
    projection: &ScreenProjection,
    point: DVec2,
    vertices: impl Iterator<Item = Vertex>,
) -> Option<Vertex> {
    let seen = |vertex: Vertex| Some((projection.project(place(&document.model, posed, vertex)?)?.point.distance(point), vertex));
    vertices.filter_map(seen).min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, vertex)| vertex)
}

/// The position of a vertex in the pose, in world space. `None` if the model has no such vertex, or has instances of it.
pub fn place(model: &Model, posed: &Posed, at: Vertex) -> Option<DVec3> {
    let primitive = primitive(model, at).filter(|_| model.node(at.node).instances.is_empty())?;
    let only = std::iter::once(at.vertex as usize);
    deform::positions(model, at.node, primitive, &posed.transforms, &posed.pose.weights, only).pop()
}

/// The primitive of a vertex. `None` if the model has no such vertex.
fn primitive(model: &Model, at: Vertex) -> Option<&Primitive> {
    let mesh = model.nodes.get(at.node.index())?.mesh?;
    let primitive = model.meshes.get(mesh)?.primitives.get(at.primitive)?;
    ((at.vertex as usize) < primitive.vertices.positions.len()).then_some(primitive)
}

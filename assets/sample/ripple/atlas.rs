//! Unwraps a mesh: connected triangles that face the same way form a chart, and charts are packed into the texture.

use std::collections::BTreeMap;

use glam::{DVec2, DVec3};

use super::mesh::{Mesh, Vertex};

/// A mesh cut along the borders of its charts, with a texture coordinate per vertex (0 to 1, v downwards).
pub struct Unwrapped {
    pub mesh: Mesh,
    pub uvs: Vec<DVec2>,
}

/// Free texels around each chart, so that mipmaps do not bleed.
const MARGIN: f64 = 2.5;

struct Chart {
    axis: usize,
    triangles: Vec<usize>,
    low: DVec2,
    size: DVec2,
}

pub fn unwrap(mesh: &Mesh, texels: f64, density: impl Fn(&Vertex) -> f64) -> Unwrapped {
    let charts = charts(mesh, density);
    let density = |chart: &(Chart, f64)| chart.1;
    // Find the largest scale at which all charts fit.
    let mut scale = texels * 4.0;
    let places = loop {
        match pack(charts.iter().map(|chart| chart.0.size * density(chart) * scale), texels) {
            Some(places) => break places,
            None => scale *= 0.99,
        }
    };
    let mut unwrapped = Unwrapped { mesh: Mesh::default(), uvs: Vec::new() };
    for (chart, place) in charts.iter().zip(places) {
        let mut moved = BTreeMap::new();
        for &triangle in &chart.0.triangles {
            let corners = mesh.triangles[triangle].map(|i| {
                *moved.entry(i).or_insert_with(|| {
                    let vertex = &mesh.vertices[i as usize];
                    let flat = (flatten(vertex.position, chart.0.axis) - chart.0.low) * density(chart) * scale;
                    unwrapped.uvs.push((place + flat + MARGIN) / texels);
                    unwrapped.mesh.vertices.push(vertex.clone());
                    unwrapped.uvs.len() as u32 - 1
                })
            });
            unwrapped.mesh.triangles.push(corners);
        }
    }
    unwrapped
}

/// Projects a point along one of six axes (0 to 5: +x, -x, +y, -y, +z, -z).
fn flatten(p: DVec3, axis: usize) -> DVec2 {
    match axis / 2 {
        0 => DVec2::new(p.z, -p.y),
        1 => DVec2::new(p.x, p.z),
        _ => DVec2::new(p.x, -p.y),
    }
}

fn facing(normal: DVec3, axis: usize) -> f64 {
    normal[axis / 2] * if axis.is_multiple_of(2) { 1.0 } else { -1.0 }
}

fn charts(mesh: &Mesh, density: impl Fn(&Vertex) -> f64) -> Vec<(Chart, f64)> {
    let normals: Vec<DVec3> = mesh
        .triangles
        .iter()
        .map(|triangle| {
            let [a, b, c] = triangle.map(|i| mesh.vertices[i as usize].position);
            (b - a).cross(c - a).normalize_or(DVec3::Y)
        })
        .collect();
    let neighbors = neighbors(mesh);
    let best = |normal: &DVec3| (0..6).max_by(|&a, &b| facing(*normal, a).total_cmp(&facing(*normal, b))).unwrap_or(0);
    let mut axes: Vec<usize> = normals.iter().map(best).collect();
    // Smooth ragged borders: a triangle joins its neighbors if it faces their axis well enough.
    for _ in 0..12 {
        let score = |triangle: usize, axis: usize| {
            let with = neighbors[triangle].iter().filter(|&&other| axes[other] == axis).count();
            let faces = facing(normals[triangle], axis);
            if faces < 0.25 { -1.0 } else { faces + 0.35 * with as f64 }
        };
        axes = (0..axes.len()).map(|t| (0..6).max_by(|&a, &b| score(t, a).total_cmp(&score(t, b))).unwrap_or(0)).collect();
    }
    join_small(&mut axes, &normals, &neighbors);
    let mut taken = vec![false; axes.len()];
    let mut charts = Vec::new();
    for first in 0..axes.len() {
        let triangles = alike(first, &axes, &neighbors, &mut taken);
        if triangles.is_empty() {
            continue;
        }
        let corners = || triangles.iter().flat_map(|&t| mesh.triangles[t]).map(|i| &mesh.vertices[i as usize]);
        let flat = || corners().map(|vertex| flatten(vertex.position, axes[first]));
        let low = flat().fold(DVec2::INFINITY, DVec2::min);
        let size = flat().fold(DVec2::NEG_INFINITY, DVec2::max) - low;
        let dense = corners().map(&density).sum::<f64>() / corners().count() as f64;
        charts.push((Chart { axis: axes[first], triangles, low, size }, dense));
    }
    charts
}

/// Returns the triangles connected to `first` that have its axis and are not taken.
fn alike(first: usize, axes: &[usize], neighbors: &[Vec<usize>], taken: &mut [bool]) -> Vec<usize> {
    let mut triangles = Vec::new();
    let mut open = vec![first];
    while let Some(triangle) = open.pop() {
        if !std::mem::replace(&mut taken[triangle], true) {
            triangles.push(triangle);
            open.extend(neighbors[triangle].iter().filter(|&&other| axes[other] == axes[first]));
        }
    }
    triangles
}

/// Merges each tiny chart into the neighbor whose axis it faces best, if none of its triangles would be seen from behind.
fn join_small(axes: &mut [usize], normals: &[DVec3], neighbors: &[Vec<usize>]) {
    let mut taken = vec![false; axes.len()];
    for first in 0..axes.len() {
        let scrap = alike(first, axes, neighbors, &mut taken);
        if scrap.len() > 40 {
            continue;
        }
        let beside = scrap.iter().flat_map(|&t| &neighbors[t]).map(|&t| axes[t]).filter(|&axis| axis != axes[first]);
        let worst = |axis: usize| scrap.iter().map(|&t| facing(normals[t], axis)).fold(1.0, f64::min);
        if let Some(axis) = beside.max_by(|&a, &b| worst(a).total_cmp(&worst(b))).filter(|&axis| worst(axis) > 0.15) {
            scrap.iter().for_each(|&t| axes[t] = axis);
        }
    }
}

fn neighbors(mesh: &Mesh) -> Vec<Vec<usize>> {
    let mut edges: BTreeMap<(u32, u32), Vec<usize>> = BTreeMap::new();
    for (t, triangle) in mesh.triangles.iter().enumerate() {
        for (a, b) in [(0, 1), (1, 2), (2, 0)] {
            let (a, b) = (triangle[a], triangle[b]);
            edges.entry((a.min(b), a.max(b))).or_default().push(t);
        }
    }
    let mut neighbors = vec![Vec::new(); mesh.triangles.len()];
    for sharing in edges.values() {
        for &t in sharing {
            neighbors[t].extend(sharing.iter().filter(|&&other| other != t));
        }
    }
    neighbors
}

/// Packs boxes into a square in rows, tallest first. `None` if they do not fit.
fn pack(sizes: impl Iterator<Item = DVec2>, square: f64) -> Option<Vec<DVec2>> {
    let sizes: Vec<DVec2> = sizes.map(|size| size + 2.0 * MARGIN).collect();
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by(|&a, &b| sizes[b].y.total_cmp(&sizes[a].y).then(a.cmp(&b)));
    let mut places = vec![DVec2::ZERO; sizes.len()];
    let (mut corner, mut shelf) = (DVec2::ZERO, 0.0);
    for i in order {
        if corner.x + sizes[i].x > square {
            corner = DVec2::new(0.0, corner.y + shelf);
            shelf = 0.0;
        }
        if corner.x + sizes[i].x > square || corner.y + sizes[i].y > square {
            return None;
        }
        places[i] = corner;
        corner.x += sizes[i].x;
        shelf = f64::max(shelf, sizes[i].y);
    }
    Some(places)
}

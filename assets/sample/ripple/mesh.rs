//! The mesh that modeling produces: triangles, and vertices with the data for painting and skinning.

use glam::DVec3;

use super::shape::gradient;

#[derive(Clone, Debug, Default)]
pub struct Mesh {
    pub vertices: Vec<Vertex>,
    pub triangles: Vec<[u32; 3]>,
}

#[derive(Clone, Debug)]
pub struct Vertex {
    pub position: DVec3,
    pub normal: DVec3,
    /// The part that it belongs to, and the position along it (0 at its root, 1 at its tip), for painting.
    pub part: Part,
    pub along: f64,
    pub weights: Weights,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Body,
    Gill,
    Lid,
    Tongue,
}

/// Joints and their weights.
#[derive(Clone, Debug, Default)]
pub struct Weights(pub Vec<(usize, f64)>);

impl Weights {
    pub fn single(joint: usize) -> Self {
        Self(vec![(joint, 1.0)])
    }

    pub fn weight(&self, joint: usize) -> f64 {
        self.0.iter().find(|(other, _)| *other == joint).map_or(0.0, |(_, weight)| *weight)
    }

    pub fn add(&mut self, joint: usize, weight: f64) {
        match self.0.iter_mut().find(|(other, _)| *other == joint) {
            Some((_, sum)) => *sum += weight,
            None => self.0.push((joint, weight)),
        }
    }

    /// Returns the four largest weights, as multiples of 1/255 that sum to 1. The file stores them as bytes.
    pub fn strongest_four(mut self) -> Self {
        self.0.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        self.0.truncate(4);
        let sum: f64 = self.0.iter().map(|(_, weight)| weight).sum();
        let mut left = 255.0;
        for (_, weight) in self.0.iter_mut().rev() {
            *weight = (*weight / sum * 255.0).round();
            left -= *weight;
        }
        // The largest weight absorbs the rounding.
        if let Some((_, weight)) = self.0.first_mut() {
            *weight += left;
        }
        self.0.retain(|(_, weight)| *weight > 0.0);
        for (_, weight) in &mut self.0 {
            *weight /= 255.0;
        }
        self
    }
}

impl Mesh {
    /// Appends the vertices and triangles of another mesh.
    pub fn append(&mut self, other: Mesh) {
        let first = self.vertices.len() as u32;
        self.vertices.extend(other.vertices);
        self.triangles.extend(other.triangles.iter().map(|triangle| triangle.map(|i| i + first)));
    }

    /// Sets the normal of each vertex to the normalized sum of its triangles' normals, for shapes without a formula.
    pub fn smooth_normals(&mut self) {
        let mut sums = vec![DVec3::ZERO; self.vertices.len()];
        for triangle in &self.triangles {
            let [a, b, c] = triangle.map(|i| self.vertices[i as usize].position);
            for i in triangle {
                sums[*i as usize] += (b - a).cross(c - a);
            }
        }
        for (vertex, sum) in self.vertices.iter_mut().zip(sums) {
            vertex.normal = sum.normalize_or(DVec3::Y);
        }
    }
}

/// Returns the ambient occlusion at a point of the surface of `distance`, from five samples along the normal: 1 open, 0 hidden.
pub fn openness(distance: impl Fn(DVec3) -> f64, p: DVec3, normal: DVec3) -> f64 {
    let looks = [0.006, 0.013, 0.022, 0.034, 0.05];
    let closed: f64 = looks.iter().map(|far| (far - distance(p + normal * *far)).max(0.0) / far).sum();
    (1.0 - 0.19 * closed).clamp(0.0, 1.0)
}

/// Returns the nearest point of the surface, and its normal.
pub fn on_surface(distance: impl Fn(DVec3) -> f64 + Copy, mut p: DVec3) -> (DVec3, DVec3) {
    for _ in 0..4 {
        let slope = gradient(distance, p, 5e-4);
        p -= slope * (distance(p) / slope.length_squared().max(0.25)).clamp(-0.003, 0.003);
    }
    (p, gradient(distance, p, 1e-3).normalize_or(DVec3::Y))
}

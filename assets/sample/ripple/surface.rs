//! Triangulates the skin with surface nets over a regular grid. Every vertex is then moved onto the true surface, so that the grid is
//! not visible.

use std::collections::BTreeMap;

use glam::DVec3;

use super::mesh::on_surface;

/// A grid of cubes of `step` meters that fills a box from `low` upwards.
pub struct Grid {
    pub low: DVec3,
    pub step: f64,
    pub counts: [usize; 3],
}

/// The surface where a distance is zero: its points with their normals, and its triangles.
pub struct Surface {
    pub points: Vec<(DVec3, DVec3)>,
    pub triangles: Vec<[u32; 3]>,
}

impl Grid {
    pub fn new(low: DVec3, high: DVec3, step: f64) -> Self {
        let count = |axis: usize| ((high - low)[axis] / step).ceil() as usize + 1;
        Self { low, step, counts: [0, 1, 2].map(count) }
    }

    fn point(&self, [i, j, k]: [usize; 3]) -> DVec3 {
        self.low + DVec3::new(i as f64, j as f64, k as f64) * self.step
    }

    fn index(&self, [i, j, k]: [usize; 3]) -> usize {
        (k * self.counts[1] + j) * self.counts[0] + i
    }

    /// Returns the distances at all grid points. In blocks far from the surface, all points get the distance of the block's middle.
    fn distances(&self, distance: impl Fn(DVec3) -> f64) -> Vec<f64> {
        const BLOCK: usize = 5;
        let mut values = vec![0.0; self.counts.iter().product()];
        for start in every([0; 3], self.counts, BLOCK) {
            let end = [0, 1, 2].map(|axis| (start[axis] + BLOCK).min(self.counts[axis]));
            let (low, high) = (self.point(start), self.point(end.map(|n| n - 1)));
            let middle = distance((low + high) / 2.0);
            let far = middle.abs() > (high - low).length();
            for node in every(start, end, 1) {
                values[self.index(node)] = if far { middle } else { distance(self.point(node)) };
            }
        }
        values
    }

    pub fn surface(&self, distance: impl Fn(DVec3) -> f64 + Copy) -> Surface {
        let values = self.distances(distance);
        let at = |node: [usize; 3]| values[self.index(node)];
        let last = [0, 1, 2].map(|axis| self.counts[axis] - 1);
        let mut points = Vec::new();
        let mut cells = BTreeMap::new();
        for cell in every([0; 3], last, 1) {
            if let Some(crossing) = self.crossing(cell, at) {
                cells.insert(self.index(cell), points.len() as u32);
                points.push(on_surface(distance, crossing));
            }
        }
        // One quad around every grid edge that crosses the surface, facing outwards.
        let mut triangles = Vec::new();
        for node in every([1; 3], last, 1) {
            for axis in 0..3 {
                let inside = at(node) < 0.0;
                if inside == (at(step(node, axis, 1)) < 0.0) {
                    continue;
                }
                let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
                let around = [node, back(node, u), back(back(node, u), v), back(node, v)].map(|cell| cells[&self.index(cell)]);
                let [a, b, c, d] = if inside { around } else { [around[3], around[2], around[1], around[0]] };
                let length = |i: u32, j: u32| (points[i as usize].0 - points[j as usize].0).length_squared();
                triangles.extend(if length(a, c) <= length(b, d) { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] });
            }
        }
        Surface { points, triangles }
    }

    /// Returns the mean of the points where the surface crosses the cell's edges. `None` if it does not.
    fn crossing(&self, cell: [usize; 3], at: impl Fn([usize; 3]) -> f64) -> Option<DVec3> {
        let (mut sum, mut count) = (DVec3::ZERO, 0.0);
        for corner in every(cell, cell.map(|n| n + 2), 1) {
            for axis in 0..3 {
                if corner[axis] != cell[axis] {
                    continue;
                }
                let other = step(corner, axis, 1);
                let (a, b) = (at(corner), at(other));
                if (a < 0.0) != (b < 0.0) {
                    sum += self.point(corner).lerp(self.point(other), a / (a - b));
                    count += 1.0;
                }
            }
        }
        (count > 0.0).then(|| sum / count)
    }
}

fn step(mut node: [usize; 3], axis: usize, by: usize) -> [usize; 3] {
    node[axis] += by;
    node
}

fn back(mut node: [usize; 3], axis: usize) -> [usize; 3] {
    node[axis] -= 1;
    node
}

/// Returns all grid points from `from` up to, not including, `to`, in steps of `by`.
fn every(from: [usize; 3], to: [usize; 3], by: usize) -> impl Iterator<Item = [usize; 3]> {
    let axis = move |axis: usize| (from[axis]..to[axis]).step_by(by);
    axis(2).flat_map(move |k| axis(1).flat_map(move |j| axis(0).map(move |i| [i, j, k])))
}

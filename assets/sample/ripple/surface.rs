//! The skin as triangles: surface nets over a grid that is finer where the face and the hands are. Every vertex is then
//! moved onto the true surface, so that the grid cannot be seen.

use std::collections::BTreeMap;

use glam::DVec3;

use super::mesh::on_surface;

/// Coordinates of the grid's planes along x, y and z.
pub struct Grid(pub [Vec<f64>; 3]);

/// Points, normals and triangles of the surface where `distance` is zero.
pub struct Surface {
    pub points: Vec<(DVec3, DVec3)>,
    pub triangles: Vec<[u32; 3]>,
}

/// Planes `coarse` apart from `from` to `to`, and about `fine` apart within the given ranges.
pub fn planes(from: f64, to: f64, coarse: f64, fine: &[(f64, f64, f64)]) -> Vec<f64> {
    let mut planes = vec![from];
    let mut x = from;
    while x < to {
        let step = fine.iter().filter(|(a, b, _)| (a - coarse..*b).contains(&x)).map(|(_, _, step)| *step).fold(coarse, f64::min);
        x += step;
        planes.push(x);
    }
    planes
}

impl Surface {
    /// Every point goes half-way to the middle of its neighbours and back onto the surface: triangles become even.
    fn relax(&mut self, distance: impl Fn(DVec3) -> f64 + Copy) {
        let mut sums = vec![(DVec3::ZERO, 0.0); self.points.len()];
        for &[a, b, c] in &self.triangles {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                sums[from as usize].0 += self.points[to as usize].0;
                sums[from as usize].1 += 1.0;
            }
        }
        for (point, (sum, count)) in self.points.iter_mut().zip(sums) {
            *point = on_surface(distance, point.0.lerp(sum / count, 0.5));
        }
    }
}

impl Grid {
    fn count(&self, axis: usize) -> usize {
        self.0[axis].len()
    }

    fn point(&self, [i, j, k]: [usize; 3]) -> DVec3 {
        DVec3::new(self.0[0][i], self.0[1][j], self.0[2][k])
    }

    fn index(&self, [i, j, k]: [usize; 3]) -> usize {
        (k * self.count(1) + j) * self.count(0) + i
    }

    /// Distances at all nodes. Blocks that lie far from the surface are filled with their middle's.
    fn distances(&self, distance: impl Fn(DVec3) -> f64) -> Vec<f64> {
        const BLOCK: usize = 5;
        let mut values = vec![0.0; self.count(0) * self.count(1) * self.count(2)];
        for start in every([0; 3], [self.count(0), self.count(1), self.count(2)], BLOCK) {
            let end = [0, 1, 2].map(|axis| (start[axis] + BLOCK).min(self.count(axis)));
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
        let last = [0, 1, 2].map(|axis| self.count(axis) - 1);
        let mut points = Vec::new();
        let mut cells = BTreeMap::new();
        for cell in every([0; 3], last, 1) {
            if let Some(crossing) = self.crossing(cell, at) {
                cells.insert(self.index(cell), points.len() as u32);
                points.push(on_surface(distance, crossing));
            }
        }
        // A quad about every edge of the grid that crosses the surface, facing outwards.
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
        let mut surface = Surface { points, triangles };
        for _ in 0..5 {
            surface.relax(distance);
        }
        surface
    }

    /// The mean of where the surface crosses the cell's edges, if it does.
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

/// All nodes from `from` to before `to`, `by` apart.
fn every(from: [usize; 3], to: [usize; 3], by: usize) -> impl Iterator<Item = [usize; 3]> {
    let axis = move |axis: usize| (from[axis]..to[axis]).step_by(by);
    axis(2).flat_map(move |k| axis(1).flat_map(move |j| axis(0).map(move |i| [i, j, k])))
}

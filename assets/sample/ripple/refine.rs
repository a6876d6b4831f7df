//! Improves the triangles of a surface: more triangles where there is more detail, and each about as large as its neighbors.

use std::collections::BTreeMap;

use glam::DVec3;

use super::mesh::on_surface;
use super::surface::Surface;

impl Surface {
    /// Moves every point half-way to the mean of its neighbors and back onto the surface.
    pub fn relax(&mut self, distance: impl Fn(DVec3) -> f64 + Copy) {
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

    /// Splits edges in half, each at most once. An edge is split if it is longer than the length that `longest` returns for its middle.
    pub fn refine(&mut self, distance: impl Fn(DVec3) -> f64 + Copy, longest: impl Fn(DVec3) -> f64) {
        let mut middles: BTreeMap<(u32, u32), Option<u32>> = BTreeMap::new();
        let mut refined = Vec::new();
        for triangle in std::mem::take(&mut self.triangles) {
            let halves = [(0, 1), (1, 2), (2, 0)].map(|(i, j)| {
                let (a, b) = (triangle[i].min(triangle[j]), triangle[i].max(triangle[j]));
                *middles.entry((a, b)).or_insert_with(|| {
                    let (from, to) = (self.points[a as usize].0, self.points[b as usize].0);
                    let middle = (from + to) / 2.0;
                    ((to - from).length() > longest(middle)).then(|| {
                        self.points.push(on_surface(distance, middle));
                        self.points.len() as u32 - 1
                    })
                })
            });
            split(triangle, halves, &mut refined);
        }
        self.triangles = refined;
    }
}

/// Splits a triangle with up to three halved edges: a-b, b-c, c-a.
fn split([a, b, c]: [u32; 3], halves: [Option<u32>; 3], into: &mut Vec<[u32; 3]>) {
    match halves {
        [None, None, None] => into.push([a, b, c]),
        [Some(d), None, None] => into.extend([[a, d, c], [d, b, c]]),
        [Some(d), Some(e), None] => into.extend([[a, d, e], [d, b, e], [a, e, c]]),
        [Some(d), Some(e), Some(f)] => into.extend([[a, d, f], [d, b, e], [f, e, c], [d, e, f]]),
        // The same cases, starting at another corner.
        [first, second, third] => split([b, c, a], [second, third, first], into),
    }
}

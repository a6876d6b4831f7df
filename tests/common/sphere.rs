//! A sphere of triangles. The unit tests of `src/render/model/simplification.rs` include this file, too, so it names no items of the crate.

use std::f32::consts::{PI, TAU};

use glam::Vec3;

/// The triangles of a grid of points. The points lie row by row, `columns` in each row.
pub fn grid_indices(rows: u32, columns: u32) -> Vec<u32> {
    let corners = |row: u32, column: u32| {
        let [a, b] = [row * columns + column, (row + 1) * columns + column];
        [a, a + 1, b, b, a + 1, b + 1]
    };
    (0..rows - 1).flat_map(|row| (0..columns - 1).flat_map(move |column| corners(row, column))).collect()
}

/// The positions of a sphere of radius 1 whose triangles are those of [`grid_indices`]. It has a seam from pole to pole: the first and the
/// last column have the same positions.
pub fn sphere_positions(rows: u32, columns: u32) -> Vec<Vec3> {
    let point = |row: u32, column: u32| {
        let (polar, azimuth) = (PI * row as f32 / (rows - 1) as f32, TAU * (column % (columns - 1)) as f32 / (columns - 1) as f32);
        // The sines of 0 and of pi must be equal, so that the points of each pole are equal.
        let radius = if row == 0 || row == rows - 1 { 0.0 } else { polar.sin() };
        Vec3::new(radius * azimuth.cos(), polar.cos(), radius * azimuth.sin())
    };
    (0..rows).flat_map(|row| (0..columns).map(move |column| point(row, column))).collect()
}

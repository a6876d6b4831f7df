//! Finds the area in which two pictures differ, for formats that store only the changed part of a frame.

use image::RgbaImage;

/// A rectangle of a picture, in pixels. It is never empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Area {
    /// Left edge.
    pub x: u32,
    /// Upper edge.
    pub y: u32,
    pub width: u32,
    pub height: u32,
}

impl Area {
    /// The whole picture.
    pub fn full(picture: &RgbaImage) -> Self {
        Self { x: 0, y: 0, width: picture.width(), height: picture.height() }
    }

    /// The pixels of the area row by row, in RGBA bytes.
    pub fn cut(&self, picture: &RgbaImage) -> Vec<u8> {
        (0..self.height).flat_map(|row| self.row(picture, row)).copied().collect()
    }

    /// The RGBA bytes of one row of the area. `row` counts from the top of the area.
    pub fn row<'a>(&self, picture: &'a RgbaImage, row: u32) -> &'a [u8] {
        let start = ((self.y + row) as usize * picture.width() as usize + self.x as usize) * 4;
        &picture.as_raw()[start..start + self.width as usize * 4]
    }
}

/// The smallest area that contains every difference between two pictures of the same size. `None` if they are equal.
pub fn changed_area(before: &RgbaImage, after: &RgbaImage) -> Option<Area> {
    let stride = after.width() as usize * 4;
    let rows = || before.as_raw().chunks_exact(stride).zip(after.as_raw().chunks_exact(stride));
    let top = rows().position(|(before, after)| before != after)?;
    let bottom = rows().rposition(|(before, after)| before != after)?;
    // Comparing whole rows is fast, so rows are compared first, and columns only between the first and the last row that differ.
    let (mut left, mut right) = (usize::MAX, 0);
    for (before, after) in rows().skip(top).take(bottom - top + 1) {
        let mut columns = before.as_chunks::<4>().0.iter().zip(after.as_chunks::<4>().0);
        if let Some(first) = columns.position(|(before, after)| before != after) {
            left = left.min(first);
            let last = columns.rposition(|(before, after)| before != after).map_or(first, |offset| first + 1 + offset);
            right = right.max(last);
        }
    }
    Some(Area { x: left as u32, y: top as u32, width: (right - left + 1) as u32, height: (bottom - top + 1) as u32 })
}

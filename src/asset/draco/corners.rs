//! The corner table: how triangles hang together. Corner c is a corner of triangle c / 3; opposite of it lies the edge of the
//! other two corners.

/// No corner, vertex or entry.
pub const NONE: u32 = u32::MAX;

/// The next corner of the same triangle, counterclockwise.
pub fn next(corner: u32) -> u32 {
    match corner {
        NONE => NONE,
        _ if corner % 3 == 2 => corner - 2,
        _ => corner + 1,
    }
}

pub fn previous(corner: u32) -> u32 {
    match corner {
        NONE => NONE,
        _ if corner.is_multiple_of(3) => corner + 2,
        _ => corner - 1,
    }
}

/// Of the mesh itself, where vertices are told apart by position alone; or of an attribute, cut open along its seams.
///
/// Where an opposite corner leads, it leads back; so turning about a vertex in one direction comes to an open edge or to its
/// beginning. Every corner has a vertex.
#[derive(Debug, Default)]
pub struct CornerTable {
    /// For each corner the one beyond the opposite edge; none where the surface ends there.
    pub opposites: Vec<u32>,
    /// For each corner its vertex.
    pub vertices: Vec<u32>,
    /// For each vertex, the corner from which turning right passes all of them; none for a vertex without triangles.
    pub left_mosts: Vec<u32>,
}

impl CornerTable {
    pub fn opposite(&self, corner: u32) -> u32 {
        if corner == NONE { NONE } else { self.opposites[corner as usize] }
    }

    /// The corner of the same vertex in the triangle to the left.
    pub fn swing_left(&self, corner: u32) -> u32 {
        next(self.opposite(next(corner)))
    }

    pub fn swing_right(&self, corner: u32) -> u32 {
        previous(self.opposite(previous(corner)))
    }

    pub fn is_on_boundary(&self, vertex: u32) -> bool {
        self.swing_left(self.left_mosts[vertex as usize]) == NONE
    }

    /// All corners of the vertex of `start`: from there to the left, then from there to the right.
    pub fn around(&self, start: u32) -> impl Iterator<Item = u32> {
        let mut to_left = true;
        let step = move |&corner: &u32| {
            if to_left {
                let left = self.swing_left(corner);
                if left != NONE {
                    return Some(left).filter(|&left| left != start);
                }
                to_left = false;
                return Some(self.swing_right(start)).filter(|&right| right != NONE);
            }
            Some(self.swing_right(corner)).filter(|&right| right != NONE)
        };
        std::iter::successors(Some(start), step)
    }
}

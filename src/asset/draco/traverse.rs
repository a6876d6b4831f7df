//! The order in which an attribute's values lie: a walk over the triangles that comes to each vertex once.

use super::budget::Budget;
use super::corners::{CornerTable, NONE, next, previous};
use super::error::DracoError;

/// Where an attribute decoder's values ("entries") belong.
#[derive(Debug)]
pub struct Sequence {
    /// For each entry, a corner that has it.
    pub corners: Vec<u32>,
    /// For each vertex of the table, its entry.
    pub entries: Vec<u32>,
}

/// Which neighbour comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    DepthFirst,
    /// Triangles first whose tip is known already, or is predicted by more than one triangle.
    PredictionDegree,
}

pub fn walk(table: &CornerTable, order: Order, budget: &mut Budget) -> Result<Sequence, DracoError> {
    let mut walker = Walker {
        table,
        sequence: Sequence { corners: budget.room(table.left_mosts.len())?, entries: budget.filled(table.left_mosts.len(), NONE)? },
        is_visited: budget.filled(table.vertices.len() / 3, false)?,
    };
    match order {
        Order::DepthFirst => walker.depth_first(),
        Order::PredictionDegree => walker.prediction_degree(budget.filled(table.left_mosts.len(), 0u8)?),
    }
    Ok(walker.sequence)
}

struct Walker<'a> {
    table: &'a CornerTable,
    sequence: Sequence,
    /// By triangle.
    is_visited: Vec<bool>,
}

impl Walker<'_> {
    /// Whether the vertex of a corner is new.
    fn visit(&mut self, corner: u32) -> bool {
        let entry = &mut self.sequence.entries[self.table.vertices[corner as usize] as usize];
        if *entry != NONE {
            return false;
        }
        *entry = self.sequence.corners.len() as u32;
        self.sequence.corners.push(corner);
        true
    }

    fn is_done(&self, corner: u32) -> bool {
        corner == NONE || self.is_visited[corner as usize / 3]
    }

    fn depth_first(&mut self) {
        let mut stack = Vec::new();
        for start in (0..self.table.vertices.len() as u32).step_by(3) {
            if self.is_done(start) {
                continue;
            }
            self.visit(next(start));
            self.visit(previous(start));
            stack.push(start);
            while let Some(corner) = stack.pop() {
                self.strip(corner, &mut stack);
            }
        }
    }

    /// From triangle to triangle, until there is a choice (both go on the stack) or no way.
    fn strip(&mut self, mut corner: u32, stack: &mut Vec<u32>) {
        while !self.is_done(corner) {
            self.is_visited[corner as usize / 3] = true;
            let is_inside = self.visit(corner) && !self.table.is_on_boundary(self.table.vertices[corner as usize]);
            let (right, left) = (self.table.opposite(next(corner)), self.table.opposite(previous(corner)));
            corner = match (self.is_done(right), self.is_done(left)) {
                (false, _) if is_inside => right,
                (false, false) => {
                    stack.extend([left, right]);
                    return;
                }
                (false, true) => right,
                (true, _) => left,
            };
        }
    }

    /// `degrees`: how many triangles could predict a vertex, for each vertex.
    fn prediction_degree(&mut self, mut degrees: Vec<u8>) {
        // By priority.
        let mut stacks: [Vec<u32>; 3] = Default::default();
        for start in (0..self.table.vertices.len() as u32).step_by(3) {
            stacks[0].push(start);
            let mut best = 0;
            for corner in [next(start), previous(start), start] {
                self.visit(corner);
            }
            while let Some(priority) = (best..3).find(|&priority| !stacks[priority].is_empty()) {
                best = priority;
                let mut following = stacks[priority].pop();
                while let Some(corner) = following.filter(|&corner| !self.is_done(corner)) {
                    self.is_visited[corner as usize / 3] = true;
                    self.visit(corner);
                    let (right, left) = (self.table.opposite(next(corner)), self.table.opposite(previous(corner)));
                    let only_left = self.is_done(right);
                    following = None;
                    for (neighbour, is_next) in [(left, only_left), (right, true)] {
                        if following.is_some() || self.is_done(neighbour) {
                            continue;
                        }
                        let priority = self.priority(neighbour, &mut degrees);
                        if is_next && priority <= best {
                            following = Some(neighbour);
                        } else {
                            stacks[priority].push(neighbour);
                            best = best.min(priority);
                        }
                    }
                }
            }
        }
    }

    fn priority(&self, corner: u32, degrees: &mut [u8]) -> usize {
        let vertex = self.table.vertices[corner as usize] as usize;
        if self.sequence.entries[vertex] != NONE {
            return 0;
        }
        degrees[vertex] = degrees[vertex].saturating_add(1);
        if degrees[vertex] > 1 { 1 } else { 2 }
    }
}

//! Builds the corner table out of edgebreaker symbols, from the encoder's last triangle to its first. At any time there are
//! open borders, each with an active edge (named by the corner opposite it) where the next triangle is added; the latest
//! border is on top of a stack.

use std::collections::HashMap;

use super::budget::Budget;
use super::corners::{CornerTable, NONE, next, previous};
use super::error::DracoError;
use super::topology::{Starts, Symbol, Symbols};

/// A border that comes together with another one at the symbol `split`; its edge is one of the triangle of symbol `source`.
/// Both count in the encoder's order.
#[derive(Debug, Clone, Copy)]
pub struct Split {
    pub source: u32,
    pub split: u32,
    /// Which of the triangle's two edges that are not active.
    pub is_right: bool,
}

pub struct Builder {
    opposites: Vec<u32>,
    /// By corner; vertices that were merged since go on under the name in `merged_into`.
    vertices: Vec<u32>,
    left_mosts: Vec<u32>,
    /// For each vertex itself, or one that it was merged into: chains lead to a vertex that is its own.
    merged_into: Vec<u32>,
    /// Whether the surface ends at a vertex.
    is_open: Vec<bool>,
    most_vertices: usize,
    faces: usize,
    face: usize,
    active: Vec<u32>,
    splits: Vec<Split>,
    /// Borders that wait for the symbol, in our order, at which they are joined.
    waiting: HashMap<u32, u32>,
    /// Vertices that were merged into others, in order.
    gone: Vec<u32>,
}

impl Builder {
    pub fn new(faces: usize, most_vertices: usize, splits: Vec<Split>, budget: &mut Budget) -> Result<Self, DracoError> {
        Ok(Self {
            opposites: budget.filled(3 * faces, NONE)?,
            vertices: budget.filled(3 * faces, NONE)?,
            left_mosts: budget.room(most_vertices)?,
            merged_into: budget.room(most_vertices)?,
            is_open: budget.filled(most_vertices, true)?,
            most_vertices,
            faces,
            face: 0,
            active: Vec::new(),
            splits,
            waiting: HashMap::new(),
            gone: Vec::new(),
        })
    }

    /// Adds a triangle for each of `count` symbols.
    pub fn grow(&mut self, count: usize, symbols: &mut Symbols) -> Result<(), DracoError> {
        for index in 0..count as u32 {
            let symbol = symbols.next_symbol()?;
            let corner = self.new_face()?;
            match symbol {
                Symbol::Center => self.center(corner)?,
                Symbol::Right | Symbol::Left => self.side(corner, symbol)?,
                Symbol::Split => self.split(corner, index, symbols)?,
                Symbol::End => self.end(corner)?,
            }
            symbols.reached(corner, |corner| self.vertex(corner));
            if matches!(symbol, Symbol::Right | Symbol::Left | Symbol::End) {
                self.set_aside(count as u32, index, corner)?;
            }
        }
        Ok(())
    }

    /// The first corner of a new triangle.
    fn new_face(&mut self) -> Result<u32, DracoError> {
        if self.face >= self.faces {
            return Err(damaged("there are more triangles than announced"));
        }
        self.face += 1;
        Ok(3 * (self.face - 1) as u32)
    }

    fn new_vertex(&mut self, corner: u32) -> Result<u32, DracoError> {
        if self.left_mosts.len() >= self.most_vertices {
            return Err(damaged("there are more vertices than announced"));
        }
        let vertex = self.left_mosts.len() as u32;
        self.left_mosts.push(corner);
        self.merged_into.push(vertex);
        self.vertices[corner as usize] = vertex;
        Ok(vertex)
    }

    fn vertex(&mut self, corner: u32) -> u32 {
        let mut vertex = self.vertices[corner as usize];
        // Each step halves the way for the next time.
        while self.merged_into[vertex as usize] != vertex {
            let further = self.merged_into[self.merged_into[vertex as usize] as usize];
            self.merged_into[vertex as usize] = further;
            vertex = further;
        }
        vertex
    }

    /// The corner opposite the open edge that begins at `vertex`, seen from the border.
    fn border_from(&self, vertex: u32) -> Result<u32, DracoError> {
        match self.left_mosts[vertex as usize] {
            NONE => Err(damaged("a vertex has no triangle")),
            left_most => Ok(next(left_most)),
        }
    }

    fn active(&self) -> Result<u32, DracoError> {
        self.active.last().copied().ok_or(damaged("there is no border to go on from"))
    }

    fn activate(&mut self, corner: u32) {
        if let Some(active) = self.active.last_mut() {
            *active = corner;
        }
    }

    /// Joins two open edges.
    fn join(&mut self, corner: u32, other: u32) -> Result<(), DracoError> {
        let is_open = |corner: u32| self.opposites[corner as usize] == NONE;
        if corner == other || !is_open(corner) || !is_open(other) {
            return Err(damaged("an edge has more than two triangles"));
        }
        self.opposites[corner as usize] = other;
        self.opposites[other as usize] = corner;
        Ok(())
    }

    /// A triangle over the active edge and the next edge of the border.
    fn center(&mut self, corner: u32) -> Result<(), DracoError> {
        let a = self.active()?;
        let tip = self.vertex(next(a));
        let b = self.border_from(tip)?;
        let (ahead, behind) = (self.vertex(next(b)), self.vertex(previous(a)));
        if a == b || tip == behind || tip == ahead {
            return Err(damaged("a triangle has a vertex twice"));
        }
        self.join(a, corner + 1)?;
        self.join(b, corner + 2)?;
        self.set_vertices(corner, [tip, ahead, behind]);
        self.left_mosts[behind as usize] = corner + 2;
        self.is_open[tip as usize] = false;
        self.activate(corner);
        Ok(())
    }

    /// A triangle over the active edge and a new vertex; the active edge becomes its left or right one.
    fn side(&mut self, corner: u32, symbol: Symbol) -> Result<(), DracoError> {
        let a = self.active()?;
        let (opposite, left, right) = match symbol {
            Symbol::Right => (corner + 2, corner + 1, corner),
            _ => (corner + 1, corner, corner + 2),
        };
        self.join(opposite, a)?;
        self.new_vertex(opposite)?;
        let vertex = self.vertex(previous(a));
        self.vertices[right as usize] = vertex;
        self.left_mosts[vertex as usize] = right;
        self.vertices[left as usize] = self.vertex(next(a));
        self.activate(corner);
        Ok(())
    }

    /// A triangle that joins two borders at a vertex of each.
    fn split(&mut self, corner: u32, index: u32, symbols: &mut Symbols) -> Result<(), DracoError> {
        let b = self.active()?;
        self.active.pop();
        if let Some(&waiting) = self.waiting.get(&index) {
            self.active.push(waiting);
        }
        let a = self.active()?;
        if a == b {
            return Err(damaged("a border is joined with itself"));
        }
        self.join(a, corner + 2)?;
        self.join(b, corner + 1)?;
        let (kept, gone) = (self.vertex(previous(a)), self.vertex(next(b)));
        let (ahead, behind) = (self.vertex(next(a)), self.vertex(previous(b)));
        if kept == gone {
            return Err(damaged("a border is joined with itself"));
        }
        self.set_vertices(corner, [kept, ahead, behind]);
        self.left_mosts[behind as usize] = corner + 2;
        symbols.merged(kept, gone);
        self.left_mosts[kept as usize] = self.left_mosts[gone as usize];
        self.left_mosts[gone as usize] = NONE;
        self.merged_into[gone as usize] = kept;
        self.gone.push(gone);
        self.activate(corner);
        Ok(())
    }

    /// A triangle by itself, whose border goes on top.
    fn end(&mut self, corner: u32) -> Result<(), DracoError> {
        for corner in corner..corner + 3 {
            self.new_vertex(corner)?;
        }
        self.active.push(corner);
        Ok(())
    }

    fn set_vertices(&mut self, corner: u32, vertices: [u32; 3]) {
        self.vertices[corner as usize..corner as usize + 3].copy_from_slice(&vertices);
    }

    /// Keeps edges of the newest triangle for later if a split says so.
    fn set_aside(&mut self, count: u32, index: u32, corner: u32) -> Result<(), DracoError> {
        let index = count - index - 1;
        while let Some(&split) = self.splits.last().filter(|split| split.source >= index) {
            if split.source > index {
                return Err(damaged("a topology split is at a triangle that cannot have one"));
            }
            self.splits.pop();
            let edge = if split.is_right { next(corner) } else { previous(corner) };
            // The split is at or before its source.
            self.waiting.insert(count - split.split - 1, edge);
        }
        Ok(())
    }

    /// Closes those of the borders left that are holes of one triangle.
    pub fn close(&mut self, starts: &mut Starts) -> Result<(), DracoError> {
        while let Some(a) = self.active.pop() {
            if !starts.is_closed()? {
                continue;
            }
            let corner = self.new_face()?;
            let n = self.vertex(next(a));
            let b = self.border_from(n)?;
            let x = self.vertex(next(b));
            let c = self.border_from(x)?;
            let p = self.vertex(next(c));
            if p != self.vertex(previous(a)) {
                return Err(damaged("a triangle does not fit into its hole"));
            }
            self.join(corner, a)?;
            self.join(corner + 1, b)?;
            self.join(corner + 2, c)?;
            self.set_vertices(corner, [x, p, n]);
            for vertex in [x, p, n] {
                self.is_open[vertex as usize] = false;
            }
        }
        if self.face < self.faces { Err(damaged("there are fewer triangles than announced")) } else { Ok(()) }
    }

    /// The table, and for each vertex whether the surface ends there. `compact`: vertices that are gone leave no gaps; the
    /// last ones take their places.
    pub fn finish(mut self, compact: bool, budget: &mut Budget) -> Result<(CornerTable, Vec<bool>), DracoError> {
        let mut places = budget.room(self.left_mosts.len())?;
        places.extend(0..self.left_mosts.len() as u32);
        if compact {
            for &gone in &self.gone {
                while places.last().is_some_and(|&last| self.left_mosts[last as usize] == NONE) {
                    places.pop();
                }
                if places.len() > gone as usize + 1 {
                    places.swap_remove(gone as usize);
                }
            }
        }
        let mut place_of = budget.filled(self.left_mosts.len(), NONE)?;
        for (place, &vertex) in places.iter().enumerate() {
            place_of[vertex as usize] = place as u32;
        }
        for corner in 0..self.vertices.len() as u32 {
            self.vertices[corner as usize] = place_of[self.vertex(corner) as usize];
        }
        let is_open = places.iter().map(|&vertex| self.is_open[vertex as usize]).collect();
        let left_mosts = places.iter().map(|&vertex| self.left_mosts[vertex as usize]).collect();
        Ok((CornerTable { opposites: self.opposites, vertices: self.vertices, left_mosts }, is_open))
    }
}

fn damaged(what: &'static str) -> DracoError {
    DracoError::Damaged { place: "the triangles", what }
}

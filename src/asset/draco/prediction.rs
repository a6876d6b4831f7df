//! Prediction: an attribute's integers are stored as corrections of what those before them, or the positions about them,
//! make one expect. Which scheme, and the transform that keeps corrections small.

use super::budget::Budget;
use super::corners::CornerTable;
use super::cursor::Cursor;
use super::error::DracoError;
use super::octahedron::{Corrections, Octahedron};
use super::traverse::Sequence;
use super::values::{Coding, Values};
use super::{normals, parallelogram, tex_coords};

/// How values are expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Method {
    /// As the one before.
    Difference,
    /// As the fourth corner of a parallelogram over the neighbouring triangle.
    Parallelogram,
    /// The mean over all neighbouring triangles.
    MultiParallelogram,
    /// Texture coordinates by the triangle's shape, in floats.
    TexCoordsOld,
    /// The mean over those neighbouring triangles that are no creases.
    ConstrainedMultiParallelogram,
    /// Texture coordinates by the triangle's shape, in integers.
    TexCoords,
    /// Normals by the triangles about the vertex.
    GeometricNormal,
}

/// What a correction is added to, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TransformKind {
    /// Modulo the range of the values.
    Wrap,
    Octahedron(Corrections),
}

#[derive(Debug, Clone, Copy)]
pub struct Scheme {
    method: Method,
    transform: TransformKind,
}

impl Scheme {
    pub fn corrections_are_positive(self) -> bool {
        self.transform != TransformKind::Wrap
    }
}

/// What an edgebreaker mesh knows about the attribute that is being read.
pub struct Surroundings<'a> {
    pub table: &'a CornerTable,
    pub sequence: &'a Sequence,
    /// For each corner its point.
    pub points: &'a [u32],
    /// The positions, if they have been read.
    pub parent: Option<Parent<'a>>,
}

/// The mesh's positions, as integers.
pub struct Parent<'a> {
    pub values: &'a Values,
    pub entry_of_point: &'a [u32],
}

impl Surroundings<'_> {
    /// The entry of a corner's vertex.
    pub fn entry(&self, corner: u32) -> usize {
        self.sequence.entries[self.table.vertices[corner as usize] as usize] as usize
    }

    /// The position at each entry.
    pub fn positions(&self, cursor: &Cursor, budget: &mut Budget) -> Result<Vec<[i32; 3]>, DracoError> {
        let Some(Parent { values: Values::Integers { components: 3, numbers }, entry_of_point }) = &self.parent else {
            return Err(cursor.damaged("an attribute is predicted from positions that are not there"));
        };
        let numbers = numbers.as_chunks::<3>().0;
        let mut positions = budget.room(self.sequence.corners.len())?;
        let position = |&corner: &u32| numbers[entry_of_point[self.points[corner as usize] as usize] as usize];
        positions.extend(self.sequence.corners.iter().map(position));
        Ok(positions)
    }
}

/// Reads which scheme is used; none: values as they are.
pub fn read_scheme(cursor: &mut Cursor, coding: Coding) -> Result<Option<Scheme>, DracoError> {
    let method = match cursor.i8()? {
        -2 => return Ok(None),
        0 => Method::Difference,
        1 => Method::Parallelogram,
        2 => Method::MultiParallelogram,
        3 => Method::TexCoordsOld,
        4 => Method::ConstrainedMultiParallelogram,
        5 => Method::TexCoords,
        6 => Method::GeometricNormal,
        other => return Err(DracoError::Unknown { what: "the prediction", number: other.into() }),
    };
    let transform = match (cursor.i8()?, coding) {
        (1, Coding::Integer | Coding::Quantized) => TransformKind::Wrap,
        (2, Coding::Normal) => TransformKind::Octahedron(Corrections::Plain),
        (3, Coding::Normal) => TransformKind::Octahedron(Corrections::Canonicalized),
        (other, _) => return Err(DracoError::Unknown { what: "the transform of corrections", number: other.into() }),
    };
    Ok(Some(Scheme { method, transform }))
}

/// Reads what the scheme needs to know, and turns the corrections in `numbers` into values.
pub fn revert(
    cursor: &mut Cursor,
    scheme: Scheme,
    numbers: &mut [i32],
    components: usize,
    surroundings: Option<&Surroundings>,
    budget: &mut Budget,
) -> Result<(), DracoError> {
    cursor.place = "the prediction of an attribute";
    // Without a corner table nothing is left but the value before.
    let method = if surroundings.is_some() { scheme.method } else { Method::Difference };
    match (scheme.transform, method, surroundings) {
        (TransformKind::Octahedron(corrections), Method::GeometricNormal, Some(surroundings)) => {
            let octahedron = Octahedron::read(cursor, corrections)?;
            normals::revert(cursor, &octahedron, corrections, numbers, surroundings, budget)?;
        }
        // Normals know no other prediction by the surface.
        (TransformKind::Octahedron(corrections), ..) => {
            let octahedron = Octahedron::read(cursor, corrections)?;
            let mut expected = [0; 2];
            for value in numbers.as_chunks_mut::<2>().0 {
                *value = octahedron.corrected(expected, *value, corrections);
                expected = *value;
            }
        }
        (TransformKind::Wrap, Method::Difference, _) | (TransformKind::Wrap, _, None) => {
            difference(&Wrap::read(cursor)?, numbers, components);
        }
        (TransformKind::Wrap, Method::Parallelogram, Some(surroundings)) => {
            parallelogram::revert_one(&Wrap::read(cursor)?, numbers, components, surroundings);
        }
        (TransformKind::Wrap, Method::MultiParallelogram, Some(surroundings)) => {
            parallelogram::revert_all(&Wrap::read(cursor)?, numbers, components, surroundings);
        }
        (TransformKind::Wrap, Method::ConstrainedMultiParallelogram, Some(surroundings)) => {
            let creases = parallelogram::Creases::read(cursor, surroundings)?;
            let wrap = Wrap::read(cursor)?;
            parallelogram::revert_constrained(cursor, &wrap, creases, numbers, components, surroundings)?;
        }
        (TransformKind::Wrap, Method::TexCoords | Method::TexCoordsOld, Some(surroundings)) => {
            if components != 2 {
                return Err(cursor.damaged("texture coordinates have not two components"));
            }
            let is_old = method == Method::TexCoordsOld;
            let orientations = tex_coords::read_orientations(cursor, is_old, surroundings, budget)?;
            let wrap = Wrap::read(cursor)?;
            tex_coords::revert(cursor, &wrap, orientations, is_old, numbers, surroundings, budget)?;
        }
        (TransformKind::Wrap, Method::GeometricNormal, Some(_)) => {
            return Err(cursor.damaged("normals are predicted for what are no normals"));
        }
    }
    Ok(())
}

fn difference(wrap: &Wrap, numbers: &mut [i32], components: usize) {
    for at in 0..numbers.len() {
        let expected = if at < components { 0 } else { numbers[at - components] };
        numbers[at] = wrap.corrected(expected, numbers[at]);
    }
}

/// Adds corrections modulo the range of the values.
#[derive(Debug)]
pub struct Wrap {
    least: i32,
    most: i32,
    /// How many values there are between the two.
    range: i32,
}

impl Wrap {
    fn read(cursor: &mut Cursor) -> Result<Self, DracoError> {
        let (least, most) = (cursor.i32()?, cursor.i32()?);
        let range = i64::from(most) - i64::from(least) + 1;
        match i32::try_from(range) {
            Ok(range) if range > 0 => Ok(Self { least, most, range }),
            _ => Err(cursor.damaged("the smallest value is greater than the largest")),
        }
    }

    pub fn corrected(&self, expected: i32, correction: i32) -> i32 {
        let value = expected.clamp(self.least, self.most).wrapping_add(correction);
        if value > self.most {
            value.wrapping_sub(self.range)
        } else if value < self.least {
            value.wrapping_add(self.range)
        } else {
            value
        }
    }
}

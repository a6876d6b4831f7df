//! Attributes: their descriptions, then for each attribute decoder the order of its values and the values themselves.

use super::Attribute;
use super::budget::Budget;
use super::corners::{CornerTable, NONE};
use super::cursor::Cursor;
use super::edgebreaker::Connectivity;
use super::error::DracoError;
use super::prediction::{Parent, Surroundings};
use super::traverse::{self, Order, Sequence};
use super::values::{self, Coding, Kind, Values};

/// As Draco numbers what attributes are for.
const POSITION: u8 = 0;

/// What of an attribute is known before its values.
#[derive(Debug)]
pub struct Description {
    pub meaning: u8,
    pub kind: Kind,
    pub normalized: bool,
    pub components: usize,
    pub unique_id: u32,
    pub coding: Coding,
}

/// How the triangles were said, which decides how attributes lie upon them.
pub enum Layout<'a> {
    /// One after the other; values are in the order of vertices.
    Sequential {
        point_count: usize,
    },
    Edgebreaker(&'a Connectivity),
}

/// How the attributes of one decoder lie upon the triangles.
struct Placement<'a> {
    table: &'a CornerTable,
    order: Order,
}

/// Where the entries of a placed attribute are.
struct Placed<'a> {
    table: &'a CornerTable,
    sequence: Sequence,
    /// For each point of the decoded mesh, its entry.
    entry_of_point: Vec<u32>,
}

/// Reads all attributes.
pub fn read(cursor: &mut Cursor, layout: &Layout, budget: &mut Budget) -> Result<Vec<Attribute>, DracoError> {
    cursor.place = "the descriptions of attributes";
    let decoder_count = usize::from(cursor.u8()?);
    let placements = read_placements(cursor, layout, decoder_count)?;
    let mut descriptions = Vec::with_capacity(decoder_count);
    for _ in 0..decoder_count {
        descriptions.push(read_descriptions(cursor, budget)?);
    }
    let index_of_position = |decoder: &Vec<Description>| decoder.iter().position(|description| description.meaning == POSITION);
    let position = descriptions.iter().enumerate().find_map(|(at, decoder)| Some((at, index_of_position(decoder)?)));

    let mut placed = Vec::with_capacity(decoder_count);
    let mut values: Vec<Vec<Values>> = Vec::with_capacity(decoder_count);
    let mut attributes = Vec::new();
    for (at, decoder) in descriptions.iter().enumerate() {
        cursor.place = "the order of values";
        placed.push(match (layout, placements.get(at)) {
            (Layout::Edgebreaker(connectivity), Some(placement)) => Some(place(connectivity, placement, budget)?),
            _ => None,
        });
        values.push(Vec::with_capacity(decoder.len()));
        for description in decoder {
            cursor.place = "the values of an attribute";
            let surroundings = match (layout, placed.last()) {
                (Layout::Edgebreaker(connectivity), Some(Some(here))) => Some(Surroundings {
                    table: here.table,
                    sequence: &here.sequence,
                    points: &connectivity.points,
                    parent: position.and_then(|(decoder, index)| {
                        let there: &Option<Placed> = placed.get(decoder)?;
                        Some(Parent { values: values.get(decoder)?.get(index)?, entry_of_point: &there.as_ref()?.entry_of_point })
                    }),
                }),
                _ => None,
            };
            let count = match layout {
                Layout::Sequential { point_count } => *point_count,
                Layout::Edgebreaker(_) => surroundings.as_ref().map_or(0, |here| here.sequence.corners.len()),
            };
            let read = values::read(cursor, description, count, surroundings.as_ref(), budget)?;
            values[at].push(read);
        }
        for (description, values) in decoder.iter().zip(&values[at]) {
            let entry_of_point = placed[at].as_ref().map(|placed| &placed.entry_of_point[..]);
            let bytes = values::finish(cursor, description, values, entry_of_point, budget)?;
            let Description { kind, normalized, components, unique_id, .. } = *description;
            attributes.push(Attribute { unique_id, components, kind, normalized, bytes });
        }
    }
    Ok(attributes)
}

/// Which table and order each decoder's attributes have.
fn read_placements<'a>(cursor: &mut Cursor, layout: &Layout<'a>, count: usize) -> Result<Vec<Placement<'a>>, DracoError> {
    let Layout::Edgebreaker(connectivity) = layout else { return Ok(Vec::new()) };
    let mut placements = Vec::with_capacity(count);
    for _ in 0..count {
        let cut = usize::try_from(cursor.i8()?).ok();
        let is_per_corner = cursor.u8()? != 0;
        let order = match cursor.u8()? {
            0 => Order::DepthFirst,
            1 if !is_per_corner => Order::PredictionDegree,
            other => return Err(DracoError::Unknown { what: "the order of values", number: other.into() }),
        };
        let table = match cut {
            None if is_per_corner => None,
            None => Some(&connectivity.table),
            Some(cut) => connectivity.cuts.get(cut).map(|cut| if is_per_corner { cut } else { &connectivity.table }),
        };
        let Some(table) = table else { return Err(cursor.damaged("an attribute has seams that are not there")) };
        placements.push(Placement { table, order });
    }
    Ok(placements)
}

/// The descriptions of one decoder's attributes.
fn read_descriptions(cursor: &mut Cursor, budget: &mut Budget) -> Result<Vec<Description>, DracoError> {
    let count = cursor.varint()? as usize;
    // Each has six bytes at least.
    if count > cursor.rest().len() / 6 {
        return Err(DracoError::End { place: cursor.place });
    }
    let mut descriptions = budget.room(count)?;
    for _ in 0..count {
        let [meaning, kind, components, normalized] = cursor.array()?;
        let Some(kind) = Kind::from_number(kind) else {
            return Err(DracoError::Unknown { what: "the kind of numbers", number: kind.into() });
        };
        if components == 0 {
            return Err(cursor.damaged("an attribute has no components"));
        }
        let unique_id = cursor.varint()?;
        let (components, normalized) = (usize::from(components), normalized != 0);
        descriptions.push(Description { meaning, kind, normalized, components, unique_id, coding: Coding::Plain });
    }
    for description in &mut descriptions {
        let number = cursor.u8()?;
        let coding = Coding::from_number(number).ok_or(DracoError::Unknown { what: "the coding of values", number: number.into() })?;
        let is_float = description.kind == Kind::F32;
        let fits = match coding {
            Coding::Plain => true,
            Coding::Integer => !matches!(description.kind, Kind::I64 | Kind::U64 | Kind::F32 | Kind::F64 | Kind::Bool),
            Coding::Quantized => is_float,
            Coding::Normal => is_float && description.components == 3,
        };
        if !fits {
            return Err(cursor.damaged("an attribute is coded as it cannot be"));
        }
        description.coding = coding;
    }
    Ok(descriptions)
}

/// Walks over the triangles, and finds for each point its entry.
fn place<'a>(connectivity: &Connectivity, placement: &Placement<'a>, budget: &mut Budget) -> Result<Placed<'a>, DracoError> {
    let table = placement.table;
    let sequence = traverse::walk(table, placement.order, budget)?;
    let mut entry_of_point = budget.filled(connectivity.point_count, NONE)?;
    for (&point, &vertex) in connectivity.points.iter().zip(&table.vertices) {
        entry_of_point[point as usize] = sequence.entries[vertex as usize];
    }
    let is_nowhere = |&vertex: &u32| sequence.entries[vertex as usize] == NONE;
    if entry_of_point.contains(&NONE) || table.vertices.iter().any(is_nowhere) {
        return Err(DracoError::Damaged { place: "the order of values", what: "a vertex has no value" });
    }
    Ok(Placed { table, sequence, entry_of_point })
}

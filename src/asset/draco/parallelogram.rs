//! Values predicted by parallelograms: where two triangles share an edge, the tip of one is expected opposite the tip of the
//! other.

use super::bits::RansBits;
use super::corners::NONE;
use super::cursor::{Cursor, VERSION_2_2};
use super::error::DracoError;
use super::prediction::{Surroundings, Wrap};

/// The constrained prediction looks at no more parallelograms of a vertex.
const MOST: usize = 4;

/// The entries of the triangle across the edge opposite `corner`, its tip last, if all of them come before `entry`.
fn across(surroundings: &Surroundings, corner: u32, entry: usize) -> Option<[usize; 3]> {
    let opposite = surroundings.table.opposite(corner);
    if opposite == NONE {
        return None;
    }
    let entries = [super::corners::next(opposite), super::corners::previous(opposite), opposite].map(|corner| surroundings.entry(corner));
    entries.iter().all(|&other| other < entry).then_some(entries)
}

fn fourth(numbers: &[i32], components: usize, [a, b, tip]: [usize; 3], component: usize) -> i32 {
    let number = |entry: usize| numbers[entry * components + component];
    number(a).wrapping_add(number(b)).wrapping_sub(number(tip))
}

/// Corrects an entry's numbers, given what to expect of a component; none: as the entry before.
fn correct(wrap: &Wrap, numbers: &mut [i32], components: usize, entry: usize, expected: impl Fn(&[i32], usize) -> Option<i32>) {
    for component in 0..components {
        let at = entry * components + component;
        let before = if entry == 0 { 0 } else { numbers[at - components] };
        numbers[at] = wrap.corrected(expected(numbers, component).unwrap_or(before), numbers[at]);
    }
}

/// One parallelogram for each value.
pub fn revert_one(wrap: &Wrap, numbers: &mut [i32], components: usize, surroundings: &Surroundings) {
    for (entry, &corner) in surroundings.sequence.corners.iter().enumerate() {
        let found = across(surroundings, corner, entry);
        correct(wrap, numbers, components, entry, |numbers, component| Some(fourth(numbers, components, found?, component)));
    }
}

/// The mean of all parallelograms, going right.
pub fn revert_all(wrap: &Wrap, numbers: &mut [i32], components: usize, surroundings: &Surroundings) {
    let mut found = Vec::new();
    for (entry, &start) in surroundings.sequence.corners.iter().enumerate() {
        found.clear();
        let mut corner = start;
        while corner != NONE {
            found.extend(across(surroundings, corner, entry));
            corner = surroundings.table.swing_right(corner);
            if corner == start {
                break;
            }
        }
        correct(wrap, numbers, components, entry, |numbers, component| mean(numbers, components, &found, component));
    }
}

fn mean(numbers: &[i32], components: usize, parallelograms: &[[usize; 3]], component: usize) -> Option<i32> {
    let sum = parallelograms.iter().fold(0i32, |sum, &found| sum.wrapping_add(fourth(numbers, components, found, component)));
    sum.checked_div(parallelograms.len() as i32)
}

/// For each number of parallelograms that a vertex may have, a stream that says which of them are creases.
pub struct Creases<'a> {
    streams: [(u32, RansBits<'a>); MOST],
}

impl<'a> Creases<'a> {
    pub fn read(cursor: &mut Cursor<'a>, surroundings: &Surroundings) -> Result<Self, DracoError> {
        if cursor.version < VERSION_2_2 {
            let mode = cursor.u8()?;
            if mode != 0 {
                return Err(DracoError::Unknown { what: "the choice of parallelograms", number: mode.into() });
            }
        }
        let mut streams: [(u32, RansBits); MOST] = Default::default();
        for (count, bits) in &mut streams {
            *count = cursor.varint()?;
            if *count as usize > surroundings.table.vertices.len() {
                return Err(cursor.damaged("there are more creases than edges"));
            }
            if *count > 0 {
                *bits = RansBits::read(cursor)?;
            }
        }
        Ok(Self { streams })
    }

    fn next_is_crease(&mut self, parallelograms: usize) -> Option<bool> {
        let (count, bits) = self.streams.get_mut(parallelograms.checked_sub(1)?)?;
        *count = count.checked_sub(1)?;
        Some(bits.next_bit())
    }
}

/// The mean of the first parallelograms that are no creases.
pub fn revert_constrained(
    cursor: &Cursor,
    wrap: &Wrap,
    mut creases: Creases,
    numbers: &mut [i32],
    components: usize,
    surroundings: &Surroundings,
) -> Result<(), DracoError> {
    for (entry, &start) in surroundings.sequence.corners.iter().enumerate() {
        let mut found = [[0; 3]; MOST];
        let mut count = 0;
        if entry > 0 {
            let all = surroundings.table.around(start).filter_map(|corner| across(surroundings, corner, entry));
            for (slot, parallelogram) in found.iter_mut().zip(all) {
                *slot = parallelogram;
                count += 1;
            }
        }
        let mut used = 0;
        for at in 0..count {
            match creases.next_is_crease(count) {
                Some(true) => {}
                Some(false) => {
                    found[used] = found[at];
                    used += 1;
                }
                None => return Err(cursor.damaged("there are fewer creases than parallelograms")),
            }
        }
        correct(wrap, numbers, components, entry, |numbers, component| mean(numbers, components, &found[..used], component));
    }
    Ok(())
}

//! Mode ATTRIBUTES: elements of 4 to 256 bytes, as differences from the element before. Blocks of at most 256 elements or
//! 8 KiB are decoded in two steps: for each byte of the element the codes of all elements of the block (a plane), in
//! groups of sixteen that are packed into 0, 1, 2, 4 or 8 bits each; then, four planes at a time (a channel), codes to
//! differences to values.

use super::cursor::Cursor;
use super::{StreamProblem, Version};

const GROUP: usize = 16;
const MOST_BLOCK_ELEMENTS: usize = 256;
const MOST_BLOCK_BYTES: usize = 8192;
/// A packed group is no longer than that: 8 bytes of codes and 16 that follow. No tail is shorter, so that many bytes can
/// be read from anywhere in a stream before it.
const MOST_GROUP_BYTES: usize = 24;

type Plane = [u8; MOST_BLOCK_ELEMENTS];

/// The least that `count` elements can be packed into: all of them equal.
pub fn least_bytes(version: Version, count: u64, stride: u64) -> u64 {
    let most = block_elements(stride as usize) as u64;
    let (blocks, rest) = (count / most, count % most);
    let block = |elements: u64| match version {
        // Two bits for each group of each plane.
        Version::V0 => stride * elements.div_ceil(GROUP as u64 * 4),
        // Two bits for each plane.
        Version::V1 => stride / 4 * elements.min(1),
    };
    blocks.saturating_mul(block(most)).saturating_add(block(rest) + 1 + tail_bytes(version, stride as usize) as u64)
}

fn block_elements(stride: usize) -> usize {
    (MOST_BLOCK_BYTES / stride / GROUP * GROUP).min(MOST_BLOCK_ELEMENTS)
}

/// The element before the first and, in the second version, how each channel is coded; padded at the front.
fn tail_bytes(version: Version, stride: usize) -> usize {
    match version {
        Version::V0 => stride.max(32),
        Version::V1 => (stride + stride / 4).max(MOST_GROUP_BYTES),
    }
}

pub fn decode(version: Version, stream: &[u8], count: usize, stride: usize) -> Result<Vec<u8>, StreamProblem> {
    let channel_bytes = if version == Version::V0 { 0 } else { stride / 4 };
    let (before, channels) = stream.split_at_checked(stream.len().wrapping_sub(channel_bytes)).ok_or(StreamProblem::EndsEarly)?;
    let first = before.len().checked_sub(stride).map(|start| &before[start..]).ok_or(StreamProblem::EndsEarly)?;
    let mut coding = Vec::with_capacity(stride / 4);
    for (channel, baseline) in first.as_chunks::<4>().0.iter().enumerate() {
        let difference = Difference::new(channels.get(channel).copied().unwrap_or(0), channel)?;
        coding.push((difference, u32::from_le_bytes(*baseline)));
    }

    let mut data = Cursor { rest: stream.get(1..).unwrap_or_default() };
    let mut elements = vec![0; count * stride];
    let mut planes = [[0; MOST_BLOCK_ELEMENTS]; 4];
    for block in elements.chunks_mut(block_elements(stride) * stride) {
        let count = block.len() / stride;
        let controls = data.take(channel_bytes)?;
        for (channel, (difference, value)) in coding.iter_mut().enumerate() {
            let controls = controls.get(channel).copied();
            for (byte, plane) in planes.iter_mut().enumerate() {
                read_plane(&mut data, controls.map(|controls| controls >> (byte * 2) & 3), count, plane)?;
            }
            *value = difference.undo(*value, &planes, block, (stride, channel * 4));
        }
    }
    data.finish(tail_bytes(version, stride))?;
    Ok(elements)
}

/// The codes of one byte of `count` elements. Only the second version has a `control`.
fn read_plane(data: &mut Cursor, control: Option<u8>, count: usize, plane: &mut Plane) -> Result<(), StreamProblem> {
    // How many bits a code has, by what its group says.
    let bits = match control {
        None => [0, 2, 4, 8],
        Some(0) => [0, 1, 2, 4],
        Some(1) => [1, 2, 4, 8],
        Some(2) => {
            plane.fill(0);
            return Ok(());
        }
        Some(_) => {
            let codes = data.take(count)?;
            plane.iter_mut().zip(codes).for_each(|(to, &from)| *to = from);
            return Ok(());
        }
    };
    let groups = count.div_ceil(GROUP);
    let headers = data.take(groups.div_ceil(4))?;
    for (index, group) in plane.as_chunks_mut::<GROUP>().0.iter_mut().take(groups).enumerate() {
        let header = headers.get(index / 4).map_or(0, |header| header >> (index % 4 * 2) & 3);
        match bits[usize::from(header)] {
            0 => *group = [0; GROUP],
            1 => read_group::<1>(data, group)?,
            2 => read_group::<2>(data, group)?,
            4 => read_group::<4>(data, group)?,
            _ => group.copy_from_slice(data.take(GROUP)?),
        }
    }
    Ok(())
}

/// Sixteen codes of `BITS` bits; where one has all of them set, the next of the bytes that follow is meant.
fn read_group<const BITS: usize>(data: &mut Cursor, group: &mut [u8; GROUP]) -> Result<(), StreamProblem> {
    let window: &[u8; MOST_GROUP_BYTES] = data.rest.first_chunk().ok_or(StreamProblem::EndsEarly)?;
    // A power of two, so that a mask shows that no index leaves it.
    let mut bytes = [0u8; 32];
    bytes[..MOST_GROUP_BYTES].copy_from_slice(window);
    let all_set = (1u8 << BITS) - 1;
    let mut following = BITS * GROUP / 8;
    for (i, code) in group.iter_mut().enumerate() {
        let bit = i * BITS % 8;
        // Single bits are packed from the lowest, pairs and fours from the highest.
        let shift = if BITS == 1 { bit } else { 8 - BITS - bit };
        let packed = bytes[i * BITS / 8] >> shift & all_set;
        let follows = packed == all_set;
        *code = if follows { bytes[following % 32] } else { packed };
        following += usize::from(follows);
    }
    data.take(following)?;
    Ok(())
}

/// What the codes of a channel say about two values in a row.
#[derive(Debug, Clone, Copy)]
enum Difference {
    /// Four differences of a byte.
    Bytes,
    /// Two differences of 16 bits.
    Words,
    /// The bits that differ, to be turned to the right by so many.
    Bits(u32),
}

impl Difference {
    fn new(mode: u8, channel: usize) -> Result<Self, StreamProblem> {
        match (mode & 15, mode >> 4) {
            (0, 0) => Ok(Self::Bytes),
            (1, 0) => Ok(Self::Words),
            (2, turn) => Ok(Self::Bits(turn.into())),
            _ => Err(StreamProblem::Channel { channel, found: mode }),
        }
    }

    /// Writes the values of a channel of a block, and tells the last.
    fn undo(self, before: u32, planes: &[Plane; 4], block: &mut [u8], place: (usize, usize)) -> u32 {
        match self {
            Self::Bytes => undo(before, planes, block, place, |before, code| {
                const SIGN: u32 = 0x8080_8080;
                // Each byte of a sum by itself: no carry crosses into the next.
                let difference = (code >> 1 & !SIGN) ^ (code & 0x0101_0101).wrapping_mul(0xff);
                ((before & !SIGN).wrapping_add(difference & !SIGN)) ^ ((before ^ difference) & SIGN)
            }),
            Self::Words => undo(before, planes, block, place, |before, code| {
                const SIGN: u32 = 0x8000_8000;
                let difference = (code >> 1 & !SIGN) ^ (code & 0x0001_0001).wrapping_mul(0xffff);
                ((before & !SIGN).wrapping_add(difference & !SIGN)) ^ ((before ^ difference) & SIGN)
            }),
            Self::Bits(turn) => undo(before, planes, block, place, |before, code| before ^ code.rotate_right(turn)),
        }
    }
}

fn undo(
    mut value: u32,
    [a, b, c, d]: &[Plane; 4],
    block: &mut [u8],
    (stride, offset): (usize, usize),
    step: impl Fn(u32, u32) -> u32,
) -> u32 {
    let codes = a.iter().zip(b).zip(c).zip(d).map(|(((&a, &b), &c), &d)| u32::from_le_bytes([a, b, c, d]));
    for (element, code) in block.chunks_exact_mut(stride).zip(codes) {
        value = step(value, code);
        if let Some(bytes) = element.get_mut(offset..offset + 4) {
            bytes.copy_from_slice(&value.to_le_bytes());
        }
    }
    value
}

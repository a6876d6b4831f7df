//! Decodes the mode ATTRIBUTES: elements of 4 to 256 bytes, each stored as the difference from the previous element.
//!
//! The elements are divided into blocks of up to 256 elements or 8 KiB. A block is decoded in two steps. First, for each byte of the
//! element, the codes of all elements of the block are read (a plane). They come in groups of sixteen, packed to 0, 1, 2, 4 or 8 bits each.
//! Then the codes of four planes (a channel) become differences, and these become values.

use super::cursor::Cursor;
use super::{MeshoptError, Version};

/// Number of codes in a group.
const GROUP_LEN: usize = 16;
/// Largest number of elements in a block.
const MAX_BLOCK_ELEMENTS: usize = 256;
/// Maximum size of a decoded block, in bytes.
const MAX_BLOCK_BYTES: usize = 8192;
/// Largest packed group, in bytes: 8 bytes of codes and 16 bytes of values that follow them. A tail is at least as long, so this many bytes
/// can be read from any position before the tail.
const MAX_GROUP_BYTES: usize = 24;

/// The codes of all elements of a block for one byte of the element.
type Plane = [u8; MAX_BLOCK_ELEMENTS];

/// Returns the minimum size of `count` packed elements, in bytes. Elements that are all equal have this size.
pub fn min_bytes(version: Version, count: u64, stride: u64) -> u64 {
    let max = block_elements(stride as usize) as u64;
    let (blocks, rest) = (count / max, count % max);
    let block = |elements: u64| match version {
        // Version 0 needs two bits per group of each plane.
        Version::V0 => stride * elements.div_ceil(GROUP_LEN as u64 * 4),
        // Version 1 needs two bits per plane.
        Version::V1 => stride / 4 * elements.min(1),
    };
    blocks.saturating_mul(block(max)).saturating_add(block(rest) + 1 + tail_bytes(version, stride as usize) as u64)
}

/// Returns the number of elements in a full block: the whole groups that fit into [`MAX_BLOCK_BYTES`], at most [`MAX_BLOCK_ELEMENTS`].
fn block_elements(stride: usize) -> usize {
    (MAX_BLOCK_BYTES / stride / GROUP_LEN * GROUP_LEN).min(MAX_BLOCK_ELEMENTS)
}

/// Returns the length of the padded tail, in bytes. It holds the baseline of the first element and, in version 1, the mode of each channel.
fn tail_bytes(version: Version, stride: usize) -> usize {
    match version {
        Version::V0 => stride.max(32),
        Version::V1 => (stride + stride / 4).max(MAX_GROUP_BYTES),
    }
}

/// Decodes `count` elements of `stride` bytes. Returns an error if the stream is invalid or has bytes that are not read.
pub fn decode(version: Version, stream: &[u8], count: usize, stride: usize) -> Result<Vec<u8>, MeshoptError> {
    // The tail is at the end: padding, the baseline of the first element, and the modes of the channels.
    let channel_bytes = if version == Version::V0 { 0 } else { stride / 4 };
    let (rest, modes) = stream.split_at_checked(stream.len().wrapping_sub(channel_bytes)).ok_or(MeshoptError::EndsEarly)?;
    let first = rest.len().checked_sub(stride).map(|start| &rest[start..]).ok_or(MeshoptError::EndsEarly)?;
    let mut channels = Vec::with_capacity(stride / 4);
    for (channel, baseline) in first.as_chunks::<4>().0.iter().enumerate() {
        let difference = Difference::new(modes.get(channel).copied().unwrap_or(0), channel)?;
        channels.push((difference, u32::from_le_bytes(*baseline)));
    }

    let mut data = Cursor { rest: stream.get(1..).unwrap_or_default() };
    let mut elements = vec![0; count * stride];
    let mut planes = [[0; MAX_BLOCK_ELEMENTS]; 4];
    for block in elements.chunks_mut(block_elements(stride) * stride) {
        let count = block.len() / stride;
        let controls = data.take(channel_bytes)?;
        for (channel, (difference, value)) in channels.iter_mut().enumerate() {
            let controls = controls.get(channel).copied();
            for (byte, plane) in planes.iter_mut().enumerate() {
                read_plane(&mut data, controls.map(|controls| controls >> (byte * 2) & 3), count, plane)?;
            }
            *value = difference.undo(*value, &planes, block, ChannelBytes { stride, offset: channel * 4 });
        }
    }
    data.check_rest(tail_bytes(version, stride))?;
    Ok(elements)
}

/// Reads the codes of one byte of `count` elements. Only version 1 has a `control`, which chooses the packing of the plane.
fn read_plane(data: &mut Cursor, control: Option<u8>, count: usize, plane: &mut Plane) -> Result<(), MeshoptError> {
    // Bits per code, from the header of the group.
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
            plane.iter_mut().zip(codes).for_each(|(target, &code)| *target = code);
            return Ok(());
        }
    };
    let groups = count.div_ceil(GROUP_LEN);
    let headers = data.take(groups.div_ceil(4))?;
    for (index, group) in plane.as_chunks_mut::<GROUP_LEN>().0.iter_mut().take(groups).enumerate() {
        let header = headers.get(index / 4).map_or(0, |header| header >> (index % 4 * 2) & 3);
        match bits[usize::from(header)] {
            0 => *group = [0; GROUP_LEN],
            1 => read_group::<1>(data, group)?,
            2 => read_group::<2>(data, group)?,
            4 => read_group::<4>(data, group)?,
            _ => group.copy_from_slice(data.take(GROUP_LEN)?),
        }
    }
    Ok(())
}

/// Reads sixteen codes of `BITS` bits. If all bits of a code are set, its value is the next unused byte after the codes.
fn read_group<const BITS: usize>(data: &mut Cursor, group: &mut [u8; GROUP_LEN]) -> Result<(), MeshoptError> {
    let window: &[u8; MAX_GROUP_BYTES] = data.rest.first_chunk().ok_or(MeshoptError::EndsEarly)?;
    // The length is a power of two, so masked indices are always in range.
    let mut bytes = [0u8; 32];
    bytes[..MAX_GROUP_BYTES].copy_from_slice(window);
    let all_set = (1u8 << BITS) - 1;
    let mut next_byte = BITS * GROUP_LEN / 8;
    for (i, code) in group.iter_mut().enumerate() {
        let bit = i * BITS % 8;
        // Codes of one bit are packed from the lowest bit; codes of two or four bits from the highest.
        let shift = if BITS == 1 { bit } else { 8 - BITS - bit };
        let packed = bytes[i * BITS / 8] >> shift & all_set;
        let is_escaped = packed == all_set;
        *code = if is_escaped { bytes[next_byte % 32] } else { packed };
        next_byte += usize::from(is_escaped);
    }
    data.take(next_byte)?;
    Ok(())
}

/// Where the four bytes of a channel are in each element.
#[derive(Debug, Clone, Copy)]
struct ChannelBytes {
    /// Size of an element, in bytes.
    stride: usize,
    /// Offset of the channel in the element, in bytes.
    offset: usize,
}

/// How the codes of a channel store differences.
#[derive(Debug, Clone, Copy)]
enum Difference {
    /// Four differences of 8 bits.
    Bytes,
    /// Two differences of 16 bits.
    Words,
    /// The bits that differ, rotated to the left by this number. Decoding rotates them back.
    Bits(u32),
}

impl Difference {
    /// Reads the mode of a channel.
    fn new(mode: u8, channel: usize) -> Result<Self, MeshoptError> {
        match (mode & 15, mode >> 4) {
            (0, 0) => Ok(Self::Bytes),
            (1, 0) => Ok(Self::Words),
            (2, rotation) => Ok(Self::Bits(rotation.into())),
            _ => Err(MeshoptError::Channel { channel, found: mode }),
        }
    }

    /// Writes the values of a channel of a block. `before` is the value that precedes the first one. Returns the last value.
    fn undo(self, before: u32, planes: &[Plane; 4], block: &mut [u8], bytes: ChannelBytes) -> u32 {
        match self {
            Self::Bytes => undo(before, planes, block, bytes, |before, code| {
                const SIGN: u32 = 0x8080_8080;
                // Adds each byte separately, so that no carry crosses into the next.
                let difference = (code >> 1 & !SIGN) ^ (code & 0x0101_0101).wrapping_mul(0xff);
                ((before & !SIGN).wrapping_add(difference & !SIGN)) ^ ((before ^ difference) & SIGN)
            }),
            Self::Words => undo(before, planes, block, bytes, |before, code| {
                const SIGN: u32 = 0x8000_8000;
                let difference = (code >> 1 & !SIGN) ^ (code & 0x0001_0001).wrapping_mul(0xffff);
                ((before & !SIGN).wrapping_add(difference & !SIGN)) ^ ((before ^ difference) & SIGN)
            }),
            Self::Bits(rotation) => undo(before, planes, block, bytes, |before, code| before ^ code.rotate_right(rotation)),
        }
    }
}

/// Writes the values of a channel of a block. `step` computes each from the previous value and a code. Returns the last value.
fn undo(
    mut value: u32,
    [a, b, c, d]: &[Plane; 4],
    block: &mut [u8],
    ChannelBytes { stride, offset }: ChannelBytes,
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

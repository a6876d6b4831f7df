//! The codebooks of an ETC1S file, which all its slices share: endpoints (base color and contrast), selectors (4 x 4 patterns of steps
//! between dark and light), and the Huffman tables.

use super::Ktx2Error;
use super::bits::{Bits, Huffman};
use super::container::slice;

/// The data that all slices of a file share.
#[derive(Debug)]
pub struct Codebooks {
    pub endpoints: Vec<Endpoint>,
    /// Each pattern row by row, one byte per row, two bits per pixel with the lowest first.
    pub selectors: Vec<[u8; 4]>,
    pub tables: Tables,
}

/// A base color and the contrast of the steps around it.
#[derive(Debug, Clone, Copy)]
pub struct Endpoint {
    /// Five bits per channel.
    pub color: [u8; 3],
    /// Index of a contrast table, 0 to 7.
    pub contrast: u8,
}

/// The Huffman tables that slices are read with.
#[derive(Debug)]
pub struct Tables {
    /// Codes that choose the neighbor from which a block copies its endpoint.
    pub prediction: Huffman,
    /// Differences of endpoint indices.
    pub endpoint_delta: Huffman,
    /// Selectors, and references to recent ones.
    pub selector: Huffman,
    /// Lengths of runs of equal selectors.
    pub selector_run: Huffman,
    /// Number of recent selectors that a code can refer to.
    pub history: usize,
}

/// Reads consecutive 32-bit numbers, little-endian, at an offset in bytes.
pub fn numbers<const N: usize>(bytes: &[u8], at: u64) -> Result<[u32; N], Ktx2Error> {
    let bytes = slice(bytes, at, 4 * N as u64)?;
    let mut numbers = [0; N];
    for (number, bytes) in numbers.iter_mut().zip(bytes.as_chunks().0) {
        *number = u32::from_le_bytes(*bytes);
    }
    Ok(numbers)
}

/// Reads the codebooks from the global data of a file with `images` image descriptions of 20 bytes each.
pub fn read(global: &[u8], images: u64) -> Result<Codebooks, Ktx2Error> {
    let [counts, endpoint_bytes, selector_bytes, table_bytes] = numbers(global, 0)?;
    let mut at = images.saturating_mul(20).saturating_add(20);
    let mut part = |length: u32| {
        let part = slice(global, at, length.into());
        at = at.saturating_add(length.into());
        part
    };
    Ok(Codebooks {
        endpoints: endpoints(part(endpoint_bytes)?, counts & 0xffff)?,
        selectors: selectors(part(selector_bytes)?, counts >> 16)?,
        tables: tables(part(table_bytes)?)?,
    })
}

/// Reads the endpoints. Each is stored as the difference from the previous one.
fn endpoints(bytes: &[u8], count: u32) -> Result<Vec<Endpoint>, Ktx2Error> {
    let mut bits = Bits::new(bytes);
    // There is one table each for dark, medium and bright previous values.
    let deltas = [Huffman::read(&mut bits)?, Huffman::read(&mut bits)?, Huffman::read(&mut bits)?];
    let contrasts = Huffman::read(&mut bits)?;
    let grey = bits.number(1)? == 1;
    let mut endpoint = Endpoint { color: [16; 3], contrast: 0 };
    let mut endpoints = Vec::new();
    for _ in 0..count {
        endpoint.contrast = (u32::from(endpoint.contrast) + contrasts.symbol(&mut bits)?) as u8 & 7;
        for channel in endpoint.color.iter_mut().take(if grey { 1 } else { 3 }) {
            let brightness = usize::from(*channel > 9) + usize::from(*channel > 21);
            *channel = (u32::from(*channel) + deltas[brightness].symbol(&mut bits)?) as u8 & 31;
        }
        if grey {
            endpoint.color = [endpoint.color[0]; 3];
        }
        endpoints.push(endpoint);
    }
    Ok(endpoints)
}

/// Reads the selectors. Each is stored as it is, or as the difference from the previous one.
fn selectors(bytes: &[u8], count: u32) -> Result<Vec<[u8; 4]>, Ktx2Error> {
    let mut bits = Bits::new(bytes);
    // These bits select two kinds of global codebooks that were never defined.
    if bits.number(2)? != 0 {
        return Err(Ktx2Error::Codes);
    }
    let raw = bits.number(1)? == 1;
    let differences = if raw { Huffman::default() } else { Huffman::read(&mut bits)? };
    let mut selector = [0; 4];
    let mut selectors = Vec::new();
    for index in 0..count {
        for row in &mut selector {
            *row = if raw || index == 0 { bits.number(8)? as u8 } else { *row ^ differences.symbol(&mut bits)? as u8 };
        }
        selectors.push(selector);
    }
    Ok(selectors)
}

/// Reads the Huffman tables of the slices.
fn tables(bytes: &[u8]) -> Result<Tables, Ktx2Error> {
    let mut bits = Bits::new(bytes);
    Ok(Tables {
        prediction: Huffman::read(&mut bits)?,
        endpoint_delta: Huffman::read(&mut bits)?,
        selector: Huffman::read(&mut bits)?,
        selector_run: Huffman::read(&mut bits)?,
        history: bits.number(13)? as usize,
    })
}

//! The codebooks of an ETC1S file, which all its slices share: endpoints (base color and contrast), selectors (4 x 4 patterns of steps
//! between dark and light), and the Huffman tables.

use super::Ktx2Error;
use super::bits::{Bits, HuffmanTable, read_u32s, slice};

/// The data that all slices of a file share.
#[derive(Debug)]
pub struct Codebooks {
    pub endpoints: Vec<Endpoint>,
    /// The four rows of each pattern, from the top. A byte holds a row of four pixels with two bits each, the leftmost in the lowest bits.
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
    pub prediction: HuffmanTable,
    /// Differences of endpoint indices.
    pub endpoint_delta: HuffmanTable,
    /// Selectors, and references to recent ones.
    pub selector: HuffmanTable,
    /// Lengths of runs of equal selectors.
    pub selector_run: HuffmanTable,
    /// Number of recent selectors that a code can refer to.
    pub history: usize,
}

/// Reads the codebooks from the file's global data. It begins with a header of 20 bytes and `image_count` image descriptions of 20 bytes
/// each.
pub fn read(global: &[u8], image_count: u64) -> Result<Codebooks, Ktx2Error> {
    let [counts, endpoint_bytes, selector_bytes, table_bytes] = read_u32s(global, 0)?;
    let mut offset = image_count.saturating_mul(20).saturating_add(20);
    let mut next_section = |length: u32| {
        let section = slice(global, offset, length.into());
        offset = offset.saturating_add(length.into());
        section
    };
    Ok(Codebooks {
        endpoints: endpoints(next_section(endpoint_bytes)?, counts & 0xffff)?,
        selectors: selectors(next_section(selector_bytes)?, counts >> 16)?,
        tables: tables(next_section(table_bytes)?)?,
    })
}

/// Reads the endpoints. Each is stored as the difference from the previous one.
fn endpoints(bytes: &[u8], count: u32) -> Result<Vec<Endpoint>, Ktx2Error> {
    let mut bits = Bits::new(bytes);
    // There is one table each for dark, medium and bright previous values.
    let deltas = [HuffmanTable::read(&mut bits)?, HuffmanTable::read(&mut bits)?, HuffmanTable::read(&mut bits)?];
    let contrasts = HuffmanTable::read(&mut bits)?;
    let is_gray = bits.number(1)? == 1;
    let mut endpoint = Endpoint { color: [16; 3], contrast: 0 };
    let mut endpoints = Vec::new();
    for _ in 0..count {
        endpoint.contrast = (u32::from(endpoint.contrast) + contrasts.symbol(&mut bits)?) as u8 & 7;
        for channel in endpoint.color.iter_mut().take(if is_gray { 1 } else { 3 }) {
            let brightness = usize::from(*channel > 9) + usize::from(*channel > 21);
            *channel = (u32::from(*channel) + deltas[brightness].symbol(&mut bits)?) as u8 & 31;
        }
        if is_gray {
            endpoint.color = [endpoint.color[0]; 3];
        }
        endpoints.push(endpoint);
    }
    Ok(endpoints)
}

/// Reads the selectors. The first one is stored unchanged. All others are also stored unchanged, or each of their rows is XORed with the
/// same row of the previous selector.
fn selectors(bytes: &[u8], count: u32) -> Result<Vec<[u8; 4]>, Ktx2Error> {
    let mut bits = Bits::new(bytes);
    // These bits select two kinds of global codebooks that were never defined.
    if bits.number(2)? != 0 {
        return Err(Ktx2Error::InvalidData);
    }
    let raw = bits.number(1)? == 1;
    let differences = if raw { HuffmanTable::default() } else { HuffmanTable::read(&mut bits)? };
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
        prediction: HuffmanTable::read(&mut bits)?,
        endpoint_delta: HuffmanTable::read(&mut bits)?,
        selector: HuffmanTable::read(&mut bits)?,
        selector_run: HuffmanTable::read(&mut bits)?,
        history: bits.number(13)? as usize,
    })
}

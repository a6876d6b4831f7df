//! Decodes the mode INDICES: any sequence of indices. Each is stored as the difference from one of two baselines, and then replaces that
//! baseline.

use super::MeshoptError;
use super::cursor::{Cursor, unzigzag};

/// Bytes before the first index.
const HEADER_BYTES: u64 = 1;
/// Bytes after the last index.
const TAIL_BYTES: usize = 4;

/// Returns the fewest bytes that `count` indices can take: one byte each.
pub fn min_bytes(count: u64) -> u64 {
    count.saturating_add(HEADER_BYTES + TAIL_BYTES as u64)
}

/// Decodes `count` indices.
pub fn decode(stream: &[u8], count: usize) -> Result<Vec<u32>, MeshoptError> {
    let mut data = Cursor { rest: stream.get(HEADER_BYTES as usize..).unwrap_or_default() };
    let mut baselines = [0u32; 2];
    let mut indices = Vec::with_capacity(count);
    for index in 0..count {
        let code = data.varint(index)?;
        // The lowest bit chooses the baseline; the others are the difference.
        let baseline = &mut baselines[(code & 1) as usize];
        *baseline = baseline.wrapping_add(unzigzag(code >> 1));
        indices.push(*baseline);
    }
    data.check_rest(TAIL_BYTES)?;
    Ok(indices)
}

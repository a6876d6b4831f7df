//! Uploads the simplified triangle lists of a model ([`super::simplification`]) to one buffer, and finds the list of a primitive in it.

use std::ops::Range;

use crate::render::buffers::staged_upload::StagedUpload;
use crate::render::device::gpu::Gpu;

use super::geometry::IndexSubset;
use super::simplification::SimplifiedLists;

/// Ranges in the buffer of all lists, by mesh and primitive. `None` if the primitive is not simplified.
type Ranges = Vec<Vec<Option<Range<u32>>>>;

/// The simplified triangle lists of a model on the GPU, in one buffer.
pub(crate) struct SimplifiedMeshes {
    buffer: wgpu::Buffer,
    ranges: Ranges,
}

impl SimplifiedMeshes {
    /// Uploads simplified lists. Returns `None` if none of the primitives is simplified, the buffer would exceed the device's limit, or GPU
    /// memory runs out.
    pub fn upload(gpu: &Gpu, lists: &SimplifiedLists) -> Option<Self> {
        let (all, ranges) = joined_lists(lists, gpu.device.limits().max_buffer_size)?;
        let usage = wgpu::BufferUsages::INDEX;
        let upload = || StagedUpload::new(gpu).buffer("simplified indices", usage, all.len(), |index| all[index]);
        gpu.within_memory(upload).ok().map(|buffer| Self { buffer, ranges })
    }

    /// Returns the simplified indices of a primitive. `None` if it is drawn in full.
    pub fn get(&self, mesh: usize, primitive: usize) -> Option<IndexSubset> {
        let range = self.ranges.get(mesh)?.get(primitive)?.clone()?;
        Some(IndexSubset { indices: self.buffer.clone(), range })
    }

    /// Returns the size of the buffer in bytes.
    pub fn bytes(&self) -> u64 {
        self.buffer.size()
    }
}

/// Joins all lists, and returns the range of each. Returns `None` if there are no indices, or if they take more than `max_bytes`.
fn joined_lists(lists: &SimplifiedLists, max_bytes: u64) -> Option<(Vec<u32>, Ranges)> {
    let mut all = Vec::new();
    let mut append = |list: &Option<Vec<u32>>| {
        let (start, indices) = (all.len() as u32, list.as_ref()?);
        all.extend_from_slice(indices);
        Some(start..all.len() as u32)
    };
    let ranges = lists.iter().map(|mesh| mesh.iter().map(&mut append).collect()).collect();
    (!all.is_empty() && (all.len() * size_of::<u32>()) as u64 <= max_bytes).then_some((all, ranges))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_joined_if_they_fit_into_a_buffer() {
        let lists = vec![vec![Some(vec![0, 1, 2]), None], vec![], vec![Some(vec![3, 4, 5, 6, 7, 8])]];
        let expected = (vec![0, 1, 2, 3, 4, 5, 6, 7, 8], vec![vec![Some(0..3), None], vec![], vec![Some(3..9)]]);
        assert_eq!(joined_lists(&lists, 36), Some(expected));
        assert_eq!(joined_lists(&lists, 35), None, "9 indices of 4 bytes");
        assert_eq!(joined_lists(&vec![vec![None]], 36), None, "an empty buffer is not allowed");
    }
}

//! What decoding may allocate. A Draco mesh can say in a hundred bytes that it has a billion triangles, and a stream of
//! symbols that cost no bits would even prove it; so every array is charged here before it is made.

use super::error::DracoError;

/// What may be allocated whatever the size of the data: some three million triangles.
const FREE_BYTES: u64 = 512 << 20;
/// And beyond that for each byte of the data. Real meshes need some sixty times their size, those of boxes and planes more.
const MOST_TIMES: u64 = 256;

/// Bytes that decoding may still allocate, in all; what is freed on the way does not count back.
#[derive(Debug)]
pub struct Budget {
    most: u64,
    left: u64,
}

impl Budget {
    /// For decoding everything that lies in `bytes` bytes: a buffer, or all buffers of a file.
    pub fn for_bytes(bytes: u64) -> Self {
        let most = FREE_BYTES.saturating_add(bytes.saturating_mul(MOST_TIMES));
        Self { most, left: most }
    }

    /// An array of `count` values, each as `fill`.
    pub fn filled<T: Clone>(&mut self, count: usize, fill: T) -> Result<Vec<T>, DracoError> {
        self.charge::<T>(count)?;
        Ok(vec![fill; count])
    }

    /// An empty array with room for `count` values.
    pub fn room<T>(&mut self, count: usize) -> Result<Vec<T>, DracoError> {
        self.charge::<T>(count)?;
        Ok(Vec::with_capacity(count))
    }

    fn charge<T>(&mut self, count: usize) -> Result<(), DracoError> {
        let bytes = (count as u64).saturating_mul(size_of::<T>() as u64);
        self.left = self.left.checked_sub(bytes).ok_or(DracoError::Budget { most: self.most })?;
        Ok(())
    }
}

//! Reads the elements of an accessor one at a time, as numbers. Nothing is unpacked into memory, so an accessor of any length
//! can be checked.

use std::cell::Cell;

use gltf::json::accessor::ComponentType;
use serde_json::Value;

use crate::asset::file::bytes::Bytes;

use crate::validate::context::{AccessorLayout, ValidationContext, component};
use crate::validate::read;

/// Number of components of the largest element, a 4 x 4 matrix.
pub const MAX_COMPONENTS: usize = 16;

/// Number of components that the checks may read for a file of any size.
const MIN_BUDGET_NUMBERS: u64 = 64 << 20;
/// Number of components that the checks may read in addition, for each stored byte of the buffers.
const BUDGET_NUMBERS_PER_BYTE: u64 = 16;

/// The number of components that the checks may read. The limit is needed because a million accessors can refer to the same bytes, and a
/// sparse accessor can have any number of elements.
pub struct Budget {
    /// The components that may still be read.
    left: u64,
    /// Whether a check was left out because it needed more.
    is_exceeded: bool,
}

impl Budget {
    /// The budget of a file whose buffers are known.
    pub fn new(context: &ValidationContext) -> Self {
        let left = MIN_BUDGET_NUMBERS.saturating_add(context.stored_bytes.saturating_mul(BUDGET_NUMBERS_PER_BYTE));
        Self { left, is_exceeded: false }
    }

    /// Takes `numbers` from the budget. Returns whether there were enough; if not, the rest is kept for smaller accessors.
    fn spend(&mut self, numbers: u64) -> bool {
        let left = self.left.checked_sub(numbers);
        self.left = left.unwrap_or(self.left);
        self.is_exceeded |= left.is_none();
        left.is_some()
    }

    /// Returns whether a check was left out for lack of budget.
    pub fn is_exceeded(&self) -> bool {
        self.is_exceeded
    }
}

/// How the components of an element are stored. Computed once per accessor, because reading an element takes less time than this.
#[derive(Clone, Copy)]
struct Format {
    /// Bytes of a component.
    size: usize,
    columns: usize,
    /// Components per column.
    rows: usize,
    /// Bytes from column to column.
    column_stride: usize,
}

impl Format {
    fn new(layout: AccessorLayout) -> Self {
        let (columns, rows) = layout.columns();
        let (columns, rows, column_stride) = (columns as usize, rows as usize, layout.column_stride() as usize);
        Self { size: layout.component.size(), columns, rows, column_stride }
    }
}

/// The elements of one accessor.
pub struct Elements {
    pub layout: AccessorLayout,
    format: Format,
    /// Whether integers stand for fractions.
    pub normalized: bool,
    /// The bytes and the stride of the elements. `None` if all elements are zeros.
    base: Option<(Bytes, u64)>,
    /// Indices of elements that are replaced by `values`.
    replaced: Option<SparseIndices>,
    values: Bytes,
}

impl Elements {
    /// The elements of the accessor at `index`. `None` if it has no data, reaches past its views, or exceeds the budget.
    pub fn new(context: &ValidationContext, views: &[Option<Bytes>], index: usize, budget: &mut Budget) -> Option<Self> {
        let accessor = context.accessors.get(index)?;
        let layout = accessor.layout?;
        let base = match context.view_of(accessor) {
            Some(view) => {
                let stride = view.stride.unwrap_or(layout.tight_stride());
                let bytes = views.get(accessor.view?)?.as_ref()?;
                (stride >= layout.element_length()).then_some(())?;
                Some((bytes.part(accessor.offset, layout.span(stride))?, stride))
            }
            None if accessor.is_sparse => None,
            None => return None,
        };
        let (normalized, values) = (accessor.normalized, Bytes::default());
        let mut elements = Self { layout, format: Format::new(layout), normalized, base, replaced: None, values };
        if accessor.is_sparse {
            elements.replace(context.list("accessors").get(index)?.get("sparse")?, views, budget)?;
        }
        budget.spend(elements.component_count()).then_some(elements)
    }

    /// Adds the replacements of a sparse accessor. `None` if they cannot be read.
    fn replace(&mut self, sparse: &Value, views: &[Option<Bytes>], budget: &mut Budget) -> Option<()> {
        let count = read::unsigned(sparse, "count").filter(|&count| count <= self.layout.count)?;
        let size = self.layout.components() * self.layout.component.size() as u64;
        let values = sparse.get("values")?;
        let bytes = views.get(read::index(values, "bufferView")?)?.as_ref()?;
        self.values = bytes.part(read::unsigned(values, "byteOffset").unwrap_or(0), size.checked_mul(count)?)?;
        // Unsorted indices cannot be searched. `data` reports them.
        let indices = sparse_indices(sparse, count, views, budget)?;
        self.replaced = Some(indices).filter(SparseIndices::is_increasing);
        self.replaced.is_some().then_some(())
    }

    /// The number of components of all elements together.
    fn component_count(&self) -> u64 {
        self.layout.count.saturating_mul(self.layout.components())
    }

    /// Writes the components of an element, the columns of a matrix one after another. Returns the number of components.
    pub fn element(&self, index: u64, numbers: &mut [f64; MAX_COMPONENTS]) -> usize {
        let Format { size, columns, rows, column_stride } = self.format;
        let (bytes, start, column_stride) = match (self.replaced.as_ref().and_then(|indices| indices.find(index)), &self.base) {
            // Sparse values are tightly packed, without padding between columns.
            (Some(position), _) => (&self.values, position as usize * columns * rows * size, rows * size),
            (None, Some((bytes, stride))) => (bytes, (index * stride) as usize, column_stride),
            (None, None) => {
                numbers[..columns * rows].fill(0.0);
                return columns * rows;
            }
        };
        for column in 0..columns {
            let bytes = bytes.as_slice().get(start + column * column_stride..).unwrap_or_default();
            decode_all(self.layout.component, bytes, &mut numbers[column * rows..][..rows]);
        }
        columns * rows
    }

    /// The value that a component stands for: normalized integers become fractions (glTF 2.0, 3.11), others stay as they are.
    pub fn fraction(&self, number: f64) -> f64 {
        match self.layout.component {
            _ if !self.normalized => number,
            ComponentType::I8 => (number / 127.0).max(-1.0),
            ComponentType::U8 => number / 255.0,
            ComponentType::I16 => (number / 32767.0).max(-1.0),
            ComponentType::U16 => number / 65535.0,
            ComponentType::U32 | ComponentType::F32 => number,
        }
    }
}

/// Decodes as many components as there are `numbers`, little-endian. f64 holds every component exactly.
fn decode_all(component: ComponentType, bytes: &[u8], numbers: &mut [f64]) {
    fn decode<const SIZE: usize>(bytes: &[u8], numbers: &mut [f64], number: impl Fn([u8; SIZE]) -> f64) {
        let components = bytes.as_chunks().0;
        for (index, out) in numbers.iter_mut().enumerate() {
            *out = components.get(index).map_or(0.0, |bytes| number(*bytes));
        }
    }
    match component {
        ComponentType::I8 => decode(bytes, numbers, |[a]| f64::from(a.cast_signed())),
        ComponentType::U8 => decode(bytes, numbers, |[a]| f64::from(a)),
        ComponentType::I16 => decode(bytes, numbers, |bytes| f64::from(i16::from_le_bytes(bytes))),
        ComponentType::U16 => decode(bytes, numbers, |bytes| f64::from(u16::from_le_bytes(bytes))),
        ComponentType::U32 => decode(bytes, numbers, |bytes| f64::from(u32::from_le_bytes(bytes))),
        ComponentType::F32 => decode(bytes, numbers, |bytes| f64::from(f32::from_le_bytes(bytes))),
    }
}

/// The indices of elements that a sparse accessor replaces, in the file's order. They are read from the bytes when needed.
pub struct SparseIndices {
    component: ComponentType,
    bytes: Bytes,
    /// The position of the first index that is at least the element of the last search.
    last: Cell<usize>,
}

impl SparseIndices {
    /// The indices, in the file's order.
    pub fn iter(&self) -> impl Iterator<Item = u64> {
        self.bytes.as_slice().chunks_exact(self.component.size()).map(|bytes| self.decode(bytes))
    }

    /// Decodes an index.
    fn decode(&self, bytes: &[u8]) -> u64 {
        let mut number = 0.0;
        decode_all(self.component, bytes, std::slice::from_mut(&mut number));
        number as u64
    }

    /// Returns the first pair of neighboring indices that does not increase.
    pub fn first_decrease(&self) -> Option<(u64, u64)> {
        self.iter().zip(self.iter().skip(1)).find(|(previous, next)| next <= previous)
    }

    /// Returns whether each index is greater than the previous one.
    fn is_increasing(&self) -> bool {
        self.first_decrease().is_none()
    }

    /// The position of an element among the indices, which must be sorted. `None` if it is not among them.
    fn find(&self, element: u64) -> Option<u64> {
        let size = self.component.size();
        let index = |position: usize| Some(self.decode(self.bytes.as_slice().get(position * size..)?.get(..size)?));
        let reaches = |position: usize| index(position).is_none_or(|index| index >= element);
        // Elements are read in order, so the position is nearly always that of the last search or the next one.
        let last = self.last.get();
        let (mut low, mut high) = if last > 0 && reaches(last - 1) {
            (0, last - 1)
        } else if reaches(last) {
            (last, last)
        } else if reaches(last + 1) {
            (last + 1, last + 1)
        } else {
            (last + 2, self.bytes.as_slice().len() / size)
        };
        while low < high {
            let middle = low + (high - low) / 2;
            if reaches(middle) { high = middle } else { low = middle + 1 }
        }
        self.last.set(low);
        (index(low)? == element).then_some(low as u64)
    }
}

/// The indices of a sparse accessor with `count` replacements. `None` if they cannot be read or exceed the budget.
pub fn sparse_indices(sparse: &Value, count: u64, views: &[Option<Bytes>], budget: &mut Budget) -> Option<SparseIndices> {
    let indices = sparse.get("indices")?;
    let component = component(read::unsigned(indices, "componentType")?)?;
    let bytes = views.get(read::index(indices, "bufferView")?)?.as_ref()?;
    let size = component.size();
    let bytes = bytes.part(read::unsigned(indices, "byteOffset").unwrap_or(0), (size as u64).checked_mul(count)?)?;
    budget.spend(count).then_some(())?;
    Some(SparseIndices { component, bytes, last: Cell::new(0) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sparse_indices_are_found_in_any_order_and_the_last_place_is_kept() {
        let indices: Vec<u8> = vec![2, 3, 7, 8, 20, 21, 30, 255];
        let sparse = SparseIndices { component: ComponentType::U8, bytes: Bytes::new(indices.clone()), last: Cell::new(0) };
        let expected = |element: u64| indices.iter().position(|&index| u64::from(index) == element).map(|position| position as u64);
        for first in 0..=256 {
            for second in 0..=256 {
                assert_eq!((sparse.find(first), sparse.find(second)), (expected(first), expected(second)), "{first}, then {second}");
            }
        }
        // The next search begins where the last one ended.
        sparse.find(21);
        assert_eq!(sparse.last.get(), 5);
    }
}

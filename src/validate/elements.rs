//! The elements of an accessor, one at a time, as the numbers that the file has: nothing is unpacked into memory.

use gltf::json::accessor::ComponentType;
use serde_json::Value;

use crate::asset::file::buffer::Bytes;

use super::read;
use super::subject::{Layout, Subject, component};

/// More components than any element has.
pub const MOST: usize = 16;

/// Numbers that are looked at whatever the size of the file, and beyond that for each byte of its buffers.
const FREE_NUMBERS: u64 = 64 << 20;
const MOST_TIMES: u64 = 16;

/// How many numbers may still be looked at: a million accessors can name the same bytes. None: these were too many.
pub struct Budget(Option<u64>);

impl Budget {
    pub fn new(subject: &Subject) -> Self {
        let bytes: u64 = subject.buffers.iter().flatten().map(|bytes| bytes.as_slice().len() as u64).sum();
        Self(Some(FREE_NUMBERS.saturating_add(bytes.saturating_mul(MOST_TIMES))))
    }

    fn allows(&mut self, numbers: u64) -> bool {
        self.0 = self.0.and_then(|left| left.checked_sub(numbers));
        self.0.is_some()
    }

    pub fn is_exhausted(&self) -> bool {
        self.0.is_none()
    }
}

pub struct Elements {
    pub layout: Layout,
    pub normalized: bool,
    /// None: zeros.
    base: Option<(Bytes, u64)>,
    /// Which elements are replaced by those of the other bytes.
    replaced: Option<SparseIndices>,
    values: Bytes,
}

impl Elements {
    /// None where the accessor has no data of its own, they do not lie in their views, or the budget does not allow them.
    pub fn new(subject: &Subject, views: &[Option<Bytes>], index: usize, budget: &mut Budget) -> Option<Self> {
        let accessor = subject.accessors.get(index)?;
        let layout = accessor.layout?;
        let base = match subject.view_of(accessor) {
            Some(view) => {
                let stride = view.stride.unwrap_or(layout.tight_stride());
                let bytes = views.get(accessor.view?)?.as_ref()?;
                (stride >= layout.element_length()).then_some(())?;
                Some((bytes.part(accessor.offset, layout.span(stride))?, stride))
            }
            None if accessor.is_sparse => None,
            None => return None,
        };
        let mut elements = Self { layout, normalized: accessor.normalized, base, replaced: None, values: Bytes::default() };
        if accessor.is_sparse {
            elements.replace(subject.list("accessors").get(index)?.get("sparse")?, views, budget)?;
        }
        budget.allows(elements.numbers()).then_some(elements)
    }

    fn replace(&mut self, sparse: &Value, views: &[Option<Bytes>], budget: &mut Budget) -> Option<()> {
        let count = read::unsigned(sparse, "count").filter(|&count| count <= self.layout.count)?;
        let size = self.layout.components() * self.layout.component.size() as u64;
        let values = sparse.get("values")?;
        let bytes = views.get(read::index(values, "bufferView")?)?.as_ref()?;
        self.values = bytes.part(read::unsigned(values, "byteOffset").unwrap_or(0), size.checked_mul(count)?)?;
        // Where they are in no order, it is said of them, and not of the numbers.
        let places = sparse_indices(sparse, count, views, budget)?;
        self.replaced = Some(places).filter(SparseIndices::is_increasing);
        self.replaced.is_some().then_some(())
    }

    /// How many numbers all elements have together.
    fn numbers(&self) -> u64 {
        self.layout.count.saturating_mul(self.layout.components())
    }

    /// Writes the components of an element; returns how many these are.
    pub fn element(&self, index: u64, numbers: &mut [f64; MOST]) -> usize {
        let layout = self.layout;
        let components = layout.components() as usize;
        let size = layout.component.size();
        let (bytes, start, column_stride) = match (self.replaced.as_ref().and_then(|places| places.find(index)), &self.base) {
            (Some(place), _) => (&self.values, place * layout.components() * size as u64, layout.columns().1 * size as u64),
            (None, Some((bytes, stride))) => (bytes, index * stride, layout.column_stride()),
            (None, None) => {
                numbers[..components].fill(0.0);
                return components;
            }
        };
        let (columns, rows) = layout.columns();
        for column in 0..columns as usize {
            let at = start as usize + column * column_stride as usize;
            let column_bytes = bytes.as_slice().get(at..).unwrap_or_default().chunks_exact(size);
            for (number, bytes) in numbers[column * rows as usize..][..rows as usize].iter_mut().zip(column_bytes) {
                *number = decode(layout.component, bytes);
            }
        }
        components
    }

    /// A number as what it stands for: integers may be fractions.
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

fn decode(component: ComponentType, bytes: &[u8]) -> f64 {
    match (component, bytes) {
        (ComponentType::I8, &[a]) => f64::from(a.cast_signed()),
        (ComponentType::U8, &[a]) => f64::from(a),
        (ComponentType::I16, &[a, b]) => f64::from(i16::from_le_bytes([a, b])),
        (ComponentType::U16, &[a, b]) => f64::from(u16::from_le_bytes([a, b])),
        (ComponentType::U32, &[a, b, c, d]) => f64::from(u32::from_le_bytes([a, b, c, d])),
        (ComponentType::F32, &[a, b, c, d]) => f64::from(f32::from_le_bytes([a, b, c, d])),
        _ => 0.0,
    }
}

/// Which elements a sparse accessor replaces, in the file's order, as the file has them.
pub struct SparseIndices {
    component: ComponentType,
    bytes: Bytes,
}

impl SparseIndices {
    pub fn iter(&self) -> impl Iterator<Item = u64> {
        self.bytes.as_slice().chunks_exact(self.component.size()).map(|bytes| decode(self.component, bytes) as u64)
    }

    /// The first pair that is not.
    pub fn not_increasing(&self) -> Option<(u64, u64)> {
        self.iter().zip(self.iter().skip(1)).find(|(one, next)| next <= one)
    }

    fn is_increasing(&self) -> bool {
        self.not_increasing().is_none()
    }

    /// At which place an element is listed, where they are in order.
    fn find(&self, element: u64) -> Option<u64> {
        let size = self.component.size();
        let at = |place: usize| Some(decode(self.component, self.bytes.as_slice().get(place * size..)?.get(..size)?) as u64);
        let (mut low, mut high) = (0, self.bytes.as_slice().len() / size);
        while low < high {
            let middle = low + (high - low) / 2;
            if at(middle)? < element { low = middle + 1 } else { high = middle }
        }
        (at(low)? == element).then_some(low as u64)
    }
}

/// None if they cannot be read.
pub fn sparse_indices(sparse: &Value, count: u64, views: &[Option<Bytes>], budget: &mut Budget) -> Option<SparseIndices> {
    let indices = sparse.get("indices")?;
    let component = component(read::unsigned(indices, "componentType")?)?;
    let bytes = views.get(read::index(indices, "bufferView")?)?.as_ref()?;
    let size = component.size();
    let bytes = bytes.part(read::unsigned(indices, "byteOffset").unwrap_or(0), (size as u64).checked_mul(count)?)?;
    budget.allows(count).then_some(())?;
    Some(SparseIndices { component, bytes })
}

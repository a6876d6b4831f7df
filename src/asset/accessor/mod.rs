//! Turns accessors (glTF 2.0, 3.6.2) into arrays of numbers. All vertex, index, matrix and keyframe data is read here. Accessors
//! may be strided, sparse, normalized or without data (zeros). Every length is checked before a byte is read or allocated.

pub mod compressed_view;
pub(crate) mod elements;

use std::collections::HashMap;
use std::sync::Arc;

use gltf::json;
use gltf::json::accessor::ComponentType;
use gltf::json::validation::Checked;

use crate::codec::draco;
use crate::model::mesh::Vertices;
use crate::numbers::{agreeing, counted};

use super::error::{AccessorProblem, Problem, ViewProblem};
use super::file::buffer::Buffers;
use super::file::bytes::Bytes;
use super::findings::Findings;

use elements::{Elements, component_name, type_from_components, type_name};

/// All accessors of a file together may unpack to this many bytes, plus `MAX_EXPANSION` bytes per byte of its buffers. A limit is
/// needed because a million primitives can refer to one small vertex array.
const MIN_UNPACKED_LIMIT_BYTES: u64 = 256 << 20;
/// Unpacked bytes allowed for each byte of the buffers.
const MAX_EXPANSION: u64 = 32;
/// Maximum number of elements without a buffer view, for all accessors together. Such elements take no bytes in the file, so its
/// size does not limit them.
const MAX_UNBACKED_ELEMENTS: u64 = 64 << 20;

/// Reads the accessors of one file. Repaired values become findings.
pub struct Reader<'a> {
    /// The JSON of the file.
    pub root: &'a json::Root,
    /// The findings of loading so far.
    pub findings: Findings,
    /// Elements that replace those of an accessor, by accessor index. They come from decoded Draco data.
    pub supplied: HashMap<usize, SuppliedElements>,
    /// Vertices that primitives share, by the accessors that they are read from.
    pub vertices: HashMap<VertexAccessors, SharedVertices>,
    /// Memory that Draco decoding may still allocate.
    pub draco_budget: draco::Budget,
    /// The source of the accessors' bytes.
    buffers: &'a Buffers,
    /// Bytes unpacked so far, and their limit.
    unpacked_bytes: u64,
    max_unpacked_bytes: u64,
    /// Number of elements without a buffer view so far.
    unbacked_elements: u64,
}

/// The accessors that the vertices of a primitive are read from. Primitives with equal accessors share their vertices.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct VertexAccessors {
    /// Semantic and accessor index of each attribute.
    pub attributes: Vec<(String, usize)>,
    /// Accessor indices of the positions, normals and tangents of each morph target. `None` where a target has no such accessor.
    pub targets: Vec<[Option<usize>; 3]>,
    /// Number of morph targets of the mesh. Primitives that have fewer get empty ones.
    pub target_count: usize,
    /// The two texture coordinate sets that the primitive's materials use.
    pub tex_coords: [usize; 2],
}

/// Vertices shared by several primitives.
#[derive(Debug, Default)]
pub struct SharedVertices {
    /// Number of primitives that use these vertices and have not been read yet.
    pub users: usize,
    /// `None` until the first of the primitives is read.
    pub vertices: Option<Arc<Vertices>>,
}

/// An accessor to read, and its use.
#[derive(Debug, Clone, Copy)]
pub struct AccessorRequest<'a> {
    /// The use of the accessor, for messages: "POSITION", "inverseBindMatrices".
    pub role: &'a str,
    /// Index of the accessor.
    pub accessor: usize,
}

/// Tightly packed elements from a decoder, in the accessor's component type.
#[derive(Debug)]
pub struct SuppliedElements {
    pub bytes: Bytes,
    /// Number of elements.
    pub count: u64,
}

/// How NaN and infinity in float accessors are treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotFinite {
    /// They become 0, with a finding.
    Zero,
    /// They are kept, and the caller repairs them.
    Keep,
}

/// How integer accessors that are read as floats are treated (glTF 2.0, 3.11).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Integers {
    /// Integers are fractions of their maximum if the accessor has `normalized`.
    AsDeclared,
    /// Integers are always fractions of their maximum.
    Normalized,
}

impl<'a> Reader<'a> {
    /// Creates a reader. Its memory limits grow with the size of the buffers.
    pub fn new(root: &'a json::Root, buffers: &'a Buffers, findings: Findings) -> Self {
        let max_unpacked_bytes = MIN_UNPACKED_LIMIT_BYTES.saturating_add(buffers.stored_bytes().saturating_mul(MAX_EXPANSION));
        let draco_budget = draco::Budget::for_bytes(buffers.stored_bytes());
        Self {
            root,
            findings,
            supplied: HashMap::new(),
            vertices: HashMap::new(),
            draco_budget,
            buffers,
            unpacked_bytes: 0,
            max_unpacked_bytes,
            unbacked_elements: 0,
        }
    }

    /// The number of bytes of all buffers.
    pub fn stored_bytes(&self) -> u64 {
        self.buffers.stored_bytes()
    }

    /// The number of elements of an accessor. Returns an error if the accessor does not exist.
    pub fn count(&self, request: AccessorRequest) -> Result<usize, Problem> {
        let json = self.json(request.accessor).map_err(|problem| request.problem(problem))?;
        Ok(self.supplied.get(&request.accessor).map_or(json.count.0, |supplied| supplied.count) as usize)
    }

    /// The decompressed bytes of a buffer view.
    pub fn view(&self, view: usize) -> Result<Bytes, ViewProblem> {
        self.buffers.view(self.root, view).map(|(bytes, _)| bytes)
    }

    /// The elements of an accessor as vectors of `N` floats. NaN and infinity become 0. Integers are fractions if the accessor has
    /// `normalized`. Returns the same errors as [`Self::read_floats`].
    pub fn floats<T: From<[f32; N]> + Clone, const N: usize>(&mut self, request: AccessorRequest) -> Result<Vec<T>, Problem> {
        self.read_floats(request, NotFinite::Zero, Integers::AsDeclared)
    }

    /// The elements of an accessor as vectors of `N` floats. Returns an error if the accessor does not fit its buffer view, does
    /// not have `N` components, or has 32-bit integers.
    pub fn read_floats<T: From<[f32; N]> + Clone, const N: usize>(
        &mut self,
        request: AccessorRequest,
        not_finite: NotFinite,
        integers: Integers,
    ) -> Result<Vec<T>, Problem> {
        let elements = self.elements::<T, N>(request)?;
        let normalized = elements.normalized || integers == Integers::Normalized;
        let mut replaced = 0;
        // Match the component type once, outside the loops.
        let values = match (elements.component_type, normalized) {
            (ComponentType::F32, _) if not_finite == NotFinite::Keep => elements.decode(f32::from_le_bytes),
            (ComponentType::F32, _) => elements.decode(|bytes| {
                let value = f32::from_le_bytes(bytes);
                if value.is_finite() {
                    value
                } else {
                    replaced += 1;
                    0.0
                }
            }),
            // The smallest signed integer would give a little less than -1, so it is clamped (glTF 2.0, 3.11).
            (ComponentType::I8, true) => elements.decode(|bytes| (f32::from(i8::from_le_bytes(bytes)) / 127.0).max(-1.0)),
            (ComponentType::I8, false) => elements.decode(|bytes| f32::from(i8::from_le_bytes(bytes))),
            (ComponentType::U8, true) => elements.decode(|bytes| f32::from(u8::from_le_bytes(bytes)) / 255.0),
            (ComponentType::U8, false) => elements.decode(|bytes| f32::from(u8::from_le_bytes(bytes))),
            (ComponentType::I16, true) => elements.decode(|bytes| (f32::from(i16::from_le_bytes(bytes)) / 32767.0).max(-1.0)),
            (ComponentType::I16, false) => elements.decode(|bytes| f32::from(i16::from_le_bytes(bytes))),
            (ComponentType::U16, true) => elements.decode(|bytes| f32::from(u16::from_le_bytes(bytes)) / 65535.0),
            (ComponentType::U16, false) => elements.decode(|bytes| f32::from(u16::from_le_bytes(bytes))),
            (ComponentType::U32, _) => return Err(request.wrong_component(ComponentType::U32, "floats or integers of 8 or 16 bits")),
        };
        self.report_replaced(request, replaced);
        Ok(values)
    }

    /// Adds a finding if numbers of an accessor were not finite and were replaced by 0.
    pub fn report_replaced(&mut self, request: AccessorRequest, replaced: usize) {
        if replaced > 0 {
            let are = agreeing(replaced, "is not finite; it is", "are not finite; they are");
            let message = format!("{} of {} {are} replaced by 0.", counted(replaced, "number"), request.role);
            self.findings.error("ACCESSOR_INVALID_FLOAT", &format!("/accessors/{}", request.accessor), message);
        }
    }

    /// Vertex indices, one per element. They are not checked against the number of vertices.
    pub fn indices(&mut self, request: AccessorRequest) -> Result<Vec<u32>, Problem> {
        let elements = self.elements::<[u32; 1], 1>(request)?;
        elements.decode_indices().ok_or_else(|| request.wrong_component(elements.component_type, "unsigned integers"))
    }

    /// Four joint indices per vertex, as JOINTS_n holds them. They index the joints of a skin.
    pub fn joints(&mut self, request: AccessorRequest) -> Result<Vec<[u16; 4]>, Problem> {
        let elements = self.elements::<[u16; 4], 4>(request)?;
        match elements.component_type {
            ComponentType::U8 => Ok(elements.decode(|bytes| u16::from(u8::from_le_bytes(bytes)))),
            ComponentType::U16 => Ok(elements.decode(u16::from_le_bytes)),
            other => Err(request.wrong_component(other, "unsigned integers of 8 or 16 bits")),
        }
    }

    /// Counts bytes that are about to be allocated. Returns an error if the file exceeds its limit.
    pub fn charge(&mut self, bytes: u64) -> Result<(), AccessorProblem> {
        self.unpacked_bytes = self.unpacked_bytes.saturating_add(bytes);
        let max = self.max_unpacked_bytes;
        if self.unpacked_bytes > max { Err(AccessorProblem::Budget { max }) } else { Ok(()) }
    }

    /// The accessor in the JSON. Returns an error if it does not exist.
    fn json(&self, accessor: usize) -> Result<&'a json::Accessor, AccessorProblem> {
        self.root.accessors.get(accessor).ok_or(AccessorProblem::Missing { count: self.root.accessors.len() })
    }

    /// The checked elements of an accessor with `N` components. Each can be decoded to a `T`.
    fn elements<T, const N: usize>(&mut self, request: AccessorRequest) -> Result<Elements, Problem> {
        self.check_elements(request.accessor, N, size_of::<T>()).map_err(|problem| request.problem(problem))
    }

    /// Checks that an accessor has elements of this many components inside its buffer view. `unpacked_size` is the size of a decoded
    /// element in bytes.
    fn check_elements(&mut self, accessor: usize, components: usize, unpacked_size: usize) -> Result<Elements, AccessorProblem> {
        let json = self.json(accessor)?;
        let Checked::Valid(component_type) = json.component_type else { return Err(AccessorProblem::UnknownComponentType) };
        let Checked::Valid(found) = json.type_ else { return Err(AccessorProblem::UnknownType) };
        let wanted = type_from_components(components);
        if found != wanted {
            return Err(AccessorProblem::Type { found: type_name(found), wanted: type_name(wanted) });
        }
        // Supplied elements replace the accessor's count, buffer view and sparse replacements.
        let supplied = self.supplied.get(&accessor);
        let count = supplied.map_or(json.count.0, |supplied| supplied.count);
        if count == 0 {
            return Err(AccessorProblem::Empty);
        }
        let element_size = component_type.0.size() * components;
        let sparse = json.sparse.as_ref().filter(|_| supplied.is_none());
        let base = match (supplied, json.buffer_view) {
            (Some(supplied), _) => Some((supplied.bytes.clone(), element_size)),
            (None, Some(view)) => {
                let offset = json.byte_offset.map_or(0, |offset| offset.0);
                Some(self.span(view.value(), offset, count, element_size)?)
            }
            (None, None) => {
                self.unbacked_elements = self.unbacked_elements.saturating_add(count);
                if self.unbacked_elements > MAX_UNBACKED_ELEMENTS {
                    return Err(AccessorProblem::Unbacked { count, max: MAX_UNBACKED_ELEMENTS });
                }
                None
            }
        };
        self.charge(count.saturating_mul(unpacked_size as u64))?;
        // The limit above keeps the count far below usize::MAX.
        let count = count as usize;
        let sparse = sparse.map(|sparse| self.sparse(sparse, count, element_size)).transpose()?;
        Ok(Elements { count, component_type: component_type.0, normalized: json.normalized, base, sparse })
    }

    /// The bytes of `count` elements of `element_size` bytes in a view, and their stride in bytes. `count` is at least 1.
    fn span(&self, view: usize, offset: u64, count: u64, element_size: usize) -> Result<(Bytes, usize), AccessorProblem> {
        let (bytes, stride) = self.buffers.view(self.root, view)?;
        let stride = stride.unwrap_or(element_size);
        if stride < element_size {
            return Err(AccessorProblem::Stride { stride, element_size });
        }
        let available = (bytes.as_slice().len() as u64).saturating_sub(offset);
        // The last element need not be followed by padding up to the stride.
        let needed = (stride as u64).saturating_mul(count - 1).saturating_add(element_size as u64);
        match bytes.part(offset, needed) {
            Some(span) => Ok((span, stride)),
            None => Err(AccessorProblem::PastView { bytes: needed.saturating_sub(available).max(1) }),
        }
    }

    /// The indices and values of sparse replacements. `element_count` is the number of elements of the accessor, and `element_size` their
    /// size in bytes.
    fn sparse(
        &mut self,
        sparse: &json::accessor::sparse::Sparse,
        element_count: usize,
        element_size: usize,
    ) -> Result<(Vec<u32>, Bytes), AccessorProblem> {
        let Checked::Valid(component_type) = sparse.indices.component_type else { return Err(AccessorProblem::UnknownComponentType) };
        let count = sparse.count.0;
        if count == 0 {
            return Ok((Vec::new(), Bytes::default()));
        }
        let (indices, stride) =
            self.span(sparse.indices.buffer_view.value(), sparse.indices.byte_offset.0, count, component_type.0.size())?;
        // Values are tightly packed: their buffer view must not have a stride (glTF 2.0, 3.6.2.3).
        let (values, value_stride) = self.span(sparse.values.buffer_view.value(), sparse.values.byte_offset.0, count, element_size)?;
        if value_stride != element_size {
            return Err(AccessorProblem::Stride { stride: value_stride, element_size });
        }
        self.charge(count.saturating_mul(4))?;
        let indices = Elements {
            count: count as usize,
            component_type: component_type.0,
            normalized: false,
            base: Some((indices, stride)),
            sparse: None,
        };
        // The specification requires ascending indices. Any order can be applied, so only their range is checked here.
        let indices = indices.decode_indices().unwrap_or_default();
        match indices.iter().find(|&&index| index as usize >= element_count) {
            Some(&index) => Err(AccessorProblem::SparseIndex { index, count: element_count }),
            None => Ok((indices, values)),
        }
    }
}

impl AccessorRequest<'_> {
    /// Adds the role and the accessor to a problem.
    pub fn problem(&self, problem: AccessorProblem) -> Problem {
        Problem::Accessor { role: self.role.to_owned(), accessor: self.accessor, problem }
    }

    /// The problem of an unexpected component type.
    fn wrong_component(&self, found: ComponentType, wanted: &'static str) -> Problem {
        self.problem(AccessorProblem::ComponentType { found: component_name(found), wanted })
    }
}

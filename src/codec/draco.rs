//! Uses the crate `draco-core` to decode Draco meshes (bitstreams 2.0 to 2.2) to triangles and attributes. Vertices come out in the order
//! of the reference decoder. The crate differs from that decoder in one known way: it refuses tagged symbols of zero bits, which the
//! reference encoder never writes.
//!
//! The data is not trusted. A [`Budget`] limits the memory that decoding may allocate. A stream of a few hundred bytes can declare a
//! billion triangles, and can even contain them: entropy coding stores a symbol in zero bits if it is the only one.

use draco_core::{DataType, DecodeLimits, DecoderBuffer, ErrorKind, GeometryMetadata, Mesh, MeshDecoder, PointAttribute, PointIndex};
use thiserror::Error;

/// Why a mesh cannot be decoded. Each message completes "its Draco data ...".
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DracoError {
    #[error("does not begin with DRACO")]
    Magic,
    #[error("has version {major}.{minor}; only 2.0 to 2.2 are supported")]
    Version { major: u8, minor: u8 },
    #[error("contains a point cloud, not triangles")]
    PointCloud,
    #[error("ends within {place}")]
    Truncated { place: &'static str },
    #[error("is damaged: {0}")]
    Damaged(String),
    #[error("has the unknown value {number} for {what}")]
    Unknown { what: &'static str, number: u8 },
    #[error("expands to more than {limit} bytes, the limit for a file of this size")]
    Budget { limit: u64 },
}

/// The budget of an empty file, in bytes. It is enough for a million triangles that compress to nothing, such as a flat grid.
const MIN_BUDGET_BYTES: u64 = 256 << 20;
/// The budget grows by this many bytes for each byte of the file. Real meshes need about 60; boxes and planes need more.
const BUDGET_BYTES_PER_INPUT_BYTE: u64 = 256;
/// Memory for each triangle, in bytes: corner tables, lists of their traversal, and the indices.
const BYTES_PER_FACE: u64 = 96;
/// Memory for each triangle in each set of attribute seams, in bytes. Every set has its own corner table.
const BYTES_PER_FACE_AND_SEAMS: u64 = 48;
/// Memory for each vertex, in bytes, not counting its attributes.
const BYTES_PER_VERTEX: u64 = 32;
/// Memory for each byte of attribute values: integers of four bytes, decoded values, and the copy in vertex order.
const BYTES_PER_VALUE_BYTE: u64 = 6;
/// Bytes charged for a stream that fails to decode, in addition to its declared counts. Many primitives may refer to the same stream.
const FAILURE_BYTES: u64 = 16 << 20;

/// Bytes that decoding may still allocate in total. Freed memory is not added back.
#[derive(Debug)]
pub struct Budget {
    /// The budget at the beginning, for error messages.
    limit: u64,
    /// The bytes that may still be taken.
    remaining: u64,
}

impl Budget {
    /// Returns the budget for `bytes` bytes of data: one buffer, or all buffers of a file.
    pub fn for_bytes(bytes: u64) -> Self {
        let limit = MIN_BUDGET_BYTES.saturating_add(bytes.saturating_mul(BUDGET_BYTES_PER_INPUT_BYTE));
        Self { limit, remaining: limit }
    }

    /// Takes bytes from the budget. Returns an error if there are not enough.
    fn charge(&mut self, bytes: u64) -> Result<(), DracoError> {
        self.remaining = self.remaining.checked_sub(bytes).ok_or(DracoError::Budget { limit: self.limit })?;
        Ok(())
    }
}

/// A decoded triangle mesh.
#[derive(Debug)]
pub struct DracoMesh {
    /// Three indices per triangle, all below `vertex_count`.
    pub indices: Vec<u32>,
    pub vertex_count: usize,
    pub attributes: Vec<Attribute>,
}

/// The values of one attribute for all vertices.
#[derive(Debug)]
pub struct Attribute {
    /// The ID that glTF's KHR_draco_mesh_compression refers to.
    pub unique_id: u32,
    /// Numbers per vertex, at least one.
    pub components: usize,
    pub kind: Kind,
    /// Whether integers represent fractions of the largest value of their type.
    pub normalized: bool,
    /// The numbers of one vertex after another, little-endian, without padding.
    pub bytes: Vec<u8>,
}

/// The type of an attribute's numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
    Bool,
}

impl Kind {
    /// Converts a type of the crate `draco-core`.
    fn new(data_type: DataType) -> Result<Self, DracoError> {
        Ok(match data_type {
            DataType::Int8 => Self::I8,
            DataType::Uint8 => Self::U8,
            DataType::Int16 => Self::I16,
            DataType::Uint16 => Self::U16,
            DataType::Int32 => Self::I32,
            DataType::Uint32 => Self::U32,
            DataType::Int64 => Self::I64,
            DataType::Uint64 => Self::U64,
            DataType::Float32 => Self::F32,
            DataType::Float64 => Self::F64,
            DataType::Bool => Self::Bool,
            DataType::Invalid => return Err(DracoError::Unknown { what: "the type of numbers", number: data_type as u8 }),
        })
    }

    /// Returns the bytes per number.
    pub fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 | Self::Bool => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 => 8,
        }
    }
}

/// Decodes a mesh. The budget is charged even if decoding fails.
pub fn decode(bytes: &[u8], budget: &mut Budget) -> Result<DracoMesh, DracoError> {
    let header = Header::read(bytes)?;
    let counts = header.counts(bytes)?;
    // Charge for the declared counts before anything of that size is allocated.
    budget.charge(counts.bytes())?;
    let limits = DecodeLimits::default().with_max_faces(counts.faces).with_max_decoded_bytes(budget.remaining / BYTES_PER_VALUE_BYTE);
    let mut mesh = Mesh::new();
    if let Err(error) = MeshDecoder::new().decode(&mut DecoderBuffer::new(bytes).with_limits(limits), &mut mesh) {
        budget.remaining = budget.remaining.saturating_sub(FAILURE_BYTES);
        return Err(match error.kind() {
            ErrorKind::LimitExceeded | ErrorKind::AllocationExceedsInput => DracoError::Budget { limit: budget.limit },
            _ => damaged(&error),
        });
    }
    let vertex_count = mesh.num_points();
    let indices: Vec<u32> = mesh.faces().iter().flatten().map(|point| point.0).collect();
    if indices.iter().any(|&index| index as usize >= vertex_count) {
        return Err(DracoError::Damaged("a triangle refers to a vertex that does not exist".into()));
    }
    let attributes =
        (0..mesh.num_attributes()).map(|index| attribute(mesh.attribute(index), vertex_count, budget)).collect::<Result<Vec<_>, _>>()?;
    Ok(DracoMesh { indices, vertex_count, attributes })
}

/// Copies the values of an attribute into vertex order. There may be many more vertices than values, so the budget is charged first.
fn attribute(attribute: &PointAttribute, vertex_count: usize, budget: &mut Budget) -> Result<Attribute, DracoError> {
    let kind = Kind::new(attribute.data_type())?;
    let components = usize::from(attribute.num_components());
    let (stride, values) = (components * kind.size(), attribute.buffer().data());
    budget.charge(((vertex_count * stride) as u64).saturating_mul(BYTES_PER_VALUE_BYTE))?;
    let mut bytes = Vec::with_capacity(vertex_count * stride);
    for vertex in 0..vertex_count {
        let begin = attribute.mapped_index(PointIndex(vertex as u32)).0 as usize * stride;
        let value = values.get(begin..begin + stride);
        bytes.extend_from_slice(value.ok_or_else(|| DracoError::Damaged("a vertex has no value of an attribute".into()))?);
    }
    Ok(Attribute { unique_id: attribute.unique_id(), components, kind, normalized: attribute.normalized(), bytes })
}

/// The fixed part at the beginning of the data.
struct Header {
    version: [u8; 2],
    /// Whether triangles are coded by their connectivity (edgebreaker) or as a list.
    is_edgebreaker: bool,
    has_metadata: bool,
}

/// Bytes of the header: magic, version, kind of geometry, coding, flags.
const HEADER_BYTES: usize = 11;
/// The flag that is set if metadata follows the header.
const METADATA_FLAG: u16 = 0x8000;

impl Header {
    /// Reads the header. Returns an error unless the data is a triangle mesh of a supported version.
    fn read(bytes: &[u8]) -> Result<Self, DracoError> {
        if !bytes.starts_with(b"DRACO") {
            return Err(DracoError::Magic);
        }
        let Some(&[.., major, minor, geometry, coding, low, high]) = bytes.first_chunk::<HEADER_BYTES>() else {
            return Err(DracoError::Truncated { place: "the header" });
        };
        match (geometry, coding) {
            (0, _) => return Err(DracoError::PointCloud),
            _ if major != 2 || minor > 2 => return Err(DracoError::Version { major, minor }),
            (1, 0 | 1) => {}
            (1, number) => return Err(DracoError::Unknown { what: "the coding of the mesh", number }),
            (number, _) => return Err(DracoError::Unknown { what: "the kind of geometry", number }),
        }
        let has_metadata = u16::from_le_bytes([low, high]) & METADATA_FLAG != 0;
        Ok(Self { version: [major, minor], is_edgebreaker: coding == 1, has_metadata })
    }

    /// Reads the counts that the data declares, before it is decoded.
    fn counts(&self, bytes: &[u8]) -> Result<Counts, DracoError> {
        let [major, minor] = self.version;
        let mut buffer = DecoderBuffer::new(bytes);
        buffer.set_version(major, minor);
        buffer.set_position(HEADER_BYTES).map_err(|error| damaged(&error))?;
        if self.has_metadata {
            GeometryMetadata::decode(&mut buffer).map_err(|error| damaged(&error))?;
        }
        let counts = match (self.is_edgebreaker, minor) {
            (true, _) => Counts::from_edgebreaker(&mut buffer, minor),
            (false, 2) => Counts::from_triangle_list(&mut buffer, DecoderBuffer::decode_varint),
            (false, _) => Counts::from_triangle_list(&mut buffer, |buffer| buffer.decode_u32().map(u64::from)),
        };
        counts.map_err(|_| DracoError::Truncated { place: "the triangles" })
    }
}

/// Declared counts of a mesh.
struct Counts {
    /// Number of triangles.
    faces: u64,
    vertices: u64,
    /// Number of sets of attribute seams.
    seams: u64,
}

impl Counts {
    /// Reads the counts of connectivity coding.
    fn from_edgebreaker(buffer: &mut DecoderBuffer, minor: u8) -> Result<Self, draco_core::DracoError> {
        buffer.decode_u8()?; // order of traversal
        if minor < 2 {
            buffer.decode_varint()?; // number of new vertices
        }
        Ok(Self { vertices: buffer.decode_varint()?, faces: buffer.decode_varint()?, seams: buffer.decode_u8()?.into() })
    }

    /// Reads the counts of a triangle list. `read_count` reads one count.
    fn from_triangle_list<'a>(
        buffer: &mut DecoderBuffer<'a>,
        mut read_count: impl FnMut(&mut DecoderBuffer<'a>) -> Result<u64, draco_core::DracoError>,
    ) -> Result<Self, draco_core::DracoError> {
        Ok(Self { faces: read_count(buffer)?, vertices: read_count(buffer)?, seams: 0 })
    }

    /// Returns the memory that decoding needs, in bytes, not counting attribute values.
    fn bytes(&self) -> u64 {
        let per_face = BYTES_PER_FACE + self.seams * BYTES_PER_FACE_AND_SEAMS;
        self.faces.saturating_mul(per_face).saturating_add(self.vertices.saturating_mul(BYTES_PER_VERTEX))
    }
}

/// Converts an error of the crate `draco-core`.
fn damaged(error: &draco_core::DracoError) -> DracoError {
    DracoError::Damaged(error.message().into())
}

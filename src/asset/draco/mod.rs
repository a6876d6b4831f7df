//! Decodes Draco meshes, for KHR_draco_mesh_compression: bytes to triangles and attributes, by the published description of
//! the bitstream, versions 2.0 to 2.2. Vertices come out in the order of the reference decoder.
//!
//! The data say first how the triangles hang together: either plainly (`sequential`), or by the symbols of a walk over the
//! surface (`edgebreaker`: `topology` reads the symbols, `builder` makes a corner table (`corners`) of them, `seams` cuts it
//! open where attributes ask for it). Then each attribute (`attributes`): another walk (`traverse`) says in which order its
//! values lie; these are integers (`values`), corrections of predictions (`prediction`, `parallelogram`, `tex_coords`,
//! `normals`, `octahedron`). Below it all are numbers (`cursor`), entropy-coded bits (`bits`) and symbols (`symbols`).
//!
//! Nothing in the data is trusted: whatever they say, decoding ends, without a panic, within a [`Budget`].

mod attributes;
mod bits;
mod budget;
mod builder;
mod corners;
mod cursor;
mod edgebreaker;
mod error;
mod metadata;
mod normals;
mod octahedron;
mod parallelogram;
mod prediction;
mod seams;
mod sequential;
mod symbols;
mod tex_coords;
mod topology;
mod traverse;
mod values;

pub use budget::Budget;
pub use error::DracoError;
pub use values::Kind;

use attributes::Layout;
use cursor::Cursor;

/// A decoded mesh: a list of triangles.
#[derive(Debug)]
pub struct DracoMesh {
    /// Three for each triangle, every one below `vertex_count`.
    pub indices: Vec<u32>,
    pub vertex_count: usize,
    pub attributes: Vec<Attribute>,
}

#[derive(Debug)]
pub struct Attribute {
    /// What glTF names it by.
    pub unique_id: u32,
    /// How many numbers a vertex has; at least one.
    pub components: usize,
    pub kind: Kind,
    /// Whether integers stand for fractions of their largest value.
    pub normalized: bool,
    /// The numbers of one vertex after the other, little-endian.
    pub bytes: Vec<u8>,
}

/// The flag in the header that says that metadata follow.
const HAS_METADATA: u16 = 0x8000;

/// Decodes a mesh. What it allocates is taken off the budget, whether it succeeds or not.
pub fn decode(bytes: &[u8], budget: &mut Budget) -> Result<DracoMesh, DracoError> {
    let cursor = &mut Cursor::new(bytes);
    if cursor.array().ok() != Some(*b"DRACO") {
        return Err(DracoError::Magic);
    }
    let [major, minor, geometry, method] = cursor.array()?;
    if geometry == 0 {
        return Err(DracoError::PointCloud);
    }
    if major != 2 || minor > 2 {
        return Err(DracoError::Version { major, minor });
    }
    cursor.version = u16::from_be_bytes([major, minor]);
    if geometry != 1 {
        return Err(DracoError::Unknown { what: "the kind of geometry", number: geometry.into() });
    }
    if cursor.u16()? & HAS_METADATA != 0 {
        metadata::skip(cursor)?;
    }
    match method {
        0 => {
            let (indices, vertex_count) = sequential::read(cursor, budget)?;
            let layout = Layout::Sequential { point_count: vertex_count };
            let attributes = attributes::read(cursor, &layout, budget)?;
            Ok(DracoMesh { indices, vertex_count, attributes })
        }
        1 => {
            let connectivity = edgebreaker::read(cursor, budget)?;
            let attributes = attributes::read(cursor, &Layout::Edgebreaker(&connectivity), budget)?;
            Ok(DracoMesh { indices: connectivity.points, vertex_count: connectivity.point_count, attributes })
        }
        other => Err(DracoError::Unknown { what: "the coding of the mesh", number: other.into() }),
    }
}

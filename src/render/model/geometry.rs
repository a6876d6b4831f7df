//! Uploads a model's primitives. Vertices, influences and morph deltas are uploaded once for all primitives that share them, indices for
//! each primitive.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use glam::Vec3;

use crate::animation::hierarchy::skinning::JointMatrix;
use crate::model::mesh::{Primitive, Topology, Vertices};
use crate::render::bind_groups::BindGroupLayouts;
use crate::render::bind_groups::mesh::{self, MeshBuffers};
use crate::render::buffers::staged_upload::StagedUpload;
use crate::render::device::gpu::Gpu;
use crate::render::error::RenderError;

use super::cull_bounds::CullBounds;
use super::vertex::{self, MorphDelta, OptionalAttributes, Vertex};

/// A primitive on the GPU.
pub(crate) struct GpuPrimitive {
    pub topology: Topology,
    pub vertices: GpuVertices,
    pub indices: wgpu::Buffer,
    pub index_format: wgpu::IndexFormat,
    /// Number of indices. 0 without vertices.
    pub index_count: u32,
    /// Index among the model's materials, without variants.
    material: usize,
    /// Variant and the material that it assigns, in ascending order of variants.
    variants: Vec<(usize, usize)>,
}

impl GpuPrimitive {
    /// Returns the index of the material in a variant (KHR_materials_variants).
    pub fn material_in(&self, variant: Option<usize>) -> usize {
        let index = variant.and_then(|variant| self.variants.binary_search_by_key(&variant, |(variant, _)| *variant).ok());
        index.map_or(self.material, |index| self.variants[index].1)
    }
}

/// The vertices of a primitive on the GPU. A clone shares the buffers.
#[derive(Clone)]
pub(crate) struct GpuVertices {
    /// Vertex buffer 0: the attributes that every vertex has, as [`Vertex`].
    pub attributes: wgpu::Buffer,
    /// Vertex buffer 2: the optional attributes, as [`OptionalAttributes`].
    pub optional_attributes: Option<wgpu::Buffer>,
    /// Vertex buffer 1: the first set of influences, if the vertices have any.
    pub influences: Option<wgpu::Buffer>,
    /// Number of influence sets beyond the first.
    pub extra_sets: u32,
    /// Whether there are morph targets.
    pub morphed: bool,
    /// The buffers of bind group 2, apart from instance matrices.
    pub buffers: MeshBuffers,
    /// Bind group 2 for a mesh that is drawn without instancing.
    pub group: wgpu::BindGroup,
    pub has_normals: bool,
    pub has_tangents: bool,
    pub cull_bounds: Arc<CullBounds>,
    pub has_tex_coords: bool,
    pub has_colors: bool,
    /// Vertex buffer 3: the corner number of each vertex, created when the wireframe is first drawn.
    pub corners: Arc<OnceLock<wgpu::Buffer>>,
    /// Center of the bounds of the rest positions, in mesh space.
    pub center: Vec3,
}

impl GpuVertices {
    /// Returns the number of vertices.
    pub fn count(&self) -> usize {
        self.attributes.size() as usize / size_of::<Vertex>()
    }
}

/// Uploads the primitives of a model and remembers what they share.
pub(crate) struct Geometry<'a> {
    pub staging: StagedUpload<'a>,
    layouts: &'a BindGroupLayouts,
    /// Buffers and bind group 2 for all vertices without morph targets and extra influence sets.
    placeholders: (MeshBuffers, wgpu::BindGroup),
    /// An instance buffer with the identity matrix only.
    identity_instance: wgpu::Buffer,
    /// The uploaded vertices, by address.
    uploaded: HashMap<*const Vertices, GpuVertices>,
}

impl<'a> Geometry<'a> {
    /// Uploads the resources that primitives share.
    pub fn new(gpu: &'a Gpu, layouts: &'a BindGroupLayouts) -> Self {
        let mut staging = StagedUpload::new(gpu);
        let buffers = MeshBuffers::placeholders(&mut staging);
        let identity_instance = mesh::instance_buffer(&mut staging, &[JointMatrix::IDENTITY]);
        let placeholders = (buffers.clone(), buffers.group(gpu, layouts, &identity_instance));
        Self { staging, layouts, placeholders, identity_instance, uploaded: HashMap::new() }
    }

    /// Uploads a primitive. `mesh` is the index of its mesh, for error messages, and `material` that of its material. Returns an error if a buffer exceeds a
    /// limit of the device.
    pub fn upload(&mut self, mesh: usize, primitive: &Primitive, material: usize) -> Result<GpuPrimitive, RenderError> {
        let limits = self.staging.gpu.device.limits();
        let check = |what, bytes: usize, limit: u64| {
            let bytes = bytes as u64;
            let too_large = RenderError::TooLarge { mesh, primitive: primitive.source, what, bytes, limit };
            if bytes > limit { Err(too_large) } else { Ok(()) }
        };
        let indices = &primitive.indices;
        check("indices", indices.len() * 4, limits.max_buffer_size)?;
        let known = self.uploaded.get(&Arc::as_ptr(&primitive.vertices)).cloned();
        let vertices = match known {
            Some(vertices) => vertices,
            None => {
                let influences = &primitive.vertices.influences;
                check("vertices", primitive.vertices.positions.len() * size_of::<Vertex>(), limits.max_buffer_size)?;
                check("influences", influences.joints.len() * 24, limits.max_storage_buffer_binding_size)?;
                let (offsets, deltas) = vertex::morph_deltas(&primitive.vertices);
                check("morph targets", deltas.len() * size_of::<MorphDelta>(), limits.max_storage_buffer_binding_size)?;
                let vertices = self.vertices(&primitive.vertices, &offsets, &deltas);
                self.uploaded.insert(Arc::as_ptr(&primitive.vertices), vertices.clone());
                vertices
            }
        };
        // Some drivers take the index 0xFFFF as a restart, so vertices that would need it use indices of four bytes.
        let (usage, short) = (wgpu::BufferUsages::INDEX, primitive.vertices.positions.len() < usize::from(u16::MAX));
        let pair = |i: usize| [2 * i, 2 * i + 1].map(|i| indices.get(i).map_or(0, |&index| index as u16));
        Ok(GpuPrimitive {
            topology: primitive.topology,
            vertices,
            indices: match short {
                true => self.staging.buffer("indices", usage, indices.len().div_ceil(2), pair),
                false => self.staging.buffer("indices", usage, indices.len(), |i| indices[i]),
            },
            index_format: if short { wgpu::IndexFormat::Uint16 } else { wgpu::IndexFormat::Uint32 },
            index_count: if primitive.vertices.positions.is_empty() { 0 } else { indices.len() as u32 },
            material,
            variants: primitive.variants.clone(),
        })
    }

    /// Uploads vertices and their morph deltas.
    fn vertices(&mut self, vertices: &Vertices, offsets: &[u32], deltas: &[MorphDelta]) -> GpuVertices {
        let Self { staging, layouts, placeholders, identity_instance, .. } = self;
        let (influences, count) = (&vertices.influences, vertices.positions.len());
        let extra = vertex::extra_influences(influences);
        let morphed = !vertices.targets.is_empty();
        let (buffers, group) = if morphed || !extra.is_empty() {
            let buffers = MeshBuffers::new(staging, &extra, offsets, deltas);
            let group = buffers.group(staging.gpu, layouts, identity_instance);
            (buffers, group)
        } else {
            placeholders.clone()
        };
        let finite = vertices.positions.iter().filter(|position| position.is_finite());
        let (low, high) = finite.fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), &p| (low.min(p), high.max(p)));
        let vertex = wgpu::BufferUsages::VERTEX;
        let (has_optional_attributes, has_influences) = (OptionalAttributes::is_in(vertices), influences.sets > 0);
        let first = |v| vertex::first_influences(influences, v);
        GpuVertices {
            attributes: staging.buffer("vertices", vertex, count, |v| Vertex::from_vertices(vertices, v)),
            optional_attributes: has_optional_attributes
                .then(|| staging.buffer("optional attributes", vertex, count, |v| OptionalAttributes::from_vertices(vertices, v))),
            influences: has_influences.then(|| staging.buffer("influences", vertex, count, first)),
            extra_sets: influences.sets.saturating_sub(1) as u32,
            morphed,
            buffers,
            group,
            has_normals: !vertices.normals.is_empty(),
            has_tangents: !vertices.tangents.is_empty(),
            cull_bounds: CullBounds::from_vertices(vertices).into(),
            has_tex_coords: !vertices.tex_coords[0].is_empty(),
            has_colors: !vertices.colors.is_empty(),
            corners: Arc::default(),
            center: if low.is_finite() { (low + high) / 2.0 } else { Vec3::ZERO },
        }
    }
}

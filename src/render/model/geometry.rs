//! Uploads a model's primitives to a few shared buffers. Vertices, influences and morph deltas are uploaded once for all primitives that
//! share them. Indices are uploaded for each primitive. Morph deltas have separate buffers.

use std::collections::{HashMap, HashSet};
use std::ops::{Index, Range};
use std::sync::{Arc, OnceLock};

use bytemuck::Pod;
use glam::Vec3;

use crate::animation::hierarchy::skinning::JointMatrix;
use crate::model::Model;
use crate::model::mesh::{Primitive, Topology, Vertices, variant_material};
use crate::render::bind_groups::BindGroupLayouts;
use crate::render::bind_groups::mesh::{self, MeshBuffers};
use crate::render::buffers::arena::{Arena, BufferRange, Reservation};
use crate::render::buffers::staged_upload::StagedUpload;
use crate::render::device::gpu::Gpu;
use crate::render::error::RenderError;

use super::cull_bounds::CullBounds;
use super::vertex::{self, FirstInfluences, MorphDelta, OptionalAttributes, Vertex};

/// A primitive on the GPU.
pub(crate) struct GpuPrimitive {
    pub topology: Topology,
    pub vertices: GpuVertices,
    /// Shared with all primitives that have equal bindings.
    pub bindings: Arc<Bindings>,
    /// The range of its indices in the index buffer. Empty without vertices.
    pub index_range: Range<u32>,
    /// Index among the model's materials, used without a material variant.
    material: usize,
    /// Pairs of a material variant and the index of the material that it assigns, in ascending order of variants.
    variants: Vec<(usize, usize)>,
}

impl GpuPrimitive {
    /// Returns the index of the material in a variant (KHR_materials_variants).
    pub fn material_in(&self, variant: Option<usize>) -> usize {
        variant_material(&self.variants, variant).unwrap_or(self.material)
    }
}

/// The primitives of all meshes on the GPU. They lie one after the other, because frames read them nearly in this order, and memory is read
/// faster in sequence.
#[derive(Default)]
pub(crate) struct GpuMeshes {
    primitives: Vec<GpuPrimitive>,
    /// The range of each mesh in `primitives`.
    meshes: Vec<Range<usize>>,
}

impl GpuMeshes {
    /// Returns the primitives of all meshes, in model order.
    pub fn primitives(&self) -> &[GpuPrimitive] {
        &self.primitives
    }
}

impl Index<usize> for GpuMeshes {
    type Output = [GpuPrimitive];

    /// Returns the primitives of a mesh. Panics if there is no mesh with this index.
    fn index(&self, mesh: usize) -> &[GpuPrimitive] {
        &self.primitives[self.meshes[mesh].clone()]
    }
}

/// The buffers and the bind group that draw calls bind for a primitive. Most primitives of a model share them. Draws that are encoded in
/// turn then read the same memory, which is in the processor's caches.
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Bindings {
    /// The buffer with the attributes of this and other primitives, as [`Vertex`].
    pub attributes: wgpu::Buffer,
    /// The buffer with the indices of this and other primitives.
    pub indices: wgpu::Buffer,
    pub index_format: wgpu::IndexFormat,
    /// Bind group 2 for a mesh that is drawn without instancing.
    pub group: wgpu::BindGroup,
}

/// A range of an index buffer that replaces all indices of a primitive. Its indices have four bytes.
#[derive(Debug, Clone)]
pub(crate) struct IndexSubset {
    pub indices: wgpu::Buffer,
    pub range: Range<u32>,
}

/// The vertices of a primitive on the GPU. A clone shares the buffers.
#[derive(Clone)]
pub(crate) struct GpuVertices {
    /// Vertex buffer 0: the attributes that every vertex has, as [`Vertex`].
    pub attributes: BufferRange,
    /// Index of the first vertex in the buffer of `attributes`. `None` if draws can only bind the range: because vertices have data in
    /// other buffers, where they have other indices, or because the device has no base vertex.
    pub base_vertex: Option<i32>,
    /// Vertex buffer 2: the optional attributes, as [`OptionalAttributes`].
    pub optional_attributes: Option<BufferRange>,
    /// Vertex buffer 1: the first set of influences, if the vertices have any.
    pub influences: Option<BufferRange>,
    /// Number of influence sets beyond the first.
    pub extra_sets: u32,
    /// Whether there are morph targets.
    pub morphed: bool,
    /// The buffers of bind group 2, apart from instance matrices.
    pub buffers: MeshBuffers,
    pub has_normals: bool,
    pub has_tangents: bool,
    pub has_tex_coords: bool,
    pub has_colors: bool,
    /// Bounds of the rest positions, in mesh space.
    pub cull_bounds: CullBounds,
    /// Vertex buffer 3: the corner number of each vertex, created when the wireframe is first drawn.
    pub corners: Arc<OnceLock<wgpu::Buffer>>,
}

impl GpuVertices {
    /// Returns the number of vertices.
    pub fn count(&self) -> usize {
        self.attributes.len() as usize / size_of::<Vertex>()
    }

    /// Returns the center of the bounds of the rest positions, in mesh space. The origin if there are no bounds.
    pub fn center(&self) -> Vec3 {
        self.cull_bounds.center()
    }
}

/// Uploads the primitives of a model.
pub(crate) struct Geometry<'a> {
    pub staging: StagedUpload<'a>,
    layouts: &'a BindGroupLayouts,
    /// Buffers and bind group 2 for all vertices without morph targets and extra influence sets.
    placeholders: (MeshBuffers, wgpu::BindGroup),
    /// An instance buffer with the identity matrix only.
    identity_instance: wgpu::Buffer,
}

/// The planned ranges of all data in the buffers that the primitives of a model share.
#[derive(Default)]
struct Plan<'m> {
    /// Each set of vertices once.
    vertices: Vec<PlannedVertices<'m>>,
    /// Index in `vertices`, by address.
    index_by_address: HashMap<*const Vertices, usize>,
    /// One entry per primitive: the position of its vertices in the list `vertices`, and the range of its indices.
    primitives: Vec<(usize, Reservation)>,
    attributes: Arena,
    influences: Arena,
    optional_attributes: Arena,
    /// Indices of two bytes, and of four.
    indices: [Arena; 2],
}

/// Vertices and their planned ranges.
struct PlannedVertices<'m> {
    /// Index of a mesh that uses the vertices, for error messages.
    mesh: usize,
    /// A primitive that uses the vertices.
    primitive: &'m Primitive,
    attributes: Reservation,
    influences: Option<Reservation>,
    optional_attributes: Option<Reservation>,
}

impl<'m> Plan<'m> {
    /// Reserves a range for the indices of a primitive, and ranges for its vertices unless they are already planned. `mesh` is the index of
    /// the primitive's mesh.
    fn add(&mut self, mesh: usize, primitive: &'m Primitive) {
        let vertices = &primitive.vertices;
        let index = *self.index_by_address.entry(Arc::as_ptr(vertices)).or_insert_with(|| {
            let bytes = |size: usize| (vertices.positions.len() * size) as u64;
            let has_influences = vertices.influences.sets > 0;
            self.vertices.push(PlannedVertices {
                mesh,
                primitive,
                attributes: self.attributes.reserve(bytes(size_of::<Vertex>())),
                influences: has_influences.then(|| self.influences.reserve(bytes(size_of::<FirstInfluences>()))),
                optional_attributes: (OptionalAttributes::is_in(vertices))
                    .then(|| self.optional_attributes.reserve(bytes(size_of::<OptionalAttributes>()))),
            });
            self.vertices.len() - 1
        });
        let [short, long] = &mut self.indices;
        let count = primitive.indices.len() as u64;
        // Two short indices fit into four bytes.
        let reservation = if has_short_indices(primitive) { short.reserve(count.div_ceil(2) * 4) } else { long.reserve(count * 4) };
        self.primitives.push((index, reservation));
    }
}

/// Returns whether indices of two bytes can refer to all vertices. Some drivers interpret the index 0xFFFF as a primitive restart, so it is
/// never used.
fn has_short_indices(primitive: &Primitive) -> bool {
    primitive.vertices.positions.len() < usize::from(u16::MAX)
}

impl<'a> Geometry<'a> {
    /// Uploads the resources that primitives share.
    pub fn new(gpu: &'a Gpu, layouts: &'a BindGroupLayouts) -> Self {
        let mut staging = StagedUpload::new(gpu);
        let buffers = MeshBuffers::placeholders(&mut staging);
        let identity_instance = mesh::instance_buffer(&mut staging, &[JointMatrix::IDENTITY]);
        let placeholders = (buffers.clone(), buffers.group(gpu, layouts, &identity_instance));
        Self { staging, layouts, placeholders, identity_instance }
    }

    /// Uploads the primitives of all meshes. Returns an error if a primitive exceeds a limit of the device.
    pub fn upload(&mut self, model: &Model) -> Result<GpuMeshes, RenderError> {
        let mut plan = Plan::default();
        for (mesh, primitives) in model.meshes.iter().map(|mesh| &mesh.primitives).enumerate() {
            for primitive in primitives {
                let limits = self.staging.gpu.device.limits();
                let extra_bytes = vertex::extra_influence_words(&primitive.vertices.influences) * size_of::<u32>();
                check(mesh, primitive, "indices", primitive.indices.len() * 4, limits.max_buffer_size)?;
                check(mesh, primitive, "vertices", primitive.vertices.positions.len() * size_of::<Vertex>(), limits.max_buffer_size)?;
                check(mesh, primitive, "influences", extra_bytes, limits.max_storage_buffer_binding_size)?;
                plan.add(mesh, primitive);
            }
        }
        let vertices = self.vertices(&plan)?;
        let mut indices = self.indices(&plan, model).into_iter();
        let mut primitive_vertices = plan.primitives.iter().map(|(vertices, _)| *vertices);
        #[expect(clippy::mutable_key_type)] // The hash of a handle of wgpu never changes.
        let mut known = HashSet::new();
        let mut upload = |primitive: &Primitive| {
            let (buffer, index_range) = indices.next()?;
            let (vertices, group) = vertices.get(primitive_vertices.next()?)?;
            let bindings = Arc::new(Bindings {
                attributes: vertices.attributes.buffer.clone(),
                indices: buffer,
                index_format: if has_short_indices(primitive) { wgpu::IndexFormat::Uint16 } else { wgpu::IndexFormat::Uint32 },
                group: group.clone(),
            });
            let shared = known.get(&bindings).unwrap_or(&bindings).clone();
            known.insert(bindings);
            Some(GpuPrimitive {
                topology: primitive.topology,
                vertices: vertices.clone(),
                bindings: shared,
                index_range: if primitive.vertices.positions.is_empty() { 0..0 } else { index_range },
                material: primitive.material.filter(|&m| m < model.materials.len()).unwrap_or(model.materials.len()),
                variants: primitive.variants.clone(),
            })
        };
        let mut uploaded = GpuMeshes::default();
        for mesh in &model.meshes {
            let start = uploaded.primitives.len();
            uploaded.primitives.extend(mesh.primitives.iter().filter_map(&mut upload));
            uploaded.meshes.push(start..uploaded.primitives.len());
        }
        Ok(uploaded)
    }

    /// Uploads all vertices with their morph deltas. Returns them with their bind group 2.
    fn vertices(&mut self, plan: &Plan) -> Result<Vec<(GpuVertices, wgpu::BindGroup)>, RenderError> {
        let (gpu, usage) = (self.staging.gpu, wgpu::BufferUsages::VERTEX);
        let attributes = plan.attributes.buffers(gpu, "vertices", usage);
        let influences = plan.influences.buffers(gpu, "influences", usage);
        let optional_attributes = plan.optional_attributes.buffers(gpu, "optional attributes", usage);
        // Upload one kind of buffer after another, so that the data of small meshes is sent together.
        for planned in &plan.vertices {
            let vertices = &*planned.primitive.vertices;
            self.write(&planned.attributes.buffer_range(&attributes), |v| Vertex::from_vertices(vertices, v));
        }
        for (planned, reservation) in plan.vertices.iter().filter_map(|planned| Some((planned, planned.influences.as_ref()?))) {
            let vertices = &*planned.primitive.vertices;
            self.write(&reservation.buffer_range(&influences), |v| vertex::first_influences(&vertices.influences, v));
        }
        for (planned, reservation) in plan.vertices.iter().filter_map(|planned| Some((planned, planned.optional_attributes.as_ref()?))) {
            let vertices = &*planned.primitive.vertices;
            self.write(&reservation.buffer_range(&optional_attributes), |v| OptionalAttributes::from_vertices(vertices, v));
        }
        self.staging.flush();
        let uploaded = |planned: &PlannedVertices| {
            let vertices = &*planned.primitive.vertices;
            let (buffers, group) = self.mesh_buffers(planned)?;
            let attributes = planned.attributes.buffer_range(&attributes);
            let has_one_buffer = planned.influences.is_none() && planned.optional_attributes.is_none() && vertices.targets.is_empty();
            let first = (attributes.range.start / size_of::<Vertex>() as u64) as i32;
            let uploaded = GpuVertices {
                base_vertex: (has_one_buffer && gpu.has_base_vertex()).then_some(first),
                attributes,
                optional_attributes: planned.optional_attributes.as_ref().map(|reservation| reservation.buffer_range(&optional_attributes)),
                influences: planned.influences.as_ref().map(|reservation| reservation.buffer_range(&influences)),
                extra_sets: vertices.influences.sets.saturating_sub(1) as u32,
                morphed: !vertices.targets.is_empty(),
                buffers,
                has_normals: !vertices.normals.is_empty(),
                has_tangents: !vertices.tangents.is_empty(),
                cull_bounds: CullBounds::from_vertices(vertices),
                has_tex_coords: !vertices.tex_coords[0].is_empty(),
                has_colors: !vertices.colors.is_empty(),
                corners: Arc::default(),
            };
            Ok((uploaded, group))
        };
        plan.vertices.iter().map(uploaded).collect()
    }

    /// Uploads morph deltas and extra influence sets. Returns the placeholders if there are none.
    fn mesh_buffers(&mut self, planned: &PlannedVertices) -> Result<(MeshBuffers, wgpu::BindGroup), RenderError> {
        let vertices = &*planned.primitive.vertices;
        if vertices.targets.is_empty() && vertices.influences.sets < 2 {
            return Ok(self.placeholders.clone());
        }
        let limit = self.staging.gpu.device.limits().max_storage_buffer_binding_size;
        let extra = vertex::extra_influences(&vertices.influences);
        let max = usize::try_from(limit).unwrap_or(usize::MAX) / size_of::<MorphDelta>();
        let (offsets, deltas) = vertex::morph_deltas(vertices, max)
            .map_err(|count| too_large(planned.mesh, planned.primitive, "morph targets", count * size_of::<MorphDelta>(), limit))?;
        let buffers = MeshBuffers::new(&mut self.staging, &extra, &offsets, &deltas);
        let group = buffers.group(self.staging.gpu, self.layouts, &self.identity_instance);
        Ok((buffers, group))
    }

    /// Uploads all indices. Returns the buffer and the range of each primitive.
    fn indices(&mut self, plan: &Plan, model: &Model) -> Vec<(wgpu::Buffer, Range<u32>)> {
        let [short, long] = [0, 1].map(|size| plan.indices[size].buffers(self.staging.gpu, "indices", wgpu::BufferUsages::INDEX));
        let primitives = || model.primitives().zip(&plan.primitives);
        let mut ranges = Vec::with_capacity(plan.primitives.len());
        for (primitive, (_, reservation)) in primitives() {
            let (is_short, indices) = (has_short_indices(primitive), &primitive.indices);
            let BufferRange { buffer, range } = reservation.buffer_range(if is_short { &short } else { &long });
            let first = (range.start / if is_short { 2 } else { 4 }) as u32;
            let pair = |i: usize| [2 * i, 2 * i + 1].map(|i| indices.get(i).map_or(0, |&index| index as u16));
            match is_short {
                true => self.staging.write(&buffer, range.start, indices.len().div_ceil(2), pair),
                false => self.staging.write(&buffer, range.start, indices.len(), |i| indices[i]),
            }
            ranges.push((buffer, first..first + indices.len() as u32));
        }
        self.staging.flush();
        ranges
    }

    /// Writes the elements of a range. `element` computes each of them from its index.
    fn write<T: Pod>(&mut self, to: &BufferRange, element: impl Fn(usize) -> T) {
        self.staging.write(&to.buffer, to.range.start, to.len() as usize / size_of::<T>(), element);
    }
}

/// Returns an error if a buffer of a primitive needs more bytes than the device allows. `mesh` is the index of the primitive's mesh, and
/// `what` names the buffer.
fn check(mesh: usize, primitive: &Primitive, what: &'static str, bytes: usize, limit: u64) -> Result<(), RenderError> {
    if bytes as u64 > limit { Err(too_large(mesh, primitive, what, bytes, limit)) } else { Ok(()) }
}

/// Makes the error of [`check`].
fn too_large(mesh: usize, primitive: &Primitive, what: &'static str, bytes: usize, limit: u64) -> RenderError {
    RenderError::TooLarge { place: format!("mesh {mesh}, primitive {}", primitive.source), what, bytes: bytes as u64, limit }
}

//! What a model and its pictures take of the device's memory, by what it is for.

use std::collections::HashSet;
use std::sync::Arc;

use crate::model::mesh::Topology;
use crate::render::Renderer;
use crate::render::model::geometry::GpuPrimitive;
use crate::render::passes::backdrop::Backdrop;
use crate::render::passes::outline::Outline;
use crate::render::passes::targets::Targets;

/// Bytes of a model; what several primitives share counts once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ModelMemory {
    /// Attributes and influences.
    pub vertices: u64,
    pub indices: u64,
    /// Morph targets.
    pub morphs: u64,
    /// What the edges of triangles are drawn from, once they are.
    pub corners: u64,
    /// Where EXT_mesh_gpu_instancing puts meshes.
    pub places: u64,
    /// With all their levels.
    pub textures: u64,
    /// How many there are.
    pub vertex_count: u64,
}

impl ModelMemory {
    /// Of all primitives, corners included, without places and textures.
    pub(crate) fn of(primitives: &[Vec<GpuPrimitive>]) -> Self {
        let (mut all, mut known, mut with_corners) = (Self::default(), HashSet::new(), HashSet::new());
        for primitive in primitives.iter().flatten() {
            all.indices += primitive.indices.size();
            let vertices = &primitive.vertices;
            if primitive.topology == Topology::Triangles && with_corners.insert(Arc::as_ptr(&vertices.corners)) {
                all.corners += (vertices.count() * size_of::<u32>()) as u64;
            }
            if known.insert(Arc::as_ptr(&vertices.reach)) {
                let size = |buffer: &Option<wgpu::Buffer>| buffer.as_ref().map_or(0, wgpu::Buffer::size);
                let [influences, morphs] = vertices.buffers.bytes();
                all.vertices += vertices.attributes.size() + size(&vertices.further) + size(&vertices.influences) + influences;
                all.morphs += morphs;
                all.vertex_count += vertices.count() as u64;
            }
        }
        all
    }

    pub fn bytes_per_vertex(&self) -> f64 {
        self.vertices as f64 / self.vertex_count.max(1) as f64
    }
}

/// Of all levels, layers and samples of the texture behind a view.
pub(crate) fn texture_bytes(view: &wgpu::TextureView) -> u64 {
    let texture = view.texture();
    let format = texture.format();
    let (wide, high) = format.block_dimensions();
    // Depth alone has no size to copy: it is four bytes.
    let block = u64::from(format.block_copy_size(None).unwrap_or(4));
    let level = |level: u32| {
        let [x, y] =
            [(texture.width(), wide), (texture.height(), high)].map(|(size, block)| u64::from((size >> level).max(1).div_ceil(block)));
        x * y * block
    };
    let layers = u64::from(texture.depth_or_array_layers()) * u64::from(texture.sample_count());
    (0..texture.mip_level_count()).map(level).sum::<u64>() * layers
}

impl Renderer {
    /// Bytes of what pictures are drawn into.
    pub fn target_memory(&self) -> u64 {
        let scene = self.targets.iter().flat_map(Targets::views);
        let outline = self.outline.iter().flat_map(Outline::views);
        let behind = self.behind.iter().flat_map(Backdrop::views);
        scene.chain(outline).chain(behind).chain([self.shadow.texture()]).map(texture_bytes).sum()
    }

    /// Bytes of the map of the light from all around.
    pub fn environment_memory(&self) -> u64 {
        texture_bytes(&self.around.map)
    }
}

//! Uniforms of animated materials and of tinted ghosts. The renderer owns one uniform per actor and material, because several actors may
//! show the same GPU model at different times. A material at its rest values uses the uniform of the model.

use bytemuck::bytes_of;

use crate::render::actor::Actor;
use crate::render::buffers::dynamic_buffer::DynamicBuffer;
use crate::render::device::gpu::Gpu;
use crate::render::material::{self, MaterialUniform};
use crate::render::model::{BoundTextures, GpuMaterial};

/// The animated materials of the last picture.
#[derive(Default)]
pub(crate) struct AnimatedMaterials {
    /// Indexed by actor, then by material. `None` until the material first differs from its rest values.
    materials: Vec<Vec<Option<AnimatedMaterial>>>,
    /// Whether a uniform changed since the shadow map was last compared with the picture. The renderer sets it to false.
    pub changed: bool,
}

/// A uniform and its bind group.
struct AnimatedMaterial {
    uniform: DynamicBuffer,
    /// The textures that `group` binds. They are compared with the textures of the model, which change as images load.
    textures: BoundTextures,
    group: wgpu::BindGroup,
}

impl AnimatedMaterials {
    /// Writes the uniforms that changed since the last call.
    pub fn write(&mut self, gpu: &Gpu, actors: &[Actor]) {
        self.materials.resize_with(actors.len(), Vec::new);
        for (written, actor) in self.materials.iter_mut().zip(actors) {
            let count = if actor.ghost.is_some() { actor.gpu.materials.len() } else { actor.materials.len() };
            written.resize_with(count, || None);
            for (i, (written, uploaded)) in written.iter_mut().zip(&actor.gpu.materials).enumerate() {
                let uniform = actor.materials.get(i).map_or(uploaded.rest, material::uniform).tinted(actor.ghost.unwrap_or_default());
                // A material at rest needs no separate uniform. If it has one from an earlier picture, that uniform must be updated.
                if written.is_none() && uniform == uploaded.rest {
                    continue;
                }
                let animated = written.get_or_insert_with(|| AnimatedMaterial::new(gpu, uploaded));
                animated.uniform.write(gpu, &[bytes_of(&uniform)]);
                self.changed |= animated.uniform.uploaded > 0;
                if animated.textures != uploaded.bound {
                    animated.group = uploaded.bound.group(gpu, &uploaded.layout, animated.uniform.buffer());
                    animated.textures = uploaded.bound.clone();
                }
            }
        }
    }

    /// Returns bind group 3 of an animated material. `None` if the draw must use the bind group of the model.
    pub fn group(&self, actor: usize, material: usize) -> Option<&wgpu::BindGroup> {
        self.materials.get(actor)?.get(material)?.as_ref().map(|animated| &animated.group)
    }
}

impl AnimatedMaterial {
    /// Creates a uniform with the textures of the uploaded material.
    fn new(gpu: &Gpu, uploaded: &GpuMaterial) -> Self {
        let uniform = DynamicBuffer::new(gpu, "animated material", wgpu::BufferUsages::UNIFORM, size_of::<MaterialUniform>());
        let group = uploaded.bound.group(gpu, &uploaded.layout, uniform.buffer());
        Self { uniform, textures: uploaded.bound.clone(), group }
    }
}

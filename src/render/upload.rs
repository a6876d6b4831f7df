//! A model on the GPU: the geometry of its primitives, and materials whose textures appear as they arrive.

use std::collections::BTreeMap;

use thiserror::Error;
use wgpu::util::DeviceExt;

use crate::model::Model;
use crate::model::material::{AlphaMode, Material, Sampler};

use super::geometry::{Geometry, GpuPrimitive};
use super::gpu::Gpu;
use super::layouts::Layouts;
use super::material::{self, MaterialUniform, NORMAL_SLOT, SLOT_COUNT, SLOT_IS_COLOR};
use super::mipmap::PreparedImage;
use super::places::{self, Places};
use super::texture::{self, Samplers};
use super::winding;

#[derive(Debug, Error)]
pub enum RenderError {
    #[error("mesh {mesh}, primitive {primitive}: {what} take {bytes} bytes, more than the {limit} that the graphics driver allows")]
    TooLarge { mesh: usize, primitive: usize, what: &'static str, bytes: u64, limit: u64 },
    #[error("graphics memory ran out: {0}. Close what else uses it, or make the model's meshes and textures smaller")]
    OutOfMemory(String),
}

pub struct GpuModel {
    /// By mesh, then by place in the mesh's primitives.
    pub(super) meshes: Vec<Vec<GpuPrimitive>>,
    /// The model's, then the default material.
    pub(super) materials: Vec<GpuMaterial>,
    /// By node: where EXT_mesh_gpu_instancing puts its mesh.
    pub(super) places: BTreeMap<usize, Vec<Places>>,
    /// Whether what mirrors at one time may not mirror at another.
    pub(super) winding_changes: bool,
    /// How many vertices there are on the device, and the bytes that they take; those that primitives share count once.
    pub vertex_memory: (usize, u64),
    images: Vec<ImageTextures>,
    samplers: Samplers,
    white: wgpu::TextureView,
    /// Made when something is missing.
    checker: Option<wgpu::TextureView>,
    flat_normal: wgpu::TextureView,
    layout: wgpu::BindGroupLayout,
}

pub(super) struct GpuMaterial {
    source: Material,
    uniform: wgpu::Buffer,
    /// What `uniform` holds.
    pub rest: MaterialUniform,
    pub bound: [BoundTexture; SLOT_COUNT],
    pub group: wgpu::BindGroup,
    /// By slot: whether there is a texture, be it still on its way.
    pub textures: [bool; SLOT_COUNT],
    pub alpha_mode: AlphaMode,
    pub double_sided: bool,
    pub unlit: bool,
}

/// A texture of a material: the image as it is now, and how it is sampled.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct BoundTexture {
    view: wgpu::TextureView,
    sampler: wgpu::Sampler,
}

#[derive(Clone, Default)]
struct ImageTextures {
    color: Option<wgpu::TextureView>,
    data: Option<wgpu::TextureView>,
    /// It will never come.
    missing: bool,
}

impl GpuModel {
    /// Uploads geometry and materials, on any thread. Images come later, through [`GpuModel::set_image`].
    pub fn new(gpu: &Gpu, model: &Model) -> Result<Self, RenderError> {
        let scope = gpu.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let result = Self::upload(gpu, &Layouts::new(gpu), model);
        match pollster::block_on(scope.pop()) {
            Some(error) => Err(RenderError::OutOfMemory(error.to_string())),
            None => result,
        }
    }

    fn upload(gpu: &Gpu, layouts: &Layouts, model: &Model) -> Result<Self, RenderError> {
        let mut geometry = Geometry::new(gpu, layouts);
        let mut meshes = Vec::with_capacity(model.meshes.len());
        for (i, mesh) in model.meshes.iter().enumerate() {
            let primitives = mesh.primitives.iter().map(|primitive| {
                let material = primitive.material.filter(|&m| m < model.materials.len()).unwrap_or(model.materials.len());
                geometry.upload(i, primitive, material)
            });
            meshes.push(primitives.collect::<Result<Vec<_>, _>>()?);
        }
        let mut uploaded = Self {
            places: places::upload(&mut geometry.pieces, layouts, model, &meshes)?,
            meshes,
            materials: Vec::with_capacity(model.materials.len() + 1),
            winding_changes: winding::changes(model),
            vertex_memory: geometry.vertex_memory,
            images: model.images.iter().map(|_| ImageTextures::default()).collect(),
            samplers: Samplers::default(),
            white: texture::single(gpu, [255; 4]),
            checker: None,
            flat_normal: texture::single(gpu, [128, 128, 255, 255]),
            layout: layouts.material.clone(),
        };
        for material in model.materials.iter().chain([&Material::default()]) {
            let material = uploaded.upload_material(gpu, material);
            uploaded.materials.push(material);
        }
        Ok(uploaded)
    }

    /// Of all primitives.
    pub fn vertex_count(&self) -> usize {
        self.meshes.iter().flatten().map(|primitive| primitive.vertices.count()).sum()
    }

    /// An image was decoded; or, in words, why not: then a checker stands in for it.
    pub fn receive_image(&mut self, gpu: &Gpu, image: usize, decoded: Result<PreparedImage, String>) -> Result<(), String> {
        let shown = decoded.and_then(|prepared| self.set_image(gpu, image, Some(&prepared)).map_err(|error| error.to_string()));
        shown.or_else(|reason| self.set_image(gpu, image, None).map_err(|error| error.to_string()).and(Err(reason)))
    }

    /// An image arrived, or (with none) never will. Materials that use it are bound anew; all stays as it is where there is no
    /// memory for it.
    pub fn set_image(&mut self, gpu: &Gpu, image: usize, prepared: Option<&PreparedImage>) -> Result<(), RenderError> {
        let Some(textures) = self.images.get_mut(image) else { return Ok(()) };
        let scope = gpu.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let upload = |levels: Option<_>, color| levels.map(|levels| texture::upload(gpu, levels, color));
        let uploaded = ImageTextures {
            color: upload(prepared.and_then(|image| image.color.as_ref()), true),
            data: upload(prepared.and_then(|image| image.data.as_ref()), false),
            missing: prepared.is_none(),
        };
        if let Some(error) = pollster::block_on(scope.pop()) {
            return Err(RenderError::OutOfMemory(error.to_string()));
        }
        *textures = uploaded;
        self.bind_image(gpu, image);
        Ok(())
    }

    /// An image is the image `other` of another model on this device, used in the same way: it has the same textures. False: that
    /// one has none.
    pub fn share_image(&mut self, gpu: &Gpu, image: usize, from: &Self, other: usize) -> bool {
        let shared = from.images.get(other).filter(|textures| textures.color.is_some() || textures.data.is_some());
        let (Some(textures), Some(shared)) = (self.images.get_mut(image), shared) else { return false };
        *textures = shared.clone();
        self.bind_image(gpu, image);
        true
    }

    /// Materials that use it are bound anew.
    fn bind_image(&mut self, gpu: &Gpu, image: usize) {
        for i in 0..self.materials.len() {
            let source = self.materials[i].source.clone();
            if material::slots(&source).iter().flatten().any(|texture| texture.image == Some(image)) {
                let bound = self.bound(gpu, &source);
                let material = &mut self.materials[i];
                material.group = material_group(gpu, &self.layout, &material.uniform, &bound);
                material.bound = bound;
            }
        }
    }

    fn upload_material(&mut self, gpu: &Gpu, source: &Material) -> GpuMaterial {
        let rest = material::uniform(source);
        let uniform = gpu.device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
            label: Some("material"),
            contents: bytemuck::bytes_of(&rest),
            usage: wgpu::BufferUsages::UNIFORM,
        });
        let bound = self.bound(gpu, source);
        GpuMaterial {
            group: material_group(gpu, &self.layout, &uniform, &bound),
            uniform,
            rest,
            bound,
            textures: material::shown_slots(source),
            alpha_mode: source.alpha_mode,
            double_sided: source.double_sided,
            unlit: source.unlit,
            source: source.clone(),
        }
    }

    fn bound(&mut self, gpu: &Gpu, source: &Material) -> [BoundTexture; SLOT_COUNT] {
        let slots = material::slots(source);
        let samplers = slots.map(|texture| self.samplers.get(gpu, texture.map_or(Sampler::DEFAULT, |texture| texture.sampler)));
        let found = |slot: usize| slots[slot].and_then(|texture| self.images.get(texture.image?));
        let missing = |slot: usize| SLOT_IS_COLOR[slot] && slots[slot].is_some() && found(slot).is_none_or(|image| image.missing);
        if self.checker.is_none() && (0..SLOT_COUNT).any(missing) {
            self.checker = Some(texture::checker(gpu));
        }
        let view = |slot: usize| {
            let image = found(slot).and_then(|image| if SLOT_IS_COLOR[slot] { image.color.as_ref() } else { image.data.as_ref() });
            let checker = self.checker.as_ref().filter(|_| missing(slot));
            image.or(checker).unwrap_or(if slot == NORMAL_SLOT { &self.flat_normal } else { &self.white })
        };
        let mut slot = 0..;
        samplers.map(|sampler| BoundTexture { view: slot.next().map_or(&self.white, view).clone(), sampler })
    }
}

/// Group 3.
pub(super) fn material_group(
    gpu: &Gpu,
    layout: &wgpu::BindGroupLayout,
    uniform: &wgpu::Buffer,
    textures: &[BoundTexture; SLOT_COUNT],
) -> wgpu::BindGroup {
    let mut entries = vec![wgpu::BindGroupEntry { binding: 0, resource: uniform.as_entire_binding() }];
    for (BoundTexture { view, sampler }, slot) in textures.iter().zip(0..) {
        let binding = 1 + 2 * slot;
        entries.push(wgpu::BindGroupEntry { binding, resource: wgpu::BindingResource::TextureView(view) });
        entries.push(wgpu::BindGroupEntry { binding: binding + 1, resource: wgpu::BindingResource::Sampler(sampler) });
    }
    gpu.device.create_bind_group(&wgpu::BindGroupDescriptor { label: Some("material"), layout, entries: &entries })
}

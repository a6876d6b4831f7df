//! A model on the GPU: the geometry of its primitives, and its materials, which get their textures as images are decoded.

pub(crate) mod cull_bounds;
pub(crate) mod geometry;
pub(crate) mod instances;
pub mod memory;
pub(crate) mod node_groups;
pub(crate) mod partial_indices;
pub mod simplification;
pub mod simplified;
pub mod vertex;
pub(crate) mod winding;
pub(crate) mod wireframe;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::mem::discriminant;
use std::sync::OnceLock;

use wgpu::util::DeviceExt;

use crate::codec::texels::Encoding;
use crate::model::Model;
use crate::model::material::Material;
use crate::model::material_property::MaterialProperty;
use crate::model::mesh::Topology;
use crate::model::texture::{Sampler, Texture, TextureSlot};

use super::bind_groups::BindGroupLayouts;
use super::device::gpu::Gpu;
use super::device::memory::texture_bytes;
use super::error::RenderError;
use super::material::features::ShaderFeatures;
use super::material::mipmap::PreparedImage;
use super::material::texture::{self, Samplers};
use super::material::texture_set::{self, FIRST_SAMPLER, FIRST_TEXTURE, TextureSet};
use super::material::{self, MaterialUniform};

use geometry::{Geometry, GpuMeshes};
use instances::MeshInstances;
use memory::ModelMemory;
use node_groups::NodeGroup;
use simplification::SimplifiedLists;
use simplified::SimplifiedMeshes;

/// A model on the GPU. It belongs to one device. Drawing does not change it.
pub struct GpuModel {
    /// The uploaded primitives.
    pub(crate) meshes: GpuMeshes,
    /// The materials of the model, followed by the default material.
    pub(crate) materials: Vec<GpuMaterial>,
    /// Instances of EXT_mesh_gpu_instancing, by node index.
    pub(crate) instances: BTreeMap<usize, Vec<MeshInstances>>,
    /// The nodes that draw a primitive, grouped by the primitives that they draw.
    pub(crate) node_groups: Vec<NodeGroup>,
    /// The simplified meshes. Not set before [`GpuModel::set_simplified`]; `None` if no mesh could be simplified.
    simplified: OnceLock<Option<SimplifiedMeshes>>,
    /// Memory of the geometry, without textures. It includes the corner numbers even before they exist.
    geometry_memory: ModelMemory,
    /// Whether an animation may change the winding of triangles.
    pub(crate) winding_changes: bool,
    /// The textures of each image, in model order.
    images: Vec<ImageTextures>,
    /// The materials that show each image, by index, in model order.
    image_materials: Vec<Vec<usize>>,
    samplers: Samplers,
    /// The checkerboard for missing images, created on first use.
    checker: Option<wgpu::TextureView>,
    /// Placeholders for textures that are still loading, by texel color.
    neutrals: HashMap<[u8; 4], wgpu::TextureView>,
}

/// A material on the GPU.
pub(crate) struct GpuMaterial {
    /// The material of the file.
    pub source: Material,
    uniform: wgpu::Buffer,
    /// The contents of `uniform`.
    pub rest: MaterialUniform,
    /// The textures that `group` binds.
    pub bound: BoundTextures,
    /// Layout of bind group 3 for these textures.
    pub layout: wgpu::BindGroupLayout,
    /// Bind group 3.
    pub group: wgpu::BindGroup,
    /// The slots that have a texture, including textures that are still loading.
    pub textures: TextureSet,
    /// The material extensions that its shader needs, including those that an animation may switch on.
    pub features: ShaderFeatures,
    /// Whether a blended material may have almost opaque parts.
    pub may_have_opaque_parts: bool,
}

/// The textures that are currently bound for a material, and the samplers that they share.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct BoundTextures {
    pub views: Vec<wgpu::TextureView>,
    pub samplers: Vec<(Sampler, wgpu::Sampler)>,
}

/// The textures of an image by use. Both are `None` until the image is loaded.
#[derive(Clone, Default)]
struct ImageTextures {
    color: Option<wgpu::TextureView>,
    data: Option<wgpu::TextureView>,
    /// Whether the image failed to load.
    missing: bool,
}

impl GpuModel {
    /// Uploads geometry and materials, on any thread. Images are added later with [`GpuModel::set_image`]. Returns an error if a buffer
    /// exceeds a limit of the device or GPU memory runs out.
    pub fn new(gpu: &Gpu, model: &Model) -> Result<Self, RenderError> {
        gpu.within_memory(|| Self::upload(gpu, &BindGroupLayouts::new(gpu), model))?
    }

    /// Updates the state that depends on animations. `model` may differ from the uploaded model only in its animations.
    pub fn follow_animations(&mut self, model: &Model) {
        self.winding_changes = winding::changes(model);
    }

    /// Uploads geometry and materials without checking whether GPU memory runs out.
    fn upload(gpu: &Gpu, layouts: &BindGroupLayouts, model: &Model) -> Result<Self, RenderError> {
        let mut geometry = Geometry::new(gpu, layouts);
        let meshes = geometry.upload(model)?;
        let instances = instances::upload(&mut geometry.staging, layouts, model, &meshes)?;
        let mut uploaded = Self {
            geometry_memory: ModelMemory {
                instances: instances.values().flatten().map(MeshInstances::bytes).sum(),
                ..ModelMemory::from_primitives(meshes.primitives())
            },
            node_groups: node_groups::groups(model, &meshes, &instances),
            instances,
            meshes,
            materials: Vec::with_capacity(model.materials.len() + 1),
            winding_changes: winding::changes(model),
            simplified: OnceLock::new(),
            images: model.images.iter().map(|_| ImageTextures::default()).collect(),
            image_materials: image_materials(model),
            samplers: Samplers::default(),
            checker: None,
            neutrals: HashMap::new(),
        };
        let animated = material::animated_properties(model);
        // The default material (glTF 2.0, section 3.9) comes last and is never animated.
        let default = (&Material::default(), &Vec::new());
        for (source, animated) in model.materials.iter().zip(&animated).chain([default]) {
            let material = uploaded.upload_material(gpu, source, animated);
            uploaded.materials.push(material);
        }
        Ok(uploaded)
    }

    /// Uploads the simplified triangle lists of the model, on any thread. Without effect if it has some already.
    pub fn set_simplified(&self, gpu: &Gpu, lists: &SimplifiedLists) {
        self.simplified.get_or_init(|| SimplifiedMeshes::upload(gpu, lists));
    }

    /// Returns the simplified meshes. `None` before [`GpuModel::set_simplified`], and if no mesh could be simplified.
    pub(crate) fn simplified(&self) -> Option<&SimplifiedMeshes> {
        self.simplified.get()?.as_ref()
    }

    /// Returns the number of vertices of all primitives together.
    pub fn vertex_count(&self) -> usize {
        self.meshes.primitives().iter().map(|primitive| primitive.vertices.count()).sum()
    }

    /// Returns whether the model has primitives of lines or points.
    pub fn has_lines_or_points(&self) -> bool {
        self.meshes.primitives().iter().any(|primitive| primitive.topology != Topology::Triangles)
    }

    /// Returns the GPU memory in use now. The amount grows as textures are uploaded.
    pub fn memory(&self) -> ModelMemory {
        // Images with the same data share their textures, which count once.
        let mut views: Vec<&wgpu::TextureView> = self.images.iter().flat_map(|image| [&image.color, &image.data]).flatten().collect();
        views.sort_unstable();
        views.dedup();
        // Corner numbers exist for all triangle primitives or for none.
        let triangles = self.meshes.primitives().iter().find(|primitive| primitive.topology == Topology::Triangles);
        let edged = triangles.is_some_and(|primitive| primitive.vertices.corners.get().is_some());
        ModelMemory {
            textures: texture_bytes(views),
            corners: if edged { self.geometry_memory.corners } else { 0 },
            indices: self.geometry_memory.indices + self.simplified().map_or(0, SimplifiedMeshes::bytes),
            ..self.geometry_memory
        }
    }

    /// Takes a decoded image, or the reason why decoding failed. A failed image is shown as a checkerboard, and the reason is returned.
    pub fn receive_image(&mut self, gpu: &Gpu, image: usize, decoded: Result<PreparedImage, String>) -> Result<(), String> {
        if let Ok(PreparedImage { same_as: Some(other), .. }) = decoded {
            self.images[image] = self.images[other].clone();
            self.bind_image(gpu, image);
            let is_missing = self.images[image].missing;
            return if is_missing { Err(format!("it has the same data as image {other}, which could not be uploaded")) } else { Ok(()) };
        }
        let shown = decoded.and_then(|prepared| self.set_image(gpu, image, Some(&prepared)).map_err(|error| error.to_string()));
        shown.or_else(|reason| self.set_image(gpu, image, None).map_err(|error| error.to_string()).and(Err(reason)))
    }

    /// Uploads an image, or marks it as missing if `prepared` is `None`, and rebinds the materials that use it. If GPU memory runs out,
    /// nothing changes.
    pub fn set_image(&mut self, gpu: &Gpu, image: usize, prepared: Option<&PreparedImage>) -> Result<(), RenderError> {
        let Some(textures) = self.images.get_mut(image) else { return Ok(()) };
        let upload = |levels: Option<_>, encoding| levels.map(|levels| texture::upload(gpu, levels, encoding));
        *textures = gpu.within_memory(|| ImageTextures {
            color: upload(prepared.and_then(|image| image.color.as_ref()), Encoding::Srgb),
            data: upload(prepared.and_then(|image| image.data.as_ref()), Encoding::Linear),
            missing: prepared.is_none(),
        })?;
        self.bind_image(gpu, image);
        Ok(())
    }

    /// Makes an image use the textures of image `other` of the model `from`, which is on the same device. Both models must use their image
    /// in the same way. Returns false if image `other` has no textures.
    pub fn share_image(&mut self, gpu: &Gpu, image: usize, from: &Self, other: usize) -> bool {
        let shared = from.images.get(other).filter(|textures| textures.color.is_some() || textures.data.is_some());
        let (Some(textures), Some(shared)) = (self.images.get_mut(image), shared) else { return false };
        *textures = shared.clone();
        self.bind_image(gpu, image);
        true
    }

    /// Number of materials that differ in more than their numbers and images, so that each needs its own shader.
    pub fn shader_count(&self) -> usize {
        let key = |GpuMaterial { source, textures, features, .. }: &GpuMaterial| {
            (*textures, *features, discriminant(&source.alpha_mode), source.double_sided, source.unlit)
        };
        self.materials.iter().map(key).collect::<HashSet<_>>().len()
    }

    /// Rebinds the materials that use an image.
    fn bind_image(&mut self, gpu: &Gpu, image: usize) {
        for i in self.image_materials[image].clone() {
            let source = self.materials[i].source.clone();
            let bound = self.bound(gpu, &source, self.materials[i].textures);
            let material = &mut self.materials[i];
            material.group = bound.group(gpu, &material.layout, &material.uniform);
            material.bound = bound;
        }
    }

    /// Uploads a material. An animation of the file changes the properties `animated`.
    fn upload_material(&mut self, gpu: &Gpu, source: &Material, animated: &[MaterialProperty]) -> GpuMaterial {
        let rest = material::uniform(source);
        let uniform = gpu.device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
            label: Some("material"),
            contents: bytemuck::bytes_of(&rest),
            usage: wgpu::BufferUsages::UNIFORM,
        });
        let textures = TextureSet::from_material(source);
        let layout = BindGroupLayouts::material(&gpu.device, textures);
        let bound = self.bound(gpu, source, textures);
        GpuMaterial {
            group: bound.group(gpu, &layout, &uniform),
            layout,
            uniform,
            rest,
            bound,
            textures,
            features: ShaderFeatures::animated(source, animated),
            may_have_opaque_parts: material::may_have_opaque_parts(source, animated),
            source: source.clone(),
        }
    }

    /// Returns the textures and samplers to bind for a material now: loaded images, the checkerboard for missing color images, and
    /// placeholders for all others.
    fn bound(&mut self, gpu: &Gpu, source: &Material, textures: TextureSet) -> BoundTextures {
        let found = |texture: &Texture| self.images.get(texture.image?);
        let missing = |slot: TextureSlot, texture| slot.is_color() && found(texture).is_none_or(|image| image.missing);
        if self.checker.is_none() && texture_set::shown(source).any(|(slot, texture)| missing(slot, texture)) {
            self.checker = Some(texture::checker(gpu));
        }
        let view = |slot: TextureSlot, texture| {
            let image = found(texture).and_then(|image| if slot.is_color() { image.color.as_ref() } else { image.data.as_ref() });
            image.or(self.checker.as_ref().filter(|_| missing(slot, texture))).cloned()
        };
        let views: Vec<_> = texture_set::shown(source).map(|(slot, texture)| (slot, view(slot, texture))).collect();
        let views = views.into_iter().map(|(slot, view)| view.unwrap_or_else(|| self.neutral(gpu, slot))).collect();
        let mut samplers = vec![None; textures.sampler_count()];
        for ((_, sampler), (_, texture)) in textures.iter().zip(texture_set::shown(source)) {
            samplers[sampler] = Some((texture.sampler, self.samplers.get(gpu, texture.sampler)));
        }
        BoundTextures { views, samplers: samplers.into_iter().flatten().collect() }
    }

    /// Returns the texture that a slot binds until its image is loaded.
    fn neutral(&mut self, gpu: &Gpu, slot: TextureSlot) -> wgpu::TextureView {
        let texel = texture_set::neutral(slot);
        self.neutrals.entry(texel).or_insert_with(|| texture::single(gpu, texel)).clone()
    }
}

/// Returns the materials that show each image, by index.
fn image_materials(model: &Model) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new(); model.images.len()];
    for (index, material) in model.materials.iter().enumerate() {
        for (_, texture) in texture_set::shown(material) {
            let Some(materials) = texture.image.and_then(|image| all.get_mut(image)) else { continue };
            // A material may show an image in several slots.
            if materials.last() != Some(&index) {
                materials.push(index);
            }
        }
    }
    all
}

impl BoundTextures {
    /// Creates bind group 3.
    pub fn group(&self, gpu: &Gpu, layout: &wgpu::BindGroupLayout, uniform: &wgpu::Buffer) -> wgpu::BindGroup {
        let mut entries = vec![wgpu::BindGroupEntry { binding: 0, resource: uniform.as_entire_binding() }];
        for (view, binding) in self.views.iter().zip(FIRST_TEXTURE..) {
            entries.push(wgpu::BindGroupEntry { binding, resource: wgpu::BindingResource::TextureView(view) });
        }
        for ((_, sampler), binding) in self.samplers.iter().zip(FIRST_SAMPLER..) {
            entries.push(wgpu::BindGroupEntry { binding, resource: wgpu::BindingResource::Sampler(sampler) });
        }
        gpu.device.create_bind_group(&wgpu::BindGroupDescriptor { label: Some("material"), layout, entries: &entries })
    }
}

//! Draws the overlay into a separate texture: the outline of the selection, then solid joints, then lines. The composite pass blends this
//! texture over the scene.

use crate::render::annotations::line::GpuLine;
use crate::render::annotations::skeleton::GpuSolidJoint;
use crate::render::buffers::dynamic_buffer::DynamicBuffer;
use crate::render::device::gpu::Gpu;
use crate::render::device::memory::texture_bytes;
use crate::render::draw_list::DrawList;
use crate::render::picture::Msaa;
use crate::render::pipelines::key::PipelineKey;
use crate::render::pipelines::target::SceneTarget;

use super::context::{FrameContext, PassTarget};
use super::outline::OutlinePass;
use super::targets;

/// Owns the overlay's texture and its vertex buffers.
pub(crate) struct OverlayPass {
    /// The picture's format.
    format: wgpu::TextureFormat,
    /// Created when an overlay is first drawn.
    target: Option<OverlayTarget>,
    /// Instances of [`GpuLine`].
    lines: DynamicBuffer,
    /// Instances of [`GpuSolidJoint`]. Empty if solid joints are part of the scene.
    solid_joints: DynamicBuffer,
}

/// The overlay's textures. They hold sRGB bytes, premultiplied by alpha.
struct OverlayTarget {
    /// Width and height in texels.
    size: [u32; 2],
    /// The texture that the composite pass reads.
    resolved: wgpu::TextureView,
    /// MSAA samples that are resolved into `resolved`; `None` without MSAA.
    samples: Option<wgpu::TextureView>,
}

impl OverlayPass {
    /// Makes a pass without a texture.
    pub fn new(gpu: &Gpu, format: wgpu::TextureFormat) -> Self {
        let buffer = |label, min_bytes| DynamicBuffer::new(gpu, label, wgpu::BufferUsages::VERTEX, min_bytes);
        let (lines, solid_joints) =
            (buffer("overlay lines", size_of::<GpuLine>()), buffer("overlay solid joints", size_of::<GpuSolidJoint>()));
        Self { format, target: None, lines, solid_joints }
    }

    /// Drops the textures if they have another size or number of samples. [`Self::record`] makes new ones.
    pub fn resize(&mut self, size: [u32; 2], samples: Msaa) {
        self.target.take_if(|target| target.size != size || target.samples.is_some() != (samples == Msaa::Four));
    }

    /// Returns the bytes of the textures.
    pub fn memory_bytes(&self) -> u64 {
        let views = self.target.iter().flat_map(|target| [Some(&target.resolved), target.samples.as_ref()]);
        texture_bytes(views.flatten())
    }

    /// Returns the resolved texture. `None` before an overlay of this size was drawn.
    pub fn texture(&self) -> Option<&wgpu::TextureView> {
        self.target.as_ref().map(|target| &target.resolved)
    }

    /// Uploads lines and solid joints. Returns the uploaded bytes.
    pub fn upload(&mut self, gpu: &Gpu, list: &DrawList) -> u64 {
        let solid_joints: &[_] = if list.has_solid_joints_in_scene() { &[] } else { &list.solid_joints };
        self.lines.write(gpu, &[bytemuck::cast_slice(&list.overlay_lines)]);
        self.solid_joints.write(gpu, &[bytemuck::cast_slice(solid_joints)]);
        self.lines.uploaded + self.solid_joints.uploaded
    }

    /// Returns the vertex buffer of a pipeline that draws this pass's lines or solid joints, else `None`.
    pub fn vertex_buffer(&self, key: PipelineKey) -> Option<&wgpu::Buffer> {
        match key {
            PipelineKey::OverlayLines => Some(self.lines.buffer()),
            PipelineKey::SolidJoints { in_scene: false } => Some(self.solid_joints.buffer()),
            _ => None,
        }
    }

    /// Draws the overlay. `depth` is the scene's depth target, cleared for this pass: solid joints hide each other, but
    /// surfaces do not hide them. The scene is drawn later and clears the depth target again.
    pub fn record(&mut self, frame: &mut FrameContext, list: &DrawList, depth: &wgpu::TextureView, outline: &OutlinePass) {
        let content = list.overlay();
        if !content.any() {
            return;
        }
        let (gpu, size) = (frame.gpu, frame.size);
        let format = SceneTarget { format: self.format, samples: list.samples };
        let target = self.target.get_or_insert_with(|| OverlayTarget::new(gpu, size, format));
        let target = PassTarget { depth: Some(depth), ..PassTarget::multisampled(target.samples.as_ref(), &target.resolved) };
        let mut pass = frame.begin_pass("overlay", &target);
        let pipelines = &frame.shared.pipelines;
        let group = outline.group().filter(|_| content.outline);
        if let (Some(group), Some(pipeline)) = (group, pipelines.get(PipelineKey::Outline)) {
            pass.set_pipeline(pipeline);
            pass.set_bind_group(1, group, &[]);
            pass.draw(0..3, 0..1);
        }
        if let Some(pipeline) = pipelines.get(PipelineKey::SolidJoints { in_scene: false }).filter(|_| content.solid_joints > 0) {
            pass.set_pipeline(pipeline);
            pass.set_vertex_buffer(0, self.solid_joints.buffer().slice(..));
            pass.draw(0..GpuSolidJoint::VERTICES, 0..content.solid_joints);
        }
        if let Some(pipeline) = pipelines.get(PipelineKey::OverlayLines).filter(|_| content.lines > 0) {
            pass.set_pipeline(pipeline);
            pass.set_vertex_buffer(0, self.lines.buffer().slice(..));
            pass.draw(0..4, 0..content.lines);
        }
    }
}

impl OverlayTarget {
    fn new(gpu: &Gpu, size: [u32; 2], format: SceneTarget) -> Self {
        let (read, unread) = (wgpu::TextureUsages::TEXTURE_BINDING, wgpu::TextureUsages::empty());
        Self {
            size,
            resolved: targets::texture(gpu, "overlay", size, SceneTarget { samples: Msaa::One, ..format }, read),
            samples: (format.samples == Msaa::Four).then(|| targets::texture(gpu, "overlay samples", size, format, unread)),
        }
    }
}

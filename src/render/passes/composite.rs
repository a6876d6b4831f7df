//! Composites the picture from scene and overlay. Usually it copies the bytes of the scene. A draw with composite.wgsl is needed for
//! supersampling, reduced resolution, transparent pictures, x-ray mode, an overlay, or targets that do not support copies.

use bytemuck::{Pod, Zeroable};

use crate::colors;
use crate::render::bind_groups;
use crate::render::buffers::dynamic_buffer::DynamicBuffer;
use crate::render::device::gpu::Gpu;
use crate::render::material::texture;
use crate::render::picture::{Background, Resolution, Viewport};
use crate::render::pipelines::key::PipelineKey;

use super::context::{FrameContext, PassTarget};
use super::targets::Targets;

/// Keep in sync with `Composite` in composite.wgsl.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
struct CompositeUniform {
    /// Upper left corner of the viewport in the target, in pixels.
    origin: [u32; 2],
    /// Texels along each side of a pixel. 0 if the resolution is reduced.
    supersample: u32,
    /// 1 if there is an overlay, else 0.
    has_overlay: u32,
    /// Linear color behind the scene in x-ray mode; zero otherwise.
    background: [f32; 4],
    /// Texels along each side of a pixel if the resolution is reduced.
    reduction: f32,
    pad: [u32; 3],
}

/// The layers from which the picture is composited.
#[derive(Clone, Copy)]
pub(crate) struct Layers<'a> {
    /// The targets of the scene. Only the resolved texture is read.
    pub scene: &'a Targets,
    /// The overlay's texture. `None` if there is no overlay.
    pub overlay: Option<&'a wgpu::TextureView>,
    /// Whether the scene was drawn in x-ray mode.
    pub xray: bool,
    /// The background that the scene was drawn with.
    pub background: Background,
    /// The resolution that the scene was drawn with.
    pub resolution: Resolution,
}

/// Returns the linear color that the scene target is cleared to. In x-ray mode it is transparent, because translucent surfaces are blended
/// in any order, and the background is added under the finished scene.
pub(crate) fn clear_color(background: Background, xray: bool) -> wgpu::Color {
    if xray { wgpu::Color::TRANSPARENT } else { linear_color(background) }
}

/// Converts a background to linear light. Backgrounds without a color are transparent.
fn linear_color(background: Background) -> wgpu::Color {
    let Background::Color(color) = background else { return wgpu::Color::TRANSPARENT };
    let [r, g, b] = colors::linear(color).as_dvec3().to_array();
    wgpu::Color { r, g, b, a: 1.0 }
}

/// Writes the picture into the viewport. This is the last pass of a frame.
pub(crate) struct CompositePass {
    uniform: DynamicBuffer,
    /// One transparent texel, bound if there is no overlay.
    empty: wgpu::TextureView,
}

impl CompositePass {
    /// Makes the uniform buffer and the empty overlay.
    pub fn new(gpu: &Gpu) -> Self {
        let uniform = DynamicBuffer::new(gpu, "composite", bind_groups::UNIFORM_USAGES, size_of::<CompositeUniform>());
        Self { uniform, empty: texture::single(gpu, [0; 4]) }
    }

    /// Copies or draws the picture into the viewport. Returns the uploaded bytes.
    pub fn record(&mut self, frame: &mut FrameContext, layers: &Layers, viewport: &Viewport) -> u64 {
        if is_copied(frame, layers, viewport) {
            copy(frame, layers.scene, viewport);
            return 0;
        }
        self.upload(frame.gpu, layers, viewport);
        self.draw(frame, layers, viewport);
        self.uniform.uploaded
    }

    fn upload(&mut self, gpu: &Gpu, layers: &Layers, viewport: &Viewport) {
        let [x, y, ..] = viewport.rect;
        let background = if layers.xray { linear_color(layers.background) } else { wgpu::Color::TRANSPARENT };
        let supersample = match layers.resolution {
            Resolution::Supersampled(count) => count.clamp(1, 4),
            Resolution::Reduced(_) => 0,
        };
        let uniform = CompositeUniform {
            origin: [x, y],
            supersample,
            has_overlay: u32::from(layers.overlay.is_some()),
            background: [background.r, background.g, background.b, background.a].map(|component| component as f32),
            reduction: layers.resolution.texels_per_pixel() as f32,
            pad: [0; 3],
        };
        self.uniform.write(gpu, &[bytemuck::bytes_of(&uniform)]);
    }

    fn draw(&self, frame: &mut FrameContext, layers: &Layers, viewport: &Viewport) {
        let [x, y, width, height] = viewport.rect;
        let resources = [
            self.uniform.buffer().as_entire_binding(),
            wgpu::BindingResource::TextureView(&layers.scene.scene),
            wgpu::BindingResource::TextureView(layers.overlay.unwrap_or(&self.empty)),
        ];
        let group = bind_groups::group(frame.gpu, "composite", &frame.shared.layouts.composite, resources);
        let target = PassTarget { load: wgpu::LoadOp::Load, ..PassTarget::cleared(viewport.target) };
        let mut pass = frame.begin_last_pass("composite", &target);
        pass.set_viewport(x as f32, y as f32, width as f32, height as f32, 0.0, 1.0);
        pass.set_scissor_rect(x, y, width, height);
        let Some(pipeline) = frame.shared.pipelines.get(PipelineKey::Composite) else { return };
        pass.set_pipeline(pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.draw(0..3, 0..1);
    }
}

/// Returns whether the scene already has the bytes of the picture, which can then be copied.
fn is_copied(frame: &FrameContext, layers: &Layers, viewport: &Viewport) -> bool {
    // GL cannot copy between different formats.
    let is_gl = frame.gpu.info.backend == wgpu::Backend::Gl;
    let copies = !is_gl && viewport.target.texture().usage().contains(wgpu::TextureUsages::COPY_DST);
    let is_opaque = layers.background != Background::Transparent;
    copies && layers.overlay.is_none() && layers.resolution == Resolution::FULL && is_opaque && !layers.xray
}

fn copy(frame: &mut FrameContext, scene: &Targets, viewport: &Viewport) {
    let [x, y, width, height] = viewport.rect;
    let mut target = viewport.target.texture().as_image_copy();
    target.origin = wgpu::Origin3d { x, y, z: 0 };
    let size = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
    frame.encoder.copy_texture_to_texture(scene.scene.texture().as_image_copy(), target, size);
    // A copy cannot write timestamps, so an empty pass after the copy writes the second timestamp.
    if frame.shared.timer.as_ref().is_some_and(super::timer::Timer::has_begun) {
        frame.begin_last_pass("copy end", &PassTarget { load: wgpu::LoadOp::Load, ..PassTarget::cleared(viewport.target) });
    }
}

#[cfg(test)]
mod tests {
    use crate::render::shaders::Program;
    use crate::render::shaders::layout::{assert_same, layout};

    use super::*;

    #[test]
    fn shaders_read_the_same_layout() {
        assert_same(
            &Program::Composite.source(false),
            "Composite",
            &layout!(CompositeUniform { origin, supersample, has_overlay, background, reduction }),
        );
    }
}

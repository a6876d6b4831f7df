//! From the scene to the picture. Mostly the scene's bytes are the picture's: they are copied. Supersamples, transparent pictures,
//! and those with something over them take a pass of their own (finish.wgsl), and so does a target that cannot be copied to.

use bytemuck::{Pod, Zeroable};

use crate::render::Renderer;
use crate::render::annotations::line;
use crate::render::device::gpu::Gpu;
use crate::render::passes::{self, Target};
use crate::render::picture::{Background, Picture};
use crate::render::pipelines::PipelineKey;

use super::timer::Timer;

/// Keep in sync with `Finish` in finish.wgsl.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct FinishUniform {
    origin: [u32; 2],
    supersample: u32,
    has_overlay: u32,
    background: [f32; 4],
}

/// What surfaces are drawn over. X-ray leaves the background to the last pass, for what lets it through is not blended.
pub(crate) fn behind(picture: &Picture) -> wgpu::Color {
    if picture.display.xray { wgpu::Color::TRANSPARENT } else { light(picture.background) }
}

/// Light; clear where there is none.
fn light(background: Background) -> wgpu::Color {
    let Background::Color(color) = background else { return wgpu::Color::TRANSPARENT };
    let [r, g, b] = line::linear(color).as_dvec3().to_array();
    wgpu::Color { r, g, b, a: 1.0 }
}

impl Renderer {
    /// What was drawn, in its viewport.
    pub(crate) fn show(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        viewport: [u32; 4],
        picture: &Picture,
    ) {
        if self.is_copied(gpu, target, picture.supersample) {
            self.copy_scene(encoder, target, viewport);
        } else {
            self.draw_finish(gpu, encoder, target, viewport);
        }
        if let Some(timer) = &mut self.timer {
            timer.record(encoder);
        }
    }

    /// Whether the scene's bytes are the picture's.
    fn is_copied(&self, gpu: &Gpu, target: &wgpu::TextureView, supersample: u32) -> bool {
        // GL copies nothing between formats.
        let copies = gpu.info.backend != wgpu::Backend::Gl && target.texture().usage().contains(wgpu::TextureUsages::COPY_DST);
        copies && !self.over.any() && supersample <= 1 && self.background != Background::Transparent && !self.xray
    }

    /// The scene into the viewport.
    fn copy_scene(&mut self, encoder: &mut wgpu::CommandEncoder, target: &wgpu::TextureView, [x, y, width, height]: [u32; 4]) {
        let Some(targets) = &self.targets else { return };
        let mut place = target.texture().as_image_copy();
        place.origin = wgpu::Origin3d { x, y, z: 0 };
        let size = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
        encoder.copy_texture_to_texture(targets.scene.texture().as_image_copy(), place, size);
        // Whoever measures wants to know when the copy was done.
        if let Some(end) = self.timer.as_mut().and_then(Timer::end) {
            passes::begin(encoder, "copied", &Target { load: wgpu::LoadOp::Load, ..Target::cleared(target) }, Some(end));
        }
    }

    fn draw_finish(&mut self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder, target: &wgpu::TextureView, [x, y, width, height]: [u32; 4]) {
        let Some(targets) = &self.targets else { return };
        let has_overlay = self.over.any();
        let behind = if self.xray { light(self.background) } else { wgpu::Color::TRANSPARENT };
        let uniform = FinishUniform {
            origin: [x, y],
            supersample: targets.size[0] / width,
            has_overlay: u32::from(has_overlay),
            background: [behind.r, behind.g, behind.b, behind.a].map(|component| component as f32),
        };
        self.finish.write(gpu, &[bytemuck::bytes_of(&uniform)]);
        self.uploaded += self.finish.uploaded;
        let overlay = targets.overlay.as_ref().filter(|_| has_overlay).map_or(&self.clear, |overlay| &overlay.resolved);
        let group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("finish"),
            layout: &self.layouts.finish,
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: self.finish.buffer().as_entire_binding() },
                wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::TextureView(&targets.scene) },
                wgpu::BindGroupEntry { binding: 2, resource: wgpu::BindingResource::TextureView(overlay) },
            ],
        });
        let target = Target { load: wgpu::LoadOp::Load, ..Target::cleared(target) };
        let mut pass = passes::begin(encoder, "finish", &target, self.timer.as_mut().and_then(Timer::end));
        pass.set_viewport(x as f32, y as f32, width as f32, height as f32, 0.0, 1.0);
        pass.set_scissor_rect(x, y, width, height);
        let Some(pipeline) = self.pipelines.get(PipelineKey::Finish) else { return };
        pass.set_pipeline(pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.draw(0..3, 0..1);
    }
}

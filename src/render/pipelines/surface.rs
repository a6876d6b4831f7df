//! A surface pipeline from its key.

use super::super::gpu::Gpu;
use super::super::layouts::Layouts;
use super::super::vertex::{FirstInfluences, Further, Vertex};
use super::key::{Alpha, Cull, PointsOrLines, SurfaceKey};
use super::{SceneTarget, depth_state};

pub(super) fn surface(
    gpu: &Gpu,
    layouts: &Layouts,
    module: &wgpu::ShaderModule,
    key: SurfaceKey,
    scene: SceneTarget,
) -> wgpu::RenderPipeline {
    let SceneTarget { format, samples } = scene;
    let stage = VertexStage {
        skinned: key.skinned,
        placed: key.placed,
        further: key.further,
        morphed: key.morphed,
        further_influences: key.further_influences,
    };
    let [morphs, further_influences, has_further] = stage.constants();
    let constants = [
        morphs,
        further_influences,
        has_further,
        ("has_normals", flag(key.normals)),
        ("has_tangents", flag(key.tangents)),
        ("two_sided", flag(key.two_sided)),
        ("unlit", flag(key.unlit)),
        ("blended", flag(key.alpha == Alpha::Blend)),
        ("studio", flag(key.studio)),
        ("punctual", flag(key.lamps)),
        ("shadowed", flag(key.shadowed)),
        ("shading", key.shading.into()),
        ("tonemap", key.tonemap.into()),
        ("samples", samples.into()),
    ];
    let compilation_options = wgpu::PipelineCompilationOptions { constants: &constants, ..Default::default() };
    let material = Layouts::material(&gpu.device, key.textures);
    gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("surface"),
        layout: Some(&layouts.pipeline(&gpu.device, &[&layouts.frame, &layouts.actor, &layouts.mesh, &material])),
        vertex: wgpu::VertexState {
            module,
            entry_point: Some(stage.entry_point()),
            compilation_options: compilation_options.clone(),
            buffers: &stage.buffers(),
        },
        primitive: wgpu::PrimitiveState {
            topology: match key.points_or_lines {
                None => wgpu::PrimitiveTopology::TriangleList,
                Some(PointsOrLines::Points) => wgpu::PrimitiveTopology::PointList,
                Some(PointsOrLines::Lines) => wgpu::PrimitiveTopology::LineList,
            },
            front_face: if key.mirrored { wgpu::FrontFace::Cw } else { wgpu::FrontFace::Ccw },
            cull_mode: match key.cull {
                Cull::None => None,
                Cull::Back => Some(wgpu::Face::Back),
                Cull::Front => Some(wgpu::Face::Front),
            },
            ..Default::default()
        },
        depth_stencil: Some(wgpu::DepthStencilState { bias: decal_bias(key.alpha), ..depth_state(key.alpha != Alpha::Blend) }),
        multisample: wgpu::MultisampleState { count: samples, ..Default::default() },
        fragment: Some(wgpu::FragmentState {
            module,
            entry_point: Some(match key.alpha {
                Alpha::Mask if samples > 1 && gpu.masks_by_sample() => "sampled_surface",
                // naga's GLSL has no way to write the sample mask.
                Alpha::Mask if samples == 1 || gpu.info.backend == wgpu::Backend::Gl => "cut_surface",
                Alpha::Mask => "masked_surface",
                _ => "surface",
            }),
            compilation_options,
            targets: &[Some(wgpu::ColorTargetState {
                format,
                blend: (key.alpha == Alpha::Blend).then_some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
                write_mask: wgpu::ColorWrites::ALL,
            })],
        }),
        multiview_mask: None,
        cache: None,
    })
}

/// Decals are masked or blended, and lie in the plane of what they are on: nearer by so many of the smallest steps of depth, they
/// are never under it by a rounding.
fn decal_bias(alpha: Alpha) -> wgpu::DepthBiasState {
    let constant = if alpha == Alpha::Opaque { 0 } else { 64 };
    wgpu::DepthBiasState { constant, ..wgpu::DepthBiasState::default() }
}

/// How vertices come in.
pub(super) struct VertexStage {
    pub skinned: bool,
    pub placed: bool,
    pub further: bool,
    pub morphed: bool,
    pub further_influences: bool,
}

impl VertexStage {
    pub fn constants(&self) -> [(&'static str, f64); 3] {
        [("morphs", flag(self.morphed)), ("further_influences", flag(self.further_influences)), ("has_further", flag(self.further))]
    }

    pub fn entry_point(&self) -> &'static str {
        match (self.skinned, self.placed, self.further) {
            (true, _, false) => "skinned",
            (true, _, true) => "skinned_further",
            (false, true, false) => "instanced",
            (false, true, true) => "instanced_further",
            (false, false, false) => "rigid",
            (false, false, true) => "rigid_further",
        }
    }

    pub fn buffers(&self) -> [Option<wgpu::VertexBufferLayout<'static>>; 3] {
        let vertices = vertex_buffer(size_of::<Vertex>(), &Vertex::ATTRIBUTES);
        let influences = self.skinned.then(|| vertex_buffer(size_of::<FirstInfluences>(), &FirstInfluences::ATTRIBUTES));
        let further = self.further.then(|| vertex_buffer(size_of::<Further>(), &Further::ATTRIBUTES));
        [Some(vertices), influences, further]
    }
}

/// A constant of a shader.
pub(super) fn flag(on: bool) -> f64 {
    f64::from(u8::from(on))
}

fn vertex_buffer(stride: usize, attributes: &[wgpu::VertexAttribute]) -> wgpu::VertexBufferLayout<'_> {
    wgpu::VertexBufferLayout { array_stride: stride as u64, step_mode: wgpu::VertexStepMode::Vertex, attributes }
}

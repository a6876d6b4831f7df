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
    let flag = |on: bool| f64::from(u8::from(on));
    let constants = [
        ("has_base_color_texture", flag(key.textures[0])),
        ("has_metallic_roughness_texture", flag(key.textures[1])),
        ("has_normal_texture", flag(key.textures[2])),
        ("has_occlusion_texture", flag(key.textures[3])),
        ("has_emissive_texture", flag(key.textures[4])),
        ("morphs", flag(key.morphed)),
        ("further_influences", flag(key.further_influences)),
        ("has_further", flag(key.further)),
        ("has_normals", flag(key.normals)),
        ("has_tangents", flag(key.tangents)),
        ("two_sided", flag(key.two_sided)),
        ("unlit", flag(key.unlit)),
        ("blended", flag(key.alpha == Alpha::Blend)),
        ("studio", flag(key.studio)),
        ("punctual", flag(key.lamps)),
        ("shading", key.shading.into()),
        ("tonemap", key.tonemap.into()),
        ("samples", samples.into()),
    ];
    let compilation_options = wgpu::PipelineCompilationOptions { constants: &constants, ..Default::default() };
    let vertices = vertex_buffer(size_of::<Vertex>(), &Vertex::ATTRIBUTES);
    let influences = key.skinned.then(|| vertex_buffer(size_of::<FirstInfluences>(), &FirstInfluences::ATTRIBUTES));
    let further = key.further.then(|| vertex_buffer(size_of::<Further>(), &Further::ATTRIBUTES));
    gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("surface"),
        layout: Some(&layouts.pipeline(&gpu.device, &[&layouts.frame, &layouts.actor, &layouts.mesh, &layouts.material])),
        vertex: wgpu::VertexState {
            module,
            entry_point: Some(match (key.skinned, key.placed, key.further) {
                (true, _, false) => "skinned",
                (true, _, true) => "skinned_further",
                (false, true, false) => "instanced",
                (false, true, true) => "instanced_further",
                (false, false, false) => "rigid",
                (false, false, true) => "rigid_further",
            }),
            compilation_options: compilation_options.clone(),
            buffers: &[Some(vertices), influences, further],
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
        depth_stencil: Some(depth_state(key.alpha != Alpha::Blend)),
        multisample: wgpu::MultisampleState { count: samples, ..Default::default() },
        fragment: Some(wgpu::FragmentState {
            module,
            entry_point: Some(match key.alpha {
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

fn vertex_buffer(stride: usize, attributes: &[wgpu::VertexAttribute]) -> wgpu::VertexBufferLayout<'_> {
    wgpu::VertexBufferLayout { array_stride: stride as u64, step_mode: wgpu::VertexStepMode::Vertex, attributes }
}

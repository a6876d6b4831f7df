//! A surface pipeline from its key.

use super::super::gpu::Gpu;
use super::super::layouts::Layouts;
use super::super::vertex::{FirstInfluences, Further, Vertex};
use super::super::wire;
use super::key::{Alpha, Cull, PointsOrLines, Role, SurfaceKey};
use super::{MASK_FORMAT, SCENE_FORMAT, depth_state};

pub(super) fn surface(gpu: &Gpu, layouts: &Layouts, module: &wgpu::ShaderModule, key: SurfaceKey, samples: u32) -> wgpu::RenderPipeline {
    let flag = |on: bool| f64::from(u8::from(on));
    let constants = [
        ("has_base_color_texture", flag(key.textures[0])),
        ("has_metallic_roughness_texture", flag(key.textures[1])),
        ("has_normal_texture", flag(key.textures[2])),
        ("has_occlusion_texture", flag(key.textures[3])),
        ("has_emissive_texture", flag(key.textures[4])),
        ("has_normals", flag(key.normals)),
        ("has_tangents", flag(key.tangents)),
        ("two_sided", flag(key.two_sided)),
        ("unlit", flag(key.unlit)),
        ("blended", flag(key.alpha == Alpha::Blend)),
        ("studio", flag(key.studio)),
        ("punctual", flag(key.lamps)),
        ("shading", key.shading.into()),
        ("tonemap", key.tonemap.into()),
        ("lacking", flag(key.lacking)),
        ("xray", flag(key.xray)),
        ("widened", flag(key.role == Role::Mark)),
        ("samples", samples.into()),
    ];
    let compilation_options = wgpu::PipelineCompilationOptions { constants: &constants, ..Default::default() };
    let vertices = vertex_buffer(size_of::<Vertex>(), &Vertex::ATTRIBUTES);
    let influences = key.skinned.then(|| vertex_buffer(size_of::<FirstInfluences>(), &FirstInfluences::ATTRIBUTES));
    let corners = (key.role == Role::Wire).then(|| vertex_buffer(size_of::<u32>(), &wire::ATTRIBUTES));
    let further = (key.further && key.role != Role::Wire).then(|| vertex_buffer(size_of::<Further>(), &Further::ATTRIBUTES));
    gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("surface"),
        layout: Some(&layouts.pipeline(&gpu.device, &[&layouts.frame, &layouts.actor, &layouts.mesh, &layouts.material])),
        vertex: wgpu::VertexState {
            module,
            entry_point: Some(vertex_entry(key)),
            compilation_options: compilation_options.clone(),
            buffers: &[Some(vertices), influences, further, corners],
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
        depth_stencil: depth(key),
        multisample: wgpu::MultisampleState { count: samples, ..Default::default() },
        fragment: Some(wgpu::FragmentState {
            module,
            entry_point: Some(fragment_entry(key, samples, gpu.info.backend)),
            compilation_options,
            targets: &[Some(wgpu::ColorTargetState {
                format: if key.role == Role::Mark { MASK_FORMAT } else { SCENE_FORMAT },
                blend: (key.alpha == Alpha::Blend || key.role == Role::Wire).then_some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
                write_mask: wgpu::ColorWrites::ALL,
            })],
        }),
        multiview_mask: None,
        cache: None,
    })
}

fn vertex_entry(key: SurfaceKey) -> &'static str {
    match (key.role == Role::Wire, key.skinned, key.placed, key.further) {
        (true, true, ..) => "skinned_wire",
        (true, false, true, _) => "instanced_wire",
        (true, false, false, _) => "rigid_wire",
        (false, true, _, false) => "skinned",
        (false, true, _, true) => "skinned_further",
        (false, false, true, false) => "instanced",
        (false, false, true, true) => "instanced_further",
        (false, false, false, false) => "rigid",
        (false, false, false, true) => "rigid_further",
    }
}

fn fragment_entry(key: SurfaceKey, samples: u32, backend: wgpu::Backend) -> &'static str {
    match (key.role, key.alpha) {
        (Role::Wire, _) => "wire_color",
        (Role::Mark, Alpha::Opaque) => "marked",
        (Role::Mark, _) => "marked_cut",
        // naga's GLSL has no way to write the sample mask.
        (Role::Shade, Alpha::Mask) if samples == 1 || backend == wgpu::Backend::Gl => "cut_surface",
        (Role::Shade, Alpha::Mask) => "masked_surface",
        (Role::Shade, _) => "surface",
    }
}

/// What is selected is marked through all that is before it; edges lie a hair before their own triangle.
fn depth(key: SurfaceKey) -> Option<wgpu::DepthStencilState> {
    match key.role {
        Role::Shade => Some(depth_state(key.alpha != Alpha::Blend)),
        Role::Wire => {
            let bias = wgpu::DepthBiasState { constant: 16, slope_scale: 0.5, clamp: 0.0 };
            Some(wgpu::DepthStencilState { bias, ..depth_state(false) })
        }
        Role::Mark => None,
    }
}

fn vertex_buffer(stride: usize, attributes: &[wgpu::VertexAttribute]) -> wgpu::VertexBufferLayout<'_> {
    wgpu::VertexBufferLayout { array_stride: stride as u64, step_mode: wgpu::VertexStepMode::Vertex, attributes }
}

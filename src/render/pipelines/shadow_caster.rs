//! Builds the pipeline of a shadow caster: it writes only depth, and has a fragment stage only if parts of the surface cast no shadow.

use crate::render::bind_groups::BindGroupLayouts;
use crate::render::device::gpu::Gpu;
use crate::render::light::shadow_fit::ShadowQuality;

use super::key::{Alpha, ShadowCasterKey};
use super::surface::flag;
use super::target::depth_state;

/// Fraction of light that a transmissive surface blocks, because of its reflection and color.
const TRANSMISSIVE_DENSITY: f64 = 0.4;

/// Builds a pipeline that draws into the shadow map.
pub(crate) fn shadow_caster_pipeline(
    gpu: &Gpu,
    layouts: &BindGroupLayouts,
    module: &wgpu::ShaderModule,
    key: ShadowCasterKey,
) -> wgpu::RenderPipeline {
    let stage = key.stage;
    let [morphs, extra_influences, has_optional_attributes] = stage.constants();
    let density = ("shadow_density", if key.transmits { TRANSMISSIVE_DENSITY } else { 1.0 });
    let blended = ("blended", flag(key.alpha == Alpha::Blend));
    let taps = ("shadow_taps", ShadowQuality::for_adapter(gpu).taps.into());
    let constants = [morphs, extra_influences, has_optional_attributes, ("positions_only", 1.0), density, taps, blended];
    let compilation_options = wgpu::PipelineCompilationOptions { constants: &constants, ..Default::default() };
    let entry_point = match key.alpha {
        _ if key.transmits => Some("shadow_caster_dithered"),
        Alpha::Opaque => None,
        Alpha::Mask | Alpha::BlendOpaquePart => Some("shadow_caster_masked"),
        Alpha::Blend => Some("shadow_caster_dithered"),
    };
    let material = BindGroupLayouts::material(&gpu.device, key.textures);
    let groups = [&layouts.shadow_frame, &layouts.actor, &layouts.mesh, &material];
    // A pipeline without a fragment stage does not read the material.
    let groups = if entry_point.is_some() { &groups[..] } else { &groups[..3] };
    gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("shadow caster"),
        layout: Some(&layouts.pipeline(&gpu.device, groups)),
        vertex: wgpu::VertexState {
            module,
            entry_point: Some(stage.entry_point()),
            compilation_options: compilation_options.clone(),
            buffers: &stage.buffers(),
        },
        // No culling: the faces of open meshes block light from both sides.
        primitive: wgpu::PrimitiveState::default(),
        depth_stencil: Some(depth_state(true)),
        multisample: wgpu::MultisampleState::default(),
        fragment: entry_point.map(|entry_point| wgpu::FragmentState {
            module,
            entry_point: Some(entry_point),
            compilation_options,
            targets: &[],
        }),
        multiview_mask: None,
        cache: None,
    })
}

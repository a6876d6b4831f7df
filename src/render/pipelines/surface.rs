//! Builds the pipeline that draws a primitive of a file for one purpose, as described by its key.

use crate::render::bind_groups::BindGroupLayouts;
use crate::render::device::gpu::Gpu;
use crate::render::light::shadow_fit::ShadowQuality;
use crate::render::model::vertex::{FirstInfluences, OptionalAttributes, Vertex};
use crate::render::model::wireframe;
use crate::render::picture::Msaa;

use super::key::{Alpha, Cull, PointsOrLines, Role, SurfaceKey, VertexStage};
use super::target::{MASK_FORMAT, PICKING_FORMAT, SceneTarget, depth_state};

/// Builds a surface pipeline. `module` is the shader of the key's textures and features.
pub(crate) fn surface(
    gpu: &Gpu,
    layouts: &BindGroupLayouts,
    module: &wgpu::ShaderModule,
    key: SurfaceKey,
    scene: SceneTarget,
) -> wgpu::RenderPipeline {
    let (format, samples) = (format(key, scene), scene.samples);
    let stage = VertexStage::from_surface_key(key);
    let constants = constants(gpu, key, &stage, samples);
    let compilation_options = wgpu::PipelineCompilationOptions { constants: &constants, ..Default::default() };
    let material = BindGroupLayouts::material(&gpu.device, key.textures);
    gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("surface"),
        layout: Some(&layouts.pipeline(&gpu.device, &[&layouts.frame, &layouts.actor, &layouts.mesh, &material])),
        vertex: wgpu::VertexState {
            module,
            entry_point: Some(stage.entry_point()),
            compilation_options: compilation_options.clone(),
            buffers: &stage.buffers(),
        },
        primitive: primitive(key),
        depth_stencil: depth(key),
        multisample: wgpu::MultisampleState { count: samples.samples(), ..Default::default() },
        fragment: Some(wgpu::FragmentState {
            module,
            entry_point: Some(fragment_entry(gpu, key, samples)),
            compilation_options,
            targets: &[Some(wgpu::ColorTargetState {
                format,
                blend: blends(key).then_some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
                write_mask: if key.role == Role::GhostDepth { wgpu::ColorWrites::empty() } else { wgpu::ColorWrites::ALL },
            })],
        }),
        multiview_mask: None,
        cache: None,
    })
}

/// Returns the values of the shader's `override` constants.
fn constants(gpu: &Gpu, key: SurfaceKey, stage: &VertexStage, samples: Msaa) -> [(&'static str, f64); 20] {
    let [morphs, extra_influences, has_optional_attributes] = stage.constants();
    [
        morphs,
        extra_influences,
        has_optional_attributes,
        ("has_normals", flag(key.normals)),
        ("has_tangents", flag(key.tangents)),
        ("maps_normals", flag(key.points_or_lines.is_none() || key.tangents)),
        ("two_sided", flag(key.two_sided)),
        ("unlit", flag(key.unlit)),
        ("emits", flag(key.emissive)),
        ("blended", flag(is_blended(key))),
        ("lit_by_environment", flag(key.lit_by_environment)),
        ("punctual", flag(key.punctual)),
        ("shadowed", flag(key.shadowed)),
        ("shadow_taps", ShadowQuality::for_adapter(gpu).taps.into()),
        ("shading", key.shading.into()),
        ("tonemap", key.tonemap.into()),
        ("attribute_missing", flag(key.attribute_missing)),
        ("xray", flag(key.xray)),
        ("has_margin", flag(key.role == Role::OutlineMask)),
        ("samples", samples.samples().into()),
    ]
}

/// Returns topology, front face and culling.
fn primitive(key: SurfaceKey) -> wgpu::PrimitiveState {
    wgpu::PrimitiveState {
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
    }
}

/// Returns the format of the target that a surface pipeline draws into.
pub(crate) fn format(key: SurfaceKey, scene: SceneTarget) -> wgpu::TextureFormat {
    match key.role {
        Role::Shade | Role::Wireframe | Role::GhostDepth | Role::Ghost => scene.format,
        Role::OutlineMask => MASK_FORMAT,
        Role::Picking => PICKING_FORMAT,
    }
}

/// Returns whether the pipeline blends with previous draws.
fn blends(key: SurfaceKey) -> bool {
    match key.role {
        Role::Shade | Role::OutlineMask => is_blended(key),
        Role::Wireframe | Role::Ghost => true,
        Role::GhostDepth | Role::Picking => false,
    }
}

/// Returns whether the material's alpha mode is BLEND.
fn is_blended(key: SurfaceKey) -> bool {
    matches!(key.alpha, Alpha::BlendOpaquePart | Alpha::Blend)
}

/// Returns the entry point of the fragment stage. The fragment stages of masked and blended surfaces discard fragments by alpha.
fn fragment_entry(gpu: &Gpu, key: SurfaceKey, samples: Msaa) -> &'static str {
    match (key.role, key.alpha) {
        (Role::Wireframe, _) => "wire_color",
        (Role::OutlineMask | Role::GhostDepth, Alpha::Opaque) => "outline_mask",
        (Role::OutlineMask | Role::GhostDepth, _) => "outline_mask_cut",
        (Role::Ghost, Alpha::Opaque) => "ghost",
        (Role::Ghost, _) => "ghost_cut",
        (Role::Picking, Alpha::Opaque) => "picked",
        (Role::Picking, _) => "picked_cut",
        (Role::Shade, Alpha::BlendOpaquePart) => "blended_opaque_part",
        (Role::Shade, Alpha::Mask) if samples == Msaa::Four && gpu.masks_by_sample() => "masked_surface_by_sample",
        // naga cannot write the sample mask in GLSL.
        (Role::Shade, Alpha::Mask) if samples == Msaa::One || gpu.info.backend == wgpu::Backend::Gl => "masked_surface_by_discard",
        (Role::Shade, Alpha::Mask) => "masked_surface_by_coverage",
        (Role::Shade, _) => "surface",
    }
}

/// Returns the depth state. The selection mask ignores depth. The edges of the wireframe are biased slightly in front of their triangles.
/// A ghost is drawn twice: its depth, then its color. The color is biased slightly in front of the depth, so where the body has not moved,
/// a ghost hides those that are drawn after it.
fn depth(key: SurfaceKey) -> Option<wgpu::DepthStencilState> {
    match key.role {
        Role::Shade => Some(wgpu::DepthStencilState { bias: decal_bias(key), ..depth_state(key.alpha != Alpha::Blend) }),
        Role::Wireframe => {
            // With this bias, edges are also in front of decals.
            let bias = wgpu::DepthBiasState { constant: 80, slope_scale: 0.5, clamp: 0.0 };
            Some(wgpu::DepthStencilState { bias, ..depth_state(false) })
        }
        Role::OutlineMask => None,
        Role::GhostDepth | Role::Picking => Some(depth_state(true)),
        // Points and lines cannot have a bias, so they are drawn at the depth that they wrote themselves.
        Role::Ghost if key.points_or_lines.is_some() => {
            Some(wgpu::DepthStencilState { depth_compare: Some(wgpu::CompareFunction::GreaterEqual), ..depth_state(true) })
        }
        Role::Ghost => {
            let compare = Some(wgpu::CompareFunction::Greater);
            let bias = wgpu::DepthBiasState { constant: 16, slope_scale: 0.25, clamp: 0.0 };
            Some(wgpu::DepthStencilState { bias, depth_compare: compare, ..depth_state(true) })
        }
    }
}

/// Returns the depth bias of decals. Decals are masked or blended surfaces in the plane of another surface. Without a bias, rounding could
/// put them behind that surface: the depth is rounded, and graphics cards round the corners of triangles to a fraction of a pixel. The bias
/// is 64 times the smallest depth step plus the change of depth over a sixteenth of a pixel.
fn decal_bias(key: SurfaceKey) -> wgpu::DepthBiasState {
    // Points and lines cannot have a bias.
    if key.alpha == Alpha::Opaque || key.points_or_lines.is_some() {
        return wgpu::DepthBiasState::default();
    }
    wgpu::DepthBiasState { constant: 64, slope_scale: 1.0 / 16.0, clamp: 0.0 }
}

impl VertexStage {
    /// Returns the values of the `override` constants that the vertex stage reads.
    pub fn constants(&self) -> [(&'static str, f64); 3] {
        [
            ("morphs", flag(self.morphed)),
            ("extra_influences", flag(self.extra_influences)),
            ("has_optional_attributes", flag(self.optional_attributes)),
        ]
    }

    /// Returns the vertex entry point in mesh.wgsl or wireframe.wgsl.
    pub fn entry_point(&self) -> &'static str {
        match (self.wire, self.skinned, self.instanced, self.optional_attributes) {
            (true, true, ..) => "skinned_wire",
            (true, false, true, _) => "instanced_wire",
            (true, false, false, _) => "rigid_wire",
            (false, true, _, false) => "skinned",
            (false, true, _, true) => "skinned_with_optional",
            (false, false, true, false) => "instanced",
            (false, false, true, true) => "instanced_with_optional",
            (false, false, false, false) => "rigid",
            (false, false, false, true) => "rigid_with_optional",
        }
    }

    /// Returns the layouts of vertex buffers 0 to 3: attributes, influences, optional attributes, corner numbers.
    pub fn buffers(&self) -> [Option<wgpu::VertexBufferLayout<'static>>; 4] {
        let vertices = vertex_buffer(size_of::<Vertex>(), &Vertex::ATTRIBUTES);
        let influences = self.skinned.then(|| vertex_buffer(size_of::<FirstInfluences>(), &FirstInfluences::ATTRIBUTES));
        let optional_attributes = (self.optional_attributes && !self.wire)
            .then(|| vertex_buffer(size_of::<OptionalAttributes>(), &OptionalAttributes::ATTRIBUTES));
        let corners = self.wire.then(|| vertex_buffer(size_of::<u32>(), &wireframe::ATTRIBUTES));
        [Some(vertices), influences, optional_attributes, corners]
    }
}

/// Converts a flag to the value of a shader constant.
pub(crate) fn flag(on: bool) -> f64 {
    f64::from(u8::from(on))
}

/// Returns the layout of a buffer that is stepped per vertex.
fn vertex_buffer(stride: usize, attributes: &[wgpu::VertexAttribute]) -> wgpu::VertexBufferLayout<'_> {
    wgpu::VertexBufferLayout { array_stride: stride as u64, step_mode: wgpu::VertexStepMode::Vertex, attributes }
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;
    use naga::{Expression, Literal};

    use crate::render::pipelines::key::shading_index;
    use crate::render::shaders::Program;
    use crate::session::view::display::Shading;

    #[test]
    fn shaders_know_the_index_of_every_shading() {
        let module = naga::front::wgsl::parse_str(&Program::Surface.source(false)).unwrap();
        let index = |name: &str| {
            let (_, constant) = module.constants.iter().find(|(_, constant)| constant.name.as_deref() == Some(name)).unwrap();
            module.global_expressions[constant.init].clone()
        };
        for shading in Shading::value_variants() {
            let word = shading.to_possible_value().unwrap().get_name().to_uppercase().replace('-', "_");
            let expected = Expression::Literal(Literal::U32(shading_index(*shading).into()));
            assert_eq!(index(&format!("SHADING_{word}")), expected);
        }
    }
}

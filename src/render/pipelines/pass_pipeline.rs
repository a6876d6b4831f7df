//! Builds the pipelines for everything except primitives of a file: background, ground, lines, joints, outline, composite.

use crate::render::device::gpu::Gpu;
use crate::render::picture::Msaa;

use super::target::{SceneTarget, depth_state};

/// The settings in which these pipelines differ.
pub(crate) struct PassPipelineOptions<'a> {
    /// Entry points of the vertex and the fragment stage.
    pub entries: [&'a str; 2],
    /// Values of the shader's `override` constants.
    pub constants: &'a [(&'a str, f64)],
    /// Vertex buffers, if the pipeline has any.
    pub buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    /// Format of the color target.
    pub format: wgpu::TextureFormat,
    /// Depth test. `None` for passes without depth.
    pub depth: Option<wgpu::DepthStencilState>,
    pub samples: Msaa,
    pub topology: wgpu::PrimitiveTopology,
    /// How the color is blended. `None` replaces it.
    pub blend: Option<wgpu::BlendState>,
}

impl<'a> PassPipelineOptions<'a> {
    /// Returns options that blend into the scene with a depth test, but without writing depth.
    pub fn in_scene(SceneTarget { format, samples }: SceneTarget) -> Self {
        let blend = Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING);
        let (depth, topology) = (Some(depth_state(false)), wgpu::PrimitiveTopology::TriangleStrip);
        Self { entries: ["", ""], constants: &[], buffers: &[], format, depth, samples, topology, blend }
    }

    /// Returns these options with the entry points of the vertex and the fragment stage.
    pub fn entries(self, vertex: &'a str, fragment: &'a str) -> Self {
        Self { entries: [vertex, fragment], ..self }
    }

    /// Returns these options with values of the shader's `override` constants.
    pub fn constants(self, constants: &'a [(&'a str, f64)]) -> Self {
        Self { constants, ..self }
    }

    /// Returns these options with vertex buffers.
    pub fn buffers(self, buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>]) -> Self {
        Self { buffers, ..self }
    }

    /// Returns these options, or if `is_under` is true, options that blend under all previous draws, regardless of depth. Depth cannot
    /// decide, because translucent surfaces write depth but do not hide what is under them.
    pub fn under_if(self, is_under: bool) -> Self {
        if !is_under {
            return self;
        }
        let component = wgpu::BlendComponent {
            src_factor: wgpu::BlendFactor::OneMinusDstAlpha,
            dst_factor: wgpu::BlendFactor::One,
            operation: wgpu::BlendOperation::Add,
        };
        Self { depth: Some(any_depth()), blend: Some(wgpu::BlendState { color: component, alpha: component }), ..self }
    }

    /// Returns options that blend over the picture. The last draw is in front.
    pub fn overlay(target: SceneTarget) -> Self {
        Self { depth: Some(any_depth()), ..Self::in_scene(target) }
    }

    /// Returns options that replace the whole target, without depth.
    pub fn full_target(format: wgpu::TextureFormat) -> Self {
        Self { depth: None, blend: None, ..Self::in_scene(SceneTarget { format, samples: Msaa::One }) }
    }
}

/// Returns a depth state that always passes and writes nothing. Pipelines need it in passes that have depth.
fn any_depth() -> wgpu::DepthStencilState {
    wgpu::DepthStencilState { depth_compare: Some(wgpu::CompareFunction::Always), ..depth_state(false) }
}

/// Vertex buffers of solid joints, with one instance per joint.
pub(crate) const JOINT_BUFFERS: [Option<wgpu::VertexBufferLayout<'static>>; 1] = [Some(wgpu::VertexBufferLayout {
    array_stride: size_of::<crate::render::annotations::skeleton::GpuSolidJoint>() as u64,
    step_mode: wgpu::VertexStepMode::Instance,
    attributes: &crate::render::annotations::skeleton::GpuSolidJoint::ATTRIBUTES,
})];

/// Vertex buffers of lines, with one instance per line.
pub(crate) const LINE_BUFFERS: [Option<wgpu::VertexBufferLayout<'static>>; 1] = [Some(wgpu::VertexBufferLayout {
    array_stride: size_of::<crate::render::annotations::line::GpuLine>() as u64,
    step_mode: wgpu::VertexStepMode::Instance,
    attributes: &crate::render::annotations::line::GpuLine::ATTRIBUTES,
})];

/// Builds a pipeline of the given layout and module.
pub(crate) fn pass_pipeline(
    gpu: &Gpu,
    layout: &wgpu::PipelineLayout,
    module: &wgpu::ShaderModule,
    options: &PassPipelineOptions,
) -> wgpu::RenderPipeline {
    let compilation_options = wgpu::PipelineCompilationOptions { constants: options.constants, ..Default::default() };
    gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(options.entries[1]),
        layout: Some(layout),
        vertex: wgpu::VertexState {
            module,
            entry_point: Some(options.entries[0]),
            compilation_options: compilation_options.clone(),
            buffers: options.buffers,
        },
        primitive: wgpu::PrimitiveState { topology: options.topology, ..Default::default() },
        depth_stencil: options.depth.clone(),
        multisample: wgpu::MultisampleState { count: options.samples.samples(), ..Default::default() },
        fragment: Some(wgpu::FragmentState {
            module,
            entry_point: Some(options.entries[1]),
            compilation_options,
            targets: &[Some(wgpu::ColorTargetState { format: options.format, blend: options.blend, write_mask: wgpu::ColorWrites::ALL })],
        }),
        multiview_mask: None,
        cache: None,
    })
}

//! Pipelines: one plain key names each, it is compiled when something first needs it, and kept.

use std::collections::HashMap;

use crate::model::mesh::Topology;
use crate::session::view::{Shading, Tonemap};

use super::gpu::Gpu;
use super::layouts::Layouts;
use super::material::SLOT_COUNT;
use super::shaders::Program;
use super::vertex::{FirstInfluences, Further, Vertex};

pub(super) const SCENE_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;
pub(super) const DEPTH_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
pub(super) const OVERLAY_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// All that makes one surface pipeline differ from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct SurfaceKey {
    pub alpha: Alpha,
    pub points_or_lines: Option<PointsOrLines>,
    pub skinned: bool,
    /// There are attributes beyond those that every vertex has.
    pub further: bool,
    /// In many places, which are multiplied onto the node's matrix.
    pub placed: bool,
    /// Front faces turn clockwise: the transform mirrors.
    pub mirrored: bool,
    pub cull: Cull,
    /// By slot.
    pub textures: [bool; SLOT_COUNT],
    pub normals: bool,
    pub tangents: bool,
    /// Back faces are lit as seen from behind.
    pub two_sided: bool,
    pub unlit: bool,
    pub studio: bool,
    pub lamps: bool,
    pub shading: u8,
    pub tonemap: u8,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Alpha {
    Opaque,
    Mask,
    Blend,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum PointsOrLines {
    Points,
    Lines,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Cull {
    None,
    Back,
    Front,
}

impl SurfaceKey {
    /// Without what makes no difference, so that equal pipelines have equal keys.
    pub fn simplified(mut self) -> Self {
        let colors_only = self.unlit || !matches!(self.shading, LIT | CLAY | NORMALS | TANGENTS);
        if colors_only {
            (self.normals, self.tangents, self.two_sided) = (true, false, false);
        }
        if colors_only || !matches!(self.shading, LIT | CLAY) {
            (self.studio, self.lamps, self.tonemap) = (false, false, tonemap_index(Tonemap::None));
        }
        let [base, metallic_roughness, normal, occlusion, emissive] = self.textures;
        let lit = !colors_only && self.shading == LIT;
        // What alpha decides needs the base colour in every mode.
        let base = base && (self.alpha != Alpha::Opaque || self.unlit || matches!(self.shading, LIT | BASE_COLOR));
        self.textures = [base, metallic_roughness && lit, normal && !colors_only, occlusion && lit, emissive && lit];
        let needs_tangents = !colors_only && (self.textures[2] || self.shading == TANGENTS);
        self.tangents &= needs_tangents;
        self
    }
}

const LIT: u8 = Shading::Lit as u8;
const BASE_COLOR: u8 = Shading::BaseColor as u8;
const CLAY: u8 = Shading::Clay as u8;
const NORMALS: u8 = Shading::Normals as u8;
const TANGENTS: u8 = Shading::Tangents as u8;

/// Keep in sync with tonemap.wgsl.
pub(super) fn tonemap_index(tonemap: Tonemap) -> u8 {
    match tonemap {
        Tonemap::Neutral => 0,
        Tonemap::Aces => 1,
        Tonemap::Agx => 2,
        Tonemap::None => 3,
    }
}

/// Keep in sync with surface.wgsl.
pub(super) fn shading_index(shading: Shading) -> u8 {
    shading as u8
}

pub(super) struct Pipelines {
    samples: u32,
    target_format: wgpu::TextureFormat,
    modules: HashMap<&'static str, wgpu::ShaderModule>,
    surfaces: HashMap<SurfaceKey, wgpu::RenderPipeline>,
    others: HashMap<&'static str, wgpu::RenderPipeline>,
}

impl Pipelines {
    pub fn new(target_format: wgpu::TextureFormat, samples: u32) -> Self {
        Self { samples, target_format, modules: HashMap::new(), surfaces: HashMap::new(), others: HashMap::new() }
    }

    /// How many were made so far.
    pub fn count(&self) -> usize {
        self.surfaces.len() + self.others.len()
    }

    pub fn surface(&mut self, gpu: &Gpu, layouts: &Layouts, key: SurfaceKey) -> &wgpu::RenderPipeline {
        let module = module(&mut self.modules, gpu, "surface", Program::Surface);
        self.surfaces.entry(key).or_insert_with(|| surface(gpu, layouts, module, key, self.samples))
    }

    pub fn grid(&mut self, gpu: &Gpu, layouts: &Layouts) -> &wgpu::RenderPipeline {
        let module = module(&mut self.modules, gpu, "grid", Program::Grid);
        self.others.entry("grid").or_insert_with(|| {
            let layout = layouts.pipeline(&gpu.device, &[&layouts.frame]);
            flat(gpu, &layout, module, &Flat { entries: ["ground", "ground_color"], ..Flat::in_scene(self.samples) })
        })
    }

    pub fn scene_lines(&mut self, gpu: &Gpu, layouts: &Layouts) -> &wgpu::RenderPipeline {
        let module = module(&mut self.modules, gpu, "line", Program::Line);
        self.others.entry("scene lines").or_insert_with(|| {
            let layout = layouts.pipeline(&gpu.device, &[&layouts.frame]);
            let options = Flat { buffers: &LINE_BUFFERS, constants: &[("in_scene", 1.0)], ..Flat::in_scene(self.samples) };
            flat(gpu, &layout, module, &Flat { entries: ["line", "line_color"], ..options })
        })
    }

    pub fn overlay_lines(&mut self, gpu: &Gpu, layouts: &Layouts) -> &wgpu::RenderPipeline {
        let module = module(&mut self.modules, gpu, "line", Program::Line);
        self.others.entry("overlay lines").or_insert_with(|| {
            let layout = layouts.pipeline(&gpu.device, &[&layouts.frame]);
            let options = Flat { format: OVERLAY_FORMAT, depth: false, samples: 1, ..Flat::in_scene(1) };
            flat(gpu, &layout, module, &Flat { entries: ["line", "line_color"], buffers: &LINE_BUFFERS, ..options })
        })
    }

    pub fn finish(&mut self, gpu: &Gpu, layouts: &Layouts) -> &wgpu::RenderPipeline {
        let module = module(&mut self.modules, gpu, "finish", Program::Finish);
        let format = self.target_format;
        self.others.entry("finish").or_insert_with(|| {
            let layout = layouts.pipeline(&gpu.device, &[&layouts.finish]);
            let options = Flat { format, depth: false, samples: 1, blend: None, ..Flat::in_scene(1) };
            flat(gpu, &layout, module, &Flat { entries: ["whole", "finished"], ..options })
        })
    }
}

fn module<'a>(
    modules: &'a mut HashMap<&'static str, wgpu::ShaderModule>,
    gpu: &Gpu,
    name: &'static str,
    program: Program,
) -> &'a wgpu::ShaderModule {
    modules.entry(name).or_insert_with(|| {
        let source = wgpu::ShaderSource::Wgsl(program.source().into());
        gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor { label: Some(name), source })
    })
}

/// Depth is reversed: nearer is larger.
fn depth_state(write: bool) -> wgpu::DepthStencilState {
    wgpu::DepthStencilState {
        format: DEPTH_FORMAT,
        depth_write_enabled: Some(write),
        depth_compare: Some(wgpu::CompareFunction::GreaterEqual),
        stencil: wgpu::StencilState::default(),
        bias: wgpu::DepthBiasState::default(),
    }
}

fn surface(gpu: &Gpu, layouts: &Layouts, module: &wgpu::ShaderModule, key: SurfaceKey, samples: u32) -> wgpu::RenderPipeline {
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
                format: SCENE_FORMAT,
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

/// What the pipelines that draw no file have between them.
struct Flat<'a> {
    entries: [&'a str; 2],
    constants: &'a [(&'a str, f64)],
    buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    format: wgpu::TextureFormat,
    depth: bool,
    samples: u32,
    blend: Option<wgpu::BlendState>,
}

impl Flat<'_> {
    fn in_scene(samples: u32) -> Self {
        let blend = Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING);
        Self { entries: ["", ""], constants: &[], buffers: &[], format: SCENE_FORMAT, depth: true, samples, blend }
    }
}

const LINE_BUFFERS: [Option<wgpu::VertexBufferLayout<'static>>; 1] = [Some(wgpu::VertexBufferLayout {
    array_stride: size_of::<super::lines::GpuLine>() as u64,
    step_mode: wgpu::VertexStepMode::Instance,
    attributes: &super::lines::GpuLine::ATTRIBUTES,
})];

fn flat(gpu: &Gpu, layout: &wgpu::PipelineLayout, module: &wgpu::ShaderModule, options: &Flat) -> wgpu::RenderPipeline {
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
        primitive: wgpu::PrimitiveState { topology: wgpu::PrimitiveTopology::TriangleStrip, ..Default::default() },
        depth_stencil: options.depth.then(|| depth_state(false)),
        multisample: wgpu::MultisampleState { count: options.samples, ..Default::default() },
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

impl PointsOrLines {
    pub fn from_topology(topology: Topology) -> Option<Self> {
        match topology {
            Topology::Triangles => None,
            Topology::Points => Some(Self::Points),
            Topology::Lines => Some(Self::Lines),
        }
    }
}

//! Pipelines: one plain key names each, it is made when something first needs it, on threads of its own ([`maker`]), and kept.
//! Who draws a still waits for what it needs; who draws a window goes on with what it has and is told when there is more.

mod compiler;
mod fullscreen;
mod key;
mod shadow_caster;
mod software_warmup;
mod surface;
mod warmup;

use std::collections::{HashMap, HashSet};

use super::Wake;
use super::bind_groups::Layouts;
use super::device::gpu::Gpu;

use compiler::{PipelineBuilder, PipelineCompiler};

pub(crate) use key::Alpha;
pub(crate) use key::Cull;
pub(crate) use key::PointsOrLines;
pub(crate) use key::Role;
pub(crate) use key::SurfaceKey;
pub(crate) use key::WEIGHTS;
pub(crate) use key::shading_index;
pub(crate) use key::tonemap_index;
pub(crate) use shadow_caster::CastKey;
pub(crate) use surface::VertexStage;
pub(crate) use warmup::Order;
pub(crate) use warmup::Sample;

/// Light, of what stands behind transmissive surfaces.
pub(crate) const BEHIND_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;
/// Where something is, and where not.
pub(crate) const MASK_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::R8Unorm;
/// A vertex, and the number of a draw.
pub(crate) const IDENTITY_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba32Uint;
pub(crate) const DEPTH_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// What surfaces, ground and axes are drawn into.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SceneTarget {
    /// Bytes that are written and read as linear light: what is blended and resolved is light, and where nothing is left to do
    /// the bytes are the picture's.
    pub format: wgpu::TextureFormat,
    /// 1 or 4.
    pub samples: u32,
}

impl SceneTarget {
    /// Of a renderer whose pictures have a plain `target_format`.
    pub fn new(target_format: wgpu::TextureFormat, samples: u32) -> Self {
        Self { format: target_format.add_srgb_suffix(), samples: if samples > 1 { 4 } else { 1 } }
    }
}

/// The name of a pipeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum PipelineKey {
    Surface(SurfaceKey),
    /// Into the shadow map.
    Cast(CastKey),
    /// The light from all around, as one sees it, by its tone map; `behind` all that is drawn, be it before or not.
    Background {
        tonemap: u8,
        behind: bool,
    },
    /// What receives the shadow.
    Ground,
    Grid {
        behind: bool,
    },
    SceneLines {
        behind: bool,
    },
    OverlayLines,
    /// Joints over the picture; or in the scene, where what is before them hides them.
    Solids {
        in_scene: bool,
    },
    /// Which blocks of the picture the outline may be in.
    OutlineBlocks,
    Outline,
    /// What is behind glass, from the scene by its tone map; or a level of it from the one before.
    Behind(u8),
    BehindSmaller,
    /// The last pass.
    Finish,
}

pub(crate) struct Pipelines {
    maker: PipelineCompiler,
    /// None: it could not be made, and what needs it is not drawn.
    made: HashMap<PipelineKey, Option<wgpu::RenderPipeline>>,
    pending: HashSet<PipelineKey>,
    /// Why the first that could not be made was not.
    pub failure: Option<String>,
}

impl Pipelines {
    /// `wake`: for who does not wait; then pipelines are warmed before they are offered.
    pub fn new(gpu: &Gpu, layouts: &Layouts, target_format: wgpu::TextureFormat, scene: SceneTarget, wake: Option<Wake>) -> Self {
        let workshop = PipelineBuilder::new(gpu.clone(), layouts.clone(), target_format, scene);
        Self { maker: PipelineCompiler::new(workshop, wake), made: HashMap::new(), pending: HashSet::new(), failure: None }
    }

    /// Whether nobody waits for what is not there.
    pub fn in_background(&self) -> bool {
        self.maker.wakes()
    }

    /// None: not yet, or never.
    pub fn get(&self, key: PipelineKey) -> Option<&wgpu::RenderPipeline> {
        self.made.get(&key)?.as_ref()
    }

    /// Made, or given up.
    pub fn is_ready(&self, key: PipelineKey) -> bool {
        self.made.contains_key(&key)
    }

    /// Made, given up, or being made.
    pub fn is_known(&self, key: PipelineKey) -> bool {
        self.made.contains_key(&key) || self.pending.contains(&key)
    }

    /// Has a pipeline made, unless it is known.
    pub fn order(&mut self, order: Order) {
        let key = order.key;
        if self.is_known(key) {
            return;
        }
        match self.maker.order(order) {
            Ok(()) => drop(self.pending.insert(key)),
            Err(reason) => self.keep(key, Err(reason)),
        }
    }

    /// Takes in what has been made meanwhile.
    pub fn take_in(&mut self) {
        while let Some((key, made)) = self.maker.finished() {
            self.keep(key, made);
        }
    }

    /// Until all that was ordered is there.
    pub fn wait(&mut self) {
        while !self.pending.is_empty() {
            match self.maker.next() {
                Some((key, made)) => self.keep(key, made),
                None => self.pending.drain().collect::<Vec<_>>().into_iter().for_each(|key| self.keep(key, Err("its thread ended".into()))),
            }
        }
    }

    fn keep(&mut self, key: PipelineKey, made: Result<wgpu::RenderPipeline, String>) {
        self.pending.remove(&key);
        let made = made.map_err(|reason| {
            log::error!("graphics: a pipeline could not be made, what needs it is not drawn: {reason}");
            self.failure.get_or_insert(reason);
        });
        self.made.insert(key, made.ok());
    }
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

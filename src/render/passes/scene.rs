//! Draws the world in this order: solid surfaces, the environment behind them, the ground, the axes, ghosts, blended surfaces from back to
//! front, the wireframe, and the lines and joints that surfaces may hide. In x-ray mode the environment is drawn after the ground and the
//! axes.

use crate::render::annotations::line::GpuLine;
use crate::render::annotations::skeleton::GpuSolidJoint;
use crate::render::buffers::dynamic_buffer::DynamicBuffer;
use crate::render::device::gpu::Gpu;
use crate::render::device::memory::texture_bytes;
use crate::render::draw_list::DrawList;
use crate::render::draw_list::draw::{Draw, DrawRange};
use crate::render::picture::Msaa;
use crate::render::pipelines::key::{PipelineKey, Role, tonemap_index};
use crate::render::pipelines::target::SceneTarget;

use super::context::{FrameContext, PassTarget, SharedResources};
use super::targets::Targets;

/// Ghosts use the depths from 0 to this value. Depth is reversed, so these depths stand for distances of more than 10,000 times the
/// distance of the near plane. Ghosts are therefore behind all surfaces that are nearer than that.
const GHOST_DEPTH: f32 = 1e-4;

/// Owns the scene's targets, and the vertex buffers of the lines and joints in the scene.
pub(crate) struct ScenePass {
    /// Format of the resolved color.
    format: wgpu::TextureFormat,
    /// `None` before the first frame.
    targets: Option<Targets>,
    /// Instances of [`GpuLine`]: the axes, then lines that surfaces may hide.
    lines: DynamicBuffer,
    /// Instances of [`GpuSolidJoint`] that surfaces may hide. Empty if solid joints are part of the overlay.
    solid_joints: DynamicBuffer,
}

impl ScenePass {
    /// Makes a pass without targets.
    pub fn new(gpu: &Gpu, format: wgpu::TextureFormat) -> Self {
        let buffer = |label, min_bytes| DynamicBuffer::new(gpu, label, wgpu::BufferUsages::VERTEX, min_bytes);
        let (lines, solid_joints) = (buffer("scene lines", size_of::<GpuLine>()), buffer("scene solid joints", size_of::<GpuSolidJoint>()));
        Self { format, targets: None, lines, solid_joints }
    }

    /// Returns whether the targets exist and have this size, in texels, and this number of samples.
    pub fn fits(&self, size: [u32; 2], samples: Msaa) -> bool {
        self.targets.as_ref().is_some_and(|targets| targets.fits(size, samples))
    }

    /// Makes the targets again if the size or the number of samples changes.
    pub fn resize(&mut self, gpu: &Gpu, size: [u32; 2], samples: Msaa) {
        if !self.fits(size, samples) {
            self.targets = Some(Targets::new(gpu, size, SceneTarget { format: self.format, samples }));
        }
    }

    /// Returns the bytes of the targets.
    pub fn memory_bytes(&self) -> u64 {
        texture_bytes(self.targets.iter().flat_map(Targets::views))
    }

    /// Returns the targets. `None` before the first frame.
    pub fn targets(&self) -> Option<&Targets> {
        self.targets.as_ref()
    }

    /// Uploads lines and solid joints. Returns the uploaded bytes.
    pub fn upload(&mut self, gpu: &Gpu, list: &DrawList) -> u64 {
        let solid_joints: &[_] = if list.has_solid_joints_in_scene() { &list.solid_joints } else { &[] };
        self.lines.write(gpu, &[bytemuck::cast_slice(&list.scene_lines)]);
        self.solid_joints.write(gpu, &[bytemuck::cast_slice(solid_joints)]);
        self.lines.uploaded + self.solid_joints.uploaded
    }

    /// Returns the vertex buffer of a pipeline that draws this pass's lines or solid joints, else `None`.
    pub fn vertex_buffer(&self, key: PipelineKey) -> Option<&wgpu::Buffer> {
        match key {
            PipelineKey::SceneLines { .. } => Some(self.lines.buffer()),
            PipelineKey::SolidJoints { in_scene: true } => Some(self.solid_joints.buffer()),
            _ => None,
        }
    }

    /// Records the whole scene in one pass. If `load` is [`wgpu::LoadOp::Load`], the targets already hold the solid surfaces. If it clears
    /// the targets, this pass draws the solid surfaces as well.
    pub fn record(&self, frame: &mut FrameContext, list: &DrawList, load: wgpu::LoadOp<wgpu::Color>, ghosts: &[DrawRange]) {
        let Some(targets) = &self.targets else { return };
        let mut pass = frame.begin_pass("scene", &PassTarget { load, ..targets.pass_target() });
        self.draw_before_ghosts(&mut pass, frame.shared, list, load);
        draw_ghosts(&mut pass, frame, ghosts);
        self.draw_after_ghosts(&mut pass, frame.shared, list);
    }

    /// Records all draws before the ghosts. [`Self::record_chunk`] then draws ghosts into the same samples.
    pub fn record_start(&self, frame: &mut FrameContext, list: &DrawList, load: wgpu::LoadOp<wgpu::Color>) {
        let Some(targets) = &self.targets else { return };
        let target = PassTarget { load, resolve: None, stores_samples: true, ..targets.pass_target() };
        let mut pass = frame.begin_pass("scene start", &target);
        self.draw_before_ghosts(&mut pass, frame.shared, list, load);
    }

    /// Records all draws after the ghosts and resolves the samples.
    pub fn record_end(&self, frame: &mut FrameContext, list: &DrawList) {
        let Some(targets) = &self.targets else { return };
        let mut pass = frame.begin_pass("scene end", &PassTarget { load: wgpu::LoadOp::Load, ..targets.pass_target() });
        self.draw_after_ghosts(&mut pass, frame.shared, list);
    }

    /// Records a chunk of the solid surfaces or of the ghosts, and keeps samples and depth for the next pass. A chunk never contains both.
    pub fn record_chunk(&self, frame: &mut FrameContext, chunk: &[DrawRange], load: wgpu::LoadOp<wgpu::Color>) {
        let Some(targets) = &self.targets else { return };
        let target = PassTarget { load, resolve: None, stores_samples: true, ..targets.pass_target() };
        let mut pass = frame.begin_pass("scene chunk", &target);
        match chunk.first() {
            Some(first) if matches!(first.key.role, Role::GhostDepth | Role::Ghost) => draw_ghosts(&mut pass, frame, chunk),
            _ => draw_chunk(&mut pass, frame.shared, chunk),
        }
    }

    /// Draws the solid surfaces, unless `load` keeps those that are already drawn. Then draws the environment, the ground and the axes.
    fn draw_before_ghosts(
        &self,
        pass: &mut wgpu::RenderPass<'static>,
        shared: &SharedResources,
        list: &DrawList,
        load: wgpu::LoadOp<wgpu::Color>,
    ) {
        if !matches!(load, wgpu::LoadOp::Load) {
            let mut encoder = shared.draw_encoder(pass);
            for draw in list.draws.solid.iter().filter(|draw| draw.is_in_picture()) {
                encoder.draw(draw, draw.key, draw.instances.clone());
            }
        }
        self.draw_surroundings(pass, shared, list);
    }

    /// Draws blended surfaces, the wireframe, and the lines and joints that surfaces may hide.
    fn draw_after_ghosts(&self, pass: &mut wgpu::RenderPass<'static>, shared: &SharedResources, list: &DrawList) {
        let mut encoder = shared.draw_encoder(pass);
        for draw in list.draws.blended.iter().filter(|draw| draw.is_in_picture()) {
            draw.keys().for_each(|key| encoder.draw(draw, key, draw.instances.clone()));
        }
        if list.options.wireframe {
            draw_wireframe(pass, shared, list.draws.surfaces());
        }
        self.draw_occludable(pass, shared, list);
    }

    /// Draws the environment, and the ground with its grid and axes. In x-ray mode the environment, the grid and the axes are blended under
    /// the existing picture, so the environment is drawn last.
    pub fn draw_surroundings(&self, pass: &mut wgpu::RenderPass<'static>, shared: &SharedResources, list: &DrawList) {
        if list.options.xray {
            self.draw_ground(pass, shared, list);
            draw_background(pass, shared, list);
        } else {
            draw_background(pass, shared, list);
            self.draw_ground(pass, shared, list);
        }
    }

    /// Draws the shadow on the ground, the grid and the axes, each only if it is switched on.
    fn draw_ground(&self, pass: &mut wgpu::RenderPass<'static>, shared: &SharedResources, list: &DrawList) {
        // In x-ray mode the translucent surfaces are already drawn, so the grid and the axes are blended under them.
        let under = list.options.xray;
        if let Some(pipeline) = shared.pipelines.get(PipelineKey::Ground).filter(|_| list.shadow.is_some()) {
            pass.set_pipeline(pipeline);
            pass.draw(0..4, 0..1);
        }
        if let Some(pipeline) = shared.pipelines.get(PipelineKey::Grid { under }).filter(|_| list.options.grid) {
            pass.set_pipeline(pipeline);
            pass.draw(0..4, 0..1);
        }
        if let Some(pipeline) = shared.pipelines.get(PipelineKey::SceneLines { under }).filter(|_| list.axes > 0) {
            pass.set_pipeline(pipeline);
            pass.set_vertex_buffer(0, self.lines.buffer().slice(..));
            pass.draw(0..4, 0..list.axes as u32);
        }
    }

    /// Draws the joints and lines that surfaces may hide. The depth buffer must already hold all surfaces.
    fn draw_occludable(&self, pass: &mut wgpu::RenderPass<'static>, shared: &SharedResources, list: &DrawList) {
        let solid_joints = if list.has_solid_joints_in_scene() { list.solid_joints.len() as u32 } else { 0 };
        if let Some(pipeline) = shared.pipelines.get(PipelineKey::SolidJoints { in_scene: true }).filter(|_| solid_joints > 0) {
            pass.set_pipeline(pipeline);
            pass.set_vertex_buffer(0, self.solid_joints.buffer().slice(..));
            pass.draw(0..GpuSolidJoint::VERTICES, 0..solid_joints);
        }
        let lines = list.axes as u32..list.scene_lines.len() as u32;
        if let Some(pipeline) = shared.pipelines.get(PipelineKey::SceneLines { under: false }).filter(|_| !lines.is_empty()) {
            pass.set_pipeline(pipeline);
            pass.set_vertex_buffer(0, self.lines.buffer().slice(..));
            pass.draw(0..4, lines);
        }
    }
}

/// Draws ghosts behind the model, even if they are nearer to the camera than the model.
fn draw_ghosts(pass: &mut wgpu::RenderPass<'static>, frame: &FrameContext, ghosts: &[DrawRange]) {
    if ghosts.is_empty() {
        return;
    }
    let [width, height] = frame.size.map(|side| side as f32);
    // Depth is stored as a float, so its precision is sufficient even in this small range.
    pass.set_viewport(0.0, 0.0, width, height, 0.0, GHOST_DEPTH);
    draw_chunk(pass, frame.shared, ghosts);
    pass.set_viewport(0.0, 0.0, width, height, 0.0, 1.0);
}

/// Draws ranges of primitives.
fn draw_chunk(pass: &mut wgpu::RenderPass<'static>, shared: &SharedResources, chunk: &[DrawRange]) {
    let mut encoder = shared.draw_encoder(pass);
    for DrawRange { draw, key, indices } in chunk {
        encoder.draw_indices(draw, PipelineKey::Surface(*key), indices.clone(), draw.instances.clone());
    }
}

/// Draws the environment as background, if the picture has one.
fn draw_background(pass: &mut wgpu::RenderPass<'static>, shared: &SharedResources, list: &DrawList) {
    let key = PipelineKey::Background { tonemap: tonemap_index(list.options.tonemap), under: list.options.xray };
    if let Some(pipeline) = shared.pipelines.get(key).filter(|_| list.shows_environment()) {
        pass.set_pipeline(pipeline);
        pass.draw(0..3, 0..1);
    }
}

/// Draws the edges of triangles. The vertex buffer `corners` holds the corner number of each vertex ([`crate::render::model::wireframe`]).
fn draw_wireframe<'d>(pass: &'d mut wgpu::RenderPass<'static>, shared: &'d SharedResources, draws: impl Iterator<Item = &'d Draw<'d>>) {
    let mut encoder = shared.draw_encoder(pass);
    for draw in draws.filter(|draw| draw.key.points_or_lines.is_none() && draw.is_in_picture()) {
        let Some(corners) = draw.primitive.vertices.corners.get() else { continue };
        encoder.pass.set_vertex_buffer(3, corners.slice(..));
        encoder.draw(draw, draw.key_for(Role::Wireframe), draw.instances.clone());
    }
}

//! What a picture is drawn with, and whether the pipelines for it are there. Where they are not and nobody waits, the picture is
//! drawn as the last one was (its whole display, never half of each) until they are.

use std::time::Instant;

use crate::render::annotations::joints::{self, GpuSolidJoint};
use crate::render::annotations::line::{self, Line};
use crate::render::annotations::lines::{self, GpuLine};
use crate::render::bind_groups::frame::{self, FrameUniform};
use crate::render::buffers::palette_pages::Page;
use crate::render::device::gpu::Gpu;
use crate::render::draw_list::draw::{Draw, Draws, LightFeatures};
use crate::render::light::punctual::GpuLight;
use crate::render::light::shadow_fit::{Fit, Quality};
use crate::render::model::cull_bounds::Frustum;
use crate::render::passes::overlay::Over;
use crate::render::passes::{self, outline, shadow};
use crate::render::picture::{Actor, Background, Picture};
use crate::render::pipelines::{Order, PipelineKey, Role, Sample, tonemap_index};
use crate::render::{Renderer, draw_list};
use crate::session::view::display::{Depth, Display};

/// Of a primitive's draws with one pipeline no more are warmed: each has its own textures.
const MOST_SAMPLES: usize = 64;

pub(crate) struct Plan<'a> {
    pub display: Display,
    pub lights: Vec<GpuLight>,
    /// Of the key lamp.
    pub shadow: Option<(Quality, Fit)>,
    pub background: Background,
    /// That is the light from all around.
    pub shows_environment: bool,
    pub draws: Draws<'a>,
    /// First the axes, then what the body hides.
    pub scene_lines: Vec<GpuLine>,
    pub axes: usize,
    pub overlay_lines: Vec<GpuLine>,
    pub solids: Vec<GpuSolidJoint>,
}

impl<'a> Plan<'a> {
    fn new(gpu: &Gpu, picture: &Picture, actors: &[Actor<'a>], size: [u32; 2], renderer: &Renderer) -> Self {
        let lights = frame::lights(picture);
        let frustum = renderer.culls.then(|| Frustum::new(&frame::clip_from_anchored(picture, size), size));
        let shadow = shadow::of_picture(gpu, picture, actors, &renderer.around);
        let shining = LightFeatures { lamps: !lights.is_empty(), shadow: shadow.is_some() };
        let draws = draw_list::collect(picture, actors, shining, renderer.page_limit, (frustum.as_ref(), &renderer.cuts));
        let mut in_scene = if picture.display.axes { line::axes(&picture.bounds, picture.theme).to_vec() } else { Vec::new() };
        let axes = in_scene.len();
        let hidden = |line: &&Line| line.depth == Depth::Hidden && !picture.display.xray;
        in_scene.extend(picture.lines.iter().filter(hidden));
        let in_front: Vec<_> = picture.lines.iter().filter(|line| !hidden(line)).copied().collect();
        let pixels_per_point = picture.pixels_per_point * picture.supersample.clamp(1, 4) as f32;
        let gpu_lines = |lines: &[_]| lines::gpu_lines(lines, picture.anchor, pixels_per_point);
        let (scene_lines, overlay_lines) = (gpu_lines(&in_scene), gpu_lines(&in_front));
        let (display, background) = (picture.display.clone(), picture.background);
        let solids = joints::gpu_solids(picture.solids, picture.anchor);
        let shows_environment = picture.shows_environment();
        Self { display, lights, shadow, background, shows_environment, draws, scene_lines, axes, overlay_lines, solids }
    }

    pub fn over(&self) -> Over {
        let solids = if self.solids_in_scene() { 0 } else { self.solids.len() };
        Over { lines: self.overlay_lines.len() as u32, solids: solids as u32, outline: !self.draws.marked.is_empty() }
    }

    pub fn solids_in_scene(&self) -> bool {
        self.display.skeleton_depth == Depth::Hidden && !self.display.xray
    }

    /// Of the pipelines that draw no file.
    fn flat_keys(&self) -> impl Iterator<Item = PipelineKey> {
        let behind = self.display.xray;
        let grid = self.display.grid.then_some(PipelineKey::Grid { behind });
        let axes = (self.axes > 0).then_some(PipelineKey::SceneLines { behind });
        let hidden = (self.scene_lines.len() > self.axes).then_some(PipelineKey::SceneLines { behind: false });
        let over = self.over();
        let overlay = (over.lines > 0).then_some(PipelineKey::OverlayLines);
        let solids = (!self.solids.is_empty()).then_some(PipelineKey::Solids { in_scene: self.solids_in_scene() });
        let outline = over.outline.then_some([PipelineKey::OutlineBlocks, PipelineKey::Outline]);
        let tonemap = tonemap_index(self.display.tonemap);
        let background = self.shows_environment.then_some(PipelineKey::Background { tonemap, behind });
        let ground = self.draws.shadow.then_some(PipelineKey::Ground);
        let glass = self.draws.transmit().then_some([PipelineKey::Behind(tonemap), PipelineKey::BehindSmaller]);
        let single = [Some(PipelineKey::Finish), background, ground, grid, axes, hidden, overlay, solids];
        single.into_iter().flatten().chain([glass, outline].into_iter().flatten().flatten())
    }

    fn surface_keys(&self) -> impl Iterator<Item = (&Draw<'a>, PipelineKey)> {
        let draws = self.draws.solid.iter().chain(&self.draws.blended);
        let shaded = draws.clone().flat_map(|draw| draw.keys().map(move |key| (draw, PipelineKey::Surface(key))));
        let edged = draws.filter(|draw| self.display.wireframe && draw.key.points_or_lines.is_none());
        let edged = edged.map(|draw| (draw, PipelineKey::Surface(draw.playing(Role::Wire))));
        let marked = self.draws.marked.iter().map(|draw| (draw, PipelineKey::Surface(draw.playing(Role::Mark))));
        let ghosts = self.draws.of_ghosts().map(|(draw, key)| (draw, PipelineKey::Surface(key)));
        shaded.chain(edged).chain(marked).chain(ghosts)
    }

    fn cast_keys(&self) -> impl Iterator<Item = (&Draw<'a>, PipelineKey)> {
        let draws = self.draws.solid.iter().chain(&self.draws.blended).filter(|_| self.shadow.is_some());
        draws.filter_map(|draw| Some((draw, PipelineKey::Cast(shadow::cast_key(draw)?))))
    }

    fn keys(&self) -> impl Iterator<Item = PipelineKey> {
        self.flat_keys().chain(self.surface_keys().chain(self.cast_keys()).map(|(_, key)| key))
    }
}

impl Renderer {
    /// What the picture is drawn with; none: nothing of it can be drawn yet, and what was drawn last stays.
    pub(crate) fn plan<'a>(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        picture: &Picture,
        actors: &[Actor<'a>],
        size: [u32; 2],
    ) -> Option<Plan<'a>> {
        self.pipelines.take_in();
        let plan = Plan::new(gpu, picture, actors, size, self);
        self.order(gpu, encoder, picture, actors, &plan, size);
        self.late = false;
        if !plan.keys().all(|key| self.pipelines.is_ready(key)) {
            if self.pipelines.in_background() {
                let is_other =
                    |(display, background): &&(Display, Background)| display != picture.display || *background != picture.background;
                self.late = true;
                if let Some((display, background)) = self.shown.as_ref().filter(is_other) {
                    let before = Picture { display, background: *background, ..*picture };
                    let before = Plan::new(gpu, &before, actors, size, self);
                    if before.keys().all(|key| self.pipelines.is_ready(key)) {
                        return Some(before);
                    }
                }
                if self.drawn {
                    return None;
                }
            }
            // Of the very first picture of a window, too: there is nothing to show instead.
            let start = Instant::now();
            self.pipelines.wait();
            self.late = false;
            self.building += start.elapsed();
        }
        if self.shown.as_ref().is_none_or(|(display, background)| display != picture.display || *background != picture.background) {
            self.shown = Some((picture.display.clone(), picture.background));
        }
        Some(plan)
    }

    /// Has made what is neither there nor on its way.
    fn order(&mut self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder, picture: &Picture, actors: &[Actor], plan: &Plan, size: [u32; 2]) {
        if plan.keys().all(|key| self.pipelines.is_known(key)) {
            return;
        }
        let flat: Vec<_> = plan.flat_keys().filter(|key| !self.pipelines.is_known(*key)).collect();
        let mut surfaces: Vec<(PipelineKey, Vec<&Draw>)> = Vec::new();
        for (draw, key) in plan.surface_keys().chain(plan.cast_keys()).filter(|(_, key)| !self.pipelines.is_known(*key)) {
            match surfaces.iter_mut().find(|(known, _)| *known == key) {
                Some((_, draws)) if draws.iter().any(|known| std::ptr::eq(known.material, draw.material)) => {}
                Some((_, draws)) => draws.push(draw),
                None => surfaces.push((key, vec![draw])),
            }
        }
        if self.pipelines.in_background() {
            self.upload(gpu, encoder, &Picture { display: &plan.display, ..*picture }, actors, plan, size);
        }
        // A picture that is waited for comes sooner without.
        let rehearsal = (self.drawn && !gpu.is_hardware()).then(|| self.frame_views(self.view_behind()));
        for (key, draws) in surfaces {
            let samples = draws.iter().take(MOST_SAMPLES).filter_map(|draw| self.draw_sample(draw, key)).collect();
            self.pipelines.order(Order { key, samples, rehearsal: rehearsal.clone() });
        }
        for key in flat {
            let lines = match key {
                PipelineKey::SceneLines { .. } => Some(self.scene_lines.buffer()),
                PipelineKey::OverlayLines => Some(self.overlay_lines.buffer()),
                PipelineKey::Solids { .. } => Some(self.solids.buffer()),
                _ => None,
            };
            let sample = |group: &wgpu::BindGroup| Sample {
                groups: vec![Some(group.clone())],
                vertices: vec![lines.cloned()],
                indices: None,
                instance: 0,
                material: None,
            };
            let samples = self
                .frame_group
                .iter()
                .filter(|_| {
                    !matches!(
                        key,
                        PipelineKey::Finish
                            | PipelineKey::Behind(_)
                            | PipelineKey::BehindSmaller
                            | PipelineKey::Outline
                            | PipelineKey::OutlineBlocks
                    )
                })
                .map(sample)
                .collect();
            self.pipelines.order(Order { key, samples, rehearsal: rehearsal.clone() });
        }
    }

    /// What a draw binds; none where it was not uploaded.
    pub(crate) fn draw_sample(&self, draw: &Draw, key: PipelineKey) -> Option<Sample> {
        let group = self.pages.get(draw.page).and_then(Page::group)?;
        let material = passes::material_group(draw, &self.materials);
        let vertices = &draw.primitive.vertices;
        let frame = if matches!(key, PipelineKey::Cast(_)) { Some(self.shadow.group()) } else { self.frame_group.as_ref() };
        Some(Sample {
            groups: vec![frame.cloned(), Some(group.clone()), Some(draw.group.clone()), Some(material.clone())],
            vertices: vec![
                Some(vertices.attributes.clone()),
                vertices.influences.clone().filter(|_| draw.key.skinned),
                vertices.further.clone(),
                vertices.corners.get().cloned(),
            ],
            indices: Some((draw.primitive.indices.clone(), draw.primitive.index_format, draw.primitive.index_count)),
            instance: draw.all.start,
            material: Some((draw.material.textures, draw.material.bound.clone())),
        })
    }

    /// All that the picture's commands read. Tells what the frame is, and whether what is behind glass is to be drawn.
    pub(crate) fn upload(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        picture: &Picture,
        actors: &[Actor],
        plan: &Plan,
        size: [u32; 2],
    ) -> (FrameUniform, bool) {
        let seen_through = self.prepare_behind(gpu, picture, &plan.draws);
        let mut uniform = frame::uniform(picture, size, &self.around, plan.lights.len());
        if let Some((_, fit)) = &plan.shadow {
            uniform.shadow = fit.uniform;
        }
        uniform.margin = outline::margin(gpu, picture, size) as f32;
        if self.shadow.resize(gpu, plan.shadow.as_ref().map(|(quality, _)| *quality)) {
            self.frame_group = None;
        }
        self.upload_frame(gpu, &uniform, &plan.lights);
        self.upload_actors(gpu, encoder, actors, &plan.draws);
        self.materials.write(gpu, actors);
        self.scene_lines.write(gpu, &[bytemuck::cast_slice(&plan.scene_lines)]);
        self.overlay_lines.write(gpu, &[bytemuck::cast_slice(&plan.overlay_lines)]);
        self.solids.write(gpu, &[bytemuck::cast_slice(&plan.solids)]);
        let streams = [&self.frame, &self.lights, &self.scene_lines, &self.overlay_lines, &self.solids];
        let pages: u64 = self.pages.iter().map(Page::uploaded).sum();
        self.uploaded += pages + streams.iter().map(|stream| stream.uploaded).sum::<u64>();
        (uniform, seen_through)
    }

    fn upload_frame(&mut self, gpu: &Gpu, uniform: &FrameUniform, lights: &[GpuLight]) {
        let mut new = self.frame.write(gpu, &[bytemuck::bytes_of(uniform)]);
        new |= self.lights.write(gpu, &[bytemuck::cast_slice(lights)]);
        if new || self.frame_group.is_none() {
            self.frame_group = Some(self.bind_frame(gpu, &self.frame, self.view_behind()));
        }
    }

    fn view_behind(&self) -> &wgpu::TextureView {
        self.behind.as_ref().map_or(&self.clear, |behind| &behind.view)
    }

    fn upload_actors(&mut self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder, actors: &[Actor], draws: &Draws) {
        // Pages that are not needed give their memory back.
        self.pages.resize_with(draws.pages.len(), || Page::new(gpu));
        for (page, contents) in self.pages.iter_mut().zip(&draws.pages) {
            page.write(gpu, encoder, &self.layouts, actors, contents);
        }
    }
}

//! Paints joint names and legends onto an exported picture, with the same functions that paint them in the window. egui draws them on
//! transparent tiles, which are read back and blended over the picture.

use std::collections::BTreeSet;

use egui::{LayerId, Pos2, Rect, ViewportId, pos2, vec2};
use glam::dvec2;

use crate::camera::Camera;
use crate::captions::legends::{Legends, comparison};
use crate::captions::{fonts, joint_names};
use crate::colors::Colors;
use crate::render::device::gpu::Gpu;
use crate::render::device::readback::{self, ReadbackError};
use crate::session::camera::screen::ScreenProjection;
use crate::session::document::Document;
use crate::session::names::NameStyle;
use crate::session::pose::solve::Posed;
use crate::session::view::View;
use crate::session::view::display::JointNames;
use crate::system_fonts;

/// Maximum width and height of a tile, in pixels.
const MAX_TILE_SIDE: u32 = 2048;
/// Format of the tile texture.
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// The names and legends to paint, and how the picture shows the document.
pub struct Captions<'a> {
    pub document: &'a Document,
    /// The view that decides which names and legends are shown.
    pub view: &'a View,
    /// The pose in the picture.
    pub posed: &'a Posed,
    /// The camera of the picture.
    pub camera: &'a Camera,
    /// The colors of text and frames.
    pub colors: &'a Colors,
    /// How joints are named: with or without the prefix of their skeleton.
    pub style: NameStyle,
    /// Scale of text and lines.
    pub pixels_per_point: f32,
    pub legends: &'a Legends,
    /// Height of the band above the picture that holds the legend of the comparison, in points. 0 paints it over the picture.
    pub band_height: f32,
}

/// An egui context with the fonts that the names of documents need, and its renderer.
pub struct CaptionPainter {
    egui: egui::Context,
    renderer: egui_wgpu::Renderer,
}

impl CaptionPainter {
    /// Prepares fonts for the names of these documents. This is slow if system fonts have to be searched.
    pub fn new(gpu: &Gpu, documents: &[&Document]) -> Self {
        let egui = egui::Context::default();
        fonts::set_fonts(&egui, &[]);
        add_fonts(&egui, documents);
        let options = egui_wgpu::RendererOptions { dithering: false, ..Default::default() };
        Self { egui, renderer: egui_wgpu::Renderer::new(&gpu.device, FORMAT, options) }
    }
}

/// Paints names and legends over `rgba`, which has `width` x `height` pixels with straight alpha, the band included. Returns an error if
/// reading back fails.
pub fn paint_over(
    gpu: &Gpu,
    painter: &mut CaptionPainter,
    captions: &Captions,
    [width, height]: [u32; 2],
    rgba: &mut [u8],
) -> Result<(), ReadbackError> {
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("names"),
        size: wgpu::Extent3d { width: width.min(MAX_TILE_SIDE), height: height.min(MAX_TILE_SIDE), depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: FORMAT,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    });
    let target = texture.create_view(&wgpu::TextureViewDescriptor::default());
    for y in (0..height).step_by(MAX_TILE_SIDE as usize) {
        for x in (0..width).step_by(MAX_TILE_SIDE as usize) {
            let size = [MAX_TILE_SIDE.min(width - x), MAX_TILE_SIDE.min(height - y)];
            // The picture's corner relative to the tile, in points.
            let origin = pos2(-(x as f32), -(y as f32)) / captions.pixels_per_point;
            let output = paint(&painter.egui, captions, origin, size, [width, height]);
            let encoder = encode(gpu, painter, output, &target, size);
            readback::read_rows(gpu, encoder, &texture, size, |row, painted| {
                let start = ((y + row) as usize * width as usize + x as usize) * 4;
                let picture_row = &mut rgba[start..start + painted.len()];
                for (pixel, painted) in picture_row.as_chunks_mut::<4>().0.iter_mut().zip(painted.as_chunks::<4>().0) {
                    blend(pixel, painted);
                }
            })?;
        }
    }
    Ok(())
}

/// Adds system fonts if the embedded fonts lack characters of a name.
fn add_fonts(egui: &egui::Context, documents: &[&Document]) {
    let mut missing = BTreeSet::new();
    // egui knows the characters of its fonts only during a pass, so run a pass and discard its output.
    let probe = egui::Context::default();
    fonts::set_fonts(&probe, &[]);
    let characters: BTreeSet<char> = documents.iter().flat_map(|document| fonts::characters_of(document)).collect();
    let mut unused = probe.run_pass(egui::RawInput::default(), |probe| missing = fonts::missing(probe, characters.clone()));
    unused.textures_delta.clear();
    if !missing.is_empty() {
        fonts::set_fonts(egui, &system_fonts::find(&system_fonts::system(), &missing));
    }
}

/// Paints one tile of the picture, and returns egui's output. `origin` is the picture's corner in the tile, in points.
fn paint(egui: &egui::Context, captions: &Captions, origin: Pos2, tile: [u32; 2], picture: [u32; 2]) -> egui::FullOutput {
    let points = |pixels: u32| pixels as f32 / captions.pixels_per_point;
    let mut input =
        egui::RawInput { screen_rect: Some(Rect::from_min_size(Pos2::ZERO, vec2(points(tile[0]), points(tile[1])))), ..Default::default() };
    input.viewports.entry(ViewportId::ROOT).or_default().native_pixels_per_point = Some(captions.pixels_per_point);
    let whole = Rect::from_min_size(origin, vec2(points(picture[0]), points(picture[1])));
    let (band, picture) = whole.split_top_bottom_at_y(origin.y + captions.band_height);
    let projection = ScreenProjection { camera: *captions.camera, size: dvec2(f64::from(picture.width()), f64::from(picture.height())) };
    egui.run_pass(input, |egui| {
        let painter = egui.layer_painter(LayerId::background());
        let (document, view, posed, projection) = (captions.document, captions.view, captions.posed, &projection);
        if view.display.names != JointNames::None {
            let joint_names =
                joint_names::JointLabels { document, view, posed, projection, hovered: None, style: captions.style, kept_free: None };
            joint_names::paint(&painter.with_clip_rect(picture), captions.colors, picture.min, &joint_names);
        }
        if captions.band_height == 0.0 {
            captions.legends.paint(&painter, captions.colors, picture, None);
        } else {
            Legends { comparison: None, ..captions.legends.clone() }.paint(&painter, captions.colors, picture, None);
            if let Some(legend) = &captions.legends.comparison {
                comparison::paint_in_band(&painter, captions.colors, band, legend);
            }
        }
    })
}

/// Encodes the commands that draw egui's shapes onto a transparent tile.
fn encode(
    gpu: &Gpu,
    painter: &mut CaptionPainter,
    output: egui::FullOutput,
    target: &wgpu::TextureView,
    size_in_pixels: [u32; 2],
) -> wgpu::CommandEncoder {
    let (CaptionPainter { egui, renderer }, pixels_per_point) = (painter, output.pixels_per_point);
    let mut textures = output.textures_delta;
    for (id, deltas) in textures.set.drain() {
        for delta in deltas {
            renderer.update_texture(&gpu.device, &gpu.queue, id, &delta);
        }
    }
    // Textures are never freed, because a later tile may need them.
    textures.free.drain().for_each(drop);
    let jobs = egui.tessellate(output.shapes, pixels_per_point);
    let screen = egui_wgpu::ScreenDescriptor { size_in_pixels, pixels_per_point };
    let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    let uploads = renderer.update_buffers(&gpu.device, &gpu.queue, &mut encoder, &jobs, &screen);
    gpu.queue.submit(uploads);
    let attachment = wgpu::RenderPassColorAttachment {
        view: target,
        depth_slice: None,
        resolve_target: None,
        ops: wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT), store: wgpu::StoreOp::Store },
    };
    let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("names"),
        color_attachments: &[Some(attachment)],
        ..Default::default()
    });
    renderer.render(&mut pass.forget_lifetime(), &jobs, &screen);
    encoder
}

/// Blends `source`, with premultiplied alpha, over `target`, with straight alpha.
fn blend(target: &mut [u8; 4], source: &[u8; 4]) {
    if source[3] == 0 {
        return;
    }
    let target_alpha = f32::from(target[3]) / 255.0 * (1.0 - f32::from(source[3]) / 255.0);
    let alpha = f32::from(source[3]) / 255.0 + target_alpha;
    for channel in 0..3 {
        let color = (f32::from(source[channel]) + f32::from(target[channel]) * target_alpha) / alpha;
        target[channel] = color.round().clamp(0.0, 255.0) as u8;
    }
    target[3] = (alpha * 255.0).round() as u8;
}

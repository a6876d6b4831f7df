//! The system's window with its surface, its graphics device, and egui's input and painter. It gives a frame its input and presents
//! the result; it does not depend on models.

pub(super) mod adapter;
pub(super) mod device_loss;
pub(super) mod dialogs;
pub(super) mod key_input;
#[cfg(target_os = "macos")]
pub(super) mod opened_files;
mod panel_cache;
mod winit_events;

use std::io::Cursor;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context;
use image::{ImageFormat, ImageReader};
use winit::dpi::{LogicalSize, PhysicalPosition, PhysicalSize};
use winit::event::InnerSizeWriter;
use winit::event_loop::{ActiveEventLoop, EventLoopProxy};
use winit::window::{Icon, Window};

use crate::render::device::gpu::{AdapterChoice, Gpu};
use crate::render::picture::Msaa;
use crate::render::renderer::Renderer;
use crate::ui::style::theme;

use super::ids::DeviceNumber;
use super::settings::WindowPlace;
use super::worker_events::AppEvent;

use panel_cache::PanelCache;

/// MSAA samples of pictures at rest and of exports.
pub const SAMPLES: Msaa = Msaa::Four;

/// Maximum number of tries to configure the surface, one right after the other.
const MAX_CONFIGURE_TRIES: usize = 4;

/// The window with its graphics device, its renderer and its egui context.
pub struct AppWindow {
    /// The window of the system.
    pub handle: Arc<Window>,
    pub gpu: Gpu,
    pub device: DeviceNumber,
    /// Draws the picture of the model.
    pub renderer: Renderer,
    /// Runs the panels.
    pub egui: egui::Context,
    /// Translates winit's events for egui.
    pub input: egui_winit::State,
    /// Whether the window is completely hidden behind others.
    pub is_occluded: bool,
    /// Whether the last frame could not be presented and should be tried again after a while.
    pub must_retry: bool,
    /// Pixels per point, from the last event; on X11 winit's own value lags behind until the window moves.
    scale: f64,
    /// Left and top of the window with its frame, in pixels, from the last event. Asking the system would cost a round trip per frame.
    pub position: Option<[i32; 2]>,
    /// `None` while it is created again: a window can have only one surface at a time.
    surface: Option<wgpu::Surface<'static>>,
    config: wgpu::SurfaceConfiguration,
    /// Whether the surface has this configuration.
    is_configured: bool,
    painter: egui_wgpu::Renderer,
    /// The window's pixels. `None` on graphics cards, which paint all panels in each frame.
    panel_cache: Option<PanelCache>,
}

impl AppWindow {
    /// Opens the window and sets up its graphics device. Errors if either fails. `lap` is called with the name of each step when it is
    /// done.
    pub fn new(
        event_loop: &ActiveEventLoop,
        place: WindowPlace,
        adapter: &AdapterChoice,
        proxy: EventLoopProxy<AppEvent>,
        lap: &mut dyn FnMut(&'static str),
    ) -> anyhow::Result<Self> {
        // The window is created invisible, because the adapter for screen readers must exist before the window is shown.
        let attributes = Window::default_attributes()
            .with_title("Sinew")
            .with_inner_size(fitting_size(place, event_loop))
            .with_min_inner_size(LogicalSize::new(480.0, 360.0))
            .with_maximized(place.maximized)
            .with_window_icon(icon())
            .with_visible(false);
        let position = visible_position(place, event_loop);
        let attributes = match position {
            Some([x, y]) => attributes.with_position(PhysicalPosition::new(x, y)),
            None => attributes,
        };
        #[cfg(target_os = "linux")]
        let attributes = winit::platform::x11::WindowAttributesExtX11::with_name(attributes, "sinew", "sinew");
        let window = Arc::new(event_loop.create_window(attributes).context("cannot open a window")?);
        lap("window");
        let (gpu, surface) = Gpu::for_surface(window.clone(), adapter, lap)?;
        let config = configure(&gpu, &surface, &window)?;
        let device = DeviceNumber::default();
        report_loss(&gpu, device, proxy.clone());
        let wake = proxy.clone();
        let egui = egui::Context::default();
        theme::install(&egui);
        let max_texture = gpu.device.limits().max_texture_dimension_2d as usize;
        let scale = window.scale_factor();
        let (root, pixels_per_point) = (egui::ViewportId::ROOT, Some(scale as f32));
        let mut input = egui_winit::State::new(egui.clone(), root, &window, pixels_per_point, window.theme(), Some(max_texture));
        input.init_accesskit(event_loop, &window, proxy);
        let painter = egui_wgpu::Renderer::new(&gpu.device, config.format, egui_wgpu::RendererOptions::default());
        let renderer = renderer(&gpu, config.format, wake);
        window.set_visible(true);
        if place.maximized {
            // On X11, the window manager ignores this request before the window is shown.
            window.set_maximized(true);
        }
        let panel_cache = panel_cache(&gpu, &config);
        lap("panels and renderer");
        Ok(Self {
            handle: window,
            gpu,
            device,
            renderer,
            egui,
            input,
            is_occluded: false,
            must_retry: false,
            scale,
            position,
            surface: Some(surface),
            config,
            is_configured: true,
            painter,
            panel_cache,
        })
    }

    /// Takes over a new scale of the desktop. `size` can set the size that the window will have.
    pub fn rescale(&mut self, scale: f64, size: &mut InnerSizeWriter) {
        if scale == self.scale {
            // winit repeats the event when the window moves. Then the window keeps its size. The request fails only if the window is
            // closed.
            let _ = size.request_inner_size(self.handle.inner_size());
        }
        self.scale = scale;
    }

    /// The desktop's scale relative to winit's value, which can lag behind. It is 1 if both are equal.
    pub fn scale_correction(&self) -> f32 {
        (self.scale / self.handle.scale_factor()) as f32
    }

    /// Gives the surface the new size of the window. The size of a minimized window is zero, and is ignored.
    pub fn resize(&mut self, size: PhysicalSize<u32>) {
        if size.width > 0 && size.height > 0 {
            (self.config.width, self.config.height) = (size.width, size.height);
            self.panel_cache = panel_cache(&self.gpu, &self.config);
            self.configure();
        }
    }

    /// Applies the configuration to the surface. wgpu refuses it if a background thread submits work at the same time. Then the next frame
    /// tries again.
    fn configure(&mut self) {
        #[cfg(debug_assertions)]
        if crate::app::simulated_faults::is_device_busy() {
            self.is_configured = false;
            return;
        }
        let Self { surface: Some(surface), gpu, config, .. } = self else { return };
        let try_once = || gpu.checked(|| surface.configure(&gpu.device, config));
        let configured = (1..MAX_CONFIGURE_TRIES).fold(try_once(), |last, _| last.or_else(|_| try_once()));
        self.is_configured = configured.inspect_err(|error| log::info!("the window's surface cannot be configured now: {error}")).is_ok();
    }

    /// Creates another device and surface after a loss. Everything uploaded to the old device is gone.
    pub fn recreate_device(&mut self, adapter: &AdapterChoice, proxy: EventLoopProxy<AppEvent>) -> anyhow::Result<()> {
        // A window can have only one surface at a time, so drop the old one first.
        self.surface = None;
        let (gpu, surface) = Gpu::for_surface(self.handle.clone(), adapter, &mut |_| ())?;
        (self.config, self.is_configured) = (configure(&gpu, &surface, &self.handle)?, true);
        self.device.0 += 1;
        report_loss(&gpu, self.device, proxy.clone());
        self.painter = egui_wgpu::Renderer::new(&gpu.device, self.config.format, egui_wgpu::RendererOptions::default());
        self.renderer = renderer(&gpu, self.config.format, proxy);
        self.panel_cache = panel_cache(&gpu, &self.config);
        // The new painter needs egui's font texture, which egui uploads again only if the maximum texture size changes.
        let max_texture = gpu.device.limits().max_texture_dimension_2d as usize;
        self.input.set_max_texture_side(max_texture - (self.device.0 % 2) as usize);
        (self.surface, self.gpu) = (Some(surface), gpu);
        Ok(())
    }

    /// Returns whether the window can be drawn to. A minimized window has no size.
    pub fn has_size(&self) -> bool {
        let size = self.handle.inner_size();
        size.width > 0 && size.height > 0
    }

    /// Draws `picture`, then egui's shapes over it, and presents both. `areas` are the areas that `picture` fills, in pixels: left, top,
    /// width and height. If nothing can be drawn, only egui's textures are updated. Returns the CPU time spent, which does not include
    /// waiting for the display.
    pub fn present(
        &mut self,
        output: egui::FullOutput,
        areas: &[[u32; 4]],
        picture: impl FnOnce(&mut Renderer, &Gpu, &mut wgpu::CommandEncoder, &wgpu::TextureView),
    ) -> Duration {
        // egui sends only the changes of its textures, so each must be applied, even if nothing is drawn.
        let start = Instant::now();
        self.must_retry = false;
        let mut textures = output.textures_delta;
        if !textures.set.is_empty()
            && let Some(cache) = &mut self.panel_cache
        {
            cache.forget();
        }
        for (id, deltas) in textures.set.drain() {
            for delta in deltas {
                self.painter.update_texture(&self.gpu.device, &self.gpu.queue, id, &delta);
            }
        }
        self.input.handle_platform_output(&self.handle, output.platform_output);
        let mut paint_jobs = self.egui.tessellate(output.shapes, output.pixels_per_point);
        // `next_frame` waits for the display, so it lies between the two measured parts.
        let mut cpu_time = start.elapsed();
        if let Some(frame) = self.has_size().then(|| self.next_frame()).flatten() {
            let start = Instant::now();
            if let Some(cache) = &mut self.panel_cache {
                paint_jobs = cache.update(paint_jobs, areas, output.pixels_per_point);
            }
            let target = self.panel_cache.as_ref().map_or(&frame.texture, PanelCache::texture);
            let view = target.create_view(&wgpu::TextureViewDescriptor::default());
            let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("frame") });
            picture(&mut self.renderer, &self.gpu, &mut encoder, &view);

            let mut commands = self.record_panels(&mut encoder, &view, &paint_jobs, output.pixels_per_point);
            if let Some(texture) = self.panel_cache.as_ref().map(PanelCache::texture) {
                encoder.copy_texture_to_texture(texture.as_image_copy(), frame.texture.as_image_copy(), texture.size());
            }
            commands.push(encoder.finish());
            self.gpu.queue.submit(commands);
            cpu_time += start.elapsed();
            self.handle.pre_present_notify();
            self.gpu.queue.present(frame);
        }
        // Textures are freed last: the shapes above may still use them.
        for id in textures.free.drain() {
            self.painter.free_texture(&id);
        }
        cpu_time
    }

    /// Records egui's shapes over the picture, in a pass that loads it instead of clearing it. Returns commands to submit before those of
    /// the encoder.
    fn record_panels(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        view: &wgpu::TextureView,
        paint_jobs: &[egui::ClippedPrimitive],
        pixels_per_point: f32,
    ) -> Vec<wgpu::CommandBuffer> {
        let screen = egui_wgpu::ScreenDescriptor { size_in_pixels: self.size_in_pixels(), pixels_per_point };
        let commands = self.painter.update_buffers(&self.gpu.device, &self.gpu.queue, encoder, paint_jobs, &screen);
        let attachment = wgpu::RenderPassColorAttachment {
            view,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations { load: wgpu::LoadOp::Load, store: wgpu::StoreOp::Store },
        };
        let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("panels"),
            color_attachments: &[Some(attachment)],
            ..Default::default()
        });
        self.painter.render(&mut pass.forget_lifetime(), paint_jobs, &screen);
        commands
    }

    /// Width and height, in pixels.
    pub fn size_in_pixels(&self) -> [u32; 2] {
        [self.config.width, self.config.height]
    }

    /// The texture to draw into. `None` while the window is hidden, or if its surface has no texture yet: then the frame is missed.
    fn next_frame(&mut self) -> Option<wgpu::SurfaceTexture> {
        use wgpu::CurrentSurfaceTexture as Current;
        if self.surface.is_none() {
            self.create_surface();
        } else if !self.is_configured {
            self.configure();
        }
        let Some(surface) = self.surface.as_ref().filter(|_| self.is_configured) else {
            self.must_retry = true;
            return None;
        };
        match surface.get_current_texture() {
            Current::Success(frame) | Current::Suboptimal(frame) => return Some(frame),
            // winit sends an event when the window is visible again.
            Current::Occluded => return None,
            Current::Outdated => self.configure(),
            Current::Lost => self.create_surface(),
            Current::Timeout => {}
            // Polling a lost device makes it report its loss.
            Current::Validation => drop(self.gpu.device.poll(wgpu::PollType::Poll)),
        }
        self.must_retry = true;
        None
    }

    /// Replaces the surface. If that fails, the next frame tries again.
    fn create_surface(&mut self) {
        // A window can have only one surface at a time, so drop the old one first.
        self.surface = None;
        let made = self.gpu.instance.create_surface(self.handle.clone());
        self.surface = made.inspect_err(|error| log::warn!("the window's surface: {error}")).ok();
        self.configure();
    }

    /// The refresh rate of the display that shows the window. `None` if it is unknown.
    pub fn refresh_rate(&self) -> Option<u32> {
        self.handle.current_monitor()?.refresh_rate_millihertz()
    }

    /// Size and position, for the settings. `None` in full screen and while the window is minimized.
    pub fn place(&self) -> Option<WindowPlace> {
        let size = self.handle.inner_size();
        let has_own_size = self.handle.fullscreen().is_none() && size.width > 0 && size.height > 0;
        let points = size.to_logical(self.scale);
        let (position, maximized) = (self.position, self.handle.is_maximized());
        has_own_size.then_some(WindowPlace { width: points.width, height: points.height, position, maximized })
    }
}

/// Configures the surface for the size of the window.
fn configure(gpu: &Gpu, surface: &wgpu::Surface, window: &Window) -> anyhow::Result<wgpu::SurfaceConfiguration> {
    let size = window.inner_size();
    let mut config =
        surface.get_default_config(&gpu.adapter, size.width.max(1), size.height.max(1)).context("this display cannot be drawn to")?;
    // The format has no sRGB conversion: the renderer encodes sRGB itself, and on GL a surface cannot be viewed in another format.
    let capabilities = surface.get_capabilities(&gpu.adapter);
    let formats = capabilities.formats;
    config.usage |= capabilities.usages & wgpu::TextureUsages::COPY_DST;
    let linear = [wgpu::TextureFormat::Bgra8Unorm, wgpu::TextureFormat::Rgba8Unorm];
    config.format = linear.into_iter().find(|format| formats.contains(format)).context("this display has no 8-bit color format")?;
    config.present_mode = wgpu::PresentMode::AutoVsync;
    config.desired_maximum_frame_latency = 1;
    surface.configure(&gpu.device, &config);
    Ok(config)
}

/// A renderer that compiles its pipelines in the background, and draws the window again when a pipeline is finished.
fn renderer(gpu: &Gpu, format: wgpu::TextureFormat, proxy: EventLoopProxy<AppEvent>) -> Renderer {
    let wake = move || AppEvent::PipelineMade.send(&proxy);
    Renderer::in_background(gpu, format, SAMPLES, Arc::new(wake))
}

/// Returns an empty cache of the window's pixels, or `None` if there is a graphics card or if textures cannot be copied to the window.
fn panel_cache(gpu: &Gpu, config: &wgpu::SurfaceConfiguration) -> Option<PanelCache> {
    let copies = gpu.info.backend != wgpu::Backend::Gl && config.usage.contains(wgpu::TextureUsages::COPY_DST);
    (copies && !gpu.is_hardware()).then(|| PanelCache::new(gpu, [config.width, config.height], config.format))
}

/// Sends an event when the device with this number is lost.
fn report_loss(gpu: &Gpu, device: DeviceNumber, proxy: EventLoopProxy<AppEvent>) {
    gpu.device.set_device_lost_callback(move |_, reason| {
        // Closing the window loses the device, too. Then this event is dropped.
        AppEvent::DeviceLost { device, reason }.send(&proxy);
    });
}

/// The remembered size, limited to the screen without the title bar and the task bar.
fn fitting_size(place: WindowPlace, event_loop: &ActiveEventLoop) -> LogicalSize<f64> {
    /// Height of title bar and task bar together, in points.
    const BARS_HEIGHT: f64 = 72.0;
    let monitor = event_loop.primary_monitor().or_else(|| event_loop.available_monitors().next());
    let screen = monitor.map_or(LogicalSize::new(f64::MAX, f64::MAX), |monitor| monitor.size().to_logical(monitor.scale_factor()));
    LogicalSize::new(place.width.min(screen.width), place.height.min((screen.height - BARS_HEIGHT).max(400.0)))
}

/// The remembered position, if the title bar is on a screen there: screens may be gone, or arranged in another way.
fn visible_position(place: WindowPlace, event_loop: &ActiveEventLoop) -> Option<[i32; 2]> {
    let position = place.position?;
    let mut screens = event_loop.available_monitors().map(|monitor| (monitor.position().into(), monitor.size().into()));
    screens.any(|(corner, size)| is_title_on_screen(position, corner, size)).then_some(position)
}

/// Returns whether the left end of a window's title bar is on a screen with this top left corner and size, so that it can be dragged.
fn is_title_on_screen(position: [i32; 2], corner: [i32; 2], size: [u32; 2]) -> bool {
    /// Part of the title bar that must be on the screen, in pixels.
    const MIN_VISIBLE: [i64; 2] = [100, 40];
    /// Width of a frame that may be outside of the screen, in pixels. Windows counts an invisible border as part of the window.
    const FRAME: i64 = 16;
    (0..2).all(|axis| {
        let offset = i64::from(position[axis]) - i64::from(corner[axis]);
        (-FRAME..=i64::from(size[axis]) - MIN_VISIBLE[axis]).contains(&offset)
    })
}

/// The icon of the window. `None` if it cannot be decoded.
fn icon() -> Option<Icon> {
    let png: &[u8] = include_bytes!("../../../assets/icon-64.png");
    // `image::load_from_memory` would add all decoders to the program once more: those for the reader below are part of it already.
    let image = ImageReader::with_format(Cursor::new(png), ImageFormat::Png).decode().ok()?.into_rgba8();
    let (width, height) = image.dimensions();
    Icon::from_rgba(image.into_raw(), width, height).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_remembered_position_counts_only_on_a_screen() {
        let second_screen = |position| is_title_on_screen(position, [1920, -200], [1000, 800]);
        for position in [[1920, -200], [1912, -208], [2800, 540]] {
            assert!(second_screen(position), "{position:?}");
        }
        for position in [[0, 0], [1800, 0], [2900, 0], [2000, -300], [2000, 590], [i32::MIN, 0], [2000, i32::MAX]] {
            assert!(!second_screen(position), "{position:?}");
        }
    }
}

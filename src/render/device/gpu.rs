//! Opens a GPU device, for a window or for pictures without one. It uses Vulkan, Metal or DirectX 12 if available, and GL otherwise.

use std::sync::Arc;

use thiserror::Error;

use crate::codec::texels::BlockFormats;
use crate::render::error::RenderError;
use crate::render::material::images::ImageSupport;

/// Optional features, used if available: timestamps and compressed textures.
const OPTIONAL_FEATURES: wgpu::Features = wgpu::Features::TIMESTAMP_QUERY
    .union(wgpu::Features::TEXTURE_COMPRESSION_BC)
    .union(wgpu::Features::TEXTURE_COMPRESSION_ETC2)
    .union(wgpu::Features::TEXTURE_COMPRESSION_ASTC);

/// Handles to one device. A clone shares the device.
#[derive(Debug, Clone)]
pub struct Gpu {
    pub instance: wgpu::Instance,
    pub adapter: wgpu::Adapter,
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
    /// Name, backend and kind of the adapter.
    pub info: wgpu::AdapterInfo,
}

/// Why no device could be opened. The messages are shown to the user.
#[derive(Debug, Error)]
pub enum GpuError {
    /// No backend has an adapter. Holds the reasons of all attempts.
    #[error("no graphics adapter found: {0}. On Linux, install a Vulkan driver (mesa-vulkan-drivers works without a graphics card)")]
    NoAdapter(String),
    /// No adapter has the requested name.
    #[error("no graphics adapter that can draw to the window is called \"{name}\". Available: {known}")]
    NotFound { name: String, known: String },
    /// The adapter was found but could not be opened.
    #[error(
        "cannot use the graphics adapter \"{name}\": {reason}. Update its driver, or open the window without it: sinew --safe \
         (on Linux, install mesa-vulkan-drivers first)"
    )]
    NoDevice { name: String, reason: String },
    /// The window system refused a surface. Holds the reasons of all attempts.
    #[error(
        "no graphics driver can draw to the window: {0}. On Linux, install the driver of the graphics card, or mesa-vulkan-drivers, which draws without one"
    )]
    Surface(String),
}

/// Which graphics adapter a window draws with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum AdapterChoice {
    /// The most powerful adapter.
    #[default]
    Best,
    /// The first adapter whose name contains this text, ignoring case.
    Named(String),
    /// GL, or else a software rasterizer. This avoids the Vulkan driver of the graphics card, which is the most common cause of trouble.
    Safe,
}

/// Backends in the order in which they are tried. GL is tried separately, because searching for GL adapters takes time, which is wasted if
/// Vulkan works. The environment variable `WGPU_BACKEND` replaces both attempts.
const ATTEMPTS: [wgpu::Backends; 2] = [wgpu::Backends::PRIMARY, wgpu::Backends::GL];

impl Gpu {
    /// Opens a device for pictures without a window.
    pub fn headless() -> Result<Self, GpuError> {
        let mut failures = Vec::new();
        for attempt in attempts(&AdapterChoice::Best) {
            let instance = wgpu::Instance::new(descriptor(attempt.backends, None));
            match request_adapter(&instance, None, attempt).and_then(|adapter| open(instance, adapter)) {
                Ok(gpu) => return Ok(gpu),
                Err(error) => failures.push(error),
            }
        }
        Err(summary(failures))
    }

    /// Opens a device that can draw into a window, and the window's surface. `window` is a shared handle such as an `Arc`,
    /// because every attempt takes a clone. `lap` is called with the name of each step when it is done. Returns an error if no adapter fits
    /// the choice.
    pub fn for_surface<W>(
        window: W,
        choice: &AdapterChoice,
        lap: &mut dyn FnMut(&'static str),
    ) -> Result<(Self, wgpu::Surface<'static>), GpuError>
    where
        W: Clone + Into<wgpu::SurfaceTarget<'static>> + wgpu::wgt::WgpuHasDisplayHandle,
    {
        let mut failures = Vec::new();
        for attempt in attempts(choice) {
            let instance = wgpu::Instance::new(descriptor(attempt.backends, Some(Box::new(window.clone()))));
            let surface = match instance.create_surface(window.clone()) {
                Ok(surface) => surface,
                Err(error) => {
                    failures.push(surface_error(&error));
                    continue;
                }
            };
            let adapter = match choice {
                AdapterChoice::Named(name) => named_adapter(&instance, &surface, attempt, name),
                AdapterChoice::Best | AdapterChoice::Safe => request_adapter(&instance, Some(&surface), attempt),
            };
            // If the adapter cannot be opened, the next attempt may find another one.
            let gpu = adapter.and_then(|adapter| {
                lap("adapter");
                open(instance, adapter)
            });
            match gpu {
                Ok(gpu) => {
                    lap("device");
                    return Ok((gpu, surface));
                }
                Err(error) => failures.push(error),
            }
        }
        Err(summary(failures))
    }

    /// Opens another device of the same adapter, with its own queue and memory.
    pub fn open_second_device(&self) -> Result<Self, GpuError> {
        open(self.instance.clone(), self.adapter.clone())
    }

    /// Does work on this thread. Returns its result, or a failure of the driver, lack of memory, or the first validation error.
    pub fn checked<T>(&self, work: impl FnOnce() -> T) -> Result<T, String> {
        checked(&self.device, work)
    }

    /// Does work on this thread. Returns its result, or an error if graphics memory runs out.
    pub(crate) fn within_memory<T>(&self, work: impl FnOnce() -> T) -> Result<T, RenderError> {
        let scope = self.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let result = work();
        pollster::block_on(scope.pop()).map_or(Ok(result), |error| Err(RenderError::OutOfMemory(error.to_string())))
    }

    /// Blocks until the device has finished all submitted work and all queued writes. The driver then frees its copies of the written data.
    pub fn wait_idle(&self) {
        self.queue.submit([]);
        // If the device is lost, there is no work to wait for. The next draw reports the loss.
        let _ = self.device.poll(wgpu::PollType::wait_indefinitely());
    }

    /// Returns the image sizes and compressed formats that the device supports.
    pub fn image_support(&self) -> ImageSupport {
        let features = self.device.features();
        ImageSupport {
            max_size: self.device.limits().max_texture_dimension_2d,
            blocks: BlockFormats {
                bc: features.contains(wgpu::Features::TEXTURE_COMPRESSION_BC),
                etc2: features.contains(wgpu::Features::TEXTURE_COMPRESSION_ETC2),
                astc: features.contains(wgpu::Features::TEXTURE_COMPRESSION_ASTC),
            },
        }
    }

    /// Returns whether the alpha mode MASK must be shaded once per sample under MSAA. This is so on GL, where fragments cannot write the
    /// sample mask, if the driver supports shading per sample.
    pub fn masks_by_sample(&self) -> bool {
        let flags = self.adapter.get_downlevel_capabilities().flags;
        self.info.backend == wgpu::Backend::Gl && flags.contains(wgpu::DownlevelFlags::MULTISAMPLED_SHADING)
    }

    /// Returns whether draw calls can add a number to each index.
    pub fn has_base_vertex(&self) -> bool {
        self.adapter.get_downlevel_capabilities().flags.contains(wgpu::DownlevelFlags::BASE_VERTEX)
    }

    /// Returns whether the adapter is a graphics card and not a software rasterizer.
    pub fn is_hardware(&self) -> bool {
        self.info.device_type != wgpu::DeviceType::Cpu
    }
}

/// Returns the names of all adapters without duplicates. This is slow, because it starts every driver.
pub fn adapter_names() -> Vec<String> {
    let mut names = Vec::new();
    for Attempt { backends, .. } in attempts(&AdapterChoice::Best) {
        let instance = wgpu::Instance::new(descriptor(backends, None));
        for adapter in pollster::block_on(instance.enumerate_adapters(backends)) {
            let name = adapter.get_info().name;
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names
}

/// One attempt to find an adapter.
#[derive(Debug, Clone, Copy)]
struct Attempt {
    backends: wgpu::Backends,
    /// Whether only software rasterizers are considered.
    software_only: bool,
}

/// Returns the attempts to find an adapter, the preferred one first.
fn attempts(choice: &AdapterChoice) -> Vec<Attempt> {
    let any = |backends| Attempt { backends, software_only: false };
    if *choice == AdapterChoice::Safe {
        return vec![any(wgpu::Backends::GL), Attempt { backends: wgpu::Backends::PRIMARY, software_only: true }];
    }
    wgpu::Backends::from_env().map_or(ATTEMPTS.map(any).to_vec(), |backends| vec![any(backends)])
}

/// The error of a surface that could not be created. wgpu lists the reasons of its backends, but on Linux the list is empty: then it is
/// left out.
fn surface_error(error: &wgpu::CreateSurfaceError) -> GpuError {
    let message = error.to_string();
    GpuError::Surface(message.strip_suffix(": {}").map_or(message.clone(), str::to_owned))
}

/// The error of all attempts: the first one that is about a certain adapter, or else the reasons of all attempts.
fn summary(failures: Vec<GpuError>) -> GpuError {
    let mut reasons = Vec::new();
    let mut has_surface = failures.is_empty();
    for failure in failures {
        let reason = match failure {
            GpuError::Surface(reason) => reason,
            GpuError::NoAdapter(reason) => {
                has_surface = true;
                reason
            }
            GpuError::NotFound { .. } | GpuError::NoDevice { .. } => return failure,
        };
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    let reasons = if reasons.is_empty() { "no backend is enabled".to_owned() } else { reasons.join(", ") };
    if has_surface { GpuError::NoAdapter(reasons) } else { GpuError::Surface(reasons) }
}

/// Why wgpu found no adapter, without the backends that it did not search.
fn search_reason(error: &wgpu::RequestAdapterError) -> String {
    let message = error.to_string();
    let backends = message.split_once("; ").map_or(&*message, |(_, backends)| backends);
    let is_searched = |backend: &&str| !["not requested", "not compiled in"].iter().any(|reason| backend.ends_with(reason));
    backends.split(", ").filter(is_searched).collect::<Vec<_>>().join(", ")
}

/// Finds the first adapter that can draw into the surface and whose name contains `name`, ignoring case.
fn named_adapter(instance: &wgpu::Instance, surface: &wgpu::Surface, attempt: Attempt, name: &str) -> Result<wgpu::Adapter, GpuError> {
    let adapters = pollster::block_on(instance.enumerate_adapters(attempt.backends));
    let is_wanted = |adapter: &wgpu::Adapter| adapter.get_info().name.to_lowercase().contains(&name.to_lowercase());
    let mut fitting = adapters.into_iter().filter(|adapter| is_wanted(adapter) && adapter.is_surface_supported(surface));
    fitting.next().ok_or_else(|| GpuError::NotFound { name: name.to_owned(), known: adapter_names().join(", ") })
}

/// Returns the descriptor of an instance with these backends. `display` is needed for windows on some platforms.
fn descriptor(backends: wgpu::Backends, display: Option<Box<dyn wgpu::wgt::WgpuHasDisplayHandle>>) -> wgpu::InstanceDescriptor {
    wgpu::InstanceDescriptor {
        backends,
        // No validation layers: wgpu validates by itself, and the layers cost most of the start time.
        flags: wgpu::InstanceFlags::empty().with_env(),
        display,
        ..wgpu::InstanceDescriptor::new_without_display_handle()
    }
}

/// Finds an adapter that can draw into the surface. It prefers a powerful one, unless the environment variables of wgpu say otherwise.
fn request_adapter(instance: &wgpu::Instance, surface: Option<&wgpu::Surface<'_>>, attempt: Attempt) -> Result<wgpu::Adapter, GpuError> {
    let found = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions {
        power_preference: wgpu::PowerPreference::from_env().unwrap_or(wgpu::PowerPreference::HighPerformance),
        force_fallback_adapter: attempt.software_only,
        compatible_surface: surface,
        ..Default::default()
    }));
    found.map_err(|error| GpuError::NoAdapter(search_reason(&error)))
}

/// Opens the device of an adapter, with the limits that large files need and the optional features that the adapter has.
fn open(instance: wgpu::Instance, adapter: wgpu::Adapter) -> Result<Gpu, GpuError> {
    let info = adapter.get_info();
    let offered = adapter.limits();
    let limits = wgpu::Limits {
        // Files may need more than the default values of these limits.
        max_texture_dimension_2d: offered.max_texture_dimension_2d,
        max_buffer_size: offered.max_buffer_size,
        max_storage_buffer_binding_size: offered.max_storage_buffer_binding_size,
        ..wgpu::Limits::default().or_worse_values_from(&offered)
    };
    let request = adapter.request_device(&wgpu::DeviceDescriptor {
        label: Some("sinew"),
        required_features: adapter.features() & OPTIONAL_FEATURES,
        required_limits: limits,
        memory_hints: wgpu::MemoryHints::MemoryUsage,
        ..Default::default()
    });
    let (device, queue) =
        pollster::block_on(request).map_err(|error| GpuError::NoDevice { name: info.name.clone(), reason: error.to_string() })?;
    // Log validation errors and lack of memory. By default, wgpu panics on them, which would end the program.
    device.on_uncaptured_error(Arc::new(|error| log::error!("graphics: {error}")));
    // wgpu requests OpenGL 3.3. NVIDIA's driver returns exactly that version, which has no storage buffers in shaders, although wgpu
    // reports that it has (https://github.com/gfx-rs/wgpu/issues/4751).
    if info.backend == wgpu::Backend::Gl && checked(&device, || storage_pipeline(&device)).is_err() {
        let reason = format!("shaders of its OpenGL driver ({}) cannot read storage buffers", info.driver_info);
        return Err(GpuError::NoDevice { name: info.name, reason });
    }
    Ok(Gpu { instance, adapter, device, queue, info })
}

/// See [`Gpu::checked`].
fn checked<T>(device: &wgpu::Device, work: impl FnOnce() -> T) -> Result<T, String> {
    let filters = [wgpu::ErrorFilter::Validation, wgpu::ErrorFilter::OutOfMemory, wgpu::ErrorFilter::Internal];
    let scopes = filters.map(|filter| device.push_error_scope(filter));
    let result = work();
    // The innermost scope is popped first.
    let errors: Vec<_> = scopes.into_iter().rev().filter_map(|scope| pollster::block_on(scope.pop())).collect();
    errors.first().map_or(Ok(result), |error| Err(error.to_string()))
}

/// Builds a pipeline whose vertex stage reads a storage buffer, as the surface pipelines do.
fn storage_pipeline(device: &wgpu::Device) -> wgpu::RenderPipeline {
    let source = "@group(0) @binding(0) var<storage, read> numbers: array<f32>;
        @vertex fn from_storage(@builtin(vertex_index) i: u32) -> @builtin(position) vec4<f32> { return vec4(numbers[i]); }";
    let module = device
        .create_shader_module(wgpu::ShaderModuleDescriptor { label: Some("storage"), source: wgpu::ShaderSource::Wgsl(source.into()) });
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("storage"),
        layout: None,
        vertex: wgpu::VertexState { module: &module, entry_point: None, compilation_options: Default::default(), buffers: &[] },
        primitive: wgpu::PrimitiveState::default(),
        // A pipeline needs a target.
        depth_stencil: Some(wgpu::DepthStencilState {
            format: wgpu::TextureFormat::Depth32Float,
            depth_write_enabled: Some(true),
            depth_compare: Some(wgpu::CompareFunction::Always),
            stencil: wgpu::StencilState::default(),
            bias: wgpu::DepthBiasState::default(),
        }),
        multisample: wgpu::MultisampleState::default(),
        fragment: None,
        multiview_mask: None,
        cache: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_names_the_adapter_or_else_the_reasons_of_all_attempts() {
        let surface = || GpuError::Surface("no surface".into());
        let no_adapter = |reason: &str| GpuError::NoAdapter(reason.into());
        let not_found = || GpuError::NotFound { name: "card".into(), known: "other".into() };
        let no_device = || GpuError::NoDevice { name: "card".into(), reason: "lost".into() };
        for (failures, expected) in [
            (vec![no_adapter("vulkan is missing"), no_adapter("gl is missing")], "found: vulkan is missing, gl is missing. On Linux"),
            (vec![surface(), no_adapter("gl is missing")], "no graphics adapter found: no surface, gl is missing. On Linux"),
            (vec![surface(), surface()], "no graphics driver can draw to the window: no surface. On Linux"),
            (vec![not_found(), surface()], "is called \"card\". Available: other"),
            (vec![no_device(), no_adapter("gl is missing")], "adapter \"card\": lost. Update its driver, or open the window without it"),
        ] {
            let message = summary(failures).to_string();
            assert!(message.contains(expected), "{message}");
        }
    }
}

//! A device to draw with: Vulkan, Metal or DirectX 12 where there is one, else GL. With a window's surface or without.

use std::sync::Arc;

use thiserror::Error;

use crate::codec::texels::BlockFormats;
use crate::render::material::images::Holds;

/// Optional features used if available: timestamps and compressed textures.
const WELCOME: wgpu::Features = wgpu::Features::TIMESTAMP_QUERY
    .union(wgpu::Features::TEXTURE_COMPRESSION_BC)
    .union(wgpu::Features::TEXTURE_COMPRESSION_ETC2)
    .union(wgpu::Features::TEXTURE_COMPRESSION_ASTC);

/// Handles to one device; cloning it clones the handles.
#[derive(Debug, Clone)]
pub struct Gpu {
    pub instance: wgpu::Instance,
    pub adapter: wgpu::Adapter,
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
    pub info: wgpu::AdapterInfo,
}

#[derive(Debug, Error)]
pub enum GpuError {
    #[error("no graphics adapter found: {0}. On Linux, install a Vulkan driver (mesa-vulkan-drivers works without a graphics card)")]
    NoAdapter(String),
    #[error("cannot use the graphics adapter \"{name}\": {reason}")]
    NoDevice { name: String, reason: String },
    #[error("cannot draw to the window: {0}")]
    Surface(#[from] wgpu::CreateSurfaceError),
}

/// GL stands apart: probing it costs time that Vulkan does not need, so it is asked second. `WGPU_BACKEND` overrides both.
const ATTEMPTS: [wgpu::Backends; 2] = [wgpu::Backends::PRIMARY, wgpu::Backends::GL];

impl Gpu {
    /// For pictures without a window.
    pub fn headless() -> Result<Self, GpuError> {
        let mut reason = String::new();
        for backends in attempts() {
            let instance = wgpu::Instance::new(descriptor(backends, None));
            match request_adapter(&instance, None) {
                Ok(adapter) => return open(instance, adapter),
                Err(error) => reason = error.to_string(),
            }
        }
        Err(GpuError::NoAdapter(reason))
    }

    /// For a window (an `Arc` of one: every attempt takes a handle of its own).
    pub fn for_surface<W>(window: W) -> Result<(Self, wgpu::Surface<'static>), GpuError>
    where
        W: Clone + Into<wgpu::SurfaceTarget<'static>> + wgpu::wgt::WgpuHasDisplayHandle,
    {
        let mut failure = None;
        for backends in attempts() {
            let instance = wgpu::Instance::new(descriptor(backends, Some(Box::new(window.clone()))));
            let surface = match instance.create_surface(window.clone()) {
                Ok(surface) => surface,
                Err(error) => {
                    failure = Some(GpuError::Surface(error));
                    continue;
                }
            };
            match request_adapter(&instance, Some(&surface)) {
                Ok(adapter) => return Ok((open(instance, adapter)?, surface)),
                Err(error) => failure = Some(GpuError::NoAdapter(error.to_string())),
            }
        }
        Err(failure.unwrap_or_else(|| GpuError::NoAdapter("no backend is enabled".into())))
    }

    /// Another device of the same adapter: it has a queue of its own.
    pub fn another(&self) -> Result<Self, GpuError> {
        open(self.instance.clone(), self.adapter.clone())
    }

    /// Waits until all that was handed over has arrived, so that the driver lets go of its copies.
    pub fn settle(&self) {
        self.queue.submit([]);
        // A device that is lost has nothing left to wait for; what draws next will say so.
        let _ = self.device.poll(wgpu::PollType::wait_indefinitely());
    }

    /// The image sizes and formats the device supports.
    pub fn holds(&self) -> Holds {
        let features = self.device.features();
        Holds {
            largest: self.device.limits().max_texture_dimension_2d,
            blocks: BlockFormats {
                bc: features.contains(wgpu::Features::TEXTURE_COMPRESSION_BC),
                etc2: features.contains(wgpu::Features::TEXTURE_COMPRESSION_ETC2),
                astc: features.contains(wgpu::Features::TEXTURE_COMPRESSION_ASTC),
            },
        }
    }

    /// The fragment stage cannot say which samples it covers, but can be run for each of them.
    pub fn masks_by_sample(&self) -> bool {
        let flags = self.adapter.get_downlevel_capabilities().flags;
        self.info.backend == wgpu::Backend::Gl && flags.contains(wgpu::DownlevelFlags::MULTISAMPLED_SHADING)
    }

    /// Whether it is a graphics card, not a software rasterizer.
    pub fn is_hardware(&self) -> bool {
        self.info.device_type != wgpu::DeviceType::Cpu
    }
}

fn attempts() -> Vec<wgpu::Backends> {
    wgpu::Backends::from_env().map_or(ATTEMPTS.to_vec(), |backends| vec![backends])
}

fn descriptor(backends: wgpu::Backends, display: Option<Box<dyn wgpu::wgt::WgpuHasDisplayHandle>>) -> wgpu::InstanceDescriptor {
    wgpu::InstanceDescriptor {
        backends,
        // Without validation layers: wgpu checks by itself, and they cost most of the start.
        flags: wgpu::InstanceFlags::empty().with_env(),
        display,
        ..wgpu::InstanceDescriptor::new_without_display_handle()
    }
}

fn request_adapter(instance: &wgpu::Instance, surface: Option<&wgpu::Surface<'_>>) -> Result<wgpu::Adapter, wgpu::RequestAdapterError> {
    pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions {
        power_preference: wgpu::PowerPreference::from_env().unwrap_or(wgpu::PowerPreference::HighPerformance),
        compatible_surface: surface,
        ..Default::default()
    }))
}

fn open(instance: wgpu::Instance, adapter: wgpu::Adapter) -> Result<Gpu, GpuError> {
    let info = adapter.get_info();
    let offered = adapter.limits();
    let limits = wgpu::Limits {
        // Limits that a file may need raised above the defaults.
        max_texture_dimension_2d: offered.max_texture_dimension_2d,
        max_buffer_size: offered.max_buffer_size,
        max_storage_buffer_binding_size: offered.max_storage_buffer_binding_size,
        ..wgpu::Limits::default().or_worse_values_from(&offered)
    };
    let request = adapter.request_device(&wgpu::DeviceDescriptor {
        label: Some("sinew"),
        required_features: adapter.features() & WELCOME,
        required_limits: limits,
        memory_hints: wgpu::MemoryHints::MemoryUsage,
        ..Default::default()
    });
    let (device, queue) =
        pollster::block_on(request).map_err(|error| GpuError::NoDevice { name: info.name.clone(), reason: error.to_string() })?;
    // A mistake of ours or memory that ran out must not take the window down with it.
    device.on_uncaptured_error(Arc::new(|error| log::error!("graphics: {error}")));
    Ok(Gpu { instance, adapter, device, queue, info })
}

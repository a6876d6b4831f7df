//! Pixels back from the GPU.

use std::sync::mpsc;

use thiserror::Error;

use super::gpu::Gpu;

#[derive(Debug, Error)]
pub enum ReadbackError {
    #[error("the graphics driver did not return the picture: {0}")]
    Failed(String),
}

/// The commands in `encoder` are run, then the upper left `width` x `height` pixels of a texture of four bytes a pixel are
/// handed, row by row, to `row` (its number, its bytes).
pub fn read_rows(
    gpu: &Gpu,
    mut encoder: wgpu::CommandEncoder,
    texture: &wgpu::Texture,
    [width, height]: [u32; 2],
    mut row: impl FnMut(u32, &[u8]),
) -> Result<(), ReadbackError> {
    let failed = |error: String| ReadbackError::Failed(error);
    let stride = (width * 4).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
    let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("readback"),
        size: u64::from(stride) * u64::from(height),
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
        mapped_at_creation: false,
    });
    encoder.copy_texture_to_buffer(
        texture.as_image_copy(),
        wgpu::TexelCopyBufferInfo {
            buffer: &buffer,
            layout: wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(stride), rows_per_image: Some(height) },
        },
        wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
    );
    gpu.queue.submit([encoder.finish()]);
    let (sender, receiver) = mpsc::channel();
    buffer.map_async(wgpu::MapMode::Read, .., move |result| {
        // The receiver only goes away together with this function.
        let _ = sender.send(result);
    });
    gpu.device.poll(wgpu::PollType::wait_indefinitely()).map_err(|error| failed(error.to_string()))?;
    let mapped = receiver.recv().map_err(|error| failed(error.to_string()))?;
    mapped.map_err(|error| failed(error.to_string()))?;
    let bytes = buffer.get_mapped_range(..).map_err(|error| failed(error.to_string()))?;
    for y in 0..height {
        row(y, &bytes[(y * stride) as usize..][..width as usize * 4]);
    }
    Ok(())
}

//! Reads pixels back from the GPU.

use std::sync::mpsc;

use thiserror::Error;

use super::gpu::Gpu;

/// Why a picture cannot be read back. The message is shown to the user.
#[derive(Debug, Error)]
pub enum ReadbackError {
    /// The device was lost, or the buffer could not be mapped. Holds the reason.
    #[error("the graphics driver did not return the picture: {0}")]
    Failed(String),
}

/// Submits the commands in `encoder`, then reads the upper left `width` x `height` pixels of a texture with four bytes per pixel. Calls
/// `row` with the number and the bytes of each row, from the top, without padding. Blocks until the GPU has finished.
pub fn read_rows(
    gpu: &Gpu,
    mut encoder: wgpu::CommandEncoder,
    texture: &wgpu::Texture,
    [width, height]: [u32; 2],
    mut row: impl FnMut(u32, &[u8]),
) -> Result<(), ReadbackError> {
    let failed = |error: String| ReadbackError::Failed(error);
    // Rows of the buffer are padded to a multiple of 256 bytes, which copies require.
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
        // If sending fails, the function has already returned with an error.
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

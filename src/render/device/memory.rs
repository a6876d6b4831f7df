//! Counts the bytes of GPU memory that textures take.

/// Returns the bytes of the textures behind these views: all mip levels, layers and samples.
pub(crate) fn texture_bytes<'a>(views: impl IntoIterator<Item = &'a wgpu::TextureView>) -> u64 {
    views.into_iter().map(|view| bytes(view.texture())).sum()
}

/// Returns the bytes of one texture. Compressed formats are counted in whole blocks.
fn bytes(texture: &wgpu::Texture) -> u64 {
    let format = texture.format();
    let (block_width, block_height) = format.block_dimensions();
    // Depth formats have no copy size. The one in use, Depth32Float, takes four bytes.
    let block_bytes = u64::from(format.block_copy_size(None).unwrap_or(4));
    let level_bytes = |level: u32| {
        let [x, y] = [(texture.width(), block_width), (texture.height(), block_height)]
            .map(|(size, block)| u64::from((size >> level).max(1).div_ceil(block)));
        x * y * block_bytes
    };
    let layers = u64::from(texture.depth_or_array_layers()) * u64::from(texture.sample_count());
    (0..texture.mip_level_count()).map(level_bytes).sum::<u64>() * layers
}

// Declares the joint palette of a page (palette.wgsl) as a texture, for software rasterizers. These fetch a row of a matrix as one texel,
// but would fetch each of its numbers separately from a buffer. Keep in sync with src/render/buffers/palette.rs.
//
//   group 1   0  texture  palette     three texels per matrix, 1024 matrices per row

@group(1) @binding(0) var palette: texture_2d<f32>;

// Returns matrix number `i` of the page.
fn palette_matrix(i: u32) -> mat3x4<f32> {
    let texel = vec2((i & 1023u) * 3u, i >> 10u);
    return mat3x4(
        textureLoad(palette, texel, 0),
        textureLoad(palette, texel + vec2(1u, 0u), 0),
        textureLoad(palette, texel + vec2(2u, 0u), 0),
    );
}

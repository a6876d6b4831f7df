// Declares the joint palette of a page (src/render/buffers/palette_pages.rs) as a buffer. It holds the matrices of all skins and rigid
// nodes, by rows. They transform mesh space to positions relative to the anchor (frame.wgsl).
//
//   group 1   0  storage  palette

@group(1) @binding(0) var<storage, read> palette: array<mat3x4<f32>>;

// Returns matrix number `i` of the page.
fn palette_matrix(i: u32) -> mat3x4<f32> {
    return palette[i];
}

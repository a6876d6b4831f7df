// Declares every actor's joint matrices and rigid matrices, by rows, as a buffer.
//
//   group 1   0  storage  palette

@group(1) @binding(0) var<storage, read> palette: array<mat3x4<f32>>;

fn palette_matrix(i: u32) -> mat3x4<f32> {
    return palette[i];
}

// Draws the grid on the ground. Its cells have three sizes, each ten times the previous one, and its lines fade with the distance. Has no
// bindings of its own; reads `frame.grid`.

// A corner of the grid's square.
struct GridVaryings {
    @builtin(position) clip: vec4<f32>,
    // Offset from the grid's center along x and z, in meters.
    @location(0) offset: vec2<f32>,
}

// Returns one of the four vertices of a triangle strip.
@vertex
fn grid_vertex(@builtin(vertex_index) i: u32) -> GridVaryings {
    let corner = vec2(f32(i & 1u), f32(i >> 1u)) * 2.0 - 1.0;
    let offset = corner * frame.grid.reach;
    var clip = frame.clip_from_anchored * vec4(frame.grid.center + vec3(offset.x, 0.0, offset.y), 1.0);
    // Move the grid slightly behind the ground plane, so that objects on the plane win the depth test (depth is reversed).
    clip.z *= 0.9995;
    return GridVaryings(clip, offset);
}

// Returns the fraction of a texel that is covered by lines of `width` texels, `cell` meters apart. Lines fade out where they get too dense.
fn line_coverage(offset: vec2<f32>, cell: f32, width: f32) -> f32 {
    let cells = (offset + frame.grid.phase) / cell;
    let texel = max(fwidth(offset) / cell, vec2(1e-9));
    let line_distance = abs(fract(cells - 0.5) - 0.5) / texel;
    let coverage = clamp(vec2(0.5 + width * 0.5) - line_distance, vec2(0.0), vec2(1.0));
    // Lines fade as their cells shrink to four times their width, and are invisible below that size.
    let fade = clamp(vec2(1.0) - texel * width * 4.0, vec2(0.0), vec2(1.0));
    let visible = coverage * fade;
    return max(visible.x, visible.y);
}

// Returns the color of the grid, premultiplied. The lines of larger cells are more opaque than those of smaller ones.
@fragment
fn grid_color(in: GridVaryings) -> @location(0) vec4<f32> {
    let grid = frame.grid;
    // One point, but at least a texel: the coverage of narrower lines would flicker.
    let width = max(frame.pixels_per_point, 1.0);
    let fine = line_coverage(in.offset, grid.cell, width) * 0.45 * grid.finest_opacity;
    let tens = line_coverage(in.offset, grid.cell * 10.0, width) * mix(0.45, 0.9, grid.finest_opacity);
    let hundreds = line_coverage(in.offset, grid.cell * 100.0, width) * 0.9;
    let center_distance = length(in.offset) / grid.reach;
    let fade = 1.0 - smoothstep(0.25, 1.0, center_distance);
    let alpha = max(fine, max(tens, hundreds)) * fade * grid.color.a;
    return vec4(grid.color.rgb * alpha, alpha);
}

// Draws the grid on the ground: cells of three decimal sizes that fade with the distance. Binds nothing of its own; reads `frame.grid`.

// A corner of the grid's square.
struct GridVaryings {
    @builtin(position) clip: vec4<f32>,
    // Offset from the grid's center along x and z, in meters.
    @location(0) place: vec2<f32>,
}

// Four vertices of a triangle strip.
@vertex
fn grid_vertex(@builtin(vertex_index) i: u32) -> GridVaryings {
    let corner = vec2(f32(i & 1u), f32(i >> 1u)) * 2.0 - 1.0;
    let place = corner * frame.grid.reach;
    var clip = frame.clip_from_anchored * vec4(frame.grid.center + vec3(place.x, 0.0, place.y), 1.0);
    // Slightly behind the ground plane, so that objects on it win the depth test (depth is reversed).
    clip.z *= 0.9995;
    return GridVaryings(clip, place);
}

// Returns the share of a pixel that lines of `width` pixels every `cell` meters cover. Lines fade out where they get too dense.
fn line_cover(place: vec2<f32>, cell: f32, width: f32) -> f32 {
    let at = (place + frame.grid.phase) / cell;
    let pixel = max(fwidth(place) / cell, vec2(1e-9));
    let away = abs(fract(at - 0.5) - 0.5) / pixel;
    let cover = clamp(vec2(0.5 + width * 0.5) - away, vec2(0.0), vec2(1.0));
    // A cell of less than four pixels fades out.
    let room = clamp(vec2(1.0) - pixel * 4.0, vec2(0.0), vec2(1.0));
    let both = cover * room;
    return max(both.x, both.y);
}

// Lines of a larger size are stronger than those of the next smaller one.
@fragment
fn grid_color(in: GridVaryings) -> @location(0) vec4<f32> {
    let grid = frame.grid;
    let fine = line_cover(in.place, grid.cell, 1.0) * 0.45 * grid.finest;
    let tens = line_cover(in.place, grid.cell * 10.0, 1.0) * mix(0.45, 0.9, grid.finest);
    let hundreds = line_cover(in.place, grid.cell * 100.0, 1.0) * 0.9;
    let away = length(in.place) / grid.reach;
    let fade = 1.0 - smoothstep(0.25, 1.0, away);
    let alpha = max(fine, max(tens, hundreds)) * fade * grid.color.a;
    return vec4(grid.color.rgb * alpha, alpha);
}

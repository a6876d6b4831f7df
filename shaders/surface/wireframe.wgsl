// Draws the edges of triangles over the shaded surface. The vertices are deformed in the same way as those of the surface. Has no bindings
// of its own.
//
// Every vertex has a number from 0 to 7 that differs among the corners of each triangle (src/render/model/wireframe.rs). The vertex stage
// turns the number into eight weights: 1 for the vertex's number and 0 for the seven others. In a fragment, three of the interpolated
// weights are the barycentric coordinates, and the other five are 0.

// The corner number of a vertex, from vertex buffer 3.
struct Corner {
    @location(8) number: u32,
}

// Weights of the numbers 0 to 3 (`low`) and 4 to 7 (`high`).
struct WireVaryings {
    @builtin(position) clip: vec4<f32>,
    @location(0) low: vec4<f32>,
    @location(1) high: vec4<f32>,
}

// Converts a corner number to weights.
fn wire_varyings(deformed: Varyings, corner: Corner) -> WireVaryings {
    let numbers = vec4(0u, 1u, 2u, 3u);
    let low = select(vec4<f32>(0.0), vec4<f32>(1.0), numbers == vec4(corner.number));
    let high = select(vec4<f32>(0.0), vec4<f32>(1.0), numbers + 4u == vec4(corner.number));
    return WireVaryings(deformed.clip, low, high);
}

@vertex
fn rigid_wire(attributes: Attributes, corner: Corner, @builtin(vertex_index) vertex: u32, @builtin(instance_index) i: u32) -> WireVaryings {
    return wire_varyings(rigid_varyings(attributes, no_optional_attributes(attributes), vertex, i), corner);
}

@vertex
fn instanced_wire(
    attributes: Attributes,
    corner: Corner,
    @builtin(vertex_index) vertex: u32,
    @builtin(instance_index) i: u32,
) -> WireVaryings {
    return wire_varyings(instanced_varyings(attributes, no_optional_attributes(attributes), vertex, i), corner);
}

@vertex
fn skinned_wire(
    attributes: Attributes,
    first: FirstInfluences,
    corner: Corner,
    @builtin(vertex_index) vertex: u32,
    @builtin(instance_index) i: u32,
) -> WireVaryings {
    return wire_varyings(skinned_varyings(attributes, no_optional_attributes(attributes), first, vertex, i), corner);
}

// Returns the change of each weight per pixel.
fn slopes(weights: vec4<f32>) -> vec4<f32> {
    let dx = dpdx(weights);
    let dy = dpdy(weights);
    return sqrt(dx * dx + dy * dy);
}

// Returns a distance for each of four corner numbers: from the fragment to the edge opposite to the corner with that number, in pixels. The
// distance is 1e9 for numbers that no corner of the triangle has.
fn edge_distances(weights: vec4<f32>, slope: vec4<f32>) -> vec4<f32> {
    return select(vec4(1e9), abs(weights) / max(slope, vec4(1e-12)), slope > vec4(1e-9));
}

// Returns the smallest of eight values.
fn smallest_of_eight(low: vec4<f32>, high: vec4<f32>) -> f32 {
    let smaller = min(low, high);
    return min(min(smaller.x, smaller.y), min(smaller.z, smaller.w));
}

// Returns the largest of eight values.
fn largest_of_eight(low: vec4<f32>, high: vec4<f32>) -> f32 {
    let larger = max(low, high);
    return max(max(larger.x, larger.y), max(larger.z, larger.w));
}

// Draws the line, premultiplied.
@fragment
fn wire_color(in: WireVaryings) -> @location(0) vec4<f32> {
    let low = slopes(in.low);
    let high = slopes(in.high);
    let edge_distance = smallest_of_eight(edge_distances(in.low, low), edge_distances(in.high, high));
    let width = 1.5 * frame.pixels_per_point;
    // The lines fade on small triangles: those whose smallest height is less than four line widths. `height` is that height, in pixels.
    let height = 1.0 / max(largest_of_eight(low, high), 1e-9);
    let fade = clamp(height / (4.0 * width), 0.15, 1.0);
    let line = clamp(width * 0.5 + 0.5 - edge_distance, 0.0, 1.0) * frame.wire.a * fade;
    // A faint bright border keeps the dark line visible on dark surfaces.
    let border = clamp(width * 0.5 + frame.pixels_per_point + 0.5 - edge_distance, 0.0, 1.0) * 0.05 * fade * fade * (1.0 - line);
    return vec4(frame.wire.rgb * line + border, line + border);
}

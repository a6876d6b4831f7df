// Draws lines of constant width with round ends and a halo. Each line is an instance of a strip of four vertices. If both ends of a line
// coincide, it is a dot. Has no bindings of its own; reads `frame`.

// Whether the lines are drawn into the scene, which takes linear colors. The overlay takes sRGB colors.
override in_scene: bool = false;

// A line. Positions are relative to the anchor, colors are sRGB. Keep in sync with `GpuLine` in src/render/annotations/line.rs.
struct LineInstance {
    // First end of the line.
    @location(0) start: vec3<f32>,
    @location(1) end: vec3<f32>,
    // Width of the line, and width of the halo on each side, in pixels.
    @location(2) widths: vec2<f32>,
    @location(3) color: vec4<f32>,
    @location(4) halo: vec4<f32>,
}

// A corner of the line's quad.
struct LineVaryings {
    @builtin(position) clip: vec4<f32>,
    // Offset from the start on the screen, along the line and across it, in pixels.
    @location(0) offset: vec2<f32>,
    // Length of the line on the screen, in pixels.
    @location(1) @interpolate(flat) extent: f32,
    @location(2) @interpolate(flat) widths: vec2<f32>,
    @location(3) @interpolate(flat) color: vec4<f32>,
    @location(4) @interpolate(flat) halo: vec4<f32>,
}

// Places a corner of the line's quad on the screen. The quad has room for the width, the halo and one pixel for a smooth edge.
@vertex
fn line(in: LineInstance, @builtin(vertex_index) i: u32) -> LineVaryings {
    var a = frame.clip_from_anchored * vec4(in.start, 1.0);
    var b = frame.clip_from_anchored * vec4(in.end, 1.0);
    // If a line crosses the near plane, keep only the visible part. Depth is reversed, so z is at most w in that part.
    let near_plane_distances = vec2(a.w - a.z, b.w - b.z);
    if (near_plane_distances.x < 0.0 && near_plane_distances.y < 0.0) {
        return LineVaryings(vec4(2.0, 2.0, 2.0, 1.0), vec2(0.0), 0.0, vec2(0.0), vec4(0.0), vec4(0.0));
    }
    let near_plane_point = mix(a, b, near_plane_distances.x / (near_plane_distances.x - near_plane_distances.y));
    if (near_plane_distances.x < 0.0) {
        a = near_plane_point;
    } else if (near_plane_distances.y < 0.0) {
        b = near_plane_point;
    }
    let half_size = frame.target_size * 0.5;
    let start = a.xy / a.w * half_size;
    let along = b.xy / b.w * half_size - start;
    let extent = length(along);
    let direction = select(vec2(1.0, 0.0), along / max(extent, 1e-6), extent > 1e-4);
    let margin = in.widths.x * 0.5 + in.widths.y + 1.0;
    let at_end = (i & 1u) == 1u;
    let across_offset = select(-margin, margin, (i >> 1u) == 1u);
    let along_offset = select(-margin, margin, at_end);
    let corner = select(a, b, at_end);
    let offset = direction * along_offset + vec2(-direction.y, direction.x) * across_offset;
    return LineVaryings(
        // Divided by w here, so that the offset varies evenly on the screen even if one end is much nearer than the other.
        vec4(corner.xy / corner.w + offset / half_size, corner.z / corner.w, 1.0),
        vec2(along_offset + select(0.0, extent, at_end), across_offset),
        extent,
        in.widths,
        in.color,
        in.halo,
    );
}

// Returns the color of the line over its halo, premultiplied.
@fragment
fn line_color(in: LineVaryings) -> @location(0) vec4<f32> {
    let nearest = vec2(clamp(in.offset.x, 0.0, in.extent), 0.0);
    let distance_to_line = distance(in.offset, nearest);
    let line_coverage = clamp(in.widths.x * 0.5 + 0.5 - distance_to_line, 0.0, 1.0);
    let halo_coverage = clamp(in.widths.x * 0.5 + in.widths.y + 0.5 - distance_to_line, 0.0, 1.0);
    var color = in.color.rgb;
    var halo = in.halo.rgb;
    if (in_scene) {
        color = linear_from_srgb(color);
        halo = linear_from_srgb(halo);
    }
    let line_alpha = line_coverage * in.color.a;
    let halo_alpha = halo_coverage * in.halo.a * (1.0 - line_alpha);
    return vec4(color * line_alpha + halo * halo_alpha, line_alpha + halo_alpha);
}

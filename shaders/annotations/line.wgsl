// Draws lines of constant width with round ends and a halo, one instance per line, as a strip of four vertices. A line whose ends coincide
// is a dot. Binds nothing of its own; reads `frame`.

// Whether the target is the scene, which takes linear colors. The overlay takes sRGB.
override in_scene: bool = false;

// An instance; positions are relative to the anchor, colors are sRGB. Keep in sync with `GpuLine` in src/render/annotations/line.rs.
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
    // Pixels on the screen from the start, along the line and across it.
    @location(0) place: vec2<f32>,
    // Length of the line on the screen, in pixels.
    @location(1) @interpolate(flat) extent: f32,
    @location(2) @interpolate(flat) widths: vec2<f32>,
    @location(3) @interpolate(flat) color: vec4<f32>,
    @location(4) @interpolate(flat) halo: vec4<f32>,
}

// Widens the line on the screen by its width, its halo and a pixel for a smooth edge.
@vertex
fn line(in: LineInstance, @builtin(vertex_index) i: u32) -> LineVaryings {
    var a = frame.clip_from_anchored * vec4(in.start, 1.0);
    var b = frame.clip_from_anchored * vec4(in.end, 1.0);
    // Clip a line that runs behind the eye to the part in front of it. Depth is reversed: in front of the near plane z is at most w.
    let before = vec2(a.w - a.z, b.w - b.z);
    if (before.x < 0.0 && before.y < 0.0) {
        return LineVaryings(vec4(2.0, 2.0, 2.0, 1.0), vec2(0.0), 0.0, vec2(0.0), vec4(0.0), vec4(0.0));
    }
    let cut = mix(a, b, before.x / (before.x - before.y));
    if (before.x < 0.0) {
        a = cut;
    } else if (before.y < 0.0) {
        b = cut;
    }
    let half_size = frame.target_size * 0.5;
    let first = a.xy / a.w * half_size;
    let along = b.xy / b.w * half_size - first;
    let extent = length(along);
    let direction = select(vec2(1.0, 0.0), along / max(extent, 1e-6), extent > 1e-4);
    let reach = in.widths.x * 0.5 + in.widths.y + 1.0;
    let at_end = (i & 1u) == 1u;
    let side = select(-reach, reach, (i >> 1u) == 1u);
    let forth = select(-reach, reach, at_end);
    let corner = select(a, b, at_end);
    let offset = (direction * forth + vec2(-direction.y, direction.x) * side) / half_size * corner.w;
    return LineVaryings(
        vec4(corner.xy + offset, corner.zw),
        vec2(forth + select(0.0, extent, at_end), side),
        extent,
        in.widths,
        in.color,
        in.halo,
    );
}

// Returns line over halo, premultiplied.
@fragment
fn line_color(in: LineVaryings) -> @location(0) vec4<f32> {
    let nearest = vec2(clamp(in.place.x, 0.0, in.extent), 0.0);
    let away = distance(in.place, nearest);
    let line = clamp(in.widths.x * 0.5 + 0.5 - away, 0.0, 1.0);
    let outer = clamp(in.widths.x * 0.5 + in.widths.y + 0.5 - away, 0.0, 1.0);
    var color = in.color.rgb;
    var halo = in.halo.rgb;
    if (in_scene) {
        color = linear_from_srgb(color);
        halo = linear_from_srgb(halo);
    }
    let line_alpha = line * in.color.a;
    let halo_alpha = outer * in.halo.a * (1.0 - line_alpha);
    return vec4(color * line_alpha + halo * halo_alpha, line_alpha + halo_alpha);
}

// The fragment stage of what casts a shadow and is not opaque; opaque surfaces need none.

// Of a surface that lets light through: the share that it keeps.
override cast_share: f32 = 1.0;

// Alpha mode MASK.
@fragment
fn cast_cut(in: Varyings) {
    if (base_color(in.uv, vertex_color(in)).a < material.alpha_cutoff) {
        discard;
    }
}

// What is seen through casts a shadow as dense as it is itself. Its depth in the map is both: how dense in steps of 1 / 256, and
// within a step how near the lamp. So of several the densest is kept. Keep in sync with `density` in shadow.wgsl.
@fragment
fn cast_thinned(in: Varyings) -> @builtin(frag_depth) f32 {
    let steps = round(clamp(base_color(in.uv, vertex_color(in)).a, 0.0, 1.0) * cast_share * 255.0);
    if (steps < 1.0) {
        discard;
    }
    return (steps + in.clip.z * DEPTH_IN_STEP) / 256.0;
}

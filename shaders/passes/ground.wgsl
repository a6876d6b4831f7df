// Draws the shadow on the ground. The quad is the parallelogram of ground that the shadow can reach. Has no bindings of its own; reads
// `frame` and the shadow map.

// A corner of the parallelogram.
struct GroundVaryings {
    @builtin(position) clip: vec4<f32>,
    // Position in the shadow map.
    @location(0) map_position: vec3<f32>,
    // Direction to the camera, not of unit length.
    @location(1) view: vec3<f32>,
    // Height of the part that casts the shadow here: 0 at the ground, 1 at the top of the model.
    @location(2) height: f32,
}

// Four vertices of a triangle strip.
@vertex
fn ground_vertex(@builtin(vertex_index) i: u32) -> GroundVaryings {
    let shadow = frame.shadow;
    let position = shadow.ground + shadow.across * f32(i & 1u) + shadow.along * f32(i >> 1u);
    var clip = frame.clip_from_anchored * vec4(position, 1.0);
    // Slightly behind the ground, so that a floor of the model wins the depth test (depth is reversed).
    clip.z *= 0.9995;
    return GroundVaryings(clip, shadow_map_position(position), frame.eye.xyz - position * frame.eye.w, f32(i >> 1u));
}

// Returns black with the opacity of the shadow, premultiplied.
@fragment
fn ground_color(in: GroundVaryings) -> @location(0) vec4<f32> {
    // The shadow is hidden at grazing view angles, where it would be a streak, and from below, where it would cover the model.
    let facing = smoothstep(0.0, 0.12, normalize(in.view).y);
    // A wide light makes the shadow of high parts softer and lighter. Keep the 2.0 in sync with `MAX_GROUND_WIDENING` in
    // src/render/light/shadow_fit.rs.
    let softness = in.height * min(5.0 * frame.key.spread, 1.0);
    let lightness = mix(1.0, 0.45, smoothstep(0.1, 1.0, softness));
    let alpha = frame.shadow.strength * lightness * facing * (1.0 - lit_fraction(in.map_position, mix(0.8, 2.0, softness)));
    // Most of the ground has no shadow and needs no blending.
    if (alpha <= 0.0) {
        discard;
    }
    return vec4(vec3(0.0), alpha);
}

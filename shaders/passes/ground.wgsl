// Draws the shadow on the ground, on a parallelogram as large as the shadow can reach.

struct GroundVaryings {
    @builtin(position) clip: vec4<f32>,
    // In the shadow map.
    @location(0) at: vec3<f32>,
    // Towards the eye.
    @location(1) view: vec3<f32>,
    // From what stands on the ground, 0, to where the highest places throw their shadow, 1.
    @location(2) away: f32,
}

@vertex
fn ground_vertex(@builtin(vertex_index) i: u32) -> GroundVaryings {
    let shadow = frame.shadow;
    let position = shadow.ground + shadow.across * f32(i & 1u) + shadow.along * f32(i >> 1u);
    var clip = frame.clip_from_anchored * vec4(position, 1.0);
    // Behind what stands on it, a floor of the model's own too (depth is reversed).
    clip.z *= 0.9995;
    return GroundVaryings(clip, in_map(position), frame.eye.xyz - position * frame.eye.w, f32(i >> 1u));
}

@fragment
fn ground_color(in: GroundVaryings) -> @location(0) vec4<f32> {
    // Seen along the ground it would be a streak, and from below it would lie over the model.
    let facing = smoothstep(0.0, 0.12, normalize(in.view).y);
    // A light as wide as the studio's draws the shadow of what is high up softer and lighter.
    let soft = in.away * min(5.0 * frame.key.spread, 1.0);
    let lightness = mix(1.0, 0.45, smoothstep(0.1, 1.0, soft));
    let alpha = frame.shadow.strength * lightness * facing * (1.0 - lit_share(in.at, mix(0.8, 2.0, soft)));
    // Most of the ground: nothing to be mixed.
    if (alpha <= 0.0) {
        discard;
    }
    return vec4(vec3(0.0), alpha);
}

// Shades a heat map of joint weights, or of the distances of a comparison. Has no bindings of its own; reads `weights` (deform.wgsl).
//
// The buffer `weights` holds the morph target weights, then one tint per palette entry. A tint is either (heat, 0, 0, 0), or a linear color
// and 1. The tint of a vertex is the weighted mean of its joints' tints. Some primitives have one heat per vertex instead of tints. Keep in
// sync with src/session/inspect/heat_map.rs.

//if heat_map
// `heats_base` of an instance whose vertices have no heats of their own. Keep in sync with src/render/buffers/palette_pages.rs.
const NO_HEATS = 0xffffffffu;

// Returns the tint of a joint of the instance.
fn tint(instance: Instance, joint: u32) -> vec4<f32> {
    let start = instance.tints_base + joint * 4u;
    return vec4(weights[start], weights[start + 1u], weights[start + 2u], weights[start + 3u]);
}

// Returns the weighted sum of four tints.
fn weighted_tint(instance: Instance, joints: vec4<u32>, w: vec4<f32>) -> vec4<f32> {
    return tint(instance, joints.x) * w.x + tint(instance, joints.y) * w.y
        + tint(instance, joints.z) * w.z + tint(instance, joints.w) * w.w;
}

// Returns the weighted sum of the tints of all joints that influence a vertex.
fn skin_tint(vertex: u32, instance: Instance, joints: vec4<u32>, first_weights: vec4<f32>) -> vec4<f32> {
    var sum = weighted_tint(instance, joints, first_weights);
    if (!extra_influences) {
        return sum;
    }
    for (var extra = 0u; extra < instance.extra_sets; extra++) {
        let influence_set = extra_influence_set(vertex, instance, extra);
        sum += weighted_tint(instance, influence_set.joints, influence_set.weights);
    }
    return sum;
}

// Returns the tint of a vertex: its own heat if it has one, else `joint_tint`.
fn vertex_tint(vertex: u32, instance: Instance, joint_tint: vec4<f32>) -> vec4<f32> {
    if (instance.heats_base == NO_HEATS) {
        return joint_tint;
    }
    return vec4(weights[instance.heats_base + vertex], 0.0, 0.0, 0.0);
}

// Returns the sRGB color of a heat. At 0 the shown joints have no influence, and at 1 no other joint has any influence.
fn heat_color(heat: f32) -> vec3<f32> {
    if (heat <= 0.0) {
        return vec3(107.0, 111.0, 118.0) / 255.0;
    }
    var stops = array<vec3<f32>, 5>(
        vec3(43.0, 47.0, 107.0) / 255.0,
        vec3(44.0, 127.0, 184.0) / 255.0,
        vec3(65.0, 182.0, 166.0) / 255.0,
        vec3(242.0, 210.0, 75.0) / 255.0,
        vec3(232.0, 67.0, 46.0) / 255.0,
    );
    let position = clamp(heat, 0.0, 1.0) * 4.0;
    let index = min(u32(position), 3u);
    return mix(stops[index], stops[index + 1u], position - f32(index));
}

// Returns the displayed color, linear. Surfaces that face the eye have the colors of the legend. Towards the rim the colors are darker, so
// that the shape can be seen.
fn weight_color(in: Varyings, normal: vec3<f32>) -> vec3<f32> {
    var color = in.tint.rgb;
    if (in.tint.a < 0.5) {
        color = linear_from_srgb(heat_color(in.tint.r));
    }
    let to_eye = unit_or_zero(frame.eye.xyz - in.position * frame.eye.w);
    return color * mix(0.5, 1.0, abs(dot(normal, to_eye)));
}
//end

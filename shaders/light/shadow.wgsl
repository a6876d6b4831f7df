// Looks up how much of the key light reaches a place: a soft lookup in the shadow map.
//
//   group 0   5  texture  shadow map   depth as the key light sees it, reversed: nearer is larger, nothing is 0
//             6  sampler               comparison: 1 where the place is not behind what the map has

@group(0) @binding(5) var shadow_map: texture_depth_2d;
@group(0) @binding(6) var shadow_sampler: sampler_comparison;

// A square of places in the map about one (x, y: 0 to 1 across the map; z: depth): the share of them that the light reaches.
// `wider` scales the width of the lookup relative to that on a surface.
fn lit_share(at: vec3<f32>, wider: f32) -> f32 {
    let shadow = frame.shadow;
    let step = shadow.step * wider;
    let first = at.xy - 0.5 * step * f32(shadow.taps - 1u);
    // Points beyond the map's depth range are lit.
    let depth = clamp(at.z, 0.0, 1.0);
    var sum = 0.0;
    for (var y = 0u; y < shadow.taps; y++) {
        for (var x = 0u; x < shadow.taps; x++) {
            let tap = first + step * vec2(f32(x), f32(y));
            sum += textureSampleCompareLevel(shadow_map, shadow_sampler, tap, depth);
        }
    }
    return sum / f32(shadow.taps * shadow.taps);
}

fn in_map(position: vec3<f32>) -> vec3<f32> {
    return (frame.shadow.map_from_anchored * vec4(position, 1.0)).xyz;
}

// The share of the key light that reaches a surface. `outward`: normal of the triangle itself, unit length or zero; `n_dot_l`: from
// the normal it is shaded with.
fn surface_lit_share(position: vec3<f32>, outward: vec3<f32>, n_dot_l: f32) -> f32 {
    // Along the places that are looked up a slanted triangle comes nearer to the light than where it is lit: it is lifted by as much.
    let cosine = dot(outward, frame.key.direction);
    let slant = sqrt(max(1.0 - cosine * cosine, 0.0));
    let lifted = position + outward * (frame.shadow.lift * slant * sign(cosine)) + frame.key.direction * (0.25 * frame.shadow.lift);
    // Where the light grazes, smooth normals promise light that the triangles do not get: no hard edge shows that.
    return mix(1.0, lit_share(in_map(lifted), 1.0), smoothstep(0.0, 0.25, n_dot_l));
}

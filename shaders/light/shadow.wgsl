// Looks up how much of the key light reaches a position, by a soft lookup in the shadow map.
//
//   group 0   5  texture  shadow_map       reversed depth as the key light sees it: nearer is larger, and nothing is 0
//             6  sampler  shadow_sampler   comparison: 1 if the position is not behind what the map shows

@group(0) @binding(5) var shadow_map: texture_depth_2d;
@group(0) @binding(6) var shadow_sampler: sampler_comparison;

// Returns the share of lookups in a square about `at` that the light reaches. `at` is a position in the map: x and y are 0 to 1 across it,
// z is depth. `wider` scales the square relative to the one for surfaces.
fn lit_share(at: vec3<f32>, wider: f32) -> f32 {
    let shadow = frame.shadow;
    let step = shadow.step * wider;
    let first = at.xy - 0.5 * step * f32(shadow.taps - 1u);
    // Positions outside the map's depth range are lit.
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

// Returns the position in the shadow map.
fn in_map(position: vec3<f32>) -> vec3<f32> {
    return (frame.shadow.map_from_anchored * vec4(position, 1.0)).xyz;
}

// Returns the share of the key light that reaches a surface. `outward` is the normal of the triangle itself, of unit length or zero.
// `n_dot_l` belongs to the normal that shades the surface.
fn surface_lit_share(position: vec3<f32>, outward: vec3<f32>, n_dot_l: f32) -> f32 {
    // A slanted triangle comes nearer to the light within the square of lookups and would shade itself. Lift it by that much.
    let cosine = dot(outward, frame.key.direction);
    let slant = sqrt(max(1.0 - cosine * cosine, 0.0));
    let lifted = position + outward * (frame.shadow.lift * slant * sign(cosine)) + frame.key.direction * (0.25 * frame.shadow.lift);
    // At grazing light, smooth normals promise light that the triangles do not get. Fading the shadow out there hides its hard edge.
    return mix(1.0, lit_share(in_map(lifted), 1.0), smoothstep(0.0, 0.25, n_dot_l));
}

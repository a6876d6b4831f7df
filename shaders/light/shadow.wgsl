// Computes the fraction of the key light that reaches a position. Several lookups in the shadow map give shadows soft edges.
//
//   group 0   5  texture  shadow_map       reversed depth from the key light: nearer is larger, and 0 means that there is nothing
//             6  sampler  shadow_sampler   comparison: 1 if the position is as near to the light as the map's depth, or nearer

// Number of lookups along each side of the square of lookups: `ShadowQuality::taps` in src/render/light/shadow_fit.rs. Not a uniform,
// because lavapipe compiles a shader again for each draw if a loop depends only on uniforms, and does not free the old code.
override shadow_taps: u32 = 3u;

@group(0) @binding(5) var shadow_map: texture_depth_2d;
@group(0) @binding(6) var shadow_sampler: sampler_comparison;

// Returns the fraction of the light that reaches a position: the mean of the lookups in a square around it. `map_position` has x and y from
// 0 to 1 across the map, and depth as z. `size_factor` scales the square; surfaces use 1.
fn lit_fraction(map_position: vec3<f32>, size_factor: f32) -> f32 {
    let shadow = frame.shadow;
    let step = shadow.step * size_factor;
    let corner = map_position.xy - 0.5 * step * f32(shadow_taps - 1u);
    // Positions outside the map's depth range are compared at its nearest or farthest depth.
    let depth = clamp(map_position.z, 0.0, 1.0);
    var sum = 0.0;
    for (var y = 0u; y < shadow_taps; y++) {
        for (var x = 0u; x < shadow_taps; x++) {
            let uv = corner + step * vec2(f32(x), f32(y));
            sum += textureSampleCompareLevel(shadow_map, shadow_sampler, uv, depth);
        }
    }
    return sum / f32(shadow_taps * shadow_taps);
}

// Transforms a position to the shadow map.
fn shadow_map_position(position: vec3<f32>) -> vec3<f32> {
    return (frame.shadow.map_from_anchored * vec4(position, 1.0)).xyz;
}

// Returns the fraction of the key light that reaches a surface. `outward` is the geometric normal of the triangle on the lit side, of unit
// length or zero. `facing` and `vertex_facing` are the cosines of the angles between the direction to the light and the shading normal, with
// and without the normal texture.
fn surface_lit_fraction(position: vec3<f32>, outward: vec3<f32>, facing: f32, vertex_facing: f32) -> f32 {
    // Within the square of lookups, a slanted triangle has parts that are nearer to the light than the position and would shade it. So
    // move the position off the triangle, towards the light.
    let cosine = dot(outward, frame.key.direction);
    let sine = sqrt(max(1.0 - cosine * cosine, 0.0));
    let lifted = position + outward * (frame.shadow.lift * sine * sign(cosine)) + frame.key.direction * (0.25 * frame.shadow.lift);
    // Smooth normals may face the light where their triangles do not: near the boundary of the lit side, and where skinning stretches a
    // surface. There, the body's own shadow has hard edges along the sides of triangles, so fade it out.
    let smoothed = max(light_ramp(vertex_facing) - light_ramp(cosine), 0.0);
    return mix(1.0, lit_fraction(shadow_map_position(lifted), 1.0), light_ramp(facing) * (1.0 - smoothed));
}

// Rises from 0 to 1 as a direction turns towards the light. `cosine` is that of the angle between them.
fn light_ramp(cosine: f32) -> f32 {
    return smoothstep(0.0, 0.25, cosine);
}

// How much of the key lamp arrives at a place: the map of what it sees first, looked up softly.
//
//   group 0   5  texture  shadow map   depth as the lamp sees it, reversed: what is nearer to it is larger, nothing is 0
//             6  sampler               1 where what is looked up is not behind what the map has

@group(0) @binding(5) var shadow_map: texture_depth_2d;
@group(0) @binding(6) var shadow_sampler: sampler_comparison;

// Of a step of density: the share that depth takes.
const DEPTH_IN_STEP = 0.998;

// Of the thin at a texel of the lower half: how much of the light it keeps from what is behind it.
fn density(texel: vec2<i32>, depth: f32) -> f32 {
    let side = i32(frame.shadow.thin);
    let inside = clamp(texel, vec2(0), vec2(side - 1));
    let packed = textureLoad(shadow_map, inside + vec2(0, side), 0) * 256.0;
    return select(0.0, floor(packed) / 255.0, depth * DEPTH_IN_STEP < fract(packed));
}

// The same between texels, mixed.
fn smooth_density(at: vec2<f32>, depth: f32) -> f32 {
    let place = at * f32(frame.shadow.thin) - 0.5;
    let first = vec2<i32>(floor(place));
    let between = place - floor(place);
    let upper = mix(density(first, depth), density(first + vec2(1, 0), depth), between.x);
    let lower = mix(density(first + vec2(0, 1), depth), density(first + vec2(1, 1), depth), between.x);
    return mix(upper, lower, between.y);
}

// A square of places in the map about one (x, y: 0 to 1 across the map; z: depth): the share of them that the lamp reaches.
// `wider`: how much wider than on a surface the square is.
fn lamp_share(at: vec3<f32>, wider: f32) -> f32 {
    let shadow = frame.shadow;
    let step = shadow.step * wider;
    let first = at.xy - 0.5 * step * f32(shadow.taps - 1u);
    // What is beyond the map's depth has nothing behind it.
    let depth = clamp(at.z, 0.0, 1.0);
    // Where there is a lower half, of what is thin, the upper one is half of all.
    let upper = vec2(1.0, select(1.0, 0.5, shadow.thin > 0u));
    var sum = 0.0;
    for (var y = 0u; y < shadow.taps; y++) {
        for (var x = 0u; x < shadow.taps; x++) {
            let tap = first + step * vec2(f32(x), f32(y));
            sum += textureSampleCompareLevel(shadow_map, shadow_sampler, tap * upper, depth);
        }
    }
    var kept = 0.0;
    let thin_taps = select(0u, shadow.taps, shadow.thin > 0u);
    for (var y = 0u; y < thin_taps; y++) {
        for (var x = 0u; x < thin_taps; x++) {
            kept += smooth_density(first + step * vec2(f32(x), f32(y)), depth);
        }
    }
    let places = f32(shadow.taps * shadow.taps);
    return sum / places * (1.0 - kept / places);
}

fn in_map(position: vec3<f32>) -> vec3<f32> {
    return (frame.shadow.map_from_anchored * vec4(position, 1.0)).xyz;
}

// Of a surface. `outward`: of the triangle itself, unit length or zero; `n_dot_l`: of the normal it is shaded with.
fn lamp_share_on(position: vec3<f32>, outward: vec3<f32>, n_dot_l: f32) -> f32 {
    // Along the places that are looked up a slanted triangle comes nearer to the lamp than where it is lit: it is lifted by as much.
    let cosine = dot(outward, frame.key.direction);
    let slant = sqrt(max(1.0 - cosine * cosine, 0.0));
    let lifted = position + outward * (frame.shadow.lift * slant * sign(cosine)) + frame.key.direction * (0.25 * frame.shadow.lift);
    // Where the light grazes, smooth normals promise light that the triangles do not get: no hard edge shows that.
    return mix(1.0, lamp_share(in_map(lifted), 1.0), smoothstep(0.0, 0.25, n_dot_l));
}

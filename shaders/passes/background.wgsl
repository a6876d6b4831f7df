// Draws the environment as background: one triangle that covers the whole target at the far depth. Has no bindings of its own; reads
// `frame` and the environment map.

// A corner of the triangle, and the world direction from the eye through it, not of unit length.
struct BackgroundVaryings {
    @builtin(position) clip: vec4<f32>,
    @location(0) direction: vec3<f32>,
}

@vertex
fn background_vertex(@builtin(vertex_index) i: u32) -> BackgroundVaryings {
    let clip_xy = vec2(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0);
    let direction = frame.background_middle + frame.background_right * clip_xy.x + frame.background_up * clip_xy.y;
    return BackgroundVaryings(vec4(clip_xy, 0.0, 1.0), direction);
}

// Looks up the environment map, which is an octahedron that is unfolded to a square. At the four corners of the octahedron on the horizon,
// the edge of the square is folded onto itself. The directions around such a corner have only half as many texels as other directions, so
// the edge of a light would show a notch there. Therefore light near a corner is blended with the light at a small distance
// (`blend_distance`).
fn unfolded_environment(direction: vec3<f32>, blur: f32) -> vec3<f32> {
    let light = environment_at(direction, blur);
    let along_x = abs(direction.x) > abs(direction.z);
    let corner = select(vec3(0.0, 0.0, sign(direction.z)), vec3(sign(direction.x), 0.0, 0.0), along_x);
    let cosine = dot(direction, corner);
    let offset = direction - corner * cosine;
    let distance = length(offset);
    // One and a half texels of the first level.
    let blend_distance = 1.5 * 2.0 * 16.0 / 15.0 / f32(textureDimensions(environment_map).x);
    if (distance >= blend_distance) {
        return light;
    }
    let light_outside = environment_at(corner * cosine + offset * (blend_distance / max(distance, 1e-9)), blur);
    return mix(light, light_outside, distance / blend_distance);
}

// Returns the blurred sun. If a sun is the key light, only the first level of the map contains it, so its analytic lobe is added here
// (src/render/environment/sun.rs).
fn blurred_sun(direction: vec3<f32>, blur: f32) -> vec3<f32> {
    let key = frame.key;
    let cosine = dot(direction, key.direction);
    let fraction = key.in_environment_map * analytic_key_fraction(blur);
    if (fraction <= 0.0 || cosine <= 0.0) {
        return vec3(0.0);
    }
    let roughness = max(blur, 1.0 / frame.environment_last_level);
    // If `a2` were 1, the integral below would divide zero by zero.
    let a2 = min(roughness * roughness * roughness * roughness, 0.98);
    let b = a2 - 1.0;
    // Integral of the normal distribution times the cosine over all directions of light.
    let integral = 4.0 * a2 / (b * b) * (2.0 * log(2.0 * a2 / (1.0 + a2)) + 1.0 / a2 - 1.0);
    let d = (0.5 + 0.5 * cosine) * b + 1.0;
    return key.irradiance / 3.14159265 * (fraction * a2 / (d * d) * cosine / integral);
}

// Returns the environment, blurred by `frame.background_blur` and tone mapped.
@fragment
fn background_color(in: BackgroundVaryings) -> @location(0) vec4<f32> {
    let direction = normalize(in.direction);
    let blur = frame.background_blur;
    let light = unfolded_environment(environment_direction(direction), blur) + blurred_sun(direction, blur);
    return vec4(displayed(light), 1.0);
}

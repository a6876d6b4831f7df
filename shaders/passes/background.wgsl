// Draws the environment as background: one triangle over the whole target at the far depth. Binds nothing of its own; reads `frame` and the
// environment map.

// A corner of the triangle and the world direction seen there, not of unit length.
struct BackgroundVaryings {
    @builtin(position) clip: vec4<f32>,
    @location(0) direction: vec3<f32>,
}

@vertex
fn background_vertex(@builtin(vertex_index) i: u32) -> BackgroundVaryings {
    let place = vec2(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0);
    let direction = frame.background_middle + frame.background_right * place.x + frame.background_up * place.y;
    return BackgroundVaryings(vec4(place, 0.0, 1.0), direction);
}

// Looks up the environment. At four places on the horizon the octahedron's square is folded in two. There all directions around share half
// as many texels as elsewhere, and the edge of a light would have a notch. So light near these places is blended with the light at a small
// distance (the reach).
fn unfolded_environment(direction: vec3<f32>, blur: f32) -> vec3<f32> {
    let light = environment_at(direction, blur);
    let along_x = abs(direction.x) > abs(direction.z);
    let fold = select(vec3(0.0, 0.0, sign(direction.z)), vec3(sign(direction.x), 0.0, 0.0), along_x);
    let cosine = dot(direction, fold);
    let away = direction - fold * cosine;
    let distance = length(away);
    // One and a half texels of the first level.
    let reach = 1.5 * 2.0 * 16.0 / 15.0 / f32(textureDimensions(environment_map).x);
    if (distance >= reach) {
        return light;
    }
    let beside = environment_at(fold * cosine + away * (reach / max(distance, 1e-9)), blur);
    return mix(light, beside, distance / reach);
}

// Returns the blurred sun. If a sun is the key light, only the first level of the map contains it, so its analytic lobe is added here
// (src/render/environment/sun.rs).
fn blurred_sun(direction: vec3<f32>, blur: f32) -> vec3<f32> {
    let key = frame.key;
    let cosine = dot(direction, key.direction);
    let share = key.in_map * key_share(blur);
    if (share <= 0.0 || cosine <= 0.0) {
        return vec3(0.0);
    }
    let roughness = max(blur, 1.0 / frame.environment_last_level);
    // At 1 the integral below would divide zero by zero.
    let a2 = min(roughness * roughness * roughness * roughness, 0.98);
    let b = a2 - 1.0;
    // Integral of the normal distribution times the cosine over all directions of light.
    let whole = 4.0 * a2 / (b * b) * (2.0 * log(2.0 * a2 / (1.0 + a2)) + 1.0 / a2 - 1.0);
    let d = (0.5 + 0.5 * cosine) * b + 1.0;
    return key.irradiance / 3.14159265 * (share * a2 / (d * d) * cosine / whole);
}

// Shows the environment with the options' blur, tone mapped.
@fragment
fn background_color(in: BackgroundVaryings) -> @location(0) vec4<f32> {
    let direction = normalize(in.direction);
    let light = unfolded_environment(in_environment(direction), frame.background_blur) + blurred_sun(direction, frame.background_blur);
    return vec4(displayed(light), 1.0);
}

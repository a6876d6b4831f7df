// Draws the environment as background: one triangle over the whole target at the far depth.

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

// At four places of the horizon the map's square is folded in two: all that is around them lies on half as many texels as elsewhere,
// and an edge of light would have a notch there. The nearer to one, the less counts what lies beyond it.
fn unfolded_environment(direction: vec3<f32>, blur: f32) -> vec3<f32> {
    let light = environment_at(direction, blur);
    let along_x = abs(direction.x) > abs(direction.z);
    let fold = select(vec3(0.0, 0.0, sign(direction.z)), vec3(sign(direction.x), 0.0, 0.0), along_x);
    let cosine = dot(direction, fold);
    let away = direction - fold * cosine;
    let distance = length(away);
    // One and a half texels.
    let reach = 1.5 * 2.0 * 16.0 / 15.0 / f32(textureDimensions(environment_map).x);
    if (distance >= reach) {
        return light;
    }
    let beside = environment_at(fold * cosine + away * (reach / max(distance, 1e-9)), blur);
    return mix(light, beside, distance / reach);
}

// A sun that is the key light is only in the first level; add its analytic lobe (environment/sun.rs).
fn blurred_sun(direction: vec3<f32>, blur: f32) -> vec3<f32> {
    let key = frame.key;
    let cosine = dot(direction, key.direction);
    let share = key.in_map * key_share(blur);
    if (share <= 0.0 || cosine <= 0.0) {
        return vec3(0.0);
    }
    let roughness = max(blur, 1.0 / frame.environment_last_level);
    // At 1 the integral below would be nothing over nothing.
    let a2 = min(roughness * roughness * roughness * roughness, 0.98);
    let b = a2 - 1.0;
    // Integral of the normal distribution times the cosine over all light directions.
    let whole = 4.0 * a2 / (b * b) * (2.0 * log(2.0 * a2 / (1.0 + a2)) + 1.0 / a2 - 1.0);
    let d = (0.5 + 0.5 * cosine) * b + 1.0;
    return key.irradiance / 3.14159265 * (share * a2 / (d * d) * cosine / whole);
}

@fragment
fn background_color(in: BackgroundVaryings) -> @location(0) vec4<f32> {
    let direction = normalize(in.direction);
    let light = unfolded_environment(in_environment(direction), frame.background_blur) + blurred_sun(direction, frame.background_blur);
    return vec4(displayed(light), 1.0);
}

// Looks up image-based light: a map prefiltered by roughness, or a constant ambient light.
//
//   group 0   2  texture  environment_map      octahedral; one mip level per roughness, a mirror's first (see src/render/environment)
//             3  sampler  environment_sampler
//             4  texture  brdf_lut             scale and bias of f0, over the square root of n dot v, and the roughness

override studio: bool = false;

@group(0) @binding(2) var environment_map: texture_2d<f32>;
@group(0) @binding(3) var environment_sampler: sampler;
@group(0) @binding(4) var brdf_lut: texture_2d<f32>;

// Reflected share of uniform light, as factors of f0 and of 1.
fn brdf_scale_bias(roughness: f32, n_dot_v: f32) -> vec2<f32> {
    // From the middle of the first place to that of the last.
    let place = vec2(sqrt(n_dot_v), roughness) * (31.0 / 32.0) + 0.5 / 32.0;
    return textureSampleLevel(brdf_lut, environment_sampler, place, 0.0).rg;
}

// Texture coordinates of a direction. Keep in sync with `place` in src/render/environment/octahedral.rs.
fn octahedral_uv(direction: vec3<f32>) -> vec2<f32> {
    let size = abs(direction);
    let upper = direction.xz / (size.x + size.y + size.z);
    let lower = (1.0 - abs(upper.yx)) * select(vec2(-1.0), vec2(1.0), upper >= vec2(0.0));
    return select(lower, upper, direction.y >= 0.0) * (0.5 * 15.0 / 16.0) + 0.5;
}

// Rotates a world direction into the map's space.
fn in_environment(direction: vec3<f32>) -> vec3<f32> {
    let turn = frame.environment_turn;
    return vec3(dot(turn, vec2(direction.x, -direction.z)), direction.y, dot(turn.yx, direction.xz));
}

fn environment_at(direction: vec3<f32>, roughness: f32) -> vec3<f32> {
    return textureSampleLevel(environment_map, environment_sampler, octahedral_uv(direction), roughness * frame.environment_last_level).rgb;
}

// Radiance from a direction, seen through the lobe of a perceptual roughness.
fn specular_environment(direction: vec3<f32>, roughness: f32) -> vec3<f32> {
    if (studio) {
        return environment_at(in_environment(direction), roughness);
    }
    return vec3(frame.ambient);
}

// The share of the key light's mirror image that the environment map does not contain.
fn key_share(roughness: f32) -> f32 {
    return 1.0 - frame.key.in_map * max(1.0 - roughness * frame.environment_last_level, 0.0);
}

// Radiance that a white diffuse surface reflects.
fn diffuse_environment(normal: vec3<f32>) -> vec3<f32> {
    if (studio) {
        let q = frame.irradiance;
        let n = normal;
        let sum = (q[0].rgb * n.x + q[3].rgb * n.y + q[6].rgb) * n.x + (q[1].rgb * n.y + q[4].rgb * n.z + q[7].rgb) * n.y
            + (q[2].rgb * n.z + q[5].rgb * n.x + q[8].rgb) * n.z;
        return max(sum, vec3(0.0)) + frame.sun_light * max(dot(n, frame.sun_direction), 0.0);
    }
    return vec3(frame.ambient);
}

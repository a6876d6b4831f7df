// Looks up image-based light: an environment map that is prefiltered by roughness, or a constant ambient light.
//
//   group 0   2  texture  environment_map      octahedral; one mip level per roughness, from 0 up (see src/render/environment)
//             3  sampler  environment_sampler
//             4  texture  brdf_lut             scale and bias of f0, by the square root of n dot v (x) and by roughness (y)

// Whether the environment map lights surfaces. If not, the constant light `frame.ambient` does.
override lit_by_environment: bool = false;

@group(0) @binding(2) var environment_map: texture_2d<f32>;
@group(0) @binding(3) var environment_sampler: sampler;
@group(0) @binding(4) var brdf_lut: texture_2d<f32>;

// Returns the fraction of uniform light that a rough surface reflects, as a factor of f0 (x) and a constant (y): the split-sum
// approximation (Karis 2013).
fn brdf_scale_bias(roughness: f32, n_dot_v: f32) -> vec2<f32> {
    // Texture coordinates from the center of the first texel to that of the last, 32 per side.
    let uv = vec2(sqrt(n_dot_v), roughness) * (31.0 / 32.0) + 0.5 / 32.0;
    return textureSampleLevel(brdf_lut, environment_sampler, uv, 0.0).rg;
}

// Returns the texture coordinates of a direction of any length. Keep in sync with `position` in src/render/environment/octahedral.rs.
fn octahedral_uv(direction: vec3<f32>) -> vec2<f32> {
    let size = abs(direction);
    let upper = direction.xz / (size.x + size.y + size.z);
    let lower = (1.0 - abs(upper.yx)) * select(vec2(-1.0), vec2(1.0), upper >= vec2(0.0));
    return select(lower, upper, direction.y >= 0.0) * (0.5 * 15.0 / 16.0) + 0.5;
}

// Rotates a world direction into the map's space.
fn environment_direction(direction: vec3<f32>) -> vec3<f32> {
    let rotation = frame.environment_turn;
    return vec3(dot(rotation, vec2(direction.x, -direction.z)), direction.y, dot(rotation.yx, direction.xz));
}

// Returns the radiance from a direction in the map's space, blurred by a perceptual roughness.
fn environment_at(direction: vec3<f32>, roughness: f32) -> vec3<f32> {
    return textureSampleLevel(environment_map, environment_sampler, octahedral_uv(direction), roughness * frame.environment_last_level).rgb;
}

// Returns the radiance from a world direction, blurred by the lobe of a perceptual roughness.
fn specular_environment(direction: vec3<f32>, roughness: f32) -> vec3<f32> {
    if (lit_by_environment) {
        return environment_at(environment_direction(direction), roughness);
    }
    return vec3(frame.ambient);
}

// Returns the fraction of the key light's reflection that must be computed analytically, because the environment map does not contain it.
// If the key light is a sun, the map contains it in the first level, but in no other level.
fn analytic_key_fraction(roughness: f32) -> f32 {
    return 1.0 - frame.key.in_environment_map * max(1.0 - roughness * frame.environment_last_level, 0.0);
}

// Returns the radiance that a white diffuse surface with this unit normal reflects.
fn diffuse_environment(normal: vec3<f32>) -> vec3<f32> {
    if (lit_by_environment) {
        let q = frame.irradiance;
        let n = normal;
        let sum = (q[0].rgb * n.x + q[3].rgb * n.y + q[6].rgb) * n.x + (q[1].rgb * n.y + q[4].rgb * n.z + q[7].rgb) * n.y
            + (q[2].rgb * n.z + q[5].rgb * n.x + q[8].rgb) * n.z;
        return max(sum, vec3(0.0)) + frame.sun_light * max(dot(n, frame.sun_direction), 0.0);
    }
    return vec3(frame.ambient);
}

// The light around the model: a studio evaluated analytically, or the same from everywhere.

override studio: bool = false;

// What share of light from everywhere a surface mirrors, as factors of f0 and of 1 (Karis's fit of the split sum).
fn mirrored_share(roughness: f32, n_dot_v: f32) -> vec2<f32> {
    let r = roughness * vec4(-1.0, -0.0275, -0.572, 0.022) + vec4(1.0, 0.0425, 1.04, -0.04);
    let a = min(r.x * r.x, exp2(-9.28 * n_dot_v)) * r.x + r.y;
    return vec2(-1.04, 1.04) * a + r.zw;
}

// A step from -1 to 1 as wide as it is blurred.
fn soft_step(x: f32, blur: f32) -> f32 {
    let t = clamp(x / blur, -1.0, 1.0);
    return t * (1.5 - 0.5 * t * t);
}

// The studio in a direction, seen through a lobe as wide as `spread` (0: a mirror). A box blurred in both its directions
// keeps its energy. Keep in sync with `radiance` in src/render/studio.rs.
fn studio_radiance(direction: vec3<f32>, spread: f32) -> vec3<f32> {
    let width = 0.2 + 1.3 * spread;
    let height = direction.y * inverseSqrt(direction.y * direction.y + width * width);
    var radiance = mix(frame.floor, frame.ceiling, 0.5 + 0.5 * height);
    for (var i = 0u; i < frame.box_count; i++) {
        let box = frame.boxes[i];
        // Stereographic, so that a wide lobe reaches round the horizon of the box.
        let stretch = 2.0 / (1.001 + dot(direction, box.direction));
        let x = dot(direction, box.right) * stretch;
        let y = dot(direction, cross(box.direction, box.right)) * stretch;
        let blur = box.softness + 1.6 * spread;
        let cover_x = soft_step(x + box.half_width, blur) - soft_step(x - box.half_width, blur);
        let cover_y = soft_step(y + box.half_height, blur) - soft_step(y - box.half_height, blur);
        radiance += box.color * (0.25 * cover_x * cover_y);
    }
    return radiance;
}

// What a white matt surface sends back of the studio's light.
fn studio_irradiance(n: vec3<f32>) -> vec3<f32> {
    let l = frame.irradiance;
    return l[0].rgb + l[1].rgb * n.y + l[2].rgb * n.z + l[3].rgb * n.x
        + l[4].rgb * (n.x * n.y) + l[5].rgb * (n.y * n.z) + l[6].rgb * (3.0 * n.z * n.z - 1.0)
        + l[7].rgb * (n.x * n.z) + l[8].rgb * (n.x * n.x - n.y * n.y);
}

// Radiance from a direction, seen through the lobe of a perceptual roughness.
fn around_mirrored(direction: vec3<f32>, roughness: f32) -> vec3<f32> {
    if (studio) {
        return studio_radiance(direction, roughness * roughness);
    }
    return vec3(frame.ambient);
}

// What a white matt surface sends back of it all.
fn around_matt(normal: vec3<f32>) -> vec3<f32> {
    if (studio) {
        return max(studio_irradiance(normal), vec3(0.0));
    }
    return vec3(frame.ambient);
}

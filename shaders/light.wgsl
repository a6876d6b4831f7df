// Light on a metallic-roughness surface (glTF 2.0, appendix B): the studio around it, and the file's punctual lights.

override studio: bool = false;
override punctual: bool = false;

const PI = 3.14159265;

struct Surface {
    position: vec3<f32>,
    // Unit length, towards the side that is seen; and towards the eye.
    normal: vec3<f32>,
    view: vec3<f32>,
    diffuse: vec3<f32>,
    // Reflectance at normal incidence.
    f0: vec3<f32>,
    // As the material has it; its square is the width of the microfacet distribution.
    roughness: f32,
    // How much of the light from around arrives.
    occlusion: f32,
}

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

fn light_from_around(s: Surface) -> vec3<f32> {
    let n_dot_v = clamp(dot(s.normal, s.view), 0.0, 1.0);
    let share = mirrored_share(s.roughness, n_dot_v);
    let single = s.f0 * share.x + share.y;
    // Light that is scattered more than once between the facets is not lost.
    let mirrored = single * (1.0 + s.f0 * (1.0 / max(share.x + share.y, 0.05) - 1.0));
    var specular = vec3(frame.ambient);
    var diffuse = vec3(frame.ambient);
    if (studio) {
        // A rough lobe leans from the mirror direction towards the normal.
        let alpha = s.roughness * s.roughness;
        let direction = normalize(mix(reflect(-s.view, s.normal), s.normal, alpha * alpha));
        specular = studio_radiance(direction, alpha);
        diffuse = max(studio_irradiance(s.normal), vec3(0.0));
    }
    return (s.diffuse * (1.0 - single) * diffuse + mirrored * specular) * s.occlusion;
}

fn light_from_lamps(s: Surface) -> vec3<f32> {
    // A perfect mirror would never catch a light without size.
    let alpha = max(s.roughness * s.roughness, 0.002);
    let a2 = alpha * alpha;
    let n_dot_v = max(dot(s.normal, s.view), 1e-4);
    var sum = vec3(0.0);
    for (var i = 0u; i < frame.light_count; i++) {
        let light = lights[i];
        let to_light = light.position.xyz - s.position * light.position.w;
        let square = max(dot(to_light, to_light), 1e-12);
        let l = to_light * inverseSqrt(square);
        // Falls off with the square of the distance, and to nothing at the range (KHR_lights_punctual).
        let ratio = square * light.inverse_range_squared;
        let window = clamp(1.0 - ratio * ratio, 0.0, 1.0);
        let falloff = select(1.0, window / square, light.position.w > 0.5);
        let cone = clamp(dot(-l, light.direction) * light.cone_scale + light.cone_offset, 0.0, 1.0);
        let n_dot_l = clamp(dot(s.normal, l), 0.0, 1.0);
        let irradiance = light.color * (falloff * cone * cone * n_dot_l);

        let h = normalize(l + s.view);
        let n_dot_h = clamp(dot(s.normal, h), 0.0, 1.0);
        let fresnel = s.f0 + (1.0 - s.f0) * pow(1.0 - clamp(dot(s.view, h), 0.0, 1.0), 5.0);
        let d = n_dot_h * n_dot_h * (a2 - 1.0) + 1.0;
        let distribution = a2 / (PI * d * d);
        let visibility = 0.5 / (n_dot_l * sqrt(n_dot_v * n_dot_v * (1.0 - a2) + a2)
            + n_dot_v * sqrt(n_dot_l * n_dot_l * (1.0 - a2) + a2) + 1e-7);
        sum += irradiance * ((1.0 - fresnel) * s.diffuse / PI + fresnel * (distribution * visibility));
    }
    return sum;
}

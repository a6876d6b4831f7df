// How a metallic-roughness surface sends light back (glTF 2.0, appendix B): that of a lamp, and that from around it.

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

fn light_from_around(s: Surface) -> vec3<f32> {
    let n_dot_v = clamp(dot(s.normal, s.view), 0.0, 1.0);
    let share = mirrored_share(s.roughness, n_dot_v);
    let single = s.f0 * share.x + share.y;
    // Light that is scattered more than once between the facets is not lost.
    let mirrored = single * (1.0 + s.f0 * (1.0 / max(share.x + share.y, 0.05) - 1.0));
    // A rough lobe leans from the mirror direction towards the normal.
    let alpha = s.roughness * s.roughness;
    let direction = normalize(mix(reflect(-s.view, s.normal), s.normal, alpha * alpha));
    let specular = around_mirrored(direction, s.roughness);
    let diffuse = around_matt(s.normal);
    return (s.diffuse * (1.0 - single) * diffuse + mirrored * specular) * s.occlusion;
}

// What comes back of a lamp's light; `irradiance` is that of the surface, its slant included.
fn lamp_reflected(s: Surface, l: vec3<f32>, irradiance: vec3<f32>) -> vec3<f32> {
    // A perfect mirror would never catch a light without size.
    let alpha = max(s.roughness * s.roughness, 0.002);
    let a2 = alpha * alpha;
    let n_dot_v = max(dot(s.normal, s.view), 1e-4);
    let n_dot_l = clamp(dot(s.normal, l), 0.0, 1.0);
    let h = normalize(l + s.view);
    let n_dot_h = clamp(dot(s.normal, h), 0.0, 1.0);
    let fresnel = s.f0 + (1.0 - s.f0) * pow(1.0 - clamp(dot(s.view, h), 0.0, 1.0), 5.0);
    let d = n_dot_h * n_dot_h * (a2 - 1.0) + 1.0;
    let distribution = a2 / (PI * d * d);
    let visibility = 0.5 / (n_dot_l * sqrt(n_dot_v * n_dot_v * (1.0 - a2) + a2)
        + n_dot_v * sqrt(n_dot_l * n_dot_l * (1.0 - a2) + a2) + 1e-7);
    return irradiance * ((1.0 - fresnel) * s.diffuse / PI + fresnel * (distribution * visibility));
}

// Reflects light (glTF 2.0, appendix B), direct and image-based. Layers from below: what enters the base (diffuse or transmitted), the
// base's specular reflection, the sheen on it, the clearcoat on top. A layer takes from what is below it exactly the share that it
// reflects of uniform light: energy is neither gained nor lost.
//
// Lines between `//if` with feature names and `//end` exist only for materials with one of these features (src/render/shaders.rs).

const PI = 3.14159265;

struct Surface {
    position: vec3<f32>,
    // Unit length, towards the side that is seen; and towards the eye.
    normal: vec3<f32>,
    view: vec3<f32>,
    diffuse: vec3<f32>,
    // Reflectance at normal incidence of a metal, that and the one at a grazing angle of a dielectric, and how much of the surface
    // is metal.
    metal_f0: vec3<f32>,
    dielectric_f0: vec3<f32>,
    dielectric_f90: f32,
    metallic: f32,
    // Perceptual roughness; its square is the alpha of the microfacet distribution.
    roughness: f32,
    // Ambient occlusion: share of the image-based light that arrives.
    occlusion: f32,
    // By `balanced`: the reflectances of both together, what the base mirrors of light from everywhere, what light that is scattered
    // more than once between its facets adds to each lobe, and what of the light enters the base.
    f0: vec3<f32>,
    f90: f32,
    mirrored: vec3<f32>,
    regained: vec3<f32>,
    entering: f32,
//if clearcoat
    coat: f32,
    coat_roughness: f32,
    coat_normal: vec3<f32>,
    // By `balanced`, the strength included.
    coat_mirrored: f32,
    coat_regained: f32,
//end
//if sheen
    sheen: vec3<f32>,
    sheen_roughness: f32,
//end
//if iridescence
    film: f32,
    film_ior: f32,
    film_thickness: f32,
//end
//if anisotropy
    anisotropy: f32,
    tangent: vec3<f32>,
    bitangent: vec3<f32>,
//end
//if transmission
    transmission: f32,
    // Where in the texture of what is behind it the surface itself is seen.
    seen_at: vec2<f32>,
//end
//if transmission volume
    ior: f32,
    // Path length through the volume in meters, and its transmittance.
    depth: f32,
    transmittance: vec3<f32>,
//end
//if diffuse_transmission
    diffuse_through: vec3<f32>,
    diffuse_kept: f32,
//end
}

// A rough dielectric; other fields are 0.
fn plain_surface(position: vec3<f32>, normal: vec3<f32>, view: vec3<f32>) -> Surface {
    var s: Surface;
    s.position = position;
    s.normal = towards_eye(normal, view);
    s.view = view;
    s.diffuse = vec3(0.42);
    s.dielectric_f0 = vec3(0.04);
    s.dielectric_f90 = 1.0;
    s.roughness = 0.7;
    s.occlusion = 1.0;
    return s;
}

// At a silhouette the interpolated normal may look away from the eye, where a mirror would show the far side of the room.
fn towards_eye(normal: vec3<f32>, view: vec3<f32>) -> vec3<f32> {
    return unit_or_zero(normal + view * max(0.03 - dot(normal, view), 0.0));
}

fn largest(v: vec3<f32>) -> f32 {
    return max(v.x, max(v.y, v.z));
}

fn unit_or_else(v: vec3<f32>, other: vec3<f32>) -> vec3<f32> {
    let square = dot(v, v);
    return select(other, v * inverseSqrt(square), square > 1e-20);
}

// The direction nearest to `wish` that is perpendicular to a unit vector.
fn perpendicular(n: vec3<f32>, wish: vec3<f32>) -> vec3<f32> {
    let any = cross(n, select(vec3(1.0, 0.0, 0.0), vec3(0.0, 1.0, 0.0), abs(n.x) > 0.7));
    return unit_or_else(wish - n * dot(n, wish), unit_or_zero(any));
}

fn grazing(cosine: f32) -> f32 {
    let x = clamp(1.0 - cosine, 0.0, 1.0);
    let x2 = x * x;
    return x2 * x2 * x;
}

// Factor that adds multiple scattering to a reflectance (Turquin 2019): a white mirror loses no light.
fn regained(f0: vec3<f32>, share: vec2<f32>) -> vec3<f32> {
    return 1.0 + f0 * (1.0 / max(share.x + share.y, 0.05) - 1.0);
}

// Precomputes the shares of the layers, which do not depend on the light.
fn balanced(surface: Surface) -> Surface {
    var s = surface;
    let n_dot_v = clamp(dot(s.normal, s.view), 0.0, 1.0);
    let share = brdf_scale_bias(s.roughness, n_dot_v);
    s.f0 = mix(s.dielectric_f0, s.metal_f0, s.metallic);
    s.f90 = mix(s.dielectric_f90, 1.0, s.metallic);
//if iridescence
    let film = filmed(s, n_dot_v);
    s.f0 = mix(s.f0, film, s.film);
    s.dielectric_f0 = mix(s.dielectric_f0, film, s.film);
    s.metal_f0 = mix(s.metal_f0, film, s.film);
//end
    let dielectric = min((s.dielectric_f0 * share.x + s.dielectric_f90 * share.y) * regained(s.dielectric_f0, share), vec3(1.0));
    let metal = min((s.metal_f0 * share.x + share.y) * regained(s.metal_f0, share), vec3(1.0));
    s.mirrored = max(mix(dielectric, metal, s.metallic), vec3(0.0));
    s.regained = s.mirrored / max(s.f0 * share.x + s.f90 * share.y, vec3(1e-5));
    s.entering = max(1.0 - largest(dielectric), 0.0);
//if clearcoat
    let coat_share = brdf_scale_bias(s.coat_roughness, clamp(dot(s.coat_normal, s.view), 0.0, 1.0));
    s.coat_regained = regained(vec3(0.04), coat_share).x;
    s.coat_mirrored = s.coat * (0.04 * coat_share.x + coat_share.y) * s.coat_regained;
//end
    return s;
}

fn environment_light(s: Surface) -> vec3<f32> {
    // A rough lobe leans from the mirror direction towards the normal.
    let alpha = s.roughness * s.roughness;
//if anisotropy
    // It is wide across the grooves: the normal leans to the eye in the plane of the bitangent (the extension's own way).
    let facing = cross(cross(s.bitangent, s.view), s.bitangent);
    let straight = 1.0 - s.anisotropy * (1.0 - s.roughness);
    let square = straight * straight;
    let normal = unit_or_else(mix(unit_or_else(facing, s.normal), s.normal, square * square), s.normal);
//else
    let normal = s.normal;
//end
    let direction = unit_or_else(mix(reflect(-s.view, normal), normal, alpha * alpha), normal);
    let mirrored = s.mirrored * specular_environment(direction, s.roughness);
    var entered = s.diffuse * diffuse_environment(s.normal);
//if diffuse_transmission
    entered = entered * s.diffuse_kept + s.diffuse_through * diffuse_environment(-s.normal);
//end
    entered *= s.occlusion;
//if transmission
    entered = mix(entered, s.diffuse * light_through(s), s.transmission);
//end
    var light = entered * s.entering + mirrored * s.occlusion;
//if sheen
    let n_dot_v = clamp(dot(s.normal, s.view), 0.0, 1.0);
    let woven = s.sheen * (sheen_share(s.sheen_roughness, n_dot_v) * s.occlusion);
    light = light * below_sheen(s, n_dot_v) + woven * diffuse_environment(s.normal);
//end
//if clearcoat
    let coat_alpha = s.coat_roughness * s.coat_roughness;
    let coat_direction = normalize(mix(reflect(-s.view, s.coat_normal), s.coat_normal, coat_alpha * coat_alpha));
    let coat = specular_environment(coat_direction, s.coat_roughness) * s.occlusion;
    light = mix_coat(s, light, coat);
//end
    return light;
}

// Emitted radiance.
fn light_from_within(s: Surface, light: vec3<f32>) -> vec3<f32> {
//if clearcoat
    return light * (1.0 - s.coat_mirrored);
//else
    return light;
//end
}

// Radiance reflected from a light; `irradiance` is that of a surface facing the light.
fn reflected_light(s: Surface, l: vec3<f32>, irradiance: vec3<f32>) -> vec3<f32> {
    let slant = dot(s.normal, l);
    let n_dot_l = clamp(slant, 0.0, 1.0);
    let n_dot_v = max(dot(s.normal, s.view), 1e-4);
    let h = unit_or_zero(l + s.view);
    // Lower bound of roughness: a perfect mirror would never reflect a light without size.
    let alpha = max(s.roughness * s.roughness, 0.002);
//if anisotropy
    let lobe = stretched_lobe(s, l, h, alpha, vec2(n_dot_v, n_dot_l));
//else
    let lobe = round_lobe(alpha, clamp(dot(s.normal, h), 0.0, 1.0), n_dot_v, n_dot_l);
//end
    let fresnel = s.f0 + (s.f90 - s.f0) * grazing(dot(s.view, h));
    var entered = s.diffuse * (n_dot_l / PI);
//if diffuse_transmission
    entered = entered * s.diffuse_kept + s.diffuse_through * (max(-slant, 0.0) / PI);
//end
//if transmission
    entered = mix(entered, s.diffuse * transmitted_light(s, l), s.transmission);
//end
    var share = entered * s.entering + fresnel * s.regained * (lobe * n_dot_l);
//if sheen
    // The smaller of the transmittances on the way in and out.
    let below = min(below_sheen(s, n_dot_v), below_sheen(s, n_dot_l));
    share = share * below + s.sheen * (sheen_lobe(s.sheen_roughness, clamp(dot(s.normal, h), 0.0, 1.0), n_dot_v, n_dot_l) * n_dot_l);
//end
//if clearcoat
    let coat_n_dot_l = clamp(dot(s.coat_normal, l), 0.0, 1.0);
    let coat_alpha = max(s.coat_roughness * s.coat_roughness, 0.002);
    let coat_n_dot_v = max(dot(s.coat_normal, s.view), 1e-4);
    let coat = round_lobe(coat_alpha, clamp(dot(s.coat_normal, h), 0.0, 1.0), coat_n_dot_v, coat_n_dot_l);
    let coat_fresnel = (0.04 + 0.96 * grazing(dot(s.view, h))) * s.coat_regained;
    share = share * (1.0 - s.coat_mirrored) + vec3(s.coat * coat_fresnel * coat * coat_n_dot_l);
//end
    return irradiance * share;
}

// GGX with its height-correlated masking, over 4 n.l n.v: what of a facing mirror's light a microfacet surface sends on.
fn round_lobe(alpha: f32, n_dot_h: f32, n_dot_v: f32, n_dot_l: f32) -> f32 {
    let a2 = alpha * alpha;
    let d = n_dot_h * n_dot_h * (a2 - 1.0) + 1.0;
    let visibility = 0.5 / (n_dot_l * sqrt(n_dot_v * n_dot_v * (1.0 - a2) + a2)
        + n_dot_v * sqrt(n_dot_l * n_dot_l * (1.0 - a2) + a2) + 1e-7);
    return a2 / (PI * d * d) * visibility;
}

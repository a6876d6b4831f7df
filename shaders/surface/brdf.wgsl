// Reflects light, direct and image-based (glTF 2.0, appendix B). The layers from below: what enters the base (diffuse or transmitted), the
// base's specular reflection, the sheen over it, the clearcoat on top. A layer takes from those below exactly the share that it reflects of
// uniform light, so energy is neither gained nor lost. Binds nothing of its own.
//
// Lines between `//if` with feature names and `//end` exist only for materials with one of these features (src/render/shaders.rs).

const PI = 3.14159265;

// A point of a surface with all that decides its reflection. Directions have unit length.
struct Surface {
    // Relative to the anchor, in meters.
    position: vec3<f32>,
    // Points towards the side that is seen.
    normal: vec3<f32>,
    // Points to the eye.
    view: vec3<f32>,
    // Albedo of what enters the base.
    diffuse: vec3<f32>,
    // Reflectance at normal incidence if it were all metal, and if it were all dielectric.
    metal_f0: vec3<f32>,
    dielectric_f0: vec3<f32>,
    // Reflectance of the dielectric at grazing angles.
    dielectric_f90: f32,
    // Share of the surface that is metal.
    metallic: f32,
    // Perceptual roughness; its square is the alpha of the microfacet distribution.
    roughness: f32,
    // Ambient occlusion: share of the image-based light that arrives.
    occlusion: f32,
    // Computed by `balanced`: reflectance of metal and dielectric together, at normal incidence and at grazing angles.
    f0: vec3<f32>,
    f90: f32,
    // Computed by `balanced`: share of uniform light that the base reflects.
    mirrored: vec3<f32>,
    // Computed by `balanced`: factor of a lobe for light that is scattered more than once between microfacets.
    regained: vec3<f32>,
    // Computed by `balanced`: share of light that enters the base.
    entering: f32,
//if clearcoat
    // Strength, 0 to 1.
    coat: f32,
    coat_roughness: f32,
    coat_normal: vec3<f32>,
    // Computed by `balanced`, strength included: as `mirrored` and `regained`.
    coat_mirrored: f32,
    coat_regained: f32,
//end
//if sheen
    sheen: vec3<f32>,
    sheen_roughness: f32,
//end
//if iridescence
    // Strength, 0 to 1.
    film: f32,
    film_ior: f32,
    // In nanometers.
    film_thickness: f32,
//end
//if anisotropy
    // Strength, 0 to 1. The lobe is widest along `tangent`.
    anisotropy: f32,
    tangent: vec3<f32>,
    bitangent: vec3<f32>,
//end
//if transmission
    transmission: f32,
    // Texture coordinates of the backdrop at which the surface itself lies.
    seen_at: vec2<f32>,
//end
//if transmission volume
    ior: f32,
    // Length of the way through the volume, in meters. `transmittance` is the share of light that is left after it.
    depth: f32,
    transmittance: vec3<f32>,
//end
//if diffuse_transmission
    // Albedo for light from behind. `diffuse_kept` is the factor of `diffuse`.
    diffuse_through: vec3<f32>,
    diffuse_kept: f32,
//end
}

// Returns a rough dielectric, the surface of the clay mode. Other fields are 0.
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

// Turns a normal that points away from the eye. Interpolated normals may do so at a silhouette, where a mirror would show the far side of
// the room.
fn towards_eye(normal: vec3<f32>, view: vec3<f32>) -> vec3<f32> {
    return unit_or_zero(normal + view * max(0.03 - dot(normal, view), 0.0));
}

// Returns the largest channel.
fn largest(v: vec3<f32>) -> f32 {
    return max(v.x, max(v.y, v.z));
}

// Normalizes a vector. If it is too short, returns `other`.
fn unit_or_else(v: vec3<f32>, other: vec3<f32>) -> vec3<f32> {
    let square = dot(v, v);
    return select(other, v * inverseSqrt(square), square > 1e-20);
}

// Returns the unit direction nearest to `wish` that is perpendicular to the unit vector `n`.
fn perpendicular(n: vec3<f32>, wish: vec3<f32>) -> vec3<f32> {
    let any = cross(n, select(vec3(1.0, 0.0, 0.0), vec3(0.0, 1.0, 0.0), abs(n.x) > 0.7));
    return unit_or_else(wish - n * dot(n, wish), unit_or_zero(any));
}

// Schlick's approximation of the Fresnel effect: 0 at normal incidence, 1 at grazing angles.
fn grazing(cosine: f32) -> f32 {
    let x = clamp(1.0 - cosine, 0.0, 1.0);
    let x2 = x * x;
    return x2 * x2 * x;
}

// Returns the factor that adds multiple scattering to a reflectance (Turquin 2019), so that a white mirror loses no light.
fn regained(f0: vec3<f32>, share: vec2<f32>) -> vec3<f32> {
    return 1.0 + f0 * (1.0 / max(share.x + share.y, 0.05) - 1.0);
}

// Computes the shares of the layers, which do not depend on the light.
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

// Returns the reflected and transmitted radiance of image-based light.
fn environment_light(s: Surface) -> vec3<f32> {
    // A rough lobe leans from the mirror direction towards the normal.
    let alpha = s.roughness * s.roughness;
//if anisotropy
    // The lobe is wide across the grooves, so the normal leans to the eye in the plane of the bitangent (as KHR_materials_anisotropy
    // proposes).
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

// Returns the emitted radiance after the clearcoat.
fn light_from_within(s: Surface, light: vec3<f32>) -> vec3<f32> {
//if clearcoat
    return light * (1.0 - s.coat_mirrored);
//else
    return light;
//end
}

// Returns the radiance reflected from a light in the unit direction `l`. `irradiance` is that of a surface that faces the light.
fn reflected_light(s: Surface, l: vec3<f32>, irradiance: vec3<f32>) -> vec3<f32> {
    let slant = dot(s.normal, l);
    let n_dot_l = clamp(slant, 0.0, 1.0);
    let n_dot_v = max(dot(s.normal, s.view), 1e-4);
    let h = unit_or_zero(l + s.view);
    // A perfect mirror would never reflect a light without size, so roughness has a lower bound.
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
    // The smaller of the transmittances on the way in and out, as KHR_materials_sheen proposes.
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

// Returns D V of GGX with height-correlated masking, that is D G / (4 n.l n.v) (glTF 2.0, appendix B.3).
fn round_lobe(alpha: f32, n_dot_h: f32, n_dot_v: f32, n_dot_l: f32) -> f32 {
    let a2 = alpha * alpha;
    let d = n_dot_h * n_dot_h * (a2 - 1.0) + 1.0;
    let visibility = 0.5 / (n_dot_l * sqrt(n_dot_v * n_dot_v * (1.0 - a2) + a2)
        + n_dot_v * sqrt(n_dot_l * n_dot_l * (1.0 - a2) + a2) + 1e-7);
    return a2 / (PI * d * d) * visibility;
}

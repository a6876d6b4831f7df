// Computes the reflection of direct and image-based light (glTF 2.0, appendix B). The layers from bottom to top are the light that enters
// the base (diffuse or transmitted), the specular reflection of the base, the sheen, and the clearcoat. Each layer reduces the light of the
// layers below by the fraction of uniform light that it reflects, so energy is neither gained nor lost. Has no bindings of its own.
//
// Lines between `//if` with feature names and `//end` exist only for materials with one of these features (src/render/shaders.rs).

const PI = 3.14159265;

// A point of a surface, with all values that determine how it reflects light. Directions have unit length.
struct Surface {
    // Position relative to the anchor (frame.wgsl), in meters.
    position: vec3<f32>,
    // Normal on the visible side.
    normal: vec3<f32>,
    // The same without the normal texture.
    vertex_normal: vec3<f32>,
    // Direction to the eye.
    view: vec3<f32>,
    // Albedo for light that enters the base.
    diffuse: vec3<f32>,
    // Reflectance of the metal and of the dielectric at normal incidence. `metallic` mixes them.
    metal_f0: vec3<f32>,
    dielectric_f0: vec3<f32>,
    // Reflectance of the dielectric at grazing angles.
    dielectric_f90: f32,
    // Fraction of the surface that is metal.
    metallic: f32,
    // Perceptual roughness; its square is the alpha of the microfacet distribution.
    roughness: f32,
    // Ambient occlusion: fraction of image-based light that is not occluded.
    occlusion: f32,
    // Computed by `with_reflectances`: reflectance of metal and dielectric together, at normal incidence and at grazing angles.
    f0: vec3<f32>,
    f90: f32,
    // Computed by `with_reflectances`: fraction of uniform light that the base reflects specularly.
    specular_albedo: vec3<f32>,
    // Computed by `with_reflectances`: factor of the specular lobe. It adds the light that is scattered more than once between microfacets.
    energy_compensation: vec3<f32>,
    // Computed by `with_reflectances`: fraction of light that enters the base.
    entering_fraction: f32,
//if clearcoat
    // Strength, 0 to 1.
    coat: f32,
    coat_roughness: f32,
    coat_normal: vec3<f32>,
    // Computed by `with_reflectances`: the equivalents of `specular_albedo` and `energy_compensation` for the clearcoat. The albedo
    // includes the strength.
    coat_albedo: f32,
    coat_energy_compensation: f32,
//end
//if sheen
    sheen: vec3<f32>,
    sheen_roughness: f32,
//end
//if iridescence
    // Strength, 0 to 1.
    film: f32,
    film_ior: f32,
    // Thickness of the film, in nanometers.
    film_thickness: f32,
//end
//if anisotropy
    // Strength of the anisotropy, 0 to 1. The specular lobe is widest along `tangent`.
    anisotropy: f32,
    tangent: vec3<f32>,
    bitangent: vec3<f32>,
//end
//if transmission
    transmission: f32,
    // Texture coordinates of this fragment in the backdrop.
    backdrop_position: vec2<f32>,
//end
//if transmission volume
    ior: f32,
    // Length of the path through the volume, in meters. `transmittance` is the fraction of light that remains at the end of the path.
    depth: f32,
    transmittance: vec3<f32>,
//end
//if diffuse_transmission
    // Albedo for light from behind. `diffuse_kept` is the fraction of `diffuse` that remains for light from the front.
    diffuse_through: vec3<f32>,
    diffuse_kept: f32,
//end
}

// Returns a rough dielectric, the surface of the clay mode. Other fields are 0.
fn plain_surface(position: vec3<f32>, face: Facing, view: vec3<f32>) -> Surface {
    var s: Surface;
    s.position = position;
    s.normal = towards_eye(face.normal, view);
    s.vertex_normal = face.vertex_normal;
    s.view = view;
    s.diffuse = vec3(0.42);
    s.dielectric_f0 = vec3(0.04);
    s.dielectric_f90 = 1.0;
    s.roughness = 0.7;
    s.occlusion = 1.0;
    return s;
}

// Tilts a normal so that it points slightly towards the eye, if it does not already. Interpolated normals can point away from the eye at a
// silhouette. A mirror would then reflect light from behind the surface.
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

// Returns the unit direction nearest to `preferred` that is perpendicular to the unit vector `n`.
fn perpendicular(n: vec3<f32>, preferred: vec3<f32>) -> vec3<f32> {
    let fallback = cross(n, select(vec3(1.0, 0.0, 0.0), vec3(0.0, 1.0, 0.0), abs(n.x) > 0.7));
    return unit_or_else(preferred - n * dot(n, preferred), unit_or_zero(fallback));
}

// Schlick's approximation of the Fresnel effect: 0 at normal incidence, 1 at grazing angles.
fn fresnel_weight(cosine: f32) -> f32 {
    let x = clamp(1.0 - cosine, 0.0, 1.0);
    let x2 = x * x;
    return x2 * x2 * x;
}

// Returns the factor that adds multiple scattering to a specular reflectance (Turquin 2019), so that a white rough metal loses no light.
// `scale_bias` is a result of `brdf_scale_bias`.
fn energy_compensation(f0: vec3<f32>, scale_bias: vec2<f32>) -> vec3<f32> {
    return 1.0 + f0 * (1.0 / max(scale_bias.x + scale_bias.y, 0.05) - 1.0);
}

// Computes the reflectances of the layers, which do not depend on the direction of the light.
fn with_reflectances(surface: Surface) -> Surface {
    var s = surface;
    let n_dot_v = clamp(dot(s.normal, s.view), 0.0, 1.0);
    let scale_bias = brdf_scale_bias(s.roughness, n_dot_v);
    s.f0 = mix(s.dielectric_f0, s.metal_f0, s.metallic);
    s.f90 = mix(s.dielectric_f90, 1.0, s.metallic);
//if iridescence
    let film = film_f0(s, n_dot_v);
    s.f0 = mix(s.f0, film, s.film);
    s.dielectric_f0 = mix(s.dielectric_f0, film, s.film);
    s.metal_f0 = mix(s.metal_f0, film, s.film);
//end
    let single_scattering = s.dielectric_f0 * scale_bias.x + s.dielectric_f90 * scale_bias.y;
    let dielectric = min(single_scattering * energy_compensation(s.dielectric_f0, scale_bias), vec3(1.0));
    let metal = min((s.metal_f0 * scale_bias.x + scale_bias.y) * energy_compensation(s.metal_f0, scale_bias), vec3(1.0));
    s.specular_albedo = max(mix(dielectric, metal, s.metallic), vec3(0.0));
    s.energy_compensation = s.specular_albedo / max(s.f0 * scale_bias.x + s.f90 * scale_bias.y, vec3(1e-5));
    s.entering_fraction = max(1.0 - largest(dielectric), 0.0);
//if clearcoat
    let coat_scale_bias = brdf_scale_bias(s.coat_roughness, clamp(dot(s.coat_normal, s.view), 0.0, 1.0));
    s.coat_energy_compensation = energy_compensation(vec3(0.04), coat_scale_bias).x;
    s.coat_albedo = s.coat * (0.04 * coat_scale_bias.x + coat_scale_bias.y) * s.coat_energy_compensation;
//end
    return s;
}

// Returns the reflected and transmitted radiance of image-based light.
fn environment_light(s: Surface) -> vec3<f32> {
    // The rougher the surface, the nearer the lobe's main direction is to the normal.
    let alpha = s.roughness * s.roughness;
//if anisotropy
    // The lobe is wide along the tangent, so the normal is bent towards the eye (KHR_materials_anisotropy, implementation notes).
    let facing = cross(cross(s.bitangent, s.view), s.bitangent);
    let isotropy = 1.0 - s.anisotropy * (1.0 - s.roughness);
    let square = isotropy * isotropy;
    let normal = unit_or_else(mix(unit_or_else(facing, s.normal), s.normal, square * square), s.normal);
//else
    let normal = s.normal;
//end
    let direction = unit_or_else(mix(reflect(-s.view, normal), normal, alpha * alpha), normal);
    let specular = s.specular_albedo * specular_environment(direction, s.roughness);
    var entered = s.diffuse * diffuse_environment(s.normal);
//if diffuse_transmission
    entered = entered * s.diffuse_kept + s.diffuse_through * diffuse_environment(-s.normal);
//end
    entered *= s.occlusion;
//if transmission
    entered = mix(entered, s.diffuse * light_through(s), s.transmission);
//end
    var light = entered * s.entering_fraction + specular * s.occlusion;
//if sheen
    let n_dot_v = clamp(dot(s.normal, s.view), 0.0, 1.0);
    let sheen_reflectance = s.sheen * (sheen_albedo(s.sheen_roughness, n_dot_v) * s.occlusion);
    light = light * sheen_transmittance(s, n_dot_v) + sheen_reflectance * diffuse_environment(s.normal);
//end
//if clearcoat
    let coat_alpha = s.coat_roughness * s.coat_roughness;
    let coat_direction = normalize(mix(reflect(-s.view, s.coat_normal), s.coat_normal, coat_alpha * coat_alpha));
    let coat = specular_environment(coat_direction, s.coat_roughness) * s.occlusion;
    light = mix_coat(s, light, coat);
//end
    return light;
}

// Returns the emitted radiance that passes the clearcoat.
fn emitted_light(s: Surface, light: vec3<f32>) -> vec3<f32> {
//if clearcoat
    return light * (1.0 - s.coat_albedo);
//else
    return light;
//end
}

// Returns the reflected radiance of a light in the unit direction `l`. `irradiance` is the irradiance of a surface that faces the light.
fn reflected_light(s: Surface, l: vec3<f32>, irradiance: vec3<f32>) -> vec3<f32> {
    let cosine = dot(s.normal, l);
    let n_dot_l = clamp(cosine, 0.0, 1.0);
    let n_dot_v = max(dot(s.normal, s.view), 1e-4);
    let h = unit_or_zero(l + s.view);
    // A perfect mirror would never reflect a point light, so roughness has a lower bound.
    let alpha = max(s.roughness * s.roughness, 0.002);
//if anisotropy
    let lobe = stretched_lobe(s, l, h, alpha, vec2(n_dot_v, n_dot_l));
//else
    let lobe = round_lobe(alpha, clamp(dot(s.normal, h), 0.0, 1.0), n_dot_v, n_dot_l);
//end
    let fresnel = s.f0 + (s.f90 - s.f0) * fresnel_weight(dot(s.view, h));
    var entered = s.diffuse * (n_dot_l / PI);
//if diffuse_transmission
    entered = entered * s.diffuse_kept + s.diffuse_through * (max(-cosine, 0.0) / PI);
//end
//if transmission
    entered = mix(entered, s.diffuse * transmitted_light(s, l), s.transmission);
//end
    var reflectance = entered * s.entering_fraction + fresnel * s.energy_compensation * (lobe * n_dot_l);
//if sheen
    // Use the smaller of the sheen's transmittances for incoming and outgoing light, as KHR_materials_sheen proposes.
    let base_factor = min(sheen_transmittance(s, n_dot_v), sheen_transmittance(s, n_dot_l));
    let sheen = sheen_lobe(s.sheen_roughness, clamp(dot(s.normal, h), 0.0, 1.0), n_dot_v, n_dot_l);
    reflectance = reflectance * base_factor + s.sheen * (sheen * n_dot_l);
//end
//if clearcoat
    let coat_n_dot_l = clamp(dot(s.coat_normal, l), 0.0, 1.0);
    let coat_alpha = max(s.coat_roughness * s.coat_roughness, 0.002);
    let coat_n_dot_v = max(dot(s.coat_normal, s.view), 1e-4);
    let coat = round_lobe(coat_alpha, clamp(dot(s.coat_normal, h), 0.0, 1.0), coat_n_dot_v, coat_n_dot_l);
    let coat_fresnel = (0.04 + 0.96 * fresnel_weight(dot(s.view, h))) * s.coat_energy_compensation;
    reflectance = reflectance * (1.0 - s.coat_albedo) + vec3(s.coat * coat_fresnel * coat * coat_n_dot_l);
//end
    return irradiance * reflectance;
}

// Returns D V of GGX with height-correlated masking, that is D G / (4 n.l n.v) (glTF 2.0, appendix B.3).
fn round_lobe(alpha: f32, n_dot_h: f32, n_dot_v: f32, n_dot_l: f32) -> f32 {
    let a2 = alpha * alpha;
    let d = n_dot_h * n_dot_h * (a2 - 1.0) + 1.0;
    let visibility = 0.5 / (n_dot_l * sqrt(n_dot_v * n_dot_v * (1.0 - a2) + a2)
        + n_dot_v * sqrt(n_dot_l * n_dot_l * (1.0 - a2) + a2) + 1e-7);
    return a2 / (PI * d * d) * visibility;
}

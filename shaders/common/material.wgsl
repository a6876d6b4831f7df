// Declares a material's factors and textures (glTF 2.0, section 3.9, and the KHR_materials extensions), and evaluates them at a point of a
// surface. For each texture NAME, src/render/material/texture_set.rs generates `has_NAME_texture`, `NAME_uv` and `NAME_texel`.
//
//   group 3   0          uniform  material
//             1 to 24    textures and samplers, as many as the material has

// The texture coordinates that a texture uses (KHR_texture_transform). Keep in sync with `SlotUniform` in src/render/material/mod.rs.
struct TextureSlot {
    // First row of the transform: dot(u, (x, y, 1)) is the transformed u. `v` is the second row.
    u: vec3<f32>,
    // Set of texture coordinates, 0 or 1.
    tex_coord: f32,
    v: vec3<f32>,
}

// Keep in sync with `MaterialUniform` in src/render/material/mod.rs. Factors are as the file has them, unless a comment says otherwise.
struct Material {
    base_color: vec4<f32>,
    // Factor times emissive strength.
    emissive: vec3<f32>,
    // Alpha mode MASK: the cutoff of the file. Alpha mode BLEND: fragments with at least this alpha are drawn as opaque.
    alpha_cutoff: f32,
    metallic: f32,
    roughness: f32,
    normal_scale: f32,
    occlusion_strength: f32,
    // KHR_materials_specular.
    specular_color: vec3<f32>,
    specular: f32,
    // KHR_materials_pbrSpecularGlossiness.
    glossy_specular: vec3<f32>,
    glossiness: f32,
    sheen_color: vec3<f32>,
    sheen_roughness: f32,
    diffuse_transmission_color: vec3<f32>,
    diffuse_transmission: f32,
    // Absorption coefficient per meter: a volume transmits exp(-absorption * distance).
    absorption: vec3<f32>,
    // Thickness of a volume, in the units of the mesh's space.
    thickness: f32,
    clearcoat: f32,
    clearcoat_roughness: f32,
    clearcoat_normal_scale: f32,
    transmission: f32,
    iridescence: f32,
    iridescence_ior: f32,
    // Smallest and largest thickness of the film, in nanometers.
    iridescence_minimum: f32,
    iridescence_maximum: f32,
    // Cosine and sine of the anisotropy's rotation.
    anisotropy_direction: vec2<f32>,
    anisotropy: f32,
    ior: f32,
    dispersion: f32,
    // Tint of an onion skin's ghost: linear color and density.
    tint: vec4<f32>,
    // Transforms of the textures, in the order of their bindings.
    slots: array<TextureSlot, 12>,
}

@group(3) @binding(0) var<uniform> material: Material;

// Returns the texture coordinates of the slot with this index. `uv` holds both sets of the vertex.
fn slot_uv(index: u32, uv: vec4<f32>) -> vec2<f32> {
    let slot = material.slots[index];
    let p = vec3(select(uv.xy, uv.zw, slot.tex_coord > 0.5), 1.0);
    return vec2(dot(slot.u, p), dot(slot.v, p));
}

// Returns base color and alpha, linear.
fn base_color(uv: vec4<f32>, vertex_color: vec4<f32>) -> vec4<f32> {
    var color = material.base_color * vertex_color;
    if (has_base_color_texture) {
        color *= base_color_texel(uv);
    }
    return color;
}

// Returns metalness and perceptual roughness.
fn metallic_roughness(uv: vec4<f32>) -> vec2<f32> {
    let factors = vec2(material.metallic, material.roughness) * metallic_roughness_texel(uv).bg;
    return clamp(factors, vec2(0.0), vec2(1.0));
}

// Returns the fraction of image-based light that is not occluded.
fn occlusion(uv: vec4<f32>) -> f32 {
    return 1.0 + material.occlusion_strength * (occlusion_texel(uv).r - 1.0);
}

// Returns the emitted radiance.
fn emissive(uv: vec4<f32>) -> vec3<f32> {
    return material.emissive * emissive_texel(uv).rgb;
}

// Returns the normal from the normal texture, in tangent space and not of unit length.
fn mapped_normal(uv: vec4<f32>) -> vec3<f32> {
    let scale = material.normal_scale;
    return (normal_texel(uv).xyz * 2.0 - 1.0) * vec3(scale, scale, 1.0);
}

// Returns the normal from the clearcoat's normal texture, in tangent space and not of unit length.
fn mapped_coat_normal(uv: vec4<f32>) -> vec3<f32> {
    let scale = material.clearcoat_normal_scale;
    return (clearcoat_normal_texel(uv).xyz * 2.0 - 1.0) * vec3(scale, scale, 1.0);
}

// Returns the texture coordinates that tangents follow if the file has no tangents.
fn tangent_uv(uv: vec4<f32>) -> vec2<f32> {
    if (has_normal_texture) {
        return normal_uv(uv);
    }
    if (has_clearcoat_normal_texture) {
        return clearcoat_normal_uv(uv);
    }
    return anisotropy_uv(uv);
}

// Evaluates the material's textures and factors at a point of a surface. `plain` provides the position and the directions. `base` is the
// base color times the vertex color.
fn material_surface(plain: Surface, in: Varyings, base: vec3<f32>, face: Facing) -> Surface {
    var s = plain;
    let uv = in.uv;
    s.occlusion = occlusion(uv);
//if specular_glossiness
    // These materials have a diffuse and a specular color instead of metalness.
    let glossy = specular_glossiness_texel(uv);
    s.dielectric_f0 = material.glossy_specular * glossy.rgb;
    s.roughness = clamp(1.0 - material.glossiness * glossy.a, 0.0, 1.0);
    s.diffuse = base * (1.0 - largest(s.dielectric_f0));
//else
    let factors = metallic_roughness(uv);
    s.metallic = factors.x;
    s.metal_f0 = base;
    s.roughness = factors.y;
    s.diffuse = base * (1.0 - s.metallic);
//if specular
    // KHR_materials_specular scales the reflectance that KHR_materials_ior gives.
    let specular = material.specular * specular_texel(uv).a;
    let ratio = (material.ior - 1.0) / (material.ior + 1.0);
    let color = material.specular_color * specular_color_texel(uv).rgb;
    s.dielectric_f0 = min(ratio * ratio * color, vec3(1.0)) * specular;
    s.dielectric_f90 = specular;
//end
//end
    material_layers(&s, in, face);
    return s;
}

// Evaluates the layers and effects of the KHR_materials extensions.
fn material_layers(s: ptr<function, Surface>, in: Varyings, face: Facing) {
    let uv = in.uv;
//if clearcoat
    (*s).coat = clamp(material.clearcoat * clearcoat_texel(uv).r, 0.0, 1.0);
    (*s).coat_roughness = clamp(material.clearcoat_roughness * clearcoat_roughness_texel(uv).g, 0.0, 1.0);
    (*s).coat_normal = towards_eye(face.coat_normal, (*s).view);
//end
//if sheen
    (*s).sheen = material.sheen_color * sheen_color_texel(uv).rgb;
    (*s).sheen_roughness = clamp(material.sheen_roughness * sheen_roughness_texel(uv).a, 0.07, 1.0);
//end
//if iridescence
    (*s).film = clamp(material.iridescence * iridescence_texel(uv).r, 0.0, 1.0);
    (*s).film_ior = material.iridescence_ior;
    (*s).film_thickness = mix(material.iridescence_minimum, material.iridescence_maximum, iridescence_thickness_texel(uv).g);
//end
//if anisotropy
    // Direction in tangent space (red and green), and strength (blue).
    let texel = anisotropy_texel(uv).rgb;
    (*s).anisotropy = clamp(material.anisotropy * texel.b, 0.0, 1.0);
    let rotation = material.anisotropy_direction;
    let local = (texel.rg * 2.0 - 1.0) * mat2x2(rotation.x, -rotation.y, rotation.y, rotation.x);
    let direction = unit_or_else(face.tangent * local.x + face.bitangent * local.y, face.tangent);
    (*s).tangent = perpendicular((*s).normal, direction);
    (*s).bitangent = cross((*s).normal, (*s).tangent);
//end
//if transmission
    (*s).transmission = clamp(material.transmission * transmission_texel(uv).r, 0.0, 1.0);
    // The position of this fragment in the backdrop.
    let target_uv = in.clip.xy / frame.target_size;
    (*s).backdrop_position = vec2(target_uv.x * 2.0 - 1.0, 1.0 - target_uv.y * 2.0) * frame.backdrop.xy + frame.backdrop.zw;
//end
//if transmission volume
    // KHR_materials_ior uses an index of 0 for total reflection.
    (*s).ior = max(material.ior, 1.0);
    (*s).depth = 0.0;
    (*s).transmittance = vec3(1.0);
//end
//if volume
    (*s).depth = material.thickness * thickness_texel(uv).g * in.scale;
    (*s).transmittance = exp(-material.absorption * (*s).depth);
//end
//if diffuse_transmission
    let fraction = clamp(material.diffuse_transmission * diffuse_transmission_texel(uv).a, 0.0, 1.0);
    // Metals do not transmit diffusely.
    let color = material.diffuse_transmission_color * diffuse_transmission_color_texel(uv).rgb * (1.0 - (*s).metallic);
//if volume
    (*s).diffuse_through = color * (*s).transmittance * fraction;
//else
    (*s).diffuse_through = color * fraction;
//end
    (*s).diffuse_kept = 1.0 - fraction;
//end
}

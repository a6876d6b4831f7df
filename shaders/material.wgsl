// A material's textures and factors (glTF 2.0, 3.9). Keep in sync with src/render/material.rs.
//
//   group 3   0                 uniform  material
//             1, 3, 5, 7, 9     textures base colour, metallic-roughness, normal, occlusion, emissive (see render/material.rs for absent ones)
//             2, 4, 6, 8, 10    their samplers

struct TextureSlot {
    // The rows of KHR_texture_transform.
    u: vec3<f32>,
    // 0 or 1.
    tex_coord: f32,
    v: vec3<f32>,
}

struct Material {
    base_color: vec4<f32>,
    emissive: vec3<f32>,
    alpha_cutoff: f32,
    metallic: f32,
    roughness: f32,
    normal_scale: f32,
    occlusion_strength: f32,
    slots: array<TextureSlot, 5>,
}

@group(3) @binding(0) var<uniform> material: Material;
@group(3) @binding(1) var base_color_texture: texture_2d<f32>;
@group(3) @binding(2) var base_color_sampler: sampler;
@group(3) @binding(3) var metallic_roughness_texture: texture_2d<f32>;
@group(3) @binding(4) var metallic_roughness_sampler: sampler;
@group(3) @binding(5) var normal_texture: texture_2d<f32>;
@group(3) @binding(6) var normal_sampler: sampler;
@group(3) @binding(7) var occlusion_texture: texture_2d<f32>;
@group(3) @binding(8) var occlusion_sampler: sampler;
@group(3) @binding(9) var emissive_texture: texture_2d<f32>;
@group(3) @binding(10) var emissive_sampler: sampler;

// A pipeline has only the texture reads that its materials need.
override has_base_color_texture: bool = false;
override has_metallic_roughness_texture: bool = false;
override has_normal_texture: bool = false;
override has_occlusion_texture: bool = false;
override has_emissive_texture: bool = false;

fn slot_uv(slot: u32, uv: vec4<f32>) -> vec2<f32> {
    let at = material.slots[slot];
    let p = vec3(select(uv.xy, uv.zw, at.tex_coord > 0.5), 1.0);
    return vec2(dot(at.u, p), dot(at.v, p));
}

fn base_color(uv: vec4<f32>, vertex_color: vec4<f32>) -> vec4<f32> {
    var color = material.base_color * vertex_color;
    if (has_base_color_texture) {
        color *= textureSample(base_color_texture, base_color_sampler, slot_uv(0u, uv));
    }
    return color;
}

// Metalness, roughness.
fn metallic_roughness(uv: vec4<f32>) -> vec2<f32> {
    var factors = vec2(material.metallic, material.roughness);
    if (has_metallic_roughness_texture) {
        factors *= textureSample(metallic_roughness_texture, metallic_roughness_sampler, slot_uv(1u, uv)).bg;
    }
    return clamp(factors, vec2(0.0), vec2(1.0));
}

fn occlusion(uv: vec4<f32>) -> f32 {
    if (has_occlusion_texture) {
        let sample = textureSample(occlusion_texture, occlusion_sampler, slot_uv(3u, uv)).r;
        return 1.0 + material.occlusion_strength * (sample - 1.0);
    }
    return 1.0;
}

fn emissive(uv: vec4<f32>) -> vec3<f32> {
    var light = material.emissive;
    if (has_emissive_texture) {
        light *= textureSample(emissive_texture, emissive_sampler, slot_uv(4u, uv)).rgb;
    }
    return light;
}

// In tangent space.
fn mapped_normal(uv: vec4<f32>) -> vec3<f32> {
    let sample = textureSample(normal_texture, normal_sampler, slot_uv(2u, uv)).xyz;
    return (sample * 2.0 - 1.0) * vec3(material.normal_scale, material.normal_scale, 1.0);
}

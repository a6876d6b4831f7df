// Refracts the backdrop through transmissive surfaces, blurred by roughness (KHR_materials_transmission, KHR_materials_volume,
// KHR_materials_ior, KHR_materials_dispersion).
//
//   group 0   7  texture  backdrop           light of the surfaces that are neither transmissive nor blended, with mip levels
//                                            (backdrop.wgsl); alpha 0 means empty
//             8  sampler  backdrop_sampler

@group(0) @binding(7) var backdrop: texture_2d<f32>;
@group(0) @binding(8) var backdrop_sampler: sampler;

// Returns the texture coordinates of the backdrop at the end of a path through the volume. A path of length 0 gives exactly the position of
// the fragment.
fn backdrop_uv(s: Surface, path: vec3<f32>) -> vec2<f32> {
    let start = frame.clip_from_anchored * vec4(s.position, 1.0);
    let end = frame.clip_from_anchored * vec4(s.position + path, 1.0);
    let offset = (end.xy / max(end.w, 1e-20) - start.xy / max(start.w, 1e-20)) * frame.backdrop.xy;
    return clamp(s.backdrop_position + select(vec2(0.0), offset, end.w > 0.0 && s.depth > 0.0), vec2(0.0), vec2(1.0));
}

// Samples a mip level with a cubic B-spline, using four bilinear lookups, so that the texels of small levels are not visible.
fn smooth_level(uv: vec2<f32>, level: f32) -> vec4<f32> {
    let size = vec2<f32>(textureDimensions(backdrop, u32(level)));
    let position = uv * size - 0.5;
    let texel = floor(position);
    let t = position - texel;
    let t2 = t * t;
    let t3 = t2 * t;
    let w0 = (1.0 - t) * (1.0 - t) * (1.0 - t) / 6.0;
    let w1 = (4.0 - 6.0 * t2 + 3.0 * t3) / 6.0;
    let w3 = t3 / 6.0;
    let low = w0 + w1;
    let high = 1.0 - low;
    let a = (texel - 0.5 + w1 / low) / size;
    let b = (texel + 1.5 + w3 / high) / size;
    return (textureSampleLevel(backdrop, backdrop_sampler, a, level) * low.x
            + textureSampleLevel(backdrop, backdrop_sampler, vec2(b.x, a.y), level) * high.x) * low.y
        + (textureSampleLevel(backdrop, backdrop_sampler, vec2(a.x, b.y), level) * low.x
            + textureSampleLevel(backdrop, backdrop_sampler, b, level) * high.x) * high.y;
}

// Samples the backdrop with a blur from 0 to 1, interpolated between two mip levels.
fn backdrop_texel(uv: vec2<f32>, blur: f32) -> vec4<f32> {
    // `uv` makes both conditions depend on the fragment, but does not change their results. lavapipe compiles a shader again for each
    // draw if a branch depends only on uniforms, and does not free the old code.
    if (blur <= uv.x * 1e-30) {
        return textureSampleLevel(backdrop, backdrop_sampler, uv, 0.0);
    }
    let size = textureDimensions(backdrop);
    // Index of the mip level that is a single texel.
    let last = f32(firstLeadingBit(max(size.x, size.y)));
    let level = min(blur * log2(f32(size.x)), last);
    let lower = floor(level);
    var below = textureSampleLevel(backdrop, backdrop_sampler, uv, 0.0);
    if (lower > uv.x * 0.5) {
        below = smooth_level(uv, lower);
    }
    return mix(below, smooth_level(uv, min(lower + 1.0, last)), level - lower);
}

// Returns the blur of transmitted light, as a perceptual roughness. The blur shrinks as the index of refraction approaches 1.
fn backdrop_blur(s: Surface, ior: f32) -> f32 {
    return s.roughness * clamp(ior * 2.0 - 2.0, 0.0, 1.0);
}

// Returns the light that arrives through the surface, refracted with this index of refraction.
fn refracted_light(s: Surface, ior: f32) -> vec3<f32> {
    // Only a volume bends light; a thin wall has two parallel surfaces (KHR_materials_transmission). The index is at least 1, so light that
    // enters always bends towards the normal.
    let direction = select(-s.view, refract(-s.view, s.normal, 1.0 / ior), s.depth > 0.0);
    let blur = backdrop_blur(s, ior);
    let behind = backdrop_texel(backdrop_uv(s, direction * s.depth), blur);
    // Where nothing was drawn, the environment is visible through the surface. The alpha of the picture does not include it.
    return behind.rgb + (1.0 - behind.a) * specular_environment(direction, blur);
}

// Returns the light that arrives through the surface, after absorption.
fn light_through(s: Surface) -> vec3<f32> {
//if dispersion
    // KHR_materials_dispersion: the indices of red, green and blue differ by (ior - 1) over the Abbe number, which is 20 / dispersion.
    let spread = (s.ior - 1.0) * 0.025 * material.dispersion;
    let red = refracted_light(s, max(s.ior - spread, 1.0)).r;
    let green = refracted_light(s, s.ior).g;
    let blue = refracted_light(s, s.ior + spread).b;
    return vec3(red, green, blue) * s.transmittance;
//else
    return refracted_light(s, s.ior) * s.transmittance;
//end
}

// Returns the light that a source behind the surface sends through it: the specular lobe of the source's mirror image in front.
fn transmitted_light(s: Surface, l: vec3<f32>) -> vec3<f32> {
    let cosine = dot(s.normal, l);
    let image = l - 2.0 * s.normal * cosine;
    let blur = backdrop_blur(s, s.ior);
    let n_dot_h = clamp(dot(s.normal, unit_or_zero(image + s.view)), 0.0, 1.0);
    let alpha = max(blur * blur, 0.002);
    let n_dot_l = max(-cosine, 0.0);
    return s.transmittance * (round_lobe(alpha, n_dot_h, max(dot(s.normal, s.view), 1e-4), n_dot_l) * n_dot_l);
}

// Makes the backdrop, the texture that transmissive surfaces refract. Its first mip level inverts the tone mapping of the scene, so that an
// object looks the same through clear glass as beside the glass. Each further level has half the size of the previous one.
//
//   group 1   0  uniform  background       linear color; alpha 0 means that there is no background
//             1  texture  source           the scene (linear, premultiplied, tone mapped), or the next larger level
//             2  sampler  source_sampler   linear, clamped

@group(1) @binding(0) var<uniform> background: vec4<f32>;
@group(1) @binding(1) var source: texture_2d<f32>;
@group(1) @binding(2) var source_sampler: sampler;

// One triangle that covers the target.
@vertex
fn fullscreen(@builtin(vertex_index) i: u32) -> @builtin(position) vec4<f32> {
    return vec4(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}

// Blends the scene over the background and undoes the tone mapping.
@fragment
fn backdrop_light(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let scene = textureLoad(source, vec2<i32>(position.xy), 0);
    let color = scene + background * (1.0 - scene.a);
    let displayed_color = color.rgb / max(color.a, 1e-6);
    return vec4(inverse_displayed(displayed_color) * color.a, color.a);
}

// Returns a texel of the next smaller level: a smooth filter over four by four texels.
@fragment
fn backdrop_mip(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let step = 1.0 / vec2<f32>(textureDimensions(source));
    let size = max(vec2<f32>(textureDimensions(source)) * 0.5, vec2(1.0));
    let middle = position.xy / floor(size);
    // Each bilinear lookup lies between four texels and weights the nearer ones three to one along each axis.
    let offset = step * 0.75;
    return 0.25 * (textureSampleLevel(source, source_sampler, middle - offset, 0.0)
        + textureSampleLevel(source, source_sampler, middle + offset, 0.0)
        + textureSampleLevel(source, source_sampler, middle + vec2(offset.x, -offset.y), 0.0)
        + textureSampleLevel(source, source_sampler, middle + vec2(-offset.x, offset.y), 0.0));
}

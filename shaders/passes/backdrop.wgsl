// Makes the backdrop that transmissive surfaces refract. The first level turns the scene, as it is displayed, back into light, so that what
// is seen straight through glass looks the same as beside the glass. Each further mip level halves the level before.
//
//   group 1   0  uniform  background       linear; alpha 0 means none
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

// Puts the scene over the background and undoes the tone mapping.
@fragment
fn backdrop_light(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let drawn = textureLoad(source, vec2<i32>(position.xy), 0);
    let color = drawn + background * (1.0 - drawn.a);
    let shown = color.rgb / max(color.a, 1e-6);
    return vec4(light_that_shows(shown) * color.a, color.a);
}

// Halves each side with a smooth filter of four by four texels.
@fragment
fn backdrop_mip(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let step = 1.0 / vec2<f32>(textureDimensions(source));
    let size = max(vec2<f32>(textureDimensions(source)) * 0.5, vec2(1.0));
    let middle = position.xy / floor(size);
    // Each lookup lies between four texels and weighs them three to one along each axis.
    let aside = step * 0.75;
    return 0.25 * (textureSampleLevel(source, source_sampler, middle - aside, 0.0)
        + textureSampleLevel(source, source_sampler, middle + aside, 0.0)
        + textureSampleLevel(source, source_sampler, middle + vec2(aside.x, -aside.y), 0.0)
        + textureSampleLevel(source, source_sampler, middle + vec2(-aside.x, aside.y), 0.0));
}

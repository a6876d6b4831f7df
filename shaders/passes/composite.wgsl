// Makes the final picture if copying the scene is not enough: averages supersamples in linear light, or interpolates the texels
// of a reduced resolution; blends the overlay over them; and encodes sRGB. The shader encodes sRGB because the format of the targets is not
// an sRGB one. This way neither GL nor windows need view formats.
//
//   group 0   0  uniform  composite
//             1  texture  scene      linear, premultiplied, tone mapped; larger or smaller than the viewport
//             2  texture  overlay    sRGB bytes, premultiplied; as large as the scene, or one transparent texel

// Keep in sync with `CompositeUniform` in src/render/passes/composite.rs.
struct Composite {
    // Upper left corner of the viewport in the target, in pixels.
    origin: vec2<u32>,
    // Texels along each side of a pixel. 0 if the resolution is reduced.
    supersample: u32,
    // 1 if there is an overlay, else 0.
    has_overlay: u32,
    // Linear color behind the scene; zero if the scene contains its background or there is none.
    background: vec4<f32>,
    // Texels along each side of a pixel if the resolution is reduced.
    reduction: f32,
}

@group(0) @binding(0) var<uniform> composite: Composite;
@group(0) @binding(1) var scene: texture_2d<f32>;
@group(0) @binding(2) var overlay: texture_2d<f32>;

// One triangle that covers the target.
@vertex
fn fullscreen(@builtin(vertex_index) i: u32) -> @builtin(position) vec4<f32> {
    return vec4(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}

// Returns the bilinear interpolation of the texels around a point. Texel (x, y) has its center at the point (x, y).
fn interpolated(image: texture_2d<f32>, point: vec2<f32>) -> vec4<f32> {
    let last = vec2<i32>(textureDimensions(image)) - 1;
    let low = vec2<i32>(floor(point));
    let a = clamp(low, vec2(0), last);
    let b = clamp(low + 1, vec2(0), last);
    let share = point - floor(point);
    let top = mix(textureLoad(image, a, 0), textureLoad(image, vec2(b.x, a.y), 0), share.x);
    let bottom = mix(textureLoad(image, vec2(a.x, b.y), 0), textureLoad(image, b, 0), share.x);
    return mix(top, bottom, share.y);
}

// Returns the color of the picture, not premultiplied by alpha.
@fragment
fn composite_color(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let pixel = vec2<u32>(position.xy) - composite.origin;
    var scene_color: vec4<f32>;
    var overlay_color = vec4(0.0);
    if (composite.supersample == 0u) {
        let at = (vec2<f32>(pixel) + 0.5) * composite.reduction - 0.5;
        scene_color = interpolated(scene, at);
        if (composite.has_overlay != 0u) {
            overlay_color = interpolated(overlay, at);
        }
    } else {
        let corner = pixel * composite.supersample;
        scene_color = vec4(0.0);
        for (var y = 0u; y < composite.supersample; y++) {
            for (var x = 0u; x < composite.supersample; x++) {
                scene_color += textureLoad(scene, corner + vec2(x, y), 0);
                if (composite.has_overlay != 0u) {
                    overlay_color += textureLoad(overlay, corner + vec2(x, y), 0);
                }
            }
        }
        let count = f32(composite.supersample * composite.supersample);
        scene_color /= count;
        overlay_color /= count;
    }
    scene_color += composite.background * (1.0 - scene_color.a);
    let alpha = scene_color.a;
    let encoded = srgb_from_linear(scene_color.rgb / max(alpha, 1e-6));
    let out_alpha = overlay_color.a + alpha * (1.0 - overlay_color.a);
    let out = overlay_color.rgb + encoded * (alpha * (1.0 - overlay_color.a));
    return vec4(out / max(out_alpha, 1e-6), out_alpha);
}

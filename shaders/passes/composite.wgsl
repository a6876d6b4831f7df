// Makes the final picture if copying the scene is not enough: averages supersamples in linear light, blends the overlay over them, and
// encodes sRGB. The shader encodes sRGB because the format of the targets is not an sRGB one. This way neither GL nor windows need view
// formats.
//
//   group 0   0  uniform  composite
//             1  texture  scene      linear, premultiplied, tone mapped; `supersample` times as large as the viewport
//             2  texture  overlay    sRGB bytes, premultiplied; as large as the scene, or one transparent texel

// Keep in sync with `CompositeUniform` in src/render/passes/composite.rs.
struct Composite {
    // Upper left corner of the viewport in the target, in pixels.
    origin: vec2<u32>,
    // Supersamples along each side of a pixel.
    supersample: u32,
    // 1 if there is an overlay, else 0.
    has_overlay: u32,
    // Linear color behind the scene; zero if the scene contains its background or there is none.
    background: vec4<f32>,
}

@group(0) @binding(0) var<uniform> composite: Composite;
@group(0) @binding(1) var scene: texture_2d<f32>;
@group(0) @binding(2) var overlay: texture_2d<f32>;

// One triangle that covers the target.
@vertex
fn fullscreen(@builtin(vertex_index) i: u32) -> @builtin(position) vec4<f32> {
    return vec4(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}

// Returns the color of the picture, not premultiplied by alpha.
@fragment
fn composite_color(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let corner = (vec2<u32>(position.xy) - composite.origin) * composite.supersample;
    var sum = vec4(0.0);
    var overlay_color = vec4(0.0);
    for (var y = 0u; y < composite.supersample; y++) {
        for (var x = 0u; x < composite.supersample; x++) {
            sum += textureLoad(scene, corner + vec2(x, y), 0);
            if (composite.has_overlay != 0u) {
                overlay_color += textureLoad(overlay, corner + vec2(x, y), 0);
            }
        }
    }
    let count = f32(composite.supersample * composite.supersample);
    var scene_color = sum / count;
    scene_color += composite.background * (1.0 - scene_color.a);
    overlay_color /= count;
    let alpha = scene_color.a;
    let encoded = srgb_from_linear(scene_color.rgb / max(alpha, 1e-6));
    let out_alpha = overlay_color.a + alpha * (1.0 - overlay_color.a);
    let out = overlay_color.rgb + encoded * (alpha * (1.0 - overlay_color.a));
    return vec4(out / max(out_alpha, 1e-6), out_alpha);
}

// Applies exposure and tone mapping to scene light. The result is linear; the target or composite.wgsl encodes it as sRGB. Has no bindings
// of its own; reads `frame.exposure`.

// Keep in sync with `tonemap_index` in src/render/pipelines/key.rs.
const TONEMAP_NEUTRAL = 0u;
const TONEMAP_ACES = 1u;
const TONEMAP_AGX = 2u;
const TONEMAP_NONE = 3u;

// The tone mapping, one of the values above.
override tonemap: u32 = TONEMAP_NONE;

// Khronos PBR Neutral: keeps base colors and compresses highlights.
fn neutral(light: vec3<f32>) -> vec3<f32> {
    let darkest = max(min(light.r, min(light.g, light.b)), 0.0);
    let offset = select(0.04, darkest - 6.25 * darkest * darkest, darkest < 0.08);
    let color = light - offset;
    let peak = max(color.r, max(color.g, color.b));
    let start = 0.8 - 0.04;
    let d = 1.0 - start;
    let new_peak = 1.0 - d * d / (max(peak, start) + d - start);
    let g = 1.0 - 1.0 / (0.15 * (peak - new_peak) + 1.0);
    return select(mix(color * new_peak / max(peak, start), vec3(new_peak), g), color, peak < start);
}

// Stephen Hill's fit of the ACES reference and output transforms.
fn aces(light: vec3<f32>) -> vec3<f32> {
    let rrt_from_srgb = mat3x3(0.59719, 0.07600, 0.02840, 0.35458, 0.90834, 0.13383, 0.04823, 0.01566, 0.83777);
    let srgb_from_odt = mat3x3(1.60475, -0.10208, -0.00327, -0.53108, 1.10813, -0.07276, -0.07367, -0.00605, 1.07602);
    // The light is divided by 0.6, as is usual with this fit, so that middle gray keeps its brightness.
    let v = rrt_from_srgb * (light / 0.6);
    return srgb_from_odt * ((v * (v + 0.0245786) - 0.000090537) / (v * (0.983729 * v + 0.4329510) + 0.238081));
}

const REC2020_FROM_SRGB = mat3x3<f32>(0.6274, 0.0691, 0.0164, 0.3293, 0.9195, 0.0880, 0.0433, 0.0113, 0.8956);
const SRGB_FROM_REC2020 = mat3x3<f32>(1.6605, -0.1246, -0.0182, -0.5876, 1.1329, -0.1006, -0.0728, -0.0083, 1.1187);

// Benjamin Wrensch's polynomial for AgX's sigmoid.
fn agx_sigmoid(x: vec3<f32>) -> vec3<f32> {
    let x2 = x * x;
    let x4 = x2 * x2;
    return 15.5 * x4 * x2 - 40.14 * x4 * x + 31.96 * x4 - 6.868 * x2 * x + 0.4298 * x2 + 0.1191 * x - 0.00232;
}

// Troy Sobotka's AgX. It works in Rec. 2020, as in Blender.
fn agx(light: vec3<f32>) -> vec3<f32> {
    let inset = mat3x3(
        0.856627153315983, 0.137318972929847, 0.11189821299995,
        0.0951212405381588, 0.761241990602591, 0.0767994186031903,
        0.0482516061458583, 0.101439036467562, 0.811302368396859,
    );
    let outset = mat3x3(
        1.1271005818144368, -0.1413297634984383, -0.14132976349843826,
        -0.11060664309660323, 1.157823702216272, -0.11060664309660294,
        -0.016493938717834573, -0.016493938717834257, 1.2519364065950405,
    );
    let log_light = log2(max(inset * (REC2020_FROM_SRGB * light), vec3(1e-10)));
    let x = clamp((log_light + 12.47393) / (4.026069 + 12.47393), vec3(0.0), vec3(1.0));
    return SRGB_FROM_REC2020 * pow(max(outset * agx_sigmoid(x), vec3(0.0)), vec3(2.2));
}

// Returns the displayed color: linear, from 0 to 1. Surfaces are tone mapped before the samples of a pixel are averaged, so that a bright
// highlight keeps smooth edges. Colors that are not light (unlit materials, the grid) are not tone mapped.
fn displayed(light: vec3<f32>) -> vec3<f32> {
    // A color seen through glass may be more saturated than any tone-mapped light. The light that tonemap_inverse.wgsl computes for such a
    // color has channels below 0.
    let exposed = max(light, vec3(-1e4)) * frame.exposure;
    var color = exposed;
    if (tonemap == TONEMAP_NEUTRAL) {
        color = neutral(exposed);
    } else if (tonemap == TONEMAP_ACES) {
        color = aces(exposed);
    } else if (tonemap == TONEMAP_AGX) {
        color = agx(exposed);
    }
    return clamp(color, vec3(0.0), vec3(1.0));
}

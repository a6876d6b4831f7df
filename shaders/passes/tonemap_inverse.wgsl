// Inverts `displayed` of tonemap.wgsl: the light that shows as a color. Colors more vivid than any light shows as, such as unlit ones
// and the background, come from light that is partly below 0, and so survive the way there and back.

// White would come of endless light; of this it is white but for a byte, and does not outshine all around it where it is blurred.
const MAX_BACKDROP_LIGHT = 12.0;

fn light_of_neutral(shown: vec3<f32>) -> vec3<f32> {
    var color = shown;
    let peak = min(largest_of(color), 0.995);
    let start = 0.8 - 0.04;
    let d = 1.0 - start;
    if (peak > start) {
        let before = d * d / (1.0 - peak) - d + start;
        let g = 1.0 - 1.0 / (0.15 * (before - peak) + 1.0);
        color = (min(color, vec3(peak)) - peak * g) / (1.0 - g) * (before / peak);
    }
    let darkest = min(color.r, min(color.g, color.b));
    return color + select(0.04, sqrt(max(darkest, 0.0) / 6.25) - max(darkest, 0.0), darkest < 0.04);
}

fn largest_of(v: vec3<f32>) -> f32 {
    return max(v.r, max(v.g, v.b));
}

fn light_of_aces(shown: vec3<f32>) -> vec3<f32> {
    let srgb_from_rrt = mat3x3(1.76474, -0.14703, -0.03634, -0.67578, 1.16025, -0.16244, -0.08896, -0.01322, 1.19878);
    let odt_from_srgb = mat3x3(0.64304, 0.05927, 0.00596, 0.31119, 0.93144, 0.06393, 0.04578, 0.00929, 0.93012);
    let y = clamp(odt_from_srgb * shown, vec3(0.0), vec3(1.0));
    // The quadratic's positive root.
    let a = 1.0 - 0.983729 * y;
    let b = 0.0245786 - 0.4329510 * y;
    let c = -0.000090537 - 0.238081 * y;
    let v = (sqrt(max(b * b - 4.0 * a * c, vec3(0.0))) - b) / (2.0 * a);
    return srgb_from_rrt * v * 0.6;
}

fn light_of_agx(shown: vec3<f32>) -> vec3<f32> {
    let outset_back = mat3x3(0.899797, 0.111421, 0.111421, 0.087200, 0.875576, 0.087200, 0.013003, 0.013003, 0.801379);
    let inset_back = mat3x3(1.197441, -0.196475, -0.146557, -0.144262, 1.354095, -0.108284, -0.053180, -0.157621, 1.254841);
    let wanted = outset_back * pow(max(REC2020_FROM_SRGB * shown, vec3(0.0)), vec3(1.0 / 2.2));
    var low = vec3(0.0);
    var high = vec3(1.0);
    for (var i = 0; i < 16; i++) {
        let middle = 0.5 * (low + high);
        let above = agx_sigmoid(middle) > wanted;
        low = select(middle, low, above);
        high = select(high, middle, above);
    }
    let log_light = 0.5 * (low + high) * (4.026069 + 12.47393) - 12.47393;
    return SRGB_FROM_REC2020 * (inset_back * exp2(log_light));
}

fn light_that_shows(shown: vec3<f32>) -> vec3<f32> {
    let color = clamp(shown, vec3(0.0), vec3(1.0));
    var light = color;
    if (tonemap == TONEMAP_NEUTRAL) {
        light = light_of_neutral(color);
    } else if (tonemap == TONEMAP_ACES) {
        light = light_of_aces(color);
    } else if (tonemap == TONEMAP_AGX) {
        light = light_of_agx(color);
    }
    return min(light, vec3(MAX_BACKDROP_LIGHT)) / frame.exposure;
}

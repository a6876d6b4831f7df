// Inverts `displayed` of tonemap.wgsl: computes the light that tone mapping displays as a given color. Unlit materials and backgrounds may
// have colors that are more saturated than any tone-mapped light. For such a color, the computed light has negative channels, so that tone
// mapping it gives the same color again. Has no bindings of its own.

// Maximum of each channel of the result. Pure white would need infinite light. Light at this maximum is displayed only one step of 255
// below white, and does not dominate its surroundings when it is blurred.
const MAX_BACKDROP_LIGHT = 12.0;

// Inverts `neutral`.
fn inverse_neutral(displayed_color: vec3<f32>) -> vec3<f32> {
    var color = displayed_color;
    let peak = min(largest_of(color), 0.995);
    let start = 0.8 - 0.04;
    let d = 1.0 - start;
    if (peak > start) {
        let light_peak = d * d / (1.0 - peak) - d + start;
        let g = 1.0 - 1.0 / (0.15 * (light_peak - peak) + 1.0);
        color = (min(color, vec3(peak)) - peak * g) / (1.0 - g) * (light_peak / peak);
    }
    let darkest = min(color.r, min(color.g, color.b));
    return color + select(0.04, sqrt(max(darkest, 0.0) / 6.25) - max(darkest, 0.0), darkest < 0.04);
}

// Returns the largest channel.
fn largest_of(v: vec3<f32>) -> f32 {
    return max(v.r, max(v.g, v.b));
}

// Inverts `aces`.
fn inverse_aces(displayed_color: vec3<f32>) -> vec3<f32> {
    let srgb_from_rrt = mat3x3(1.76474, -0.14703, -0.03634, -0.67578, 1.16025, -0.16244, -0.08896, -0.01322, 1.19878);
    let odt_from_srgb = mat3x3(0.64304, 0.05927, 0.00596, 0.31119, 0.93144, 0.06393, 0.04578, 0.00929, 0.93012);
    let y = clamp(odt_from_srgb * displayed_color, vec3(0.0), vec3(1.0));
    // Take the positive root of the quadratic equation for v (tonemap.wgsl).
    let a = 1.0 - 0.983729 * y;
    let b = 0.0245786 - 0.4329510 * y;
    let c = -0.000090537 - 0.238081 * y;
    let v = (sqrt(max(b * b - 4.0 * a * c, vec3(0.0))) - b) / (2.0 * a);
    return srgb_from_rrt * v * 0.6;
}

// Inverts `agx`. The sigmoid has no inverse in closed form, so the function finds the value by bisection.
fn inverse_agx(displayed_color: vec3<f32>) -> vec3<f32> {
    let inverse_outset = mat3x3(0.899797, 0.111421, 0.111421, 0.087200, 0.875576, 0.087200, 0.013003, 0.013003, 0.801379);
    let inverse_inset = mat3x3(1.197441, -0.196475, -0.146557, -0.144262, 1.354095, -0.108284, -0.053180, -0.157621, 1.254841);
    let sigmoid = inverse_outset * pow(max(REC2020_FROM_SRGB * displayed_color, vec3(0.0)), vec3(1.0 / 2.2));
    var low = vec3(0.0);
    var high = vec3(1.0);
    for (var i = 0; i < 16; i++) {
        let middle = 0.5 * (low + high);
        let above = agx_sigmoid(middle) > sigmoid;
        low = select(middle, low, above);
        high = select(high, middle, above);
    }
    let log_light = 0.5 * (low + high) * (4.026069 + 12.47393) - 12.47393;
    return SRGB_FROM_REC2020 * (inverse_inset * exp2(log_light));
}

// Returns the light that tone mapping displays as this linear color.
fn inverse_displayed(displayed_color: vec3<f32>) -> vec3<f32> {
    let color = clamp(displayed_color, vec3(0.0), vec3(1.0));
    var light = color;
    if (tonemap == TONEMAP_NEUTRAL) {
        light = inverse_neutral(color);
    } else if (tonemap == TONEMAP_ACES) {
        light = inverse_aces(color);
    } else if (tonemap == TONEMAP_AGX) {
        light = inverse_agx(color);
    }
    return min(light, vec3(MAX_BACKDROP_LIGHT)) / frame.exposure;
}

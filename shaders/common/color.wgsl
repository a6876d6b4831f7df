// The sRGB transfer function (IEC 61966-2-1), in both directions. Has no bindings.

// Converts sRGB, 0 to 1, to linear light.
fn linear_from_srgb(encoded: vec3<f32>) -> vec3<f32> {
    return select(pow((encoded + 0.055) / 1.055, vec3(2.4)), encoded / 12.92, encoded <= vec3(0.04045));
}

// Converts linear light to sRGB and clamps it to 0 to 1.
fn srgb_from_linear(linear: vec3<f32>) -> vec3<f32> {
    let c = clamp(linear, vec3(0.0), vec3(1.0));
    return select(1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, c * 12.92, c <= vec3(0.0031308));
}

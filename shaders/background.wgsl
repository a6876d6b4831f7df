// The light from all around as it is seen behind everything: one triangle over the whole target, as far away as can be.

struct BackgroundVaryings {
    @builtin(position) clip: vec4<f32>,
    @location(0) direction: vec3<f32>,
}

@vertex
fn behind(@builtin(vertex_index) i: u32) -> BackgroundVaryings {
    let place = vec2(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0);
    let direction = frame.background_middle + frame.background_right * place.x + frame.background_up * place.y;
    return BackgroundVaryings(vec4(place, 0.0, 1.0), direction);
}

@fragment
fn background_color(in: BackgroundVaryings) -> @location(0) vec4<f32> {
    return vec4(displayed(around_mirrored(in.direction, frame.background_blur)), 1.0);
}

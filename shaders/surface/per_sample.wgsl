// Shades alpha mode MASK with MSAA on devices whose fragment stage cannot write the sample mask (naga's GLSL). Every sample is shaded
// separately, and discarded if it is not covered. This file is appended to surface.wgsl. Has no bindings of its own.

// Gives the same result as `masked_surface_by_coverage`.
@fragment
fn masked_surface_by_sample(
    in: Varyings,
    @builtin(front_facing) front: bool,
    @builtin(sample_index) sample: u32,
) -> @location(0) vec4<f32> {
    let base = base_color(in.uv, vertex_color(in));
    let color = surface_color(in, base, front);
    if (sample >= covered_samples(base.a)) {
        discard;
    }
    return vec4(color, 1.0) * xray_opacity(in);
}

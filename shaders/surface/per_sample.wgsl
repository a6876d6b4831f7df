// Shades alpha mode MASK under MSAA on devices whose fragment stage cannot write the sample mask (naga's GLSL). Each sample is shaded and
// discards itself. Appended to surface.wgsl. Binds nothing of its own.

// Follows `masked_surface`.
@fragment
fn sampled_surface(in: Varyings, @builtin(front_facing) front: bool, @builtin(sample_index) which: u32) -> @location(0) vec4<f32> {
    let base = base_color(in.uv, vertex_color(in));
    let color = surface_color(in, base, front);
    if (which >= covered_samples(base.a)) {
        discard;
    }
    return vec4(color, 1.0) * veil(in);
}

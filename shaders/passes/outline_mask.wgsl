// Draws the mask of the selected geometry: 1 where the geometry is, even if something else hides it. Binds nothing of its own.

// Opaque surfaces.
@fragment
fn outline_mask() -> @location(0) vec4<f32> {
    return vec4(1.0);
}

// Masked or blended surfaces. Those that are almost transparent leave the mask empty.
@fragment
fn outline_mask_cut(in: Varyings) -> @location(0) vec4<f32> {
    if (base_color(in.uv, vertex_color(in)).a < select(material.alpha_cutoff, 0.1, blended)) {
        discard;
    }
    return vec4(1.0);
}

// Draws the mask of the selected geometry: 1 where the geometry is, even if other surfaces hide it. Has no bindings of its own.

// The fragment stage of opaque surfaces.
@fragment
fn outline_mask() -> @location(0) vec4<f32> {
    return vec4(1.0);
}

// The fragment stage of masked or blended surfaces. Fragments that are almost transparent are not part of the mask.
@fragment
fn outline_mask_cut(in: Varyings) -> @location(0) vec4<f32> {
    if (base_color(in.uv, vertex_color(in)).a < select(material.alpha_cutoff, 0.1, blended)) {
        discard;
    }
    return vec4(1.0);
}

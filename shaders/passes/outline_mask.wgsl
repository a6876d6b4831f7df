// Draws the mask of the selected geometry: 1 where it would be visible without occluders.

@fragment
fn outline_mask() -> @location(0) vec4<f32> {
    return vec4(1.0);
}

// For masked or almost transparent surfaces.
@fragment
fn outline_mask_cut(in: Varyings) -> @location(0) vec4<f32> {
    if (base_color(in.uv, vertex_color(in)).a < select(material.alpha_cutoff, 0.1, blended)) {
        discard;
    }
    return vec4(1.0);
}

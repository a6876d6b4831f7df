// The mask of what is selected: 1 wherever it would be seen if nothing were before it.

@fragment
fn marked() -> @location(0) vec4<f32> {
    return vec4(1.0);
}

// Of what is not there everywhere: cut out, or so clear that nobody sees it.
@fragment
fn marked_cut(in: Varyings) -> @location(0) vec4<f32> {
    if (base_color(in.uv, vertex_color(in)).a < select(material.alpha_cutoff, 0.1, blended)) {
        discard;
    }
    return vec4(1.0);
}

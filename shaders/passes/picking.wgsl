// Writes the draw's index and the index of a vertex of the triangle at a pixel.

//if ids
fn picking_id(in: Varyings) -> vec4<u32> {
    return vec4(in.id.x, in.id.y + 1u, 0u, 0u);
}

@fragment
fn picked(in: Varyings) -> @location(0) vec4<u32> {
    return picking_id(in);
}

// For masked or almost transparent surfaces.
@fragment
fn picked_cut(in: Varyings) -> @location(0) vec4<u32> {
    if (base_color(in.uv, vertex_color(in)).a < select(material.alpha_cutoff, 0.1, blended)) {
        discard;
    }
    return picking_id(in);
}
//end

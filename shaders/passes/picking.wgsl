// Writes the number of the draw and a vertex of the triangle at a pixel.

//if ids
fn picking_id(in: Varyings) -> vec4<u32> {
    return vec4(in.id.x, in.id.y + 1u, 0u, 0u);
}

@fragment
fn picked(in: Varyings) -> @location(0) vec4<u32> {
    return picking_id(in);
}

// Of what is not there everywhere: cut out, or so clear that nobody sees it.
@fragment
fn picked_cut(in: Varyings) -> @location(0) vec4<u32> {
    if (base_color(in.uv, vertex_color(in)).a < select(material.alpha_cutoff, 0.1, blended)) {
        discard;
    }
    return picking_id(in);
}
//end

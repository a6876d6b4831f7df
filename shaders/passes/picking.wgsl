// Writes the index of one vertex of the triangle at a pixel, and the index of the triangle's draw. Has no bindings of its own.

//if ids
// Returns the index of the vertex, and the index of the draw plus 1. The value 0 means that nothing is drawn at the pixel.
fn picking_id(in: Varyings) -> vec4<u32> {
    return vec4(in.id.x, in.id.y + 1u, 0u, 0u);
}

// The fragment stage of opaque surfaces.
@fragment
fn picked(in: Varyings) -> @location(0) vec4<u32> {
    return picking_id(in);
}

// The fragment stage of masked or blended surfaces. Fragments that are almost transparent are not picked.
@fragment
fn picked_cut(in: Varyings) -> @location(0) vec4<u32> {
    if (base_color(in.uv, vertex_color(in)).a < select(material.alpha_cutoff, 0.1, blended)) {
        discard;
    }
    return picking_id(in);
}
//end

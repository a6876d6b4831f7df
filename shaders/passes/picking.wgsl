// Writes the index of a vertex of the triangle at a pixel, and the index of its draw. Binds nothing of its own.

//if ids
// Returns the vertex, and the index of the draw plus 1, because 0 means that nothing is there.
fn picking_id(in: Varyings) -> vec4<u32> {
    return vec4(in.id.x, in.id.y + 1u, 0u, 0u);
}

// Opaque surfaces.
@fragment
fn picked(in: Varyings) -> @location(0) vec4<u32> {
    return picking_id(in);
}

// Masked or blended surfaces. Those that are almost transparent are not picked.
@fragment
fn picked_cut(in: Varyings) -> @location(0) vec4<u32> {
    if (base_color(in.uv, vertex_color(in)).a < select(material.alpha_cutoff, 0.1, blended)) {
        discard;
    }
    return picking_id(in);
}
//end

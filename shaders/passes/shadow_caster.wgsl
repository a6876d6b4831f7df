// Fragment stages of shadow casters that are not opaque. Opaque ones have none, because depth needs no fragment stage. Binds nothing of its
// own.

// Share of light that a surface blocks where its alpha is 1. It is less than 1 for transmissive surfaces.
override shadow_density: f32 = 1.0;

// Alpha mode MASK.
@fragment
fn shadow_caster_masked(in: Varyings) {
    if (base_color(in.uv, vertex_color(in)).a < material.alpha_cutoff) {
        discard;
    }
}

// Blended surfaces cast a shadow as dense as their alpha: of every four by four texels of the map, that share blocks light, spread evenly.
@fragment
fn shadow_caster_blended(in: Varyings) {
    let at = vec2<u32>(in.clip.xy);
    let mixed = vec2(at.x ^ at.y, at.y);
    // An ordered dither: the bits of the place, interleaved, rank the 16 texels.
    let rank = ((mixed.x & 1u) << 3u) | ((mixed.y & 1u) << 2u) | (mixed.x & 2u) | ((mixed.y & 2u) >> 1u);
    if (base_color(in.uv, vertex_color(in)).a * shadow_density * 16.0 < f32(rank) + 0.5) {
        discard;
    }
}

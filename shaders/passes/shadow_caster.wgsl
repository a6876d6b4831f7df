// The fragment stages of shadow casters that are not opaque. Opaque shadow casters have no fragment stage, because they write depth only.
// Binds nothing of its own.

// Fraction of light that a surface blocks where its alpha is 1. It is less than 1 for transmissive surfaces.
override shadow_density: f32 = 1.0;

// Alpha mode MASK.
@fragment
fn shadow_caster_masked(in: Varyings) {
    if (base_color(in.uv, vertex_color(in)).a < material.alpha_cutoff) {
        discard;
    }
}

// Blended surfaces. They cast a shadow as dense as their alpha: of every four by four texels of the map, that fraction blocks light. The
// blocking texels are spread evenly.
@fragment
fn shadow_caster_blended(in: Varyings) {
    let texel = vec2<u32>(in.clip.xy);
    let bits = vec2(texel.x ^ texel.y, texel.y);
    // An ordered dither: the interleaved bits of the position rank the 16 texels (Bayer matrix).
    let rank = ((bits.x & 1u) << 3u) | ((bits.y & 1u) << 2u) | (bits.x & 2u) | ((bits.y & 2u) >> 1u);
    if (base_color(in.uv, vertex_color(in)).a * shadow_density * 16.0 < f32(rank) + 0.5) {
        discard;
    }
}

// The fragment stages of shadow casters that are not opaque. Opaque shadow casters have no fragment stage, because they write depth only.
// Has no bindings of its own.

// Fraction of light that the surface blocks where its alpha is 1. It is less than 1 for transmissive surfaces.
override shadow_density: f32 = 1.0;

// The fragment stage of alpha mode MASK.
@fragment
fn shadow_caster_masked(in: Varyings) {
    if (base_color(in.uv, vertex_color(in)).a < material.alpha_cutoff) {
        discard;
    }
}

// The fragment stage of blended surfaces. Their shadow is as dense as their alpha: in every square of four by four texels of the shadow
// map, alpha is the fraction of texels that block light. The blocking texels are spread evenly.
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

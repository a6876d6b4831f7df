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

// The ranks of the texels in a square of three by three, by row and column. Successive ranks are far apart.
const RANKS: array<u32, 9> = array(0u, 7u, 3u, 6u, 5u, 2u, 4u, 1u, 8u);

// The fragment stage of blended surfaces. Their shadow is as dense as their alpha: in every square of three by three texels of the shadow
// map, alpha is the fraction of texels that block light, to the nearest ninth. Lookups of `lit_fraction` in shadow.wgsl cover a multiple of
// three texels along each side, so every position sees the same fraction, and the pattern stays invisible.
@fragment
fn shadow_caster_blended(in: Varyings) {
    let texel = vec2<u32>(in.clip.xy) % vec2(3u);
    var ranks = RANKS;
    let rank = ranks[texel.y * 3u + texel.x];
    if (base_color(in.uv, vertex_color(in)).a * shadow_density * 9.0 < f32(rank) + 0.5) {
        discard;
    }
}

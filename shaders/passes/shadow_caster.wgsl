// The fragment stages of shadow casters that let light through. Opaque shadow casters have no fragment stage, because they write only
// depth. Has no bindings of its own.

// Fraction of light that the surface blocks where it is opaque. It is less than 1 for transmissive surfaces.
override shadow_density: f32 = 1.0;

// The fragment stage of alpha mode MASK without transmission.
@fragment
fn shadow_caster_masked(in: Varyings) {
    if (base_color(in.uv, vertex_color(in)).a < material.alpha_cutoff) {
        discard;
    }
}

// The ranks of the texels in a square of three by three, by row and column. Successive ranks are far apart.
const RANKS: array<u32, 9> = array(0u, 7u, 3u, 6u, 5u, 2u, 4u, 1u, 8u);

// The fragment stage of blended and transmissive surfaces, whose shadow lets light through: in every square of three by three texels of
// the shadow map, its density is the fraction of texels that block light, to the nearest ninth. Lookups of `lit_fraction` in shadow.wgsl
// cover a multiple of three texels along each side, so every position sees the same fraction, and the pattern stays invisible.
@fragment
fn shadow_caster_dithered(in: Varyings) {
    let alpha = base_color(in.uv, vertex_color(in)).a;
    // Alpha mode MASK. The cutoff of an opaque surface is 0.
    if (!blended && alpha < material.alpha_cutoff) {
        discard;
    }
    let density = shadow_density * select(1.0, alpha, blended);
    let texel = vec2<u32>(in.clip.xy) % vec2(3u);
    var ranks = RANKS;
    let rank = ranks[texel.y * 3u + texel.x];
    if (density * 9.0 < f32(rank) + 0.5) {
        discard;
    }
}

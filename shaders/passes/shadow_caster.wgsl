// The fragment stages of shadow casters that let light through. Opaque shadow casters have no fragment stage, because they write only
// depth. Has no bindings of its own; reads `shadow_taps` of shadow.wgsl.

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

// Returns the density at which this texel begins to block light, from 0 to 1. Neighbors have values that are far apart, so that the mean of
// the lookups of `lit_fraction` in shadow.wgsl is about the same everywhere.
fn threshold(texel: vec2<u32>) -> f32 {
    // Three by three lookups are 0.8 to 2 texels apart. At a distance of 1, as on surfaces, and of 2, they cover every rank equally often.
    // At 1.5, which occurs only on the ground, their mean differs from the density by up to 0.3.
    if (shadow_taps == 3u) {
        var ranks = RANKS;
        return (f32(ranks[texel.y % 3u * 3u + texel.x % 3u]) + 0.5) / 9.0;
    }
    // Six by six lookups are 1.6 to 4 texels apart. At a distance of 3, all of them would have the same rank of a square of three by
    // three. This lattice was found by a search: at all distances, their mean differs from the density by at most 0.12.
    return (f32((10u * texel.x + 16u * texel.y) % 45u) + 0.5) / 45.0;
}

// The fragment stage of blended and transmissive surfaces, whose shadow lets light through: the density of their shadow is the fraction of
// texels of the shadow map that block light.
@fragment
fn shadow_caster_dithered(in: Varyings) {
    let alpha = base_color(in.uv, vertex_color(in)).a;
    // Alpha mode MASK. The cutoff of an opaque surface is 0.
    if (!blended && alpha < material.alpha_cutoff) {
        discard;
    }
    let density = shadow_density * select(1.0, alpha, blended);
    if (density < threshold(vec2<u32>(in.clip.xy))) {
        discard;
    }
}

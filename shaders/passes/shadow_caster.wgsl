// Fragment stages of shadow casters that are not opaque; opaque ones have none.

// Share of light that a transmissive surface blocks.
override shadow_density: f32 = 1.0;

// Alpha mode MASK.
@fragment
fn shadow_caster_masked(in: Varyings) {
    if (base_color(in.uv, vertex_color(in)).a < material.alpha_cutoff) {
        discard;
    }
}

// Blended surfaces cast a shadow as dense as their alpha: that share of every 16 texels of the map blocks light, spread evenly.
@fragment
fn shadow_caster_blended(in: Varyings) {
    let at = vec2<u32>(in.clip.xy);
    let mixed = vec2(at.x ^ at.y, at.y);
    let rank = ((mixed.x & 1u) << 3u) | ((mixed.y & 1u) << 2u) | (mixed.x & 2u) | ((mixed.y & 2u) >> 1u);
    if (base_color(in.uv, vertex_color(in)).a * shadow_density * 16.0 < f32(rank) + 0.5) {
        discard;
    }
}

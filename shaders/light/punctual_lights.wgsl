// Sums direct light: the key light and the punctual lights.

override punctual: bool = false;
// The key light casts a shadow.
override shadowed: bool = false;

fn direct_light(s: Surface) -> vec3<f32> {
    var sum = vec3(0.0);
    if (studio) {
        sum += key_light(s);
    }
    if (punctual) {
        for (var i = 0u; i < frame.light_count; i++) {
            sum += punctual_light(lights[i], s);
        }
    }
    return sum;
}

// The key light: directional, with the angular width of a soft box or a sun.
fn key_light(s: Surface) -> vec3<f32> {
    let key = frame.key;
    let n_dot_l = clamp(dot(s.normal, key.direction), 0.0, 1.0);
    var share = 1.0;
    if (shadowed) {
        // With y down on the screen this points to the eye, as does the side that is seen.
        let outward = unit_or_zero(cross(dpdy(s.position), dpdx(s.position)));
        if (n_dot_l > 0.0) {
            share = surface_lit_share(s.position, outward, n_dot_l);
        }
    }
    // The width of the light widens the lobe (variances add).
    let alpha = s.roughness * s.roughness;
    var wide = s;
    wide.roughness = sqrt(sqrt(alpha * alpha + key.spread * key.spread));
    wide.regained *= key_share(s.roughness);
//if clearcoat
    let coat_alpha = s.coat_roughness * s.coat_roughness;
    wide.coat_roughness = sqrt(sqrt(coat_alpha * coat_alpha + key.spread * key.spread));
    wide.coat_regained *= key_share(s.coat_roughness);
//end
    return reflected_light(wide, key.direction, key.irradiance * share);
}

// KHR_lights_punctual.
fn punctual_light(light: Light, s: Surface) -> vec3<f32> {
    let to_light = light.position.xyz - s.position * light.position.w;
    let square = max(dot(to_light, to_light), 1e-12);
    let l = to_light * inverseSqrt(square);
    // Falls off with the square of the distance, and to nothing at the range.
    let ratio = square * light.inverse_range_squared;
    let window = clamp(1.0 - ratio * ratio, 0.0, 1.0);
    let falloff = select(1.0, window / square, light.position.w > 0.5);
    let cone = clamp(dot(-l, light.direction) * light.cone_scale + light.cone_offset, 0.0, 1.0);
    return reflected_light(s, l, light.color * (falloff * cone * cone));
}

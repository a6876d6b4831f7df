// The lamps: which light arrives at a surface from each, and what comes back.

override punctual: bool = false;
// The key lamp casts a shadow.
override shadowed: bool = false;

fn light_from_lamps(s: Surface) -> vec3<f32> {
    var sum = vec3(0.0);
    if (studio) {
        sum += light_from_key(s);
    }
    if (punctual) {
        for (var i = 0u; i < frame.light_count; i++) {
            sum += light_from(lights[i], s);
        }
    }
    return sum;
}

// The key lamp: far away, and as wide as a soft box or as a sun.
fn light_from_key(s: Surface) -> vec3<f32> {
    let key = frame.key;
    let n_dot_l = clamp(dot(s.normal, key.direction), 0.0, 1.0);
    var share = 1.0;
    if (shadowed) {
        // With y down on the screen this points to the eye, as does the side that is seen.
        let outward = unit_or_zero(cross(dpdy(s.position), dpdx(s.position)));
        if (n_dot_l > 0.0) {
            share = lamp_share_on(s.position, outward, n_dot_l);
        }
    }
    // A lobe that meets a wide lamp is as wide as both (variances add).
    let alpha = s.roughness * s.roughness;
    var wide = s;
    wide.roughness = sqrt(sqrt(alpha * alpha + key.spread * key.spread));
    wide.regained *= key_share(s.roughness);
//if clearcoat
    let coat_alpha = s.coat_roughness * s.coat_roughness;
    wide.coat_roughness = sqrt(sqrt(coat_alpha * coat_alpha + key.spread * key.spread));
    wide.coat_regained *= key_share(s.coat_roughness);
//end
    return lamp_reflected(wide, key.direction, key.irradiance * share);
}

// KHR_lights_punctual.
fn light_from(light: Light, s: Surface) -> vec3<f32> {
    let to_light = light.position.xyz - s.position * light.position.w;
    let square = max(dot(to_light, to_light), 1e-12);
    let l = to_light * inverseSqrt(square);
    // Falls off with the square of the distance, and to nothing at the range.
    let ratio = square * light.inverse_range_squared;
    let window = clamp(1.0 - ratio * ratio, 0.0, 1.0);
    let falloff = select(1.0, window / square, light.position.w > 0.5);
    let cone = clamp(dot(-l, light.direction) * light.cone_scale + light.cone_offset, 0.0, 1.0);
    return lamp_reflected(s, l, light.color * (falloff * cone * cone));
}

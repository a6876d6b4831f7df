// Sums the reflected light of the key light and the punctual lights. Has no bindings of its own; reads `lights` (frame.wgsl).

// Whether there are punctual lights.
override punctual: bool = false;
// Whether the key light casts a shadow.
override shadowed: bool = false;

// Returns the radiance that a surface reflects from all lights.
fn direct_light(s: Surface) -> vec3<f32> {
    var sum = vec3(0.0);
    if (lit_by_environment) {
        sum += key_light(s);
    }
    if (punctual) {
        for (var i = 0u; i < frame.light_count; i++) {
            sum += punctual_light(lights[i], s);
        }
    }
    return sum;
}

// Returns the reflection of the key light, which is directional but has the angular width of a soft box or a sun.
fn key_light(s: Surface) -> vec3<f32> {
    let key = frame.key;
    let facing = dot(s.normal, key.direction);
    var lit_side = 1.0;
//if diffuse_transmission
//if volume
    // Light from behind would be shaded by the other side of the body.
//else
    // A thin sheet also shows the light that falls on its other side.
    lit_side = sign(facing);
//end
//end
    var unshadowed = 1.0;
    if (shadowed) {
        // The normal of the visible side. With y down on the screen, this product points to the eye. Without the division, the product of
        // a tiny model would be zero.
        let scaled = s.position / frame.shadow.lift;
        let outward = unit_or_zero(cross(dpdy(scaled), dpdx(scaled)));
        if (facing * lit_side > 0.0) {
            let vertex_facing = dot(s.vertex_normal, key.direction);
            unshadowed = surface_lit_fraction(s.position, outward * lit_side, facing * lit_side, vertex_facing * lit_side);
        }
    }
    // The angular width of the light widens the specular lobe. The variances of the two distributions add up.
    let alpha = s.roughness * s.roughness;
    var widened = s;
    widened.roughness = sqrt(sqrt(alpha * alpha + key.spread * key.spread));
    widened.energy_compensation *= analytic_key_fraction(s.roughness);
//if clearcoat
    let coat_alpha = s.coat_roughness * s.coat_roughness;
    widened.coat_roughness = sqrt(sqrt(coat_alpha * coat_alpha + key.spread * key.spread));
    widened.coat_energy_compensation *= analytic_key_fraction(s.coat_roughness);
//end
    return reflected_light(widened, key.direction, key.irradiance * unshadowed);
}

// Returns the reflection of a light of KHR_lights_punctual.
fn punctual_light(light: Light, s: Surface) -> vec3<f32> {
    let to_light = light.position.xyz - s.position * light.position.w;
    let distance_squared = max(dot(to_light, to_light), 1e-12);
    let l = to_light * inverseSqrt(distance_squared);
    // Light falls off with the square of the distance, and reaches zero at the light's range.
    let ratio = distance_squared * light.inverse_range_squared;
    let window = clamp(1.0 - ratio * ratio, 0.0, 1.0);
    let falloff = select(1.0, window / distance_squared, light.position.w > 0.5);
    let cone = clamp(dot(-l, light.direction) * light.cone_scale + light.cone_offset, 0.0, 1.0);
    return reflected_light(s, l, light.color * (falloff * cone * cone));
}

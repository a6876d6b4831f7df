// The lamps: which light arrives at a surface from each, and what comes back.

override punctual: bool = false;

fn light_from_lamps(s: Surface) -> vec3<f32> {
    var sum = vec3(0.0);
    for (var i = 0u; i < frame.light_count; i++) {
        let light = lights[i];
        let to_light = light.position.xyz - s.position * light.position.w;
        let square = max(dot(to_light, to_light), 1e-12);
        let l = to_light * inverseSqrt(square);
        // Falls off with the square of the distance, and to nothing at the range (KHR_lights_punctual).
        let ratio = square * light.inverse_range_squared;
        let window = clamp(1.0 - ratio * ratio, 0.0, 1.0);
        let falloff = select(1.0, window / square, light.position.w > 0.5);
        let cone = clamp(dot(-l, light.direction) * light.cone_scale + light.cone_offset, 0.0, 1.0);
        sum += lamp_reflected(s, l, light.color * (falloff * cone * cone));
    }
    return sum;
}

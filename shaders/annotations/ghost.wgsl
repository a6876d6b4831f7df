// Shades a ghost of the onion skin in one color. It is most transparent where it faces the camera and densest at its rim, so that its shape
// can be seen. A depth pass comes first, so that only the nearest surface of the ghost is shaded. Has no bindings of its own.

// Returns the color at a fragment, premultiplied.
fn ghost_color(in: Varyings) -> vec4<f32> {
    var normal = in.normal;
    if (!has_normals) {
        normal = cross(dpdy(in.position), dpdx(in.position));
    }
    let to_eye = frame.eye.xyz - in.position * frame.eye.w;
    let facing = abs(dot(unit_or_zero(normal), unit_or_zero(to_eye)));
    let rim = 1.0 - facing;
    let alpha = material.tint.a * mix(0.55, 1.0, rim * rim);
    return vec4(material.tint.rgb * mix(0.5, 1.0, facing) * alpha, alpha);
}

// The fragment stage of opaque surfaces.
@fragment
fn ghost(in: Varyings) -> @location(0) vec4<f32> {
    return ghost_color(in);
}

// The fragment stage of masked or blended surfaces. They discard the same fragments as `outline_mask_cut`.
@fragment
fn ghost_cut(in: Varyings) -> @location(0) vec4<f32> {
    let color = ghost_color(in);
    if (base_color(in.uv, vertex_color(in)).a < select(material.alpha_cutoff, 0.1, blended)) {
        discard;
    }
    return color;
}

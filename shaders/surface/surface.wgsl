// The fragment stage of a file's primitives: the color of a surface in each shading mode, and the fragments that each alpha mode discards.
// Has no bindings of its own.

// Whether the base color is shown without lighting.
override unlit: bool = false;
// Whether emission is added to an unlit base color.
override emits: bool = false;
// Whether there are vertex normals. If there are none, shading uses the normal of the deformed triangle.
override has_normals: bool = true;
// Whether there are vertex tangents.
override has_tangents: bool = false;
// Whether normal textures apply. glTF ignores those of points and lines without tangents (glTF 2.0, 3.9.7).
override maps_normals: bool = true;
// Whether back faces are drawn as well, with normals that are turned towards the eye.
override two_sided: bool = false;
// Whether the alpha mode is BLEND.
override blended: bool = false;
// MSAA samples per pixel.
override samples: u32 = 1u;

// Whether the material is anisotropic and therefore needs tangents even without normal textures.
//if anisotropy
const has_anisotropy = true;
//else
const has_anisotropy = false;
//end

// The normals of the visible side, and the tangents.
struct Facing {
    // With the normal texture, if there is one.
    normal: vec3<f32>,
    // Without the normal texture.
    vertex_normal: vec3<f32>,
    tangent: vec3<f32>,
    bitangent: vec3<f32>,
    // Normal of the clearcoat. The normal texture of the base does not affect it.
    coat_normal: vec3<f32>,
}

// Computes the normals of the visible side, and the tangents. `front` is whether the triangle is counterclockwise, or clockwise if the
// transform of the whole primitive mirrors. With y down on the screen, cross(dpdy, dpdx) points to the eye.
fn facing(in: Varyings, front: bool) -> Facing {
    let dx = dpdx(in.position);
    let dy = dpdy(in.position);
//if mixed_winding
    let outside = front != (in.mirror < 0.0);
//else
    let outside = front;
//end
    let side = select(1.0, -1.0, two_sided && !outside);
    var outward = in.normal;
    if (!has_normals) {
        outward = cross(dy, dx) * side;
    }
    outward = unit_or_zero(outward);
    var tangent = in.tangent.xyz;
    var bitangent = vec3(0.0);
    var normal = outward;
    var coat_normal = outward;
    let bends_normal = has_normal_texture && maps_normals;
    let bends_coat_normal = has_clearcoat_normal_texture && maps_normals;
    if (bends_normal || bends_coat_normal || has_anisotropy || shading == SHADING_TANGENTS) {
        bitangent = cross(outward, tangent) * in.tangent.w;
        if (!has_tangents) {
            // The tangent is the direction in which u grows and v does not change. It solves dx = u_axis * uv_dx.x + v_axis * uv_dx.y and
            // the same for dy. The bitangent is perpendicular to it (glTF 2.0, 3.7.2.1) and points to small v: v points down the image.
            let uv_dx = dpdx(tangent_uv(in.uv));
            let uv_dy = dpdy(tangent_uv(in.uv));
            // Negative where the visible side shows the image mirrored.
            let handedness = sign(uv_dx.x * uv_dy.y - uv_dx.y * uv_dy.x);
            tangent = unit_or_zero((dx * uv_dy.y - dy * uv_dx.y) * handedness);
            bitangent = cross(outward * side, tangent) * handedness;
        }
        if (bends_normal) {
            let m = mapped_normal(in.uv);
            normal = unit_or_zero(tangent * m.x + bitangent * m.y + outward * m.z);
        }
        if (bends_coat_normal) {
            let m = mapped_coat_normal(in.uv);
            coat_normal = unit_or_zero(tangent * m.x + bitangent * m.y + outward * m.z);
        }
    }
    return Facing(normal * side, outward * side, tangent, bitangent, coat_normal * side);
}

// Returns the radiance towards the eye.
fn lit_radiance(in: Varyings, base: vec3<f32>, face: Facing) -> vec3<f32> {
    let view = unit_or_zero(frame.eye.xyz - in.position * frame.eye.w);
    var surface = plain_surface(in.position, face, view);
    var emitted = vec3(0.0);
    if (shading == SHADING_LIT) {
        surface = material_surface(surface, in, base, face);
        emitted = emissive(in.uv);
    }
    surface = with_reflectances(surface);
    return environment_light(surface) + emitted_light(surface, emitted) + direct_light(surface);
}

// Returns the displayed color, linear.
fn surface_color(in: Varyings, base: vec4<f32>, front: bool) -> vec3<f32> {
//if heat_map
    // In this mode, `unlit` marks lines and points. They have no surface normals, so the direction to the eye replaces the normal. This
    // turns off the darkening towards the rim.
    if (unlit) {
        return weight_color(in, unit_or_zero(frame.eye.xyz - in.position * frame.eye.w));
    }
    return weight_color(in, facing(in, front).normal);
//else
    if (attribute_missing) {
        return missing_attribute_color(in.clip.xy);
    }
    if (unlit || !needs_directions()) {
        return undirected_mode(in, base);
    }
    let face = facing(in, front);
    if (shading == SHADING_NORMALS || shading == SHADING_TANGENTS) {
        return directed_mode(in, face);
    }
    return displayed(lit_radiance(in, base.rgb, face));
//end
}

// Returns the displayed color, premultiplied by alpha and x-ray opacity.
fn blended_color(in: Varyings, base: vec4<f32>, front: bool) -> vec4<f32> {
    let alpha = select(1.0, clamp(base.a, 0.0, 1.0), blended) * xray_opacity(in);
    return vec4(surface_color(in, base, front) * alpha, alpha);
}

// The fragment stage of alpha modes OPAQUE and BLEND.
@fragment
fn surface(in: Varyings, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    let base = base_color(in.uv, vertex_color(in));
    let color = blended_color(in, base, front);
    // `blended_opaque_part` draws these fragments.
    if (blended && base.a >= material.alpha_cutoff) {
        discard;
    }
    return color;
}

// The fragment stage of the almost opaque fragments of alpha mode BLEND, which write depth.
@fragment
fn blended_opaque_part(in: Varyings, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    let base = base_color(in.uv, vertex_color(in));
    let color = blended_color(in, base, front);
    if (base.a < material.alpha_cutoff) {
        discard;
    }
    return color;
}

// The fragment stage of alpha mode MASK without MSAA, or on devices that cannot write the sample mask.
@fragment
fn masked_surface_by_discard(in: Varyings, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    let base = base_color(in.uv, vertex_color(in));
    let color = vec4(surface_color(in, base, front), 1.0) * xray_opacity(in);
    if (base.a < material.alpha_cutoff) {
        discard;
    }
    return color;
}

// Returns the number of covered samples of a pixel. Near the alpha cutoff, the number depends on the position of the edge in the pixel.
// A cutoff that every alpha reaches, or none, has no edge.
fn covered_samples(alpha: f32) -> u32 {
    let slope = max(fwidth(alpha), 1e-6);
    if (material.alpha_cutoff <= 0.0) {
        return samples;
    }
    if (material.alpha_cutoff > 1.0) {
        return 0u;
    }
    let coverage = clamp((alpha - material.alpha_cutoff + 1e-6) / slope + 0.5, 0.0, 1.0);
    return u32(round(coverage * f32(samples)));
}

// A color, and the mask of the samples that receive it.
struct Masked {
    @location(0) color: vec4<f32>,
    @builtin(sample_mask) mask: u32,
}

// The fragment stage of alpha mode MASK with MSAA. Edges are smooth, because only the covered samples are written.
@fragment
fn masked_surface_by_coverage(in: Varyings, @builtin(front_facing) front: bool) -> Masked {
    let base = base_color(in.uv, vertex_color(in));
    let count = covered_samples(base.a);
    return Masked(vec4(surface_color(in, base, front), 1.0) * xray_opacity(in), (1u << count) - 1u);
}

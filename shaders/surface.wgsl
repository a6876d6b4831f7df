// The fragment stage of everything a file draws: what a surface looks like in each shading mode.

override unlit: bool = false;
// Absent normals are those of the deformed triangle.
override has_normals: bool = true;
override has_tangents: bool = false;
// Back faces are seen too, and lit as seen.
override two_sided: bool = false;
override blended: bool = false;
override samples: u32 = 1u;

struct Facing {
    normal: vec3<f32>,
    tangent: vec3<f32>,
}

// The normal of the side that is seen, and the tangent. With y down on the screen, cross(dpdy, dpdx) points to the eye.
fn facing(in: Varyings, front: bool) -> Facing {
    let dx = dpdx(in.position);
    let dy = dpdy(in.position);
    let side = select(1.0, -1.0, two_sided && !front);
    var outward = in.normal;
    if (!has_normals) {
        outward = cross(dy, dx) * side;
    }
    outward = unit_or_zero(outward);
    var tangent = in.tangent.xyz;
    var normal = outward;
    if (has_normal_texture || shading == SHADING_TANGENTS) {
        var bitangent = cross(outward, tangent) * in.tangent.w;
        if (!has_tangents) {
            // The directions in which u and v grow, from how they change on the screen.
            let uv = slot_uv(2u, in.uv);
            let du = dpdx(uv);
            let dv = -dpdy(uv);
            let seen = outward * side;
            let across = cross(-dy, seen);
            let along = cross(seen, dx);
            tangent = across * du.x + along * dv.x;
            bitangent = across * du.y + along * dv.y;
            let scale = inverseSqrt(max(max(dot(tangent, tangent), dot(bitangent, bitangent)), 1e-30));
            tangent *= scale;
            bitangent *= scale;
        }
        if (has_normal_texture) {
            let m = mapped_normal(in.uv);
            normal = unit_or_zero(tangent * m.x + bitangent * m.y + outward * m.z);
        }
    }
    return Facing(normal * side, tangent);
}

fn lit(in: Varyings, base: vec3<f32>, normal: vec3<f32>) -> vec3<f32> {
    let to_eye = frame.eye.xyz - in.position * frame.eye.w;
    let view = unit_or_zero(to_eye);
    // At a silhouette the interpolated normal may look away from the eye, where a mirror would show the far side of the room.
    let bent = unit_or_zero(normal + view * max(0.03 - dot(normal, view), 0.0));
    var surface = Surface(in.position, bent, view, vec3(0.42), vec3(0.04), 0.7, 1.0);
    var glow = vec3(0.0);
    if (shading == SHADING_LIT) {
        let factors = metallic_roughness(in.uv);
        surface.diffuse = base * (1.0 - factors.x);
        surface.f0 = mix(vec3(0.04), base, factors.x);
        surface.roughness = factors.y;
        surface.occlusion = occlusion(in.uv);
        glow = emissive(in.uv);
    }
    var light = light_from_around(surface) + glow;
    if (punctual) {
        light += light_from_lamps(surface);
    }
    return light;
}

// Linear, ready for the display.
fn surface_color(in: Varyings, base: vec3<f32>, front: bool) -> vec3<f32> {
    if (lacking) {
        return hatched(in.clip.xy);
    }
    if (unlit || shading == SHADING_BASE_COLOR || shading == SHADING_UV || shading == SHADING_VERTEX_COLORS) {
        return plain_mode(in, base);
    }
    let face = facing(in, front);
    if (shading == SHADING_NORMALS || shading == SHADING_TANGENTS) {
        return facing_mode(in, face);
    }
    return displayed(lit(in, base, face.normal));
}

@fragment
fn surface(in: Varyings, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    let base = base_color(in.uv, in.color);
    let alpha = select(1.0, clamp(base.a, 0.0, 1.0), blended) * veil(in);
    return vec4(surface_color(in, base.rgb, front) * alpha, alpha);
}

// Alpha mode MASK.
@fragment
fn cut_surface(in: Varyings, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    let base = base_color(in.uv, in.color);
    let color = vec4(surface_color(in, base.rgb, front), 1.0) * veil(in);
    if (base.a < material.alpha_cutoff) {
        discard;
    }
    return color;
}

struct Masked {
    @location(0) color: vec4<f32>,
    @builtin(sample_mask) mask: u32,
}

// The same where a pixel has several samples: the edge is as smooth as they allow.
@fragment
fn masked_surface(in: Varyings, @builtin(front_facing) front: bool) -> Masked {
    let base = base_color(in.uv, in.color);
    let slope = max(fwidth(base.a), 1e-6);
    let cover = clamp((base.a - material.alpha_cutoff + 1e-6) / slope + 0.5, 0.0, 1.0);
    let count = u32(round(cover * f32(samples)));
    return Masked(vec4(surface_color(in, base.rgb, front), 1.0) * veil(in), (1u << count) - 1u);
}

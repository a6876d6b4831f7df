// The shading modes: what a surface shows when it is not lit, linear and ready for the display.

const SHADING_LIT = 0u;
const SHADING_BASE_COLOR = 1u;
const SHADING_CLAY = 2u;
const SHADING_NORMALS = 3u;
const SHADING_TANGENTS = 4u;
const SHADING_UV = 5u;
const SHADING_VERTEX_COLORS = 6u;

override shading: u32 = SHADING_LIT;
fn checker(uv: vec2<f32>) -> vec3<f32> {
    let cell = floor(uv * 8.0);
    let odd = abs(cell.x + cell.y) % 2.0;
    return mix(vec3(fract(uv), 0.35), vec3(1.0), 0.35 + 0.3 * odd);
}

// Of the modes that need no facing.
fn plain_mode(in: Varyings, base: vec3<f32>) -> vec3<f32> {
    if (shading == SHADING_UV) {
        return linear_from_srgb(checker(in.uv.xy));
    }
    if (shading == SHADING_VERTEX_COLORS) {
        return vertex_color(in).rgb;
    }
    return base;
}

// Of the modes that show directions.
fn facing_mode(face: Facing) -> vec3<f32> {
    if (shading == SHADING_NORMALS) {
        return linear_from_srgb(face.normal * 0.5 + 0.5);
    }
    return linear_from_srgb(unit_or_zero(face.tangent) * 0.5 + 0.5);
}

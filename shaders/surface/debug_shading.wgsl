// Shades the debug modes, and computes the opacity of surfaces in x-ray mode. Colors are linear and are not tone mapped. Has no bindings of
// its own.

// Keep in sync with `shading_index` in src/render/pipelines/key.rs.
const SHADING_LIT = 0u;
const SHADING_BASE_COLOR = 1u;
const SHADING_CLAY = 2u;
const SHADING_NORMALS = 3u;
const SHADING_TANGENTS = 4u;
const SHADING_UV = 5u;
const SHADING_VERTEX_COLORS = 6u;
const SHADING_ROUGHNESS = 7u;
const SHADING_METALLIC = 8u;
const SHADING_OCCLUSION = 9u;
const SHADING_EMISSIVE = 10u;
const SHADING_ALPHA = 11u;
const SHADING_SPECULAR = 12u;

// The shading mode, one of the values above. The mode of the heat map (255) is in heat_map.wgsl.
override shading: u32 = SHADING_LIT;
// Whether the primitive lacks the attribute that the mode shows.
override attribute_missing: bool = false;
// Whether the surface is translucent, so that the skeleton shows through.
override xray: bool = false;

// Albedo of the clay mode.
const CLAY = vec3(0.42);

// Returns diagonal stripes on the screen: 1 on a stripe and 0 between stripes. Stripes are `period` points apart and half as wide. They
// continue across the tiles of a picture.
fn stripes(pixel: vec2<f32>, period: f32) -> f32 {
    let periods = dot(pixel + frame.origin, vec2(1.0)) / (period * frame.pixels_per_point);
    let slope = 1.41421356 / (period * frame.pixels_per_point);
    return clamp((0.25 - abs(fract(periods) - 0.5)) / slope + 0.5, 0.0, 1.0);
}

// Returns the color of surfaces that lack the attribute shown by the mode.
fn missing_attribute_color(pixel: vec2<f32>) -> vec3<f32> {
    return linear_from_srgb(mix(vec3(0.36), vec3(0.46), stripes(pixel, 10.0)));
}

// Whether a position in a cell (0 to 1, v down) lies in the cell's label: a letter for the column and a digit for the row, counted from the
// upper left cell. Each glyph has three by five dots, one bit each.
fn in_label(position: vec2<f32>, cell: vec2<u32>) -> bool {
    var dots = array<u32, 16>(
        0x2bedu, 0x6baeu, 0x3923u, 0x6b6eu, 0x79a7u, 0x79a4u, 0x396bu, 0x5bedu,
        0x2c97u, 0x62a7u, 0x628eu, 0x5bc9u, 0x798eu, 0x79efu, 0x7292u, 0x7befu,
    );
    let dot_position = floor(position * 11.0) - vec2(2.0, 3.0);
    if (any(dot_position < vec2(0.0)) || dot_position.x > 6.0 || dot_position.y > 4.0 || dot_position.x == 3.0) {
        return false;
    }
    let digit = dot_position.x > 3.0;
    let glyph = dots[select(cell.x, 8u + cell.y, digit)];
    let column = select(u32(dot_position.x), u32(dot_position.x) - 4u, digit);
    return ((glyph >> (14u - u32(dot_position.y) * 3u - column)) & 1u) == 1u;
}

// Returns the color of a checkerboard of eight by eight cells, in sRGB: red grows with u, green with v. Outside 0 to 1 the checkerboard
// repeats in paler colors. The cells have labels.
fn checkerboard(uv: vec2<f32>, label_opacity: f32) -> vec3<f32> {
    let repetition = floor(uv);
    let position = (uv - repetition) * 8.0;
    let cell = min(floor(position), vec2(7.0));
    let is_odd = (u32(cell.x) + u32(cell.y)) % 2u == 1u;
    let tint = vec3((cell + 0.5) / 8.0, 0.0) * vec3(0.62, 0.62, 0.0) + vec3(0.28, 0.28, 0.5);
    var color = tint * select(1.0, 0.66, is_odd);
    if (in_label(position - cell, vec2<u32>(cell))) {
        color = mix(color, select(color * 0.3, mix(color, vec3(1.0), 0.75), is_odd), label_opacity);
    }
    if (any(repetition != vec2(0.0))) {
        color = mix(color, vec3(0.75), 0.45);
    }
    return color;
}

// Shows the direction, mirroring and stretch of texture coordinates. The color is the linear mean of four samples per pixel.
fn checker(uv: vec2<f32>) -> vec3<f32> {
    let dx = dpdx(uv);
    let dy = dpdy(uv);
    let cells_per_pixel = 8.0 * max(max(abs(dx.x), abs(dx.y)), max(abs(dy.x), abs(dy.y)));
    let label_opacity = 1.0 - smoothstep(0.05, 0.1, cells_per_pixel);
    var sum = vec3(0.0);
    sum += linear_from_srgb(checkerboard(uv + dx * 0.125 + dy * 0.375, label_opacity));
    sum += linear_from_srgb(checkerboard(uv - dx * 0.375 + dy * 0.125, label_opacity));
    sum += linear_from_srgb(checkerboard(uv + dx * 0.375 - dy * 0.125, label_opacity));
    sum += linear_from_srgb(checkerboard(uv - dx * 0.125 - dy * 0.375, label_opacity));
    // Cells smaller than a pixel show their mean.
    return mix(sum * 0.25, vec3(0.21, 0.21, 0.16), smoothstep(0.7, 2.0, cells_per_pixel));
}

// Returns the material's perceptual roughness.
fn roughness_value(uv: vec4<f32>) -> f32 {
//if specular_glossiness
    return clamp(1.0 - material.glossiness * specular_glossiness_texel(uv).a, 0.0, 1.0);
//else
    return metallic_roughness(uv).y;
//end
}

// Returns the material's specular color, linear.
fn specular_value(uv: vec4<f32>) -> vec3<f32> {
//if specular_glossiness
    return material.glossy_specular * specular_glossiness_texel(uv).rgb;
//else
    return material.specular_color * specular_color_texel(uv).rgb * (material.specular * specular_texel(uv).a);
//end
}

// Shows a number from 0 to 1 as a gray with this sRGB value.
fn gray(value: f32) -> vec3<f32> {
    return linear_from_srgb(vec3(clamp(value, 0.0, 1.0)));
}

// Shades the modes that show a value of the material, which is factor times texture. Colors are limited to 1.
fn value_mode(uv: vec4<f32>, alpha: f32) -> vec3<f32> {
    if (shading == SHADING_ROUGHNESS) {
        return gray(roughness_value(uv));
    }
    if (shading == SHADING_METALLIC) {
        return gray(metallic_roughness(uv).x);
    }
    if (shading == SHADING_OCCLUSION) {
        return gray(occlusion(uv));
    }
    if (shading == SHADING_EMISSIVE) {
        return min(emissive(uv), vec3(1.0));
    }
    if (shading == SHADING_ALPHA) {
        return gray(alpha);
    }
    return min(specular_value(uv), vec3(1.0));
}

// Whether the mode depends on directions or light.
fn needs_directions() -> bool {
    return shading == SHADING_LIT || shading == SHADING_CLAY || shading == SHADING_NORMALS || shading == SHADING_TANGENTS;
}

// Shades the modes that do not depend on directions, and unlit surfaces in every mode.
fn undirected_mode(in: Varyings, base: vec4<f32>) -> vec3<f32> {
    if (shading >= SHADING_ROUGHNESS) {
        return value_mode(in.uv, base.a);
    }
    if (shading == SHADING_UV) {
        return checker(in.uv.xy);
    }
    if (shading == SHADING_VERTEX_COLORS) {
        return vertex_color(in).rgb;
    }
    if (shading == SHADING_CLAY) {
        return CLAY;
    }
    if (emits) {
        return base.rgb + emissive(in.uv);
    }
    return base.rgb;
}

// Shades the modes that show directions. Tangents with a flipped bitangent (mirrored texture coordinates) are striped.
fn directed_mode(in: Varyings, face: Facing) -> vec3<f32> {
    if (shading == SHADING_NORMALS) {
        return linear_from_srgb(face.normal * 0.5 + 0.5);
    }
    let color = unit_or_zero(face.tangent) * 0.5 + 0.5;
    let mirrored = select(0.0, stripes(in.clip.xy, 6.0), in.tangent.w < 0.0);
    return linear_from_srgb(color * (1.0 - 0.4 * mirrored));
}

// Returns the opacity of a surface in x-ray mode. It is low where the surface faces the camera and higher at its rim, so that its shape can
// be seen.
fn xray_opacity(in: Varyings) -> f32 {
    if (!xray) {
        return 1.0;
    }
    var normal = in.normal;
    if (!has_normals) {
        normal = cross(dpdy(in.position), dpdx(in.position));
    }
    let to_eye = frame.eye.xyz - in.position * frame.eye.w;
    let rim = 1.0 - abs(dot(unit_or_zero(normal), unit_or_zero(to_eye)));
    return mix(0.25, 0.8, rim * rim);
}

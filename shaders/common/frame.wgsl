// Declares what all draws of a frame share. Keep in sync with src/render/bind_groups/frame.rs.
//
//   group 0   0  uniform  frame
//             1  storage  lights
//             2 to 4      (environment.wgsl)
//             5, 6        (shadow.wgsl)
//             7, 8        (transmission.wgsl)
//
// Positions are in meters relative to the anchor, a point near the model.

struct Grid {
    // Center of the grid on the ground, relative to the anchor. The grid fades with the distance to it.
    center: vec3<f32>,
    // Distance from the center at which it has faded out, in meters.
    reach: f32,
    // World x and z of the center, modulo a hundred cells.
    phase: vec2<f32>,
    // Metres a cell, and how much of the finest lines is left (0 to 1) before the next size takes over.
    cell: f32,
    finest: f32,
    // Linear.
    color: vec4<f32>,
}

// The only light of the environment that casts a shadow: the studio's key light or a sun.
struct Key {
    // To it, unit length; how wide it is, as the alpha of a microfacet distribution.
    direction: vec3<f32>,
    spread: f32,
    // Irradiance of a surface that faces the light.
    irradiance: vec3<f32>,
    // 1: the first level of the map shows it, too.
    in_map: f32,
}

struct Shadow {
    // To the shadow map: x and y 0 to 1 across it, y down; z depth.
    map_from_anchored: mat4x4<f32>,
    // A corner of the ground that receives, and its sides; how much of what is behind it the deepest shadow takes away.
    ground: vec3<f32>,
    strength: f32,
    across: vec3<f32>,
    // Offset of a surface at grazing light, in meters.
    lift: f32,
    along: vec3<f32>,
    // Between the places that are looked up: share of the map. How many of them a side.
    step: f32,
    taps: u32,
}

struct Frame {
    clip_from_anchored: mat4x4<f32>,
    // w 1: where the eye is. w 0: the direction towards an orthographic eye.
    eye: vec4<f32>,
    // Size of the target, in pixels.
    target_size: vec2<f32>,
    exposure: f32,
    // Constant ambient radiance.
    ambient: f32,
    light_count: u32,
    // The environment map: its last mip level, its blur as a background (0 to 1), and its rotation about Y as
    // (cosine, sine).
    environment_last_level: f32,
    environment_turn: vec2<f32>,
    background_blur: f32,
    // The direction from the eye through the middle of the target, and how it changes from there to the right and to the upper edge.
    background_middle: vec3<f32>,
    background_right: vec3<f32>,
    background_up: vec3<f32>,
    // The irradiance of the environment over pi, turned: a polynomial of the normal (see environment/harmonics.rs).
    irradiance: array<vec4<f32>, 9>,
    // The environment's sun.
    sun_direction: vec3<f32>,
    sun_light: vec3<f32>,
    grid: Grid,
    // From clip space to the texture of the backdrop of transmissive surfaces, which is the whole picture's: factors, then summands.
    backdrop: vec4<f32>,
    key: Key,
    shadow: Shadow,
    // Origin of the target in the whole picture, in target pixels.
    origin: vec2<f32>,
    // Size of the target, including supersampling.
    pixels_per_point: f32,
    // Margin of the selection mask on every side, in pixels.
    margin: f32,
    // Wireframe color: linear RGB and alpha.
    wire: vec4<f32>,
    // Around what is selected: bytes over 255, and alpha.
    outline: vec4<f32>,
}

// KHR_lights_punctual.
struct Light {
    // w 1: a place. w 0: the direction towards a directional light.
    position: vec4<f32>,
    // Where a spot shines to; one over the square of the range (0: no limit).
    direction: vec3<f32>,
    inverse_range_squared: f32,
    // Color times intensity.
    color: vec3<f32>,
    // Falloff of a spot's cone, from the cosine of the angle to its axis: squared(saturate(cosine * scale + offset)).
    cone_scale: f32,
    cone_offset: f32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> lights: array<Light>;

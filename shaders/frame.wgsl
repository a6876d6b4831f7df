// What is the same for everything drawn in a frame. Keep in sync with src/render/frame.rs.
//
//   group 0   0  uniform  frame
//             1  storage  lights
//
// Positions are in metres relative to the anchor, a place near the model.

struct SoftBox {
    // To the middle of the box; half its width, at unit distance.
    direction: vec3<f32>,
    half_width: f32,
    // To its right; half its height.
    right: vec3<f32>,
    half_height: f32,
    // Radiance; how blurred the box itself is.
    color: vec3<f32>,
    softness: f32,
}

struct Grid {
    // Relative to the anchor: the place on the ground where the grid is strongest.
    center: vec3<f32>,
    // Where it has faded away, metres from the center.
    reach: f32,
    // What the world's x and z are at the center, modulo a hundred cells.
    phase: vec2<f32>,
    // Metres a cell, and how much of the finest lines is left (0 to 1) before the next size takes over.
    cell: f32,
    finest: f32,
    // Linear.
    color: vec4<f32>,
}

struct Frame {
    clip_from_anchored: mat4x4<f32>,
    // w 1: where the eye is. w 0: the direction towards an orthographic eye.
    eye: vec4<f32>,
    // Of the target that is drawn into, pixels.
    target_size: vec2<f32>,
    exposure: f32,
    // Light from everywhere, radiance.
    ambient: f32,
    light_count: u32,
    box_count: u32,
    // The studio: light from below and from above, soft boxes, and the irradiance of all that over pi in nine harmonics.
    floor: vec3<f32>,
    ceiling: vec3<f32>,
    boxes: array<SoftBox, 4>,
    irradiance: array<vec4<f32>, 9>,
    grid: Grid,
    // Where the target begins in the whole picture, in its own pixels.
    origin: vec2<f32>,
    // Of the target, supersamples included.
    pixels_per_point: f32,
    // How much larger the mask of what is selected is on every side, pixels.
    margin: f32,
    // Edges of triangles: linear, and alpha.
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
    // Of the spot's cone, on the cosine of the angle to its axis: squared(saturate(cosine * scale + offset)).
    cone_scale: f32,
    cone_offset: f32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> lights: array<Light>;

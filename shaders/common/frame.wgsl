// Declares the data that all draws of a frame share: camera, lights, ground. Keep in sync with src/render/bind_groups/frame.rs.
//
//   group 0   0  uniform  frame
//             1  storage  lights
//             2 to 4      (environment.wgsl)
//             5, 6        (shadow.wgsl)
//             7, 8        (transmission.wgsl)
//
// Positions are in meters relative to the anchor, a point near the model.

// The grid on the ground. Keep in sync with `GridUniform` in src/render/bind_groups/frame.rs.
struct Grid {
    // Center of the grid. The grid fades with the distance to it.
    center: vec3<f32>,
    // Distance from the center at which the grid has faded out, in meters.
    reach: f32,
    // World x and z of the center, modulo a hundred cells, in meters.
    phase: vec2<f32>,
    // Side of the smallest cells, in meters.
    cell: f32,
    // Opacity of the smallest cells, 0 to 1. It falls to 0 while the camera moves away. Then the next larger size becomes the smallest.
    finest_opacity: f32,
    // Linear RGB and opacity.
    color: vec4<f32>,
}

// The one light of the environment that casts a shadow: the studio's key light or a sun. Keep in sync with `KeyUniform` in
// src/render/bind_groups/frame.rs.
struct Key {
    // Unit direction towards the light.
    direction: vec3<f32>,
    // Angular width of the light, given as the alpha of a microfacet distribution with an equally wide lobe.
    spread: f32,
    // Irradiance of a surface that faces the light.
    irradiance: vec3<f32>,
    // 1 if the first level of the environment map shows the light too, else 0.
    in_environment_map: f32,
}

// The shadow of the key light. Keep in sync with `ShadowUniform` in src/render/light/shadow_fit.rs.
struct Shadow {
    // Transforms positions to the shadow map: x and y are 0 to 1 across the map with y down, z is depth.
    map_from_anchored: mat4x4<f32>,
    // A corner of the parallelogram of ground that receives the shadow. `across` and `along` are its sides.
    ground: vec3<f32>,
    // Opacity of the darkest shadow on the ground.
    strength: f32,
    // Side of the parallelogram at a right angle to the direction of the light.
    across: vec3<f32>,
    // Offset of the lookup along the normal if the light is grazing, in meters. The offset keeps a surface from shading itself.
    lift: f32,
    // Side of the parallelogram along which shadows extend, away from the light.
    along: vec3<f32>,
    // Distance between neighboring lookups, as a fraction of the map's side.
    step: f32,
}

// The data of a frame. Keep in sync with `FrameUniform` in src/render/bind_groups/frame.rs.
struct Frame {
    // Projection of the tile, with reversed depth.
    clip_from_anchored: mat4x4<f32>,
    // Position of the eye if w is 1. Direction towards an orthographic eye if w is 0.
    eye: vec4<f32>,
    // Size of the target in pixels, supersamples included.
    target_size: vec2<f32>,
    // Factor that scales all light before tone mapping.
    exposure: f32,
    // Constant ambient radiance, used if the environment does not light surfaces.
    ambient: f32,
    // Number of punctual lights.
    light_count: u32,
    // Mip level of the environment map for roughness 1.
    environment_last_level: f32,
    // Rotation of the environment about +Y, as (cosine, sine).
    environment_turn: vec2<f32>,
    // Blur of the environment where it is the background, 0 to 1.
    background_blur: f32,
    // Direction from the eye through the middle of the target, not of unit length. Adding `background_right` gives the direction through
    // the middle of the right edge. Adding `background_up` gives the direction through the middle of the upper edge.
    background_middle: vec3<f32>,
    background_right: vec3<f32>,
    background_up: vec3<f32>,
    // Irradiance of the rotated environment, divided by pi, as a polynomial of the normal (src/render/environment/harmonics.rs).
    irradiance: array<vec4<f32>, 9>,
    // Unit direction towards a sun that is not part of the polynomial and casts no shadow.
    sun_direction: vec3<f32>,
    // Irradiance of that sun, divided by pi. Zero if there is no such sun.
    sun_light: vec3<f32>,
    grid: Grid,
    // Factors (x, y) and offsets (z, w) that turn clip space into texture coordinates of the backdrop, which shows the whole picture.
    backdrop: vec4<f32>,
    key: Key,
    shadow: Shadow,
    // Position of the target in the whole picture, in pixels of the target.
    origin: vec2<f32>,
    // Pixels of the target per point, supersamples included.
    pixels_per_point: f32,
    // Margin of the selection mask on every side, in pixels.
    margin: f32,
    // Color of the wireframe: linear RGB and opacity.
    wire: vec4<f32>,
    // Color of the outline: sRGB, 0 to 1, and opacity.
    outline: vec4<f32>,
}

// A light of KHR_lights_punctual. Keep in sync with `GpuLight` in src/render/light/punctual.rs.
struct Light {
    // Position of the light if w is 1. Direction towards a directional light if w is 0.
    position: vec4<f32>,
    // Direction in which a spot light shines, of unit length.
    direction: vec3<f32>,
    // 1 / range^2, or 0 for an unlimited range.
    inverse_range_squared: f32,
    // Color times intensity.
    color: vec3<f32>,
    // Falloff in a spot light's cone, by the cosine of the angle to its axis: square(saturate(cosine * cone_scale + cone_offset)).
    cone_scale: f32,
    cone_offset: f32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> lights: array<Light>;

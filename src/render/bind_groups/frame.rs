//! The frame uniform of bind group 0: the camera, the lights and the ground of one frame, in the layout of the shaders.

use bytemuck::{Pod, Zeroable};
use glam::{DMat4, DVec2, DVec3, DVec4, Mat3, Mat4, Vec2, Vec3, Vec4};

use crate::camera::{self, Projection};
use crate::colors::{self, Colors};
use crate::render::environment::EnvironmentLight;
use crate::render::environment::key_light::KeyLight;
use crate::render::light::punctual::{self, GpuLight};
use crate::render::light::shadow_fit::ShadowUniform;
use crate::render::picture::Picture;
use crate::session::ground_grid;
use crate::session::view::display::Lighting;

/// Keep in sync with `Frame` in frame.wgsl, which explains the fields.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct FrameUniform {
    clip_from_anchored: Mat4,
    eye: Vec4,
    target_size: [f32; 2],
    exposure: f32,
    ambient: f32,
    pub light_count: u32,
    environment_last_level: f32,
    environment_turn: Vec2,
    background_blur: f32,
    pad: [u32; 3],
    background: [Vec4; 3],
    irradiance: [Vec4; 9],
    sun_direction: Vec4,
    sun_light: Vec4,
    grid: GridUniform,
    backdrop: Vec4,
    key: KeyUniform,
    /// Zero without a shadow.
    pub shadow: ShadowUniform,
    origin: [f32; 2],
    pixels_per_point: f32,
    /// Margin of the outline mask around the picture, in pixels.
    pub margin: f32,
    wire: Vec4,
    outline: Vec4,
}

/// Size of the uniform, in bytes.
pub(crate) const SIZE: usize = size_of::<FrameUniform>();

/// Keep in sync with `Key` in frame.wgsl, which explains the fields.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
struct KeyUniform {
    direction: Vec3,
    spread: f32,
    irradiance: Vec3,
    in_environment_map: f32,
}

/// Keep in sync with `Grid` in frame.wgsl, which explains the fields.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
struct GridUniform {
    center: Vec3,
    reach: f32,
    phase: [f32; 2],
    cell: f32,
    finest_opacity: f32,
    color: Vec4,
}

/// Computes the uniform of a picture, without its shadow and margin. `size` is the size of the target in texels.
pub(crate) fn uniform(picture: &Picture, size: [u32; 2], environment: &EnvironmentLight, light_count: usize) -> FrameUniform {
    let world_from_view = picture.camera.view_from_world.inverse();
    let eye = match picture.camera.projection {
        Projection::Perspective { .. } => (world_from_view.translation - picture.anchor).as_vec3().extend(1.0),
        Projection::Orthographic { .. } => world_from_view.matrix3.z_axis.as_vec3().extend(0.0),
    };
    let options = &picture.options;
    let turn = options.environment_rotation.to_radians();
    let irradiance = environment.irradiance.rotated(Mat3::from_rotation_y(turn));
    FrameUniform {
        clip_from_anchored: clip_from_anchored(picture, size),
        eye,
        target_size: size.map(|pixels| pixels as f32),
        exposure: options.exposure.clamp(-30.0, 30.0).exp2(),
        ambient: if picture.uses_environment_light() { 0.0 } else { FLAT_AMBIENT },
        light_count: light_count as u32,
        environment_last_level: environment.last_level as f32,
        environment_turn: Vec2::from_angle(turn),
        background_blur: options.environment_blur.clamp(0.0, 1.0),
        pad: [0; 3],
        background: background(picture, size).map(|v| v.as_vec3().extend(0.0)),
        irradiance: irradiance.polynomial.map(|v| v.extend(0.0)),
        sun_direction: irradiance.sun.direction.extend(0.0),
        sun_light: irradiance.sun.light.extend(0.0),
        grid: grid(picture),
        backdrop: backdrop(picture, size),
        key: environment.key.map_or(KeyUniform::zeroed(), |key| key_uniform(&key.rotated(options.environment_rotation))),
        shadow: ShadowUniform::zeroed(),
        origin: picture.tile.origin.map(|pixels| (f64::from(pixels) * picture.resolution.texels_per_pixel()) as f32),
        pixels_per_point: picture.texels_per_point(),
        margin: 0.0,
        wire: wire_color(picture.theme),
        outline: outline_color(picture.theme),
    }
}

/// Packs a key light that was already rotated with the environment.
fn key_uniform(key: &KeyLight) -> KeyUniform {
    KeyUniform {
        direction: key.direction,
        spread: key.spread,
        irradiance: key.irradiance,
        in_environment_map: f32::from(u8::from(key.in_map)),
    }
}

/// Returns the uniform of the shadow pass. It holds only a projection, because the pass reads nothing else.
pub(crate) fn shadow_view(clip_from_anchored: Mat4) -> FrameUniform {
    FrameUniform { clip_from_anchored, ..FrameUniform::zeroed() }
}

/// Ambient radiance of flat light.
const FLAT_AMBIENT: f32 = 0.3;
/// Radiance that the light beside the camera adds to a white surface that faces it, in flat light.
const FLAT_DIRECT: f32 = 0.6;

/// Returns the punctual lights of a picture: the file's brightest lights, and in flat light one beside the camera. Empty if surfaces are
/// shown unlit.
pub(crate) fn lights(picture: &Picture) -> Vec<GpuLight> {
    if picture.options.lighting == Lighting::None || !picture.options.shading.is_lit() {
        return Vec::new();
    }
    let mut lights: Vec<_> = picture.lights.iter().filter_map(|placed| GpuLight::new(placed, picture.anchor)).collect();
    let (center, min_distance) = ((picture.bounds.center() - picture.anchor).as_vec3(), picture.bounds.radius() as f32 / 2.0);
    punctual::keep_brightest(&mut lights, center, min_distance);
    punctual::expose(&mut lights, center, min_distance);
    if picture.options.lighting == Lighting::Flat {
        // The light is over the camera's shoulder. At the position of the camera, it would make glossy surfaces that face the camera plain
        // white.
        let world_from_view = picture.camera.view_from_world.inverse().matrix3;
        let to_light = world_from_view * DVec3::new(0.25, 0.35, 1.0).normalize();
        lights.push(GpuLight::directional(to_light, Vec3::splat(FLAT_DIRECT * std::f32::consts::PI)));
    }
    lights
}

/// Returns the projection of the tile, from positions relative to the anchor. It is the whole picture's projection, with the tile stretched
/// to all of clip space.
pub(crate) fn clip_from_anchored(picture: &Picture, size: [u32; 2]) -> Mat4 {
    let picture_size = picture.tile.picture_size();
    let clip = picture.camera.clip_from_anchored(picture.anchor, picture_size[0] / picture_size[1]);
    let (share, [x, y]) = tile_in_picture(picture, size);
    if picture.tile.origin == [0, 0] && share == [1.0, 1.0] {
        return clip;
    }
    let tile_from_picture = DMat4::from_cols(
        DVec4::new(1.0 / share[0], 0.0, 0.0, 0.0),
        DVec4::new(0.0, 1.0 / share[1], 0.0, 0.0),
        DVec4::Z,
        DVec4::new(-x / share[0], -y / share[1], 0.0, 1.0),
    );
    (tile_from_picture * clip.as_dmat4()).as_mat4()
}

/// Returns three vectors in world space: the direction from the eye through the middle of the target, and how it changes from there to the
/// right edge and to the upper edge.
fn background(picture: &Picture, size: [u32; 2]) -> [DVec3; 3] {
    let picture_size = picture.tile.picture_size();
    let aspect = picture_size[0] / picture_size[1];
    let half = match picture.camera.projection {
        perspective @ Projection::Perspective { .. } => perspective.half_extent(aspect),
        // The rays of an orthographic camera are parallel and would show only one direction, so the background uses the field of view of a
        // usual lens.
        Projection::Orthographic { .. } => DVec2::new(0.4 * aspect, 0.4),
    };
    let (share, [x, y]) = tile_in_picture(picture, size);
    let world_from_view = picture.camera.view_from_world.inverse().matrix3;
    let in_world = |x: f64, y: f64, z: f64| world_from_view * DVec3::new(x * half.x, y * half.y, z);
    [in_world(x, y, -1.0), in_world(share[0], 0.0, 0.0), in_world(0.0, share[1], 0.0)]
}

/// Returns the size of the tile as a fraction of the picture, and its center in the picture's clip space, -1 to 1 with y up.
fn tile_in_picture(picture: &Picture, size: [u32; 2]) -> ([f64; 2], [f64; 2]) {
    let tile = picture.tile;
    let picture_size = tile.picture_size();
    let share = [0, 1].map(|i| f64::from(size[i]) / picture.resolution.texels_per_pixel() / picture_size[i]);
    let x = 2.0 * f64::from(tile.origin[0]) / picture_size[0] + share[0] - 1.0;
    let y = 1.0 - 2.0 * f64::from(tile.origin[1]) / picture_size[1] - share[1];
    (share, [x, y])
}

/// Returns the mapping from the tile's clip space to texture coordinates of the whole picture, with v down: two factors, then two offsets.
fn backdrop(picture: &Picture, size: [u32; 2]) -> Vec4 {
    let (share, [x, y]) = tile_in_picture(picture, size);
    DVec4::new(0.5 * share[0], -0.5 * share[1], 0.5 + 0.5 * x, 0.5 - 0.5 * y).as_vec4()
}

/// Returns the grid on the ground.
fn grid(picture: &Picture) -> GridUniform {
    let bounds = &picture.bounds;
    // The grid is centered below the model.
    let center = DVec3::new(bounds.center().x, ground_grid::height(bounds), bounds.center().z);
    let ground = ground_grid::cells(picture.camera, bounds);
    GridUniform {
        center: (center - picture.anchor).as_vec3(),
        reach: camera::grid_reach(bounds, ground.picture_height) as f32,
        // The pattern repeats every hundred cells. Reducing the phase to one period keeps the precision of `f32`.
        phase: [center.x, center.z].map(|at| at.rem_euclid(ground.cell * 100.0) as f32),
        cell: ground.cell as f32,
        finest_opacity: ground.finest_opacity as f32,
        color: grid_color(picture.theme),
    }
}

/// Returns the color of the grid as linear RGB, with its opacity.
fn grid_color(theme: &Colors) -> Vec4 {
    colors::linear(theme.grid).extend(0.42)
}

/// Returns the color of the wireframe as linear RGB, with its opacity.
fn wire_color(theme: &Colors) -> Vec4 {
    colors::linear(theme.wire).extend(0.8)
}

/// Returns the color of the outline as sRGB, 0 to 1, with its opacity.
fn outline_color(theme: &Colors) -> Vec4 {
    let [r, g, b] = theme.accent.map(|byte| f32::from(byte) / 255.0);
    Vec4::new(r, g, b, 1.0)
}

#[cfg(test)]
mod tests {
    use crate::render::shaders::Program;
    use crate::render::shaders::layout::{assert_same, layout};

    use super::*;

    #[test]
    fn shaders_read_the_same_layout() {
        assert_same(&Program::Grid.source(false), "Key", &layout!(KeyUniform { direction, spread, irradiance, in_environment_map }));
        assert_same(&Program::Grid.source(false), "Grid", &layout!(GridUniform { center, reach, phase, cell, finest_opacity, color }));
        let mut frame = layout!(FrameUniform {
            clip_from_anchored,
            eye,
            target_size,
            exposure,
            ambient,
            light_count,
            environment_last_level,
            environment_turn,
            background_blur,
            background,
            irradiance,
            sun_direction,
            sun_light,
            grid,
            backdrop,
            key,
            shadow,
            origin,
            pixels_per_point,
            margin,
            wire,
            outline,
        });
        // WGSL has a member for each of the three vectors.
        let background = frame.members.iter().position(|(name, _)| *name == "background").unwrap();
        let start = frame.members[background].1;
        let vectors = [("background_middle", start), ("background_right", start + 16), ("background_up", start + 32)];
        frame.members.splice(background..=background, vectors);
        assert_same(&Program::Grid.source(false), "Frame", &frame);
    }
}

//! Fits the key light's shadow map, and the ground that receives the shadow, to the bounds of an animation. Neither depends on the camera,
//! so the shadow is stable while the camera orbits. The fit is computed in `f64` in world space. Shaders receive positions relative to the
//! anchor.

use bytemuck::{Pod, Zeroable};
use glam::{DAffine3, DMat3, DMat4, DVec2, DVec3, Mat4, Vec3, dvec2};

use crate::camera::bounds::Bounds;
use crate::render::actor::Actor;
use crate::render::device::gpu::Gpu;
use crate::render::environment::key_light::KeyLight;
use crate::render::picture::{Options, Picture};
use crate::session::ground_grid;
use crate::session::view::display::{Lighting, Shadow};

/// Resolution of the shadow map and number of its lookups.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ShadowQuality {
    /// Side of the map, in texels.
    pub size: u32,
    /// Lookups along each side of the square of lookups: the constant `shadow_taps` in shadow.wgsl.
    pub taps: u32,
    /// Distance between lookups, in texels.
    pub step: f64,
}

impl ShadowQuality {
    /// Returns the quality for the adapter of a device.
    pub fn for_adapter(gpu: &Gpu) -> Self {
        if gpu.is_hardware() { HARDWARE_QUALITY } else { SOFTWARE_QUALITY }
    }
}

/// Keep in sync with `Shadow` in frame.wgsl, which explains the fields.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct ShadowUniform {
    map_from_anchored: Mat4,
    ground: Vec3,
    strength: f32,
    across: Vec3,
    lift: f32,
    along: Vec3,
    step: f32,
}

/// The shadow map's projection and the uniform that surfaces read it with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ShadowFit {
    pub quality: ShadowQuality,
    /// Orthographic projection of the key light, from positions relative to the anchor. Depth is reversed.
    pub clip_from_anchored: Mat4,
    pub uniform: ShadowUniform,
}

/// Largest spacing of lookups on the ground, as a multiple of their spacing on surfaces. It is used where the top of the model
/// casts the shadow of a wide light. Keep in sync with ground.wgsl.
const MAX_GROUND_WIDENING: f64 = 2.0;
/// Margin around the bounds, as a fraction of their size. The bounds are computed from samples of the animation, so a pose between two
/// samples may exceed them.
const BOUNDS_MARGIN: f64 = 0.03;

// The dither in shadow_caster.wgsl is made for these numbers of lookups and their distances.
/// Quality on graphics cards.
const HARDWARE_QUALITY: ShadowQuality = ShadowQuality { size: 2048, taps: 6, step: 2.0 };
/// Quality on software rasterizers.
const SOFTWARE_QUALITY: ShadowQuality = ShadowQuality { size: 512, taps: 3, step: 1.0 };
/// On software rasterizers, pictures with more vertices than this have no shadow unless the options ask for one, because a software
/// rasterizer needs memory for all triangles of the shadow map at once.
const MAX_SOFTWARE_VERTICES: usize = 250_000;
/// Software rasterizers draw the shadow map of this number of vertices fast. Each vertex is deformed once more for the map.
const MAX_FAST_VERTICES: usize = 60_000;

/// Returns the shadow of a picture. `None` if it has none ([`is_wanted`]), if there is no key light, or if the picture's bounds are empty.
pub(crate) fn for_picture(gpu: &Gpu, picture: &Picture, actors: &[Actor], key: Option<KeyLight>) -> Option<ShadowFit> {
    let light = key?.rotated(picture.options.environment_rotation);
    if !is_wanted(gpu, &picture.options, actors) || picture.bounds.is_empty() {
        return None;
    }
    fit(&picture.bounds, picture.anchor, ShadowQuality::for_adapter(gpu), &light)
}

/// Returns whether the options show a shadow, if there is a key light. Only surfaces that are lit by the studio show one. An automatic
/// shadow is left out if a software rasterizer would draw more than [`MAX_SOFTWARE_VERTICES`].
pub(crate) fn is_wanted(gpu: &Gpu, options: &Options, actors: &[Actor]) -> bool {
    let is_lit = options.lighting == Lighting::Studio && options.shading.is_lit();
    is_lit
        && match options.shadow {
            Shadow::On => true,
            Shadow::Off => false,
            Shadow::Automatic => gpu.is_hardware() || vertex_count(actors) <= MAX_SOFTWARE_VERTICES,
        }
}

/// Estimates whether a software rasterizer draws the shadow map of these actors fast.
pub(crate) fn is_fast_in_software(actors: &[Actor]) -> bool {
    vertex_count(actors) <= MAX_FAST_VERTICES
}

/// Returns the number of vertices that cast a shadow. Ghosts cast none.
fn vertex_count(actors: &[Actor]) -> usize {
    actors.iter().filter(|actor| actor.ghost.is_none()).map(Actor::vertex_count).sum()
}

/// Fits the shadow map and the ground to `bounds`, which are in world space. Returns `None` if the size of the bounds is zero or not
/// finite.
fn fit(bounds: &Bounds, anchor: DVec3, quality: ShadowQuality, light: &KeyLight) -> Option<ShadowFit> {
    let (back, corners) = (light.direction.as_dvec3(), bounds.corners());
    // Light space has +Z towards the light. If the light is straight overhead, any horizontal axis can be its X axis.
    let right = DVec3::Y.cross(back).try_normalize().unwrap_or(DVec3::X);
    let light_from_world = DMat3::from_cols(right, back.cross(right), back).transpose();
    let in_light = corners.map(|corner| light_from_world * corner);
    let (min, max) = in_light.iter().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(min, max), &p| (min.min(p), max.max(p)));
    let extent = (max - min).max_element() * (1.0 + 2.0 * BOUNDS_MARGIN);
    if !extent.is_finite() || extent <= 0.0 {
        return None;
    }
    // Keep a border for lookups beyond the edge. Snap the corner to whole texels, so that texels keep their position in the world when the
    // bounds move.
    let reach = quality.step * f64::from(quality.taps - 1) / 2.0 + 1.0;
    let edge = reach * MAX_GROUND_WIDENING;
    let texel = extent / (f64::from(quality.size) - 2.0 * edge - 2.0);
    let side = texel * f64::from(quality.size);
    let corner = ((min + max).truncate() / 2.0 - side / 2.0) / texel;
    let corner = corner.floor() * texel;
    // Extend the depth range by the extent, so that casters outside the bounds are not clipped.
    let (far, depth) = (min.z - 0.5 * extent, max.z - min.z + extent);

    let light_from_anchored = DAffine3::from_mat3(light_from_world) * DAffine3::from_translation(anchor);
    let clip_from_light = DMat4::from_cols_array_2d(&[
        [2.0 / side, 0.0, 0.0, 0.0],
        [0.0, 2.0 / side, 0.0, 0.0],
        [0.0, 0.0, 1.0 / depth, 0.0],
        [-2.0 * corner.x / side - 1.0, -2.0 * corner.y / side - 1.0, -far / depth, 1.0],
    ]);
    let map_from_clip = DMat4::from_translation(DVec3::new(0.5, 0.5, 0.0)) * DMat4::from_scale(DVec3::new(0.5, -0.5, 1.0));
    let clip_from_anchored = clip_from_light * DMat4::from(light_from_anchored);

    // The ground is a parallelogram that covers the shadow of the bounds and its soft edge.
    let margin = DVec2::splat(BOUNDS_MARGIN * extent + edge * texel);
    let (min, max) = (min.truncate() - margin, max.truncate() + margin);
    let height = ground_grid::height(bounds);
    let on_ground = |point: DVec2| {
        let start = light_from_world.transpose() * point.extend(0.0);
        start + back * ((height - start.y) / back.y)
    };
    let ground = on_ground(min);
    Some(ShadowFit {
        quality,
        clip_from_anchored: clip_from_anchored.as_mat4(),
        uniform: ShadowUniform {
            map_from_anchored: (map_from_clip * clip_from_anchored).as_mat4(),
            ground: (ground - anchor).as_vec3(),
            strength: light.strength,
            across: (on_ground(dvec2(max.x, min.y)) - ground).as_vec3(),
            // Lookups reach as far as the corners of their square, so the lookup position is offset by the same distance.
            lift: (reach * texel * std::f64::consts::SQRT_2) as f32,
            along: (on_ground(dvec2(min.x, max.y)) - ground).as_vec3(),
            step: (quality.step / f64::from(quality.size)) as f32,
        },
    })
}

#[cfg(test)]
mod tests {
    use crate::render::shaders::Program;
    use crate::render::shaders::layout::{assert_same, layout};

    use super::*;

    #[test]
    fn a_lamp_right_overhead_casts_a_shadow_straight_down() {
        let key_light = KeyLight { direction: Vec3::Y, irradiance: Vec3::ONE, spread: 0.02, in_map: true, strength: 0.5 };
        let bounds = Bounds { min: DVec3::new(-1.0, 0.0, -1.0), max: DVec3::new(1.0, 2.0, 1.0) };
        let fit =
            fit(&bounds, DVec3::ZERO, ShadowQuality { size: 512, taps: 3, step: 1.0 }, &key_light).expect("there is something to see");
        let [above, below] = [Vec3::new(0.3, 1.5, -0.2), Vec3::new(0.3, 0.0, -0.2)].map(|at| fit.clip_from_anchored.project_point3(at));
        assert!((above - below).truncate().length() < 1e-5 && above.z > below.z, "{above} {below}");
        assert!(fit.uniform.across.is_finite() && fit.uniform.along.is_finite());
    }

    #[test]
    fn shaders_read_the_same_layout() {
        assert_same(
            &Program::Grid.source(false),
            "Shadow",
            &layout!(ShadowUniform { map_from_anchored, ground, strength, across, lift, along, step }),
        );
    }
}

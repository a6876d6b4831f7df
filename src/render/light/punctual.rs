//! The file's lights (KHR_lights_punctual), placed by their nodes and packed for the fragment shader.

use bytemuck::{Pod, Zeroable};
use glam::{DAffine3, DVec3, Vec3, Vec4};

use crate::model::Model;
use crate::model::light::{Light, LightKind, MAX_LIGHTS};
use crate::session::pose::solve::Posed;

/// A light of the file with the global transform of its node.
#[derive(Debug, Clone)]
pub struct PlacedLight {
    pub light: Light,
    pub world_from_light: DAffine3,
}

/// Lists every light whose node is visible in the pose, with its animated values.
pub fn placed_lights(model: &Model, posed: &Posed) -> Vec<PlacedLight> {
    let lit = model.nodes.iter().zip(&posed.globals).zip(&posed.shown).filter(|(_, shown)| **shown);
    lit.filter_map(|((node, global), _)| {
        let light = posed.lights.get(node.light?)?.clone();
        Some(PlacedLight { light, world_from_light: *global })
    })
    .collect()
}

/// A light as shaders read it, relative to the anchor. Keep in sync with `Light` in frame.wgsl, which explains the fields.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct GpuLight {
    position: Vec4,
    direction: Vec3,
    inverse_range_squared: f32,
    color: Vec3,
    cone_scale: f32,
    cone_offset: f32,
    pad: [f32; 3],
}

impl GpuLight {
    /// Makes a directional light. `to_light` has unit length and points towards the light. `color` is the irradiance of a surface that
    /// faces the light.
    pub fn directional(to_light: DVec3, color: Vec3) -> Self {
        let towards = to_light.as_vec3();
        Self {
            position: towards.extend(0.0),
            direction: -towards,
            inverse_range_squared: 0.0,
            color,
            cone_scale: 0.0,
            cone_offset: 1.0,
            pad: [0.0; 3],
        }
    }

    /// Returns the irradiance of the brightest channel on a surface at `position` (in meters, relative to the anchor) that faces the light,
    /// ignoring cone and range. Distances below `min_distance`, in meters, count as `min_distance`.
    fn irradiance(&self, position: Vec3, min_distance: f32) -> f32 {
        let distance_squared =
            if self.position.w > 0.0 { self.position.truncate().distance_squared(position).max(min_distance * min_distance) } else { 1.0 };
        self.color.max_element() / distance_squared.max(f32::MIN_POSITIVE)
    }

    /// Packs a light. Returns `None` if its position or color is not finite, or if it needs a direction but its node has a scale of 0.
    pub fn new(placed: &PlacedLight, anchor: DVec3) -> Option<Self> {
        let light = &placed.light;
        // Lights shine along the node's local -Z axis (KHR_lights_punctual).
        let axis = placed.world_from_light.matrix3 * DVec3::NEG_Z;
        let color = light.color * light.intensity;
        let axis = axis.try_normalize().or((light.kind == LightKind::Point).then_some(DVec3::NEG_Z))?;
        let directional = Self::directional(-axis, color);
        let position = (placed.world_from_light.translation - anchor).as_vec3();
        let inverse_range_squared = light.range.filter(|range| *range > 0.0).map_or(0.0, |range| 1.0 / (range * range));
        let positional = Self { position: position.extend(1.0), inverse_range_squared, ..directional };
        let gpu = match light.kind {
            LightKind::Directional => directional,
            LightKind::Point => positional,
            LightKind::Spot { inner_cone_angle, outer_cone_angle } => {
                // The falloff that KHR_lights_punctual recommends: the square of a linear function of the cosine. The function is 0 at the
                // outer cone and 1 at the inner cone.
                let (inner, outer) = (inner_cone_angle.cos(), outer_cone_angle.cos());
                let cone_scale = 1.0 / (inner - outer).max(1e-3);
                Self { cone_scale, cone_offset: -outer * cone_scale, ..positional }
            }
        };
        (gpu.position.is_finite() && gpu.color.is_finite()).then_some(gpu)
    }
}

/// Keeps the [`MAX_LIGHTS`] lights that light the model most. `center` and `min_distance` are described at [`expose`].
pub(crate) fn keep_brightest(lights: &mut Vec<GpuLight>, center: Vec3, min_distance: f32) {
    if lights.len() > MAX_LIGHTS {
        lights.sort_by(|a, b| b.irradiance(center, min_distance).total_cmp(&a.irradiance(center, min_distance)));
        lights.truncate(MAX_LIGHTS);
    }
}

/// Largest radiance that a white diffuse surface at the model's center reflects from all of the file's lights. This value is just below the
/// end of the tone mapping curve.
const MAX_RADIANCE: f32 = 2.0;

/// Scales the file's lights to a displayable exposure. Files give physical units, from the light of a candle to the 100,000 lux of the sun,
/// but no exposure. The studio light, in contrast, is made for a screen. If the lights together exceed [`MAX_RADIANCE`], all of them are
/// scaled by the same factor. Dim lights are not changed. `center` is the model's center in meters, relative to the anchor. Distances below
/// `min_distance`, in meters, count as `min_distance`.
pub(crate) fn expose(lights: &mut [GpuLight], center: Vec3, min_distance: f32) {
    let irradiance: f32 = lights.iter().map(|light| light.irradiance(center, min_distance)).sum();
    let max_irradiance = MAX_RADIANCE * std::f32::consts::PI;
    if irradiance > max_irradiance {
        lights.iter_mut().for_each(|light| light.color *= max_irradiance / irradiance);
    }
}

#[cfg(test)]
mod tests {
    use crate::render::shaders::Program;
    use crate::render::shaders::layout::{assert_same, layout};

    use super::*;

    #[test]
    fn shaders_read_the_same_layout() {
        assert_same(
            &Program::Grid.source(false),
            "Light",
            &layout!(GpuLight { position, direction, inverse_range_squared, color, cone_scale, cone_offset }),
        );
    }
}

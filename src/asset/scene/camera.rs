//! Reads cameras (glTF 2.0, 3.10) and lights (KHR_lights_punctual).

use glam::Vec3;
use gltf::json;
use gltf::json::camera::Type;
use gltf::json::extensions::scene::khr_lights_punctual;
use gltf::json::validation::Checked;

use crate::asset::findings::Findings;
use crate::model::Model;
use crate::model::camera::{Camera, Projection};
use crate::model::light::{Light, LightKind, MAX_LIGHTS};

/// The projection of a common lens, in radians and meters. Replaces an invalid projection.
const DEFAULT_PROJECTION: Projection = Projection::Perspective { yfov: 0.8, aspect_ratio: None, znear: 0.01, zfar: None };

/// Reads the cameras of the file. An invalid projection is replaced, with a finding.
pub fn read_cameras(root: &json::Root, findings: &mut Findings) -> Vec<Camera> {
    let read = |(index, camera): (usize, &json::Camera)| {
        let projection = projection(camera).unwrap_or_else(|| {
            let message = "The camera's projection is invalid; a default is used.";
            findings.warning("CAMERA_INVALID", &format!("/cameras/{index}"), message);
            DEFAULT_PROJECTION
        });
        Camera { name: camera.name.clone(), projection }
    };
    root.cameras.iter().enumerate().map(read).collect()
}

/// The projection of a camera. `None` if its type is unknown, its properties are missing, or they are out of range.
fn projection(camera: &json::Camera) -> Option<Projection> {
    let projection = match camera.type_ {
        Checked::Valid(Type::Perspective) => {
            let &json::camera::Perspective { yfov, aspect_ratio, znear, zfar, .. } = camera.perspective.as_ref()?;
            Projection::Perspective { yfov, aspect_ratio, znear, zfar }
        }
        Checked::Valid(Type::Orthographic) => {
            let &json::camera::Orthographic { xmag, ymag, znear, zfar, .. } = camera.orthographic.as_ref()?;
            Projection::Orthographic { xmag, ymag, znear, zfar }
        }
        Checked::Invalid => return None,
    };
    Some(projection).filter(Projection::is_valid)
}

/// Reads the lights of the file. Invalid values are replaced by defaults, with a finding. An invalid range becomes unlimited.
pub fn read_lights(root: &json::Root, findings: &mut Findings) -> Vec<Light> {
    let lights = root.extensions.as_ref().and_then(|extensions| extensions.khr_lights_punctual.as_ref());
    let read = |(index, light): (usize, &khr_lights_punctual::Light)| {
        let mut report_invalid = |property: &str| {
            let pointer = format!("/extensions/KHR_lights_punctual/lights/{index}");
            findings.warning("KHR_LIGHTS_PUNCTUAL_INVALID", &pointer, format!("The light's {property} is invalid; a default is used."));
        };
        let kind = match light.type_ {
            Checked::Valid(khr_lights_punctual::Type::Directional) => LightKind::Directional,
            Checked::Valid(khr_lights_punctual::Type::Point) => LightKind::Point,
            Checked::Valid(khr_lights_punctual::Type::Spot) => read_spot(light.spot.as_ref(), &mut report_invalid),
            Checked::Invalid => {
                report_invalid("type");
                LightKind::Point
            }
        };
        let not_negative = |value: f32| value >= 0.0 && value.is_finite();
        let intensity = if not_negative(light.intensity) { light.intensity } else { 1.0 };
        let color = if light.color.into_iter().all(not_negative) { Vec3::from(light.color) } else { Vec3::ONE };
        if intensity != light.intensity || color != Vec3::from(light.color) {
            report_invalid("color or intensity");
        }
        Light { name: light.name.clone(), color, intensity, range: light.range.filter(|&range| range > 0.0 && range.is_finite()), kind }
    };
    lights.into_iter().flat_map(|extension| &extension.lights).enumerate().map(read).collect()
}

/// Adds a finding if so many nodes have a light that pictures show only the brightest ones.
pub fn check_light_count(model: &Model, findings: &mut Findings) {
    let count = model.nodes.iter().filter(|node| node.light.is_some()).count();
    if count > MAX_LIGHTS {
        let message = format!("{count} nodes have a light; only the {MAX_LIGHTS} lights that are brightest at the model are shown.");
        findings.warning("KHR_LIGHTS_PUNCTUAL_LIMIT", "/nodes", message);
    }
}

/// Reads the cone of a spot light, with half angles in radians: 0 <= inner < outer <= pi/2. The default replaces an invalid cone.
fn read_spot(spot: Option<&khr_lights_punctual::Spot>, report_invalid: &mut impl FnMut(&str)) -> LightKind {
    let (inner, outer) = spot.map_or((0.0, std::f32::consts::FRAC_PI_4), |spot| (spot.inner_cone_angle, spot.outer_cone_angle));
    if (0.0..outer).contains(&inner) && outer <= std::f32::consts::FRAC_PI_2 {
        return LightKind::Spot { inner_cone_angle: inner, outer_cone_angle: outer };
    }
    report_invalid("cone");
    LightKind::Spot { inner_cone_angle: 0.0, outer_cone_angle: std::f32::consts::FRAC_PI_4 }
}

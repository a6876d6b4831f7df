//! Reads cameras (glTF 2.0, 3.10) and lights (KHR_lights_punctual).

use std::f32::consts::{FRAC_PI_2, FRAC_PI_4, PI};

use glam::Vec3;
use gltf::json;
use gltf::json::camera::Type;
use gltf::json::extensions::scene::khr_lights_punctual;
use gltf::json::validation::Checked;

use crate::asset::findings::Findings;
use crate::model::Model;
use crate::model::camera::{Camera, Projection};
use crate::model::light::{Light, LightKind, MAX_LIGHTS};
use crate::numbers::agreeing;

/// The projection of a common lens, in radians and meters. Replaces an invalid projection.
const DEFAULT_PROJECTION: Projection = Projection::Perspective { yfov: DEFAULT_YFOV, aspect_ratio: None, znear: DEFAULT_ZNEAR, zfar: None };
/// Vertical field of view, in radians.
const DEFAULT_YFOV: f32 = 0.8;
/// Distance of the near plane, in meters.
const DEFAULT_ZNEAR: f32 = 0.01;
/// Distance from the near to the far plane of an orthographic camera, in meters.
const DEFAULT_DEPTH: f32 = 100.0;

/// Reads the cameras of the file. Invalid numbers are replaced by defaults, with a finding.
pub fn read_cameras(root: &json::Root, findings: &mut Findings) -> Vec<Camera> {
    let read = |(index, camera): (usize, &json::Camera)| {
        let (projection, replaced) = projection(camera).unwrap_or((DEFAULT_PROJECTION, vec!["projection"]));
        if !replaced.is_empty() {
            let (names, use_default) =
                (replaced.join(", "), agreeing(replaced.len(), "is invalid; a default is used", "are invalid; defaults are used"));
            findings.warning("CAMERA_INVALID", &format!("/cameras/{index}"), format!("The camera's {names} {use_default}."));
        }
        Camera { name: camera.name.clone(), projection }
    };
    root.cameras.iter().enumerate().map(read).collect()
}

/// The projection of a camera, and the names of its properties that are out of range and were replaced. `None` if the type is unknown or
/// its properties are missing.
fn projection(camera: &json::Camera) -> Option<(Projection, Vec<&'static str>)> {
    let mut replaced = Vec::new();
    let mut check = |name: &'static str, is_valid: bool| {
        if !is_valid {
            replaced.push(name);
        }
        is_valid
    };
    let positive = |value: f32| value > 0.0 && value.is_finite();
    let projection = match camera.type_ {
        Checked::Valid(Type::Perspective) => {
            let &json::camera::Perspective { mut yfov, mut aspect_ratio, mut znear, mut zfar, .. } = camera.perspective.as_ref()?;
            if !check("yfov", positive(yfov) && yfov < PI) {
                yfov = DEFAULT_YFOV;
            }
            if !check("aspectRatio", aspect_ratio.is_none_or(positive)) {
                aspect_ratio = None;
            }
            if !check("znear", positive(znear)) {
                znear = zfar.filter(|zfar| positive(*zfar)).map_or(DEFAULT_ZNEAR, |zfar| DEFAULT_ZNEAR.min(zfar / 2.0));
            }
            if !check("zfar", zfar.is_none_or(|zfar| zfar > znear)) {
                zfar = None;
            }
            Projection::Perspective { yfov, aspect_ratio, znear, zfar }
        }
        Checked::Valid(Type::Orthographic) => {
            let &json::camera::Orthographic { mut xmag, mut ymag, mut znear, mut zfar, .. } = camera.orthographic.as_ref()?;
            let size = |mag: f32| mag != 0.0 && mag.is_finite();
            if !check("xmag", size(xmag)) {
                xmag = if size(ymag) { ymag } else { 1.0 };
            }
            if !check("ymag", size(ymag)) {
                ymag = xmag;
            }
            if !check("znear", znear >= 0.0 && znear.is_finite()) {
                znear = 0.0;
            }
            if !check("zfar", zfar > znear && zfar.is_finite()) {
                zfar = znear + DEFAULT_DEPTH;
            }
            Projection::Orthographic { xmag, ymag, znear, zfar }
        }
        Checked::Invalid => return None,
    };
    Some((projection, replaced)).filter(|(projection, _)| projection.is_valid())
}

/// Reads the lights of the file. Invalid values are replaced by defaults, with a finding. An invalid range becomes unlimited.
pub fn read_lights(root: &json::Root, findings: &mut Findings) -> Vec<Light> {
    let lights = root.extensions.as_ref().and_then(|extensions| extensions.khr_lights_punctual.as_ref());
    let read = |(index, light): (usize, &khr_lights_punctual::Light)| {
        let mut report_invalid = |property: &str, consequence: &str| {
            let pointer = format!("/extensions/KHR_lights_punctual/lights/{index}");
            findings.warning("KHR_LIGHTS_PUNCTUAL_INVALID", &pointer, format!("The light's {property} is invalid; {consequence}."));
        };
        let kind = match light.type_ {
            Checked::Valid(khr_lights_punctual::Type::Directional) => LightKind::Directional,
            Checked::Valid(khr_lights_punctual::Type::Point) => LightKind::Point,
            Checked::Valid(khr_lights_punctual::Type::Spot) => read_spot(light.spot.as_ref(), &mut report_invalid),
            Checked::Invalid => {
                report_invalid("type", "a default is used");
                LightKind::Point
            }
        };
        let not_negative = |value: f32| value >= 0.0 && value.is_finite();
        let intensity = if not_negative(light.intensity) { light.intensity } else { 1.0 };
        let color = if light.color.into_iter().all(not_negative) { Vec3::from(light.color) } else { Vec3::ONE };
        if intensity != light.intensity || color != Vec3::from(light.color) {
            report_invalid("color or intensity", "a default is used");
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

/// Reads the cone of a spot light, with half angles in radians: 0 <= inner < outer <= pi/2. The nearest cone replaces an invalid one. Its
/// angles may be equal, which exporters write for a light with a sharp edge.
fn read_spot(spot: Option<&khr_lights_punctual::Spot>, report_invalid: &mut impl FnMut(&str, &str)) -> LightKind {
    let (inner, outer) = spot.map_or((0.0, FRAC_PI_4), |spot| (spot.inner_cone_angle, spot.outer_cone_angle));
    let outer_cone_angle = outer.clamp(0.0, FRAC_PI_2);
    let inner_cone_angle = inner.clamp(0.0, outer_cone_angle);
    if [inner_cone_angle, outer_cone_angle] != [inner, outer] {
        report_invalid("cone", "the nearest possible one is used");
    } else if inner == outer {
        report_invalid("cone", "it is drawn with a sharp edge");
    }
    LightKind::Spot { inner_cone_angle, outer_cone_angle }
}

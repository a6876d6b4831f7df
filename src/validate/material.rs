//! Materials, cameras and lights: rules that the schema tables cannot express, because they concern several properties.

use serde_json::Value;

use crate::asset::error::shortened;

use crate::validate::context::ValidationContext;
use crate::validate::read;
use crate::validate::texture;

/// Checks all materials, cameras and lights.
pub fn check(context: &mut ValidationContext) {
    for (index, json) in context.list("materials").iter().enumerate() {
        check_material(context, json, &format!("/materials/{index}"));
    }
    for (index, json) in context.list("cameras").iter().enumerate().filter(|(_, json)| json.is_object()) {
        check_camera(context, json, &format!("/cameras/{index}"));
    }
    let lights = read::extension(context.root, "KHR_lights_punctual").map_or(&[][..], |extension| read::list(extension, "lights"));
    for (index, json) in lights.iter().enumerate() {
        check_light(context, json, &format!("/extensions/KHR_lights_punctual/lights/{index}"));
    }
}

/// Checks for properties that have no effect, because another property is missing.
fn check_material(context: &mut ValidationContext, json: &Value, pointer: &str) {
    if json.get("alphaCutoff").is_some() && read::string(json, "alphaMode") != Some("MASK") {
        let message = "`alphaCutoff` has no effect unless `alphaMode` is MASK.";
        context.warning("MATERIAL_ALPHA_CUTOFF_INVALID_MODE", &format!("{pointer}/alphaCutoff"), message);
    }
    // The default of the factor is also 0.
    let is_dark = json.get("emissiveFactor").is_none() || read::numbers::<3>(json, "emissiveFactor") == Some([0.0; 3]);
    if read::extension(json, "KHR_materials_emissive_strength").is_some() && is_dark {
        let pointer = format!("{pointer}/extensions/KHR_materials_emissive_strength");
        let message = "The emissive strength has no effect, because the emissive factor is zero.";
        context.warning("KHR_MATERIALS_EMISSIVE_STRENGTH_ZERO_FACTOR", &pointer, message);
    }
    texture::check_material(context, json, pointer);
    check_layers(context, json, pointer);
    let extensions = json.get("extensions").and_then(Value::as_object).into_iter().flatten();
    let other = extensions.map(|(name, _)| name).find(|name| name.starts_with("KHR_materials_") && *name != "KHR_materials_unlit");
    if let Some(other) = other.filter(|_| read::extension(json, "KHR_materials_unlit").is_some()) {
        let message = format!("{} has no effect on an unlit material.", shortened(other));
        context.warning("MULTIPLE_EXTENSIONS", &format!("{pointer}/extensions/KHR_materials_unlit"), message);
    }
}

/// Checks for extensions that have no effect without another extension or property.
fn check_layers(context: &mut ValidationContext, json: &Value, pointer: &str) {
    let layer = |name: &str| read::extension(json, name).map(|layer| (layer, format!("{pointer}/extensions/{name}")));
    if let Some((volume, pointer)) = layer("KHR_materials_volume") {
        let transmits = ["KHR_materials_transmission", "KHR_materials_diffuse_transmission"].into_iter().any(|name| layer(name).is_some());
        if !transmits {
            let message = "The volume has no effect: the material has no transmission extension.";
            context.warning("KHR_MATERIALS_VOLUME_NO_TRANSMISSION", &pointer, message);
        }
        let is_thick = read::number(volume, "thicknessFactor").is_some_and(|thickness| thickness > 0.0);
        if is_thick && json.get("doubleSided").and_then(Value::as_bool) == Some(true) {
            let message = "A volume is visible from outside only, but the material is double-sided.";
            context.warning("KHR_MATERIALS_VOLUME_DOUBLE_SIDED", &pointer, message);
        }
    }
    if let Some((_, pointer)) = layer("KHR_materials_dispersion").filter(|_| layer("KHR_materials_volume").is_none()) {
        context.warning("KHR_MATERIALS_DISPERSION_NO_VOLUME", &pointer, "Dispersion has no effect: the material has no volume.");
    }
    // 0 stands for a surface that reflects all light.
    if let Some((ior, pointer)) = layer("KHR_materials_ior").and_then(|(layer, pointer)| Some((read::number(layer, "ior")?, pointer)))
        && (ior > 0.0 && ior < 1.0)
    {
        context.error("VALUE_NOT_IN_RANGE", &format!("{pointer}/ior"), format!("{ior} is out of range: neither 0 nor at least 1."));
    }
    if let Some((film, pointer)) = layer("KHR_materials_iridescence") {
        let (minimum, maximum) = ("iridescenceThicknessMinimum", "iridescenceThicknessMaximum");
        let thickness = |key, default| read::number(film, key).unwrap_or(default);
        let texture = "iridescenceThicknessTexture";
        if film.get(texture).is_none() && film.get(minimum).is_some() {
            let message = "The minimum thickness has no effect without a thickness texture.";
            context.info("KHR_MATERIALS_IRIDESCENCE_THICKNESS_RANGE_WITHOUT_TEXTURE", &format!("{pointer}/{minimum}"), message);
        } else if film.get(texture).is_some() && thickness(minimum, 100.0) == thickness(maximum, 400.0) {
            let message = "The thickness texture has no effect: minimum and maximum thickness are equal.";
            context.info("KHR_MATERIALS_IRIDESCENCE_THICKNESS_TEXTURE_UNUSED", &format!("{pointer}/{texture}"), message);
        }
    }
}

/// Checks a camera (glTF 2.0, 3.10): one kind of projection, with near plane, far plane and size in range.
fn check_camera(context: &mut ValidationContext, json: &Value, pointer: &str) {
    const PROJECTIONS: [&str; 2] = ["perspective", "orthographic"];
    if PROJECTIONS.iter().all(|projection| json.get(*projection).is_some()) {
        context.error("ONE_OF_MISMATCH", pointer, "A camera must have exactly one of perspective and orthographic.");
    }
    if let Some(projection) =
        read::string(json, "type").filter(|projection| PROJECTIONS.contains(projection) && json.get(*projection).is_none())
    {
        context.error("UNDEFINED_PROPERTY", pointer, format!("`{projection}` is missing, but required for a camera of this type."));
    }
    for projection in PROJECTIONS {
        let Some(json) = json.get(projection) else { continue };
        let pointer = format!("{pointer}/{projection}");
        // The schema check reports numbers out of range, so they are not compared.
        let far = read::number(json, "zfar").filter(|far| *far > 0.0);
        let near = read::number(json, "znear").filter(|near| *near >= 0.0);
        if let (Some(far), Some(near)) = (far, near)
            && far <= near
        {
            context.error("CAMERA_ZFAR_LEQUAL_ZNEAR", &pointer, format!("`zfar` ({far}) is not greater than `znear` ({near})."));
        }
        if read::number(json, "yfov").is_some_and(|yfov| yfov >= std::f64::consts::PI) {
            let message = "`yfov` is 180 degrees or more.";
            context.warning("CAMERA_YFOV_GEQUAL_PI", &pointer, message);
        }
        for key in ["xmag", "ymag"].into_iter().filter(|key| projection == "orthographic" && json.get(key).is_some()) {
            let pointer = format!("{pointer}/{key}");
            match read::number(json, key) {
                Some(0.0) => context.error("CAMERA_XMAG_YMAG_ZERO", &pointer, format!("`{key}` must not be 0.")),
                Some(size) if size < 0.0 => {
                    context.warning("CAMERA_XMAG_YMAG_NEGATIVE", &pointer, format!("`{key}` is negative; Sinew reads it as positive."));
                }
                _ => {}
            }
        }
    }
}

/// Checks a light of KHR_lights_punctual: properties that belong to its type. Angles are in radians.
fn check_light(context: &mut ValidationContext, json: &Value, pointer: &str) {
    match (read::string(json, "type"), json.get("spot")) {
        (Some("spot"), None) => context.error("UNDEFINED_PROPERTY", pointer, "`spot` is missing, but required for a spot light."),
        (Some("spot"), Some(spot)) => {
            let is_angle = |angle: &f64| (0.0..=std::f64::consts::FRAC_PI_2).contains(angle);
            let angle = |key: &str, default: f64| match spot.get(key) {
                None => Some(default),
                Some(angle) => angle.as_f64().filter(is_angle),
            };
            let angles = angle("innerConeAngle", 0.0).zip(angle("outerConeAngle", std::f64::consts::FRAC_PI_4));
            if let Some((inner, outer)) = angles.filter(|(inner, outer)| outer <= inner) {
                let message = format!("The outer cone angle ({outer}) is not greater than the inner one ({inner}).");
                context.error("KHR_LIGHTS_PUNCTUAL_LIGHT_SPOT_ANGLES", &format!("{pointer}/spot/outerConeAngle"), message);
            }
        }
        (_, Some(_)) => context.info("EXTRA_PROPERTY", &format!("{pointer}/spot"), "Only spot lights have a cone."),
        (Some("directional"), None) if json.get("range").is_some() => {
            context.info("EXTRA_PROPERTY", &format!("{pointer}/range"), "Directional lights have no range.");
        }
        _ => {}
    }
}

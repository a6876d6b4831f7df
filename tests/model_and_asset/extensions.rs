//! Tests extensions: required ones, optional ones, and a few simple ones that the loader reads.

use std::f32::consts::{FRAC_PI_2, FRAC_PI_4};

use glam::Vec3;
use serde_json::json;
use sinew::model::finding::Severity;
use sinew::model::light::LightKind;

use crate::common::gltf_builder::{codes, finding, triangle};

#[test]
fn an_unsupported_required_extension_is_named_in_the_error_and_an_optional_one_is_a_finding() {
    let mut gltf = triangle();
    gltf.json["extensionsUsed"] = json!(["ACME_compression", "ACME_magic", "KHR_materials_volume_scatter"]);
    let model = gltf.model();
    assert_eq!(codes(&model), ["UNSUPPORTED_EXTENSION"; 3]);
    assert!(model.findings.iter().all(|finding| finding.severity == Severity::Info));
    gltf.json["extensionsRequired"] = json!(["ACME_compression", "ACME_magic", "KHR_materials_volume_scatter"]);
    assert_eq!(gltf.refusal(), "required but not supported: ACME_compression, ACME_magic");
    gltf.json["extensionsRequired"] = json!(["KHR_materials_volume_scatter", "KHR_mesh_quantization"]);
    let model = gltf.model();
    assert_eq!(finding(&model, "UNSUPPORTED_EXTENSION").severity, Severity::Warning);
    let quantization = model.asset.extensions.iter().find(|extension| extension.name == "KHR_mesh_quantization").unwrap();
    assert!(quantization.required && quantization.supported);
}

#[test]
fn a_file_with_invalid_data_in_an_ignored_extension_opens() {
    let mut gltf = triangle();
    gltf.push("materials", json!({ "extensions": { "KHR_materials_volume": { "thicknessTexture": 7 } } }));
    gltf.push("nodes", json!({ "extensions": { "ACME_magic": "abracadabra" } }));
    assert_eq!(gltf.model().materials.len(), 1);
}

#[test]
fn emissive_strength_multiplies_the_factor() {
    let mut gltf = triangle();
    let strength = json!({ "KHR_materials_emissive_strength": { "emissiveStrength": 5.0 } });
    gltf.push("materials", json!({ "emissiveFactor": [1.0, 0.5, 0.0], "extensions": strength }));
    assert_eq!(gltf.model().materials[0].emission(), Vec3::new(5.0, 2.5, 0.0));
}

#[test]
fn lights_beyond_the_limit_are_a_finding() {
    for (count, expected) in [(256, None), (257, Some("257 nodes have a light"))] {
        let mut gltf = triangle();
        gltf.json["extensions"] = json!({ "KHR_lights_punctual": { "lights": [{ "type": "point" }] } });
        (0..count).for_each(|_| _ = gltf.push("nodes", json!({ "extensions": { "KHR_lights_punctual": { "light": 0 } } })));
        let found = gltf.model().findings;
        let message = found.iter().find(|finding| finding.code == "KHR_LIGHTS_PUNCTUAL_LIMIT").map(|finding| finding.message.as_str());
        assert_eq!(message.is_some(), expected.is_some(), "{found:?}");
        assert!(message.unwrap_or_default().starts_with(expected.unwrap_or_default()), "{message:?}");
    }
}

#[test]
fn node_visibility_and_lights_are_read() {
    let mut gltf = triangle();
    gltf.json["nodes"][0]["extensions"] = json!({ "KHR_node_visibility": { "visible": false }, "KHR_lights_punctual": { "light": 0 } });
    gltf.json["extensions"] = json!({ "KHR_lights_punctual": { "lights": [{ "type": "spot", "intensity": 3, "spot": {} }] } });
    let model = gltf.model();
    assert!(!model.nodes[0].visible);
    assert_eq!(model.nodes[0].light, Some(0));
    assert_eq!(model.lights[0].intensity, 3.0);
}

#[test]
fn an_invalid_cone_of_a_spot_light_becomes_the_nearest_cone() {
    let nearest = Some("The light's cone is invalid; the nearest possible one is used.");
    let sharp = Some("The light's cone is invalid; it is drawn with a sharp edge.");
    let cases = [
        (json!({ "innerConeAngle": 0.25, "outerConeAngle": 0.5 }), [0.25, 0.5], None),
        (json!({}), [0.0, FRAC_PI_4], None),
        (json!({ "innerConeAngle": 0.5, "outerConeAngle": 0.5 }), [0.5, 0.5], sharp),
        (json!({ "innerConeAngle": 0.75, "outerConeAngle": 0.5 }), [0.5, 0.5], nearest),
        (json!({ "innerConeAngle": 0.125, "outerConeAngle": 1.75 }), [0.125, FRAC_PI_2], nearest),
        (json!({ "innerConeAngle": -1.0, "outerConeAngle": 0.5 }), [0.0, 0.5], nearest),
        (json!({ "innerConeAngle": -1.0, "outerConeAngle": -0.5 }), [0.0, 0.0], nearest),
    ];
    for (spot, [inner_cone_angle, outer_cone_angle], expected) in cases {
        let mut gltf = triangle();
        gltf.json["extensions"] = json!({ "KHR_lights_punctual": { "lights": [{ "type": "spot", "spot": spot }] } });
        let model = gltf.model();
        assert_eq!(model.lights[0].kind, LightKind::Spot { inner_cone_angle, outer_cone_angle }, "{spot}");
        let messages: Vec<_> = model.findings.iter().map(|finding| finding.message.as_str()).collect();
        assert_eq!(messages, Vec::from_iter(expected), "{spot}");
        assert_eq!(codes(&model), vec!["KHR_LIGHTS_PUNCTUAL_INVALID"; messages.len()], "{spot}");
    }
}

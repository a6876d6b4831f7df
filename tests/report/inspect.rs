//! Tests the report of `inspect`. Its JSON is a contract with other tools.

use std::time::Duration;

use serde_json::json;
use sinew::report::{report, to_text};

use crate::common::gltf_builder::{self, png, skinned_triangle};

/// Builds the skinned triangle with a picture, a morph target and an animation.
fn document() -> gltf_builder::Gltf {
    let mut gltf = skinned_triangle();
    gltf.json["asset"]["generator"] = json!("by hand");
    let view = gltf.view(&png(4, 2, [255; 4]));
    gltf.push("images", json!({ "bufferView": view }));
    gltf.push("textures", json!({ "source": 0 }));
    gltf.push("textures", json!({ "source": 0 }));
    gltf.push("materials", json!({ "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } } }));
    gltf.json["extensionsUsed"] = json!(["ACME_magic"]);
    gltf.json["meshes"][0]["primitives"][0]["targets"] = json!([{ "POSITION": 0 }]);
    gltf.json["meshes"][0]["primitives"][0]["material"] = json!(0);
    let turns = gltf.floats("VEC4", &[0.0, 0.0, 0.0, 1.0].repeat(3));
    let moves = gltf.floats("VEC3", &[0.0; 9]);
    let times = [0.0, 0.04, 0.08];
    let animation = gltf.animation(&[(1, "rotation", "LINEAR", &times, turns), (1, "translation", "STEP", &times, moves)]);
    gltf.json["animations"][animation]["name"] = json!("walk");
    gltf
}

#[test]
fn the_json_has_the_properties_of_the_contract_and_the_right_numbers() {
    let gltf = document();
    let model = gltf.model();
    let json = serde_json::to_value(report(&model, "walk.glb", &[])).unwrap();
    let expected = json!({
        "schema": 1,
        "file": "walk.glb",
        "bytes": gltf.to_glb().len(),
        "generator": "by hand",
        "version": "2.0",
        "extensions": [{ "name": "ACME_magic", "required": false, "supported": false }],
        "scenes": 1,
        "nodes": 3,
        "meshes": 1,
        "primitives": 1,
        "vertices": 3,
        "triangles": 1,
        "instances": 0,
        "drawn_triangles": 1,
        "materials": 1,
        "variants": [],
        "textures": 2,
        "images": [{ "width": 4, "height": 2, "kind": "png", "bytes": png(4, 2, [255; 4]).len() }],
        "cameras": 0,
        "lights": 0,
        "skins": [{ "skin": 0, "name": null, "joints": 2, "influences": 1 }],
        "morph_targets": 1,
        "animations": [{
            "animation": 0,
            "name": "walk",
            "duration": f64::from(0.08f32),
            "channels": 2,
            "keys": 6,
            "key_times": 1,
            "rate": 25.0,
            "rate_source": "keys",
            "interpolations": ["LINEAR", "STEP"],
            // Neither channel ever changes.
            "layout": "2 constant",
            "compiled_bytes": 0,
        }],
        "memory": json["memory"],
        "findings": [{
            "code": "UNSUPPORTED_EXTENSION",
            "severity": "info",
            "pointer": "/extensionsUsed",
            "message": "The extension ACME_magic is not supported; its data is ignored.",
        }],
    });
    assert_eq!(json, expected);
}

#[test]
fn the_documentation_names_every_property() {
    let page = include_str!("../../docs/command-line.md");
    let section = page.split("## sinew inspect").nth(1).unwrap().split("\n## ").next().unwrap();
    let json = serde_json::to_value(report(&document().model(), "walk.glb", &[("read file", Duration::ZERO)])).unwrap();
    let mut values = vec![&json];
    while let Some(value) = values.pop() {
        let is_timing = value.get("read file").is_some();
        for (key, value) in value.as_object().into_iter().flatten().filter(|_| !is_timing) {
            assert!(section.contains(&format!("\"{key}\"")), "{key}");
            values.push(value);
        }
        values.extend(value.as_array().into_iter().flatten());
    }
}

#[test]
fn instances_are_counted_with_the_triangles_that_they_draw() {
    let mut gltf = gltf_builder::triangle();
    let places = gltf.floats("VEC3", &[0.0; 15]);
    gltf.json["extensionsUsed"] = json!(["EXT_mesh_gpu_instancing"]);
    gltf.json["nodes"][0]["extensions"] = json!({ "EXT_mesh_gpu_instancing": { "attributes": { "TRANSLATION": places } } });
    gltf.push("nodes", json!({ "mesh": 0 }));
    let report = report(&gltf.model(), "many.glb", &[]);
    assert_eq!((report.instances, report.triangles, report.drawn_triangles), (5, 1, 6), "the other node draws it once");
    assert!(to_text(&report).contains("\n  instances      5, 6 triangles drawn in total\n"), "{}", to_text(&report));
}

#[test]
fn memory_counts_geometry_keys_and_pixels_with_their_mip_maps() {
    let memory = report(&document().model(), "", &[]).memory;
    // Three vertices with positions and morph deltas of 12 bytes each, joints of 8 and weights of 16 bytes, and three indices.
    let geometry = 3 * (12 + 12 + 8 + 16) + 3 * 4;
    // Two joints and one rigid node have matrices of 48 bytes. The picture has 4 x 2 pixels, plus a third for mip maps.
    assert_eq!(memory.gpu_bytes, geometry + 3 * 48 + 8 * 4 * 4 / 3);
    let keys = 3 * 4 + 3 * 16 + 3 * 12;
    assert!(memory.cpu_bytes > geometry + keys && memory.cpu_bytes < 4096, "{}", memory.cpu_bytes);
}

#[test]
fn timings_are_reported_only_on_request_and_in_order() {
    let model = document().model();
    let timings = [("read file", Duration::from_micros(1500)), ("buffers", Duration::from_millis(2))];
    let text = serde_json::to_string(&report(&model, "", &timings)).unwrap();
    assert!(text.ends_with(r#""timings":{"read file":1.5,"buffers":2.0}}"#), "{text}");
    assert!(!serde_json::to_string(&report(&model, "", &[])).unwrap().contains("timings"));
}

#[test]
fn the_text_has_a_line_for_each_item_and_aligned_columns() {
    let mut gltf = document();
    let moves = gltf.floats("VEC3", &[0.0; 3]);
    gltf.animation(&[(1, "scale", "STEP", &[0.0], moves)]);
    let text = to_text(&report(&gltf.model(), "walk.glb", &[]));
    for expected in [
        "walk.glb\n  format         glTF 2.0, ",
        ", by by hand\n",
        "  meshes         1, 1 primitive, 3 vertices, 1 triangle\n",
        "\nimages\n  0  png  4 x 2  ",
        "\nskins\n  0  -  2 joints  up to 1 influence per vertex\n",
        "\nanimations\n  0  \"walk\"  0.080 s  2 channels  6 keys  1 set of key times  25 fps                          LINEAR STEP  0 B for playback\n",
        "  1  -       0.000 s  1 channel   1 key   1 set of key times  25 fps (from other animations)  STEP         0 B for playback\n",
        "\nfindings\n  info  UNSUPPORTED_EXTENSION  The extension ACME_magic is not supported; its data is ignored. (/extensionsUsed)\n",
    ] {
        assert!(text.contains(expected), "{expected:?} is not in\n{text}");
    }
    assert!(!text.contains("timings"));
}

#[test]
fn a_joint_that_a_vertex_lists_twice_counts_as_one_influence() {
    let mut gltf = skinned_triangle();
    let joints = gltf.u8s("VEC4", &[0, 0, 1, 1].repeat(3));
    let weights = gltf.floats("VEC4", &[0.25; 12]);
    let attributes = &mut gltf.json["meshes"][0]["primitives"][0]["attributes"];
    (attributes["JOINTS_0"], attributes["WEIGHTS_0"]) = (json!(joints), json!(weights));
    let json = serde_json::to_value(report(&gltf.model(), "a.glb", &[])).unwrap();
    assert_eq!(json["skins"][0]["influences"], 2);
}

//! Tests the container and the structure of its JSON.

use glam::Vec3;
use serde_json::json;
use sinew::asset;
use sinew::model::finding::Severity;

use crate::common::gltf_builder::{Gltf, codes, glb, skinned_triangle, triangle};

#[test]
fn the_smallest_file_is_an_empty_model() {
    let model = Gltf::new().model();
    assert_eq!((model.nodes.len(), model.scenes.len(), model.findings.len()), (0, 0, 0));
    assert_eq!(model.asset.version, "2.0");
}

#[test]
fn a_gltf_and_a_glb_of_the_same_document_are_the_same_model() {
    let document = skinned_triangle();
    let from_glb = document.model();
    let from_gltf = asset::load_bytes(document.to_gltf(), "test").unwrap().model;
    assert_eq!(format!("{:?}", from_glb.meshes), format!("{:?}", from_gltf.meshes));
    assert_eq!(format!("{:?}", from_glb.skins), format!("{:?}", from_gltf.skins));
}

#[test]
fn other_formats_are_named_in_one_line() {
    for (bytes, name) in [
        (&b"Kaydara FBX Binary  \0"[..], "FBX"),
        (b"PK\x03\x04....", "zip"),
        (b"# made by hand\nmtllib a.mtl\nv 0 0 0\n", "OBJ"),
        (b"<?xml version=\"1.0\"?><COLLADA/>", "COLLADA"),
        (br#"{"asset":{"version":"1.0"},"meshes":{}}"#, "glTF 1.0"),
    ] {
        let message = asset::load_bytes(bytes.to_vec(), "test").err().unwrap().to_string();
        assert!(message.contains(name) && message.lines().count() == 1, "{message}");
    }
}

#[test]
fn unknown_chunks_of_a_glb_are_ignored_and_reported() {
    let document = triangle();
    let whole = document.to_glb();
    let json_length = u32::from_le_bytes(whole[12..16].try_into().unwrap()) as usize;
    let (text, bin) = (&whole[20..20 + json_length], &whole[28 + json_length..]);
    let bytes = glb(&[(b"JSON", text), (b"WHAT", b"1234"), (b"BIN\0", bin), (b"BIN\0", b"5678")]);
    let model = asset::load_bytes(bytes, "test").unwrap().model;
    assert_eq!(codes(&model), ["GLB_UNKNOWN_CHUNK_TYPE", "GLB_DUPLICATE_CHUNK"]);
    assert_eq!(model.meshes[0].primitives[0].vertices.positions[1], Vec3::X);
}

#[test]
fn a_glb_whose_header_has_a_slightly_wrong_length_is_read() {
    let whole = triangle().to_glb();
    let declaring = |change: i32, tail: &[u8]| {
        let mut bytes = [&whole[..], tail].concat();
        let declared = (bytes.len() as u32).checked_add_signed(change).unwrap();
        bytes[8..12].copy_from_slice(&declared.to_le_bytes());
        asset::load_bytes(bytes, "test").map(|loaded| loaded.model).map_err(|error| error.to_string())
    };
    for (change, tail, expected) in [
        (0, &[][..], &[][..]),
        (4, &[], &["GLB_LENGTH_MISMATCH"]),
        (7, &[], &["GLB_LENGTH_MISMATCH"]),
        (-4, &[], &["GLB_LENGTH_MISMATCH"]),
        (0, &[0; 3], &["GLB_EXTRA_DATA"]),
        (0, &[0; 4], &["GLB_EXTRA_DATA"]),
        (-8, &[0; 4], &["GLB_LENGTH_MISMATCH", "GLB_EXTRA_DATA"]),
    ] {
        let model = declaring(change, tail).unwrap_or_else(|error| panic!("{change}, {tail:?}: {error}"));
        assert_eq!(codes(&model), expected, "{change}, {tail:?}");
        assert_eq!(model.meshes[0].primitives[0].vertices.positions[1], Vec3::X);
    }
    // A length that ends inside the JSON chunk, or inside the header or the data of the binary chunk.
    let length = whole.len();
    let bin = 20 + u32::from_le_bytes(whole[12..16].try_into().unwrap()) as usize;
    for declared in [13, 100, bin - 1, bin + 4, bin + 8, bin + 9] {
        let model = declaring(declared as i32 - length as i32, &[]).unwrap_or_else(|error| panic!("{declared}: {error}"));
        assert_eq!(codes(&model), ["GLB_LENGTH_MISMATCH"], "{declared}");
        assert_eq!(model.meshes[0].primitives[0].vertices.positions[1], Vec3::X, "{declared}");
    }
    assert!(declaring(bin as i32 - length as i32, &[]).is_err(), "a length that ends between two chunks is taken at its word");
    // A chunk of 8 bytes or more could be missing.
    assert_eq!(declaring(8, &[]).unwrap_err(), format!("the file is truncated: {length} of {} bytes", length + 8));
    // Eight bytes could be the header of a chunk, whose data is missing.
    assert!(declaring(0, b"\x01\0\0\0WHAT").unwrap_err().ends_with("reaches past the end of the file"));
    let error = asset::load_bytes(whole[..length - 4].to_vec(), "test").err().unwrap().to_string();
    assert_eq!(error, format!("the file is truncated: {} of {length} bytes", length - 4));
}

#[test]
fn an_index_beyond_32_bits_does_not_wrap_around() {
    let mut gltf = triangle();
    gltf.json["nodes"][0]["mesh"] = json!(1u64 << 32);
    assert!(gltf.refusal().starts_with("node 0: mesh "), "{}", gltf.refusal());
}

#[test]
fn lone_surrogates_are_replaced_and_reported() {
    let mut gltf = triangle();
    gltf.json["nodes"][0]["name"] = json!("NAME");
    let named = |name: &str| {
        let text = String::from_utf8(gltf.to_gltf()).unwrap().replace("NAME", name);
        let model = asset::load_bytes(text.into_bytes(), "test").unwrap_or_else(|error| panic!("{name}: {error}")).model;
        (model.nodes[0].name.clone().unwrap(), codes(&model))
    };
    for (name, expected) in [
        (r"a\ud800b", "a\u{fffd}b"),
        (r"\uDFFF", "\u{fffd}"),
        (r"\ud83d\ude00\ud800", "\u{1f600}\u{fffd}"),
        (r"\ud800\ud83d\ude00", "\u{fffd}\u{1f600}"),
        (r"\\ud800\ud800", "\\ud800\u{fffd}"),
    ] {
        assert_eq!(named(name), (expected.to_owned(), vec!["INVALID_JSON"]), "{name}");
    }
    assert_eq!(named(r"\ud83d\ude00\\ud800"), ("\u{1f600}\\ud800".to_owned(), vec![]));
}

#[test]
fn a_number_beyond_f64_is_ignored_in_extras_and_an_error_elsewhere() {
    let mut gltf = triangle();
    gltf.json["nodes"][0]["extras"] = json!({ "far": ["FAR", "-FAR"] });
    let text = |gltf: &Gltf| String::from_utf8(gltf.to_gltf()).unwrap().replace("\"FAR\"", "1e400").replace("\"-FAR\"", "-1E+999");
    let model = asset::load_bytes(text(&gltf).into_bytes(), "test").unwrap().model;
    assert_eq!((model.meshes.len(), codes(&model)), (1, vec![]));
    gltf.json["nodes"][0]["translation"] = json!([0, "FAR", 0]);
    let error = asset::load_bytes(text(&gltf).into_bytes(), "test").err().unwrap().to_string();
    assert!(error.starts_with("/nodes/0/translation"), "{error}");
}

#[test]
fn a_schema_error_names_its_location() {
    let mut gltf = triangle();
    gltf.push("nodes", json!({ "matrix": [1, 2, 3] }));
    assert_eq!(gltf.refusal(), "/nodes/1/matrix: expected an array of length 16, found 3 elements");
    gltf.json["nodes"][1] = json!({ "matrix": [1] });
    assert_eq!(gltf.refusal(), "/nodes/1/matrix: expected an array of length 16, found 1 element");
    gltf.json["nodes"][1] = json!({ "mesh": -1 });
    assert_eq!(gltf.refusal(), "/nodes/1/mesh: expected an index, found integer -1");
    gltf.json["nodes"][1] = json!({ "mesh": "0" });
    assert_eq!(gltf.refusal(), "/nodes/1/mesh: expected an index, found string \"0\"");
}

#[test]
fn invalid_animations_channels_and_skins_are_left_out() {
    let mut gltf = skinned_triangle();
    let turns = gltf.floats("VEC4", &[0.0, 0.0, 0.0, 1.0].repeat(2));
    let channel = (1, "rotation", "LINEAR", &[0.0f32, 1.0][..], turns);
    for _ in 0..2 {
        gltf.animation(&[channel, (2, "rotation", "LINEAR", &[0.0, 1.0], turns)]);
    }
    gltf.json["animations"][0]["channels"][0]["target"]["node"] = json!(-1);
    gltf.json["animations"][1]["name"] = json!("Walk");
    gltf.json["animations"][1]["samplers"][0]["input"] = json!(0.5);
    gltf.json["skins"][0]["joints"][1] = json!([2]);
    let model = gltf.model();
    assert_eq!(model.animations.iter().map(|animation| animation.channels.len()).collect::<Vec<_>>(), [1, 0]);
    assert_eq!((model.animations[0].channels[0].source, model.animations[1].name.as_deref()), (1, Some("Walk")));
    assert!(model.skins[0].joints.is_empty() && model.nodes.iter().all(|node| node.skin.is_none()), "the mesh is drawn without the skin");
    let found: Vec<_> = model.findings.iter().map(|finding| (finding.code, finding.severity, finding.pointer.as_str())).collect();
    let error = Severity::Error;
    assert_eq!(
        found,
        [
            ("INVALID_INDEX", error, "/animations/0/channels/0/target/node"),
            ("TYPE_MISMATCH", error, "/animations/1/samplers/0/input"),
            ("TYPE_MISMATCH", error, "/skins/0/joints/1"),
        ]
    );
    let words = &model.findings[0].message;
    assert!(words.starts_with("Animation 0, channel 0 is invalid and is skipped: at /animations/0/channels/0/target/node, "), "{words}");
}

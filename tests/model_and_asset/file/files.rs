//! Tests external files that a model refers to, canceled loading, and the limit for repeated findings.

use std::fs;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use glam::{Quat, Vec3};
use serde_json::json;
use sinew::asset::error::LoadError;
use sinew::asset::file::progress::Progress;
use sinew::asset::{self, LoadOptions};

use crate::common::gltf_builder::{Gltf, codes, glb, png, triangle};

#[test]
fn external_files_are_found_in_the_folder_by_their_percent_encoded_name() {
    let folder = tempfile::tempdir().unwrap();
    let mut gltf = triangle();
    gltf.json["buffers"] = json!([{ "byteLength": gltf.bin.len(), "uri": "sub%20folder/tri%C3%A4ngle.bin" }]);
    fs::create_dir(folder.path().join("sub folder")).unwrap();
    fs::write(folder.path().join("sub folder/triängle.bin"), &gltf.bin).unwrap();
    let file = folder.path().join("model.gltf");
    fs::write(&file, gltf.to_gltf()).unwrap();
    let loaded = asset::load(&file, &LoadOptions::default()).unwrap();
    assert_eq!(loaded.model.meshes[0].primitives[0].vertices.positions[2], Vec3::Y);
    assert_eq!(loaded.model.asset.bytes, (gltf.to_gltf().len() + gltf.bin.len()) as u64);
}

#[test]
fn a_file_of_which_a_buffer_is_the_beginning_is_read_again_if_an_image_needs_all_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let (mut gltf, picture) = (triangle(), png(64, 64, [9; 4]));
    let uri = format!("data:;base64,{}", STANDARD.encode(&gltf.bin));
    fs::write(folder.path().join("picture.png"), &picture).unwrap();
    let file = folder.path().join("model.gltf");
    gltf.push("images", json!({ "uri": "picture.png" }));
    for length in [36, picture.len() - 1, picture.len()] {
        let beginning = json!({ "byteLength": length, "uri": "picture.png" });
        gltf.json["buffers"] = json!([{ "byteLength": gltf.bin.len(), "uri": uri }, beginning]);
        fs::write(&file, gltf.to_gltf()).unwrap();
        let model = asset::load(&file, &LoadOptions::default()).unwrap().model;
        assert_eq!((codes(&model), model.images[0].bytes), (vec![], picture.len() as u64), "{length}");
        assert_eq!(model.asset.bytes, (gltf.to_gltf().len() + picture.len()) as u64);
    }
}

#[test]
fn backslashes_in_a_uri_are_read_as_slashes_with_a_finding() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("tex")).unwrap();
    fs::write(folder.path().join("tex/big.png"), png(2, 2, [255; 4])).unwrap();
    let file = folder.path().join("tex/model.gltf");
    let loaded = |uri: &str| {
        let mut gltf = triangle();
        gltf.push("images", json!({ "uri": uri }));
        fs::write(&file, gltf.to_gltf()).unwrap();
        let model = asset::load(&file, &LoadOptions::default()).unwrap().model;
        (model.images[0].width, model.findings[0].message.clone())
    };
    let uri = "new\\..\\big.png";
    assert_eq!(loaded(uri), (2, format!("Image 0 {uri:?}: its URI {uri:?} has backslashes; they are read as slashes.")));
    assert!(loaded("..\\tex\\big.png").1.contains("is outside the file's folder"));
    assert!(loaded("\\big.png").1.contains("is outside the file's folder"));
    assert!(loaded("caf%E9.png").1.contains("is not UTF-8 after percent-decoding"));
    assert!(loaded("big%07.png").1.contains("has a control character"));
}

#[test]
fn data_uris_are_read_in_every_spelling_that_rfc_2397_or_browsers_allow() {
    // The last bytes are /+/7/w== in base64.
    let bytes = [&triangle().bin[..], &[0xff, 0xef, 0xfb, 0xff]].concat();
    let payload = STANDARD.encode(&bytes);
    let escaped = payload.replace('A', "%41").replace('+', "%2B").replace('/', "%2f").replace('=', "%3D");
    let lines: Vec<&str> = payload.as_bytes().chunks(20).map(|line| std::str::from_utf8(line).unwrap()).collect();
    let percent: String = bytes.iter().map(|byte| format!("%{byte:02x}")).collect();
    for uri in [
        format!("data:application/octet-stream;base64,{payload}"),
        format!("data:application/octet-stream;base64,{escaped}"),
        format!("DATA:application/gltf-buffer;base64,{payload}"),
        format!("Data:;BASE64,{payload}"),
        format!("data:;base64,\t{} ", lines.join("\r\n")),
        format!("data:;base64,{}", lines.join("%0A")),
        format!("data:application/octet-stream,{percent}"),
    ] {
        let mut gltf = triangle();
        gltf.json["buffers"] = json!([{ "byteLength": bytes.len(), "uri": uri }]);
        let loaded = asset::load_bytes(gltf.to_gltf(), "test").unwrap_or_else(|error| panic!("{uri}: {error}"));
        assert_eq!(loaded.model.meshes[0].primitives[0].vertices.positions[2], Vec3::Y, "{uri}");
        assert!(loaded.model.findings.is_empty(), "{uri}: {:?}", loaded.model.findings);
    }
}

#[test]
fn spaces_around_the_mark_of_base64_and_unused_bits_are_ignored() {
    let payload = STANDARD.encode(&triangle().bin);
    for mark in [" base64", "base64 ", "  Base64 "] {
        let mut gltf = triangle();
        let uri = format!("data:application/octet-stream;{mark},{payload}");
        gltf.json["buffers"] = json!([{ "byteLength": gltf.bin.len(), "uri": uri }]);
        let model = asset::load_bytes(gltf.to_gltf(), "test").unwrap_or_else(|error| panic!("{mark:?}: {error}")).model;
        assert_eq!(model.meshes[0].primitives[0].vertices.positions[2], Vec3::Y, "{mark:?}");
    }
    // The last byte is 0. In base64, B differs from A by the last bit, which is unused here.
    for (start, end, spoiled) in [(4, "AA==", "AB=="), (8, "AAA=", "AAB="), (4, "AA==", "AB")] {
        let mut gltf = triangle();
        gltf.json["bufferViews"][0]["byteOffset"] = json!(start);
        let bytes = [&vec![0; start][..], &gltf.bin].concat();
        let payload = STANDARD.encode(&bytes).strip_suffix(end).unwrap().to_owned() + spoiled;
        gltf.json["buffers"] = json!([{ "byteLength": bytes.len(), "uri": format!("data:;base64,{payload}") }]);
        let model = asset::load_bytes(gltf.to_gltf(), "test").unwrap_or_else(|error| panic!("{spoiled}: {error}")).model;
        assert_eq!(model.meshes[0].primitives[0].vertices.positions, [Vec3::ZERO, Vec3::X, Vec3::Y], "{spoiled}");
    }
}

#[test]
fn the_case_of_a_media_type_does_not_matter() {
    let payload = STANDARD.encode(png(1, 1, [255; 4]));
    let codes = |media_type: &str| {
        let mut gltf = triangle();
        gltf.push("images", json!({ "uri": format!("data:{media_type};base64,{payload}") }));
        codes(&gltf.model())
    };
    assert!(codes("Image/PNG").is_empty());
    assert_eq!(codes("image/jpeg"), ["INVALID_URI"]);
}

#[test]
fn a_byte_order_mark_before_the_json_is_skipped_with_a_finding() {
    let mut text = [b"\xef\xbb\xbf", &triangle().to_gltf()[..]].concat();
    text.resize(text.len().next_multiple_of(4), b' ');
    for bytes in [glb(&[(b"JSON", &text)]), text] {
        let model = asset::load_bytes(bytes, "test").unwrap().model;
        assert_eq!(model.meshes[0].primitives[0].vertices.positions[2], Vec3::Y);
        let codes: Vec<&str> = model.findings.iter().map(|finding| finding.code).collect();
        assert_eq!(codes, ["INVALID_JSON"]);
    }
}

#[test]
fn nul_bytes_after_the_json_are_ignored_with_a_finding() {
    let mut text = triangle().to_gltf();
    text.extend([0; 3]);
    for bytes in [glb(&[(b"JSON", &text)]), text] {
        let model = asset::load_bytes(bytes.clone(), "test").unwrap().model;
        assert_eq!(model.meshes[0].primitives[0].vertices.positions[2], Vec3::Y);
        let messages: Vec<&str> = model.findings.iter().map(|finding| &*finding.message).collect();
        assert_eq!(messages, ["The JSON ends with NUL bytes instead of spaces; they are ignored."]);
    }
}

#[test]
fn files_opened_together_are_found_by_their_name() {
    let (folder, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut gltf = triangle();
    gltf.json["buffers"] = json!([{ "byteLength": gltf.bin.len(), "uri": "data/triangle.bin" }]);
    let (file, buffer) = (folder.path().join("model.gltf"), elsewhere.path().join("triangle.bin"));
    fs::write(&file, gltf.to_gltf()).unwrap();
    fs::write(&buffer, &gltf.bin).unwrap();
    let error = asset::load(&file, &LoadOptions::default()).err().unwrap().to_string();
    assert_eq!(error, r#"buffer 0: "data/triangle.bin" was not found in the file's folder"#);
    let companion = [buffer];
    assert!(asset::load(&file, &LoadOptions { opened_together: &companion, ..LoadOptions::default() }).is_ok());
}

#[test]
fn a_file_beyond_the_limit_does_not_exclude_smaller_files_after_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut gltf = triangle();
    let picture = png(2, 2, [255; 4]);
    for (name, length) in [("large.png", 10_000), ("small.png", picture.len())] {
        let mut bytes = picture.clone();
        bytes.resize(length, 0);
        fs::write(folder.path().join(name), bytes).unwrap();
        gltf.push("images", json!({ "uri": name }));
    }
    let file = folder.path().join("model.gltf");
    fs::write(&file, gltf.to_gltf()).unwrap();
    let limit = (gltf.to_gltf().len() + picture.len()) as u64;
    let model = asset::load(&file, &LoadOptions { byte_limit: Some(limit), ..LoadOptions::default() }).unwrap().model;
    assert_eq!([model.images[0].width, model.images[1].width], [0, 2]);
    let reason = format!("with \"large.png\", the external files have 10,000 bytes together; at most {} are supported", picture.len());
    assert!(model.findings[0].message.contains(&reason), "{:?}", model.findings);
    assert_eq!(model.asset.bytes, limit, "the size includes the image that was read");
}

#[test]
fn loading_stops_when_it_is_canceled() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("model.glb");
    fs::write(&file, triangle().to_glb()).unwrap();
    let progress = Progress::default();
    assert!(asset::load(&file, &LoadOptions { progress: Some(&progress), ..LoadOptions::default() }).is_ok());
    assert!(progress.fraction().unwrap() > 0.8);
    progress.cancel();
    let canceled = asset::load(&file, &LoadOptions { progress: Some(&progress), ..LoadOptions::default() });
    assert!(matches!(canceled, Err(LoadError::Canceled)));
}

#[test]
fn a_finding_repeated_a_thousand_times_is_listed_fifty_times_and_counted() {
    let mut gltf = Gltf::new();
    for _ in 0..1_000 {
        gltf.push("nodes", json!({ "rotation": [0, 0, 0, 0] }));
    }
    let model = gltf.model();
    assert_eq!(model.findings.len(), 51);
    assert_eq!(model.findings[50].message, "950 more of these");
    assert_eq!(model.hierarchy.rest[0].rotation, Quat::from_xyzw(0.0, 0.0, 0.0, 0.0));
}

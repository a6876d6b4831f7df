//! Tests that compressed documents load as the same models as uncompressed ones, and that errors name the buffer view.

use serde_json::{Value, json};
use sinew::asset;
use sinew::model::Model;

use super::encode::{self, Dice};
use crate::common::gltf_builder::{Gltf, finding, skinned_triangle};

const NAMES: [&str; 2] = ["EXT_meshopt_compression", "KHR_meshopt_compression"];

/// Builds a skinned triangle with 16-bit indices and an animation.
fn plain() -> Gltf {
    let mut gltf = skinned_triangle();
    let indices = gltf.u16s("SCALAR", &[2, 0, 1]);
    gltf.json["meshes"][0]["primitives"][0]["indices"] = json!(indices);
    let turns = gltf.floats("VEC4", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.6, 0.0, 0.0, 0.8]);
    gltf.animation(&[(2, "rotation", "LINEAR", &[0.0, 0.5, 1.25], turns)]);
    gltf
}

/// Builds the document of [`plain`] with every buffer view compressed and no uncompressed data.
fn compressed(name: &str, version: usize) -> Gltf {
    let mut gltf = plain();
    let mut dice = Dice(21);
    let mut streams = Vec::new();
    let accessors = gltf.json["accessors"].as_array().unwrap();
    let indices = accessors.iter().find(|accessor| accessor["componentType"] == 5123).unwrap()["bufferView"].clone();
    let views = gltf.json["bufferViews"].as_array_mut().unwrap();
    for (index, view) in views.iter_mut().enumerate() {
        let number = |key: &str| view[key].as_u64().unwrap_or(0) as usize;
        let data = &gltf.bin[number("byteOffset")..][..number("byteLength")];
        let (mode, stride, stream) = if indices == index {
            let data: Vec<u32> = data.chunks(2).map(|bytes| u32::from(bytes[0])).collect();
            ("TRIANGLES", 2, encode::triangles(&data))
        } else {
            let stride = if data.len().is_multiple_of(16) { 16 } else { 12 };
            let stride = if data.len().is_multiple_of(64) { 64 } else { stride };
            ("ATTRIBUTES", stride, encode::attributes(data, stride, &[0, 1, 2][..].repeat(6)[..stride / 4 * version], &mut dice))
        };
        let count = data.len() / stride;
        let extension = json!({
            "buffer": 0, "byteOffset": streams.len(), "byteLength": stream.len(), "byteStride": stride, "count": count, "mode": mode,
        });
        view["buffer"] = json!(1);
        view["extensions"] = json!({ name: extension });
        streams.extend(stream);
    }
    let fallback = json!({ "byteLength": gltf.bin.len(), "extensions": { name: { "fallback": true } } });
    gltf.json["buffers"] = json!([{ "byteLength": streams.len() }, fallback]);
    gltf.json["extensionsUsed"] = json!([name]);
    gltf.json["extensionsRequired"] = json!([name]);
    gltf.bin = streams;
    gltf
}

fn contents(model: &Model) -> String {
    format!("{:?} {:?} {:?}", model.meshes, model.skins, model.animations)
}

#[test]
fn a_compressed_document_equals_the_plain_one_under_both_extension_names_and_in_both_versions() {
    let wanted = contents(&plain().model());
    for name in NAMES {
        for version in [0, 1] {
            let model = compressed(name, version).model();
            assert_eq!(contents(&model), wanted);
            assert!(model.findings.is_empty(), "{:?}", model.findings);
            assert!(model.asset.extensions.iter().all(|extension| extension.supported));
        }
    }
}

#[test]
fn a_fallback_buffer_is_neither_required_nor_used() {
    let mut gltf = compressed(NAMES[0], 0);
    gltf.json["buffers"][1]["uri"] = json!("nowhere.bin");
    assert_eq!(contents(&gltf.model()), contents(&plain().model()));
    gltf.json["buffers"][1] = json!({ "byteLength": 4, "uri": "data:application/octet-stream;base64,AAAAAA==" });
    assert_eq!(contents(&gltf.model()), contents(&plain().model()));
}

#[test]
fn an_uncompressed_view_of_a_buffer_without_data_is_refused() {
    let mut gltf = compressed(NAMES[0], 0);
    gltf.json["bufferViews"][0].as_object_mut().unwrap().remove("extensions");
    assert!(gltf.refusal().contains("buffer view 0 refers to buffer 1, which has no data"), "{}", gltf.refusal());
}

#[test]
fn an_error_in_a_compressed_view_names_its_index() {
    let refusal = |property: &str, value: Value| {
        let mut gltf = compressed(NAMES[1], 1);
        gltf.json["bufferViews"][0]["extensions"][NAMES[1]][property] = value;
        let refusal = gltf.refusal();
        assert!(refusal.contains("buffer view 0 "), "{refusal}");
        refusal
    };
    assert!(refusal("mode", json!("LINES")).contains("mode is unknown"));
    assert!(refusal("mode", json!("INDICES")).contains("elements of 12 bytes"));
    assert!(refusal("filter", json!("BLUR")).contains("filter is unknown"));
    assert!(refusal("filter", json!("QUATERNION")).contains("Quaternion"));
    assert!(refusal("count", json!(-3)).contains("count is missing or not a number"));
    assert!(refusal("count", json!(u64::MAX)).contains("unpacks to more than"));
    assert!(refusal("count", json!(1 << 20)).contains("cannot hold"));
    assert!(refusal("buffer", json!(1)).contains("buffer 1, which has no data"));
    assert!(refusal("buffer", json!(7)).contains("buffer 7, which does not exist"));
    assert!(refusal("byteLength", json!(1 << 30)).contains("reaches past the end"));
    assert!(refusal("byteOffset", json!(1)).contains("first byte"));
    assert!(refusal("byteStride", json!(6)).contains("elements of 6 bytes"));
}

#[test]
fn a_stream_with_less_data_than_its_accessor_needs_is_refused() {
    let mut gltf = compressed(NAMES[0], 0);
    gltf.json["accessors"][0]["count"] = json!(4);
    assert!(gltf.refusal().contains("reaches 12 bytes past the end of its buffer view"), "{}", gltf.refusal());
}

#[test]
fn the_total_unpacked_size_of_many_views_of_one_stream_is_limited() {
    // A stream of 1 MiB that decodes to 64 MiB of zeros.
    let mut stream = vec![0; (1 << 20) + 33];
    stream[0] = 0xa0;
    let mut gltf = Gltf::new();
    gltf.bin = stream;
    let (count, length) = (1 << 22, gltf.bin.len());
    for view in 0..100 {
        let extension = json!({ "buffer": 0, "byteLength": length, "byteStride": 16, "count": count, "mode": "ATTRIBUTES" });
        gltf.push("bufferViews", json!({ "buffer": 0, "byteLength": count * 16, "extensions": { NAMES[1]: extension } }));
        gltf.push("images", json!({ "bufferView": view, "mimeType": "image/png" }));
    }
    let model = gltf.model();
    let refused = finding(&model, "IMAGE_UNAVAILABLE");
    assert!(refused.message.contains("unpacks to more than"), "{}", refused.message);
    let decoded = model.findings.iter().filter(|finding| finding.code == "IMAGE_DATA_INVALID").count();
    assert_eq!(decoded, 4, "four views of 64 MiB each fit into the limit: 256 MiB plus 32 times the size of the buffer");
}

#[test]
fn a_compressed_document_survives_four_thousand_mutations() {
    let whole = compressed(NAMES[1], 1).to_glb();
    let mut dice = Dice(22);
    let mut ended = [0; 2];
    for _ in 0..4000 {
        let mut bytes = whole.clone();
        for _ in 0..=dice.roll(3) {
            let at = 20 + dice.roll(bytes.len() - 20);
            bytes[at] = dice.roll(256) as u8;
        }
        ended[usize::from(asset::load_bytes(bytes, "mutated").is_ok())] += 1;
    }
    assert!(ended.iter().all(|&count| count > 100), "{ended:?}");
}

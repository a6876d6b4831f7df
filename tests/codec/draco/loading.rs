//! Loads Draco-compressed primitives with the glTF loader.

use glam::Vec3;
use serde_json::json;
use sinew::asset::{self, LoadOptions};
use sinew::model::Model;
use sinew::model::mesh::Primitive;

use super::encoder::{Attribute, GENERIC, POSITION, Symbols, U8, Values, mesh};
use crate::common::gltf_builder::{FLOAT, Gltf, UNSIGNED_BYTE, UNSIGNED_SHORT, codes, finding};
use crate::common::skip::skip;

const SQUARE: [f32; 12] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0];
const TRIANGLES: [u32; 6] = [0, 1, 2, 2, 1, 3];

/// Builds a primitive whose positions (id 4) and indices are compressed. Accessors 0 and 1 have no data of their own.
fn compressed_square(more: Vec<Attribute>) -> Gltf {
    let mut attributes = vec![Attribute::floats(4, 3, &SQUARE)];
    attributes.extend(more);
    let mut gltf = Gltf::new();
    let view = gltf.view(&mesh(&TRIANGLES, 4, true, &attributes));
    gltf.push("accessors", json!({ "componentType": FLOAT, "type": "VEC3", "count": 4 }));
    gltf.push("accessors", json!({ "componentType": UNSIGNED_SHORT, "type": "SCALAR", "count": 6 }));
    let extension = json!({ "bufferView": view, "attributes": { "POSITION": 4 } });
    gltf.mesh_node(json!({
        "attributes": { "POSITION": 0 }, "indices": 1, "extensions": { "KHR_draco_mesh_compression": extension }
    }));
    gltf.push("scenes", json!({ "nodes": [0] }));
    gltf.json["extensionsUsed"] = json!(["KHR_draco_mesh_compression"]);
    gltf.json["extensionsRequired"] = json!(["KHR_draco_mesh_compression"]);
    gltf
}

fn primitive(model: &Model) -> &Primitive {
    &model.meshes[0].primitives[0]
}

fn square() -> Vec<Vec3> {
    SQUARE.as_chunks().0.iter().map(|position| Vec3::from_array(*position)).collect()
}

#[test]
fn decoded_data_replaces_accessors() {
    let model = compressed_square(Vec::new()).model();
    assert_eq!(primitive(&model).vertices.positions, square());
    assert_eq!(primitive(&model).indices, TRIANGLES);
    assert_eq!(codes(&model), [""; 0]);
    assert!(model.asset.extensions.iter().all(|extension| extension.supported));
}

#[test]
fn triangles_are_decoded_without_an_index_accessor() {
    let mut gltf = compressed_square(Vec::new());
    gltf.json["meshes"][0]["primitives"][0].as_object_mut().unwrap().remove("indices");
    assert_eq!(primitive(&gltf.model()).indices, TRIANGLES);
}

#[test]
fn attributes_that_are_not_listed_and_morph_targets_stay_as_they_are() {
    let mut gltf = compressed_square(Vec::new());
    let normals = gltf.floats("VEC3", &[0.0, 0.0, 1.0].repeat(4));
    let moved = gltf.floats("VEC3", &[0.0, 0.0, 2.0].repeat(4));
    let json = &mut gltf.json["meshes"][0]["primitives"][0];
    json["attributes"]["NORMAL"] = json!(normals);
    json["targets"] = json!([{ "POSITION": moved }]);
    let model = gltf.model();
    assert_eq!(primitive(&model).vertices.normals, [Vec3::Z; 4]);
    assert_eq!(primitive(&model).vertices.targets[0].positions, [Vec3::Z * 2.0; 4]);
    // A morph target with a different number of vertices is an error.
    let short = gltf.floats("VEC3", &[0.0; 9]);
    gltf.json["meshes"][0]["primitives"][0]["targets"][0]["POSITION"] = json!(short);
    let wanted = format!("mesh 0, primitive 0, target 0: POSITION accessor {short} has 3 elements, expected 4");
    assert_eq!(gltf.refusal(), wanted);
}

#[test]
fn integers_are_converted_to_the_accessors_type() {
    let joints = vec![0, 1, 2, 3, 3, 2, 1, 0, 1, 1, 1, 1, 9, 8, 7, 6];
    let weights = [102, 51, 51, 51].repeat(4);
    let integers = |unique_id, values| Attribute {
        meaning: GENERIC,
        kind: U8,
        components: 4,
        unique_id,
        values: Values::Integers(Symbols::Raw, values),
    };
    let mut gltf = compressed_square(vec![integers(8, joints), integers(9, weights)]);
    let joints = gltf.push("accessors", json!({ "componentType": UNSIGNED_SHORT, "type": "VEC4", "count": 4 }));
    let weights = gltf.push("accessors", json!({ "componentType": UNSIGNED_BYTE, "type": "VEC4", "count": 4, "normalized": true }));
    let json = &mut gltf.json["meshes"][0]["primitives"][0];
    json["attributes"] = json!({ "POSITION": 0, "JOINTS_0": joints, "WEIGHTS_0": weights });
    json["extensions"]["KHR_draco_mesh_compression"]["attributes"] = json!({ "POSITION": 4, "JOINTS_0": 8, "WEIGHTS_0": 9 });
    let model = gltf.model();
    assert_eq!(primitive(&model).vertices.influences.joints[3], [9, 8, 7, 6]);
    assert_eq!(primitive(&model).vertices.influences.weights, [[0.4, 0.2, 0.2, 0.2]; 4]);
    // Attribute 4, the positions, has three components, but the accessor has four.
    gltf.json["accessors"][joints]["componentType"] = json!(UNSIGNED_BYTE);
    gltf.json["meshes"][0]["primitives"][0]["extensions"]["KHR_draco_mesh_compression"]["attributes"]["JOINTS_0"] = json!(4);
    let wanted = format!("mesh 0, primitive 0: JOINTS_0 accessor {joints} has 4 components, but its Draco data has 3");
    assert_eq!(gltf.refusal(), wanted);
}

#[test]
fn quantized_positions_may_stay_integers() {
    let values = Values::Integers(Symbols::Tagged, SQUARE.iter().map(|&number| number as i32 * 200).collect());
    let mut gltf = compressed_square(vec![Attribute { meaning: POSITION, kind: U8, components: 3, unique_id: 6, values }]);
    gltf.json["accessors"][0]["componentType"] = json!(UNSIGNED_BYTE);
    gltf.json["meshes"][0]["primitives"][0]["extensions"]["KHR_draco_mesh_compression"]["attributes"]["POSITION"] = json!(6);
    assert_eq!(primitive(&gltf.model()).vertices.positions, square().iter().map(|position| *position * 200.0).collect::<Vec<_>>());
}

#[test]
fn a_wrong_count_is_reported_and_the_data_is_used() {
    let mut gltf = compressed_square(Vec::new());
    gltf.json["accessors"][0]["count"] = json!(5000);
    let model = gltf.model();
    let wrong = finding(&model, "DRACO_COUNT_MISMATCH");
    let message = "Mesh 0, primitive 0: POSITION has 5,000 elements, but its Draco data has 4; the latter is used.";
    assert_eq!((wrong.pointer.as_str(), wrong.message.as_str()), ("/accessors/0", message));
    assert_eq!(primitive(&model).vertices.positions, square());
}

#[test]
fn damaged_data_is_reported_unless_there_is_a_fallback() {
    let mut gltf = compressed_square(Vec::new());
    gltf.bin[0] = b'X';
    assert_eq!(gltf.refusal(), "mesh 0, primitive 0: its Draco data does not begin with DRACO");
    let plain = gltf.floats("VEC3", &SQUARE);
    let indices = gltf.u16s("SCALAR", &[0, 1, 3]);
    let json = &mut gltf.json["meshes"][0]["primitives"][0];
    json["attributes"]["POSITION"] = json!(plain);
    json["indices"] = json!(indices);
    // A file that requires the extension cannot have a fallback.
    assert_eq!(gltf.refusal(), "mesh 0, primitive 0: its Draco data does not begin with DRACO");
    gltf.json["extensionsRequired"] = json!([]);
    let model = gltf.model();
    assert_eq!(primitive(&model).indices, [0, 1, 3]);
    let message = "Mesh 0, primitive 0: its Draco data does not begin with DRACO; its uncompressed form is used.";
    assert_eq!(finding(&model, "DRACO_DATA_INVALID").message, message);
}

#[test]
fn an_attribute_missing_from_the_data_is_reported() {
    let mut gltf = compressed_square(Vec::new());
    let json = &mut gltf.json["meshes"][0]["primitives"][0]["extensions"]["KHR_draco_mesh_compression"];
    json["attributes"]["POSITION"] = json!(11);
    assert_eq!(gltf.refusal(), "mesh 0, primitive 0: its Draco data has no attribute 11 for POSITION");
    gltf.json["meshes"][0]["primitives"][0]["extensions"]["KHR_draco_mesh_compression"] = json!({ "attributes": {} });
    assert!(gltf.refusal().contains("missing field `bufferView`"), "{}", gltf.refusal());
}

/// Returns the corners of every triangle.
fn triangles(model: &Model) -> Vec<[Vec3; 3]> {
    let of = |primitive: &Primitive| -> Vec<[Vec3; 3]> {
        let triangles = primitive.indices.as_chunks::<3>().0.iter();
        triangles.map(|triangle| triangle.map(|vertex| primitive.vertices.positions[vertex as usize])).collect()
    };
    model.meshes.iter().flat_map(|mesh| &mesh.primitives).flat_map(of).collect()
}

#[test]
fn the_compressed_fox_equals_the_plain_fox() {
    let Ok(samples) = std::env::var("SINEW_SAMPLES") else {
        return skip("SINEW_SAMPLES names no folder of sample models");
    };
    let load = |name: &str| asset::load(format!("{samples}/models/{name}").as_ref(), &LoadOptions::default()).unwrap().model;
    let (plain, compressed) = (load("Fox/Fox.glb"), load("Fox_draco/Fox_draco.glb"));
    let (plain, mut compressed) = (triangles(&plain), triangles(&compressed));
    assert_eq!(plain.len(), compressed.len());
    for triangle in plain {
        // The fox is 150 units long and quantized to 14 bits. Each triangle occurs once, and may begin at any of its corners.
        let is_same = |other: &[Vec3; 3]| (0..3).any(|turn| (0..3).all(|at| triangle[at].abs_diff_eq(other[(at + turn) % 3], 0.02)));
        let found = compressed.iter().position(is_same);
        compressed.swap_remove(found.unwrap_or_else(|| panic!("{triangle:?} is missing")));
    }
}

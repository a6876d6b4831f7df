//! Tests accessors: sparse, strided and quantized ones, and ones larger than their data.

use std::f32::consts::FRAC_1_SQRT_2;
use std::sync::Arc;

use glam::{Vec2, Vec3};
use serde_json::json;
use sinew::asset::{self, LoadOptions};

use crate::common::gltf_builder::{BYTE, Gltf, SHORT, png, skinned_triangle, triangle};

#[test]
fn an_accessor_without_a_view_has_zeros_and_its_sparse_values() {
    let mut gltf = triangle();
    let (places, values) = (gltf.view(&[2]), gltf.view(&[1.0f32, 2.0, 3.0].map(f32::to_le_bytes).concat()));
    let sparse = json!({
        "count": 1,
        "indices": { "bufferView": places, "componentType": 5121 },
        "values": { "bufferView": values },
    });
    let deltas = gltf.push("accessors", json!({ "componentType": 5126, "type": "VEC3", "count": 3, "sparse": sparse }));
    gltf.json["meshes"][0]["primitives"][0]["targets"] = json!([{ "POSITION": deltas }]);
    let model = gltf.model();
    assert_eq!(model.meshes[0].primitives[0].vertices.targets[0].positions, [Vec3::ZERO, Vec3::ZERO, Vec3::new(1.0, 2.0, 3.0)]);
}

#[test]
fn a_strided_accessor_reads_its_own_part_of_each_vertex() {
    let mut gltf = Gltf::new();
    // Positions and texture coordinates are interleaved. The last element ends where the view ends.
    let vertices: [[f32; 5]; 3] = [[0.0, 0.0, 0.0, 0.1, 0.2], [1.0, 0.0, 0.0, 0.3, 0.4], [0.0, 1.0, 0.0, 0.5, 0.6]];
    let view = gltf.view(&vertices.as_flattened().iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<_>>());
    gltf.json["bufferViews"][view]["byteStride"] = json!(20);
    let accessor =
        |offset: u32, type_: &str| json!({ "bufferView": view, "byteOffset": offset, "componentType": 5126, "type": type_, "count": 3 });
    let positions = gltf.push("accessors", accessor(0, "VEC3"));
    let tex_coords = gltf.push("accessors", accessor(12, "VEC2"));
    gltf.mesh_node(json!({ "attributes": { "POSITION": positions, "TEXCOORD_0": tex_coords } }));
    let model = gltf.model();
    let primitive = &model.meshes[0].primitives[0];
    assert_eq!(primitive.vertices.positions, [Vec3::ZERO, Vec3::X, Vec3::Y]);
    assert_eq!(primitive.vertices.tex_coords[0], [Vec2::new(0.1, 0.2), Vec2::new(0.3, 0.4), Vec2::new(0.5, 0.6)]);
    gltf.json["accessors"][tex_coords]["byteOffset"] = json!(16);
    assert_eq!(gltf.refusal(), "mesh 0, primitive 0: TEXCOORD_0 accessor 1 reaches 4 bytes past the end of its buffer view");
}

#[test]
fn quantized_positions_are_plain_numbers_unless_normalized() {
    let mut gltf = Gltf::new();
    let numbers: [i16; 9] = [0, 0, 0, 32767, -32768, 16384, 1, 2, 3];
    let bytes: Vec<u8> = numbers.iter().flat_map(|n| n.to_le_bytes()).collect();
    let positions = gltf.accessor(SHORT, "VEC3", 3, &bytes);
    gltf.mesh_node(json!({ "attributes": { "POSITION": positions } }));
    assert_eq!(gltf.model().meshes[0].primitives[0].vertices.positions[1], Vec3::new(32767.0, -32768.0, 16384.0));
    gltf.json["accessors"][positions]["normalized"] = json!(true);
    assert_eq!(gltf.model().meshes[0].primitives[0].vertices.positions[1], Vec3::new(1.0, -1.0, 16384.0 / 32767.0));
}

#[test]
fn an_accessor_without_data_cannot_exhaust_memory() {
    let mut gltf = triangle();
    gltf.json["accessors"][0] = json!({ "componentType": 5126, "type": "VEC3", "count": 4_000_000_000u64 });
    assert!(gltf.refusal().contains("POSITION accessor 0 has 4,000,000,000 elements without a buffer view"), "{}", gltf.refusal());
}

#[test]
fn a_small_buffer_read_hundreds_of_times_hits_a_limit() {
    let mut gltf = Gltf::new();
    let positions = gltf.floats("VEC3", &vec![0.0; 300_000]);
    let primitive = json!({ "attributes": { "POSITION": positions } });
    gltf.push("meshes", json!({ "primitives": vec![primitive; 500] }));
    assert!(gltf.refusal().contains("unpacks to more than"), "{}", gltf.refusal());
}

#[test]
fn a_file_that_many_buffers_name_counts_once_towards_the_limit() {
    let mut gltf = Gltf::new();
    let positions = gltf.floats("VEC3", &vec![0.0; 300_000]);
    let primitive = json!({ "attributes": { "POSITION": positions } });
    gltf.push("meshes", json!({ "primitives": vec![primitive; 1_000] }));
    gltf.json["buffers"] = json!(vec![json!({ "uri": "b.bin", "byteLength": gltf.bin.len() }); 200]);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("b.bin"), &gltf.bin).unwrap();
    let path = folder.path().join("a.gltf");
    std::fs::write(&path, gltf.json.to_string()).unwrap();
    let refused = asset::load(&path, &LoadOptions::default()).unwrap_err().to_string();
    assert!(refused.contains("unpacks to more than"), "{refused}");
}

#[test]
fn primitives_that_name_the_same_accessors_share_their_vertices() {
    let mut gltf = Gltf::new();
    let positions = gltf.floats("VEC3", &[0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0]);
    let normals = gltf.floats("VEC3", &[0.0, 0.0, 1.0].repeat(4));
    let tex_coords = gltf.floats("VEC2", &[0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0]);
    let faces = [gltf.u8s("SCALAR", &[0, 2, 1]), gltf.u8s("SCALAR", &[1, 2, 3])];
    let view = gltf.view(&png(1, 1, [128, 128, 255, 255]));
    gltf.push("images", json!({ "bufferView": view }));
    gltf.push("textures", json!({ "source": 0 }));
    gltf.push("materials", json!({ "normalTexture": { "index": 0 } }));
    let attributes = json!({ "POSITION": positions, "NORMAL": normals, "TEXCOORD_0": tex_coords });
    let plain = |indices: usize| json!({ "attributes": attributes, "indices": indices });
    let lit = json!({ "attributes": attributes, "indices": faces[1], "material": 0 });
    let morphed = json!({ "attributes": attributes, "indices": faces[1], "targets": [{ "POSITION": positions }] });
    let bare = json!({ "attributes": { "POSITION": positions }, "indices": faces[1] });
    for primitives in [vec![plain(faces[0]), lit, bare], vec![plain(faces[1])], vec![morphed]] {
        gltf.push("meshes", json!({ "primitives": primitives }));
    }
    let model = gltf.model();
    let [first, tangents, bare] = &model.meshes[0].primitives[..] else { panic!() };
    let [other, morphed] = [1, 2].map(|mesh| &model.meshes[mesh].primitives[0]);
    assert!(Arc::ptr_eq(&first.vertices, &other.vertices), "primitives of another mesh share them, too");
    assert_eq!((&first.indices[..], &other.indices[..]), (&[0, 2, 1][..], &[1, 2, 3][..]));
    assert_eq!(
        (first.vertices.tangents.len(), tangents.vertices.tangents.len()),
        (0, 4),
        "only a material with a normal texture needs tangents"
    );
    assert_eq!((first.vertices.targets.len(), morphed.vertices.targets.len()), (0, 1));
    assert!(bare.vertices.normals.is_empty());
}

#[test]
fn shared_vertices_are_not_copied_for_each_primitive() {
    let mut gltf = skinned_triangle();
    let normals = gltf.floats("VEC3", &[0.0, 0.0, 1.0].repeat(3));
    let tex_coords = gltf.floats("VEC2", &[0.0, 0.0, 1.0, 0.0, 0.0, 1.0]);
    let faces = [gltf.u8s("SCALAR", &[0, 1, 2]), gltf.u8s("SCALAR", &[1, 2, 0])];
    // Joint 99 does not exist, but has no weight.
    let joints = gltf.u8s("VEC4", &[0, 99, 99, 99].repeat(3));
    let view = gltf.view(&png(1, 1, [128, 128, 255, 255]));
    gltf.push("images", json!({ "bufferView": view }));
    gltf.push("textures", json!({ "source": 0 }));
    gltf.push("materials", json!({}));
    gltf.push("materials", json!({ "normalTexture": { "index": 0 } }));
    let mut attributes = gltf.json["meshes"][0]["primitives"][0]["attributes"].clone();
    for (name, accessor) in [("NORMAL", normals), ("TEXCOORD_0", tex_coords), ("JOINTS_0", joints)] {
        attributes[name] = json!(accessor);
    }
    let primitive = |material: usize, faces: usize| json!({ "attributes": attributes, "indices": faces, "material": material });
    let mut morphed = primitive(0, faces[0]);
    morphed["targets"] = json!([{ "POSITION": 0 }]);
    let [first, second] = faces;
    gltf.json["meshes"][0]["primitives"] =
        json!([morphed, primitive(0, first), primitive(0, second), primitive(1, first), primitive(1, second)]);
    let model = gltf.model();
    let [morphed, plain @ .., lit, other_lit] = &model.meshes[0].primitives[..] else { panic!() };
    assert!(Arc::ptr_eq(&plain[0].vertices, &plain[1].vertices), "the missing morph target is added once");
    assert!(Arc::ptr_eq(&lit.vertices, &other_lit.vertices), "tangents are added once");
    assert_eq!((plain[0].vertices.targets.len(), morphed.vertices.targets.len(), lit.vertices.targets.len()), (1, 1, 1));
    assert_eq!((plain[0].vertices.tangents.len(), lit.vertices.tangents.len()), (0, 3));
    assert_eq!(plain[0].vertices.influences.joints, [[0; 4]; 3]);
}

#[test]
fn normals_stored_as_bytes_decode_to_unit_length() {
    let mut gltf = triangle();
    let normals = gltf.accessor(BYTE, "VEC4", 3, &[0; 12]);
    gltf.json["accessors"][normals] = json!({ "bufferView": 1, "componentType": BYTE, "type": "VEC3", "count": 3, "normalized": true });
    gltf.json["bufferViews"][1]["byteStride"] = json!(4);
    let start = gltf.bin.len() - 12;
    gltf.bin[start..].copy_from_slice(&[89, 89, 0, 0, 0, 0x80, 0, 0, 0, 0, 127, 0]);
    gltf.json["meshes"][0]["primitives"][0]["attributes"]["NORMAL"] = json!(normals);
    let model = gltf.model();
    let normals = &model.meshes[0].primitives[0].vertices.normals;
    assert!((normals[0] - Vec3::new(FRAC_1_SQRT_2, FRAC_1_SQRT_2, 0.0)).length() < 1e-6);
    assert_eq!(normals[1..], [Vec3::NEG_Y, Vec3::Z], "-128 is -1, not less");
}

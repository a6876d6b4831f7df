//! Floor 2: bytes to a model. Each rule of the specification that loaders get wrong, with values worked out by hand.

mod support;

use std::f32::consts::FRAC_1_SQRT_2;
use std::fs;
use std::sync::Arc;

use glam::{Affine3A, Quat, Vec2, Vec3, Vec3A, Vec4};
use serde_json::json;
use sinew::asset::error::{LoadError, Problem};
use sinew::asset::progress::Progress;
use sinew::asset::texels::{DecodedImage, Wanted};
use sinew::asset::{self, LoadOptions};
use sinew::model::animation::{Interpolation, Target};
use sinew::model::camera::Projection;
use sinew::model::finding::Severity;
use sinew::model::material::AlphaMode;
use sinew::model::mesh::Topology;
use sinew::model::node::NodeIndex;
use sinew::model::texture::Wrap;
use sinew::session::posing::{self, Posed};
use sinew::session::view::View;
use support::{BYTE, Gltf, SHORT, codes, finding, glb, png, skinned_triangle, triangle};

// The container

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
fn a_glb_with_unknown_chunks_is_read_and_says_so() {
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
fn an_index_beyond_32_bits_does_not_wrap_round_to_an_existing_one() {
    let mut gltf = triangle();
    gltf.json["nodes"][0]["mesh"] = json!(1u64 << 32);
    assert!(gltf.refusal().starts_with("node 0: mesh "), "{}", gltf.refusal());
}

#[test]
fn a_schema_error_tells_its_place() {
    let mut gltf = triangle();
    gltf.push("nodes", json!({ "matrix": [1, 2, 3] }));
    assert!(gltf.refusal().starts_with("/nodes/1: invalid length 3"), "{}", gltf.refusal());
}

// Extensions

#[test]
fn a_required_extension_that_is_missing_is_named_and_an_optional_one_is_noted() {
    let mut gltf = triangle();
    gltf.json["extensionsUsed"] = json!(["ACME_compression", "ACME_magic", "KHR_materials_volume_scatter"]);
    let model = gltf.model();
    assert_eq!(codes(&model), ["UNSUPPORTED_EXTENSION"; 3]);
    assert!(model.findings.iter().all(|finding| finding.severity == Severity::Info));
    gltf.json["extensionsRequired"] = json!(["ACME_compression", "ACME_magic", "KHR_materials_volume_scatter"]);
    assert_eq!(gltf.refusal(), "the file cannot be shown without ACME_compression, ACME_magic");
    gltf.json["extensionsRequired"] = json!(["KHR_materials_volume_scatter", "KHR_mesh_quantization"]);
    let model = gltf.model();
    assert_eq!(finding(&model, "UNSUPPORTED_EXTENSION").severity, Severity::Warning);
    let quantization = model.asset.extensions.iter().find(|extension| extension.name == "KHR_mesh_quantization").unwrap();
    assert!(quantization.required && quantization.supported);
}

#[test]
fn nonsense_in_an_extension_that_nobody_reads_is_no_reason_to_refuse_a_file() {
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
fn node_visibility_and_lights_are_read() {
    let mut gltf = triangle();
    gltf.json["nodes"][0]["extensions"] = json!({ "KHR_node_visibility": { "visible": false }, "KHR_lights_punctual": { "light": 0 } });
    gltf.json["extensions"] = json!({ "KHR_lights_punctual": { "lights": [{ "type": "spot", "intensity": 3, "spot": {} }] } });
    let model = gltf.model();
    assert!(!model.nodes[0].visible);
    assert_eq!(model.nodes[0].light, Some(0));
    assert_eq!(model.lights[0].intensity, 3.0);
}

// Accessors

#[test]
fn hard_case_36_an_accessor_without_a_view_is_zeros_with_the_sparse_values_on_top() {
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
    // Position and texture coordinate, interleaved; the last element ends with the view.
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
    assert_eq!(gltf.refusal(), "mesh 0, primitive 0: TEXCOORD_0 accessor 1 reads 4 bytes past its buffer view");
}

#[test]
fn hard_case_19_quantized_positions_are_plain_numbers_unless_normalized() {
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
fn an_accessor_that_no_byte_backs_cannot_ask_for_the_whole_memory() {
    let mut gltf = triangle();
    gltf.json["accessors"][0] = json!({ "componentType": 5126, "type": "VEC3", "count": 4_000_000_000u64 });
    assert!(gltf.refusal().contains("POSITION accessor 0 has 4000000000 elements that the file does not hold"), "{}", gltf.refusal());
}

#[test]
fn a_small_buffer_read_thousands_of_times_meets_a_limit() {
    let mut gltf = Gltf::new();
    let positions = gltf.floats("VEC3", &vec![0.0; 300_000]);
    let primitive = json!({ "attributes": { "POSITION": positions } });
    gltf.push("meshes", json!({ "primitives": vec![primitive; 5_000] }));
    assert!(gltf.refusal().contains("unpacks to more than"), "{}", gltf.refusal());
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
    assert!(Arc::ptr_eq(&first.vertices, &other.vertices), "of another mesh, too");
    assert_eq!((&first.indices[..], &other.indices[..]), (&[0, 2, 1][..], &[1, 2, 3][..]));
    assert_eq!((first.vertices.tangents.len(), tangents.vertices.tangents.len()), (0, 4), "generated ones are one primitive's own");
    assert_eq!((first.vertices.targets.len(), morphed.vertices.targets.len()), (0, 1));
    assert!(bare.vertices.normals.is_empty());
}

#[test]
fn normals_of_bytes_come_out_at_unit_length() {
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

// Meshes

#[test]
fn strips_fans_and_loops_become_lists_in_the_specifications_order() {
    let expanded = |mode: u32, vertices: &[u16]| {
        let mut gltf = Gltf::new();
        let positions = gltf.floats("VEC3", &[0.0; 15]);
        let indices = gltf.u16s("SCALAR", vertices);
        gltf.mesh_node(json!({ "attributes": { "POSITION": positions }, "indices": indices, "mode": mode }));
        let primitive = gltf.model().meshes[0].primitives[0].clone();
        (primitive.topology, primitive.indices)
    };
    assert_eq!(expanded(0, &[4, 2]), (Topology::Points, vec![4, 2]));
    assert_eq!(expanded(1, &[0, 1, 2, 3]), (Topology::Lines, vec![0, 1, 2, 3]));
    assert_eq!(expanded(2, &[0, 1, 2]), (Topology::Lines, vec![0, 1, 1, 2, 2, 0]));
    assert_eq!(expanded(3, &[0, 1, 2]), (Topology::Lines, vec![0, 1, 1, 2]));
    // 3.7.2.1: p_i = { v_i, v_i+(1+i%2), v_i+(2-i%2) }, and for fans p_i = { v_i+1, v_i+2, v_0 }.
    assert_eq!(expanded(5, &[0, 1, 2, 3, 4]), (Topology::Triangles, vec![0, 1, 2, 1, 3, 2, 2, 3, 4]));
    assert_eq!(expanded(6, &[0, 1, 2, 3]), (Topology::Triangles, vec![1, 2, 0, 2, 3, 0]));
}

#[test]
fn vertices_left_over_after_the_last_triangle_are_ignored_with_a_finding() {
    let mut gltf = triangle();
    let indices = gltf.u8s("SCALAR", &[0, 1, 2, 0]);
    gltf.json["meshes"][0]["primitives"][0]["indices"] = json!(indices);
    let model = gltf.model();
    assert_eq!(model.meshes[0].primitives[0].indices, [0, 1, 2]);
    assert_eq!(codes(&model), ["MESH_PRIMITIVE_INCOMPATIBLE_MODE"]);
}

#[test]
fn a_vertex_index_out_of_range_is_an_error_that_names_it() {
    let mut gltf = triangle();
    let indices = gltf.u8s("SCALAR", &[0, 1, 3]);
    gltf.json["meshes"][0]["primitives"][0]["indices"] = json!(indices);
    gltf.json["meshes"][0]["name"] = json!("Hair");
    assert_eq!(gltf.refusal(), r#"mesh 0 "Hair", primitive 0: index 2 names vertex 3 of 3"#);
}

#[test]
fn an_attribute_of_another_length_is_left_out_and_the_mesh_still_opens() {
    let mut gltf = triangle();
    let normals = gltf.floats("VEC3", &[0.0, 0.0, 1.0]);
    gltf.json["meshes"][0]["primitives"][0]["attributes"]["NORMAL"] = json!(normals);
    let model = gltf.model();
    assert!(model.meshes[0].primitives[0].vertices.normals.is_empty());
    assert_eq!(finding(&model, "MESH_PRIMITIVE_UNEQUAL_ACCESSOR_COUNT").pointer, "/meshes/0/primitives/0/attributes/NORMAL");
}

#[test]
fn a_primitive_that_is_left_out_keeps_the_numbers_of_the_others() {
    let mut gltf = triangle();
    gltf.json["meshes"][0]["primitives"] = json!([{ "attributes": {} }, { "attributes": { "POSITION": 0 } }]);
    let model = gltf.model();
    assert_eq!(model.meshes[0].primitives.len(), 1);
    assert_eq!(model.meshes[0].primitives[0].source, 1);
}

#[test]
fn colours_without_alpha_are_opaque_and_integers_are_fractions() {
    let mut gltf = triangle();
    let colors = gltf.u8s("VEC3", &[255, 0, 51, 0, 255, 0, 0, 0, 255]);
    gltf.json["accessors"][colors]["normalized"] = json!(true);
    gltf.json["meshes"][0]["primitives"][0]["attributes"]["COLOR_0"] = json!(colors);
    assert_eq!(gltf.model().meshes[0].primitives[0].vertices.colors[0], Vec4::new(1.0, 0.0, 0.2, 1.0));
}

#[test]
fn hard_case_34_a_nodes_own_weights_win_over_its_meshs() {
    let mut gltf = triangle();
    gltf.json["meshes"][0]["primitives"][0]["targets"] = json!([{ "POSITION": 0 }, { "POSITION": 0 }]);
    gltf.json["meshes"][0]["weights"] = json!([0.25, 0.5]);
    gltf.json["meshes"][0]["extras"] = json!({ "targetNames": ["smile", "frown"] });
    gltf.push("nodes", json!({ "mesh": 0, "weights": [1.0, -2.0] }));
    let model = gltf.model();
    assert_eq!(model.rest_weights, [0.25, 0.5, 1.0, -2.0]);
    assert_eq!((model.nodes[0].weights.clone(), model.nodes[1].weights.clone()), (0..2, 2..4));
    assert_eq!(model.meshes[0].target_names, ["smile", "frown"]);
}

#[test]
fn hard_case_35_there_may_be_any_number_of_morph_targets() {
    let mut gltf = triangle();
    gltf.json["meshes"][0]["primitives"][0]["targets"] = json!(vec![json!({ "POSITION": 0 }); 300]);
    let model = gltf.model();
    assert_eq!(model.meshes[0].target_count, 300);
    assert_eq!(model.meshes[0].primitives[0].vertices.targets[299].positions[2], Vec3::Y);
}

#[test]
fn morph_targets_times_nodes_cannot_ask_for_the_whole_memory() {
    let mut gltf = triangle();
    gltf.json["meshes"][0]["primitives"][0]["targets"] = json!(vec![json!({}); 20_000]);
    for _ in 0..1_000 {
        gltf.push("nodes", json!({ "mesh": 0 }));
    }
    assert!(gltf.refusal().contains("more morph weights than"), "{}", gltf.refusal());
}

// Tangents

/// A unit square facing +z, u to the right, v down the picture as in glTF.
fn textured_square(mirrored: bool) -> Gltf {
    let mut gltf = Gltf::new();
    let positions = gltf.floats("VEC3", &[0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 0.0]);
    let normals = gltf.floats("VEC3", &[0.0, 0.0, 1.0].repeat(4));
    let u = if mirrored { [1.0, 0.0] } else { [0.0, 1.0] };
    let tex_coords = gltf.floats("VEC2", &[u[0], 0.0, u[0], 1.0, u[1], 0.0, u[1], 1.0]);
    let indices = gltf.u8s("SCALAR", &[0, 1, 2, 2, 1, 3]);
    let view = gltf.view(&png(1, 1, [128, 128, 255, 255]));
    gltf.push("images", json!({ "bufferView": view, "mimeType": "image/png" }));
    gltf.push("textures", json!({ "source": 0 }));
    gltf.push("materials", json!({ "normalTexture": { "index": 0 } }));
    gltf.mesh_node(json!({
        "attributes": { "POSITION": positions, "NORMAL": normals, "TEXCOORD_0": tex_coords },
        "indices": indices,
        "material": 0,
    }));
    gltf
}

#[test]
fn a_normal_texture_gets_tangents_along_u_and_bitangents_up_the_picture() {
    let model = textured_square(false).model();
    let primitive = &model.meshes[0].primitives[0];
    assert_eq!(primitive.vertices.tangents, [Vec4::new(1.0, 0.0, 0.0, 1.0); 4]);
    // bitangent = cross(normal, tangent) * w: up, where v is small.
    assert_eq!(Vec3::Z.cross(Vec3::X) * primitive.vertices.tangents[0].w, Vec3::Y);
    let mirrored = textured_square(true).model();
    assert_eq!(mirrored.meshes[0].primitives[0].vertices.tangents, [Vec4::new(-1.0, 0.0, 0.0, -1.0); 4]);
}

#[test]
fn a_vertex_between_mirrored_halves_is_split_and_its_copy_carries_everything() {
    let mut gltf = Gltf::new();
    // Two triangles share the edge 0-1; u runs away from it on both sides.
    let positions = gltf.floats("VEC3", &[0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    let normals = gltf.floats("VEC3", &[0.0, 0.0, 1.0].repeat(4));
    let tex_coords = gltf.floats("VEC2", &[0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0]);
    let indices = gltf.u8s("SCALAR", &[0, 1, 2, 0, 3, 1]);
    let joints = gltf.u8s("VEC4", &[0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    let weights = gltf.floats("VEC4", &[1.0, 0.0, 0.0, 0.0].repeat(4));
    let view = gltf.view(&png(1, 1, [128, 128, 255, 255]));
    gltf.push("images", json!({ "bufferView": view }));
    gltf.push("textures", json!({ "source": 0 }));
    gltf.push("materials", json!({ "normalTexture": { "index": 0 } }));
    gltf.mesh_node(json!({
        "attributes": { "POSITION": positions, "NORMAL": normals, "TEXCOORD_0": tex_coords, "JOINTS_0": joints, "WEIGHTS_0": weights },
        "indices": indices,
        "material": 0,
        "targets": [{ "POSITION": positions, "NORMAL": normals }],
    }));
    let model = gltf.model();
    let primitive = &model.meshes[0].primitives[0];
    assert_eq!((primitive.source_vertex_count, primitive.vertices.positions.len()), (4, 6));
    // Copies of 0 and 1, in the order in which the second triangle meets them.
    assert_eq!(primitive.indices, [0, 1, 2, 4, 3, 5]);
    assert_eq!(primitive.vertices.positions[4..], [Vec3::ZERO, Vec3::Y]);
    assert_eq!(primitive.vertices.targets[0].positions[4..], [Vec3::ZERO, Vec3::Y]);
    assert_eq!(
        (primitive.vertices.normals.len(), primitive.vertices.tex_coords[0].len(), primitive.vertices.targets[0].normals.len()),
        (6, 6, 6)
    );
    assert_eq!(primitive.vertices.influences.joints[4..], [[0, 0, 0, 0], [1, 0, 0, 0]]);
    assert_eq!((primitive.vertices.tangents[2].x, primitive.vertices.tangents[3].x), (-1.0, 1.0));
    assert_eq!((primitive.vertices.tangents[0].x, primitive.vertices.tangents[4].x), (-1.0, 1.0));
}

// Nodes and scenes

#[test]
fn nodes_stand_depth_first_with_children_in_the_files_order() {
    let mut gltf = Gltf::new();
    for node in [json!({}), json!({ "children": [3, 0] }), json!({ "name": "x" }), json!({ "children": [2] }), json!({})] {
        gltf.push("nodes", node);
    }
    let model = gltf.model();
    let sources: Vec<_> = model.nodes.iter().map(|node| node.source).collect();
    assert_eq!(sources, [1, 3, 2, 0, 4]);
    assert_eq!(model.hierarchy.parents, [None, Some(NodeIndex(0)), Some(NodeIndex(1)), Some(NodeIndex(0)), None]);
    assert_eq!(model.hierarchy.subtree_ends, [4, 3, 3, 4, 5]);
    assert_eq!(model.node_of_source, [3, 0, 2, 1, 4].map(NodeIndex));
}

#[test]
fn a_chain_of_a_hundred_thousand_nodes_opens() {
    let mut gltf = Gltf::new();
    let nodes: Vec<_> = (1..100_000).map(|child| json!({ "children": [child] })).chain([json!({})]).collect();
    gltf.json["nodes"] = json!(nodes);
    let model = gltf.model();
    assert_eq!(model.hierarchy.subtree_ends, vec![100_000; 100_000]);
}

#[test]
fn a_loop_of_nodes_is_cut_once_and_everything_on_it_stays() {
    let mut gltf = Gltf::new();
    // 0 hangs below the loop 1 -> 2 -> 1, 3 is by itself.
    for node in [json!({}), json!({ "children": [2] }), json!({ "children": [1, 0] }), json!({})] {
        gltf.push("nodes", node);
    }
    let model = gltf.model();
    assert_eq!(codes(&model), ["NODE_LOOP"]);
    assert_eq!(model.nodes.len(), 4);
    assert_eq!(model.hierarchy.roots().count(), 2);
    let above_0 = model.hierarchy.parent(model.node_of_source[0]).unwrap();
    assert_eq!(model.node(above_0).source, 2);
}

#[test]
fn a_node_with_two_parents_is_an_error() {
    let mut gltf = Gltf::new();
    for node in [json!({ "children": [2] }), json!({ "children": [2] }), json!({})] {
        gltf.push("nodes", node);
    }
    assert!(matches!(gltf.load(), Err(LoadError::At { problem: Problem::TwoParents { first: 0, second: 1 }, .. })));
}

#[test]
fn hard_case_33_a_matrix_is_kept_unless_it_is_animated() {
    let mut gltf = Gltf::new();
    // Sheared: no translation, rotation and scale can say it.
    let sheared = json!([1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 1, 2, 3, 1]);
    let scaled = json!([2, 0, 0, 0, 0, 3, 0, 0, 0, 0, 4, 0, 5, 6, 7, 1]);
    gltf.push("nodes", json!({ "matrix": sheared }));
    gltf.push("nodes", json!({ "matrix": scaled }));
    let output = gltf.floats("VEC3", &[0.0, 0.0, 0.0]);
    gltf.animation(&[(1, "translation", "LINEAR", &[0.0], output)]);
    let model = gltf.model();
    let kept = model.hierarchy.fixed_local[0].unwrap();
    assert_eq!(kept, Affine3A::from_cols(Vec3::X.into(), Vec3A::new(0.5, 1.0, 0.0), Vec3::Z.into(), Vec3::new(1.0, 2.0, 3.0).into()));
    assert_eq!(model.hierarchy.fixed_local[1], None);
    assert_eq!(model.hierarchy.rest[1].scale, Vec3A::new(2.0, 3.0, 4.0));
    assert_eq!(model.hierarchy.rest[1].translation, Vec3A::new(5.0, 6.0, 7.0));
    assert_eq!(finding(&model, "ANIMATION_CHANNEL_TARGET_NODE_MATRIX").pointer, "/animations/0/channels/0/target");
}

#[test]
fn a_matrix_node_whose_weights_alone_are_animated_keeps_its_matrix() {
    let mut gltf = triangle();
    gltf.json["meshes"][0]["primitives"][0]["targets"] = json!([{ "POSITION": 0 }]);
    gltf.json["nodes"][0]["matrix"] = json!([2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1]);
    let output = gltf.floats("SCALAR", &[0.0]);
    gltf.animation(&[(0, "weights", "LINEAR", &[0.0], output)]);
    let model = gltf.model();
    assert!(model.hierarchy.fixed_local[0].is_some());
    assert_eq!(codes(&model), [""; 0]);
}

#[test]
fn hard_case_47_scenes_may_be_none_or_several_or_without_nodes() {
    let mut gltf = Gltf::new();
    gltf.push("nodes", json!({}));
    assert_eq!(gltf.model().scene_or_default(None), None);
    gltf.push("scenes", json!({ "name": "empty" }));
    gltf.push("scenes", json!({ "nodes": [0] }));
    let model = gltf.model();
    assert_eq!((model.default_scene, model.scene_or_default(None)), (None, Some(0)));
    assert_eq!(model.scenes[1].roots, [NodeIndex(0)]);
    gltf.json["scene"] = json!(1);
    assert_eq!(gltf.model().default_scene, Some(1));
    gltf.json["scene"] = json!(2);
    assert_eq!(gltf.refusal(), "the file: scene 2 does not exist (the file has 2)");
}

#[test]
fn a_camera_that_makes_no_picture_gets_a_usual_lens() {
    let mut gltf = Gltf::new();
    gltf.push("cameras", json!({ "type": "perspective", "perspective": { "yfov": 0, "znear": 0 } }));
    gltf.push("cameras", json!({ "type": "orthographic", "orthographic": { "xmag": 2, "ymag": 1, "znear": 0, "zfar": 9 } }));
    let model = gltf.model();
    assert!(matches!(model.cameras[0].projection, Projection::Perspective { yfov, .. } if yfov > 0.0));
    assert_eq!(model.cameras[1].projection, Projection::Orthographic { xmag: 2.0, ymag: 1.0, znear: 0.0, zfar: 9.0 });
    assert_eq!(codes(&model), ["CAMERA_INVALID"]);
}

// Skins

/// World position of a vertex at rest, by the formula of 3.7.3.3.
fn skinned_position(gltf: &Gltf, vertex: usize) -> Vec3 {
    let model = gltf.model();
    let mut posed = Posed::new(&model);
    posing::pose(&model, &View::default(), 0.0, &mut posed);
    let primitive = &model.meshes[0].primitives[0];
    let skin = &model.skins[0];
    let sets = primitive.vertices.influences.sets;
    let influences = primitive.vertices.influences.joints[vertex * sets..(vertex + 1) * sets].as_flattened();
    let weights = primitive.vertices.influences.weights[vertex * sets..(vertex + 1) * sets].as_flattened();
    let position = primitive.vertices.positions[vertex].as_dvec3();
    let moved = |(&joint, &weight): (&u16, &f32)| {
        let matrix = posed.globals[skin.joints[joint as usize].index()] * skin.inverse_bind_matrices[joint as usize].as_daffine3();
        matrix.transform_point3(position) * f64::from(weight)
    };
    influences.iter().zip(weights).map(moved).sum::<glam::DVec3>().as_vec3()
}

#[test]
fn hard_case_2_no_inverse_bind_matrices_means_identities() {
    let mut gltf = skinned_triangle();
    assert_eq!(skinned_position(&gltf, 2), Vec3::Y);
    gltf.json["skins"][0].as_object_mut().unwrap().remove("inverseBindMatrices");
    assert_eq!(gltf.model().skins[0].inverse_bind_matrices, [Affine3A::IDENTITY; 2]);
    assert_eq!(skinned_position(&gltf, 2), Vec3::new(0.0, 2.0, 0.0));
}

#[test]
fn hard_cases_5_and_6_joints_need_no_common_root_and_no_scene() {
    let mut gltf = skinned_triangle();
    gltf.json["nodes"][1] = json!({ "name": "hip" });
    gltf.json["scenes"][0]["nodes"] = json!([0]);
    let model = gltf.model();
    assert_eq!(model.skins[0].joints.len(), 2);
    assert_eq!(codes(&model), [""; 0]);
    assert_eq!(skinned_position(&gltf, 2), Vec3::Y);
}

#[test]
fn hard_cases_7_and_8_one_mesh_in_two_skins_that_share_joints_has_two_ranges_of_the_palette() {
    let mut gltf = skinned_triangle();
    gltf.push("skins", json!({ "joints": [2, 1] }));
    gltf.push("nodes", json!({ "mesh": 0, "skin": 1 }));
    let model = gltf.model();
    assert_eq!((model.skins[0].matrices.clone(), model.skins[1].matrices.clone()), (0..2, 2..4));
    let rigid: Vec<_> = model.nodes.iter().filter_map(|node| Some((node.source, node.rigid_matrix?))).collect();
    assert_eq!(rigid, [(0, 4), (3, 5)], "after all skins");
    assert_eq!(model.palette_len, 6);
}

#[test]
fn hard_case_10_every_set_of_joints_and_weights_counts() {
    let mut gltf = skinned_triangle();
    let joints = gltf.u16s("VEC4", &[1, 0, 0, 0].repeat(3));
    let weights = gltf.floats("VEC4", &[1.0, 0.0, 0.0, 0.0].repeat(3));
    let attributes = &mut gltf.json["meshes"][0]["primitives"][0]["attributes"];
    attributes["JOINTS_1"] = json!(joints);
    attributes["WEIGHTS_1"] = json!(weights);
    let model = gltf.model();
    let influences = &model.meshes[0].primitives[0].vertices.influences;
    assert_eq!(influences.sets, 2);
    assert_eq!(influences.joints[..2], [[0, 0, 0, 0], [1, 0, 0, 0]]);
    assert_eq!(influences.weights, [[0.5, 0.0, 0.0, 0.0]; 6], "both sets together sum to one");
}

#[test]
fn hard_case_11_weights_are_made_to_sum_to_one_and_none_at_all_means_joint_0() {
    let mut gltf = skinned_triangle();
    let weights = gltf.floats("VEC4", &[0.5, 0.25, 0.25, 0.0, 0.49, 0.49, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    gltf.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"] = json!(weights);
    let model = gltf.model();
    let influences = &model.meshes[0].primitives[0].vertices.influences;
    assert_eq!(influences.weights, [[0.5, 0.25, 0.25, 0.0], [0.5, 0.5, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]]);
    assert_eq!(influences.joints[2], [0, 0, 0, 0], "it was joint 1");
    assert_eq!(codes(&model), ["ACCESSOR_WEIGHTS_ALL_ZERO", "ACCESSOR_WEIGHTS_NON_NORMALIZED"]);
    assert!(finding(&model, "ACCESSOR_WEIGHTS_NON_NORMALIZED").message.contains("1 vertices"));
}

#[test]
fn hard_case_12_weights_may_be_bytes_or_shorts() {
    for wide in [false, true] {
        let mut gltf = skinned_triangle();
        let weights = if wide { gltf.u16s("VEC4", &[39321, 26214, 0, 0].repeat(3)) } else { gltf.u8s("VEC4", &[153, 102, 0, 0].repeat(3)) };
        gltf.json["accessors"][weights]["normalized"] = json!(true);
        gltf.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"] = json!(weights);
        let model = gltf.model();
        let [a, b, ..] = model.meshes[0].primitives[0].vertices.influences.weights[0];
        assert!((a - 0.6).abs() < 1e-6 && (b - 0.4).abs() < 1e-6);
        assert_eq!(codes(&model), [""; 0]);
    }
}

#[test]
fn hard_case_17_influences_without_a_skin_stay_and_need_no_joints() {
    let mut gltf = skinned_triangle();
    gltf.json["nodes"][0].as_object_mut().unwrap().remove("skin");
    let joints = gltf.u16s("VEC4", &[60_000; 12]);
    gltf.json["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"] = json!(joints);
    let model = gltf.model();
    assert_eq!(model.nodes[0].skin, None);
    assert!(model.nodes[0].rigid_matrix.is_some());
}

#[test]
fn a_joint_that_the_skin_does_not_have_is_an_error_unless_it_has_no_weight() {
    let mut gltf = skinned_triangle();
    let joints = gltf.u8s("VEC4", &[0, 99, 99, 99, 1, 0, 0, 0, 0, 0, 0, 0]);
    gltf.json["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"] = json!(joints);
    assert_eq!(gltf.model().meshes[0].primitives[0].vertices.influences.joints[0], [0, 0, 0, 0]);
    gltf.json["skins"][0]["joints"] = json!([1]);
    assert_eq!(gltf.refusal(), "mesh 0, primitive 0: vertex 1 is moved by joint 1, but skin 0 has 1 joints");
}

#[test]
fn hard_case_50_a_joint_named_twice_by_a_vertex_counts_twice() {
    let mut gltf = skinned_triangle();
    let weights = gltf.floats("VEC4", &[0.5, 0.5, 0.0, 0.0].repeat(3));
    gltf.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"] = json!(weights);
    let joints = gltf.u8s("VEC4", &[1, 1, 0, 0].repeat(3));
    gltf.json["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"] = json!(joints);
    assert_eq!(skinned_position(&gltf, 2), Vec3::Y);
}

#[test]
fn hard_case_48_a_skeleton_with_an_animation_needs_no_mesh() {
    let mut gltf = Gltf::new();
    gltf.push("nodes", json!({ "children": [1] }));
    gltf.push("nodes", json!({ "translation": [0, 1, 0] }));
    gltf.push("skins", json!({ "joints": [0, 1] }));
    let output = gltf.floats("VEC3", &[0.0, 0.0, 0.0, 0.0, 2.0, 0.0]);
    gltf.animation(&[(1, "translation", "LINEAR", &[0.0, 1.0], output)]);
    let model = gltf.model();
    assert_eq!((model.meshes.len(), model.skins[0].joints.len(), model.animations.len()), (0, 2, 1));
    assert_eq!(model.palette_len, 2);
}

// Animations

/// One node, and one channel that drives it.
fn moving(path: &str, interpolation: &str, times: &[f32], type_: &str, values: &[f32]) -> Gltf {
    let mut gltf = Gltf::new();
    gltf.push("nodes", json!({}));
    let output = gltf.floats(type_, values);
    gltf.animation(&[(0, path, interpolation, times, output)]);
    gltf
}

#[test]
fn hard_case_20_the_duration_is_the_largest_key_time_whatever_the_first() {
    let mut gltf = Gltf::new();
    gltf.push("nodes", json!({}));
    let output = gltf.floats("VEC3", &[0.0; 6]);
    gltf.animation(&[(0, "translation", "LINEAR", &[10.0, 12.0], output), (0, "scale", "STEP", &[0.5, 20.0], output)]);
    assert_eq!(gltf.model().animations[0].duration, 20.0);
}

#[test]
fn hard_case_24_one_key_is_an_animation_of_no_length() {
    let model = moving("translation", "LINEAR", &[0.0], "VEC3", &[1.0, 2.0, 3.0]).model();
    assert_eq!((model.animations[0].duration, model.animations[0].channels[0].output.len()), (0.0, 3));
    assert_eq!(codes(&model), [""; 0]);
}

#[test]
fn hard_case_25_key_times_out_of_order_are_sorted_with_their_values() {
    let model = moving("translation", "LINEAR", &[1.0, 0.0, 0.5], "VEC3", &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 5.0, 5.0, 5.0]).model();
    let animation = &model.animations[0];
    assert_eq!(animation.key_times, [[0.0, 0.5, 1.0]]);
    assert_eq!(animation.channels[0].output, [0.0, 0.0, 0.0, 5.0, 5.0, 5.0, 1.0, 1.0, 1.0]);
    assert_eq!(codes(&model), ["ACCESSOR_ANIMATION_INPUT_NON_INCREASING"]);
}

#[test]
fn key_times_that_are_no_numbers_take_their_values_with_them() {
    let times = [0.0, f32::NAN, 2.0, f32::INFINITY];
    let model = moving("translation", "LINEAR", &times, "VEC3", &[0.0, 0.0, 0.0, 9.0, 9.0, 9.0, 2.0, 2.0, 2.0, 9.0, 9.0, 9.0]).model();
    let animation = &model.animations[0];
    assert_eq!(animation.key_times, [[0.0, 2.0]]);
    assert_eq!(animation.channels[0].output, [0.0, 0.0, 0.0, 2.0, 2.0, 2.0]);
    assert_eq!(animation.duration, 2.0);
}

#[test]
fn a_key_with_a_number_that_is_none_repeats_the_key_before() {
    let nan = f32::NAN;
    let model = moving("scale", "LINEAR", &[0.0, 1.0, 2.0], "VEC3", &[nan, 1.0, 1.0, 3.0, 3.0, 3.0, 1.0, nan, 1.0]).model();
    assert_eq!(model.animations[0].channels[0].output, [1.0, 1.0, 1.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0]);
    assert_eq!(codes(&model), ["ACCESSOR_INVALID_FLOAT"]);
}

#[test]
fn hard_case_27_rotation_keys_are_kept_as_the_file_has_them() {
    let keys = [0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0];
    let model = moving("rotation", "LINEAR", &[0.0, 1.0], "VEC4", &keys).model();
    assert_eq!(model.animations[0].channels[0].output, keys);
    assert_eq!(codes(&model), ["ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION"]);
}

#[test]
fn hard_case_29_cubic_weights_are_all_in_tangents_then_all_values_then_all_out_tangents() {
    let mut gltf = triangle();
    gltf.json["meshes"][0]["primitives"][0]["targets"] = json!([{ "POSITION": 0 }, { "POSITION": 0 }]);
    let keys = [0.1, 0.2, 1.0, 2.0, 0.3, 0.4, 0.5, 0.6, 3.0, 4.0, 0.7, 0.8];
    let output = gltf.floats("SCALAR", &keys);
    gltf.animation(&[(0, "weights", "CUBICSPLINE", &[0.0, 1.0], output)]);
    let model = gltf.model();
    let channel = &model.animations[0].channels[0];
    assert_eq!((channel.components, channel.interpolation), (2, Interpolation::CubicSpline));
    assert_eq!(channel.output, keys);
    let mut posed = Posed::new(&model);
    let view = View { animation: Some(0), ..View::default() };
    posing::pose(&model, &view, 1.0, &mut posed);
    assert_eq!(posed.pose.weights, [3.0, 4.0]);
}

#[test]
fn hard_case_31_integer_rotations_and_weights_are_fractions() {
    let mut gltf = Gltf::new();
    gltf.push("nodes", json!({}));
    let keys: [i16; 4] = [0, -32768, 0, 32767];
    let output = gltf.accessor(SHORT, "VEC4", 1, &keys.map(i16::to_le_bytes).concat());
    gltf.json["accessors"][output]["normalized"] = json!(true);
    gltf.animation(&[(0, "rotation", "LINEAR", &[0.0], output)]);
    assert_eq!(gltf.model().animations[0].channels[0].output, [0.0, -1.0, 0.0, 1.0]);
    let output = gltf.accessor(BYTE, "VEC4", 1, &[127, 0x81, 0x80, 64]);
    gltf.json["animations"][0]["samplers"][0]["output"] = json!(output);
    assert_eq!(gltf.model().animations[0].channels[0].output, [1.0, -1.0, -1.0, 64.0 / 127.0]);
}

#[test]
fn hard_case_38_channels_go_by_node_index_not_by_name() {
    let mut gltf = Gltf::new();
    for _ in 0..3 {
        gltf.push("nodes", json!({ "name": "same" }));
    }
    gltf.push("nodes", json!({ "children": [2] }));
    let output = gltf.floats("VEC3", &[1.0, 0.0, 0.0]);
    gltf.animation(&[(2, "translation", "LINEAR", &[0.0], output)]);
    let model = gltf.model();
    let target = model.animations[0].channels[0].target;
    assert_eq!(target, Target::Translation(model.node_of_source[2]));
    assert_eq!(model.node(target.node().unwrap()).source, 2);
}

#[test]
fn hard_case_39_channels_without_a_node_or_with_an_unknown_path_are_passed_over() {
    let mut gltf = moving("translation", "LINEAR", &[0.0], "VEC3", &[1.0, 0.0, 0.0]);
    let channels = gltf.json["animations"][0]["channels"].as_array_mut().unwrap();
    channels.insert(0, json!({ "sampler": 0, "target": { "path": "rotation" } }));
    channels.insert(1, json!({ "sampler": 0, "target": { "node": 0, "path": "colour" } }));
    channels.insert(2, json!({ "sampler": 0, "target": { "node": 0, "path": "weights" } }));
    let model = gltf.model();
    let channels = &model.animations[0].channels;
    assert_eq!(channels.len(), 1);
    assert_eq!(channels[0].source, 3, "the file's own number");
    assert_eq!(model.findings.len(), 3);
    assert_eq!(model.findings[1].pointer, "/animations/0/channels/1/target");
}

#[test]
fn hard_case_40_of_two_channels_with_one_target_the_last_wins() {
    let mut gltf = Gltf::new();
    gltf.push("nodes", json!({}));
    let (first, last) = (gltf.floats("VEC3", &[1.0; 3]), gltf.floats("VEC3", &[2.0; 3]));
    gltf.animation(&[(0, "translation", "LINEAR", &[0.0], first), (0, "translation", "LINEAR", &[0.0], last)]);
    let model = gltf.model();
    assert_eq!(model.animations[0].channels.len(), 1);
    assert_eq!(model.animations[0].channels[0].output, [2.0; 3]);
    assert_eq!(codes(&model), ["ANIMATION_DUPLICATE_TARGETS"]);
}

#[test]
fn channels_are_grouped_by_what_their_key_times_are_not_by_which_accessor() {
    let mut gltf = Gltf::new();
    gltf.push("nodes", json!({}));
    gltf.push("nodes", json!({}));
    let output = gltf.floats("VEC3", &[0.0; 6]);
    gltf.animation(&[
        (0, "translation", "LINEAR", &[0.0, 1.0], output),
        (0, "scale", "LINEAR", &[0.0, 2.0], output),
        (1, "translation", "LINEAR", &[0.0, 1.0], output),
    ]);
    let model = gltf.model();
    let animation = &model.animations[0];
    assert_eq!(animation.key_times, [[0.0, 1.0], [0.0, 2.0]]);
    let groups: Vec<_> = animation.channels.iter().map(|channel| (channel.source, channel.key_times)).collect();
    assert_eq!(groups, [(0, 0), (2, 0), (1, 1)]);
}

#[test]
fn an_output_too_short_for_its_keys_is_an_error_and_an_empty_animation_is_kept() {
    let mut gltf = moving("translation", "CUBICSPLINE", &[0.0, 1.0], "VEC3", &[0.0; 6]);
    assert_eq!(gltf.refusal(), "animation 0, channel 0: has 2 values where its 2 keys need 6");
    gltf.json["animations"] = json!([{ "name": "empty" }]);
    let model = gltf.model();
    assert_eq!((model.animations.len(), model.animations[0].channels.len()), (1, 0));
}

// Materials and images

#[test]
fn a_material_says_what_the_file_says_and_the_specifications_defaults_elsewhere() {
    let mut gltf = triangle();
    let view = gltf.view(&png(2, 3, [1, 2, 3, 4]));
    gltf.push("images", json!({ "bufferView": view, "mimeType": "image/png" }));
    gltf.push("samplers", json!({ "minFilter": 9728, "magFilter": 9728, "wrapS": 33071, "wrapT": 33648 }));
    gltf.push("textures", json!({ "source": 0, "sampler": 0 }));
    let transform = json!({ "KHR_texture_transform": { "offset": [0.5, 0.25], "rotation": 1.5, "scale": [2, 3], "texCoord": 1 } });
    gltf.push(
        "materials",
        json!({
            "pbrMetallicRoughness": { "baseColorTexture": { "index": 0, "extensions": transform } },
            "normalTexture": { "index": 0, "scale": 0.5, "extensions": transform },
            "alphaMode": "MASK",
            "extensions": { "KHR_materials_unlit": {} },
        }),
    );
    let model = gltf.model();
    let material = &model.materials[0];
    assert_eq!((material.metallic_factor, material.roughness_factor), (1.0, 1.0));
    assert_eq!(material.alpha_mode, AlphaMode::Mask { cutoff: 0.5 });
    assert!(material.unlit && !material.double_sided);
    let texture = material.base_color_texture.as_ref().unwrap();
    assert_eq!((texture.image, texture.tex_coord, texture.transform.scale), (Some(0), 1, Vec2::new(2.0, 3.0)));
    assert_eq!((texture.sampler.wrap_s, texture.sampler.wrap_t), (Wrap::ClampToEdge, Wrap::MirroredRepeat));
    assert_eq!((texture.sampler.mag_linear, texture.sampler.min_linear, texture.sampler.mip_linear), (false, false, None));
    let normal = material.normal_texture.as_ref().unwrap();
    assert_eq!((normal.transform.rotation, normal.tex_coord, material.normal_scale), (1.5, 1, 0.5));
    let image = &model.images[0];
    assert_eq!((image.kind.as_str(), image.width, image.height), ("png", 2, 3));
}

#[test]
fn images_decode_to_eight_bits_as_stored() {
    let mut gltf = Gltf::new();
    let eight = gltf.view(&png(2, 1, [10, 20, 30, 40]));
    let mut sixteen = std::io::Cursor::new(Vec::new());
    let pixels = image::ImageBuffer::<image::Luma<u16>, _>::from_pixel(1, 1, image::Luma([0x8080]));
    pixels.write_to(&mut sixteen, image::ImageFormat::Png).unwrap();
    let sixteen = gltf.view(&sixteen.into_inner());
    gltf.push("images", json!({ "bufferView": eight }));
    gltf.push("images", json!({ "bufferView": sixteen }));
    let loaded = gltf.load().unwrap();
    let decoded = |index: usize| asset::image::decode(&loaded.images[index], &Wanted::default()).unwrap();
    assert_eq!(decoded(0), DecodedImage::rgba(2, 1, [10, 20, 30, 40].repeat(2)));
    assert_eq!(decoded(1).levels, [[0x80, 0x80, 0x80, 255]]);
}

#[test]
fn a_texture_in_webp_wins_over_its_fallback() {
    let mut gltf = triangle();
    let mut webp = std::io::Cursor::new(Vec::new());
    image::RgbaImage::from_pixel(3, 3, image::Rgba([1, 2, 3, 255])).write_to(&mut webp, image::ImageFormat::WebP).unwrap();
    let (plain, webp) = (gltf.view(&png(1, 1, [0; 4])), gltf.view(&webp.into_inner()));
    gltf.push("images", json!({ "bufferView": plain }));
    gltf.push("images", json!({ "bufferView": webp, "mimeType": "image/webp" }));
    gltf.push("textures", json!({ "source": 0, "extensions": { "EXT_texture_webp": { "source": 1 } } }));
    gltf.push("materials", json!({ "emissiveTexture": { "index": 0 } }));
    let model = gltf.model();
    assert_eq!(model.materials[0].emissive_texture.as_ref().unwrap().image, Some(1));
    assert_eq!((model.images[1].kind.as_str(), model.images[1].width), ("webp", 3));
}

#[test]
fn an_image_that_cannot_be_read_leaves_its_texture_without_one() {
    let mut gltf = triangle();
    gltf.push("images", json!({ "uri": "gone.png" }));
    gltf.push("textures", json!({ "source": 0 }));
    gltf.push("textures", json!({}));
    gltf.push("materials", json!({ "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } }, "emissiveTexture": { "index": 1 } }));
    let loaded = gltf.load().unwrap();
    assert_eq!(loaded.model.materials[0].base_color_texture.as_ref().unwrap().image, None);
    assert_eq!(codes(&loaded.model), ["IMAGE_UNAVAILABLE", "TEXTURE_WITHOUT_IMAGE"]);
    assert!(asset::image::decode(&loaded.images[0], &Wanted::default()).is_err());
}

// Files beside the file

#[test]
fn external_files_are_found_in_the_folder_by_their_encoded_or_plain_name() {
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
fn files_opened_together_are_found_by_their_name() {
    let (folder, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut gltf = triangle();
    gltf.json["buffers"] = json!([{ "byteLength": gltf.bin.len(), "uri": "data/triangle.bin" }]);
    let (file, buffer) = (folder.path().join("model.gltf"), elsewhere.path().join("triangle.bin"));
    fs::write(&file, gltf.to_gltf()).unwrap();
    fs::write(&buffer, &gltf.bin).unwrap();
    let error = asset::load(&file, &LoadOptions::default()).err().unwrap().to_string();
    assert_eq!(error, r#"buffer 0: "data/triangle.bin" was not found beside the file"#);
    let beside = [buffer];
    assert!(asset::load(&file, &LoadOptions { beside: &beside, ..LoadOptions::default() }).is_ok());
}

#[test]
fn loading_stops_when_it_is_cancelled() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("model.glb");
    fs::write(&file, triangle().to_glb()).unwrap();
    let progress = Progress::default();
    assert!(asset::load(&file, &LoadOptions { progress: Some(&progress), ..LoadOptions::default() }).is_ok());
    assert!(progress.fraction().unwrap() > 0.8);
    progress.cancel();
    let cancelled = asset::load(&file, &LoadOptions { progress: Some(&progress), ..LoadOptions::default() });
    assert!(matches!(cancelled, Err(LoadError::Cancelled)));
}

#[test]
fn a_finding_that_comes_a_thousand_times_is_listed_fifty_times_and_counted() {
    let mut gltf = Gltf::new();
    for _ in 0..1_000 {
        gltf.push("nodes", json!({ "rotation": [0, 0, 0, 0] }));
    }
    let model = gltf.model();
    assert_eq!(model.findings.len(), 51);
    assert_eq!(model.findings[50].message, "950 more of these");
    assert_eq!(model.hierarchy.rest[0].rotation, Quat::from_xyzw(0.0, 0.0, 0.0, 0.0));
}

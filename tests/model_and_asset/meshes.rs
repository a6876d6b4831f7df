//! Tests primitives, their vertices and morph targets.

use glam::{Vec3, Vec4};
use serde_json::json;
use sinew::model::mesh::Topology;

use crate::common::gltf_builder::{Gltf, codes, finding, triangle};

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
    // glTF 2.0, section 3.7.2.1: p_i = { v_i, v_i+(1+i%2), v_i+(2-i%2) }, and for fans p_i = { v_i+1, v_i+2, v_0 }.
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
    assert_eq!(model.findings[0].message, "1 vertex of mesh 0, primitive 0 does not complete a triangle; it is ignored.");
    let indices = gltf.u8s("SCALAR", &[0]);
    gltf.json["meshes"][0]["primitives"][0]["indices"] = json!(indices);
    gltf.json["meshes"][0]["primitives"][0]["mode"] = json!(3);
    let messages: Vec<String> = gltf.model().findings.into_iter().map(|finding| finding.message).collect();
    assert_eq!(messages, ["Mesh 0, primitive 0 has too few vertices for a line; it is not drawn."]);
}

#[test]
fn morphed_colors_and_texture_coordinates_are_ignored_with_one_finding_per_primitive() {
    let mut gltf = triangle();
    let target = json!({ "POSITION": 0, "COLOR_0": 0, "TEXCOORD_1": 0, "_WEAR": 0 });
    gltf.json["meshes"][0]["primitives"][0]["targets"] = json!([target, target]);
    let model = gltf.model();
    assert_eq!(model.meshes[0].primitives[0].vertices.targets[1].positions.len(), 3);
    assert_eq!((codes(&model), &model.findings[0].pointer[..]), (vec!["MORPH_TARGET_ATTRIBUTE_IGNORED"], "/meshes/0/primitives/0/targets"));
    let message = "Mesh 0, primitive 0: its morph targets change COLOR_0, TEXCOORD_1; Sinew ignores these changes.";
    assert_eq!(model.findings[0].message, message);
    // A name that is not a string makes the file need a repair.
    gltf.json["nodes"][0]["name"] = json!(7);
    assert_eq!(codes(&gltf.model()), ["MORPH_TARGET_ATTRIBUTE_IGNORED"]);
}

#[test]
fn a_vertex_index_out_of_range_is_an_error_that_names_it() {
    let mut gltf = triangle();
    let indices = gltf.u8s("SCALAR", &[0, 1, 3]);
    gltf.json["meshes"][0]["primitives"][0]["indices"] = json!(indices);
    gltf.json["meshes"][0]["name"] = json!("Hair");
    assert_eq!(gltf.refusal(), r#"mesh 0 "Hair", primitive 0: index 2 refers to vertex 3, but there are 3 vertices"#);
}

#[test]
fn an_attribute_of_another_length_is_left_out_and_the_mesh_loads() {
    let mut gltf = triangle();
    let normals = gltf.floats("VEC3", &[0.0, 0.0, 1.0]);
    gltf.json["meshes"][0]["primitives"][0]["attributes"]["NORMAL"] = json!(normals);
    let model = gltf.model();
    assert!(model.meshes[0].primitives[0].vertices.normals.is_empty());
    assert_eq!(finding(&model, "MESH_PRIMITIVE_UNEQUAL_ACCESSOR_COUNT").pointer, "/meshes/0/primitives/0/attributes/NORMAL");
}

#[test]
fn a_normal_or_tangent_that_is_not_finite_is_reported_once() {
    let codes_with = |normals: &[f32], tangents: &[f32]| {
        let mut gltf = triangle();
        let (normals, tangents) = (gltf.floats("VEC3", normals), gltf.floats("VEC4", tangents));
        gltf.json["meshes"][0]["primitives"][0]["attributes"]["NORMAL"] = json!(normals);
        gltf.json["meshes"][0]["primitives"][0]["attributes"]["TANGENT"] = json!(tangents);
        let model = gltf.model();
        model.findings.iter().map(|finding| format!("{} {}", finding.code, finding.message)).collect::<Vec<_>>()
    };
    let [normals, tangents] = [[0.0, 0.0, 1.0].repeat(3), [1.0, 0.0, 0.0, 1.0].repeat(3)];
    let broken = |values: &[f32], at: usize| [&values[..at], &[f32::NAN], &values[at + 1..]].concat();
    for (normals, tangents, role) in [(broken(&normals, 2), tangents.clone(), "NORMAL"), (normals.clone(), broken(&tangents, 3), "TANGENT")]
    {
        let said = codes_with(&normals, &tangents);
        assert_eq!(said, [format!("ACCESSOR_INVALID_FLOAT 1 number of {role} is not finite; it is replaced by 0.")]);
    }
    // A vector of another length beside it is still reported.
    let said = codes_with(&[f32::NAN, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0], &tangents);
    assert_eq!(said[1], "ACCESSOR_VECTOR3_NON_UNIT 1 vector of NORMAL is not of unit length; Sinew normalizes it.");
}

#[test]
fn primitives_keep_their_numbers_if_one_is_left_out() {
    let mut gltf = triangle();
    gltf.json["meshes"][0]["primitives"] = json!([{ "attributes": {} }, { "attributes": { "POSITION": 0 } }]);
    let model = gltf.model();
    assert_eq!(model.meshes[0].primitives.len(), 1);
    assert_eq!(model.meshes[0].primitives[0].source, 1);
}

#[test]
fn colors_without_alpha_are_opaque_and_integers_are_fractions() {
    let mut gltf = triangle();
    let colors = gltf.u8s("VEC3", &[255, 0, 51, 0, 255, 0, 0, 0, 255]);
    gltf.json["accessors"][colors]["normalized"] = json!(true);
    gltf.json["meshes"][0]["primitives"][0]["attributes"]["COLOR_0"] = json!(colors);
    assert_eq!(gltf.model().meshes[0].primitives[0].vertices.colors[0], Vec4::new(1.0, 0.0, 0.2, 1.0));
}

#[test]
fn the_weights_of_a_node_override_those_of_its_mesh() {
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
fn there_may_be_any_number_of_morph_targets() {
    let mut gltf = triangle();
    gltf.json["meshes"][0]["primitives"][0]["targets"] = json!(vec![json!({ "POSITION": 0 }); 300]);
    let model = gltf.model();
    assert_eq!(model.meshes[0].target_count, 300);
    assert_eq!(model.meshes[0].primitives[0].vertices.targets[299].positions[2], Vec3::Y);
}

#[test]
fn many_nodes_with_many_morph_targets_cannot_exhaust_memory() {
    let mut gltf = triangle();
    gltf.json["meshes"][0]["primitives"][0]["targets"] = json!(vec![json!({}); 20_000]);
    for _ in 0..1_000 {
        gltf.push("nodes", json!({ "mesh": 0 }));
    }
    assert!(gltf.refusal().contains("more morph weights than the maximum"), "{}", gltf.refusal());
}

#[test]
fn many_nodes_with_many_primitives_cannot_exhaust_memory() {
    let mut gltf = triangle();
    let primitive = gltf.json["meshes"][0]["primitives"][0].clone();
    gltf.json["meshes"][0]["primitives"] = json!(vec![primitive; 4096]);
    // 2048 nodes draw 8,388,608 primitives.
    gltf.json["nodes"] = json!(vec![json!({ "mesh": 0 }); 2048]);
    assert_eq!(gltf.model().nodes.len(), 2048);
    gltf.push("nodes", json!({ "mesh": 0 }));
    assert_eq!(gltf.refusal(), "node 2048: has more drawn primitives than the maximum of 8,388,608");
}

//! Tests skins, joints and weights.

use glam::{Affine3A, DVec3, Mat4, Vec3};
use serde_json::json;
use sinew::animation::hierarchy::deform;
use sinew::model::node::NodeIndex;
use sinew::session::pose::solve::{self, Posed};
use sinew::session::view::View;

use crate::common::gltf_builder::{Gltf, codes, finding, skinned_triangle};

/// Returns the world position of a vertex at rest (glTF 2.0, section 3.7.3.3).
fn skinned_position(gltf: &Gltf, vertex: usize) -> Vec3 {
    let model = gltf.model();
    let mut posed = Posed::new(&model);
    solve::solve(&model, &View::default(), 0.0, &mut posed);
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
fn missing_inverse_bind_matrices_are_identities() {
    let mut gltf = skinned_triangle();
    assert_eq!(skinned_position(&gltf, 2), Vec3::Y);
    gltf.json["skins"][0].as_object_mut().unwrap().remove("inverseBindMatrices");
    assert_eq!(gltf.model().skins[0].inverse_bind_matrices, [Affine3A::IDENTITY; 2]);
    assert_eq!(skinned_position(&gltf, 2), Vec3::new(0.0, 2.0, 0.0));
}

#[test]
fn faulty_inverse_bind_matrices_are_counted() {
    for (count, affine, singular) in [
        (1, "1 inverse bind matrix", "1 inverse bind matrix is singular: the vertices of its joint collapse."),
        (2, "2 inverse bind matrices", "2 inverse bind matrices are singular: the vertices of their joints collapse."),
    ] {
        let mut gltf = skinned_triangle();
        let mut matrices = Mat4::IDENTITY.to_cols_array().repeat(2);
        matrices[..count * 16].fill(0.0);
        let accessor = gltf.floats("MAT4", &matrices);
        gltf.json["skins"][0]["inverseBindMatrices"] = json!(accessor);
        let model = gltf.model();
        let expected = format!("The last row of {affine} is not 0, 0, 0, 1; it is replaced.");
        assert_eq!(finding(&model, "ACCESSOR_INVALID_IBM").message, expected);
        assert_eq!(finding(&model, "SKIN_IBM_SINGULAR").message, singular);
        gltf.json["accessors"][accessor]["count"] = json!(1);
        assert_eq!(gltf.refusal(), "skin 0: has 1 inverse bind matrix for 2 joints");
    }
}

#[test]
fn joints_need_no_common_root_and_no_scene() {
    let mut gltf = skinned_triangle();
    gltf.json["nodes"][1] = json!({ "name": "hip" });
    gltf.json["scenes"][0]["nodes"] = json!([0]);
    let model = gltf.model();
    assert_eq!(model.skins[0].joints.len(), 2);
    assert_eq!(codes(&model), [""; 0]);
    assert_eq!(skinned_position(&gltf, 2), Vec3::Y);
}

#[test]
fn the_skeleton_of_a_scene_has_its_joints_and_those_of_its_skins() {
    let mut gltf = skinned_triangle();
    gltf.push("nodes", json!({ "mesh": 0, "skin": 1 }));
    gltf.push("nodes", json!({ "name": "joint in no scene" }));
    gltf.push("skins", json!({ "joints": [4, 2] }));
    gltf.push("nodes", json!({ "name": "no joint" }));
    // Scene 0 has the nodes 0 to 2: the triangle and its joints.
    for roots in [json!([0]), json!([1]), json!([3]), json!([5])] {
        gltf.push("scenes", json!({ "nodes": roots }));
    }
    let model = gltf.model();
    let all = [1, 2, 4];
    for (scene, expected) in
        [(Some(0), &all[..2]), (Some(1), &all[..2]), (Some(2), &all[..2]), (Some(3), &all[1..]), (Some(4), &all), (None, &all)]
    {
        let nodes = model.skeleton_nodes(scene);
        let mut found: Vec<_> = model.nodes.iter().zip(nodes).filter(|(_, shown)| *shown).map(|(node, _)| node.source).collect();
        found.sort_unstable();
        assert_eq!(found, expected, "{scene:?}");
    }
}

#[test]
fn a_mesh_with_two_skins_has_two_ranges_of_the_palette() {
    let mut gltf = skinned_triangle();
    gltf.push("skins", json!({ "joints": [2, 1] }));
    gltf.push("nodes", json!({ "mesh": 0, "skin": 1 }));
    let model = gltf.model();
    assert_eq!((model.skins[0].matrices.clone(), model.skins[1].matrices.clone()), (0..2, 2..4));
    let rigid: Vec<_> = model.nodes.iter().filter_map(|node| Some((node.source, node.rigid_matrix?))).collect();
    assert_eq!(rigid, [(0, 4), (3, 5)], "the matrices of rigid meshes come after those of all skins");
    assert_eq!(model.palette_len, 6);
}

#[test]
fn every_set_of_joints_and_weights_is_used() {
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
fn weights_are_normalized_and_a_vertex_without_weights_follows_joint_0() {
    let mut gltf = skinned_triangle();
    let weights = gltf.floats("VEC4", &[0.5, 0.25, 0.25, 0.0, 0.49, 0.49, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    gltf.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"] = json!(weights);
    let model = gltf.model();
    let influences = &model.meshes[0].primitives[0].vertices.influences;
    assert_eq!(influences.weights, [[0.5, 0.25, 0.25, 0.0], [0.5, 0.5, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]]);
    assert_eq!(influences.joints[2], [0, 0, 0, 0], "it was joint 1");
    assert_eq!(codes(&model), ["ACCESSOR_WEIGHTS_ALL_ZERO", "ACCESSOR_WEIGHTS_NON_NORMALIZED"]);
    let message = &finding(&model, "ACCESSOR_WEIGHTS_NON_NORMALIZED").message;
    assert!(message.contains("the weights of 1 vertex do not sum to 1 (they are off by up to 0.0200)"), "{message}");
}

#[test]
fn weights_within_the_tolerance_keep_the_place_of_a_skin_far_from_the_origin() {
    // Three thirds are rounded to `f32`, so that they sum to slightly more than 1.
    for (weights, max_error) in [([0.9995, 0.0, 0.0, 0.0], 0.0015), ([1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0, 0.0], 1e-7)] {
        let mut gltf = skinned_triangle();
        let weights = gltf.floats("VEC4", &weights.repeat(3));
        gltf.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"] = json!(weights);
        gltf.json["nodes"][1]["translation"] = json!([1e6, 0.0, 0.0]);
        let model = gltf.model();
        assert_eq!(codes(&model), [""; 0]);
        let mut posed = Posed::new(&model);
        solve::solve(&model, &View::default(), 0.0, &mut posed);
        let positions = deform::positions(&model, NodeIndex(0), &model.meshes[0].primitives[0], posed.vertex_pose(), 0..2);
        for (position, x) in positions.into_iter().zip([1e6, 1e6 + 1.0]) {
            assert!(position.distance(DVec3::X * x) < max_error, "{position}");
        }
    }
}

#[test]
fn weights_may_be_bytes_or_shorts() {
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
fn influences_without_a_skin_are_kept_and_not_checked() {
    let mut gltf = skinned_triangle();
    gltf.json["nodes"][0].as_object_mut().unwrap().remove("skin");
    let joints = gltf.u16s("VEC4", &[60_000; 12]);
    gltf.json["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"] = json!(joints);
    let model = gltf.model();
    assert_eq!(model.nodes[0].skin, None);
    assert!(model.nodes[0].rigid_matrix.is_some());
}

#[test]
fn a_mesh_without_joints_is_drawn_at_its_node_despite_a_skin() {
    let mut gltf = skinned_triangle();
    let attributes = gltf.json["meshes"][0]["primitives"][0]["attributes"].as_object_mut().unwrap();
    attributes.retain(|name, _| name == "POSITION");
    let model = gltf.model();
    assert_eq!((model.nodes[0].skin, model.skins.len()), (None, 1));
    assert!(model.is_drawn_rigidly(&model.nodes[0]));
}

#[test]
fn a_mesh_with_joints_in_one_of_two_primitives_is_drawn_by_skin_and_node() {
    let mut gltf = skinned_triangle();
    let position = gltf.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"].clone();
    gltf.json["meshes"][0]["primitives"].as_array_mut().unwrap().push(json!({ "attributes": { "POSITION": position } }));
    let model = gltf.model();
    assert_eq!(model.nodes[0].skin, Some(0));
    assert!(model.is_drawn_rigidly(&model.nodes[0]));
    assert!(!skinned_triangle().model().is_drawn_rigidly(&skinned_triangle().model().nodes[0]));
}

#[test]
fn a_joint_that_the_skin_does_not_have_is_an_error_unless_it_has_no_weight() {
    let mut gltf = skinned_triangle();
    let joints = gltf.u8s("VEC4", &[0, 99, 99, 99, 1, 0, 0, 0, 0, 0, 0, 0]);
    gltf.json["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"] = json!(joints);
    assert_eq!(gltf.model().meshes[0].primitives[0].vertices.influences.joints[0], [0, 0, 0, 0]);
    gltf.json["skins"][0]["joints"] = json!([1]);
    assert_eq!(gltf.refusal(), "mesh 0, primitive 0: vertex 1 refers to joint 1, but skin 0 has 1 joint");
}

#[test]
fn shared_vertices_are_checked_against_the_smallest_skin_of_each_mesh() {
    let mut gltf = skinned_triangle();
    let primitive = gltf.json["meshes"][0]["primitives"][0].clone();
    gltf.json["meshes"][0]["primitives"] = json!([primitive, primitive]);
    let mesh = gltf.push("meshes", json!({ "primitives": [primitive] }));
    let skin = gltf.push("skins", json!({ "joints": [1] }));
    gltf.push("nodes", json!({ "mesh": mesh, "skin": skin }));
    assert_eq!(gltf.refusal(), "mesh 1, primitive 0: vertex 2 refers to joint 1, but skin 1 has 1 joint");
}

#[test]
fn a_joint_named_twice_by_a_vertex_has_the_sum_of_both_weights() {
    let mut gltf = skinned_triangle();
    let weights = gltf.floats("VEC4", &[0.5, 0.5, 0.0, 0.0].repeat(3));
    gltf.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"] = json!(weights);
    let joints = gltf.u8s("VEC4", &[1, 1, 0, 0].repeat(3));
    gltf.json["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"] = json!(joints);
    assert_eq!(skinned_position(&gltf, 2), Vec3::Y);
}

#[test]
fn a_skeleton_with_an_animation_needs_no_mesh() {
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

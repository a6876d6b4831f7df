//! Tests the comparison of morph targets and joint weights at rest.

use serde_json::{Value, json};
use sinew::compare::report::{DiffReport, Excess, Tolerance};
use sinew::model::Model;

use crate::common::gltf_builder::Gltf;
use crate::rig::{Rig, reported};

/// The rig without animations. Its foot is scaled by 2, and its mesh has morph targets with a delta for each of the three vertices.
fn morphed(targets: &[[[f32; 3]; 3]], names: Value) -> Gltf {
    let mut gltf = Rig::default().gltf();
    gltf.json["animations"] = json!([]);
    gltf.json["nodes"][4]["scale"] = json!([2, 2, 2]);
    let targets: Vec<Value> = targets.iter().map(|deltas| json!({ "POSITION": gltf.floats("VEC3", &deltas.concat()) })).collect();
    if !targets.is_empty() {
        gltf.json["meshes"][0]["primitives"][0]["targets"] = json!(targets);
        gltf.json["meshes"][0]["extras"] = json!({ "targetNames": names });
    }
    gltf
}

fn at_tolerance(a: &Gltf, b: &Gltf, distance: f64) -> DiffReport {
    reported(a.model(), b.model(), Tolerance { distance, ..Tolerance::default() })
}

fn messages(report: &DiffReport) -> Vec<(&str, &str)> {
    report.differences.iter().map(|difference| (difference.code, difference.message.as_str())).collect()
}

#[test]
fn morph_targets_without_a_weight_are_compared_at_rest() {
    let smile = [[0.0, 0.0, 0.1]; 3];
    let frown = |y: f32| [[0.0, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, 0.0]];
    let a = morphed(&[smile, frown(0.1)], json!(["smile", "frown"]));
    assert_eq!((at_tolerance(&a, &a, 0.0).exceeded, at_tolerance(&a, &a, 0.0).differences), (vec![], vec![]));
    // The node scales the difference of 0.25 to half a meter.
    let b = morphed(&[smile, frown(0.35)], json!(["smile", "frown"]));
    let report = at_tolerance(&a, &b, 0.49);
    assert_eq!((report.exceeded.clone(), report.vertices.as_ref().unwrap().distance_max), (vec![Excess::MorphTarget], 0.0));
    let message = "morph target 1 \"frown\" of node 4 \"Foot\", primitive 0, differs by up to 0.500 m in B, at vertex 1";
    assert_eq!(messages(&report), [("MORPH_TARGET", message)]);
    let worst = report.morph_targets.unwrap();
    assert!((worst.distance_max - 0.5).abs() < 1e-6, "{worst:?}");
    assert_eq!((worst.node, worst.primitive, worst.target, worst.vertex), (4, 0, 1, 1));
    assert_eq!(at_tolerance(&a, &b, 0.51).exceeded, []);
}

#[test]
fn a_lost_morph_target_moves_nothing_and_a_renamed_one_is_listed() {
    let deltas = [[0.0, 0.0, 0.1], [0.0, 0.0, 0.4], [0.0, 0.0, 0.2]];
    let a = morphed(&[deltas, [[0.0; 3]; 3]], json!(["smile", "frown"]));
    let lost = at_tolerance(&a, &morphed(&[], json!([])), 0.5);
    assert_eq!(lost.exceeded, [Excess::MorphTarget]);
    assert!((lost.morph_targets.unwrap().distance_max - 0.8).abs() < 1e-6);
    // A target that moves nothing is no loss.
    assert_eq!(at_tolerance(&a, &morphed(&[deltas], json!(["smile"])), 0.0).exceeded, []);
    let renamed = at_tolerance(&a, &morphed(&[deltas, [[0.0; 3]; 3]], json!(["smile"])), 0.0);
    assert_eq!(renamed.exceeded, []);
    let message = "morph target 1 of node 4 \"Foot\" has \"frown\" in A, no name in B";
    assert_eq!(messages(&renamed), [("MORPH_TARGET_RENAMED", message)]);
}

/// The rig without animations, with a mesh that follows `joints`, whose nodes are at these heights. The numbers of the mesh are `1 / scale`
/// times as large, and the inverse bind matrices make up for it. Each vertex has up to four positions of joints in the skin, with weights.
fn skinned(joints: &[(usize, f32)], influences: [&[(u16, f32)]; 3], scale: f32) -> Gltf {
    let mut gltf = Rig::default().gltf();
    gltf.json["animations"] = json!([]);
    let matrix = |y: f32| [scale, 0.0, 0.0, 0.0, 0.0, scale, 0.0, 0.0, 0.0, 0.0, scale, 0.0, 0.0, -y, 0.0, 1.0];
    let matrices = gltf.floats("MAT4", &joints.iter().flat_map(|(_, y)| matrix(*y)).collect::<Vec<_>>());
    let nodes: Vec<usize> = joints.iter().map(|(node, _)| *node).collect();
    gltf.json["skins"] = json!([{ "joints": nodes, "inverseBindMatrices": matrices }]);
    gltf.json["nodes"][4]["skin"] = json!(0);
    let four = |vertex: &[(u16, f32)]| std::array::from_fn(|place| vertex.get(place).copied().unwrap_or_default());
    let all: Vec<[(u16, f32); 4]> = influences.iter().map(|vertex| four(vertex)).collect();
    let joints = gltf.u16s("VEC4", &all.iter().flatten().map(|(joint, _)| *joint).collect::<Vec<_>>());
    let weights = gltf.floats("VEC4", &all.iter().flatten().map(|(_, weight)| *weight).collect::<Vec<_>>());
    let positions = gltf.floats("VEC3", &[0.0, 0.0, 0.0, 0.1, 0.0, 0.0, 0.0, 2.0, 0.0].map(|x| x / scale));
    let deltas = gltf.floats("VEC3", &[0.0, 0.0, 0.3 / scale].repeat(3));
    gltf.json["meshes"][0]["primitives"] = json!([{
        "attributes": { "POSITION": positions, "JOINTS_0": joints, "WEIGHTS_0": weights },
        "targets": [{ "POSITION": deltas }],
    }]);
    gltf
}

const JOINTS: [(usize, f32); 4] = [(0, 0.0), (1, 1.0), (2, 1.5), (3, 2.0)];

#[test]
fn joint_weights_are_compared_although_nothing_moves() {
    let a = skinned(&JOINTS, [&[(0, 1.0)]; 3], 1.0);
    let b = skinned(&JOINTS, [&[(0, 1.0)], &[(0, 0.75), (3, 0.25)], &[(0, 0.75), (3, 0.25)]], 1.0);
    // Vertex 1 at (0.1, 0, 0) is farthest from the head at (0, 2, 0).
    let expected = 0.25 * f64::hypot(0.1, 2.0);
    let report = at_tolerance(&a, &b, expected - 1e-6);
    assert_eq!((report.exceeded.clone(), report.vertices.as_ref().unwrap().distance_max), (vec![Excess::JointWeights], 0.0));
    let worst = report.joint_weights.clone().unwrap();
    assert!((worst.distance_max - expected).abs() < 1e-7, "{worst:?}");
    assert_eq!((worst.node, worst.primitive, worst.vertex), (4, 0, 1));
    let message = "node 4 \"Foot\", primitive 0: 2 vertices have other joint weights in B; the weight of node 3 \"Head\" at vertex 1 is \
                   0.000 in A, 0.250 in B";
    assert_eq!(messages(&report), [("JOINT_WEIGHTS", message)]);
    assert_eq!(at_tolerance(&a, &b, expected + 1e-6).exceeded, []);
}

#[test]
fn the_order_of_joints_and_of_influences_does_not_matter() {
    let a = skinned(&JOINTS, [&[(0, 0.5), (1, 0.25), (3, 0.25)]; 3], 1.0);
    let reversed: Vec<(usize, f32)> = JOINTS.iter().rev().copied().collect();
    let b = skinned(&reversed, [&[(0, 0.25), (2, 0.25), (3, 0.5)]; 3], 1.0);
    let twice = skinned(&JOINTS, [&[(1, 0.25), (0, 0.25), (3, 0.25), (0, 0.25)]; 3], 1.0);
    for b in [b, twice] {
        let report = at_tolerance(&a, &b, 1e-6);
        assert_eq!((report.exceeded, report.joint_weights.unwrap().distance_max), (vec![], 0.0));
        assert!(report.differences.iter().all(|difference| difference.code == "BIND_MATRIX"), "{:?}", report.differences);
    }
}

#[test]
fn joints_are_matched_by_their_nodes_and_new_joints_count_as_others() {
    let a = skinned(&JOINTS, [&[(0, 1.0)]; 3], 1.0);
    let with_twist = |weight: f32| {
        let mut joints = JOINTS.to_vec();
        joints.push((5, 1.0));
        let mut gltf = skinned(&joints, [&[(0, 1.0)], &[(0, 1.0)], &[(0, 1.0 - weight), (4, weight)]], 1.0);
        gltf.push("nodes", json!({ "name": "Twist" }));
        gltf.json["nodes"][1]["children"] = json!([2, 4, 5]);
        gltf
    };
    assert_eq!(at_tolerance(&a, &with_twist(0.0), 0.0).joint_weights.unwrap().distance_max, 0.0);
    // Vertex 2 at (0, 2, 0) is 2 m from the root and 1 m from the new joint, which is at the hips.
    let distance = at_tolerance(&a, &with_twist(0.5), 0.0).joint_weights.unwrap().distance_max;
    assert!((distance - 1.0).abs() < 1e-6, "{distance}");
    // The other way round, a joint of A is lost with its weights.
    let distance = at_tolerance(&with_twist(0.5), &a, 0.0).joint_weights.unwrap().distance_max;
    assert!((distance - 1.0).abs() < 1e-6, "{distance}");
}

#[test]
fn a_skinned_mesh_in_another_unit_has_the_same_morph_targets() {
    let weights: [&[(u16, f32)]; 3] = [&[(0, 1.0)], &[(0, 0.5), (2, 0.5)], &[(3, 1.0)]];
    let (a, b) = (skinned(&JOINTS, weights, 1.0), skinned(&JOINTS, weights, 0.01));
    let report = at_tolerance(&a, &b, 1e-6);
    assert_eq!((report.exceeded, report.morph_targets.unwrap().distance_max), (vec![], 0.0));
    // Without weights, the mesh is no longer skinned.
    let mut rigid = a.clone();
    rigid.json["nodes"][4].as_object_mut().unwrap().remove("skin");
    assert!(at_tolerance(&a, &rigid, 0.0).exceeded.contains(&Excess::JointWeights));
}

#[test]
fn of_nodes_that_share_a_mesh_only_the_largest_is_measured() {
    let model = |x: f32| -> Model {
        let mut gltf = morphed(&[[[x, 0.0, 0.0]; 3]], json!([]));
        for scale in (0..100).map(|i| if i == 40 { 5.0 } else { f64::from(i) * 1e-3 }) {
            let node = gltf.push("nodes", json!({ "mesh": 0, "scale": [1e-6, scale, 1e-6] }));
            gltf.json["scenes"][0]["nodes"].as_array_mut().unwrap().push(json!(node));
        }
        let large = gltf.push("nodes", json!({ "mesh": 0, "scale": [7, 7, 7] }));
        gltf.json["scenes"][0]["nodes"].as_array_mut().unwrap().push(json!(large));
        gltf.model()
    };
    let report = reported(model(0.1), model(0.2), Tolerance::default());
    assert_eq!(report.differences.iter().filter(|difference| difference.code == "MORPH_TARGET").count(), 1, "{:?}", report.differences);
    assert!((report.morph_targets.unwrap().distance_max - 0.7).abs() < 1e-6);
}

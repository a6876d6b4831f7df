//! Tests the checks of influences, weights, joints and skinned meshes.

use std::f32::consts::PI;

use serde_json::json;
use sinew::check::settings::Settings;
use sinew::model::finding::Severity;

use crate::common::character::{BODY, Character, HEAD, HIPS, SPINE, about_x, character, findings, per_frame};

/// The codes of the findings if one vertex follows this many joints.
fn with_influences(count: usize) -> Vec<&'static str> {
    let mut many = character();
    let sets = count.div_ceil(4).max(1);
    for vertex in &mut many.influences {
        vertex.resize(sets, [(0, 0.0); 4]);
    }
    for joint in 0..count {
        many.influences[0][joint / 4][joint % 4] = (joint as u16, 1.0 / count as f32);
    }
    many.codes()
}

#[test]
fn many_influences_are_reported_from_5_and_from_9_on() {
    assert_eq!(with_influences(4), [""; 0]);
    assert_eq!(with_influences(5), ["INFLUENCES_OVER_4"]);
    assert_eq!(with_influences(8), ["INFLUENCES_OVER_4"]);
    assert_eq!(with_influences(9), ["INFLUENCES_OVER_8", "INFLUENCES_OVER_4"]);
}

#[test]
fn weights_that_do_not_sum_to_1_are_reported() {
    let mut uneven = character();
    uneven.influences[4][0][0].1 = 0.5;
    let finding = uneven.only("WEIGHTS_NOT_NORMALIZED");
    assert_eq!((finding.value, finding.threshold, finding.node), (Some(0.5), Some(1.0), Some(BODY)));
    assert!(finding.message.contains("vertex 4"), "{}", finding.message);
    uneven.influences[4][0][0].1 = 0.9995;
    assert_eq!(uneven.codes(), [""; 0]);
}

#[test]
fn vertices_without_weight_have_a_separate_finding() {
    let mut bare = character();
    bare.influences[7][0][0].1 = 0.0;
    let finding = bare.only("VERTEX_WITHOUT_WEIGHT");
    assert_eq!(finding.value, Some(1.0));
    assert!(finding.message.contains("vertex 7"), "{}", finding.message);
}

#[test]
fn joints_without_weights_are_reported_if_nothing_below_them_has_any() {
    let mut unused = character();
    // The vertices of spine and head follow the hips.
    for vertex in 3..9 {
        unused.influences[vertex][0][0].0 = 0;
    }
    let found = unused.check(&Settings::default());
    let codes: Vec<_> = found.iter().map(|finding| (finding.code, finding.value, finding.node)).collect();
    assert_eq!(
        codes,
        [("ANIMATED_NODE_WITHOUT_EFFECT", Some(2.0), Some(SPINE)), ("JOINT_WITHOUT_WEIGHTS", Some(2.0), Some(SPINE))],
        "{found:#?}"
    );
    // The head still moves vertices, and the spine moves the head.
    let mut carrier = character();
    (3..6).for_each(|vertex| carrier.influences[vertex][0][0].0 = 0);
    assert_eq!(carrier.codes(), [""; 0]);
}

#[test]
fn an_animated_node_beside_the_skeleton_has_no_effect_unless_it_has_a_mesh() {
    let mut beside = character();
    beside.nodes.push(json!({ "name": "IK target" }));
    beside.roots.push(10);
    beside.channels().push(per_frame(10, "rotation", |time| about_x(20.0 * (std::f32::consts::TAU * time).sin())));
    assert_eq!(beside.only("ANIMATED_NODE_WITHOUT_EFFECT").node, Some(10));
    // The channel is that of the node that the finding names, even if another channel without effect comes first.
    beside.nodes.push(json!({ "name": "Pole target" }));
    beside.roots.push(11);
    let first = crate::common::character::Channel { node: 11, ..beside.channels()[3].clone() };
    beside.channels().insert(0, first);
    let finding = beside.only("ANIMATED_NODE_WITHOUT_EFFECT");
    assert_eq!((finding.node, finding.value, finding.pointer.as_str()), (Some(10), Some(2.0), "/animations/0/channels/4"));
    (beside.nodes[10]["mesh"], beside.nodes[11]["mesh"]) = (json!(0), json!(0));
    assert!(!beside.codes().contains(&"ANIMATED_NODE_WITHOUT_EFFECT"));
}

#[test]
fn a_rest_pose_far_from_the_bind_pose_is_reported() {
    let resting = |degrees: f32| {
        let mut resting = character();
        resting.nodes[SPINE]["rotation"] = json!(about_x(degrees));
        resting
    };
    let finding = resting(45.0).only("REST_FAR_FROM_BIND");
    assert!((finding.value.unwrap() - 45.0).abs() < 0.01, "{finding:?}");
    assert_eq!(finding.node, Some(SPINE));
    assert_eq!(resting(25.0).codes(), [""; 0]);
}

#[test]
fn a_skinned_mesh_with_a_transform_is_reported() {
    let mut moved = character();
    moved.nodes[BODY]["translation"] = json!([0.0, 0.5, 0.0]);
    let finding = moved.only("SKIN_UNDER_TRANSFORMED_PARENT");
    assert_eq!((finding.severity, finding.value, finding.node), (Severity::Warning, Some(0.5), Some(BODY)));
    // A transformed node above both the mesh and the joints is common.
    let mut shared = character();
    shared.nodes.push(json!({ "name": "Armature", "scale": [2.0, 2.0, 2.0], "children": [HIPS, BODY] }));
    shared.roots = vec![10];
    assert_eq!(shared.only("SKIN_UNDER_TRANSFORMED_PARENT").severity, Severity::Info);
    // So is a group of meshes below it. All joints must be below the transformed node.
    let mut grouped = shared.clone();
    grouped.nodes[10]["children"] = json!([HIPS, 11]);
    grouped.nodes.push(json!({ "name": "Group", "children": [BODY] }));
    let severity = |character: &Character| {
        let found = findings(&character.gltf(), &Settings::default());
        found.iter().find(|finding| finding.code == "SKIN_UNDER_TRANSFORMED_PARENT").unwrap().severity
    };
    assert_eq!(severity(&grouped), Severity::Info);
    let mut loose = grouped.clone();
    loose.nodes.push(json!({ "name": "Loose" }));
    loose.roots.push(12);
    loose.joints.push(12);
    loose.bound.push([0.0; 3]);
    assert_eq!(severity(&loose), Severity::Warning);
    // A parent without size hides the transform of the mesh, but does not share it.
    let mut flat = shared.clone();
    flat.nodes[10]["scale"] = json!([0.0, 0.0, 0.0]);
    flat.nodes[BODY]["translation"] = json!([0.0, 0.5, 0.0]);
    assert_eq!(severity(&flat), Severity::Warning);
    shared.nodes[10]["scale"] = json!([1.00001, 1.0, 1.0]);
    assert_eq!(shared.codes(), [""; 0]);
}

#[test]
fn a_mesh_without_joints_moves_with_its_node_despite_a_skin() {
    let mut with_prop = character();
    with_prop.nodes.push(json!({ "name": "Prop", "mesh": 1, "skin": 0, "translation": [0.5, 0.0, 0.0] }));
    with_prop.roots.push(10);
    with_prop.channels().push(per_frame(10, "rotation", |time| about_x(20.0 * (std::f32::consts::TAU * time).sin())));
    let codes_with = |primitives: &[bool]| {
        let mut gltf = with_prop.gltf();
        let body = gltf.json["meshes"][0]["primitives"][0].clone();
        let mut rigid = body.clone();
        rigid["attributes"].as_object_mut().unwrap().retain(|name, _| name == "POSITION");
        let primitives: Vec<_> = primitives.iter().map(|&has_joints| if has_joints { &body } else { &rigid }).collect();
        gltf.push("meshes", json!({ "primitives": primitives }));
        findings(&gltf, &Settings::default()).iter().map(|finding| finding.code).collect::<Vec<_>>()
    };
    assert_eq!(codes_with(&[false]), [""; 0]);
    // The node moves one of the two primitives.
    assert_eq!(codes_with(&[true, false]), ["SKIN_UNDER_TRANSFORMED_PARENT"]);
    assert_eq!(codes_with(&[true]), ["SKIN_UNDER_TRANSFORMED_PARENT", "ANIMATED_NODE_WITHOUT_EFFECT"]);
}

#[test]
fn morph_targets_are_checked_for_drivers_and_range() {
    use crate::common::character::Channel;
    let drive = |targets: usize, highest: f32| {
        let mut morphs = character();
        morphs.targets = 2;
        if targets > 0 {
            let values = [0.0, highest, 0.0].into_iter().flat_map(|weight| [weight, weight]).collect();
            let times = vec![0.0, 0.5, 1.0];
            morphs.channels().push(Channel { node: BODY, path: "weights", interpolation: "LINEAR", times, values });
        }
        morphs.check(&Settings::default())
    };
    let found = drive(0, 0.0);
    assert_eq!((found.len(), found[0].code, found[0].value), (1, "MORPH_NEVER_DRIVEN", Some(2.0)));
    let found = drive(2, 1.5);
    assert_eq!((found.len(), found[0].code, found[0].value, found[0].time), (1, "MORPH_OUT_OF_RANGE", Some(1.5), Some(0.5)));
    let found = drive(2, -0.2);
    assert_eq!((found[0].code, found[0].threshold), ("MORPH_OUT_OF_RANGE", Some(0.0)));
    assert_eq!(drive(2, 1.005), []);
}

#[test]
fn each_weight_of_a_channel_that_is_out_of_range_is_counted() {
    let mut morphs = character();
    morphs.targets = 4;
    morphs.channels().push(per_frame(BODY, "weights", |time| [2.0, 1.5, -1.0, 0.5].map(|weight| weight * (PI * time).sin())));
    let finding = morphs.only("MORPH_OUT_OF_RANGE");
    assert!(finding.message.contains("drives morph weights below 0 or above 1: "), "{}", finding.message);
    for weight in ["target 0 to 2.00", "target 1 to 1.50", "target 2 to -1.00"] {
        assert!(finding.message.contains(weight), "{}", finding.message);
    }
}

#[test]
fn a_morph_target_is_driven_if_the_last_of_many_nodes_with_its_mesh_drives_it() {
    let mut copies = character();
    copies.targets = 1;
    copies.nodes.extend(vec![json!({ "mesh": 0 }); 150]);
    copies.roots.extend(10..160);
    assert!(copies.codes().contains(&"MORPH_NEVER_DRIVEN"));
    copies.channels().push(per_frame(159, "weights", |time| [time]));
    assert!(!copies.codes().contains(&"MORPH_NEVER_DRIVEN"));
}

#[test]
fn the_order_of_two_nodes_with_the_same_mesh_changes_no_code() {
    let codes = |is_reversed: bool| {
        let mut twice = character();
        twice.targets = 1;
        twice.influences.iter_mut().for_each(|vertex| vertex.resize(2, [(0, 0.0); 4]));
        for joint in 0..5 {
            twice.influences[0][joint / 4][joint % 4] = (joint as u16, 0.2);
        }
        // One node shows the mesh without its skin and with the target, the other one with its skin and without the target.
        let mut plain = twice.nodes[BODY].clone();
        plain.as_object_mut().unwrap().remove("skin");
        plain["weights"] = json!([1.0]);
        twice.roots.push(twice.nodes.len());
        twice.nodes.push(plain);
        if is_reversed {
            let last = twice.nodes.len() - 1;
            twice.nodes.swap(BODY, last);
        }
        twice.codes()
    };
    assert_eq!(codes(false), ["INFLUENCES_OVER_4"]);
    assert_eq!(codes(true), codes(false));
}

#[test]
fn a_file_without_a_mesh_has_no_findings_about_missing_effects() {
    let motion = crate::common::gltf_builder::motion_only();
    let found = crate::common::character::findings(&motion, &Settings::default());
    assert!(found.iter().all(|finding| !finding.code.contains("WITHOUT")), "{found:#?}");
    assert_eq!(HEAD, 2);
}

//! Tests the report of `sinew diff`. Its JSON is a contract with other tools.

use serde_json::json;
use sinew::compare::report::{Excess, Tolerance};
use sinew::compare::text::{path_names, titles, to_text};
use sinew::model::Model;

use crate::common::gltf_builder::Gltf;
use crate::rig::{Rig, reported};

#[test]
fn the_json_has_the_properties_of_the_contract() {
    let b = Rig { hips: [1.0, 1.5, 1.0], ..Rig::default() };
    let json = serde_json::to_value(reported(Rig::default().model(), b.model(), Tolerance::default())).unwrap();
    let (distance, joints) = (&json["distance_max"], &json["joints"]);
    assert!((distance.as_f64().unwrap() - 0.3).abs() < 1e-6);
    let expected = json!({
        "schema": 1, "a": "a.glb", "b": "b.glb",
        "animation": { "a": 0, "b": 0 }, "duration": { "a": 2.0, "b": 2.0 }, "height": 2.0, "samples": 121,
        "unmatched": { "a": [], "b": [] },
        "joints": joints, "distance_max": distance, "angle_max": 0.0,
        "vertices": {
            "distance_max": json["vertices"]["distance_max"], "distance_mean": json["vertices"]["distance_mean"],
            "node": 4, "primitive": 0, "vertex": json["vertices"]["vertex"], "time": 1.0, "compared": 3, "skipped": 0,
        },
        "bounds_distance_max": null, "bounds_node": null, "bounds_time": null, "morph_targets": null, "joint_weights": null,
        "other_animations": [],
        "within_tolerance": false, "exceeded": ["JOINT_DISTANCE", "VERTEX_DISTANCE"], "differences": [],
    });
    assert_eq!(json, expected);
    assert_eq!(joints.as_array().unwrap().len(), 5);
    let first = &joints[0];
    let expected = json!({
        "a": first["a"], "b": first["a"], "name": first["name"], "distance_max": distance, "distance_mean": first["distance_mean"],
        "angle_max": 0.0, "time": 1.0,
    });
    assert_eq!(first, &expected);
    assert_eq!(joints[4]["name"], "Root");
}

#[test]
fn large_distances_and_joints_without_a_counterpart_exceed_the_tolerance() {
    let b = Rig { hips: [1.0, 1.5, 1.0], ..Rig::default() };
    let is_within = |distance, angle| {
        reported(Rig::default().model(), b.model(), Tolerance { distance, angle, ..Tolerance::default() }).within_tolerance
    };
    assert!(is_within(0.31, 0.0) && !is_within(0.29, 180.0));
    let mut without_head = Rig::default().gltf();
    without_head.json["nodes"][2]["children"] = json!([]);
    without_head.json["nodes"][2].as_object_mut().unwrap().remove("children");
    without_head.json["nodes"][3]["name"] = json!("Balloon");
    without_head.json["nodes"].as_array_mut().unwrap().push(json!({ "name": "Other" }));
    let report = reported(Rig::default().model(), without_head.model(), LOOSE);
    assert_eq!((report.unmatched.a, report.unmatched.b, report.within_tolerance), (vec![3], vec![3, 5], false));
}

/// A tolerance that no distance and no angle exceeds.
const LOOSE: Tolerance = Tolerance { distance: 1e9, angle: 360.0, lost_animations: false };

#[test]
fn lost_animations_and_meshes_exceed_even_a_loose_tolerance() {
    let excesses_of = |b: Model, tolerance: Tolerance| reported(Rig::default().model(), b, tolerance).exceeded;
    let mut still = Rig::default().gltf();
    still.json.as_object_mut().unwrap().remove("animations");
    assert_eq!(excesses_of(still.model(), LOOSE), [Excess::LostAnimation]);
    assert_eq!(excesses_of(still.model(), Tolerance { lost_animations: true, ..LOOSE }), []);
    let mut renamed = Rig::default().gltf();
    renamed.json["animations"][0]["name"] = json!("Other");
    assert_eq!(excesses_of(renamed.model(), LOOSE), [Excess::LostAnimation]);
    renamed.json["animations"][0].as_object_mut().unwrap().remove("name");
    assert_eq!(excesses_of(renamed.model(), LOOSE), []);
    let mut bare = Rig::default().gltf();
    for node in bare.json["nodes"].as_array_mut().unwrap() {
        node.as_object_mut().unwrap().remove("mesh");
    }
    assert_eq!(excesses_of(bare.model(), LOOSE), [Excess::LostMesh]);
    assert_eq!(excesses_of(Rig::default().model(), Tolerance::default()), []);
}

#[test]
fn the_text_says_which_vertices_are_compared() {
    let vertices = |a: &Gltf, b: &Gltf| {
        let text = to_text(&reported(a.model(), b.model(), LOOSE));
        text.lines().find_map(|line| line.trim().strip_prefix("vertices")).map(|words| words.trim().to_owned())
    };
    let with_mesh = Rig::default().gltf();
    let mut bare = Rig::default().gltf();
    for node in bare.json["nodes"].as_array_mut().unwrap() {
        node.as_object_mut().unwrap().remove("mesh");
    }
    assert_eq!(vertices(&bare, &bare).as_deref(), Some("none"));
    assert_eq!(vertices(&with_mesh, &bare).as_deref(), Some("not compared: B has no mesh"));
    assert_eq!(vertices(&bare, &with_mesh).as_deref(), Some("not compared: A has no mesh"));
    let mut moved = bare.clone();
    let node = moved.push("nodes", json!({ "name": "New", "mesh": 0 }));
    moved.json["scenes"][0]["nodes"].as_array_mut().unwrap().push(json!(node));
    assert_eq!(vertices(&with_mesh, &moved).as_deref(), Some("not compared: no node with a mesh has a counterpart with a mesh"));
    let mut turned = with_mesh.clone();
    let indices = turned.u16s("SCALAR", &[0, 2, 1]);
    turned.json["meshes"][0]["primitives"][0]["indices"] = json!(indices);
    assert_eq!(vertices(&with_mesh, &turned).as_deref(), Some("not compared: the topology differs"));
    // A second mesh, whose 1,200 vertices have no counterpart.
    let mut larger = with_mesh.clone();
    let positions = larger.floats("VEC3", &[0.5; 3600]);
    let mesh = larger.push("meshes", json!({ "primitives": [{ "attributes": { "POSITION": positions } }] }));
    larger.json["nodes"][3]["mesh"] = json!(mesh);
    let skipped = vertices(&larger, &with_mesh).unwrap();
    assert!(skipped.contains(", 3 compared; 1,200 not compared: the topology differs, or B lacks their mesh"), "{skipped}");
    let same = vertices(&larger, &larger).unwrap();
    assert!(same.ends_with(", 1,203 compared"), "{same}");
}

#[test]
fn the_text_says_that_joints_are_not_compared_if_no_node_has_a_counterpart() {
    let file = |names: &[&str]| {
        let mut gltf = Gltf::new();
        for name in names {
            gltf.push("nodes", json!({ "name": name }));
        }
        gltf.model()
    };
    let joints = |a: &[&str], b: &[&str]| {
        let text = to_text(&reported(file(a), file(b), LOOSE));
        text.lines().find_map(|line| line.trim().strip_prefix("joints")).map(|words| words.trim().to_owned())
    };
    assert_eq!(joints(&["Left"], &["Right", "Wrong"]).as_deref(), Some("not compared: no node of A has a counterpart in B"));
    assert_eq!(joints(&["Left"], &["Left"]).as_deref(), Some("max 0 m, max 0 degrees"));
    assert_eq!(joints(&[], &["Left"]).as_deref(), Some("none"));
}

#[test]
fn the_text_lists_the_worst_joints_first() {
    let b = Rig { spine: [0.0, 0.75, 0.0], ..Rig::default() };
    let text = to_text(&reported(Rig::default().model(), b.model(), Tolerance::default()));
    assert!(text.contains("A a.glb\nB b.glb\n") && text.contains("tolerance      exceeded: distance of joints"), "{text}");
    let [head, spine] = ["\"Head\"", "\"Spine\""].map(|name| text.find(name).unwrap());
    assert!(head < spine && !text.contains("\"Root\""), "{text}");
    assert!(text.contains("% of the height") && text.contains("14.3 degrees") && text.contains("at 1.000 s"), "{text}");
}

#[test]
fn the_titles_of_files_with_equal_names_show_their_folders() {
    let titles = |a: &str, b: &str| titles(&path_names([&a.into(), &b.into()]));
    assert_eq!(titles("/m/old/Fox.glb", "/m/new/Fox.glb"), ["A: old/Fox.glb", "B: new/Fox.glb"]);
    assert_eq!(titles("/m/old/Fox.glb", "/m/new/Wolf.glb"), ["A: Fox.glb", "B: Wolf.glb"]);
    assert_eq!(titles("Fox.glb", "Fox.glb"), ["A: Fox.glb", "B: Fox.glb"]);
}

/// The reasons why a rig after a change does not count as equal to the rig before it.
fn excesses(before: &Gltf, change: impl FnOnce(&mut Gltf), tolerance: Tolerance) -> Vec<Excess> {
    let mut after = before.clone();
    change(&mut after);
    reported(before.model(), after.model(), tolerance).exceeded
}

#[test]
fn lost_nodes_that_move_or_have_a_mesh_exceed_even_a_loose_tolerance_and_lost_empty_nodes_do_not() {
    let mut rig = Rig::default().gltf();
    rig.json.as_object_mut().unwrap().remove("skins");
    rig.json["nodes"][0]["children"] = json!([1, 5]);
    rig.push("nodes", json!({ "name": "Empty" }));
    let without_empty = |gltf: &mut Gltf| {
        gltf.json["nodes"][0]["children"] = json!([1]);
        gltf.json["nodes"].as_array_mut().unwrap().truncate(5);
    };
    assert_eq!(excesses(&rig, without_empty, Tolerance::default()), []);
    for (node, lost) in [(1, true), (2, true), (3, false), (4, true)] {
        let renamed = |gltf: &mut Gltf| {
            without_empty(gltf);
            gltf.json["nodes"][node]["name"] = json!("Other");
        };
        assert_eq!(excesses(&rig, renamed, LOOSE), if lost { vec![Excess::LostNode] } else { vec![] }, "node {node}");
    }

    let mut empty = Gltf::new();
    empty.push("nodes", json!({ "name": "Left" }));
    let other = |gltf: &mut Gltf| {
        gltf.json["nodes"] = json!([{ "name": "Right" }, { "name": "Wrong" }]);
    };
    assert_eq!(excesses(&empty, other, LOOSE), [Excess::LostNode], "no node has a counterpart");
    assert_eq!(excesses(&empty, |_| {}, Tolerance::default()), []);
    assert_eq!(excesses(&Gltf::new(), other, Tolerance::default()), []);
}

#[test]
fn a_lost_mesh_exceeds_even_a_loose_tolerance_and_one_at_a_new_child_does_not() {
    let mut before = Rig::default().gltf();
    let hair = before.json["meshes"][0].clone();
    before.json["nodes"][3]["mesh"] = json!(before.push("meshes", hair));
    let lost = |gltf: &mut Gltf| {
        gltf.json["nodes"][3].as_object_mut().unwrap().remove("mesh");
    };
    assert_eq!(excesses(&before, lost, LOOSE), [Excess::LostMesh]);
    let moved = |gltf: &mut Gltf| {
        lost(gltf);
        let child = gltf.push("nodes", json!({ "mesh": 1 }));
        gltf.json["nodes"][3]["children"] = json!([child]);
    };
    assert_eq!(excesses(&before, moved, Tolerance::default()), []);
    let without = Rig::default().gltf();
    assert_eq!(excesses(&without, |gltf| *gltf = before.clone(), Tolerance::default()), [], "a mesh only in B is a difference");
    let mut more = before.clone();
    let primitive = &before.json["meshes"][1]["primitives"][0];
    more.json["meshes"][1]["primitives"] = json!([primitive, primitive]);
    assert_eq!(excesses(&more, |gltf| *gltf = before.clone(), Tolerance::default()), [], "optimizers merge primitives");
}

#[test]
fn a_mesh_that_keeps_only_its_points_or_lines_is_lost() {
    let with_mode = |mode: u32| move |gltf: &mut Gltf| gltf.json["meshes"][0]["primitives"][0]["mode"] = json!(mode);
    let triangles = Rig::default().gltf();
    assert_eq!(excesses(&triangles, with_mode(0), LOOSE), [Excess::LostMesh]);
    assert_eq!(excesses(&triangles, with_mode(2), LOOSE), [Excess::LostMesh]);
    assert_eq!(excesses(&triangles, with_mode(5), LOOSE), []);
    let mut points = triangles.clone();
    with_mode(0)(&mut points);
    assert_eq!(excesses(&points, with_mode(4), LOOSE), []);
}

#[test]
fn hidden_meshes_and_moved_instances_exceed_the_tolerance() {
    let with_instances = |offsets: &[f32]| {
        let mut gltf = Rig::default().gltf();
        let attributes = json!({ "TRANSLATION": gltf.floats("VEC3", offsets) });
        gltf.json["extensionsUsed"] = json!(["EXT_mesh_gpu_instancing", "KHR_node_visibility"]);
        gltf.json["nodes"][4]["scale"] = json!([2, 2, 2]);
        gltf.json["nodes"][4]["extensions"] = json!({ "EXT_mesh_gpu_instancing": { "attributes": attributes } });
        gltf
    };
    let before = with_instances(&[0.0, 0.0, 0.0, 3.0, 0.0, 0.0]);
    let hidden = |gltf: &mut Gltf| gltf.json["nodes"][4]["extensions"]["KHR_node_visibility"] = json!({ "visible": false });
    assert_eq!(excesses(&before, hidden, LOOSE), [Excess::MeshHidden]);

    let within = |distance: f64| Tolerance { distance, ..LOOSE };
    // The node is scaled by 2, so an instance that is moved by 0.5 in its node moves by 1 m.
    let moved = with_instances(&[0.0, 0.0, 0.0, 3.0, 0.5, 0.0]);
    assert_eq!(excesses(&before, |gltf| *gltf = moved.clone(), within(0.99)), [Excess::Instances]);
    assert_eq!(excesses(&before, |gltf| *gltf = moved.clone(), within(1.01)), []);
    let fewer = with_instances(&[0.0, 0.0, 0.0]);
    assert_eq!(excesses(&before, |gltf| *gltf = fewer.clone(), LOOSE), [Excess::Instances]);

    // The mesh is 2 m high, and 4 m at the scaled node. A quarter turn moves its top by the square root of 2 times its height.
    let turned = |gltf: &mut Gltf| {
        let half = std::f32::consts::FRAC_1_SQRT_2;
        let rotations = gltf.floats("VEC4", &[half, 0.0, 0.0, half, 0.0, 0.0, 0.0, 1.0]);
        gltf.json["nodes"][4]["extensions"]["EXT_mesh_gpu_instancing"]["attributes"]["ROTATION"] = json!(rotations);
    };
    assert_eq!(excesses(&before, turned, within(5.65)), [Excess::Instances]);
    assert_eq!(excesses(&before, turned, within(5.66)), []);
}

//! Tests nodes, scenes and cameras.

use glam::{Affine3A, DVec3, Vec3, Vec3A};
use serde_json::json;
use sinew::asset::error::{LoadError, Problem};
use sinew::model::camera::Projection;
use sinew::model::hierarchy::{Hierarchy, Trs};
use sinew::model::node::{ExtraProperty, NodeIndex};

use crate::common::gltf_builder::{Gltf, codes, finding, triangle};

#[test]
fn nodes_are_ordered_depth_first_with_children_in_file_order() {
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
    let made = Hierarchy::from_parents(model.hierarchy.parents.clone(), model.hierarchy.rest.clone());
    assert_eq!(made.subtree_ends, [4, 3, 3, 4, 5]);
}

#[test]
fn subtrees_are_marked_whether_their_roots_are_nested_or_not() {
    let parents = [None, Some(0), Some(1), Some(0), None, Some(4)].map(|parent| parent.map(NodeIndex));
    let hierarchy = Hierarchy::from_parents(parents.to_vec(), vec![Trs::IDENTITY; 6]);
    let nodes_in = |roots: &[u32]| {
        let inside = hierarchy.in_subtrees(roots.iter().copied().map(NodeIndex));
        (0..6).filter(|&node| inside[node]).collect::<Vec<_>>()
    };
    assert!(nodes_in(&[]).is_empty());
    assert_eq!(nodes_in(&[3, 1]), [1, 2, 3]);
    assert_eq!(nodes_in(&[2, 1, 5, 1]), [1, 2, 5]);
    assert_eq!(nodes_in(&[2, 0]), [0, 1, 2, 3]);
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
fn a_cycle_of_nodes_is_cut_once_and_all_nodes_are_kept() {
    let mut gltf = Gltf::new();
    // Node 0 is a child of node 2, which is part of the cycle 1 -> 2 -> 1. Node 3 is separate.
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
fn a_node_that_lists_children_repeatedly_has_them_once_and_one_finding() {
    let mut gltf = Gltf::new();
    gltf.json["nodes"] = json!([{ "children": [1, 1, 2, 2, 1] }, {}, {}]);
    let model = gltf.model();
    assert_eq!(model.hierarchy.parents, [None, Some(NodeIndex(0)), Some(NodeIndex(0))]);
    assert_eq!(codes(&model), ["DUPLICATE_ELEMENTS"]);
}

#[test]
fn a_matrix_is_kept_unless_it_is_animated() {
    let mut gltf = Gltf::new();
    // This matrix is sheared, so no translation, rotation and scale can express it.
    let sheared = json!([1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 1, 2, 3, 1]);
    let scaled = json!([2, 0, 0, 0, 0, 3, 0, 0, 0, 0, 4, 0, 5, 6, 7, 1]);
    gltf.push("nodes", json!({ "matrix": sheared }));
    gltf.push("nodes", json!({ "matrix": scaled }));
    let output = gltf.floats("VEC3", &[0.0, 0.0, 0.0]);
    gltf.animation(&[(1, "translation", "LINEAR", &[0.0], output)]);
    let model = gltf.model();
    let kept = *model.hierarchy.fixed_local[0].as_deref().unwrap();
    assert_eq!(kept, Affine3A::from_cols(Vec3::X.into(), Vec3A::new(0.5, 1.0, 0.0), Vec3::Z.into(), Vec3::new(1.0, 2.0, 3.0).into()));
    assert_eq!(model.hierarchy.fixed_local[1], None);
    assert_eq!(model.hierarchy.rest[1].scale, Vec3A::new(2.0, 3.0, 4.0));
    assert_eq!(model.hierarchy.rest[1].translation, Vec3A::new(5.0, 6.0, 7.0));
    assert_eq!(finding(&model, "ANIMATION_CHANNEL_TARGET_NODE_MATRIX").pointer, "/animations/0/channels/0/target");
}

/// Turns about x by the angle whose cosine is 0.8, and about z by a quarter.
#[test]
fn an_animated_matrix_keeps_its_axes_if_some_scales_are_0_or_tiny() {
    let axes: [[f64; 3]; 3] = [[0.0, 1.0, 0.0], [-0.8, 0.0, 0.6], [0.6, 0.0, 0.8]];
    let (flat, line, point) =
        ([[0.0, 3.0, 4.0], [2.0, 0.0, 4.0], [2.0, 3.0, 0.0]], [[2.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 4.0]], [0.0; 3]);
    let tiny = [[1e-20, 2e-20, 3e-20], [-1e-20, 2e-20, 3e-20], [0.0, 1e-30, 1e-30]];
    for scale in flat.into_iter().chain(line).chain(tiny).chain([point]) {
        let column = |i: usize| axes[i].map(|x| x * scale[i]);
        let matrix: Vec<f64> = (0..3).flat_map(|i| [&column(i)[..], &[0.0]].concat()).chain([1.0, 2.0, 3.0, 1.0]).collect();
        let mut gltf = Gltf::new();
        gltf.push("nodes", json!({ "matrix": matrix }));
        let output = gltf.floats("VEC3", &[0.0, 0.0, 0.0]);
        gltf.animation(&[(0, "translation", "LINEAR", &[0.0], output)]);
        let rest = gltf.model().hierarchy.rest[0];
        assert!(rest.rotation.is_normalized(), "{scale:?}: {rest:?}");
        let found = rest.to_matrix().matrix3;
        let longest = scale.iter().fold(0.0, |longest: f64, &x| longest.max(x.abs()));
        for i in 0..3 {
            let error = (found.col(i) - DVec3::from(column(i))).length();
            assert!(error <= 1e-6 * longest, "axis {i} of {scale:?}: {found:?}");
        }
    }
}

#[test]
fn a_matrix_node_with_only_animated_weights_keeps_its_matrix() {
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
fn a_file_may_have_no_scenes_several_scenes_or_empty_scenes() {
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
fn an_invalid_camera_gets_a_default_lens() {
    let mut gltf = Gltf::new();
    gltf.push("cameras", json!({ "type": "perspective", "perspective": { "yfov": 0, "znear": 0 } }));
    gltf.push("cameras", json!({ "type": "orthographic", "orthographic": { "xmag": 2, "ymag": 1, "znear": 0, "zfar": 9 } }));
    gltf.push("cameras", json!({ "type": "perspective", "perspective": { "yfov": 2, "znear": 0, "zfar": 50 } }));
    gltf.push("cameras", json!({ "type": "orthographic", "orthographic": { "xmag": 0, "ymag": 3, "znear": 1, "zfar": 9 } }));
    let model = gltf.model();
    let projections: Vec<_> = model.cameras.iter().map(|camera| camera.projection).collect();
    assert!(matches!(projections[0], Projection::Perspective { yfov, znear, .. } if yfov > 0.0 && znear > 0.0));
    assert_eq!(projections[1], Projection::Orthographic { xmag: 2.0, ymag: 1.0, znear: 0.0, zfar: 9.0 });
    // Only the invalid number is replaced.
    assert!(matches!(projections[2], Projection::Perspective { yfov: 2.0, znear, zfar: Some(50.0), .. } if znear > 0.0));
    assert_eq!(projections[3], Projection::Orthographic { xmag: 3.0, ymag: 3.0, znear: 1.0, zfar: 9.0 });
    assert_eq!(codes(&model), ["CAMERA_INVALID"; 3]);
    let messages: Vec<_> = model.findings.iter().map(|finding| finding.message.as_str()).collect();
    assert_eq!(messages[0], "The camera's yfov, znear are invalid; defaults are used.");
    assert_eq!(messages[1], "The camera's znear is invalid; a default is used.");
}

#[test]
fn extras_of_nodes_are_kept_as_they_are_in_the_file() {
    let mut gltf = Gltf::new();
    let deep = format!("{}{}", "[".repeat(100), "]".repeat(100));
    let deep: serde_json::Value = serde_json::from_str(&deep).unwrap();
    for extras in [json!({ "team": "red", "hp": 1e300, "tags": ["a", null] }), json!([1, 2]), json!({}), deep.clone(), json!({ "": 0 })] {
        gltf.push("nodes", json!({ "extras": extras }));
    }
    gltf.push("nodes", json!({}));
    let model = gltf.model();
    let property = |name: Option<&str>, json: &str| ExtraProperty { name: name.map(str::to_owned), json: json.to_owned() };
    let expected = [
        vec![property(Some("hp"), "1e+300"), property(Some("tags"), r#"["a",null]"#), property(Some("team"), r#""red""#)],
        vec![property(None, "[1,2]")],
        vec![],
        vec![property(None, &deep.to_string())],
        vec![property(Some(""), "0")],
        vec![],
    ];
    for (source, expected) in expected.into_iter().enumerate() {
        assert_eq!(model.node(model.node_of_source[source]).extras, expected, "node {source}");
    }
}

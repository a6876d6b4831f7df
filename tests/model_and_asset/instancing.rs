//! Tests EXT_mesh_gpu_instancing from the file to the session: transforms of instances, invalid data, framing and picking. Results are
//! compared with a file that has one node for each instance.

use std::sync::Arc;

use glam::{Affine3A, DAffine3, DMat4, DQuat, DVec2, DVec3, Quat, Vec3};
use serde_json::{Value, json};
use sinew::animation::hierarchy::deform;
use sinew::camera::bounds::Bounds;
use sinew::camera::{Camera, Projection};
use sinew::model::Model;
use sinew::model::finding::Severity;
use sinew::model::node::NodeIndex;
use sinew::session::analyses::Analyses;
use sinew::session::camera::screen::ScreenProjection;
use sinew::session::document::Document;
use sinew::session::inspect::matrices::Matrix;
use sinew::session::pick;
use sinew::session::pose::solve::{self, Posed};
use sinew::session::view::View;

use crate::common::gltf_builder::{BYTE, FLOAT, Gltf, SHORT, UNSIGNED_BYTE, codes, finding, skinned_triangle, triangle};

const NAME: &str = "EXT_mesh_gpu_instancing";
const POINTER: &str = "/nodes/0/extensions/EXT_mesh_gpu_instancing";

fn with_instances(mut gltf: Gltf, attributes: Value) -> Gltf {
    gltf.json["extensionsUsed"] = json!([NAME]);
    gltf.json["nodes"][0]["extensions"] = json!({ NAME: { "attributes": attributes } });
    gltf
}

/// Translation, rotation quaternion, scale.
type InstanceTrs = ([f32; 3], [f32; 4], [f32; 3]);

fn places() -> Vec<InstanceTrs> {
    let turn = Quat::from_euler(glam::EulerRot::YXZ, 0.5, -0.3, 1.1).to_array();
    vec![
        ([0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0], [1.0, 1.0, 1.0]),
        ([5.0, 1.0, -2.0], turn, [2.0, 0.5, 3.0]),
        ([-4.0, 2.0, 1.0], [0.0, 0.0, 1.0, 0.0], [-1.0, 1.0, 1.0]),
    ]
}

fn instanced(places: &[InstanceTrs]) -> Gltf {
    let mut gltf = triangle();
    let translation = gltf.floats("VEC3", &places.iter().flat_map(|place| place.0).collect::<Vec<_>>());
    let rotation = gltf.floats("VEC4", &places.iter().flat_map(|place| place.1).collect::<Vec<_>>());
    let scale = gltf.floats("VEC3", &places.iter().flat_map(|place| place.2).collect::<Vec<_>>());
    with_instances(gltf, json!({ "TRANSLATION": translation, "ROTATION": rotation, "SCALE": scale }))
}

/// Builds the scene of [`instanced`] without instancing: one child of node 0 for each place.
fn expanded(places: &[InstanceTrs]) -> Gltf {
    let mut gltf = triangle();
    gltf.json["nodes"][0].as_object_mut().unwrap().remove("mesh");
    let children = places.iter().map(|(t, r, s)| gltf.push("nodes", json!({ "mesh": 0, "translation": t, "rotation": r, "scale": s })));
    let children: Vec<usize> = children.collect();
    gltf.json["nodes"][0]["children"] = json!(children);
    gltf
}

/// Adds an animation that moves and turns node 0.
fn animate(gltf: &mut Gltf) {
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let moved = gltf.floats("VEC3", &[0.0, 0.0, 0.0, 10.0, -3.0, 2.0]);
    let turned = gltf.floats("VEC4", &[0.0, 0.0, 0.0, 1.0, 0.0, half, 0.0, half]);
    let channels: [(usize, &str, &str, &[f32], usize); 2] =
        [(0, "translation", "LINEAR", &[0.0, 1.0], moved), (0, "rotation", "LINEAR", &[0.0, 1.0], turned)];
    gltf.animation(&channels);
}

fn instances(gltf: &Gltf) -> Vec<Affine3A> {
    gltf.model().nodes[0].instances.clone()
}

fn assert_places(got: &[Affine3A], wanted: &[InstanceTrs], within: f64) {
    assert_eq!(got.len(), wanted.len());
    for (got, (t, r, s)) in got.iter().zip(wanted) {
        let double = |v: [f32; 3]| DVec3::from_array(v.map(f64::from));
        let rotation = DQuat::from_array(r.map(f64::from)).normalize();
        let wanted = DMat4::from_scale_rotation_translation(double(*s), rotation, double(*t));
        let difference = DMat4::from(got.as_daffine3()) - wanted;
        assert!(difference.to_cols_array().iter().all(|d| d.abs() <= within), "{got:?} is not {wanted:?}");
    }
}

#[test]
fn instances_are_placed_by_the_three_attributes() {
    assert_places(&instances(&instanced(&places())), &places(), 1e-5);
    assert!(instanced(&places()).model().findings.is_empty());
}

/// Writes every integer in a value with a fraction of 0.
fn with_fractions(value: &Value) -> Value {
    match value {
        Value::Array(elements) => elements.iter().map(with_fractions).collect(),
        Value::Object(object) => object.iter().map(|(key, value)| (key.clone(), with_fractions(value))).collect(),
        Value::Number(number) => json!(number.as_f64()),
        other => other.clone(),
    }
}

#[test]
fn integers_with_a_fraction_of_0_are_read_as_integers() {
    // Either all numbers have a fraction, or only those of an extension, which the types keep as raw JSON.
    let (mut all, mut in_extension) = (instanced(&places()), instanced(&places()));
    all.json["buffers"] = json!([{ "byteLength": all.bin.len() }]);
    all.json["extras"] = json!({ "count": 3 });
    all.json = with_fractions(&all.json);
    in_extension.json["nodes"][0]["extensions"] = with_fractions(&in_extension.json["nodes"][0]["extensions"]);
    for gltf in [all, in_extension] {
        let model = gltf.model();
        assert_places(&model.nodes[0].instances, &places(), 1e-5);
        assert!(model.findings.is_empty(), "{:?}", model.findings);
        assert_eq!(format!("{:?}", model.meshes), format!("{:?}", triangle().model().meshes));
    }
    // An index above 32 bits stays invalid in this form, too.
    let mut gltf = triangle();
    gltf.json["nodes"][0]["mesh"] = json!(4294967296.0);
    assert!(gltf.refusal().contains("mesh"), "{}", gltf.refusal());
}

#[test]
fn a_missing_instance_attribute_is_the_identity() {
    for left_out in ["TRANSLATION", "ROTATION", "SCALE"] {
        let mut gltf = instanced(&places());
        gltf.json["nodes"][0]["extensions"][NAME]["attributes"].as_object_mut().unwrap().remove(left_out);
        let wanted: Vec<InstanceTrs> = places()
            .into_iter()
            .map(|(t, r, s)| match left_out {
                "TRANSLATION" => ([0.0; 3], r, s),
                "ROTATION" => (t, [0.0, 0.0, 0.0, 1.0], s),
                _ => (t, r, [1.0; 3]),
            })
            .collect();
        assert_places(&instances(&gltf), &wanted, 1e-5);
    }
    // Custom attributes alone do not make instances.
    let mut gltf = triangle();
    let color = gltf.u8s("VEC4", &[255; 8]);
    assert!(instances(&with_instances(gltf, json!({ "_COLOR_0": color }))).is_empty());
}

#[test]
fn rotations_may_be_normalized_integers_and_other_attributes_quantized() {
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let rotation = [0.0, half, 0.0, -half];
    let bytes: Vec<u8> = rotation.iter().map(|x| (x * 127.0).round() as i8 as u8).collect();
    let shorts: Vec<u8> = rotation.iter().flat_map(|x| ((x * 32767.0).round() as i16).to_le_bytes()).collect();
    // Integer components of a rotation are always fractions of their maximum, even if the accessor is not `normalized`.
    let kinds = [(BYTE, &bytes, true, 0.01), (SHORT, &shorts, true, 1e-4), (SHORT, &shorts, false, 1e-4)];
    for (component_type, data, normalized, within) in kinds {
        let mut gltf = triangle();
        let rotations = gltf.accessor(component_type, "VEC4", 1, data);
        gltf.json["accessors"][rotations]["normalized"] = json!(normalized);
        let scales = gltf.accessor(UNSIGNED_BYTE, "VEC3", 1, &[1, 2, 3]);
        let halves = gltf.accessor(SHORT, "VEC3", 1, &[0, 0, 0xff, 0x7f, 0x01, 0x80]);
        gltf.json["accessors"][halves]["normalized"] = json!(true);
        let got = instances(&with_instances(gltf, json!({ "TRANSLATION": halves, "ROTATION": rotations, "SCALE": scales })));
        let wanted = ([0.0, 1.0, -1.0], rotation.map(|x| x as f32), [1.0, 2.0, 3.0]);
        assert_places(&got, &[wanted], within * 4.0);
    }
}

#[test]
fn a_zero_rotation_is_the_identity_and_others_are_normalized() {
    let (mut flat, mut long) = (places()[0], places()[1]);
    flat.1 = [0.0; 4];
    long.1 = long.1.map(|x| x * 1e30);
    let got = instances(&instanced(&[flat, long]));
    assert_places(&got, &places()[..2], 1e-4);
}

#[test]
fn unequal_counts_are_an_error_and_the_smallest_count_is_used() {
    let mut gltf = instanced(&places());
    let short = gltf.floats("VEC3", &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    gltf.json["nodes"][0]["extensions"][NAME]["attributes"]["TRANSLATION"] = json!(short);
    let model = gltf.model();
    assert_eq!(model.nodes[0].instances.len(), 2);
    let finding = finding(&model, "NODE_INSTANCES_UNEQUAL_COUNTS");
    assert_eq!((finding.severity, finding.pointer.as_str()), (Severity::Error, format!("{POINTER}/attributes").as_str()));
}

#[test]
fn unreadable_instances_are_a_finding_and_the_mesh_is_drawn_once() {
    let refused = |change: &dyn Fn(&mut Gltf)| {
        let mut gltf = instanced(&places());
        change(&mut gltf);
        let model = gltf.model();
        assert!(model.nodes[0].instances.is_empty());
        let finding = finding(&model, "NODE_INSTANCES_INVALID");
        assert_eq!((finding.severity, finding.pointer.as_str()), (Severity::Error, POINTER));
        finding.message.clone()
    };
    let attributes = |gltf: &Gltf| gltf.json["nodes"][0]["extensions"][NAME]["attributes"].clone();
    let dangling = refused(&|gltf| gltf.json["nodes"][0]["extensions"][NAME]["attributes"]["SCALE"] = json!(u64::MAX));
    assert!(dangling.contains("SCALE accessor") && dangling.contains("does not exist"), "{dangling}");
    let kind = refused(&|gltf| {
        let wrong = attributes(gltf)["TRANSLATION"].clone();
        gltf.json["nodes"][0]["extensions"][NAME]["attributes"]["ROTATION"] = wrong;
    });
    assert!(kind.contains("is VEC3, expected VEC4"), "{kind}");
    let beyond = refused(&|gltf| {
        for name in ["TRANSLATION", "ROTATION", "SCALE"] {
            let accessor = attributes(gltf)[name].as_u64().unwrap() as usize;
            gltf.json["accessors"][accessor]["count"] = json!(4);
        }
    });
    assert!(beyond.contains("past the end of its buffer view"), "{beyond}");
    let many = refused(&|gltf| {
        let zeros = gltf.push("accessors", json!({ "componentType": FLOAT, "type": "VEC3", "count": 3_000_000 }));
        gltf.json["nodes"][0]["extensions"][NAME]["attributes"] = json!({ "TRANSLATION": zeros });
    });
    assert!(many.contains("more instances than the maximum of 2,097,152"), "{many}");
}

#[test]
fn the_instances_of_all_nodes_together_are_limited() {
    let mut gltf = triangle();
    let zeros = gltf.push("accessors", json!({ "componentType": FLOAT, "type": "VEC3", "count": 1_000_000 }));
    let mut gltf = with_instances(gltf, json!({ "TRANSLATION": zeros }));
    for _ in 0..3 {
        let node = gltf.json["nodes"][0].clone();
        gltf.push("nodes", node);
    }
    let model = gltf.model();
    assert_eq!(model.nodes.iter().map(|node| node.instances.len()).sum::<usize>(), 2_000_000);
    assert_eq!(codes(&model), ["NODE_INSTANCES_INVALID"; 2]);
}

#[test]
fn instances_of_a_skinned_mesh_are_ignored() {
    let mut gltf = skinned_triangle();
    let translation = gltf.floats("VEC3", &[1.0; 6]);
    let model = with_instances(gltf, json!({ "TRANSLATION": translation })).model();
    assert!(model.nodes.iter().all(|node| node.instances.is_empty()));
    assert_eq!(finding(&model, "NODE_INSTANCES_WITH_SKIN").severity, Severity::Warning);
}

#[test]
fn a_skin_does_not_hide_the_instances_of_a_mesh_without_joints() {
    let mut gltf = instanced(&places());
    gltf.json["nodes"][0]["skin"] = json!(0);
    let joint = gltf.push("nodes", json!({}));
    gltf.push("skins", json!({ "joints": [joint] }));
    let model = gltf.model();
    assert_eq!((model.nodes[0].instances.len(), codes(&model)), (3, vec![]));
}

#[test]
fn the_extension_may_be_required() {
    let mut gltf = instanced(&places());
    gltf.json["extensionsRequired"] = json!([NAME]);
    let model = gltf.model();
    assert_eq!(model.nodes[0].instances.len(), 3);
    assert!(model.asset.extensions[0].supported && model.asset.extensions[0].required);
}

fn bounds_of(model: Model) -> Bounds {
    let (document, view) = document(model);
    Analyses::new(&document, &view).bounds
}

fn document(model: Model) -> (Document, View) {
    let view = View { animation: (!model.animations.is_empty()).then_some(0), ..View::default() };
    (Document::new(Arc::new(model), "test".into(), None), view)
}

#[test]
fn bounds_contain_every_instance_over_the_whole_animation() {
    for moves in [false, true] {
        let (mut one, mut many) = (instanced(&places()), expanded(&places()));
        if moves {
            animate(&mut one);
            animate(&mut many);
        }
        let (one, many) = (bounds_of(one.model()), bounds_of(many.model()));
        // The bounds of a turning node are approximate in both files.
        let within = if moves { 0.3 } else { 1e-5 };
        assert!(one.min.distance(many.min) < within, "{one:?} is not {many:?}");
        assert!(one.max.distance(many.max) < within, "{one:?} is not {many:?}");
        assert!(moves || one.max.x > 5.0 && one.min.x < -3.0);
    }
}

#[test]
fn bounds_contain_the_morph_targets_of_every_instance() {
    let morphed = |mut gltf: Gltf| {
        let up = gltf.floats("VEC3", &[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 7.0, 0.0]);
        gltf.json["meshes"][0]["primitives"][0]["targets"] = json!([{ "POSITION": up }]);
        gltf.json["meshes"][0]["weights"] = json!([1.0]);
        bounds_of(gltf.model())
    };
    let (one, many) = (morphed(instanced(&places())), morphed(expanded(&places())));
    assert!(one.min.distance(many.min) < 1e-5 && one.max.distance(many.max) < 1e-5, "{one:?} is not {many:?}");
}

#[test]
fn far_instances_are_posed_and_framed_like_far_nodes() {
    let straight = [0.0, 0.0, 0.0, 1.0];
    let places = vec![([1e6, 0.0, 0.0], straight, [0.02; 3]), ([1e6 + 0.25, 0.0, 0.0], straight, [0.02; 3])];
    let (one, many) = (instanced(&places).model(), expanded(&places).model());
    let center = DVec3::X * (1e6 + 0.125);
    assert_eq!((&one.far_instances, many.far_instances.len()), (&vec![(NodeIndex(0), center)], 0));
    assert_eq!(one.nodes[0].instances[1].translation.x, 1e6 + 0.25, "the instances themselves are those of the file");
    let solved = |model: &Model| {
        let mut posed = Posed::new(model);
        solve::solve(model, &View::default(), 0.0, &mut posed);
        posed
    };
    let posed = solved(&one);
    assert_eq!((posed.anchor, posed.globals[0].translation), (center, DVec3::ZERO));
    // The renderer multiplies this matrix by the instances relative to their center.
    let entry = one.nodes[0].rigid_matrix.unwrap();
    assert_eq!(posed.palette[entry].transform_point(Vec3::ZERO), Vec3::ZERO);
    let at_node = deform::positions(&one, NodeIndex(0), &one.meshes[0].primitives[0], posed.vertex_pose(), 1..2);
    assert!(at_node[0].distance(DVec3::X) < 1e-9, "{at_node:?}");
    let document = Document::new(Arc::new(instanced(&places).model()), String::new(), None);
    let shown = Matrix::RigidPalette.value(&document, &posed, NodeIndex(0)).unwrap();
    assert_eq!(shown, DAffine3::IDENTITY, "the inspector shows the matrix of the node, without the center");
    let (one, many) = (bounds_of(one), bounds_of(many));
    assert!(one.min.distance(many.min) < 1e-6 && one.max.distance(many.max) < 1e-6, "{one:?} is not {many:?}");
}

#[test]
fn instances_near_their_node_are_drawn_relative_to_it() {
    let far = |x: f32| instanced(&[([x, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0], [1.0; 3])]).model().far_instances.len();
    assert_eq!((far(99.0), far(101.0)), (0, 1));
    assert_eq!(instanced(&places()).model().far_instances.len(), 0);
}

/// Returns the nodes under a world position for a camera that looks along -Z, with the depths of the hits.
fn hits(model: Model, time: f64, world: DVec3) -> Vec<(NodeIndex, f64)> {
    let (document, view) = document(model);
    let mut posed = Posed::new(&document.model);
    solve::solve(&document.model, &view, time, &mut posed);
    let projection = Projection::Orthographic { ymag: 20.0, xmag: None, depth: 200.0 };
    let camera = Camera::look_at(DVec3::Z * 100.0, DVec3::ZERO, DVec3::Y, projection, 0.0);
    let projection = ScreenProjection { camera, size: DVec2::splat(400.0) };
    let point = projection.project(world).unwrap().point;
    pick::meshes_under(&document, &View::default(), &posed, &projection, point).into_iter().map(|hit| (hit.node, hit.depth)).collect()
}

#[test]
fn clicks_on_an_instance_pick_its_node_and_clicks_between_instances_pick_nothing() {
    let spread: Vec<InstanceTrs> =
        (0..5).map(|i| ([4.0 * i as f32 - 8.0, 1.0, -(i as f32)], [0.0, 0.0, 0.0, 1.0], [2.0, 2.0, 2.0])).collect();
    for i in 0..5 {
        let inside = DVec3::new(4.0 * f64::from(i) - 7.5, 1.5, 0.0);
        let found = hits(instanced(&spread).model(), 0.0, inside);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].0, NodeIndex(0));
        assert!((found[0].1 - (100.0 + f64::from(i))).abs() < 1e-6, "{found:?}");
        assert!(hits(instanced(&spread).model(), 0.0, inside + DVec3::new(2.2, 0.0, 0.0)).is_empty());
    }
}

#[test]
fn a_mirrored_instance_is_picked_from_its_drawn_side() {
    let place = |scale: [f32; 3], rotation: [f32; 4]| vec![([0.0; 3], rotation, scale)];
    let (straight, about_y) = ([0.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 0.0]);
    for (places, at, seen) in [
        (place([1.0, 1.0, 1.0], straight), 0.25, true),
        (place([1.0, 1.0, 1.0], about_y), -0.25, false),
        (place([-1.0, 1.0, 1.0], straight), -0.25, true),
        (place([-1.0, 1.0, 1.0], about_y), 0.25, false),
    ] {
        let found = hits(instanced(&places).model(), 0.0, DVec3::new(at, 0.25, 0.0));
        assert_eq!(!found.is_empty(), seen, "{places:?}");
        let same = hits(expanded(&places).model(), 0.0, DVec3::new(at, 0.25, 0.0));
        assert_eq!(found.len(), same.len(), "{places:?}");
    }
}

#[test]
fn an_animation_of_the_node_moves_all_instances() {
    let spread = vec![([0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0], [1.0; 3]), ([0.0, 4.0, 0.0], [0.0, 0.0, 0.0, 1.0], [1.0; 3])];
    let mut gltf = instanced(&spread);
    let moved = gltf.floats("VEC3", &[0.0, 0.0, 0.0, 6.0, 0.0, 0.0]);
    gltf.animation(&[(0, "translation", "LINEAR", &[0.0, 1.0], moved)]);
    for y in [0.25, 4.25] {
        assert_eq!(hits(gltf.model(), 0.0, DVec3::new(0.25, y, 0.0)).len(), 1);
        assert_eq!(hits(gltf.model(), 0.0, DVec3::new(6.25, y, 0.0)).len(), 0);
        assert_eq!(hits(gltf.model(), 1.0, DVec3::new(6.25, y, 0.0)).len(), 1);
        assert_eq!(hits(gltf.model(), 1.0, DVec3::new(0.25, y, 0.0)).len(), 0);
    }
}

#[test]
fn fitting_the_selection_frames_all_its_instances() {
    let (one, many) = (document(instanced(&places()).model()), document(expanded(&places()).model()));
    let bounds = |(document, view): &(Document, View)| {
        let mut posed = Posed::new(&document.model);
        solve::solve(&document.model, view, 0.0, &mut posed);
        let whole = &Analyses::new(document, view).bounds;
        sinew::session::bounds::nodes_bounds(&document.model, &document.mesh_bounds, &posed, &[NodeIndex(0)], whole)
    };
    let (one, many) = (bounds(&one), bounds(&many));
    assert!(one.min.cmple(many.min + 1e-5).all() && one.max.cmpge(many.max - 1e-5).all(), "{one:?} does not hold {many:?}");
    assert!(one.radius() < many.radius() * 1.5);
}

#[test]
fn a_point_on_an_instance_is_transformed_by_the_instance() {
    let place = places()[1];
    let instance = instances(&instanced(&[place]))[0];
    let rotation = Quat::from_array(place.1);
    let by_hand = rotation * (Vec3::new(1.0, 2.0, 3.0) * Vec3::from_array(place.2)) + Vec3::from_array(place.0);
    assert!(instance.transform_point3(Vec3::new(1.0, 2.0, 3.0)).distance(by_hand) < 1e-4);
    assert_ne!(instance.as_daffine3(), DAffine3::IDENTITY);
}

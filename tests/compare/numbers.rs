//! Tests distances, angles and the error curve.

use glam::{DAffine3, DMat3, DVec3};
use sinew::compare::measure::{self, JointError};
use sinew::compare::time_map::Timing;
use sinew::compare::{Choices, Comparison};

use crate::common::gltf_builder;
use crate::rig::{Rig, compared, compared_with};

/// The error of the node with this index in A.
fn joint(found: &Comparison, node: u32) -> JointError {
    *found.measured.joints.iter().find(|joint| joint.a.0 == node).unwrap()
}

#[test]
fn a_model_compared_with_itself_has_no_differences() {
    let makers: [fn() -> sinew::model::Model; 3] =
        [|| Rig::default().model(), gltf_builder::walker, || Rig { origin: 1e6, ..Rig::default() }.model()];
    for make in makers {
        let found = compared(make(), make());
        assert_eq!((found.measured.distance_max, found.measured.angle_max), (0.0, 0.0));
        assert!(
            found.measured.joints.iter().all(|joint| joint.distance_max == 0.0 && joint.distance_mean == 0.0 && joint.angle_max == 0.0)
        );
        assert!(found.measured.curve.distances.iter().all(|&distance| distance == 0.0));
        assert_eq!(found.vertices.unwrap().distance_max, 0.0);
        assert!(found.differences.is_empty(), "{:?}", found.differences);
        assert_eq!(found.node_pairs.only_in_a().count() + found.node_pairs.only_in_b().count(), 0);
    }
}

#[test]
fn exchanging_the_models_gives_the_same_numbers() {
    let other = || Rig { hips: [1.0, 1.3, 1.1], spine: [0.1, 0.4, 0.0], ..Rig::default() };
    let there = compared(Rig::default().model(), other().model()).measured;
    let back = compared(other().model(), Rig::default().model()).measured;
    assert!(there.distance_max > 0.0);
    assert_eq!(there.curve, back.curve);
    assert_eq!(there.joints, back.joints);
}

#[test]
fn a_key_moved_by_a_millimeter_moves_its_joint_and_the_joints_below_around_its_time() {
    for origin in [0.0, 100_000.0] {
        let a = Rig { origin, ..Rig::default() };
        let b = Rig { hips: [1.0, 1.201, 1.0], origin, ..Rig::default() };
        let found = compared(a.model(), b.model());
        // The heights are f32 in the file.
        let expected = f64::from(1.201f32) - f64::from(1.2f32);
        assert_eq!(joint(&found, 0).distance_max, 0.0, "the root is above the joint");
        for below in 1..=4 {
            let error = joint(&found, below);
            assert!((error.distance_max - expected).abs() < 1e-9, "{origin}: {error:?}");
            assert_eq!((error.time, error.angle_max), (1.0, 0.0), "{error:?}");
            // The error rises and falls linearly over the animation, so its mean is half its maximum.
            assert!((error.distance_mean - expected / 2.0).abs() < 1e-7, "{error:?}");
        }
        let curve = &found.measured.curve;
        let at = |time: f64| curve.distances[curve.times.iter().position(|&other| other == time).unwrap()];
        assert_eq!([at(0.0), at(2.0)], [0.0, 0.0]);
        assert!((at(0.5) - expected / 2.0).abs() < 1e-7 && (found.measured.distance_max - expected).abs() < 1e-9);
    }
}

#[test]
fn a_turned_joint_has_an_angle_error_and_moves_the_joints_below_it() {
    let b = Rig { spine: [0.0, 0.5 + 2f32.to_radians(), 0.0], ..Rig::default() };
    let found = compared(Rig::default().model(), b.model());
    let (spine, head) = (joint(&found, 2), joint(&found, 3));
    assert!((spine.angle_max - 2.0).abs() < 1e-5 && spine.distance_max == 0.0 && spine.time == 1.0, "{spine:?}");
    // The head is half a meter from the axis.
    let chord = 2.0 * 0.5 * (1f64.to_radians()).sin();
    assert!((head.distance_max - chord).abs() < 1e-7 && (head.angle_max - 2.0).abs() < 1e-5, "{head:?}");
    assert_eq!(found.measured.joints[0].a.0, 3, "the joint with the largest distance comes first");
    assert_eq!(joint(&found, 4).distance_max, 0.0, "the foot is not below the spine");
}

#[test]
fn tiny_angles_are_measured_and_scale_is_ignored() {
    let b = Rig { spine: [0.0, 0.5 + 1e-6, 0.0], ..Rig::default() };
    let angle = joint(&compared(Rig::default().model(), b.model()), 2).angle_max.to_radians();
    assert!((5e-7..2e-6).contains(&angle), "{angle}");
    let mut scaled = Rig::default().gltf();
    scaled.json["nodes"][3]["scale"] = serde_json::json!([-2, 3, 4]);
    let found = compared(Rig::default().model(), scaled.model());
    assert!(joint(&found, 3).angle_max < 1e-5 || joint(&found, 3).angle_max > 179.0, "{:?}", joint(&found, 3));
    assert_eq!(joint(&found, 3).distance_max, 0.0);
    scaled.json["nodes"][3]["scale"] = serde_json::json!([0, 0, 0]);
    assert_eq!(joint(&compared(Rig::default().model(), scaled.model()), 3).angle_max, 0.0, "a node with a scale of 0 has no rotation");
}

#[test]
fn the_scale_of_a_turned_node_is_no_angle_at_all() {
    let head = |scale: [f32; 3]| {
        let mut gltf = Rig::default().gltf();
        gltf.json["nodes"][3]["rotation"] = serde_json::json!([0.1, 0.7, 0.5, 0.5]);
        gltf.json["nodes"][3]["scale"] = serde_json::json!(scale);
        gltf.model()
    };
    for scale in [1.1, 0.3, 2.0, 7.77, -1.1] {
        assert_eq!(compared(head([1.0; 3]), head([scale; 3])).measured.angle_max, 0.0, "{scale}");
    }
    // One mirrored axis is the reflection of all three axes and half a turn.
    let mirrored = compared(head([1.0; 3]), head([-1.0, 1.0, 1.0])).measured.angle_max;
    assert!((mirrored - 180.0).abs() < 1e-5, "{mirrored}");
}

#[test]
fn the_scale_of_a_parent_is_no_angle_either() {
    let transform =
        |scale: DVec3, degrees: f64| DAffine3::from_mat3(DMat3::from_diagonal(scale) * DMat3::from_rotation_z(degrees.to_radians()));
    // A scale times a rotation is the rotation times a symmetric matrix, which turns nothing.
    for scale in [DVec3::new(1.5, 1.0, 1.0), DVec3::new(0.01, 1.0, 7.0), DVec3::new(-3.0, -1.0, -1.0)] {
        assert!(measure::angle(&transform(DVec3::ONE, 45.0), &transform(scale, 45.0)) < 1e-8, "{scale}");
        let turned = measure::angle(&transform(DVec3::ONE, 35.0), &transform(scale, 45.0));
        assert!((turned - 10.0).abs() < 1e-8, "{scale}: {turned}");
    }
}

#[test]
fn the_turn_of_a_flat_node_is_measured_whichever_axis_has_no_length() {
    let half = std::f32::consts::FRAC_1_SQRT_2;
    for flat in 0..3 {
        for about in 0..3 {
            let head = |angle: [f32; 2]| {
                let (mut scale, mut rotation) = ([1.0, 2.0, 3.0], [0.0, 0.0, 0.0, angle[1]]);
                (scale[flat], rotation[about]) = (0.0, angle[0]);
                let mut gltf = Rig::default().gltf();
                gltf.json["nodes"][3]["scale"] = serde_json::json!(scale);
                gltf.json["nodes"][3]["rotation"] = serde_json::json!(rotation);
                gltf.model()
            };
            let found = compared(head([0.0, 1.0]), head([half, half]));
            assert!((joint(&found, 3).angle_max - 90.0).abs() < 1e-4, "{flat} {about}: {:?}", joint(&found, 3));
            let codes: Vec<_> = found.differences.iter().map(|difference| difference.code).collect();
            assert_eq!(codes, ["REST_POSE"], "{flat} {about}");
        }
    }
}

#[test]
fn stretching_compares_the_same_phases_and_an_offset_shifts_them() {
    let mut slow = Rig::default().gltf();
    let times = slow.floats("SCALAR", &[0.0, 2.0, 4.0]);
    for sampler in 0..2 {
        slow.json["animations"][0]["samplers"][sampler]["input"] = serde_json::json!(times);
    }
    let choose = |stretch, offset| Choices { animations: [Some(0); 2], timing: Timing { stretch, offset }, scene: None };
    let largest = |choices| compared_with(Rig::default().model(), slow.model(), choices).measured.distance_max;
    assert!(largest(choose(false, 0.0)) > 0.1);
    assert!(largest(choose(true, 0.0)) < 1e-7);
    assert!(largest(choose(true, 0.5)) > 0.01);
    // The same animation, a second ahead: the hips are 0.2 m apart at the start.
    let ahead = compared_with(Rig::default().model(), Rig::default().model(), choose(false, 1.0));
    assert!((joint(&ahead, 1).distance_max - 0.2).abs() < 1e-6);
}

#[test]
fn vertices_and_joints_of_b_jump_at_the_same_shifted_time() {
    let jump = |at: f32| {
        let mut gltf = Rig::default().gltf();
        let output = gltf.floats("VEC3", &[0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
        gltf.json["animations"] = serde_json::json!([]);
        gltf.animation(&[(1, "translation", "STEP", &[0.0, at], output)]);
        gltf.model()
    };
    // The times of the keys are f32, and the arithmetic of the shift rounds.
    for (a, b, offset) in [(0.5, 0.3, -0.2), (0.5, 0.7, 0.2), (0.25, 0.15, -0.1)] {
        let choices = Choices { animations: [Some(0); 2], timing: Timing { stretch: false, offset }, scene: None };
        let found = compared_with(jump(a), jump(b), choices);
        let [joints, vertices] = [found.measured.distance_max, found.vertices.unwrap().distance_max];
        assert!((joints - vertices).abs() < 1e-6, "{a} {b}: {joints} {vertices}");
    }
}

#[test]
fn vertices_may_differ_although_all_joints_coincide() {
    let mut moved = Rig::default().gltf();
    let positions = moved.floats("VEC3", &[0.0, 0.0, 0.0, 0.1, 0.0, 0.003, 0.0, 2.0, 0.0]);
    moved.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = serde_json::json!(positions);
    let found = compared(Rig::default().model(), moved.model());
    assert_eq!(found.measured.distance_max, 0.0);
    let vertices = found.vertices.unwrap();
    assert!((vertices.distance_max - 0.003).abs() < 1e-9 && (vertices.distance_mean - 0.001).abs() < 1e-9, "{vertices:?}");
    assert_eq!((vertices.node.0, vertices.vertex, vertices.compared, vertices.skipped), (4, 1, 3, 0));
}

#[test]
fn vertices_of_lost_meshes_and_of_meshes_with_other_primitives_are_counted_as_skipped() {
    let file = |hat_primitives: usize, has_tail: bool| {
        let mut gltf = Rig::default().gltf();
        let positions = gltf.floats("VEC3", &[0.0; 12]);
        let primitive = serde_json::json!({ "attributes": { "POSITION": positions }, "mode": 0 });
        let hat = gltf.push("meshes", serde_json::json!({ "primitives": vec![primitive.clone(); hat_primitives] }));
        gltf.json["nodes"][3]["mesh"] = serde_json::json!(hat);
        if has_tail {
            let tail = gltf.push("meshes", serde_json::json!({ "primitives": [primitive] }));
            gltf.json["nodes"][1]["mesh"] = serde_json::json!(tail);
        }
        gltf.model()
    };
    let counts = |a, b| compared(a, b).vertices.map(|vertices| (vertices.compared, vertices.skipped));
    assert_eq!(counts(file(2, true), file(2, true)), Some((3 + 8 + 4, 0)));
    assert_eq!(counts(file(2, true), file(1, true)), Some((3 + 4, 8)));
    assert_eq!(counts(file(2, true), file(2, false)), Some((3 + 8, 4)));
    assert_eq!(counts(file(2, false), file(2, true)), Some((3 + 8, 0)), "only vertices of A are counted");
}

#[test]
fn a_short_pulse_of_a_morph_weight_or_of_a_scale_is_found() {
    let pulse = |path: &str, peak: f32| {
        let mut gltf = Rig::default().gltf();
        let deltas = gltf.floats("VEC3", &[0.0, 0.0, 1.0].repeat(3));
        gltf.json["meshes"][0]["primitives"][0]["targets"] = serde_json::json!([{ "POSITION": deltas }]);
        let values = if path == "scale" { [1.0, 1.0, 1.0 + peak, 1.0, 1.0] } else { [0.0, 0.0, peak, 0.0, 0.0] };
        let output = match path {
            "scale" => gltf.floats("VEC3", &values.map(|value| [value; 3]).concat()),
            _ => gltf.floats("SCALAR", &values),
        };
        gltf.json["animations"] = serde_json::json!([]);
        gltf.animation(&[(4, path, "LINEAR", &[0.0, 3.05, 3.1, 3.15, 10.0], output)]);
        gltf.model()
    };
    // A weight of 1 moves each vertex by a meter, a scale of 2 the topmost vertex by two meters.
    for (path, distance) in [("weights", 1.0), ("scale", 2.0)] {
        let found = compared(pulse(path, 1.0), pulse(path, 0.0));
        let curve = &found.measured.curve;
        let differences = if path == "scale" { &curve.matrices } else { &curve.weights };
        let largest = (0..curve.times.len()).max_by(|&a, &b| differences[a].total_cmp(&differences[b])).unwrap();
        assert_eq!((curve.times[largest], differences[largest]), (f64::from(3.1f32), 1.0), "{path}");
        let vertices = found.vertices.unwrap();
        assert!((vertices.distance_max - distance).abs() < 1e-6 && vertices.time == f64::from(3.1f32), "{path}: {vertices:?}");
    }
}

#[test]
fn interpolations_that_agree_at_the_keys_of_a_high_rate_differ_between_them() {
    let hips = |interpolation: &str, fps: f32| {
        let mut gltf = Rig::default().gltf();
        let times: Vec<f32> = (0..=12).map(|key| key as f32 / fps).collect();
        // The hips jump by a meter from key to key. The tangents of a spline are equal, so it agrees with a line also halfway.
        let tangent = (interpolation == "CUBICSPLINE").then_some([0.0, 10.0 * fps, 0.0]);
        let values = (0..=12).flat_map(|key| tangent.into_iter().chain([[0.0, (key % 2) as f32, 0.0]]).chain(tangent));
        let values: Vec<f32> = values.flatten().collect();
        let output = gltf.floats("VEC3", &values);
        gltf.json["animations"] = serde_json::json!([]);
        gltf.animation(&[(1, "translation", interpolation, &times, output)]);
        gltf.model()
    };
    for fps in [30.0, 60.0, 120.0] {
        let distance = |interpolation| compared(hips(interpolation, fps), hips("LINEAR", fps)).measured.distance_max;
        assert!((distance("STEP") - 1.0).abs() < 1e-3, "{fps}: {}", distance("STEP"));
        // At a quarter of the interval, the tangents add 10 * 0.09375 m.
        assert!(distance("CUBICSPLINE") > 0.7, "{fps}: {}", distance("CUBICSPLINE"));
    }
}

#[test]
fn the_height_is_that_of_the_first_model_at_rest() {
    assert!((compared(Rig::default().model(), Rig::default().model()).height.unwrap() - 2.0).abs() < 1e-6);
}

#[test]
fn a_canceled_comparison_gives_nothing() {
    use sinew::compare::compare;
    use sinew::session::document::Document;
    let [a, b] = [0, 1].map(|_| Document::new(std::sync::Arc::new(Rig::default().model()), String::new(), None));
    assert!(compare(&a, &b, &Choices::default(), &|| false).is_none());
}

//! Tests the fitted camera: the model stays in the picture during the whole animation, and fills it.

use std::path::Path;
use std::sync::Arc;

use glam::{DVec3, Quat, Vec3, Vec4Swizzles};
use sinew::animation::hierarchy::deform;
use sinew::asset;
use sinew::camera::Orbit;
use sinew::camera::bounds::Bounds;
use sinew::session::analyses::{Analyses, Subject};
use sinew::session::bounds;
use sinew::session::bounds::key::BoundsKey;
use sinew::session::camera::view_camera;
use sinew::session::document::Document;
use sinew::session::pose::solve::{self, Posed};
use sinew::session::view::display::Display;
use sinew::session::view::layers::Layer;
use sinew::session::view::{Repeat, View};

use crate::common::gltf_builder::{Gltf, motion_only, skinned_triangle, triangle};
use crate::common::sphere::sphere_positions;

#[test]
fn every_vertex_of_every_animation_is_in_the_fitted_picture() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/sample/sample.glb");
    let model = Arc::new(asset::load(&path, &asset::LoadOptions::default()).expect("the sample model").model);
    for animation in std::iter::once(None).chain((0..model.animations.len()).map(Some)) {
        let view = View { animation, ..View::default() };
        let document = Document::new(model.clone(), "sample".into(), None);
        let analyses = Analyses::new(&document, &view);
        let subject = Subject { document: &document, analyses: &analyses, view: &view };
        let duration = animation.map_or(0.0, |index| model.animations[index].duration);
        let mut posed = Posed::new(&model);
        let mut furthest = 0f32;
        for sample in 0..=40 {
            solve::solve(&model, &view, duration * f64::from(sample) / 40.0, &mut posed);
            let clip_from_world = view_camera::camera(subject, &posed, 1.5).clip_from_anchored(glam::DVec3::ZERO, 1.5);
            for node in model.node_indices() {
                let Some(mesh) = model.node(node).mesh else { continue };
                for primitive in &model.meshes[mesh].primitives {
                    let all = 0..primitive.vertices.positions.len();
                    for position in deform::positions(&model, node, primitive, posed.vertex_pose(), all) {
                        let clip = clip_from_world * position.as_vec3().extend(1.0);
                        let place = clip.xy() / clip.w;
                        furthest = furthest.max(place.abs().max_element());
                    }
                }
            }
        }
        assert!(furthest < 1.0, "animation {animation:?} leaves the picture: {furthest}");
        assert!(furthest > 0.7, "animation {animation:?} fills too little of the picture: {furthest}");
    }
}

#[test]
fn a_ball_is_measured_and_framed_however_its_node_is_rotated() {
    for angle in (0..36).map(|step| step as f32 * 0.17) {
        for axis in [Vec3::Z, Vec3::new(1.0, 2.0, -3.0).normalize()] {
            let mut gltf = Gltf::new();
            let points = gltf.floats("VEC3", &sphere_positions(64, 128).iter().flat_map(Vec3::to_array).collect::<Vec<_>>());
            gltf.mesh_node(serde_json::json!({ "attributes": { "POSITION": points }, "mode": 0 }));
            gltf.json["nodes"][0]["rotation"] = serde_json::json!(Quat::from_axis_angle(axis, angle).to_array());
            let (document, view) = (Document::new(Arc::new(gltf.model()), "ball".into(), None), View::default());
            let analyses = Analyses::new(&document, &view);
            let size = analyses.bounds.max - analyses.bounds.min;
            assert!(size.cmpge(DVec3::splat(2.0 * 0.94)).all() && size.cmple(DVec3::splat(2.001)).all(), "{axis} {angle}: {size}");
            let subject = Subject { document: &document, analyses: &analyses, view: &view };
            let posed = subject.posed(0.0);
            let clip_from_world = view_camera::camera(subject, &posed, 1.0).clip_from_anchored(DVec3::ZERO, 1.0);
            let places = sphere_positions(64, 128).into_iter().map(|point| clip_from_world * point.extend(1.0));
            let furthest = places.map(|clip| (clip.xy() / clip.w).abs().max_element()).fold(0.0, f32::max);
            assert!((0.8..1.0).contains(&furthest), "{axis} {angle}: {furthest}");
        }
    }
}

#[test]
fn every_joint_of_a_file_without_meshes_is_in_the_fitted_picture() {
    let model = Arc::new(motion_only().model());
    for (animation, skeleton) in [(None, false), (Some(0), false), (Some(0), true)] {
        let view = View { animation, display: Display { skeleton, ..Display::default() }, ..View::default() };
        let document = Document::new(model.clone(), "motion".into(), None);
        let analyses = Analyses::new(&document, &view);
        let subject = Subject { document: &document, analyses: &analyses, view: &view };
        let mut furthest = 0f32;
        for sample in 0..=20 {
            let posed = subject.posed(f64::from(sample) / 10.0);
            let clip_from_world = view_camera::camera(subject, &posed, 1.5).clip_from_anchored(glam::DVec3::ZERO, 1.5);
            let [hips, head, foot] = [0, 1, 2].map(|node: usize| posed.globals[node].translation);
            // The bones of the head and the foot extend beyond their nodes, by half the length of the bone above.
            for place in [hips, head + (head - hips) / 2.0, foot + (foot - hips) / 2.0] {
                let clip = clip_from_world * place.as_vec3().extend(1.0);
                furthest = furthest.max((clip.xy() / clip.w).abs().max_element());
            }
        }
        assert!(furthest < 1.0, "animation {animation:?} leaves the picture: {furthest}");
        assert!(furthest > 0.7, "animation {animation:?} fills too little of the picture: {furthest}");
        // The camera node, which is far away, is not part of the bounds.
        let Bounds { min, max } = analyses.bounds;
        assert!((min.y + 0.35).abs() < 1e-6 && (max.y - 2.05).abs() < 1e-6, "{min}, {max}");
    }
}

#[test]
fn a_skeleton_of_plain_nodes_beside_meshes_is_framed_while_it_is_shown() {
    let mut gltf = motion_only();
    let positions = gltf.floats("VEC3", &[0.0, 0.0, 0.0, 0.1, 0.0, 0.0, 0.0, 0.1, 0.0]);
    let mesh = gltf.push("meshes", serde_json::json!({ "primitives": [{ "attributes": { "POSITION": positions } }] }));
    gltf.json["nodes"][1]["mesh"] = serde_json::json!(mesh);
    let document = Document::new(Arc::new(gltf.model()), "motion".into(), None);
    let view = |skeleton, xray| View { display: Display { skeleton, xray, ..Display::default() }, ..View::default() };
    for (view, min) in [(view(false, false), 1.7), (view(true, false), 0.1), (view(false, true), 0.1)] {
        let bounds = Analyses::new(&document, &view).bounds;
        assert!((bounds.min.y - min).abs() < 1e-6, "{bounds:?}");
        assert_eq!(BoundsKey::new(&view) == BoundsKey::new(&View::default()), min == 1.7);
    }
}

#[test]
fn the_bounds_contain_all_vertices_whose_coordinates_are_numbers() {
    let mut gltf = Gltf::new();
    gltf.push("scenes", serde_json::json!({ "nodes": [0, 1] }));
    let mut add = |points: &[[f32; 3]]| {
        let positions = gltf.floats("VEC3", points.as_flattened());
        gltf.mesh_node(serde_json::json!({ "attributes": { "POSITION": positions } }));
    };
    let corner = |i: usize| [i & 1, i >> 1 & 1, i >> 2 & 1].map(|side| side as f32 * 8.0 - 4.0);
    add(&std::array::from_fn::<_, 9, _>(corner));
    add(&[[10.0, 0.0, 0.0], [f32::NAN; 3], [0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 0.1], [0.1, 0.1, 0.1]]);
    let document = Document::new(Arc::new(gltf.model()), "vertices".into(), None);
    let Bounds { min, max } = Analyses::new(&document, &View::default()).bounds;
    assert_eq!((min.to_array(), max.to_array()), ([-4.0; 3], [10.0, 4.0, 4.0]));
}

#[test]
fn the_bounds_contain_the_poses_at_short_keys_of_a_long_animation() {
    let mut gltf = triangle();
    let jump = gltf.floats("VEC3", &[0.0, 0.0, 0.0, 20.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    gltf.animation(&[(0, "translation", "LINEAR", &[0.0, 0.05, 0.1, 10.0], jump)]);
    // Another animation has thousands of keys in its first second, and turns back halfway through the remaining time.
    let times: Vec<f32> = (0..4096).map(|key| key as f32 / 4096.0).chain([10.0, 20.0]).collect();
    let heights = (0..4098).flat_map(|key| [0.0, if key == 4096 { 8.0 } else { 0.0 }, 0.0]);
    let late = gltf.floats("VEC3", &heights.collect::<Vec<f32>>());
    gltf.animation(&[(0, "translation", "LINEAR", &times, late)]);
    let document = Document::new(Arc::new(gltf.model()), "jump".into(), None);
    let max = |animation| Analyses::new(&document, &View { animation: Some(animation), ..View::default() }).bounds.max;
    assert!((max(0).x - 21.0).abs() < 1e-4, "{}", max(0));
    assert!(max(1).y > 8.8, "{}", max(1));
}

/// Builds a plate of 4 m x 2 m above the origin, and a bar of 0.4 m x 0.2 m in front of its middle.
fn plate_and_bar() -> (Gltf, usize) {
    let corners = |x: f32, bottom: f32, top: f32| [-x, bottom, 0.0, x, bottom, 0.0, x, top, 0.0, -x, top, 0.0];
    let mut gltf = Gltf::new();
    let positions = gltf.floats("VEC3", &[corners(2.0, 0.0, 2.0), corners(0.2, 0.4, 0.6)].concat());
    (gltf, positions)
}

#[test]
fn the_bounds_contain_what_several_or_heavy_morph_targets_move() {
    for (targets, weight) in [(1, 1.0), (2, 1.0), (3, 1.0), (4, 1.0), (8, 1.0), (1, 4.0), (2, 30.0)] {
        // Each target moves the plate by 0.1 m and the bar by 1 m.
        let (mut gltf, positions) = plate_and_bar();
        let offsets = gltf.floats("VEC3", &[[0.0, 0.1, 0.0].repeat(4), [0.0, 1.0, 0.0].repeat(4)].concat());
        let targets = vec![serde_json::json!({ "POSITION": offsets }); targets];
        let total = targets.len() as f64 * weight;
        gltf.mesh_node(serde_json::json!({ "attributes": { "POSITION": positions }, "mode": 0, "targets": targets }));
        gltf.json["meshes"][0]["weights"] = serde_json::json!(vec![weight; targets.len()]);
        let document = Document::new(Arc::new(gltf.model()), "plate".into(), None);
        let top = Analyses::new(&document, &View::default()).bounds.max.y;
        let expected = (2.0 + 0.1 * total).max(0.6 + total);
        assert!((top - expected).abs() < 1e-5, "{} targets of weight {weight}: {top} is not {expected}", targets.len());
    }
}

#[test]
fn the_bounds_contain_what_a_joint_moves_that_is_the_strongest_nowhere() {
    let (mut gltf, positions) = plate_and_bar();
    let joints = gltf.u8s("VEC4", &[0, 1, 0, 0].repeat(8));
    let weights = gltf.floats("VEC4", &[[1.0, 0.0, 0.0, 0.0].repeat(4), [0.6, 0.4, 0.0, 0.0].repeat(4)].concat());
    let attributes = serde_json::json!({ "POSITION": positions, "JOINTS_0": joints, "WEIGHTS_0": weights });
    gltf.mesh_node(serde_json::json!({ "attributes": attributes, "mode": 0 }));
    let nodes = [serde_json::json!({ "mesh": 0, "skin": 0 }), serde_json::json!({}), serde_json::json!({})];
    gltf.json["nodes"] = serde_json::json!(nodes);
    gltf.json["skins"] = serde_json::json!([{ "joints": [1, 2] }]);
    gltf.push("scenes", serde_json::json!({ "nodes": [0, 1, 2] }));
    let rise = gltf.floats("VEC3", &[0.0, 0.0, 0.0, 0.0, 8.0, 0.0]);
    gltf.animation(&[(2, "translation", "LINEAR", &[0.0, 1.0], rise)]);
    let document = Document::new(Arc::new(gltf.model()), "plate".into(), None);
    let top = Analyses::new(&document, &View { animation: Some(0), ..View::default() }).bounds.max.y;
    // The bar follows the second joint by 0.4 of 8 m.
    assert!((top - 3.8).abs() < 1e-5, "{top}");
}

#[test]
fn the_bounds_contain_a_turn_between_two_keys() {
    // A rod of 1 m turns about +Z from 45 to 215 degrees, past the angles at which it reaches up and to the left.
    let mut gltf = Gltf::new();
    let positions = gltf.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    gltf.mesh_node(serde_json::json!({ "attributes": { "POSITION": positions }, "mode": 1 }));
    let turns = [45f32, 215.0].map(|angle| Quat::from_rotation_z(angle.to_radians()).to_array());
    let turns = gltf.floats("VEC4", turns.as_flattened());
    gltf.animation(&[(0, "rotation", "LINEAR", &[0.0, 1.0], turns)]);
    let document = Document::new(Arc::new(gltf.model()), "rod".into(), None);
    let Bounds { min, max } = Analyses::new(&document, &View { animation: Some(0), ..View::default() }).bounds;
    assert!((max.y - 1.0).abs() < 5e-3 && (min.x + 1.0).abs() < 5e-3, "{min}, {max}");
}

#[test]
fn a_small_object_is_framed_with_its_surroundings() {
    let small = Bounds { min: DVec3::splat(1.0), max: DVec3::splat(1.02) };
    for (aspect, orthographic) in [(0.5, false), (1.0, false), (2.0, false), (1.0, true)] {
        let fitted = Orbit { orthographic, ..Orbit::default() }.fitted(&small, aspect);
        let orbit = fitted.with_surroundings(0.6, aspect);
        let whole = Bounds { min: DVec3::splat(-2.0), max: DVec3::splat(2.0) };
        let clip_from_world = orbit.camera(&whole).clip_from_anchored(DVec3::ZERO, aspect);
        let place = |offset: DVec3| {
            let clip = clip_from_world * (orbit.focus + offset).as_vec3().extend(1.0);
            clip.xy() / clip.w
        };
        // The shorter side of the picture shows exactly 0.6 m.
        let seen = [place(orbit.right() * 0.3).x, place(orbit.up() * 0.3).y];
        assert!((seen[0].max(seen[1]) - 1.0).abs() < 1e-4 && seen[0].min(seen[1]) <= 1.0001, "{seen:?} at {aspect}");
        assert_eq!((orbit.focus, orbit.yaw, orbit.pitch), (fitted.focus, fitted.yaw, fitted.pitch));
        // Surroundings that are smaller than the object, or not a number, change nothing.
        assert_eq!(fitted.with_surroundings(0.001, aspect), fitted);
        assert_eq!(fitted.with_surroundings(f64::NAN, aspect), fitted);
    }
}

#[test]
fn a_model_of_a_nanometer_is_framed_like_one_of_a_meter() {
    let distance = |size: f64| Orbit::default().fitted(&Bounds { min: DVec3::ZERO, max: DVec3::splat(size) }, 1.5).distance;
    assert!((distance(1e-9) / 1e-9 - distance(1.0)).abs() < 1e-6);
    assert!(distance(0.0) > 0.0);
}

/// Builds triangles of one meter. The first moves from x = 0 to x = 4 m in 8 keys, the others stay at the origin.
fn moving_and_still(still: usize) -> Document {
    let mut gltf = triangle();
    let path: Vec<f32> = (0..8).flat_map(|key| [key as f32 * 4.0 / 7.0, 0.0, 0.0]).collect();
    let (times, path) = ((0..8).map(|key| key as f32).collect::<Vec<_>>(), gltf.floats("VEC3", &path));
    gltf.animation(&[(0, "translation", "LINEAR", &times, path)]);
    gltf.json["nodes"].as_array_mut().unwrap().extend(std::iter::repeat_n(serde_json::json!({ "mesh": 0 }), still));
    gltf.json["scenes"][0]["nodes"] = (0..=still).collect();
    Document::new(Arc::new(gltf.model()), "triangles".into(), None)
}

#[test]
fn the_bounds_of_the_first_pose_do_not_include_the_motion() {
    let (document, view) = (moving_and_still(0), View { animation: Some(0), ..View::default() });
    let size = |analyses: &Analyses| analyses.bounds.max - analyses.bounds.min;
    assert_eq!(size(&Analyses::of_first_pose(&document, &view)), DVec3::new(1.0, 1.0, 0.0));
    assert_eq!(size(&Analyses::new(&document, &view)), DVec3::new(5.0, 1.0, 0.0));
}

#[test]
fn the_bounds_include_layers_that_play_once_and_later() {
    let document = moving_and_still(0);
    // The layer moves from second 3 to second 10 of the clock, or from second 20 to second 27.
    for offset in [-3.0, -20.0] {
        let layers = vec![Layer { repeat: Repeat::Once, offset, ..Layer::default() }];
        let bounds = Analyses::new(&document, &View { layers, ..View::default() }).bounds;
        assert!((bounds.max - bounds.min).distance(DVec3::new(5.0, 1.0, 0.0)) < 1e-6, "{bounds:?}");
    }
}

#[test]
fn the_bounds_include_the_last_step_key_of_a_layer_that_plays_once() {
    let mut gltf = triangle();
    let output = gltf.floats("VEC3", &[0.0, 0.0, 0.0, 10.0, 0.0, 0.0]);
    gltf.animation(&[(0, "translation", "STEP", &[0.0, 1.0], output)]);
    let document = Document::new(Arc::new(gltf.model()), "triangle".into(), None);
    // The layer ends at second 1 or 1001 of the clock, or plays backward until second 1, or from second -999 on.
    for (speed, offset) in [(1.0, 0.0), (1.0, -1000.0), (-1.0, 0.0), (-1.0, -1000.0)] {
        let layers = vec![Layer { repeat: Repeat::Once, speed, offset, ..Layer::default() }];
        let bounds = Analyses::new(&document, &View { layers, ..View::default() }).bounds;
        // The triangle is 1 m wide.
        assert_eq!([bounds.min.x, bounds.max.x], [0.0, 11.0], "speed {speed}, offset {offset}");
    }
}

#[test]
fn the_bounds_of_a_joint_include_the_morphed_positions_of_its_vertices() {
    let mut gltf = skinned_triangle();
    let up = gltf.floats("VEC3", &[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    gltf.json["meshes"][0]["primitives"][0]["targets"] = serde_json::json!([{ "POSITION": up }]);
    gltf.json["meshes"][0]["weights"] = serde_json::json!([0.5]);
    let document = Document::new(Arc::new(gltf.model()), "triangle".into(), None);
    let (posed, point) = (Posed::new(&document.model), Bounds { min: DVec3::ZERO, max: DVec3::ZERO });
    let knee = document.model.node_from_source(2).unwrap();
    let bounds = bounds::nodes_bounds(&document.model, &document.mesh_bounds, &posed, &[knee], &point);
    // The vertex of the knee is 1 m high, and the target lifts it by half of 1 m.
    assert_eq!(bounds.max, DVec3::new(0.0, 1.5, 0.0));
}

#[test]
fn only_very_many_nodes_and_vertices_are_slow_to_measure() {
    let is_slow =
        |document: &Document, animation| bounds::is_slow(&document.model, &View { animation, ..View::default() }, &document.mesh_bounds);
    // Each triangle counts as four, for its node and its vertices, in eight poses.
    assert!(!is_slow(&moving_and_still(31_000), Some(0)));
    let large = moving_and_still(31_500);
    assert!(is_slow(&large, Some(0)));
    assert!(!is_slow(&large, None), "a single pose is measured");
}

//! Tests the colors of the difference view.

use std::cell::Cell;
use std::sync::Arc;

use serde_json::json;
use sinew::compare::heat::{self, HeatSource, PosePair};
use sinew::compare::{Choices, compare};
use sinew::model::Model;
use sinew::model::node::NodeIndex;
use sinew::session::document::Document;
use sinew::session::inspect::heat_map::VertexHeats;
use sinew::session::pose::solve::{self, Posed};
use sinew::session::view::View;

use crate::common::gltf_builder::{Gltf, skinned_triangle};
use crate::rig::Rig;

/// The heat of each palette entry of A at a time, relative to `most` meters, and the heats of A's vertices.
fn heats(a: Model, b: Model, time: f64, most: f64) -> (Vec<f32>, VertexHeats) {
    let [a, b] = [a, b].map(|model| Document::new(Arc::new(model), String::new(), None));
    let found = compare(&a, &b, &Choices { animations: [Some(0); 2], ..Choices::default() }, &|| true).unwrap();
    let posed = |document: &Document| {
        let mut posed = Posed::new(&document.model);
        solve::solve(&document.model, &View { animation: Some(0), ..View::default() }, time, &mut posed);
        posed
    };
    let source = HeatSource { models: [&a.model, &b.model], node_pairs: &found.node_pairs, followed: &found.followed };
    let (posed_a, posed_b) = (posed(&a), posed(&b));
    let poses = PosePair { a: &posed_a, b: &posed_b };
    let tints = heat::tints(source, poses, most);
    let vertices = heat::vertex_heats(source, poses.vertices(), most, &|| true).unwrap();
    assert!(heat::vertex_heats(source, poses.vertices(), most, &|| false).is_none_or(|none| none.heats.is_empty()));
    (tints.iter().map(|tint| tint.x * f32::from(u8::from(tint.w == 0.0))).collect(), vertices)
}

fn assert_close(found: &[f32], expected: &[f32]) {
    let close = |(a, b): (&f32, &f32)| (a - b).abs() < 1e-5;
    assert!(found.len() == expected.len() && found.iter().zip(expected).all(close), "{found:?}, not {expected:?}");
}

#[test]
fn the_heat_of_a_joint_grows_with_the_distance_from_its_counterpart() {
    let b = || Rig { hips: [1.0, 1.5, 1.0], ..Rig::default() }.model();
    // The entries are root, hips, spine, head, and the mesh at the foot. The root does not move.
    assert_close(&heats(Rig::default().model(), b(), 1.0, 0.6).0, &[0.0, 0.5, 0.5, 0.5, 0.5]);
    assert!(heats(Rig::default().model(), b(), 0.0, 0.6).0.iter().all(|&heat| heat == 0.0));
    assert!(heats(Rig::default().model(), b(), 1.0, 0.0).0.iter().all(|&heat| heat == 0.0));
}

/// The rig with these vertex positions in its mesh.
fn with_positions(positions: &[f32]) -> Gltf {
    let mut gltf = Rig::default().gltf();
    let positions = gltf.floats("VEC3", positions);
    gltf.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = json!(positions);
    gltf
}

#[test]
fn the_heat_of_a_vertex_grows_with_the_distance_from_its_counterpart() {
    // Only the second vertex differs, by 0.3 m. The joints coincide.
    let moved = with_positions(&[0.0, 0.0, 0.0, 0.1, 0.0, 0.3, 0.0, 2.0, 0.0]);
    let (joints, vertices) = heats(Rig::default().model(), moved.model(), 0.5, 0.6);
    assert_close(&joints, &[0.0; 5]);
    assert_close(&vertices.heats, &[0.0, 0.5, 0.0]);
    assert_eq!(vertices.starts.into_iter().collect::<Vec<_>>(), [((NodeIndex(4), 0), 0)]);
}

#[test]
fn a_vertex_that_loading_copied_has_the_heat_of_the_original() {
    // Vertex 1 is moved by 0.3 m. In A, vertices 4 and 5 are copies of vertices 0 and 1.
    for (a, b, expected) in [(true, false, &[0.0, 0.5, 0.0, 0.0, 0.0, 0.5][..]), (false, true, &[0.0, 0.5, 0.0, 0.0])] {
        let (_, vertices) = heats(Rig::mirrored([0.0, 1.0, 0.0], a).model(), Rig::mirrored([0.0, 1.0, 0.3], b).model(), 0.5, 0.6);
        assert_close(&vertices.heats, expected);
    }
}

#[test]
fn each_vertex_of_a_large_mesh_has_a_separate_heat() {
    // The mesh is a strip of 30,000 vertices. In B, each vertex is moved by a different distance.
    const COUNT: usize = 30_000;
    let strip = |bend: f32| {
        let place = |i: usize| [i as f32 * 1e-3, 0.0, bend * i as f32 / COUNT as f32];
        with_positions(&(0..COUNT).flat_map(place).collect::<Vec<_>>()).model()
    };
    let (_, vertices) = heats(strip(0.0), strip(1.0), 0.0, 1.0);
    assert_eq!(vertices.heats.len(), COUNT);
    for i in [0, 1, 8, 4096, 16_383, 16_384, 16_385, 29_999] {
        assert!((vertices.heats[i] - i as f32 / COUNT as f32).abs() < 1e-5, "vertex {i}: {}", vertices.heats[i]);
    }
}

#[test]
fn the_heat_of_a_vertex_between_two_joints_depends_on_its_weights() {
    let bent = |angle: f32| {
        let mut gltf = skinned_triangle();
        let weights = gltf.floats("VEC4", &[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.0, 0.0]);
        let joints = gltf.u8s("VEC4", &[0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]);
        let attributes = &mut gltf.json["meshes"][0]["primitives"][0]["attributes"];
        (attributes["WEIGHTS_0"], attributes["JOINTS_0"]) = (json!(weights), json!(joints));
        let turn = gltf.floats("VEC3", &[0.0, 1.0 + angle, 0.0]);
        gltf.animation(&[(2, "translation", "STEP", &[0.0], turn)]);
        gltf.model()
    };
    // The knee moves by 0.4 m. The vertex with half its weight on the knee moves by 0.2 m, and the other vertices do not move.
    let (_, vertices) = heats(bent(0.0), bent(0.4), 0.0, 1.0);
    assert_close(&vertices.heats, &[0.0, 0.0, 0.2]);
}

#[test]
fn a_mesh_with_other_triangles_has_no_vertex_heats() {
    let more = with_positions(&[0.0, 0.0, 0.3, 0.1, 0.0, 0.3, 0.0, 2.0, 0.3, 0.0, 0.0, 0.3, 0.1, 0.0, 0.3, 0.0, 2.0, 0.3]);
    let (_, vertices) = heats(Rig::default().model(), more.model(), 0.5, 0.6);
    assert_eq!(vertices, VertexHeats::default());
}

#[test]
fn a_long_measurement_can_be_canceled() {
    let place = |i: usize| [i as f32, 0.0, 0.0];
    let positions: Vec<f32> = (0..60_000).flat_map(place).collect();
    let [a, b] = [0, 1].map(|_| Document::new(Arc::new(with_positions(&positions).model()), String::new(), None));
    let found = compare(&a, &b, &Choices::default(), &|| true).unwrap();
    let source = HeatSource { models: [&a.model, &b.model], node_pairs: &found.node_pairs, followed: &found.followed };
    let (asked, posed) = (Cell::new(0), Posed::new(&a.model));
    let keep_going = || asked.replace(asked.get() + 1) < 2;
    assert_eq!(heat::vertex_heats(source, PosePair { a: &posed, b: &posed }.vertices(), 1.0, &keep_going), None);
    assert_eq!(asked.get(), 3);
}

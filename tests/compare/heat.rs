//! Tests the colors of the difference view.

use std::sync::Arc;

use sinew::compare::heat::{self, HeatSource, PosePair};
use sinew::compare::{Choices, compare};
use sinew::model::Model;
use sinew::session::document::Document;
use sinew::session::pose::solve::{self, Posed};
use sinew::session::view::View;

use crate::rig::Rig;

/// The heat of each palette entry of A at a time, relative to `most` meters.
fn heats(a: Model, b: Model, time: f64, most: f64) -> Vec<f32> {
    let [a, b] = [a, b].map(|model| Document::new(Arc::new(model), String::new(), None));
    let found = compare(&a, &b, &Choices { animations: [Some(0); 2], ..Choices::default() }, &|| true).unwrap();
    let posed = |document: &Document| {
        let mut posed = Posed::new(&document.model);
        solve::solve(&document.model, &View { animation: Some(0), ..View::default() }, time, &mut posed);
        posed
    };
    let source = HeatSource { models: [&a.model, &b.model], binding: &found.binding, followed: &found.followed };
    let tints = heat::tints(source, PosePair { a: &posed(&a), b: &posed(&b) }, most);
    tints.iter().map(|tint| tint.x * f32::from(u8::from(tint.w == 0.0))).collect()
}

#[test]
fn joints_are_as_hot_as_they_are_far_from_their_counterparts() {
    let b = || Rig { hips: [1.0, 1.5, 1.0], ..Rig::default() }.model();
    // The entries are root, hips, spine, head, and the mesh at the foot. The root does not move.
    let found = heats(Rig::default().model(), b(), 1.0, 0.6);
    assert_eq!(found.len(), 5);
    assert_eq!(found[0], 0.0);
    assert!(found[1..].iter().all(|heat| (heat - 0.5).abs() < 1e-5), "{found:?}");
    assert!(heats(Rig::default().model(), b(), 0.0, 0.6).iter().all(|&heat| heat == 0.0));
    assert!(heats(Rig::default().model(), b(), 1.0, 0.0).iter().all(|&heat| heat == 0.0));
}

#[test]
fn vertices_heat_a_mesh_whose_joints_coincide() {
    let mut moved = Rig::default().gltf();
    let positions = moved.floats("VEC3", &[0.0, 0.0, 0.3, 0.1, 0.0, 0.3, 0.0, 2.0, 0.3]);
    moved.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = serde_json::json!(positions);
    let found = heats(Rig::default().model(), moved.model(), 0.5, 0.6);
    assert!((found[4] - 0.5).abs() < 1e-5 && found[..4].iter().all(|&heat| heat == 0.0), "{found:?}");
}

//! Tests morph weights that are set by hand and override those of an animation.

use glam::{DVec3, Vec3, Vec4};

use sinew::animation::hierarchy::deform;
use sinew::model::Model;
use sinew::model::animation::{Channel, Interpolation, Target};
use sinew::model::mesh::MorphTarget;
use sinew::model::node::NodeIndex;
use sinew::session::analyses::Analyses;
use sinew::session::document::Document;
use sinew::session::file::remap;
use sinew::session::pose::Body;
use sinew::session::pose::crowd::Crowd;
use sinew::session::pose::in_place::Roots;
use sinew::session::pose::solve::{self, Posed};
use sinew::session::view::layers::{Layer, Mode};
use sinew::session::view::undo::Undo;
use sinew::session::view::{View, morph_overrides};

use crate::common::hand_made;
use crate::common::reference;

/// Builds the bending box with two morph targets. Its animation drives their weights from (0, 1) to (1, 0.5).
fn morphing_box() -> Model {
    let mut model = hand_made::bending_box();
    let vertices = std::sync::Arc::make_mut(&mut model.meshes[0].primitives[0].vertices);
    let count = vertices.positions.len();
    let target = |by: Vec3| MorphTarget { positions: vec![by; count], ..MorphTarget::default() };
    vertices.targets = vec![target(Vec3::X), target(Vec3::new(0.0, 0.25, 2.0))];
    model.meshes[0].target_count = 2;
    model.rest_weights = vec![0.1, 0.2];
    model.nodes[0].weights = 0..2;
    model.animations[0].channels.push(Channel {
        source: 1,
        target: Target::Weights(NodeIndex(0)),
        key_times: 0,
        interpolation: Interpolation::Linear,
        output: vec![0.0, 1.0, 1.0, 0.5],
        components: 2,
    });
    model
}

fn source(model: &Model) -> usize {
    model.nodes[0].source
}

#[test]
fn a_weight_set_by_hand_overrides_its_animation_and_no_other_weight() {
    let model = morphing_box();
    let mut view = View { animation: Some(0), ..View::default() };
    morph_overrides::set(&mut view.morphs, source(&model), 1, -0.75);
    let mut posed = Posed::new(&model);
    for time in [0.0, 0.25, 1.0] {
        solve::solve(&model, &view, time, &mut posed);
        let mut want = reference::pose(&model, Some(0), time);
        want.weights[1] = -0.75;
        let got: Vec<f64> = posed.pose.weights.iter().map(|&weight| f64::from(weight)).collect();
        assert_eq!(got, want.weights);
        let primitive = &model.meshes[0].primitives[0];
        let at = deform::positions(&model, NodeIndex(0), primitive, posed.vertex_pose(), 0..12);
        for (vertex, at) in at.into_iter().enumerate() {
            let want = DVec3::from(reference::vertex(&model, 0, primitive, vertex, &want));
            assert!(at.distance(want) < 1e-5, "vertex {vertex} at {time}: {at} for {want}");
        }
    }
    morph_overrides::reset(&mut view.morphs, source(&model), 1);
    assert!(view.morphs.is_empty());
    solve::solve(&model, &view, 0.5, &mut posed);
    assert_eq!(posed.pose.weights, [0.5, 0.75]);
    // Without an animation, the sampler writes the rest weights only once. Removing an override must make it write them again.
    view.animation = None;
    morph_overrides::set(&mut view.morphs, source(&model), 0, 1.0);
    solve::solve(&model, &view, 0.5, &mut posed);
    assert_eq!(posed.pose.weights, [1.0, 0.2]);
    view.morphs.clear();
    solve::solve(&model, &view, 0.5, &mut posed);
    assert_eq!(posed.pose.weights, [0.1, 0.2]);
}

#[test]
fn a_weight_set_by_hand_overrides_layers() {
    let model = morphing_box();
    let layer = Layer { mode: Mode::Additive, ..Layer::default() };
    let mut view = View { animation: Some(0), layers: vec![layer], ..View::default() };
    let mut posed = Posed::new(&model);
    morph_overrides::set(&mut view.morphs, source(&model), 0, 0.5);
    for _ in 0..3 {
        solve::solve(&model, &view, 0.5, &mut posed);
        assert_eq!(posed.pose.weights[0], 0.5);
    }
    view.morphs.clear();
    solve::solve(&model, &view, 0.5, &mut posed);
    let mut fresh = Posed::new(&model);
    solve::solve(&model, &view, 0.5, &mut fresh);
    assert_eq!(posed.pose.weights, fresh.pose.weights);
}

#[test]
fn every_crowd_member_uses_hand_set_weights_and_the_bind_pose() {
    let model = morphing_box();
    let mut view = View { animation: Some(0), ..View::default() };
    view.display.crowd = 3;
    let document = Document::new(model.into(), "box".into(), None);
    let (mut crowd, mut posed) = (Crowd::default(), Posed::new(&document.model));
    let mut weights = |view: &View| {
        solve::solve(&document.model, view, 0.25, &mut posed);
        crowd.pose(
            &Body { model: &document.model, view, moment: 0.25.into(), roots: Roots::default(), posed: &posed },
            &Analyses::new(&document, view).bounds,
        );
        (crowd.weights().to_vec(), crowd.palettes().to_vec())
    };
    let (driven, _) = weights(&view);
    assert!(driven[2] != driven[0] && driven[4] != driven[0], "each member has its own time: {driven:?}");
    morph_overrides::set(&mut view.morphs, source(&document.model), 0, 0.5);
    let (set, _) = weights(&view);
    assert!((0..3).all(|member| set[2 * member] == 0.5 && set[2 * member + 1] == driven[2 * member + 1]), "{set:?}");
    view.bind_pose = true;
    let (bound, palettes) = weights(&view);
    assert_eq!(bound, [0.5, 0.2].repeat(3), "everything else is at rest");
    let turned = |member: usize| palettes[3 * member].rows.map(Vec4::truncate);
    assert!(turned(0) == turned(1) && turned(1) == turned(2));
}

#[test]
fn weights_of_missing_targets_are_not_set() {
    let model = morphing_box();
    let saved = r#"{"morphs": {"2": {"0": 0.5, "9": 1.0}, "1": {"0": 1.0}, "77": {"0": 1.0}}}"#;
    let view: View = serde_json::from_str(saved).unwrap();
    let mut posed = Posed::new(&model);
    solve::solve(&model, &view, 0.0, &mut posed);
    assert_eq!(posed.pose.weights, [0.5, 0.2]);
    assert_eq!(serde_json::from_str::<View>(&serde_json::to_string(&view).unwrap()).unwrap(), view);
    let there = remap::drop_missing(view.clone(), &model);
    assert_eq!(there.morphs, [(2, [(0, 0.5)].into())].into());
    let mut renumbered = morphing_box();
    for (node, source) in renumbered.nodes.iter_mut().zip([1, 0, 2]) {
        node.source = source;
    }
    renumbered.node_of_source = vec![NodeIndex(1), NodeIndex(0), NodeIndex(2)];
    let carried = remap::remap_view(view, &model, &renumbered);
    assert_eq!(morph_overrides::get(&carried.morphs, 1, 0), Some(0.5), "the box is node 1 now: {:?}", carried.morphs);
}

#[test]
fn weights_and_the_bind_pose_are_undoable() {
    let mut view = View::default();
    let mut undo = Undo::new(&view);
    morph_overrides::set(&mut view.morphs, 0, 0, 0.5);
    undo.settle(&view);
    view.bind_pose = true;
    undo.settle(&view);
    assert_eq!(undo.next_undo(), Some("bind pose"));
    undo.undo(&mut view);
    assert_eq!((view.bind_pose, undo.next_undo()), (false, Some("morph weights")));
    undo.undo(&mut view);
    assert!(view.morphs.is_empty());
    undo.redo(&mut view);
    assert_eq!(morph_overrides::get(&view.morphs, 0, 0), Some(0.5));
}

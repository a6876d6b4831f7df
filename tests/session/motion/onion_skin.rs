//! Tests which moments the ghosts of an onion skin show, ghosts in the rest pose and in the bind pose, and data that ghosts share with the
//! body.

use std::sync::Arc;

use glam::{DVec3, Vec3};

use sinew::model::Model;
use sinew::session::analyses::Analyses;
use sinew::session::document::Document;
use sinew::session::pose::in_place::{RootStatus, Roots};
use sinew::session::pose::onion_skin::{self, GhostPoses};
use sinew::session::pose::solve::{self, Posed};
use sinew::session::pose::{self, Body};
use sinew::session::time::moment::Moment;
use sinew::session::view::display::{GhostSource, Ghosts};
use sinew::session::view::joint_switches::{self, Column};
use sinew::session::view::layers::Layer;
use sinew::session::view::{Repeat, View, ViewCamera};

use super::trail::{document, view};
use crate::common::gltf_builder;

/// Builds the skinned triangle below a hip that travels 4 m. Its knee rests half a meter beside its bind position.
fn bound() -> Model {
    let mut gltf = gltf_builder::skinned_triangle();
    gltf.json["nodes"][2]["translation"] = serde_json::json!([0.5, 1, 0]);
    let way = gltf.floats("VEC3", &[0.0, 0.0, 0.0, 4.0, 0.0, 0.0]);
    gltf.animation(&[(1, "translation", "LINEAR", &[0.0, 1.0], way)]);
    gltf.model()
}

#[test]
fn a_rest_or_bind_pose_ghost_ignores_the_current_pose() {
    for (source, in_place, knee) in [
        (GhostSource::Rest, true, DVec3::new(0.5, 0.0, 0.0)),
        (GhostSource::Rest, false, DVec3::new(0.5, 0.0, 0.0)),
        (GhostSource::Bind, true, DVec3::ZERO),
    ] {
        let mut view = View { animation: Some(0), in_place, ..View::default() };
        view.display.ghosts = Ghosts { shown: true, source, ..Ghosts::default() };
        let document = Document::new(Arc::new(bound()), "test".into(), None);
        let still = View { animation: None, bind_pose: source == GhostSource::Bind, ..View::default() };
        let (mut ghosts, mut body, mut expected) = (GhostPoses::default(), Posed::new(&document.model), Posed::new(&document.model));
        solve::solve(&document.model, &still, 0.0, &mut expected);
        for time in [0.2, 0.9] {
            solve::solve(&document.model, &view, time, &mut body);
            ghosts.pose(&body_at(&document, &view, time, &body), document.rate(&view).fps);
            let found: Vec<_> = ghosts.iter().collect();
            assert_eq!(found.len(), 1);
            // The knee's palette matrix moves its vertices by the distance between the knee and its bind position.
            let moved = found[0].palette()[1].transform_point(Vec3::ZERO).as_dvec3() + body.anchor;
            assert!(moved.distance(knee) < 1e-5, "{source:?} at {time}, in place {in_place}: {moved}");
            for (found, expected) in found[0].palette().iter().zip(&expected.joint_transforms) {
                let [found, expected] = [found.transform_point(Vec3::ONE).as_dvec3() + body.anchor, expected.transform_point3(DVec3::ONE)];
                assert!(found.distance(expected) < 1e-5, "{source:?} at {time}: {found}, not {expected}");
            }
        }
        assert!(
            onion_skin::moments(&document.model, &View { display: view.display.clone(), ..still }, &Moment::from(0.0), 24.0).is_empty()
        );
    }
}

#[test]
fn ghosts_share_the_visible_indices_of_the_body() {
    let mut view = View { animation: Some(0), ..View::default() };
    view.display.ghosts = Ghosts { shown: true, ..Ghosts::default() };
    let document = Document::new(Arc::new(bound()), "test".into(), None);
    let (mut ghosts, mut body) = (GhostPoses::default(), Posed::new(&document.model));
    for solo in [false, true, false] {
        joint_switches::set(&mut view.switches, 2, Column::Geometry, |switch| switch.solo = solo);
        solve::solve(&document.model, &view, 0.2, &mut body);
        ghosts.pose(&body_at(&document, &view, 0.2, &body), document.rate(&view).fps);
        assert_eq!((ghosts.iter().count(), body.visible_indices.is_empty()), (6, !solo));
        assert!(ghosts.iter().all(|ghost| Arc::ptr_eq(&ghost.posed.visible_indices, &body.visible_indices)));
    }
}

#[test]
fn ghosts_stay_in_place_as_soon_as_the_root_is_found() {
    let mut view = View { animation: Some(0), in_place: true, ..View::default() };
    view.display.ghosts = Ghosts { shown: true, before: 0, after: 1, ..Ghosts::default() };
    let document = Document::new(Arc::new(bound()), "test".into(), None);
    let analyses = Analyses::new(&document, &View::default());
    let (mut ghosts, mut body) = (GhostPoses::default(), document.rig().posed());
    let mut hip = |roots: Roots| {
        pose::pose(&document.model, &view, 0.0, roots, &mut body);
        ghosts.pose(&Body { roots, ..body_at(&document, &view, 0.0, &body) }, document.rate(&view).fps);
        ghosts.iter().map(|ghost| ghost.posed.globals[1].translation.x).sum::<f64>()
    };
    let known = || analyses.known_roots(&view, &Moment::from(0.0));
    assert_eq!(known().current, RootStatus::Pending);
    assert!(hip(known()) > 0.1, "it travels");
    analyses.find_roots(&document, &view, &Moment::from(0.0)).current.root().expect("a root");
    assert!(hip(known()).abs() < 1e-6);
}

#[test]
fn ghosts_are_posed_again_only_if_the_view_changes_their_poses() {
    let mut view = View { animation: Some(0), ..View::default() };
    view.display.ghosts = Ghosts { shown: true, ..Ghosts::default() };
    let document = Document::new(Arc::new(bound()), "test".into(), None);
    let (mut ghosts, mut body) = (GhostPoses::default(), Posed::new(&document.model));
    let mut posed_again = |view: &View| {
        solve::solve(&document.model, view, 0.2, &mut body);
        // A ghost that is posed again takes over the list of the body, so a new copy of the list tells whether it is.
        body.visible_indices = Arc::new((*body.visible_indices).clone());
        ghosts.pose(&body_at(&document, view, 0.2, &body), 24.0);
        let all: Vec<_> = ghosts.iter().map(|ghost| Arc::ptr_eq(&ghost.posed.visible_indices, &body.visible_indices)).collect();
        assert!(all.len() == 6 && all.iter().all(|posed| *posed == all[0]), "{all:?}");
        all[0]
    };
    assert!(posed_again(&view));
    let mut unchanged = View { selection: vec![1], follow: Some(1), camera: ViewCamera::File(0), speed: 2.0, ..view.clone() };
    (unchanged.display.exposure, unchanged.display.skeleton) = (2.0, true);
    assert!(!posed_again(&unchanged));
    let changes: [fn(&mut View); 5] = [
        |view| view.layers.push(Layer::default()),
        |view| drop(view.morphs.insert(0, [(0, 1.0)].into())),
        |view| view.scene = Some(0),
        |view| view.in_place = true,
        |view| joint_switches::set(&mut view.switches, 1, Column::Animated, |switch| switch.on = false),
    ];
    for (number, change) in changes.into_iter().enumerate() {
        change(&mut view);
        assert!(posed_again(&view), "change {number}");
        assert!(!posed_again(&view), "change {number} again");
    }
}

fn body_at<'a>(document: &'a Document, view: &'a View, time: f64, posed: &'a Posed) -> Body<'a> {
    Body { model: &document.model, view, moment: time.into(), roots: Roots::default(), posed }
}

/// Returns each ghost's step and time, and whether it is in the backward pass.
fn ghosts_at(repeat: Repeat, range: Option<[f64; 2]>, moment: Moment, [before, after, step]: [u32; 3]) -> Vec<(i32, f64, bool)> {
    let mut view = view(repeat, range);
    view.display.ghosts = Ghosts { shown: true, before, after, step, ..Ghosts::default() };
    let ghosts = onion_skin::moments(&document().model, &view, &moment, document().rate(&view).fps);
    ghosts.iter().map(|ghost| (ghost.step, (ghost.moment.time * 1e6).round() / 1e6, ghost.moment.returning)).collect()
}

#[test]
fn ghosts_are_listed_nearest_in_time_first() {
    let at = |time, counts| ghosts_at(Repeat::Loop, None, Moment::from(time), counts);
    assert_eq!(at(0.5, [2, 1, 2]), [(-1, 0.4, false), (1, 0.6, false), (-2, 0.3, false)]);
    assert_eq!(at(0.5, [0, 0, 2]), []);
    assert_eq!(at(0.5, [9, 0, 1]).len(), 3, "no more than three");
    assert_eq!(at(0.5, [1, 0, 0]), [(-1, 0.45, false)], "a step is a frame at least");
}

#[test]
fn ghosts_cross_the_ends_like_the_animation() {
    let forth = Moment::from(0.95);
    assert_eq!(ghosts_at(Repeat::Loop, None, forth, [1, 2, 2]), [(-1, 0.85, false), (1, 0.05, false), (2, 0.15, false)]);
    assert_eq!(ghosts_at(Repeat::Loop, None, Moment::from(0.05), [1, 0, 2]), [(-1, 0.95, false)]);
    assert_eq!(ghosts_at(Repeat::Once, None, forth, [1, 2, 2]), [(-1, 0.85, false)]);
    // A ghost on the first or the last frame is shown, although 0.3 - 3 * 0.1 is less than 0, and 0.55 + 0.15 is more than 0.7.
    assert_eq!(ghosts_at(Repeat::Once, None, Moment::from(0.3), [3, 0, 2])[2], (-3, 0.0, false));
    assert_eq!(ghosts_at(Repeat::Once, Some([0.1, 0.7]), Moment::from(0.55), [0, 1, 3]), [(1, 0.7, false)]);
    assert_eq!(ghosts_at(Repeat::PingPong, None, forth, [1, 1, 2]), [(-1, 0.85, false), (1, 0.95, true)]);
    // In the backward pass, earlier still means earlier in the animation, which is later in playback.
    let back = Moment { returning: true, ..forth };
    assert_eq!(ghosts_at(Repeat::PingPong, None, back, [1, 1, 2]), [(-1, 0.85, true), (1, 0.95, false)]);
    let near_start = Moment { returning: true, ..Moment::from(0.05) };
    assert_eq!(ghosts_at(Repeat::PingPong, None, near_start, [1, 0, 2]), [(-1, 0.05, false)]);
    // Ghosts stay within the range, unless the current time lies outside it.
    assert_eq!(ghosts_at(Repeat::Loop, Some([0.2, 0.6]), Moment::from(0.55), [0, 1, 2]), [(1, 0.25, false)]);
    assert_eq!(ghosts_at(Repeat::Loop, Some([0.2, 0.6]), Moment::from(0.85), [0, 1, 2]), [(1, 0.95, false)]);
}

#[test]
fn ghosts_have_the_poses_of_the_body_and_its_layers_at_their_times() {
    let mut view = view(Repeat::Loop, None);
    view.layers = vec![Layer { animation: 1, speed: 0.5, ..Layer::default() }];
    view.display.ghosts = Ghosts { shown: true, before: 1, after: 1, ..Ghosts::default() };
    let document = document();
    // The third pass. The layer's clock runs on across the seam.
    let moment = Moment { clock: 2.9, ..Moment::from(0.9) };
    let (mut ghosts, mut body) = (GhostPoses::default(), Posed::new(&document.model));
    solve::solve(&document.model, &view, moment, &mut body);
    ghosts.pose(&Body { model: &document.model, view: &view, moment, roots: Roots::default(), posed: &body }, document.rate(&view).fps);
    let mut posed = Posed::new(&document.model);
    for (ghost, [time, clock]) in ghosts.iter().zip([[0.7, 2.7], [0.1, 3.1]]) {
        solve::solve(&document.model, &view, Moment { clock, ..Moment::from(time) }, &mut posed);
        let [found, expected] = [&ghost.posed, &posed].map(|posed| posed.globals[1].translation);
        assert!(found.distance(expected) < 1e-6, "{found}, not {expected}");
    }
    view.display.ghosts.shown = false;
    ghosts.pose(&Body { model: &document.model, view: &view, moment, roots: Roots::default(), posed: &body }, document.rate(&view).fps);
    assert_eq!(ghosts.iter().count(), 0);
}

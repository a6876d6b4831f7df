//! Tests undo, the transport, the choice of animations and variants by name or number, the height of the ground, and the candidates for the
//! root.

use std::time::{Duration, Instant};

use glam::DVec3;
use sinew::camera::Bounds;
use sinew::model::animation::Animation;
use sinew::model::{Model, Variant};
use sinew::session::locomotion::root_motion;
use sinew::session::time::transport::Transport;
use sinew::session::view::joint_switches::{self, Column};
use sinew::session::view::layers::Layer;
use sinew::session::view::playback_range;
use sinew::session::view::selector::{self, SelectError, Selected, Selector};
use sinew::session::view::undo::Undo;
use sinew::session::view::{Repeat, View, ViewCamera};

use crate::common::hand_made;

fn animated(names: &[Option<&str>]) -> Model {
    let animation = |name: &Option<&str>| Animation { name: name.map(str::to_owned), duration: 2.0, ..Animation::default() };
    Model { animations: names.iter().map(animation).collect(), ..Model::default() }
}

#[test]
fn a_variant_is_chosen_by_name_or_number_and_undone() {
    let variant = |name: &str| Variant { name: Some(name.into()) };
    let model = Model { variants: vec![variant("Beach"), variant("1")], ..Model::default() };
    let chosen = |text: &str| selector::variant(&model, &text.parse().unwrap()).map(|selected| selected.index);
    assert_eq!((chosen("Beach"), chosen("0"), chosen("name:1")), (Ok(0), Ok(0), Ok(1)));
    assert_eq!(chosen("Noon").unwrap_err().to_string(), "no variant named \"Noon\"; the file has 2: 0 \"Beach\", 1 \"1\"");
    assert_eq!(chosen("2").unwrap_err().to_string(), "no variant 2; the file has 2: 0 \"Beach\", 1 \"1\"");
    let mut view = View::default();
    let mut undo = Undo::new(&view);
    view.display.variant = Some(1);
    undo.settle(&view);
    undo.undo(&mut view);
    assert_eq!(view.display.variant, None);
    // A view saved without a variant loads.
    assert_eq!(serde_json::from_str::<View>(r#"{"display":{"crowd":2}}"#).unwrap().display.variant, None);
}

#[test]
fn undo_reverts_switches_and_display_but_neither_camera_nor_animation() {
    let mut view = View::default();
    let mut undo = Undo::new(&view);
    joint_switches::set(&mut view.switches, 3, Column::Influence, |switch| switch.on = false);
    undo.settle(&view);
    view.display.skeleton = true;
    undo.settle(&view);
    view.camera = ViewCamera::File(1);
    view.animation = Some(4);
    undo.settle(&view);

    undo.undo(&mut view);
    assert!(!view.display.skeleton && !view.switches.is_empty());
    assert_eq!((view.camera, view.animation), (ViewCamera::File(1), Some(4)));
    undo.undo(&mut view);
    assert!(view.switches.is_empty() && undo.next_undo().is_none());
    undo.redo(&mut view);
    undo.redo(&mut view);
    assert!(view.display.skeleton && !view.switches.is_empty() && undo.next_redo().is_none());
}

#[test]
fn undo_reverts_ranges_one_by_one() {
    let mut view = View { range: Some([0.5, 2.0]), ..View::default() };
    let mut undo = Undo::new(&view);
    view.range = Some([1.0, 2.0]);
    undo.settle(&view);
    view.range = None;
    undo.settle(&view);
    for range in [Some([1.0, 2.0]), Some([0.5, 2.0])] {
        undo.undo(&mut view);
        assert_eq!(view.range, range);
    }
    undo.redo(&mut view);
    assert_eq!(view.range, Some([1.0, 2.0]));
}

#[test]
fn selections_in_a_row_are_one_step_and_a_new_choice_ends_redo() {
    let mut view = View::default();
    let mut undo = Undo::new(&view);
    for node in [1, 2, 3] {
        view.selection = vec![node];
        undo.settle(&view);
    }
    undo.undo(&mut view);
    assert!(view.selection.is_empty() && undo.next_undo().is_none());
    view.display.grid = false;
    undo.settle(&view);
    assert!(undo.next_redo().is_none());
}

#[test]
fn undo_never_gives_a_range_to_another_animation() {
    let mut view = View { animation: Some(0), ..View::default() };
    let mut undo = Undo::new(&view);
    view.range = Some([0.5, 1.0]);
    undo.settle(&view);
    view.choose_animation(Some(1));
    undo.settle(&view);
    undo.undo(&mut view);
    assert_eq!((view.animation, view.range), (Some(1), None));
}

#[test]
fn play_restarts_after_the_end_and_starts_at_the_in_point_outside_the_range() {
    let model = animated(&[None]);
    let mut view = View { animation: Some(0), repeat: Repeat::Once, ..View::default() };
    let mut transport = Transport::default();
    transport.advance(&model, &view, 0.9);
    transport.advance(&model, &view, 0.9);
    transport.advance(&model, &view, 0.9);
    assert_eq!((transport.time(), transport.is_playing()), (2.0, false));
    transport.play(&model, &view);
    assert_eq!((transport.time(), transport.is_playing()), (0.0, true));
    view.range = Some([0.5, 1.0]);
    transport.seek(&model, &view, 1.75);
    assert_eq!(transport.time(), 1.75, "a seek may leave the range");
    transport.play(&model, &view);
    assert_eq!(transport.time(), 0.5);
    view.speed = -1.0;
    transport.seek(&model, &view, 0.2);
    transport.play(&model, &view);
    assert_eq!(transport.time(), 1.0);
}

#[test]
fn a_range_after_the_end_of_a_shorter_export_does_not_stop_playback_and_returns_with_a_longer_one() {
    let mut model = animated(&[None, None]);
    let (layer, range) = (Layer { animation: 1, range: Some([2.0, 3.0]), ..Layer::default() }, Some([2.0, 3.0]));
    let view = View { animation: Some(0), range, layers: vec![layer], ..View::default() };
    let mut transport = Transport::default();
    transport.play(&model, &view);
    transport.advance(&model, &view, 0.5);
    assert_eq!((transport.time(), view.layers[0].time(2.0, 0.5), view.layers[0].moves(&model)), (0.5, 0.5, true));
    model.animations[0].duration = 4.0;
    transport.play(&model, &view);
    assert_eq!((transport.time(), view.layers[0].time(4.0, 0.5)), (2.0, 2.5));
}

#[test]
fn a_stall_advances_the_time_by_at_most_one_second() {
    let (model, view) = (animated(&[None]), View { animation: Some(0), ..View::default() });
    let mut transport = Transport::default();
    transport.advance(&model, &view, 3600.5);
    assert_eq!(transport.time(), 1.0);
}

#[test]
fn the_clock_of_layers_runs_on_through_a_loop_and_follows_a_seek() {
    let (model, mut view) = (animated(&[None]), View { animation: Some(0), speed: 1.5, ..View::default() });
    let mut transport = Transport::default();
    for _ in 0..30 {
        transport.advance(&model, &view, 0.1);
    }
    assert!((transport.time() - 0.5).abs() < 1e-9 && (transport.moment().clock - 4.5).abs() < 1e-9);
    transport.pause();
    transport.advance(&model, &view, 0.1);
    assert!((transport.moment().clock - 4.5).abs() < 1e-9, "paused, nothing moves");
    transport.seek(&model, &view, 1.25);
    assert_eq!(transport.moment(), 1.25.into(), "after a seek, the pose depends on the time alone");
    // Without repeat, the time and the clock stop together.
    view.repeat = Repeat::Once;
    transport.play(&model, &view);
    for _ in 0..9 {
        transport.advance(&model, &view, 0.1);
    }
    assert_eq!((transport.time(), transport.moment().clock, transport.is_playing()), (2.0, 2.0, false));
}

#[test]
fn a_changed_animation_keeps_clock_and_fade_unless_it_is_too_short() {
    let mut model = animated(&[None, None]);
    let mut view = View { animation: Some(0), cross_fade: 1.0, repeat: Repeat::PingPong, ..View::default() };
    let mut transport = Transport::default();
    transport.advance(&model, &view, 0.75);
    transport.begin_animation_change(&model, &view);
    view.choose_animation(Some(1));
    transport.advance(&model, &view, 0.5);
    let before = transport.moment();
    assert!(before.fade.is_some() && (before.time, before.clock) == (0.5, 1.25));
    transport.keep_within(&model, &view);
    assert_eq!(transport.moment(), before);
    model.animations[1].duration = 0.25;
    transport.keep_within(&model, &view);
    assert_eq!(transport.moment(), 0.25.into());
    assert!(transport.is_playing());
}

#[test]
fn choosing_another_animation_fades_only_during_playback() {
    let model = animated(&[None, None]);
    let mut view = View { animation: Some(0), cross_fade: 0.5, ..View::default() };
    let mut transport = Transport::default();
    let choose = |transport: &mut Transport, view: &mut View, animation: Option<usize>| {
        transport.begin_animation_change(&model, view);
        view.choose_animation(animation);
    };
    transport.advance(&model, &view, 0.75);
    choose(&mut transport, &mut view, Some(1));
    transport.advance(&model, &view, 0.125);
    let moment = transport.moment();
    let fade = moment.fade.expect("a fade");
    assert_eq!((moment.time, moment.clock, fade.from, fade.head.time, fade.weight()), (0.125, 0.875, Some(0), 0.875, 0.25));
    transport.advance(&model, &view, 0.375);
    assert_eq!(transport.moment().fade, None, "the fade has ended");

    choose(&mut transport, &mut view, Some(0));
    transport.seek(&model, &view, 0.0);
    assert_eq!(transport.moment(), 0.0.into(), "a seek ends the fade");

    transport.pause();
    choose(&mut transport, &mut view, Some(1));
    assert_eq!(transport.moment(), 0.0.into());
    transport.play(&model, &view);
    view.cross_fade = 0.0;
    choose(&mut transport, &mut view, Some(0));
    assert_eq!(transport.moment().fade, None, "cross-fades are switched off");
}

#[test]
fn a_fade_finishes_even_if_its_target_animation_has_ended() {
    let model = animated(&[None]);
    let mut view = View { animation: Some(0), cross_fade: 1.0, repeat: Repeat::Once, ..View::default() };
    let mut transport = Transport::default();
    transport.begin_animation_change(&model, &view);
    view.choose_animation(None);
    transport.advance(&model, &view, 0.6);
    assert!(transport.is_playing() && transport.moment().fade.is_some(), "the rest pose has no time of its own");
    transport.advance(&model, &view, 0.6);
    assert!(!transport.is_playing() && transport.moment().fade.is_none());
}

#[test]
fn layers_play_over_the_rest_pose() {
    let model = animated(&[None]);
    let mut view = View { layers: vec![Layer::default()], repeat: Repeat::Once, ..View::default() };
    let mut transport = Transport::default();
    transport.advance(&model, &view, 0.75);
    transport.pause();
    transport.play(&model, &view);
    transport.advance(&model, &view, 0.75);
    assert_eq!((transport.time(), transport.moment().clock, transport.is_playing()), (0.0, 1.5, true));
    assert!(playback_range::moves(&model, &view));
    view.layers[0].muted = true;
    assert!(!playback_range::moves(&model, &view));
}

#[test]
fn undo_reverts_layers() {
    let mut view = View::default();
    let mut undo = Undo::new(&view);
    view.layers.push(Layer::default());
    undo.settle(&view);
    view.layers[0].weight = 0.5;
    view.cross_fade = 1.0;
    undo.settle(&view);
    undo.undo(&mut view);
    assert_eq!((view.layers[0].weight, view.cross_fade), (1.0, 1.0), "like the speed, the cross-fade is not undone");
    undo.undo(&mut view);
    assert!(view.layers.is_empty());
}

#[test]
fn a_number_is_an_index_and_anything_else_a_name() {
    let model = animated(&[Some("walk"), Some("1"), Some("walk"), None]);
    let chosen = |text: &str| selector::animation(&model, &text.parse::<Selector>().expect("never fails"));
    assert_eq!(chosen("1"), Ok(Selected { index: 1, namesakes: 0 }));
    assert_eq!(chosen("name:1"), Ok(Selected { index: 1, namesakes: 0 }));
    assert_eq!(chosen("walk"), Ok(Selected { index: 0, namesakes: 1 }), "the first of equal names");
    assert!(matches!(chosen("4"), Err(SelectError::Index { index: 4, .. })));
    assert!(chosen("run").expect_err("no such name").to_string().contains("walk"));
}

#[test]
fn the_ground_is_at_0_unless_the_model_hangs_far_below_or_above() {
    let of = |low: f64, high: f64| {
        let bounds = Bounds { min: DVec3::new(-1.0, low, -1.0), max: DVec3::new(1.0, high, 1.0) };
        sinew::session::ground_grid::height(&bounds)
    };
    assert_eq!([of(0.0, 2.0), of(-0.1, 2.0), of(1.9, 3.9)], [0.0; 3], "the model stands, sinks in a little, or floats");
    assert_eq!([of(-1.0, 1.0), of(5.0, 7.0)], [-1.0, 5.0]);
    assert_eq!(sinew::session::ground_grid::height(&Bounds::EMPTY), 0.0);
}

#[test]
fn root_candidates_of_a_deep_chain_are_found_quickly() {
    const COUNT: usize = 100_000;
    let nodes: Vec<_> = (0..COUNT).map(|i| (String::new(), i.checked_sub(1))).collect();
    let mut model = hand_made::tree(&nodes);
    hand_made::add_skin(&mut model, &(0..COUNT).collect::<Vec<_>>());
    let began = Instant::now();
    let bearers = root_motion::root_candidates(&model, &View::default());
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    assert!(bearers.into_iter().eq(0..COUNT / 2), "all nodes with more than half of the chain below them");
}

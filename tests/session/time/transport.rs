//! Tests the transport: playing, seeking, the ends of an animation, cross-fades, and the clock of layers.

use sinew::model::Model;
use sinew::model::animation::Animation;
use sinew::session::pose::solve::{self, Posed};
use sinew::session::time::moment::Moment;
use sinew::session::time::transport::Transport;
use sinew::session::view::layers::Layer;
use sinew::session::view::playback_range;
use sinew::session::view::{Repeat, View};

use crate::common::hand_made;

fn animated(names: &[Option<&str>]) -> Model {
    let animation = |name: &Option<&str>| Animation { name: name.map(str::to_owned), duration: 2.0, ..Animation::default() };
    Model { animations: names.iter().map(animation).collect(), ..Model::default() }
}

/// The moment that the window shows at a time of the animation and the layers.
fn frame_at(time: f64) -> Moment {
    Moment { is_frame: true, ..Moment::from(time) }
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
    assert_eq!(transport.moment(), frame_at(1.25), "after a seek, the pose depends on the time alone");
    // Without repeat, the time and the clock stop together.
    view.repeat = Repeat::Once;
    transport.play(&model, &view);
    for _ in 0..9 {
        transport.advance(&model, &view, 0.1);
    }
    assert_eq!((transport.time(), transport.moment().clock, transport.is_playing()), (2.0, 2.0, false));
}

#[test]
fn a_jump_to_a_moment_keeps_clock_direction_and_playback_and_stays_within_the_animation() {
    let (model, view) = (animated(&[None]), View { animation: Some(0), repeat: Repeat::PingPong, ..View::default() });
    let mut transport = Transport::default();
    for (time, reached) in [(1.5, 1.5), (2.5, 2.0), (-0.5, 0.0)] {
        let moment = Moment { time, clock: 7.5, returning: true, is_frame: true, fade: None };
        transport.jump(&model, &view, &moment);
        assert_eq!((transport.moment(), transport.is_playing()), (Moment { time: reached, ..moment }, true));
    }
}

#[test]
fn the_way_back_of_a_ping_pong_ends_with_the_ping_pong() {
    let model = animated(&[None]);
    for (repeat, plays, time) in [(Repeat::Loop, true, 1.25), (Repeat::Loop, false, 1.0), (Repeat::Once, true, 1.25)] {
        let mut view = View { animation: Some(0), repeat: Repeat::PingPong, ..View::default() };
        let mut transport = Transport::default();
        for _ in 0..4 {
            transport.advance(&model, &view, 0.75);
        }
        assert_eq!((transport.time(), transport.moment().returning), (1.0, true));
        transport.head.playing = plays;
        view.repeat = repeat;
        transport.advance(&model, &view, 0.25);
        assert_eq!((transport.time(), transport.moment().returning), (time, false), "{repeat:?}");
    }
}

#[test]
fn a_changed_animation_keeps_clock_and_fade_unless_it_is_too_short() {
    let mut model = animated(&[None, None]);
    let mut view = View { animation: Some(0), cross_fade: 1.0, repeat: Repeat::PingPong, ..View::default() };
    let mut transport = Transport::default();
    transport.advance(&model, &view, 0.75);
    transport.change_animation(&model, &mut view, Some(1));
    transport.advance(&model, &view, 0.5);
    let before = transport.moment();
    assert!(before.fade.is_some() && (before.time, before.clock) == (0.5, 1.25));
    transport.keep_within(&model, &view);
    assert_eq!(transport.moment(), before);
    model.animations[1].duration = 0.25;
    transport.keep_within(&model, &view);
    assert_eq!(transport.moment(), frame_at(0.25));
    assert!(transport.is_playing());
}

#[test]
fn choosing_another_animation_fades_only_during_playback() {
    let model = animated(&[None, None]);
    let mut view = View { animation: Some(0), cross_fade: 0.5, ..View::default() };
    let mut transport = Transport::default();
    let choose = |transport: &mut Transport, view: &mut View, animation| transport.change_animation(&model, view, animation);
    transport.advance(&model, &view, 0.75);
    choose(&mut transport, &mut view, Some(1));
    transport.advance(&model, &view, 0.125);
    let moment = transport.moment();
    let fade = moment.fade.expect("a fade");
    let from = fade.sources[0].expect("a source");
    assert_eq!((moment.time, moment.clock, from.animation, from.head.time, fade.weight()), (0.125, 0.875, Some(0), 0.875, 0.25));
    transport.advance(&model, &view, 0.375);
    assert_eq!(transport.moment().fade, None, "the fade has ended");

    choose(&mut transport, &mut view, Some(0));
    transport.seek(&model, &view, 0.0);
    assert_eq!(transport.moment(), frame_at(0.0), "a seek ends the fade");

    transport.pause();
    choose(&mut transport, &mut view, Some(1));
    assert_eq!(transport.moment(), frame_at(0.0));
    transport.play(&model, &view);
    view.cross_fade = 0.0;
    choose(&mut transport, &mut view, Some(0));
    assert_eq!(transport.moment().fade, None, "cross-fades are switched off");
}

#[test]
fn while_playing_backward_another_animation_starts_at_its_end() {
    let mut model = animated(&[None, None]);
    model.animations[1].duration = 1.5;
    let mut view = View { animation: Some(0), speed: -1.0, repeat: Repeat::Once, ..View::default() };
    let mut transport = Transport::default();
    transport.seek(&model, &view, 1.0);
    transport.change_animation(&model, &mut view, Some(1));
    transport.advance(&model, &view, 0.5);
    assert_eq!((view.animation, transport.time(), transport.is_playing()), (Some(1), 1.0, true));
    transport.pause();
    transport.change_animation(&model, &mut view, Some(0));
    assert_eq!(transport.time(), 0.0, "while paused, the first pose is shown");
}

#[test]
fn an_interrupted_fade_goes_on_from_the_pose_on_the_screen() {
    let mut model = hand_made::bending_box();
    model.animations = vec![model.animations[0].clone(); 3];
    let mut view = View { animation: Some(0), cross_fade: 1.0, speed: 0.0, ..View::default() };
    let mut transport = Transport::default();
    let locals = |transport: &Transport, view: &View| {
        let mut posed = Posed::new(&model);
        solve::solve(&model, view, transport.moment(), &mut posed);
        posed.pose.locals.clone()
    };
    let change = |transport: &mut Transport, view: &mut View, animation: usize, time: f64| {
        transport.change_animation(&model, view, Some(animation));
        transport.head.time = time;
    };
    for (animation, time, elapsed) in [(1, 0.5, 0.75), (2, 1.0, 0.25), (0, 0.25, 0.5), (1, 0.75, 0.5)] {
        let before = locals(&transport, &view);
        change(&mut transport, &mut view, animation, time);
        assert_eq!(locals(&transport, &view), before, "the picture does not jump");
        transport.advance(&model, &view, elapsed);
        assert_ne!(locals(&transport, &view), before, "the new animation fades in");
    }
    let fade = transport.fade.expect("a fade");
    let shares: Vec<f64> = fade.sources().map(|source| source.share).collect();
    // The weights of the interrupted fades were 0.75, 0.25 and 0.5.
    assert_eq!(shares, [0.5, 0.125, 0.28125, 0.09375]);
    change(&mut transport, &mut view, 2, 0.0);
    let shares: Vec<f64> = transport.fade.expect("a fade").sources().map(|source| source.share).collect();
    assert!(shares.len() == 4 && (shares.iter().sum::<f64>() - 1.0).abs() < 1e-12, "the smallest of five is left out: {shares:?}");
}

#[test]
fn a_fade_finishes_even_if_its_target_animation_has_ended() {
    let model = animated(&[None]);
    let mut view = View { animation: Some(0), cross_fade: 1.0, repeat: Repeat::Once, ..View::default() };
    let mut transport = Transport::default();
    transport.change_animation(&model, &mut view, None);
    transport.advance(&model, &view, 0.6);
    assert!(transport.is_playing() && transport.moment().fade.is_some(), "the rest pose has no time of its own");
    transport.advance(&model, &view, 0.6);
    assert!(!transport.is_playing() && transport.moment().fade.is_none());
}

#[test]
fn a_range_after_the_end_of_a_shorter_export_is_left_out_of_a_view_file() {
    // The animation ends at 2 s.
    let model = animated(&[None]);
    let view = |range| View { animation: Some(0), range, layers: vec![Layer { range, ..Layer::default() }], ..View::default() };
    let saved = |range| playback_range::without_lost_ranges(&model, view(range));
    assert_eq!(saved(Some([2.5, 3.0])), view(None));
    for kept in [None, Some([0.5, 1.5]), Some([1.5, 3.0])] {
        assert_eq!(saved(kept), view(kept));
    }
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

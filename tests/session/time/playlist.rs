//! Tests playlists: animations that play one after another, with times worked out by hand.

use sinew::model::Model;
use sinew::session::file::remap;
use sinew::session::time::moment::Fade;
use sinew::session::time::playlist;
use sinew::session::time::transport::Transport;
use sinew::session::view::undo::Undo;
use sinew::session::view::{Repeat, View};

use crate::common::hand_made;

/// Builds a model with three animations of 1, 0.5 and 2 seconds.
fn model() -> Model {
    let mut model = hand_made::bending_box();
    let one = model.animations[0].clone();
    assert_eq!(one.duration, 1.0);
    let named = |name: &str, duration| sinew::model::animation::Animation { name: Some(name.into()), duration, ..one.clone() };
    model.animations = vec![named("Walk", 1.0), named("Jump", 0.5), named("Idle", 2.0)];
    model
}

fn view(playlist: &[usize]) -> View {
    View { animation: playlist.first().copied(), playlist: playlist.to_vec(), cross_fade: 0.25, ..View::default() }
}

/// Returns the current animation and its time.
fn at(transport: &Transport, view: &View) -> (Option<usize>, f64) {
    (view.animation, transport.time())
}

#[test]
fn each_animation_plays_once_and_the_first_follows_the_last() {
    let (model, mut view, mut transport) = (model(), view(&[0, 2]), Transport::default());
    let mut seen = Vec::new();
    for _ in 0..8 {
        playlist::advance(&mut transport, &model, &mut view, 0.75);
        seen.push(at(&transport, &view));
    }
    // Steps of 0.75 s through a list of 3 s: 0.75, 1.5, 2.25, 3.0, and again from the beginning.
    let expected = [(0, 0.75), (2, 0.5), (2, 1.25), (0, 0.0), (0, 0.75), (2, 0.5), (2, 1.25), (0, 0.0)];
    assert_eq!(seen, expected.map(|(animation, time)| (Some(animation), time)));
    assert_eq!(transport.clock, 6.0, "the layers' clock never jumps");
}

#[test]
fn an_ended_animation_holds_its_last_pose_while_fading_out() {
    let (model, mut view, mut transport) = (model(), view(&[0, 2]), Transport::default());
    playlist::advance(&mut transport, &model, &mut view, 0.875);
    playlist::advance(&mut transport, &model, &mut view, 0.25);
    assert_eq!(at(&transport, &view), (Some(2), 0.125));
    let fade = transport.fade.expect("a fade");
    let from = |fade: Fade| fade.sources[0].expect("a source");
    assert_eq!((from(fade).animation, from(fade).head.time, fade.elapsed, fade.weight()), (Some(0), 1.0, 0.125, 0.5));
    playlist::advance(&mut transport, &model, &mut view, 0.0625);
    assert_eq!(from(transport.fade.expect("the fade continues")).head.time, 1.0);
    playlist::advance(&mut transport, &model, &mut view, 0.0625);
    assert_eq!(transport.fade, None);
}

#[test]
fn the_bind_pose_stays_during_a_playlist_and_ends_a_cross_fade() {
    let (model, mut view, mut transport) = (model(), view(&[0, 2]), Transport::default());
    playlist::advance(&mut transport, &model, &mut view, 0.875);
    view.bind_pose = true;
    playlist::advance(&mut transport, &model, &mut view, 0.25);
    assert_eq!((at(&transport, &view), view.bind_pose), ((Some(0), 0.875), true));
    view.bind_pose = false;
    playlist::advance(&mut transport, &model, &mut view, 0.25);
    assert!(transport.fade.is_some() && transport.is_playing());
    view.bind_pose = true;
    playlist::advance(&mut transport, &model, &mut view, 0.0);
    assert_eq!((transport.fade, view.bind_pose), (None, true));
}

#[test]
fn a_playlist_without_repeat_stops_at_its_end_and_restarts_at_its_beginning() {
    let (model, mut view, mut transport) = (model(), view(&[0, 1]), Transport::default());
    view.repeat = Repeat::Once;
    for _ in 0..4 {
        playlist::advance(&mut transport, &model, &mut view, 0.75);
    }
    assert_eq!((at(&transport, &view), transport.is_playing()), ((Some(1), 0.5), false));
    playlist::play(&mut transport, &model, &mut view);
    assert_eq!((at(&transport, &view), transport.is_playing()), ((Some(0), 0.0), true));
}

#[test]
fn a_playlist_plays_backward_at_a_negative_speed() {
    let (model, mut view, mut transport) = (model(), view(&[0, 1, 2]), Transport::default());
    (view.animation, view.speed, transport.head.time) = (Some(2), -2.0, 1.0);
    // One second at twice the speed plays 1 s of the third animation, 0.5 s of the second and 0.5 s of the first.
    playlist::advance(&mut transport, &model, &mut view, 1.0);
    assert_eq!(at(&transport, &view), (Some(0), 0.5));
}

#[test]
fn animations_of_no_length_are_skipped_without_hanging() {
    let (mut model, mut view, mut transport) = (model(), view(&[0, 1, 2]), Transport::default());
    view.cross_fade = 0.0;
    model.animations[1].duration = 0.0;
    playlist::advance(&mut transport, &model, &mut view, 1.0);
    assert_eq!(at(&transport, &view), (Some(2), 0.0));
    for animation in &mut model.animations {
        animation.duration = 0.0;
    }
    playlist::advance(&mut transport, &model, &mut view, 1.0);
    view.speed = 0.0;
    playlist::advance(&mut transport, &model, &mut view, 1.0);
}

#[test]
fn a_pose_of_no_length_is_shown_until_it_has_faded_in() {
    let (mut model, mut view, mut transport) = (model(), view(&[0, 1, 2]), Transport::default());
    (model.animations[1].duration, view.repeat) = (0.0, Repeat::Once);
    let mut seen = Vec::new();
    for _ in 0..6 {
        playlist::advance(&mut transport, &model, &mut view, 0.3125);
        let fade = transport.fade.map(|fade| (fade.sources().map(|source| source.animation).collect::<Vec<_>>(), fade.weight()));
        seen.push((at(&transport, &view), fade));
    }
    // The animation lasts 1 s, the fade 0.25 s.
    let shown =
        |animation, time, fade: Option<(Option<usize>, f64)>| ((Some(animation), time), fade.map(|(from, weight)| (vec![from], weight)));
    let expected = [
        shown(0, 0.3125, None),
        shown(0, 0.625, None),
        shown(0, 0.9375, None),
        // 0.25 s after the end, the pose has faded in, and the next animation begins.
        shown(2, 0.0, Some((Some(1), 0.0))),
        shown(2, 0.3125, None),
        shown(2, 0.625, None),
    ];
    assert_eq!(seen, expected);
    (view.animation, transport.head.time, transport.fade) = (Some(0), 0.9375, None);
    playlist::advance(&mut transport, &model, &mut view, 0.125);
    let fade = transport.fade.expect("the fade into the pose");
    assert_eq!((at(&transport, &view), fade.weight(), transport.is_playing()), ((Some(1), 0.0), 0.25, true));
}

#[test]
fn playback_without_a_playlist_is_unchanged() {
    let (model, mut view, mut transport) = (model(), view(&[]), Transport::default());
    view.animation = Some(0);
    playlist::advance(&mut transport, &model, &mut view, 0.75);
    playlist::advance(&mut transport, &model, &mut view, 0.75);
    assert_eq!((at(&transport, &view), transport.fade), ((Some(0), 0.5), None));
}

#[test]
fn a_playlist_stays_in_the_order_of_the_file_when_animations_are_added_and_removed() {
    let mut view = View { animation: Some(2), ..View::default() };
    let mut lists = Vec::new();
    for animation in [0, 1, 2, 0] {
        playlist::toggle(&mut view, animation);
        lists.push(view.playlist.clone());
    }
    assert_eq!(
        lists,
        [vec![0, 2], vec![0, 1, 2], vec![0, 1], vec![]],
        "the current animation is always included, and a playlist of one is cleared"
    );
}

#[test]
fn undo_and_reload_restore_the_playlist() {
    let (before, mut view) = (model(), view(&[]));
    let mut undo = Undo::new(&view);
    view.playlist = vec![0, 2];
    undo.settle(&view);
    assert_eq!(undo.next_undo(), Some("playlist"));
    undo.undo(&mut view);
    assert!(view.playlist.is_empty());
    undo.redo(&mut view);
    assert_eq!(view.playlist, [0, 2]);

    let mut after = model();
    after.animations.reverse();
    assert_eq!(remap::remap_view(view.clone(), &before, &after).playlist, [2, 0], "by name, in the order of the playlist");
    after.animations.retain(|animation| animation.name.as_deref() != Some("Idle"));
    assert!(remap::remap_view(view.clone(), &before, &after).playlist.is_empty(), "a playlist of one is cleared");
    let text = serde_json::to_string(&view).expect("a view");
    assert_eq!(serde_json::from_str::<View>(&text).expect("the view").playlist, [0, 2]);
}

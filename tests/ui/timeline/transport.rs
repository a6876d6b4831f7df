//! Tests the timeline: transport row, range strip, ruler.

use std::sync::Arc;

use egui::accesskit::Role;
use egui::epaint::TextShape;
use egui::{Event, Key as EguiKey, Modifiers, PointerButton, Pos2};
use egui_kittest::kittest::{NodeT, Queryable};
use sinew::model::Model;
use sinew::model::animation::Animation;
use sinew::session::document::Document;
use sinew::session::time::moment::Moment;
use sinew::session::view::Repeat;
use sinew::session::view::layers::Layer;
use sinew::ui::actions::Action;
use sinew::ui::context::preferences::{Snap, TimelineRows};
use sinew::ui::context::request::Request;

use crate::common::ui_harness::{Window, harness, walker};
use crate::gestures::{CTRL, Ui, click, click_at, drag, painted_texts, send_button, wheel, window};

#[test]
fn the_play_button_plays_and_pauses() {
    let mut window = window();
    click(&mut window, "Play");
    assert!(window.state().transport.is_playing());
    click(&mut window, "Pause");
    assert!(!window.state().transport.is_playing());
}

#[test]
fn a_step_lands_on_a_whole_frame() {
    let mut window = window();
    window.state_mut().transport.head.time = 12.4 / 24.0;
    click(&mut window, "Next frame");
    // The f32 nearest to 13/24 is later. A key of this frame has this time.
    assert_eq!(window.state().transport.time(), f64::from((13.0f64 / 24.0) as f32));
    window.state_mut().transport.head.time = 12.4 / 24.0;
    click(&mut window, "Previous frame");
    assert_eq!(window.state().transport.time(), 12.0 / 24.0);
}

#[test]
fn seeking_moves_the_clock_of_layers_as_far_as_the_playhead() {
    // The animation takes 82 frames. In its fourth pass, the clock is three durations ahead.
    let ahead = 3.0 * 82.0 / 24.0;
    let seeks = [Action::NextFrame, Action::PreviousFrame, Action::BackTenFrames, Action::NextKey, Action::PreviousKey];
    for action in seeks {
        let mut window = window();
        let transport = &mut window.state_mut().transport;
        (transport.head.time, transport.clock) = (20.4 / 24.0, 20.4 / 24.0 + ahead);
        window.state_mut().perform(action);
        let transport = window.state().transport;
        assert!(transport.time() != 20.4 / 24.0 && (transport.clock - transport.time() - ahead).abs() < 1e-9, "{action:?}: {transport:?}");
    }
    // While a ping-pong returns, the clock runs against the time.
    let mut window = window();
    let transport = &mut window.state_mut().transport;
    (transport.head.time, transport.head.returning, transport.clock) = (1.0, true, 7.0);
    let at = on_ruler(&window, 36.0);
    click_at(&mut window, at, Modifiers::NONE);
    let transport = window.state().transport;
    assert!((transport.time() - 1.5).abs() < 1e-6 && (transport.clock - 6.5).abs() < 1e-6, "{transport:?}");
    // Home begins the first pass again.
    window.state_mut().perform(Action::First);
    assert_eq!(window.state().transport.moment(), Moment { is_frame: true, ..Moment::from(0.0) });
}

#[test]
fn first_and_last_go_to_the_ends_of_the_range() {
    let mut window = window();
    window.state_mut().view.range = Some([0.5, 2.0]);
    click(&mut window, "Last frame of range");
    assert_eq!(window.state().transport.time(), 2.0);
    click(&mut window, "First frame of range");
    assert_eq!(window.state().transport.time(), 0.5);
}

/// Returns the position of a frame in the ruler, whose time axis begins and ends 14 points inside.
fn on_ruler(window: &Ui, frame: f32) -> Pos2 {
    let ruler = window.get_by_label("Time ruler").rect();
    egui::pos2(egui::lerp(ruler.left() + 14.0..=ruler.right() - 14.0, frame / 82.0), ruler.center().y)
}

#[test]
fn a_click_in_the_ruler_seeks_to_the_nearest_frame() {
    let mut window = window();
    let at = on_ruler(&window, 20.3);
    click_at(&mut window, at, Modifiers::NONE);
    assert!((window.state().transport.time() - 20.0 / 24.0).abs() < 1e-9);
}

#[test]
fn dragging_the_ruler_scrubs_by_frames_and_playback_continues_afterwards() {
    let mut window = window();
    window.state_mut().transport.head.playing = true;
    send_button(&window, on_ruler(&window, 10.0), true, Modifiers::NONE);
    window.step();
    for frame in [20.3, 41.6] {
        window.event(Event::PointerMoved(on_ruler(&window, frame)));
        window.step();
        assert!((window.state().transport.time() * 24.0 - f64::from(frame).round()).abs() < 1e-6);
        assert!(!window.state().transport.is_playing());
        assert!(window.query_by_label("Pause").is_some());
    }
    send_button(&window, on_ruler(&window, 41.6), false, Modifiers::NONE);
    window.step();
    window.step();
    assert!(window.state().transport.is_playing());
}

#[test]
fn escape_reverts_a_scrub() {
    let mut window = window();
    window.state_mut().transport.head.time = 0.5;
    send_button(&window, on_ruler(&window, 30.0), true, Modifiers::NONE);
    window.step();
    assert!((window.state().transport.time() - 30.0 / 24.0).abs() < 1e-6);
    window.state_mut().perform(Action::CloseOrDeselect);
    window.run_steps(2);
    assert_eq!(window.state().transport.time(), 0.5);
    // The rest of this drag has no effect until the button is released.
    window.event(Event::PointerMoved(on_ruler(&window, 40.0)));
    window.run_steps(2);
    assert_eq!(window.state().transport.time(), 0.5);
    send_button(&window, on_ruler(&window, 40.0), false, Modifiers::NONE);
    window.run_steps(2);
    assert_eq!(window.state().transport.time(), 0.5);
    send_button(&window, on_ruler(&window, 41.0), true, Modifiers::NONE);
    window.step();
    assert!((window.state().transport.time() - 41.0 / 24.0).abs() < 1e-6, "the next drag scrubs");
}

#[test]
fn playback_commands_during_a_scrub_take_effect_at_the_release() {
    let to_playing = [Action::PlayPause, Action::PlayForward, Action::PlayBackward];
    let to_paused = [Action::PlayPause, Action::Pause];
    let commands = to_playing.map(|action| (action, true)).into_iter().chain(to_paused.map(|action| (action, false)));
    for (action, plays) in commands {
        for is_canceled in [false, true] {
            let mut window = window();
            window.state_mut().transport.head.playing = !plays;
            send_button(&window, on_ruler(&window, 20.0), true, Modifiers::NONE);
            window.step();
            window.state_mut().perform(action);
            window.run_steps(2);
            let transport = window.state().transport;
            assert!(!transport.is_playing(), "{action:?}");
            assert!((transport.time() - 20.0 / 24.0).abs() < 1e-6, "{action:?}");
            assert!(window.query_by_label(if plays { "Pause" } else { "Play" }).is_some(), "{action:?}");
            if is_canceled {
                window.state_mut().perform(Action::CloseOrDeselect);
                window.run_steps(2);
            }
            send_button(&window, on_ruler(&window, 20.0), false, Modifiers::NONE);
            window.run_steps(2);
            assert_eq!(window.state().transport.is_playing(), plays, "{action:?}, {is_canceled}");
        }
    }
    // After Esc, playback is on again, and a command takes effect at once.
    let mut window = window();
    window.state_mut().transport.head.playing = true;
    send_button(&window, on_ruler(&window, 20.0), true, Modifiers::NONE);
    window.step();
    for action in [Action::CloseOrDeselect, Action::PlayPause] {
        window.state_mut().perform(action);
        window.run_steps(2);
    }
    send_button(&window, on_ruler(&window, 20.0), false, Modifiers::NONE);
    window.run_steps(2);
    assert!(!window.state().transport.is_playing());
}

#[test]
fn hovering_the_ruler_shows_the_frame_under_the_pointer() {
    let mut window = window();
    let at = on_ruler(&window, 20.3);
    window.event(Event::PointerMoved(at));
    // Tooltips appear after a moment.
    window.run_steps(60);
    let tooltip = window.get_by_label("0.833 s, frame 20").rect();
    let ruler = window.get_by_label("Time ruler").rect();
    assert!(tooltip.height() < 24.0, "in one line");
    let transport = window.get_by_label("Play").rect();
    assert!(tooltip.bottom() <= transport.top() && (tooltip.center().x - at.x).abs() < tooltip.width(), "{tooltip:?} over {ruler:?}");
}

#[test]
fn with_ctrl_a_scrub_does_not_snap_to_frames() {
    let mut window = window();
    send_button(&window, on_ruler(&window, 20.3), true, CTRL);
    window.step();
    assert!((window.state().transport.time() * 24.0 - 20.3).abs() < 0.05, "{}", window.state().transport.time() * 24.0);
}

/// Drags the in point over these frames. `grabbed` is where the pointer grabs it, in points right of the point itself.
fn drag_in_point(window: &mut Ui, frames: &[f32], grabbed: f32) {
    let handle = window.get_by_label("In point").rect();
    // 8 points of the handle are inside the range.
    let mut at = egui::pos2(handle.right() - 8.0 + grabbed, handle.center().y);
    send_button(window, at, true, Modifiers::NONE);
    window.step();
    for &frame in frames {
        at.x = on_ruler(window, frame).x + grabbed;
        window.event(Event::PointerMoved(at));
        window.step();
    }
    send_button(window, at, false, Modifiers::NONE);
    window.run();
}

#[test]
fn the_in_point_is_dragged_to_a_frame() {
    let mut window = window();
    drag_in_point(&mut window, &[24.2], 4.0);
    let [start, _] = window.state().view.range.expect("a range");
    assert!((start - 1.0).abs() < 1e-6, "{start}");
}

#[test]
fn the_in_point_keeps_its_distance_to_the_pointer_that_grabbed_it() {
    // The handle extends 16 points outside the range.
    for grabbed in [4.0, -10.0] {
        let mut window = window();
        window.state_mut().state.preferences.snap = Snap::Nothing;
        drag_in_point(&mut window, &[24.2], grabbed);
        let [start, _] = window.state().view.range.expect("a range");
        // A twentieth of a frame is less than a point.
        assert!((start * 24.0 - 24.2).abs() < 0.05, "{start}");
    }
}

#[test]
fn the_in_point_stops_before_the_out_point() {
    let mut window = window();
    window.state_mut().view.range = Some([0.0, 2.0]);
    window.run();
    drag_in_point(&mut window, &[24.0, 47.0, 48.0, 60.0], 0.0);
    assert_eq!(window.state().view.range, Some([f64::from((47.0f64 / 24.0) as f32), 2.0]));
}

#[test]
fn the_repeat_button_cycles_through_the_modes() {
    let mut window = window();
    click(&mut window, "Loop mode: loop");
    assert_eq!(window.state().view.repeat, Repeat::Once);
    click(&mut window, "Loop mode: once");
    assert_eq!(window.state().view.repeat, Repeat::PingPong);
    click(&mut window, "Loop mode: ping-pong");
    assert_eq!(window.state().view.repeat, Repeat::Loop);
}

#[test]
fn the_repeat_button_is_disabled_as_its_action_is() {
    let mut layered = Window::new(walker());
    (layered.view.animation, layered.view.layers) = (None, vec![Layer::default()]);
    let mut window = harness(1280.0, 800.0, 1.0, layered);
    assert!(Action::Repeat.disabled_reason(&window.state_mut().context()).is_some());
    let is_disabled = |window: &Ui, label: &str| window.get_by_label(label).accesskit_node().is_disabled();
    assert!(is_disabled(&window, "Loop mode: loop"), "layers have modes of their own");
    assert!(!is_disabled(&window, "Speed"), "layers follow the speed");
    window.state_mut().view.animation = Some(0);
    window.run();
    assert!(!is_disabled(&window, "Loop mode: loop"));
}

#[test]
fn a_typed_speed_is_limited_and_can_be_reset() {
    let cases = [
        (1.0, "2.5", 2.5),
        (1.0, "-0.5x", -0.5),
        (1.0, "9", 4.0),
        (1.0, "0.01", 0.1),
        (1.0, "-0.05", -0.1),
        (0.1, "-0.1", -0.1),
        (-0.1, "0.1", 0.1),
    ];
    for (before, typed, speed) in cases {
        let mut window = window();
        window.state_mut().view.speed = before;
        window.run();
        click(&mut window, "Speed");
        window.key_press_modifiers(Modifiers::COMMAND, EguiKey::A);
        window.event(Event::Text(typed.into()));
        window.key_press(EguiKey::Enter);
        window.run();
        assert!((window.state().view.speed - speed).abs() < 1e-9, "{typed}: {}", window.state().view.speed);
        let shown = format!("{speed:.2}x");
        assert!(texts(&window).iter().any(|(text, ..)| *text == shown), "{shown} is shown");
        click(&mut window, "Reset speed to 1x");
        assert_eq!(window.state().view.speed, 1.0);
    }
    // A speed of the command line may be beyond the limits.
    let mut window = window();
    window.state_mut().view.speed = 10.0;
    window.run();
    assert_eq!(window.state().view.speed, 10.0);
}

#[test]
fn escape_cancels_a_typed_number() {
    let mut window = window();
    for (label, typed) in [("Frames per second", "60"), ("Speed", "3")] {
        for (end, is_canceled) in [(EguiKey::Escape, true), (EguiKey::Enter, false), (EguiKey::Escape, true)] {
            let numbers = |window: &Ui| (window.state().view.rate, window.state().view.speed);
            let before = numbers(&window);
            window.get_by_role_and_label(Role::SpinButton, label).click();
            window.run();
            window.key_press_modifiers(Modifiers::COMMAND, EguiKey::A);
            window.event(Event::Text(if end == EguiKey::Enter { "2".into() } else { typed.into() }));
            window.key_press(end);
            window.run();
            assert_eq!(numbers(&window) == before, is_canceled, "{label}, {end:?}: {:?}", numbers(&window));
        }
    }
}

#[test]
fn a_number_that_enter_has_set_stays_set_if_escape_follows_in_the_same_frame() {
    let mut window = window();
    window.get_by_role_and_label(Role::SpinButton, "Speed").click();
    window.run();
    window.key_press_modifiers(Modifiers::COMMAND, EguiKey::A);
    window.event(Event::Text("3".into()));
    window.run();
    let press = |key| Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers: Modifiers::NONE };
    window.input_mut().events.extend([EguiKey::Enter, EguiKey::Escape].map(press));
    window.run();
    assert_eq!(window.state().view.speed, 3.0);
}

#[test]
fn the_rate_is_shown_and_may_be_changed() {
    let mut window = window();
    assert!(window.query_by_label("(assumed)").is_none());
    window.state_mut().view.animation = None;
    window.run();
    assert!(window.query_by_label("(assumed)").is_some());
    window.state_mut().view.animation = Some(0);
    window.run();
    click(&mut window, "Frames per second");
    window.key_press_modifiers(Modifiers::COMMAND, EguiKey::A);
    window.event(Event::Text("12".into()));
    window.key_press(EguiKey::Enter);
    window.run();
    assert_eq!(window.state().view.rate, Some(12.0));
    assert!(window.query_by_label_contains("/ 41").is_some());
    click(&mut window, "Detect the frame rate from the keys");
    assert_eq!(window.state().view.rate, None);
    // The rate of a view file may be beyond the limits of the field.
    window.state_mut().view.rate = Some(2000.0);
    window.run();
    assert_eq!(window.state().view.rate, Some(2000.0));
}

#[test]
fn the_time_is_shown_in_seconds_and_in_frames() {
    let mut window = window();
    window.state_mut().transport.head.time = 12.4 / 24.0;
    window.run();
    assert!(window.query_by_label_contains("0.517 s").is_some());
    assert!(window.query_by_label_contains("12.4 / 82").is_some());
}

#[test]
fn the_transport_row_keeps_its_parts_apart_at_any_width() {
    for width in [800.0, 850.0, 900.0, 1000.0, 1280.0] {
        for duration in [1.0, 7200.0] {
            let mut model = walker();
            model.animations[0].duration = duration;
            let mut window = harness(width, 600.0, 1.0, Window::new(model));
            window.state_mut().perform(Action::Inspector);
            window.state_mut().view.rate = Some(24.0);
            window.run();
            let left = ["Last frame of range", "Loop mode: loop", "Speed", "Reset speed to 1x"];
            let left = left.into_iter().flat_map(|label| window.query_all_by_label(label)).map(|node| node.rect().right());
            // In a narrow window, only one of both readouts is in the bar.
            let readouts = ["Frame: 0", "Time: 0.000 s"];
            let readouts = readouts.into_iter().flat_map(|label| window.query_by_label_contains(label)).map(|node| node.rect().left());
            let first = readouts.fold(f32::INFINITY, f32::min);
            assert!(first.is_finite() && left.fold(0.0, f32::max) <= first, "{width} wide, {duration} s: {first}");
        }
    }
}

#[test]
fn the_wheel_zooms_the_ruler_to_the_pointer() {
    let mut window = window();
    let at = on_ruler(&window, 41.0);
    window.event(Event::PointerMoved(at));
    window.event(wheel(egui::MouseWheelUnit::Point, egui::vec2(0.0, 200.0), Modifiers::NONE));
    window.run_steps(20);
    // The frame under the pointer is still there. A quarter of the ruler to the right now covers less time.
    let quarter = on_ruler(&window, 61.5) - at;
    for (x, least, most) in [(at.x, 40.9, 41.1), (at.x + quarter.x, 42.0, 55.0)] {
        click_at(&mut window, egui::pos2(x, at.y), CTRL);
        let frame = window.state().transport.time() * 24.0;
        assert!(frame > least && frame < most, "{frame}");
    }
    // Another animation is shown as a whole.
    window.state_mut().perform(Action::NextAnimation);
    window.run();
    let x = on_ruler(&window, 82.0).x;
    send_button(&window, egui::pos2(x, at.y), true, Modifiers::NONE);
    window.step();
    assert!((window.state().transport.time() - 1.0).abs() < 1e-6);
}

#[test]
fn a_million_keys_are_painted_with_few_triangles() {
    let mut model = walker();
    let times: Vec<f32> = (0..1_000_000).map(|key| key as f32 * 1e-3).collect();
    model.animations[0].duration = f64::from(times[999_999]);
    model.animations[0].channels[0].output = vec![0.0; 3_000_000];
    model.animations[0].key_times = vec![times];
    let mut window = harness(1280.0, 720.0, 1.0, Window::new(model));
    window.step();
    let corners = |shape: &egui::epaint::ClippedShape| match &shape.shape {
        egui::Shape::Mesh(mesh) => mesh.indices.len(),
        _ => 0,
    };
    let count: usize = window.output().shapes.iter().map(corners).sum();
    assert!(count < 100_000, "{count} corners of triangles");
}

#[test]
fn the_zoom_of_the_ruler_is_kept_for_the_same_file_and_reset_for_another() {
    let mut window = window();
    let middle = |window: &mut Ui| {
        let at = on_ruler(window, 41.0);
        click_at(window, at, Modifiers::NONE);
        (window.state().transport.time() * 24.0).round()
    };
    assert_eq!(middle(&mut window), 41.0);
    window.state_mut().view.range = Some([0.0, 1.0]);
    window.state_mut().perform(Action::FitTimeline);
    window.run();
    assert_eq!(middle(&mut window), 12.0);
    for (path, shown) in [("/models/walker.glb", 12.0), ("/models/other.glb", 41.0)] {
        window.state_mut().open(Document::new(Arc::new(walker()), "walker.glb".into(), Some(path.into())));
        window.run();
        assert_eq!(middle(&mut window), shown, "{path}");
    }
}

#[test]
fn the_zoom_of_the_ruler_stays_if_a_reload_adds_an_animation_before_the_current_one() {
    let mut window = window();
    window.state_mut().view.range = Some([0.0, 1.0]);
    window.state_mut().perform(Action::FitTimeline);
    window.run();
    let mut model = walker();
    let walk = model.animations[0].clone();
    model.animations.insert(0, Animation { name: Some("Idle".into()), ..walk });
    window.state_mut().view.animation = Some(1);
    window.state_mut().open(Document::new(Arc::new(model), "walker.glb".into(), Some("/models/walker.glb".into())));
    window.run();
    let middle = on_ruler(&window, 41.0);
    click_at(&mut window, middle, Modifiers::NONE);
    assert_eq!((window.state().transport.time() * 24.0).round(), 12.0);
    // The other animation begins with its whole duration.
    window.state_mut().view.animation = Some(0);
    window.run();
    click_at(&mut window, middle, Modifiers::NONE);
    assert_eq!((window.state().transport.time() * 24.0).round(), 41.0);
}

#[test]
fn a_scrub_leaves_the_bind_pose_and_escape_returns_to_it() {
    let mut window = window();
    window.state_mut().view.bind_pose = true;
    window.state_mut().transport.head.playing = true;
    window.run();
    let at = on_ruler(&window, 20.0);
    click_at(&mut window, at, Modifiers::NONE);
    let moment = |window: &Ui| (window.state().view.bind_pose, (window.state().transport.time() * 24.0).round());
    assert_eq!(moment(&window), (false, 20.0));
    assert!(!window.state().transport.is_playing(), "nothing played in the bind pose");
    window.state_mut().view.bind_pose = true;
    window.run();
    send_button(&window, on_ruler(&window, 30.0), true, Modifiers::NONE);
    window.step();
    assert_eq!(moment(&window), (false, 30.0));
    window.state_mut().perform(Action::CloseOrDeselect);
    window.run_steps(2);
    assert_eq!(moment(&window), (true, 20.0));
    send_button(&window, on_ruler(&window, 40.0), false, Modifiers::NONE);
    window.run_steps(2);
    assert_eq!(moment(&window), (true, 20.0));
}

#[test]
fn rows_and_frame_rate_can_be_chosen_while_nothing_moves() {
    let mut still = walker();
    (still.animations[0].duration, still.animations[0].key_times) = (0.0, vec![vec![0.0]]);
    still.animations[0].channels[0].output.truncate(3);
    for (model, bind_pose) in [(walker(), true), (still, false)] {
        let mut window = Window::new(model);
        window.view.bind_pose = bind_pose;
        let mut window = harness(1600.0, 800.0, 1.0, window);
        let disabled = |label: &str| window.get_by_label(label).accesskit_node().is_disabled();
        assert_eq!(["Play", "Loop mode: loop", "Curves", "Frames per second"].map(disabled), [true, true, false, false]);
        click(&mut window, "Curves");
        assert_eq!(window.state().state.preferences.timeline_rows, TimelineRows::Curves);
    }
}

#[test]
fn selected_keys_are_cleared_with_their_animation_in_a_hidden_timeline() {
    let mut window = window();
    window.state_mut().state.preferences.timeline = false;
    window.run();
    window.state_mut().state.keys.add(0, 1..3);
    window.run();
    assert_eq!(window.state().state.keys.count(), 2);
    window.state_mut().view.animation = None;
    window.run();
    assert!(window.state().state.keys.is_empty());
}

#[test]
fn a_press_and_release_within_one_frame_seek_and_playback_continues() {
    let mut window = window();
    window.state_mut().transport.head.playing = true;
    let at = on_ruler(&window, 20.0);
    send_button(&window, at, true, Modifiers::NONE);
    send_button(&window, at, false, Modifiers::NONE);
    window.run_steps(3);
    assert!((window.state().transport.time() - 20.0 / 24.0).abs() < 1e-9);
    assert!(window.state().transport.is_playing());
}

#[test]
fn the_buttons_of_a_very_narrow_bar_do_not_overlap() {
    let mut window = harness(640.0, 480.0, 1.0, Window::new(walker()));
    window.state_mut().perform(Action::Inspector);
    window.run_steps(10);
    let names = ["First frame of range", "Previous frame", "Play", "Next frame", "Last frame of range", "More playback controls"];
    let buttons: Vec<_> =
        names.iter().filter_map(|name| window.query_by_role_and_label(Role::Button, name)).map(|button| button.rect()).collect();
    assert_eq!(buttons.len(), 4, "the jumps to the ends are left out: {buttons:?}");
    assert!(buttons.windows(2).all(|pair| pair[0].right() <= pair[1].left()), "{buttons:?}");
}

#[test]
fn hiding_the_timeline_ends_its_drags_at_the_release_and_cancels_a_typed_time() {
    let mut window = window();
    window.state_mut().view.layers = vec![Layer { animation: 1, ..Layer::default() }];
    window.state_mut().transport.head.playing = true;
    window.run_steps(2);
    let bar = window.get_by_label("Strip of layer 1, Wave").rect().left_center() + egui::vec2(60.0, 0.0);
    for (from, to) in [(on_ruler(&window, 10.0), on_ruler(&window, 30.0)), (bar, bar + egui::vec2(100.0, 0.0))] {
        send_button(&window, from, true, Modifiers::NONE);
        window.event(Event::PointerMoved(to));
        window.step();
        window.state_mut().perform(Action::Timeline);
        window.step();
        send_button(&window, to, false, Modifiers::NONE);
        window.step();
        assert!(window.state().transport.is_playing());
        // The drags have ended, so Esc clears the selection and changes nothing else.
        window.state_mut().view.selection = vec![1];
        let (time, offset) = (window.state().transport.time(), window.state().view.layers[0].offset);
        window.state_mut().perform(Action::CloseOrDeselect);
        assert_eq!((window.state().transport.time(), window.state().view.layers[0].offset), (time, offset));
        assert!(window.state().view.selection.is_empty());
        window.state_mut().perform(Action::Timeline);
        window.step();
    }
    assert!((window.state().transport.time() - 30.0 / 24.0).abs() < 1e-6 && window.state().view.layers[0].offset != 0.0);
    window.state_mut().transport.head.playing = false;
    window.get_by_label_contains("Time: ").click();
    window.run();
    window.event(Event::Text("1".into()));
    window.run();
    for _ in 0..2 {
        window.state_mut().perform(Action::Timeline);
        window.run();
    }
    assert!((window.state().transport.time() - 30.0 / 24.0).abs() < 1e-6, "the unfinished number is not applied");
}

/// Clicks a readout of the transport row, types in its field and presses a key.
fn type_time(window: &mut Ui, readout: &str, typed: &str, end: EguiKey) {
    window.get_by_label_contains(readout).click();
    window.run();
    window.event(Event::Text(typed.into()));
    window.run();
    window.key_press(end);
    window.run();
}

#[test]
fn no_label_names_a_frame_before_it_begins() {
    let mut window = window();
    for (frame, readout, playhead) in [(47.0, "47", "47"), (47.96, "47.9", "47"), (48.0, "48", "48"), (81.999, "81.9", "81")] {
        window.state_mut().transport.head.time = frame / 24.0;
        window.run();
        window.get_by_label(&format!("Frame: {readout} / 82"));
        let texts = texts(&window);
        let heads = texts.iter().filter(|(_, color, ..)| *color == sinew::ui::style::theme::DARK.field).map(|(text, ..)| text);
        assert!(heads.collect::<Vec<_>>().contains(&&playhead.to_owned()), "the playhead at {frame}: {texts:?}");
    }
}

#[test]
fn time_and_frame_can_be_typed() {
    let cases = [
        ("Time: ", "1.25", 1.25),
        ("Time: ", " 0.5 s", 0.5),
        ("Frame: ", "30", 30.0 / 24.0),
        ("Frame: ", "12.4", 12.4 / 24.0),
        ("Frame: ", "-3", 0.0),
        ("Time: ", "1e9", 82.0 / 24.0),
        ("Time: ", "soon", 0.25),
        ("Frame: ", "inf", 0.25),
    ];
    for (readout, typed, time) in cases {
        let mut window = window();
        (window.state_mut().transport.head.time, window.state_mut().transport.head.playing) = (0.25, true);
        window.run();
        type_time(&mut window, readout, typed, EguiKey::Enter);
        let transport = window.state().transport;
        assert!((transport.time() - time).abs() < 1e-6, "{readout}{typed}: {}", transport.time());
        assert_eq!(transport.is_playing(), time == 0.25, "{readout}{typed}: a typed time pauses, and an invalid text changes nothing");
        let message = Request::ShowMessage(format!("Not a number: {typed}"));
        assert_eq!(window.state().requests.contains(&message), time == 0.25, "{readout}{typed}");
    }
}

#[test]
fn the_field_of_a_typed_time_shows_the_whole_number() {
    let mut window = window();
    window.state_mut().transport.head.time = 3.353;
    window.run();
    window.get_by_label_contains("Time: ").click();
    window.run();
    // A text field scrolls sideways if its text does not fit, so the text then begins left of the field.
    let field = window.get_by_role_and_label(Role::TextInput, "Time").rect();
    let (_, _, text, clip) = texts(&window).into_iter().find(|(text, ..)| text == "3.353").expect("the text");
    assert!(clip.contains_rect(text.shrink(1.0)) && field.contains_rect(text.shrink(1.0)), "{text:?} in {field:?}, clipped to {clip:?}");
}

#[test]
fn escape_and_a_lost_focus_end_typing_a_time() {
    let mut window = window();
    window.state_mut().transport.head.time = 0.25;
    window.run();
    type_time(&mut window, "Time: ", "1.25", EguiKey::Escape);
    assert_eq!(window.state().transport.time(), 0.25, "Esc cancels");
    assert!(window.query_by_label_contains("Time: 0.250 s").is_some(), "the readout is back");
    window.get_by_label_contains("Frame: ").click();
    window.run();
    window.event(Event::Text("24".into()));
    window.run();
    // A click elsewhere enters the number, as in other fields.
    click(&mut window, "Loop mode: loop");
    assert!((window.state().transport.time() - 1.0).abs() < 1e-9);
    assert!(window.query_by_label_contains("Frame: 24 / 82").is_some());
}

#[test]
fn a_typed_time_does_not_go_to_the_animation_that_is_clicked_next() {
    let mut window = window();
    window.state_mut().transport.head.playing = true;
    window.step();
    window.get_by_label_contains("Frame: ").click();
    window.run_steps(3);
    window.event(Event::Text("12".into()));
    window.run_steps(2);
    window.get_by_role_and_label(Role::ListBoxOption, "Wave").click();
    window.run_steps(3);
    let (view, transport) = (&window.state().view, window.state().transport);
    assert_eq!((view.animation, transport.time(), transport.is_playing()), (Some(1), 0.0, true));
}

#[test]
fn playback_continues_if_a_time_field_is_opened_and_left_unchanged() {
    let mut window = window();
    (window.state_mut().transport.head.time, window.state_mut().transport.head.playing) = (0.2512, true);
    window.run();
    window.get_by_label_contains("Time: ").click();
    window.run();
    window.get_by_role_and_label(Role::TextInput, "Time");
    click(&mut window, "Loop mode: loop");
    assert!(window.query_by_label_contains("Time: 0.251 s").is_some(), "the readout is back");
    assert_eq!((window.state().transport.time(), window.state().transport.is_playing()), (0.2512, true));
}

#[test]
fn pausing_snaps_to_the_nearest_frame_only_if_the_user_wants_it() {
    // In the last case the range ends between two frames, and the playhead stays within the range.
    for (snaps, frame, end, after) in
        [(false, 12.4, 82.0, 12.4), (true, 12.4, 82.0, 12.0), (true, 10.6, 82.0, 11.0), (true, 40.6, 40.7, 40.7)]
    {
        let mut window = window();
        window.state_mut().state.preferences.snap_on_pause = snaps;
        window.state_mut().view.range = Some([0.0, end / 24.0]);
        let transport = &mut window.state_mut().transport;
        (transport.head.time, transport.head.playing, transport.clock) = (frame / 24.0, true, 5.0 + frame / 24.0);
        window.state_mut().perform(Action::PlayPause);
        let transport = window.state().transport;
        assert!(!transport.is_playing());
        assert!((transport.time() * 24.0 - after).abs() < 1e-6, "{}", transport.time() * 24.0);
        assert!(!snaps || transport.time() >= f64::from((after / 24.0) as f32).min(end / 24.0), "before a key on this frame");
        assert!((transport.clock - 5.0 - transport.time()).abs() < 1e-9, "layers move along");
    }
}

/// Returns the texts of a frame with their colors, rectangles and clip rectangles.
fn texts(window: &Ui) -> Vec<(String, egui::Color32, egui::Rect, egui::Rect)> {
    let text = |(text, clip): (&TextShape, egui::Rect)| {
        let color = text.override_text_color.or_else(|| text.galley.job.sections.first().map(|section| section.format.color));
        let color = color.filter(|color| *color != egui::Color32::PLACEHOLDER).unwrap_or(text.fallback_color);
        (text.galley.text().to_owned(), color, text.visual_bounding_rect(), clip)
    };
    painted_texts(window).map(text).collect()
}

#[test]
fn a_speed_other_than_one_is_amber() {
    let mut window = window();
    let warning = sinew::ui::style::theme::palette(&window.ctx).warning;
    let amber = |window: &Ui, text: &str| {
        let (_, color, ..) = texts(window).into_iter().find(|(shown, ..)| shown == text).expect("the speed");
        color == warning
    };
    assert!(!amber(&window, "1.00x"));
    window.state_mut().view.speed = 0.5;
    window.run();
    assert!(amber(&window, "0.50x"));
}

#[test]
fn the_labels_at_the_ends_of_the_ruler_are_not_cut_off() {
    for (duration, fps) in [(82.0 / 24.0, 24.0), (5.0, 1000.0), (10_000.0, 30.0), (36_000.0, 30.0)] {
        for unit in [sinew::ui::context::preferences::RulerUnit::Frames, sinew::ui::context::preferences::RulerUnit::Seconds] {
            let mut model = walker();
            model.animations[0].duration = duration;
            let mut window = harness(1280.0, 720.0, 1.0, Window::new(model));
            window.state_mut().view.rate = Some(fps);
            window.state_mut().state.preferences.ruler = unit;
            // The head of the playhead hides a number that it touches, so it is put away from the ends.
            window.state_mut().transport.head.time = 0.25 * duration;
            window.run();
            let ruler = window.get_by_label("Time ruler").rect();
            let in_head = sinew::ui::style::theme::DARK.field;
            let texts = texts(&window).into_iter();
            let mut labels: Vec<_> = texts.filter(|(_, color, at, _)| ruler.contains(at.center()) && *color != in_head).collect();
            assert!(labels.len() > 1, "{duration} s: {labels:?}");
            for (text, _, rect, clip) in &labels {
                assert!(clip.expand(0.5).contains_rect(*rect), "{text} of {duration} s: {rect:?} in {clip:?}");
            }
            labels.sort_by(|a, b| a.2.left().total_cmp(&b.2.left()));
            assert!(labels.windows(2).all(|pair| pair[0].2.right() + 4.0 < pair[1].2.left()), "{duration} s: labels touch");
        }
    }
}

#[test]
fn keys_at_the_ends_of_the_range_are_not_dimmed() {
    for range in [None, Some([10.0 / 24.0, 60.0 / 24.0])] {
        let mut window = window();
        window.state_mut().view.range = range;
        window.run();
        let dim = sinew::ui::style::theme::palette(&window.ctx).field.gamma_multiply(0.5);
        let rect = |clipped: &egui::epaint::ClippedShape| match &clipped.shape {
            egui::Shape::Rect(rect) if rect.fill == dim => Some(rect.rect.intersect(clipped.clip_rect)),
            _ => None,
        };
        let dimmed: Vec<_> = window.output().shapes.iter().filter_map(rect).collect();
        assert!(!dimmed.is_empty());
        let [first, last] = range.unwrap_or([0.0, 82.0 / 24.0]).map(|time| on_ruler(&window, time as f32 * 24.0).x);
        for x in [first, last] {
            // The mark of a selected key is the widest, with 10 points. Half of it lies on either side.
            let mark = egui::Rangef::new(x - 4.9, x + 4.9);
            assert!(dimmed.iter().all(|rect| rect.x_range().intersection(mark).span() <= 0.0), "{range:?}: {dimmed:?} over {mark:?}");
        }
    }
}

#[test]
fn the_range_strip_scrolls_a_zoomed_ruler() {
    let mut window = window();
    window.state_mut().view.range = Some([0.0, 1.0]);
    window.state_mut().perform(Action::FitTimeline);
    window.state_mut().view.range = None;
    window.run();
    let middle = |window: &mut Ui| {
        let at = on_ruler(window, 41.0);
        click_at(window, at, CTRL);
        window.state().transport.time() * 24.0
    };
    assert!((middle(&mut window) - 12.0).abs() < 0.1);
    // The strip shows the whole animation, so a drag by 41 of its 82 frames scrolls by as many.
    let strip = window.get_by_label("Visible time").rect();
    let at = |frame: f32| egui::pos2(on_ruler(&window, frame).x, strip.center().y);
    let (from, to, beyond, beside) = (at(12.0), at(53.0), at(90.0), at(30.0));
    drag(&mut window, PointerButton::Primary, &[from, to]);
    assert!((middle(&mut window) - 53.0).abs() < 0.2);
    drag(&mut window, PointerButton::Primary, &[to, beyond]);
    assert!((middle(&mut window) - 70.0).abs() < 0.2, "it stops at the end");
    click_at(&mut window, beside, Modifiers::NONE);
    assert!((middle(&mut window) - 30.0).abs() < 0.2, "a click beside the visible time centers it at the click");
    assert_eq!(window.state().view.range, None);
}

#[test]
fn a_zoomed_ruler_follows_the_playhead() {
    let mut window = window();
    window.state_mut().view.range = Some([0.0, 1.0]);
    window.state_mut().perform(Action::FitTimeline);
    window.state_mut().view.range = None;
    window.run();
    let duration = 82.0 / 24.0;
    let span = |window: &Ui| window.state().state.panels.timeline.zoom.span(duration);
    let is_shown = |window: &Ui, wanted: [f64; 2]| span(window).iter().zip(wanted).all(|(shown, wanted)| (shown - wanted).abs() < 1e-6);
    assert!(is_shown(&window, [0.0, 1.0]));
    for (time, playing, wanted) in [
        (0.75, false, [0.0, 1.0]),
        (2.0, false, [1.5, 2.5]),
        // The span stays within the animation.
        (duration, false, [duration - 1.0, duration]),
        (0.25, false, [0.0, 1.0]),
        (1.25, true, [0.75, 1.75]),
    ] {
        let head = &mut window.state_mut().transport.head;
        (head.playing, head.time) = (playing, time);
        // A window that plays repaints without end.
        window.run_steps(2);
        assert!(is_shown(&window, wanted), "{:?} at {time}", span(&window));
    }
    // While playback runs, the user can look at another part.
    window.state_mut().state.panels.timeline.zoom.scroll(1.0, duration);
    window.state_mut().transport.head.time = 1.5;
    window.run_steps(2);
    assert!(is_shown(&window, [1.75, 2.75]), "{:?}", span(&window));
}

#[test]
fn a_zoomed_ruler_follows_a_scrub_past_its_edge_at_the_release() {
    for played in [false, true] {
        let mut window = window();
        window.state_mut().view.range = Some([0.0, 1.0]);
        window.state_mut().perform(Action::FitTimeline);
        window.state_mut().view.range = None;
        window.run();
        window.state_mut().transport.head.playing = played;
        let (from, to) = (on_ruler(&window, 41.0), on_ruler(&window, 41.0) + egui::vec2(900.0, 0.0));
        let span = |window: &Ui| window.state().state.panels.timeline.zoom.span(82.0 / 24.0);
        send_button(&window, from, true, Modifiers::NONE);
        window.run_steps(2);
        for x in [0.5, 1.0] {
            window.event(Event::PointerMoved(from.lerp(to, x)));
            window.run_steps(2);
        }
        let time = window.state().transport.time();
        assert!(time > 1.1 && span(&window) == [0.0, 1.0], "{time} in {:?}", span(&window));
        send_button(&window, to, false, Modifiers::NONE);
        window.run_steps(3);
        let [start, end] = span(&window);
        assert!(start < time && time < end && end - start < 1.01, "{time} in {:?}", span(&window));
    }
}

#[test]
fn the_playback_buttons_stand_in_the_middle_of_a_wide_timeline() {
    for width in [1280.0, 1920.0] {
        let window = harness(width, 800.0, 1.0, Window::new(walker()));
        let middle = window.state().areas.expect("areas").viewport.center().x;
        let play = window.get_by_label("Play").rect().center().x;
        assert!((play - middle).abs() < 1.0, "{play} and {middle} at {width}");
    }
    // In a narrow window the buttons make room for the readouts.
    let window = harness(700.0, 600.0, 1.0, Window::new(walker()));
    let (last, time) = (window.get_by_label("Last frame of range").rect(), window.get_by_label_contains("Frame: 0").rect());
    assert!(last.right() <= time.left(), "{last:?} {time:?}");
}

#[test]
fn the_current_frame_stands_in_the_head_of_the_playhead() {
    let mut window = window();
    window.state_mut().transport.head.time = 30.5 / 24.0;
    window.run();
    let ruler = window.get_by_label("Time ruler").rect();
    let in_ruler = |window: &Ui, wanted: &str| {
        let texts = texts(window).into_iter();
        let mut found = texts.filter(|(text, _, at, _)| text == wanted && at.center().y > ruler.top() && at.center().y < ruler.bottom());
        found.next().map(|(_, color, at, _)| (color, at))
    };
    let (color, at) = in_ruler(&window, "30").expect("the frame that has begun");
    assert_eq!(color, sinew::ui::style::theme::DARK.field, "dark on the light head");
    assert!((at.center().x - on_ruler(&window, 30.5).x).abs() < 2.0);
    window.state_mut().state.preferences.ruler = sinew::ui::context::preferences::RulerUnit::Seconds;
    window.run();
    assert!(in_ruler(&window, "1.27").is_some(), "the ruler counts seconds");
}

#[test]
fn numbers_in_the_range_are_bright_as_a_whole_and_the_others_dim() {
    let mut window = window();
    window.state_mut().view.range = Some([0.0, 60.0 / 24.0]);
    window.run();
    let ruler = window.get_by_label("Time ruler").rect();
    let palette = sinew::ui::style::theme::DARK;
    let numbers = texts(&window).into_iter().filter(|(_, color, at, _)| ruler.contains(at.center()) && *color != palette.field);
    let numbers: Vec<(f32, bool)> =
        numbers.filter_map(|(text, color, ..)| Some((text.parse().ok()?, color == palette.secondary))).collect();
    assert!(numbers.iter().any(|(frame, _)| *frame == 60.0) && numbers.iter().any(|(frame, _)| *frame > 60.0), "{numbers:?}");
    assert!(numbers.iter().all(|(frame, is_bright)| *is_bright == (*frame <= 60.0)), "{numbers:?}");
    // Nothing that dims is painted over them.
    let shapes = &window.output().shapes;
    let last_text = shapes.iter().rposition(|shape| matches!(&shape.shape, egui::Shape::Text(text) if text.galley.text() == "60"));
    let is_over = |shape: &egui::Shape| matches!(shape, egui::Shape::Rect(rect) if rect.rect.contains(on_ruler(&window, 61.0)));
    assert!(!shapes[last_text.expect("a number")..].iter().any(|shape| is_over(&shape.shape)));
}

#[test]
fn the_head_of_the_playhead_covers_no_part_of_a_number() {
    let mut window = window();
    let ruler = window.get_by_label("Time ruler").rect();
    let mut labels = |frame: f64| {
        window.state_mut().transport.head.time = frame / 24.0;
        window.run();
        let texts = texts(&window).into_iter();
        let labels = texts.filter(|(_, color, at, _)| ruler.contains(at.center()) && *color != sinew::ui::style::theme::DARK.field);
        labels.map(|(text, ..)| text).collect::<Vec<_>>()
    };
    let all = labels(5.0);
    let second = all[1].parse::<f64>().expect("a frame number");
    let near = labels(second - 0.4);
    assert!(!near.contains(&all[1]), "{near:?}");
    assert_eq!(near.len() + 1, all.len(), "{near:?} {all:?}");
}

#[test]
fn without_an_animation_the_timeline_folds_to_its_bar() {
    let window = harness(1280.0, 800.0, 1.0, Window::new(Model { animations: Vec::new(), ..walker() }));
    let areas = window.state().areas.expect("areas");
    assert_eq!(areas.status.top() - areas.viewport.bottom(), 36.0);
    window.get_by_label("This file has no animations");
    assert!(window.query_by_label_contains("Time: ").is_none(), "there is no time to show");
}

#[test]
fn without_an_animation_the_playback_buttons_stay_in_the_bar() {
    for width in [600.0, 640.0, 700.0, 800.0, 1280.0] {
        let window = harness(width, 600.0, 1.0, Window::new(Model { animations: Vec::new(), ..walker() }));
        let bar = window.state().areas.expect("areas").viewport;
        let last = window.get_by_label("Last frame of range").rect();
        assert!(last.right() <= bar.right(), "{last:?} in {bar:?}");
    }
}

#[test]
fn the_last_frame_is_numbered_although_key_times_are_single_precision() {
    let mut model = walker();
    model.animations[0].duration = f64::from(80.0f32 / 24.0);
    let window = harness(1280.0, 800.0, 1.0, Window::new(model));
    let ruler = window.get_by_label("Time ruler").rect();
    assert!(texts(&window).iter().any(|(text, _, at, _)| text == "80" && ruler.contains(at.center())));
}

#[test]
fn controls_that_do_not_fit_are_in_a_menu() {
    let mut narrow = Window::new(walker());
    narrow.state.window.inspector_when_narrow = true;
    let mut window = harness(900.0, 600.0, 1.0, narrow);
    let frame = window.get_by_label_contains("Frame: 0").rect();
    let [last, more] = ["Last frame of range", "More playback controls"].map(|label| window.get_by_label(label).rect());
    assert!(last.right() <= frame.left() && frame.right() <= more.left(), "{last:?} {frame:?} {more:?}");
    for label in ["Curves", "Time: 0.000 s", "Speed", "Frames per second"] {
        assert!(window.query_by_label(label).is_none(), "{label} does not fit");
    }
    click(&mut window, "More playback controls");
    let size = egui::Rect::from_min_size(Pos2::ZERO, egui::vec2(900.0, 600.0));
    for label in ["Curves", "Time: 0.000 s", "Frames per second"] {
        let rect = window.get_by_label(label).rect();
        assert!(size.contains_rect(rect), "{label}: {rect:?}");
    }
    click(&mut window, "Curves");
    assert_eq!(window.state().state.preferences.timeline_rows, TimelineRows::Curves);
    // A wide window has all controls in the bar.
    assert!(harness(1600.0, 800.0, 1.0, Window::new(walker())).query_by_label("More playback controls").is_none());
}

#[test]
fn without_an_animation_the_button_shows_play() {
    let mut window = Window::new(Model { animations: Vec::new(), ..walker() });
    window.transport.head.playing = true;
    let window = harness(1280.0, 800.0, 1.0, window);
    assert!(window.query_by_label("Pause").is_none());
    assert!(window.get_by_label("Play").accesskit_node().is_disabled());
}

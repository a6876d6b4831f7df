//! The window's frame: actions, menus, timeline, dialogs, by accessible label; and the look by numbers.

mod ui_window;

use std::collections::HashMap;

use egui::accesskit::Role;
use egui::{Event, FontId, Key as EguiKey, Modifiers, PointerButton, Pos2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use sinew::model::Model;
use sinew::session::picture_name::picture_name;
use sinew::session::switches::{self, Column};
use sinew::session::view::{Repeat, Shading, ViewCamera};
use sinew::ui::actions::{self, Action, Key, Route, TABLE};
use sinew::ui::theme::{DARK, LIGHT, Palette};
use sinew::ui::{Command, Dialog, Loading, icons, perform};

use ui_window::{Window, harness, walker};

fn window() -> Harness<'static, Window> {
    harness(1280.0, 720.0, 1.0, Window::new(walker()))
}

/// Some of what stands in the menus stands in the inspector too, under the same name.
fn without_inspector() -> Harness<'static, Window> {
    harness(900.0, 600.0, 1.0, Window::new(walker()))
}

fn click(window: &mut Harness<'static, Window>, label: &str) {
    window.get_by_label(label).click();
    window.run();
}

// Actions

#[test]
fn every_action_stands_in_the_table_at_its_own_place() {
    for (i, entry) in TABLE.iter().enumerate() {
        assert_eq!(entry.action as usize, i, "{:?}", entry.action);
    }
    // `Back` is the last action there is.
    assert_eq!(TABLE.len(), Action::Back as usize + 1);
}

#[test]
fn following_the_file_is_switched_in_its_menu() {
    let mut window = window();
    assert!(window.state().state.preferences.reload_on_change);
    click(&mut window, "File");
    click(&mut window, "Reload when the file changes");
    assert!(!window.state().state.preferences.reload_on_change);
}

#[test]
fn no_key_does_two_things() {
    let mut bound = HashMap::new();
    for entry in TABLE {
        for binding in entry.keys {
            let modifiers = (binding.modifiers.command, binding.modifiers.alt, binding.modifiers.shift);
            let other = bound.insert((binding.key, modifiers), entry.action);
            assert_eq!(other, None, "{} is bound twice", binding.text());
        }
    }
}

#[test]
fn no_two_actions_of_a_category_are_called_the_same() {
    for (i, entry) in TABLE.iter().enumerate() {
        assert!(!TABLE[..i].iter().any(|other| other.category == entry.category && other.label == entry.label), "{}", entry.label);
    }
}

#[test]
fn keys_are_found_by_meaning_whatever_shift_a_sign_needs() {
    let ctrl = Modifiers { ctrl: true, command: true, ..Modifiers::NONE };
    assert_eq!(actions::find(Key::Char('o'), ctrl), Some(Action::Open));
    assert_eq!(actions::find(Key::Char('o'), Modifiers::NONE), Some(Action::SetOut));
    assert_eq!(actions::find(Key::Char('?'), Modifiers::SHIFT), Some(Action::Shortcuts));
    assert_eq!(actions::find(Key::Char('+'), ctrl.plus(Modifiers::SHIFT)), Some(Action::LargerScale));
    assert_eq!(actions::find(Key::Char('z'), ctrl.plus(Modifiers::SHIFT)), Some(Action::Redo));
    assert_eq!(actions::find(Key::Char('z'), ctrl.plus(Modifiers::ALT)), None);
    assert_eq!(actions::find(Key::Digit(1), Modifiers::NONE), Some(Action::ShadeLit));
    assert_eq!(actions::find(Key::Numpad(1), Modifiers::NONE), Some(Action::LookFront));
}

#[test]
fn every_action_can_be_performed_on_any_model() {
    for model in [walker(), Model::default()] {
        let mut window = Window::new(model);
        for entry in TABLE {
            window.perform(entry.action);
            perform::is_possible(entry.action, &window.frame());
            perform::is_on(entry.action, &window.frame());
        }
    }
}

#[test]
fn keys_go_to_what_stands_in_front_first() {
    let mut window = window();
    assert_eq!(actions::route(&window.ctx, false), Route::Table);
    assert_eq!(actions::route(&window.ctx, true), Route::List);
    click(&mut window, "File");
    assert_eq!(actions::route(&window.ctx, false), Route::Front);
    window.key_press(EguiKey::Escape);
    window.run();
    assert_eq!(actions::route(&window.ctx, true), Route::List);
    window.state_mut().state.dialog = Some(Dialog::About);
    window.run();
    assert_eq!(actions::route(&window.ctx, true), Route::Front);
}

#[test]
fn l_plays_forwards_then_faster_and_j_turns_round() {
    let mut window = Window::new(walker());
    let mut speeds = Vec::new();
    for action in
        [Action::PlayForward, Action::PlayForward, Action::PlayForward, Action::PlayForward, Action::PlayBackward, Action::PlayBackward]
    {
        window.perform(action);
        assert!(window.transport.playing());
        speeds.push(window.view.speed);
    }
    assert_eq!(speeds, [1.0, 2.0, 4.0, 4.0, -1.0, -2.0]);
    window.perform(Action::Pause);
    assert!(!window.transport.playing());
}

#[test]
fn speed_goes_by_tenths_past_the_standstill_to_its_limits() {
    let mut window = Window::new(walker());
    window.view.speed = 0.2;
    let speeds: Vec<_> = (0..3)
        .map(|_| {
            window.perform(Action::Slower);
            window.view.speed
        })
        .collect();
    assert_eq!(speeds, [0.1, -0.1, -0.2]);
    window.view.speed = 3.95;
    window.perform(Action::Faster);
    window.perform(Action::Faster);
    assert_eq!(window.view.speed, 4.0);
}

#[test]
fn in_and_out_points_follow_the_playhead_and_never_cross() {
    let mut window = Window::new(walker());
    let end = f64::from(82.0f32 / 24.0);
    window.transport.head.time = 1.0;
    window.perform(Action::SetIn);
    assert_eq!(window.view.range, Some([1.0, end]));
    window.transport.head.time = 0.5;
    window.perform(Action::SetOut);
    assert_eq!(window.view.range, Some([0.0, 0.5]));
    window.transport.head.time = 2.0;
    window.perform(Action::SetIn);
    assert_eq!(window.view.range, Some([2.0, end]));
    window.perform(Action::ClearRange);
    assert_eq!(window.view.range, None);
}

#[test]
fn keys_of_the_selection_are_jumped_to() {
    let mut window = Window::new(walker());
    window.transport.head.time = 0.99;
    window.perform(Action::NextKey);
    assert!((window.transport.time() - 1.0).abs() < 1e-6);
    window.perform(Action::PreviousKey);
    assert!((window.transport.time() - 23.0 / 24.0).abs() < 1e-6);
    // The head has no keys.
    window.view.selection = vec![3];
    window.perform(Action::NextKey);
    assert!((window.transport.time() - 23.0 / 24.0).abs() < 1e-6);
}

#[test]
fn another_animation_starts_at_its_beginning_without_a_range() {
    let mut window = Window::new(walker());
    (window.transport.head.time, window.view.range, window.view.speed) = (1.0, Some([0.5, 1.5]), 2.0);
    window.perform(Action::NextAnimation);
    assert_eq!((window.view.animation, window.transport.time(), window.view.range), (Some(1), 0.0, None));
    assert_eq!(window.view.speed, 2.0);
    window.perform(Action::NextAnimation);
    assert_eq!(window.view.animation, Some(0));
}

#[test]
fn the_selection_walks_up_and_down_the_tree() {
    let mut window = Window::new(walker());
    window.perform(Action::SelectChild);
    assert_eq!(window.view.selection, [0]);
    window.perform(Action::SelectChild);
    window.perform(Action::AddChild);
    assert_eq!(window.view.selection, [1, 2]);
    window.perform(Action::SelectParent);
    assert_eq!(window.view.selection, [1]);
    window.perform(Action::SelectAll);
    assert_eq!(window.view.selection, [0, 2, 3, 4, 5, 6, 1]);
    window.perform(Action::Back);
    assert!(window.view.selection.is_empty());
}

#[test]
fn switches_go_off_together_and_only_where_a_node_has_them() {
    let mut window = Window::new(walker());
    window.view.selection = vec![2, 5];
    window.perform(Action::SubtreeDrawn);
    let on = |window: &Window, node, column| switches::switch(&window.view.switches, node, column).on;
    assert_eq!([1, 2, 3, 5].map(|node| on(&window, node, Column::Drawn)), [true, false, false, true]);
    // The hips are the skin's topmost joint: nobody could take over.
    window.view.selection = vec![1, 2];
    window.perform(Action::Influence);
    assert_eq!([1, 2].map(|node| on(&window, node, Column::Influence)), [true, false]);
    window.perform(Action::ClearDrawn);
    assert!([1, 2, 3].into_iter().all(|node| on(&window, node, Column::Drawn)));
    window.perform(Action::ResetSwitches);
    assert!(window.view.switches.is_empty());
}

#[test]
fn copied_values_tell_the_pose_at_this_time() {
    let mut window = Window::new(walker());
    window.transport.head.time = 0.5;
    window.view.selection = vec![1];
    window.perform(Action::CopyValues);
    let Some(Command::CopyText(text)) = window.commands.pop() else { panic!("nothing copied") };
    assert!(text.starts_with("Hips (node 1)\n"), "{text}");
    assert!(text.contains(&format!("translation {} 1 0", 0.5f32.sin())), "{text}");
}

// Timeline

#[test]
fn the_play_button_plays_and_pauses() {
    let mut window = window();
    click(&mut window, "Play");
    assert!(window.state().transport.playing());
    click(&mut window, "Pause");
    assert!(!window.state().transport.playing());
}

#[test]
fn a_step_lands_on_a_whole_frame() {
    let mut window = window();
    window.state_mut().transport.head.time = 12.4 / 24.0;
    click(&mut window, "Next frame");
    assert!((window.state().transport.time() - 13.0 / 24.0).abs() < 1e-9);
    window.state_mut().transport.head.time = 12.4 / 24.0;
    click(&mut window, "Previous frame");
    assert!((window.state().transport.time() - 12.0 / 24.0).abs() < 1e-9);
}

#[test]
fn first_and_last_go_to_the_ends_of_the_range() {
    let mut window = window();
    window.state_mut().view.range = Some([0.5, 2.0]);
    click(&mut window, "Last frame of the range");
    assert_eq!(window.state().transport.time(), 2.0);
    click(&mut window, "First frame of the range");
    assert_eq!(window.state().transport.time(), 0.5);
}

/// Where a frame of the animation stands in the ruler: it is drawn 14 points inside of its ends.
fn on_ruler(window: &Harness<'static, Window>, frame: f32) -> Pos2 {
    let ruler = window.get_by_label("Time ruler").rect();
    egui::pos2(egui::lerp(ruler.left() + 14.0..=ruler.right() - 14.0, frame / 82.0), ruler.center().y)
}

fn press(window: &Harness<'static, Window>, at: Pos2, pressed: bool, modifiers: Modifiers) {
    window.event(Event::PointerMoved(at));
    window.event(Event::ModifiersChanged(modifiers));
    window.event(Event::PointerButton { pos: at, button: PointerButton::Primary, pressed, modifiers });
}

#[test]
fn a_click_in_the_ruler_seeks_to_the_nearest_frame() {
    let mut window = window();
    let at = on_ruler(&window, 20.3);
    press(&window, at, true, Modifiers::NONE);
    press(&window, at, false, Modifiers::NONE);
    window.run();
    assert!((window.state().transport.time() - 20.0 / 24.0).abs() < 1e-9);
}

#[test]
fn dragging_the_ruler_scrubs_from_frame_to_frame_and_plays_on_after_the_release() {
    let mut window = window();
    window.state_mut().transport.head.playing = true;
    press(&window, on_ruler(&window, 10.0), true, Modifiers::NONE);
    window.step();
    for frame in [20.3, 41.6] {
        window.event(Event::PointerMoved(on_ruler(&window, frame)));
        window.step();
        assert!((window.state().transport.time() * 24.0 - f64::from(frame).round()).abs() < 1e-6);
        assert!(!window.state().transport.playing());
        assert!(window.query_by_label("Pause").is_some());
    }
    press(&window, on_ruler(&window, 41.6), false, Modifiers::NONE);
    window.step();
    window.step();
    assert!(window.state().transport.playing());
}

#[test]
fn with_ctrl_the_scrub_is_free_of_frames() {
    let mut window = window();
    let ctrl = Modifiers { ctrl: true, command: true, ..Modifiers::NONE };
    press(&window, on_ruler(&window, 20.3), true, ctrl);
    window.step();
    assert!((window.state().transport.time() * 24.0 - 20.3).abs() < 0.05, "{}", window.state().transport.time() * 24.0);
}

#[test]
fn the_in_point_is_dragged_to_a_frame() {
    let mut window = window();
    let handle = window.get_by_label("In point").rect();
    // Its bracket stands at the right end of the grip.
    let from = egui::pos2(handle.right() - 4.0, handle.center().y);
    press(&window, from, true, Modifiers::NONE);
    window.step();
    let to = egui::pos2(on_ruler(&window, 24.2).x, from.y);
    window.event(Event::PointerMoved(to));
    window.step();
    press(&window, to, false, Modifiers::NONE);
    window.run();
    let [start, _] = window.state().view.range.expect("a range");
    assert!((start - 1.0).abs() < 1e-6, "{start}");
}

#[test]
fn the_repeat_button_goes_round_the_modes() {
    let mut window = window();
    click(&mut window, "Repeat: loop");
    assert_eq!(window.state().view.repeat, Repeat::Once);
    click(&mut window, "Repeat: once");
    assert_eq!(window.state().view.repeat, Repeat::PingPong);
    click(&mut window, "Repeat: ping-pong");
    assert_eq!(window.state().view.repeat, Repeat::Loop);
}

#[test]
fn a_typed_speed_is_taken_within_its_limits_and_reset() {
    for (typed, speed) in [("2.5", 2.5), ("-0.5x", -0.5), ("9", 4.0), ("0.01", 0.1)] {
        let mut window = window();
        click(&mut window, "Speed");
        window.key_press_modifiers(Modifiers::COMMAND, EguiKey::A);
        window.event(Event::Text(typed.into()));
        window.key_press(EguiKey::Enter);
        window.run();
        assert!((window.state().view.speed - speed).abs() < 1e-9, "{typed}: {}", window.state().view.speed);
        click(&mut window, "Normal speed");
        assert_eq!(window.state().view.speed, 1.0);
    }
}

#[test]
fn the_rate_is_shown_and_may_be_changed() {
    let mut window = window();
    assert!(window.query_by_label("(guessed)").is_none());
    window.state_mut().view.animation = None;
    window.run();
    assert!(window.query_by_label("(guessed)").is_some());
    window.state_mut().view.animation = Some(0);
    window.run();
    click(&mut window, "Frames a second");
    window.key_press_modifiers(Modifiers::COMMAND, EguiKey::A);
    window.event(Event::Text("12".into()));
    window.key_press(EguiKey::Enter);
    window.run();
    assert_eq!(window.state().view.rate, Some(12.0));
    assert!(window.query_by_label_contains("/ 41").is_some());
    click(&mut window, "Infer the rate from the keys");
    assert_eq!(window.state().view.rate, None);
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
    for width in [760.0, 800.0, 850.0, 900.0, 1000.0, 1280.0] {
        for duration in [1.0, 7200.0] {
            let mut model = walker();
            model.animations[0].duration = duration;
            let mut window = harness(width, 600.0, 1.0, Window::new(model));
            window.state_mut().perform(Action::Inspector);
            window.state_mut().view.rate = Some(24.0);
            window.run();
            let left = ["Last frame of the range", "Repeat: loop", "Speed", "Normal speed"];
            let left = left.into_iter().flat_map(|label| window.query_all_by_label(label)).map(|node| node.rect().right());
            let seconds = window.get_by_label_contains("0.000 s").rect().left();
            assert!(left.fold(0.0, f32::max) <= seconds, "{width} wide, {duration} s");
        }
    }
}

#[test]
fn the_wheel_zooms_the_ruler_to_the_pointer() {
    let mut window = window();
    let at = on_ruler(&window, 41.0);
    window.event(Event::PointerMoved(at));
    let scroll = Event::MouseWheel {
        unit: egui::MouseWheelUnit::Point,
        delta: egui::vec2(0.0, 200.0),
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Wheel,
        modifiers: Modifiers::NONE,
    };
    window.event(scroll);
    window.run_steps(20);
    // What was under the pointer still is; a quarter of the ruler to the right is less far in time than before.
    let quarter = on_ruler(&window, 61.5) - at;
    for (x, least, most) in [(at.x, 40.9, 41.1), (at.x + quarter.x, 42.0, 55.0)] {
        let ctrl = Modifiers { ctrl: true, command: true, ..Modifiers::NONE };
        press(&window, egui::pos2(x, at.y), true, ctrl);
        press(&window, egui::pos2(x, at.y), false, ctrl);
        window.run();
        let frame = window.state().transport.time() * 24.0;
        assert!(frame > least && frame < most, "{frame}");
    }
    // Another animation is shown whole again.
    window.state_mut().perform(Action::NextAnimation);
    window.run();
    let x = on_ruler(&window, 82.0).x;
    press(&window, egui::pos2(x, at.y), true, Modifiers::NONE);
    window.step();
    assert!((window.state().transport.time() - 1.0).abs() < 1e-6);
}

#[test]
fn a_million_keys_are_merged_into_the_points_there_are() {
    let mut model = walker();
    let times: Vec<f32> = (0..1_000_000).map(|key| key as f32 * 1e-3).collect();
    model.animations[0].duration = f64::from(times[999_999]);
    model.animations[0].channels[0].output = vec![0.0; 3_000_000];
    model.animations[0].key_times = vec![times];
    let mut window = harness(1280.0, 720.0, 1.0, Window::new(model));
    let started = std::time::Instant::now();
    for _ in 0..20 {
        window.step();
    }
    assert!(started.elapsed().as_secs_f32() < 5.0, "{:?}", started.elapsed());
}

// Menus, panels, status

#[test]
fn a_menu_opens_and_its_rows_act() {
    let mut window = without_inspector();
    assert!(window.query_by_label("Joint names").is_none());
    click(&mut window, "View");
    click(&mut window, "Joint names");
    assert!(window.state().view.display.names);
    click(&mut window, "File");
    click(&mut window, "Open...");
    assert_eq!(window.state().commands, [Command::OpenDialog]);
}

#[test]
fn a_menu_within_a_menu_chooses() {
    let mut window = window();
    click(&mut window, "Animation");
    click(&mut window, "Choose");
    window.get_by_role_and_label(Role::MenuItemCheckBox, "Wave").click();
    window.run();
    assert_eq!(window.state().view.animation, Some(1));
}

#[test]
fn shading_and_camera_are_chosen_at_the_right_of_the_menu_bar() {
    let mut window = without_inspector();
    click(&mut window, "Shading: Lit");
    click(&mut window, "Clay");
    assert_eq!(window.state().view.display.shading, Shading::Clay);
    click(&mut window, "Camera: Free camera");
    click(&mut window, "Portrait");
    assert_eq!(window.state().view.camera, ViewCamera::File(0));
    click(&mut window, "Camera: Portrait");
    click(&mut window, "Free camera");
    assert_eq!(window.state().view.camera, ViewCamera::Fit);
}

#[test]
fn panels_collapse_to_rails_and_come_back() {
    let mut window = window();
    let open = window.state().areas.expect("areas").viewport;
    for action in [Action::LeftPanel, Action::Inspector, Action::Timeline] {
        window.state_mut().perform(action);
    }
    window.run();
    let wide = window.state().areas.expect("areas").viewport;
    assert!(wide.width() > open.width() + 400.0 && wide.height() > open.height() + 30.0);
    assert_eq!(window.state().areas.expect("areas").inspector, None);
    for label in ["Animations and nodes", "Inspector", "Timeline"] {
        click(&mut window, label);
    }
    assert_eq!(window.state().areas.expect("areas").viewport, open);
}

#[test]
fn a_narrow_window_starts_without_the_inspector_and_keeps_room_for_the_viewport() {
    let mut window = without_inspector();
    assert_eq!(window.state().areas.expect("areas").inspector, None);
    assert!(window.state().state.preferences.inspector, "the preference is untouched");
    click(&mut window, "Inspector");
    let areas = window.state().areas.expect("areas");
    assert!(areas.inspector.is_some());
    assert!(areas.viewport.width() >= 320.0 && areas.viewport.height() >= 240.0, "{:?}", areas.viewport);
}

#[test]
fn the_count_of_findings_opens_the_inspector_at_them() {
    let mut window = without_inspector();
    click(&mut window, "2 findings");
    assert!(window.state().state.inspector_shown());
}

#[test]
fn loading_says_its_stage_and_can_be_cancelled() {
    let mut window = window();
    window.state_mut().state.loading = Some(Loading { name: "fox.glb".into(), stage: "Decoding geometry".into(), fraction: Some(0.5) });
    window.run();
    assert!(window.query_by_label("fox.glb: Decoding geometry").is_some());
    click(&mut window, "Cancel");
    assert_eq!(window.state().commands, [Command::CancelLoading]);
}

#[test]
fn the_scale_follows_its_actions() {
    let mut window = window();
    window.state_mut().perform(Action::LargerScale);
    window.run();
    assert!((window.ctx.zoom_factor() - 1.1).abs() < 1e-6);
    window.state_mut().perform(Action::NormalScale);
    window.run();
    assert_eq!(window.ctx.zoom_factor(), 1.0);
}

// Dialogs

#[test]
fn the_shortcut_page_lists_every_action() {
    let mut window = harness(1280.0, 3000.0, 1.0, Window::new(walker()));
    window.state_mut().perform(Action::Shortcuts);
    window.run();
    for entry in TABLE {
        assert!(window.query_all_by_label(entry.label).next().is_some(), "{}", entry.label);
    }
    assert!(window.query_by_label("Ctrl+Shift+Z or Ctrl+Y").is_some());
    click(&mut window, "Close");
    assert_eq!(window.state().state.dialog, None);
}

#[test]
fn a_screenshot_is_asked_for_as_the_dialog_says() {
    let mut window = window();
    window.state_mut().perform(Action::Screenshot);
    window.run();
    click(&mut window, "Transparent background");
    click(&mut window, "2 x 2");
    click(&mut window, "Size");
    click(&mut window, "4K, 3840 x 2160");
    assert!(window.query_by_label("3840 x 2160 pixels, PNG").is_some());
    assert!(window.query_by_label("walker-walk-0000.png").is_some());
    click(&mut window, "Save...");
    let [Command::SaveScreenshot { options, path: None, overwrite: false }] = &window.state().commands[..] else {
        panic!("{:?}", window.state().commands)
    };
    assert_eq!((options.width, options.height, options.supersample, options.transparent), (3840, 2160, 2, true));
    assert_eq!(window.state().state.dialog, None);
}

#[test]
fn picture_names_hold_nothing_that_a_file_system_refuses() {
    let mut model = walker();
    model.animations[0].name = Some("../Run / 2: \u{202E}fast\0".into());
    let mut window = Window::new(model);
    window.document.name = "a b?.tar.gltf".into();
    window.transport.head.time = 12.4 / 24.0;
    let name = |window: &Window| picture_name(&window.document, &window.view, window.transport.time());
    assert_eq!(name(&window), "a-b-tar-run-2-fast-0012.png");
    window.view.animation = None;
    assert_eq!(name(&window), "a-b-tar-rest.png");
    window.document.name = "x".repeat(10_000);
    assert!(name(&window).len() < 100);
}

#[test]
fn a_file_is_replaced_only_when_asked() {
    for (button, overwritten) in [("Replace", true), ("Cancel", false)] {
        let mut window = window();
        let path = std::path::PathBuf::from("/pictures/walker.png");
        window.state_mut().state.dialog = Some(Dialog::Overwrite { options: Default::default(), path: path.clone() });
        window.run();
        click(&mut window, button);
        let replaced = Command::SaveScreenshot { options: Default::default(), path: Some(path), overwrite: true };
        assert_eq!(window.state().commands.contains(&replaced), overwritten);
        assert_eq!(window.state().state.dialog, None);
    }
}

#[test]
fn escape_closes_a_dialog() {
    let mut window = window();
    window.state_mut().perform(Action::Settings);
    window.run();
    window.key_press(EguiKey::Escape);
    window.run();
    assert_eq!(window.state().state.dialog, None);
}

// The look

/// WCAG 2.1's contrast ratio.
fn contrast(a: egui::Color32, b: egui::Color32) -> f64 {
    let luminance = |color: egui::Color32| {
        let linear = |channel: u8| {
            let c = f64::from(channel) / 255.0;
            if c <= 0.03928 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(color.r()) + 0.7152 * linear(color.g()) + 0.0722 * linear(color.b())
    };
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[test]
fn text_is_readable_on_every_ground_it_stands_on() {
    let check = |palette: &Palette| {
        let texts = [palette.text, palette.secondary, palette.accent, palette.warning, palette.error, palette.good];
        for color in texts.into_iter().chain(palette.axes) {
            assert!(contrast(color, palette.panel) >= 4.5, "{color:?} on the panel: {}", contrast(color, palette.panel));
        }
        for ground in [palette.raised, palette.field, palette.hover, palette.selection, palette.viewport] {
            assert!(contrast(palette.text, ground) >= 4.5, "{ground:?}");
        }
        assert!(contrast(palette.on_accent, palette.accent) >= 4.5);
        assert!(contrast(palette.accent, palette.selection) >= 4.5);
        // What is not text: WCAG asks for 3.
        assert!(contrast(palette.outline, palette.panel) >= 3.0);
    };
    check(&DARK);
    check(&LIGHT);
}

#[test]
fn every_icon_is_in_the_font() {
    let source = include_str!("../src/ui/icons.rs");
    let points: Vec<char> =
        source.split("'\\u{").skip(1).filter_map(|rest| char::from_u32(u32::from_str_radix(rest.split('}').next()?, 16).ok()?)).collect();
    assert!(points.len() > 20);
    let window = window();
    window.ctx.fonts_mut(|fonts| {
        for &icon in &points {
            assert!(fonts.has_glyph(&icons::font(16.0), icon), "U+{:X}", icon as u32);
        }
        assert!(!fonts.has_glyph(&icons::font(16.0), '\u{e000}'), "a missing glyph is known as such");
        assert!(fonts.has_glyph(&FontId::proportional(13.0), 'Ж'));
    });
}

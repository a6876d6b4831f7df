//! Tests the table of actions, their keys, and what each action does.

use std::collections::HashMap;

use egui::{Key as EguiKey, Modifiers};
use egui_kittest::kittest::Queryable;
use sinew::model::Model;
use sinew::session::time::playlist;
use sinew::session::view::joint_switches::{self, Column};
use sinew::ui::actions::Action;
use sinew::ui::actions::keys::{self, Key, Route};
use sinew::ui::actions::table::{self, TABLE};
use sinew::ui::context::app_status::Exporting;
use sinew::ui::context::request::Request;
use sinew::ui::context::window_state::Dialog;

use crate::common::ui_harness::{Window, walker};
use crate::gestures::{CTRL, Ui, click, window};

#[test]
fn every_action_is_at_its_own_index_in_the_table() {
    for (i, entry) in TABLE.iter().enumerate() {
        assert_eq!(entry.action as usize, i, "{:?}", entry.action);
    }
    // `Back` is the last action.
    assert_eq!(TABLE.len(), Action::CloseOrDeselect as usize + 1);
}

#[test]
fn reloading_on_change_is_switched_in_the_file_menu() {
    let mut window = window();
    assert!(window.state().state.preferences.reload_on_change);
    click(&mut window, "File");
    click(&mut window, "Reload when file changes");
    assert!(!window.state().state.preferences.reload_on_change);
}

#[test]
fn no_key_is_bound_twice() {
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
fn no_two_actions_of_a_category_have_the_same_label() {
    for (i, entry) in TABLE.iter().enumerate() {
        assert!(!TABLE[..i].iter().any(|other| other.category == entry.category && other.label == entry.label), "{}", entry.label);
    }
}

#[test]
fn actions_are_found_by_character_even_if_the_character_needs_shift() {
    assert_eq!(table::find(Key::Char('o'), CTRL), Some(Action::Open));
    assert_eq!(table::find(Key::Char('o'), Modifiers::NONE), Some(Action::SetOut));
    assert_eq!(table::find(Key::Char('?'), Modifiers::SHIFT), Some(Action::Shortcuts));
    assert_eq!(table::find(Key::Char('+'), CTRL.plus(Modifiers::SHIFT)), Some(Action::LargerScale));
    assert_eq!(table::find(Key::Char('z'), CTRL.plus(Modifiers::SHIFT)), Some(Action::Redo));
    assert_eq!(table::find(Key::Char('z'), CTRL.plus(Modifiers::ALT)), None);
    assert_eq!(table::find(Key::Digit(1), Modifiers::NONE), Some(Action::ShadeLit));
    assert_eq!(table::find(Key::Numpad(1), Modifiers::NONE), Some(Action::LookFront));
}

#[test]
fn performing_any_action_on_any_model_does_not_panic() {
    for model in [walker(), Model::default()] {
        let mut window = Window::new(model);
        for entry in TABLE {
            window.perform(entry.action);
            entry.action.disabled_reason(&window.context());
            entry.action.is_on(&window.context());
        }
    }
}

#[test]
fn digits_are_bound_by_their_position_on_the_keyboard() {
    let chars = TABLE.iter().flat_map(|entry| entry.keys).filter_map(|binding| match binding.key {
        Key::Char(char) => Some(char),
        _ => None,
    });
    assert_eq!(chars.filter(char::is_ascii_digit).collect::<String>(), "");
    assert_eq!(table::find(Key::Digit(8), Modifiers::NONE), Some(Action::Weights));
}

#[test]
fn a_text_field_passes_ctrl_shortcuts_and_function_keys_to_the_actions() {
    let mut window = window();
    window.get_by_label("Search nodes").focus();
    window.run();
    assert_eq!(route(&window), Route::Text);
    let (none, ctrl) = (Modifiers::NONE, Modifiers::COMMAND);
    let typed = [(Key::Char('k'), none), (Key::Space, none), (Key::Digit(1), none), (Key::Left, ctrl), (Key::Escape, none)];
    assert!(typed.into_iter().chain("acvxyz".chars().map(|char| (Key::Char(char), ctrl))).all(|(key, held)| keys::is_for_text(key, held)));
    let asked = [(Key::Char('k'), CTRL), (Key::Char('s'), ctrl), (Key::F(1), none), (Key::Digit(0), ctrl)];
    assert!(!asked.into_iter().any(|(key, held)| keys::is_for_text(key, held)));
}

fn route(window: &Ui) -> Route {
    keys::route(&window.ctx, &window.state().state.window)
}

/// Returns the route while a list has the keyboard focus.
fn route_with_list(window: &mut Ui) -> Route {
    window.state_mut().state.window.list_focused = true;
    let route = route(window);
    window.state_mut().state.window.list_focused = false;
    route
}

#[test]
fn keys_go_to_the_frontmost_panel_first() {
    let mut window = window();
    assert_eq!(route(&window), Route::Table);
    assert_eq!(route_with_list(&mut window), Route::List);
    click(&mut window, "File");
    assert_eq!(route(&window), Route::Front);
    window.key_press(EguiKey::Escape);
    window.run();
    assert_eq!(route_with_list(&mut window), Route::List);
    window.state_mut().state.window.dialog = Some(Dialog::About);
    window.run();
    assert_eq!(route_with_list(&mut window), Route::Front);
}

#[test]
fn undo_and_redo_pass_the_open_binding_report() {
    let mut window = window();
    let passes = |window: &Ui, action| keys::passes_dialog(action, &window.ctx, &window.state().state.window);
    assert!(!passes(&window, Action::Undo));
    window.state_mut().state.window.dialog = Some(Dialog::Settings);
    assert!(!passes(&window, Action::Undo));
    window.state_mut().state.window.dialog = Some(Dialog::Binding(0));
    assert!(passes(&window, Action::Undo) && passes(&window, Action::Redo) && !passes(&window, Action::PlayPause));
}

#[test]
fn keys_act_again_in_the_frame_that_closes_a_dialog() {
    for dialog in [Dialog::Shortcuts, Dialog::Settings, Dialog::CommandPalette] {
        let mut window = window();
        window.state_mut().state.window.dialog = Some(dialog.clone());
        window.run();
        assert_eq!(route(&window), Route::Front, "{dialog:?}");
        window.key_press(EguiKey::Escape);
        window.step();
        assert_eq!(route(&window), Route::Table, "{dialog:?}");
    }
}

#[test]
fn ctrl_q_quits_while_a_dialog_or_a_menu_is_in_front() {
    for dialog in [Dialog::Settings, Dialog::CommandPalette, Dialog::Shortcuts, Dialog::About] {
        let mut window = window();
        window.state_mut().state.window.dialog = Some(dialog.clone());
        window.run();
        assert_eq!(route(&window), Route::Front);
        window.key_press(EguiKey::Q);
        window.run();
        assert!(!window.state().requests.contains(&Request::Quit), "{dialog:?}");
        window.key_press_modifiers(CTRL, EguiKey::Q);
        window.run();
        assert!(window.state().requests.contains(&Request::Quit), "{dialog:?}");
    }
    let mut window = window();
    click(&mut window, "File");
    window.key_press_modifiers(CTRL, EguiKey::Q);
    window.run();
    assert_eq!(window.state().requests, [Request::Quit]);
    // The key is the one of the table.
    assert_eq!(table::find(Key::Char('q'), Modifiers::COMMAND), Some(Action::Quit));
}

#[test]
fn l_plays_forward_then_faster_and_j_reverses() {
    let mut window = Window::new(walker());
    let mut speeds = Vec::new();
    for action in
        [Action::PlayForward, Action::PlayForward, Action::PlayForward, Action::PlayForward, Action::PlayBackward, Action::PlayBackward]
    {
        window.perform(action);
        assert!(window.transport.is_playing());
        speeds.push(window.view.speed);
    }
    assert_eq!(speeds, [1.0, 2.0, 4.0, 4.0, -1.0, -2.0]);
    window.perform(Action::Pause);
    assert!(!window.transport.is_playing());
}

#[test]
fn the_speed_changes_by_tenths_without_stopping_at_zero_and_stays_within_the_limits() {
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
fn a_range_without_length_is_refused_and_the_range_stays() {
    let mut window = Window::new(walker());
    for (time, action, message) in [
        (f64::from(82.0f32 / 24.0), Action::SetIn, "The in point must be before the end of the animation"),
        (0.0, Action::SetOut, "The out point must be after the start of the animation"),
    ] {
        window.view.range = Some([0.5, 1.0]);
        window.transport.head.time = time;
        window.perform(action);
        assert_eq!(window.view.range, Some([0.5, 1.0]), "{action:?}");
        assert_eq!(window.requests.last(), Some(&Request::ShowMessage(message.into())));
    }
}

#[test]
fn next_and_previous_key_use_the_keys_of_the_selection() {
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
fn one_can_step_through_a_playlist_that_plays_backward() {
    let mut model = walker();
    model.animations.push(model.animations[0].clone());
    let mut window = Window::new(model);
    (window.view.playlist, window.view.animation, window.view.speed) = (vec![0, 1, 2], Some(2), -1.0);
    window.transport.head.playing = true;
    let mut shown = Vec::new();
    for action in [Action::PreviousAnimation, Action::PreviousAnimation, Action::NextAnimation] {
        window.perform(action);
        playlist::advance(&mut window.transport, &window.document.model, &mut window.view, 0.25);
        shown.push(window.view.animation);
    }
    assert_eq!(shown, [Some(1), Some(0), Some(1)]);
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
    window.perform(Action::CloseOrDeselect);
    assert!(window.view.selection.is_empty());
}

#[test]
fn esc_cancels_an_export_before_it_deselects() {
    let mut window = Window::new(walker());
    window.view.selection = vec![1];
    window.state.status.exporting = Some(Exporting { name: "walk.gif".into(), part: "frame", done: 3, parts: 28, is_new: false });
    window.perform(Action::CloseOrDeselect);
    assert_eq!((&window.requests[..], &window.view.selection[..]), (&[Request::CancelExport][..], &[1][..]));
}

#[test]
fn switch_actions_change_all_selected_nodes_that_have_the_switch() {
    let mut window = Window::new(walker());
    window.view.selection = vec![2, 5];
    window.perform(Action::SubtreeDrawn);
    let on = |window: &Window, node, column| joint_switches::switch(&window.view.switches, node, column).on;
    assert_eq!([1, 2, 3, 5].map(|node| on(&window, node, Column::Drawn)), [true, false, false, true]);
    // The hips are the skin's topmost joint, so no joint above could take over their vertices.
    window.view.selection = vec![1, 2];
    window.perform(Action::Influence);
    assert_eq!([1, 2].map(|node| on(&window, node, Column::Influence)), [true, false]);
    window.perform(Action::ClearDrawn);
    assert!([1, 2, 3].into_iter().all(|node| on(&window, node, Column::Drawn)));
    window.perform(Action::ResetSwitches);
    assert!(window.view.switches.is_empty());
}

#[test]
fn joints_and_other_nodes_are_hidden_shown_and_soloed_together() {
    let mut window = Window::new(walker());
    let switch = |window: &Window, node, column| joint_switches::switch(&window.view.switches, node, column);
    // The spine is a joint, the body is not. The body is already hidden.
    window.view.selection = vec![5];
    window.perform(Action::Geometry);
    window.view.selection = vec![2, 5];
    let on = |window: &Window| [switch(window, 2, Column::Geometry).on, switch(window, 5, Column::Visible).on];
    assert_eq!(on(&window), [true, false]);
    window.perform(Action::Geometry);
    assert_eq!(on(&window), [false, false]);
    window.perform(Action::Geometry);
    assert_eq!(on(&window), [true, true]);
    window.view.selection = vec![5];
    window.perform(Action::Solo);
    window.view.selection = vec![2, 5];
    let solo = |window: &Window| [switch(window, 2, Column::Drawn).solo, switch(window, 5, Column::Visible).solo];
    for both in [true, false] {
        window.perform(Action::Solo);
        assert_eq!(solo(&window), [both; 2]);
    }
}

#[test]
fn copied_values_describe_the_current_pose() {
    let mut window = Window::new(walker());
    window.transport.head.time = 0.5;
    window.view.selection = vec![1];
    window.perform(Action::CopyValues);
    let Some(Request::CopyText(text)) = window.requests.pop() else { panic!("nothing copied") };
    assert!(text.starts_with("Hips (node 1)\n"), "{text}");
    assert!(text.contains(&format!("translation {} 1 0", 0.5f32.sin())), "{text}");
}

//! Tests the list of animations.

use egui::accesskit::{Role, Toggled};
use egui::{Event, Key, Modifiers};
use egui_kittest::kittest::{NodeT, Queryable};
use sinew::ui::actions::Action;

use crate::common::ui_harness::walker;
use crate::gestures::{CTRL, Ui, click, open};

#[test]
fn choosing_an_animation_plays_it_from_its_beginning() {
    let mut ui = open(walker());
    ui.state_mut().transport.head.time = 1.5;
    click(&mut ui, "Wave");
    assert_eq!((ui.state().view.animation, ui.state().transport.time(), ui.state().transport.is_playing()), (Some(1), 0.0, true));
    assert!(ui.state().state.window.list_focused);
    ui.key_press(Key::ArrowUp);
    ui.run();
    assert_eq!(ui.state().view.animation, Some(0));
    ui.key_press(Key::ArrowUp);
    ui.run();
    assert_eq!(ui.state().view.animation, None, "above the first stands the rest pose");
    click(&mut ui, "Walk");
    click(&mut ui, "No animation");
    assert_eq!(ui.state().view.animation, None);
}

#[test]
fn left_and_right_step_through_time_only_if_the_picture_can_move() {
    let mut ui = open(walker());
    for (row, time) in [("Bind pose", 0.5), ("No animation", 0.5), ("Walk", 0.5 + 3.0 / 24.0)] {
        click_row(&mut ui, row, Modifiers::NONE);
        ui.state_mut().transport.pause();
        (ui.state_mut().transport.head.time, ui.state_mut().transport.clock) = (0.5, 0.5);
        // In one slow frame, each key counts.
        let press = |key| Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers: Modifiers::NONE };
        ui.input_mut().events.extend([Key::ArrowRight, Key::ArrowRight, Key::ArrowLeft, Key::ArrowRight, Key::ArrowRight].map(press));
        ui.run();
        let transport = &ui.state().transport;
        assert!((transport.time() - time).abs() < 1e-6 && (transport.clock - time).abs() < 1e-6, "{row}: {transport:?}");
    }
}

#[test]
fn many_animations_can_be_searched_and_unnamed_ones_have_a_number() {
    let mut model = walker();
    let walk = model.animations[0].clone();
    model.animations = (0..40).map(|i| sinew::model::animation::Animation { name: Some(format!("take {i}")), ..walk.clone() }).collect();
    model.animations[37].name = None;
    let mut ui = open(model);
    assert!(ui.query_by_label("take 39").is_none(), "out of sight");
    ui.get_by_role_and_label(Role::TextInput, "Search animations").focus();
    ui.run();
    ui.get_by_role_and_label(Role::TextInput, "Search animations").type_text("37");
    ui.run();
    ui.get_by_label("1 of 40");
    click(&mut ui, "animation 37");
    assert_eq!(ui.state().view.animation, Some(37));
    assert!(ui.query_by_label("No animation").is_none());
}

#[test]
fn enter_in_the_search_field_plays_the_first_animation_found() {
    let mut model = walker();
    let walk = model.animations[0].clone();
    model.animations = (0..40).map(|i| sinew::model::animation::Animation { name: Some(format!("take {i}")), ..walk.clone() }).collect();
    let mut ui = open(model);
    // Spaces around the text do not count.
    for (text, chosen) in [(" 3", Some(3)), ("9", Some(39)), (" ", Some(39)), ("x", Some(39))] {
        ui.get_by_role_and_label(Role::TextInput, "Search animations").focus();
        ui.run();
        ui.get_by_role_and_label(Role::TextInput, "Search animations").type_text(text);
        ui.run();
        ui.key_press(Key::Enter);
        ui.run();
        assert_eq!(ui.state().view.animation, chosen, "after {text}");
    }
    ui.get_by_label("No results");
}

#[test]
fn an_animation_that_a_search_found_is_in_sight_after_the_search() {
    let mut model = walker();
    let walk = model.animations[0].clone();
    model.animations = (0..40).map(|i| sinew::model::animation::Animation { name: Some(format!("take {i}")), ..walk.clone() }).collect();
    let mut ui = open(model);
    ui.get_by_role_and_label(Role::TextInput, "Search animations").focus();
    ui.run();
    ui.get_by_role_and_label(Role::TextInput, "Search animations").type_text("take 30");
    ui.run();
    ui.key_press(Key::Enter);
    ui.run();
    assert_eq!(ui.state().view.animation, Some(30));
    ui.state_mut().perform(Action::CloseOrDeselect);
    ui.run();
    assert!(ui.query_by_role_and_label(Role::ListBoxOption, "take 30").is_some());
    assert!(ui.query_by_role_and_label(Role::ListBoxOption, "take 0").is_none(), "the top has scrolled away");
}

/// Builds the walker with four named animations.
fn four() -> sinew::model::Model {
    let mut model = walker();
    let walk = model.animations[0].clone();
    let named = |name: &str| sinew::model::animation::Animation { name: Some(name.into()), ..walk.clone() };
    model.animations = ["Walk", "Wave", "Run", "Idle"].map(named).to_vec();
    model
}

fn click_row(ui: &mut Ui, name: &str, modifiers: Modifiers) {
    ui.get_by_role_and_label(Role::ListBoxOption, name).click_modifiers(modifiers);
    ui.run();
}

#[test]
fn the_button_that_clears_the_playlist_keeps_off_the_button_that_collapses_a_narrow_panel() {
    let mut ui = open(four());
    ui.state_mut().state.preferences.left_width = 220.0;
    ui.state_mut().view.playlist = vec![0, 1, 2, 3];
    ui.run();
    let collapse = ui.get_by_label(&format!("Collapse: {}", Action::LeftPanel.label())).rect();
    let clear = ui.get_by_label("Clear playlist").rect();
    assert!(clear.right() <= collapse.left(), "{clear} {collapse}");
}

#[test]
fn ctrl_and_shift_build_a_playlist_and_a_plain_click_ends_it() {
    let mut ui = open(four());
    let playlist = |ui: &Ui| ui.state().view.playlist.clone();
    click_row(&mut ui, "Idle", CTRL);
    assert_eq!(playlist(&ui), [0, 3], "with the one that was chosen");
    assert!(ui.query_by_label("Playlist (2)").is_some());
    for (name, toggled) in [("Walk", Toggled::True), ("Wave", Toggled::False), ("Idle", Toggled::True)] {
        let row = ui.get_by_role_and_label(Role::ListBoxOption, name);
        assert_eq!(row.accesskit_node().toggled(), Some(toggled), "{name}");
    }
    click_row(&mut ui, "Walk", CTRL);
    assert!(playlist(&ui).is_empty(), "one alone is no playlist");
    click_row(&mut ui, "Run", Modifiers::SHIFT);
    assert_eq!(playlist(&ui), [0, 1, 2]);
    assert_eq!(ui.state().view.animation, Some(0), "it goes on with the one that plays");
    ui.state_mut().perform(Action::PreviousAnimation);
    assert_eq!((ui.state().view.animation, playlist(&ui).len()), (Some(2), 3), "steps stay within the playlist");
    ui.run();
    click_row(&mut ui, "Wave", Modifiers::NONE);
    assert!(playlist(&ui).is_empty());
    assert_eq!(ui.state().view.animation, Some(1));
}

#[test]
fn from_the_rest_pose_shift_extends_to_the_animations() {
    // The model has a skin, so the bind pose is listed above the rest pose.
    let mut ui = open(four());
    click_row(&mut ui, "Bind pose", Modifiers::NONE);
    click_row(&mut ui, "No animation", Modifiers::NONE);
    ui.key_press_modifiers(Modifiers::SHIFT, Key::ArrowDown);
    ui.run();
    assert_eq!(ui.state().view.animation, Some(0));
    click_row(&mut ui, "No animation", Modifiers::NONE);
    click_row(&mut ui, "Wave", Modifiers::SHIFT);
    assert_eq!(ui.state().view.playlist, [0, 1]);
}

#[test]
fn a_playlist_made_in_the_bind_pose_plays() {
    for (row, modifiers, animation, playlist) in [
        ("Wave", CTRL, Some(1), vec![]),
        ("Run", Modifiers::SHIFT, Some(0), vec![0, 1, 2]),
        ("Walk", Modifiers::SHIFT, Some(0), vec![]),
        ("Wave", Modifiers::NONE, Some(1), vec![]),
    ] {
        let mut ui = open(four());
        click_row(&mut ui, "Bind pose", Modifiers::NONE);
        click_row(&mut ui, row, modifiers);
        let view = &ui.state().view;
        assert_eq!((view.bind_pose, view.animation, view.playlist.clone()), (false, animation, playlist), "{row}");
    }
    // A playlist that exists already gets the animation.
    let mut ui = open(four());
    ui.state_mut().view.playlist = vec![0, 1];
    ui.run();
    click_row(&mut ui, "Bind pose", Modifiers::NONE);
    click_row(&mut ui, "Run", CTRL);
    assert_eq!((ui.state().view.bind_pose, ui.state().view.playlist.clone()), (false, vec![0, 1, 2]));
}

#[test]
fn playlists_are_made_by_key_by_menu_and_of_all_animations() {
    let mut ui = open(four());
    click_row(&mut ui, "Wave", Modifiers::NONE);
    ui.key_press_modifiers(Modifiers::SHIFT, Key::ArrowDown);
    ui.run();
    ui.key_press_modifiers(Modifiers::SHIFT, Key::ArrowUp);
    ui.run();
    assert_eq!(ui.state().view.playlist, [0, 1, 2]);
    click(&mut ui, "Clear playlist");
    assert!(ui.state().view.playlist.is_empty());
    ui.get_by_role_and_label(Role::ListBoxOption, "Idle").click_secondary();
    ui.run();
    click(&mut ui, "Add to playlist");
    assert_eq!(ui.state().view.playlist, [1, 3]);
    click(&mut ui, "Clear playlist");
    ui.state_mut().perform(Action::PlayAllInSequence);
    assert_eq!(ui.state().view.playlist, [0, 1, 2, 3]);
    ui.state_mut().perform(Action::PlayAllInSequence);
    assert!(ui.state().view.playlist.is_empty());
}

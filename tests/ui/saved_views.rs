//! Tests focal lengths, camera bookmarks and view presets in menus and dialogs.

use egui::accesskit::Role;
use egui::{Event, Key, Modifiers};
use egui_kittest::kittest::Queryable;

use sinew::camera::Orbit;
use sinew::model::camera::Projection;
use sinew::session::camera::{lens, view_camera};
use sinew::session::view::display::Shading;
use sinew::session::view::undo::Undo;
use sinew::session::view::{View, ViewCamera};
use sinew::ui::actions::Action;
use sinew::ui::commands::camera::view_presets;
use sinew::ui::context::preferences::Preferences;
use sinew::ui::context::request::Request;

use crate::common::ui_harness::{Window, harness, walker};
use crate::gestures::{Ui, click, double_click, open, source};

fn orbit(ui: &Ui) -> Orbit {
    match ui.state().view.camera {
        ViewCamera::Orbit(orbit) => orbit,
        other => panic!("{other:?} is not moved by the user"),
    }
}

/// Opens the camera menu at the right of the menu bar.
fn camera_menu(ui: &mut Ui) {
    // The inspector has a box of the same name.
    ui.get_by_role_and_label(Role::Button, "Camera: Free camera").click();
    ui.run();
}

#[test]
fn the_camera_menu_sets_the_focal_length() {
    for (width, height) in [(900.0, 600.0), (1280.0, 800.0)] {
        let mut ui = harness(width, height, 1.0, Window::new(walker()));
        camera_menu(&mut ui);
        let menu = ui.get_by_role_and_label(Role::SpinButton, "Focal length").rect();
        assert!(menu.bottom() < height, "the menu fits: {menu:?}");
        click(&mut ui, "50 mm");
        assert_eq!(lens::round_focal_length(orbit(&ui).yfov), Some(50.0));
        let size = orbit(&ui).half_height();
        camera_menu(&mut ui);
        ui.get_by_role_and_label(Role::SpinButton, "Focal length").click();
        ui.run();
        ui.key_press_modifiers(Modifiers::COMMAND, Key::A);
        ui.event(Event::Text("120".into()));
        ui.key_press(Key::Enter);
        ui.run();
        assert_eq!(lens::round_focal_length(orbit(&ui).yfov), Some(120.0));
        assert!((orbit(&ui).half_height() / size - 1.0).abs() < 1e-9, "the model keeps its size");
    }
}

#[test]
fn opening_the_camera_menu_keeps_a_camera_of_the_file_beyond_the_limits_of_the_focal_length() {
    let mut model = walker();
    // The focal length is 12 mm / tan(1.25) = 3.99 mm, and the field ends at 5 mm.
    model.cameras[0].projection = Projection::Perspective { yfov: 2.5, aspect_ratio: None, znear: 0.1, zfar: None };
    let mut ui = open(model);
    ui.state_mut().view.camera = ViewCamera::File(0);
    ui.run();
    ui.get_by_role_and_label(Role::Button, "Camera: Portrait").click();
    ui.run();
    ui.get_by_role_and_label(Role::SpinButton, "Focal length");
    assert_eq!(ui.state().view.camera, ViewCamera::File(0));
}

#[test]
fn a_bookmark_is_saved_renamed_restored_and_deleted() {
    let mut ui = open(walker());
    ui.state_mut().perform(Action::LookRight);
    let saved = orbit(&ui);
    ui.state_mut().perform(Action::SaveBookmark);
    ui.state_mut().perform(Action::LookTop);
    ui.state_mut().perform(Action::EditBookmarks);
    ui.run();
    ui.get_by_role_and_label(Role::TextInput, "Name 1").focus();
    ui.run();
    ui.key_press_modifiers(Modifiers::COMMAND, Key::A);
    ui.event(Event::Text("Left \u{202E}\nside".into()));
    ui.run();
    click(&mut ui, "Close");
    let undo = Undo::new(&ui.state().view);
    camera_menu(&mut ui);
    click(&mut ui, "Bookmarks");
    click(&mut ui, "Left   side"); // a space for the direction mark, and one for the line break
    assert_eq!(orbit(&ui), saved);
    let mut settled = undo;
    settled.settle(&ui.state().view);
    assert_eq!(settled.next_undo(), None, "the camera is not undone");
    ui.state_mut().perform(Action::EditBookmarks);
    ui.run();
    click(&mut ui, "Delete Left   side");
    assert!(ui.query_by_label("No bookmarks of this file").is_some());
}

#[test]
fn bookmarks_belong_to_the_open_file_and_the_sample_model_has_none() {
    let mut ui = open(walker());
    ui.state_mut().perform(Action::SaveBookmark);
    let of = |ui: &mut Ui| sinew::ui::commands::camera::bookmarks::of_file(&ui.state_mut().context()).len();
    assert_eq!(of(&mut ui), 1);
    ui.state_mut().document.path = Some("/models/other.glb".into());
    assert_eq!(of(&mut ui), 0);
    ui.state_mut().document.path = None;
    assert!(ui.state_mut().perform_if_available(Action::SaveBookmark).is_some());
    ui.state_mut().document.path = Some("/models/walker.glb".into());
    assert_eq!(of(&mut ui), 1);
}

#[test]
fn a_preset_is_saved_and_applied_and_its_display_can_be_undone() {
    let mut ui = open(walker());
    ui.state_mut().view.display.shading = Shading::Clay;
    ui.state_mut().perform(Action::LookRight);
    let saved = orbit(&ui);
    ui.state_mut().perform(Action::SavePreset);
    ui.state_mut().view = View { animation: Some(0), ..View::default() };
    ui.run();
    let mut undo = Undo::new(&ui.state().view);
    camera_menu(&mut ui);
    click(&mut ui, "View presets");
    click(&mut ui, "Preset 1");
    assert_eq!(ui.state().view.display.shading, Shading::Clay);
    assert!((orbit(&ui).distance - saved.distance).abs() < 1e-9 && orbit(&ui).yaw == saved.yaw);
    undo.settle(&ui.state().view);
    assert_eq!(undo.undo(&mut ui.state_mut().view), Some("shading"));
    assert_eq!(ui.state().view.display.shading, Shading::Lit);
    assert_eq!(orbit(&ui).yaw, saved.yaw, "the camera stays");
    ui.state_mut().perform(Action::EditPresets);
    ui.run();
    click(&mut ui, "Delete Preset 1");
    assert!(ui.state().state.preferences.view_presets.is_empty());
}

#[test]
fn a_preset_that_is_saved_while_the_camera_follows_a_node_shows_the_same_picture() {
    let mut ui = open(walker());
    ui.state_mut().perform(Action::LookRight);
    // After a second, the hips have swayed.
    let hips = source(&ui, "Hips");
    let Window { document, view, transport, .. } = ui.state_mut();
    transport.seek(&document.model, view, 1.0);
    view.follow = Some(hips);
    ui.run();
    let camera = |ui: &Ui| view_camera::camera(ui.state().subject(), &ui.state().posed, 1.0).view_from_world;
    let before = camera(&ui);
    ui.state_mut().perform(Action::SavePreset);
    view_presets::apply(&mut ui.state_mut().context(), 0);
    ui.run();
    assert_eq!(ui.state().view.follow, None);
    assert!(camera(&ui).abs_diff_eq(before, 1e-9), "{before} became {}", camera(&ui));
}

#[test]
fn broken_entries_of_the_settings_leave_the_others_intact() {
    let text = r#"{"scale": 1.5, "view_presets": [7, {"name": "kept"}, {"display": 3}], "bookmarks": [null, "x"]}"#;
    let preferences: Preferences = serde_json::from_str(text).expect("readable settings");
    assert_eq!((preferences.scale, preferences.view_presets.len()), (1.5, 1));
    let text = r#"{"scale": 1.5, "view_presets": {"a": 1}, "bookmarks": 12}"#;
    let preferences: Preferences = serde_json::from_str(text).expect("readable settings");
    assert_eq!((preferences.scale, preferences.view_presets.len()), (1.5, 0));
}

#[test]
fn saving_a_camera_or_a_view_says_where_it_is_found() {
    let mut ui = open(walker());
    ui.state_mut().perform(Action::SaveBookmark);
    ui.state_mut().perform(Action::SaveBookmark);
    ui.state_mut().perform(Action::SavePreset);
    let messages = [
        "Saved Bookmark 1 of walker.glb. It is in View > Camera > Bookmarks",
        "Saved Bookmark 2 of walker.glb. It is in View > Camera > Bookmarks",
        "Saved Preset 1 for all files. It is in View > Camera > View presets",
    ];
    assert_eq!(ui.state().requests, messages.map(|message| Request::ShowMessage(message.into())));
    // The menus that the messages name.
    for (list, name) in [("Bookmarks", "Bookmark 2"), ("View presets", "Preset 1")] {
        click(&mut ui, "View");
        // The inspector has a row of the same name.
        ui.get_by_role_and_label(Role::MenuItem, "Camera").click();
        ui.run();
        click(&mut ui, list);
        assert!(ui.query_by_label(name).is_some(), "{name}");
        ui.key_press(Key::Escape);
        ui.run();
    }
}

/// Opens the dialog with four bookmarks.
fn with_bookmarks() -> Ui {
    let mut ui = open(walker());
    for _ in 0..4 {
        ui.state_mut().perform(Action::SaveBookmark);
    }
    ui.state_mut().perform(Action::EditBookmarks);
    ui.run();
    ui
}

/// Returns the numbers of the bookmarks that are left.
fn bookmarks_left(ui: &Ui) -> Vec<usize> {
    (1..=4).filter(|number| ui.query_by_label(&format!("Delete Bookmark {number}")).is_some()).collect()
}

#[test]
fn a_double_click_deletes_one_bookmark() {
    let mut ui = with_bookmarks();
    let at = ui.get_by_label("Delete Bookmark 2").rect().center();
    double_click(&mut ui, at);
    assert_eq!(bookmarks_left(&ui), [1, 3, 4]);
}

#[test]
fn a_held_key_deletes_one_bookmark() {
    let mut ui = with_bookmarks();
    ui.get_by_label("Delete Bookmark 1").focus();
    ui.run();
    let press = Event::Key { key: Key::Enter, physical_key: None, pressed: true, repeat: false, modifiers: Modifiers::NONE };
    // egui marks each press without a release before it as a repetition.
    for _ in 0..3 {
        ui.event(press.clone());
        ui.step();
    }
    assert_eq!(bookmarks_left(&ui), [2, 3, 4]);
}

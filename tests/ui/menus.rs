//! Tests menus, panels and the status bar.

use egui::accesskit::Role;
use egui::{Key as EguiKey, PointerButton, Rect, pos2, vec2};
use egui_kittest::kittest::{By, NodeT, Queryable};
use sinew::model::animation::Animation;
use sinew::session::view::ViewCamera;
use sinew::session::view::display::{JointNames, Shading};
use sinew::ui::actions::Action;
use sinew::ui::context::app_status::{Exporting, Loading};
use sinew::ui::context::request::Request;
use sinew::ui::style::theme::DARK;

use crate::common::ui_harness::{Window, harness, walker};
use crate::gestures::{Ui, click, drag, window, without_inspector};

#[test]
fn menus_open_and_their_rows_perform_actions() {
    let mut window = without_inspector();
    assert!(window.query_by_label("Full screen").is_none());
    click(&mut window, "View");
    click(&mut window, "Joints");
    click(&mut window, "Joint names");
    click(&mut window, "All");
    assert_eq!(window.state().view.display.names, JointNames::All);
    click(&mut window, "File");
    click(&mut window, "Open...");
    assert_eq!(window.state().requests, [Request::OpenDialog]);
}

#[test]
fn menus_stay_within_a_small_window() {
    for name in ["File", "Edit", "View", "Animation", "Help"] {
        let mut window = without_inspector();
        click(&mut window, name);
        let rows = window.query_all(By::new().predicate(|node| matches!(node.role(), Role::MenuItem | Role::MenuItemCheckBox)));
        let rows: Vec<_> = rows.map(|row| row.rect()).collect();
        assert!(rows.len() > 2);
        // The rows are below the menu bar, so that another menu can be opened.
        assert!(rows.iter().all(|row| row.top() >= 28.0 && row.bottom() <= 600.0), "{name}: {rows:?}");
    }
}

#[test]
fn the_edit_menu_stands_between_file_and_view_and_names_what_undo_reverts() {
    let mut window = without_inspector();
    let left = |window: &Ui, name: &str| window.get_by_role_and_label(Role::Button, name).rect().left();
    let lefts = ["File", "Edit", "View", "Animation", "Help"].map(|name| left(&window, name));
    assert!(lefts.is_sorted(), "{lefts:?}");
    let state = window.state_mut();
    state.view.selection = vec![1];
    state.undo.settle(&state.view);
    click(&mut window, "Edit");
    let label = |row: &egui_kittest::Node<'_>| row.accesskit_node().label().unwrap_or_default();
    let rows: Vec<_> = window.query_all_by_role(Role::MenuItem).map(|row| label(&row)).collect();
    assert_eq!(rows, ["Undo: selection", "Redo", "Select all", "Select none", "Search nodes", "Copy transforms or keys"]);
    click(&mut window, "Undo: selection");
    assert_eq!(window.state().requests, [Request::ShowMessage("Undo: selection".into())]);
    assert!(window.state().view.selection.is_empty());
    click(&mut window, "Edit");
    click(&mut window, "Redo: selection");
    assert_eq!(window.state().view.selection, [1]);
    click(&mut window, "Edit");
    click(&mut window, "Select none");
    assert!(window.state().view.selection.is_empty());
    click(&mut window, "View");
    assert!(window.query_by_label("Undo: selection").is_none(), "undo is not in the View menu");
}

#[test]
fn a_submenu_chooses_an_animation() {
    let mut window = window();
    click(&mut window, "Animation");
    click(&mut window, "Switch animation");
    window.get_by_role_and_label(Role::MenuItemCheckBox, "Wave").click();
    window.run();
    assert_eq!(window.state().view.animation, Some(1));
}

#[test]
fn the_list_of_animations_opens_at_the_current_one() {
    let mut model = walker();
    let walk = model.animations[0].clone();
    model.animations = (0..400).map(|i| Animation { name: Some(format!("Take {i}")), ..walk.clone() }).collect();
    let mut window = harness(1280.0, 800.0, 1.0, Window::new(model));
    for current in [300, 5] {
        window.state_mut().view.animation = Some(current);
        window.run();
        click(&mut window, "Animation");
        click(&mut window, "Switch animation");
        window.run();
        let row = window.get_by_role_and_label(Role::MenuItemCheckBox, &format!("Take {current}")).rect();
        assert!(row.top() > 0.0 && row.bottom() < 700.0, "{row:?}");
        window.key_press(EguiKey::Escape);
        window.run();
        window.run();
    }
}

#[test]
fn a_lack_of_room_does_not_change_the_sizes_that_the_user_chose() {
    let mut window = window();
    let preferences = &mut window.state_mut().state.preferences;
    (preferences.left_width, preferences.inspector_width, preferences.timeline_height) = (400.0, 480.0, 440.0);
    window.set_size([1280.0, 800.0].into());
    window.run();
    let sizes = |window: &Ui| {
        let preferences = &window.state().state.preferences;
        [preferences.left_width, preferences.inspector_width, preferences.timeline_height]
    };
    let wide = window.state().areas;
    window.state_mut().state.window.inspector_when_narrow = true;
    for size in [[900.0, 800.0], [1280.0, 710.0], [1280.0, 500.0]] {
        window.set_size(size.into());
        window.run();
        assert_ne!(window.state().areas, wide, "{size:?}");
        assert_eq!(sizes(&window), [400.0, 480.0, 440.0], "{size:?}");
    }
    window.set_size([1280.0, 800.0].into());
    window.run();
    assert_eq!(window.state().areas, wide);
    // Lanes need more room than a low timeline has.
    window.state_mut().state.preferences.timeline_height = 160.0;
    window.run();
    let without = window.state().areas;
    let display = &mut window.state_mut().view.display;
    (display.speed_graph, display.contacts) = (true, true);
    window.run();
    assert_ne!(window.state().areas, without);
    let display = &mut window.state_mut().view.display;
    (display.speed_graph, display.contacts) = (false, false);
    window.run();
    assert_eq!((sizes(&window)[2], window.state().areas), (160.0, without));
}

#[test]
fn dividers_are_dragged_and_moved_with_the_arrow_keys() {
    let mut window = window();
    let before = window.state().areas.expect("areas").viewport;
    let edge = pos2(before.left(), before.center().y);
    drag(&mut window, PointerButton::Primary, &[edge, edge + vec2(20.0, 0.0), edge + vec2(60.0, 0.0)]);
    assert_eq!(window.state().state.preferences.left_width, 360.0);
    let values = |window: &Ui| {
        let preferences = &window.state().state.preferences;
        [preferences.left_width, preferences.inspector_width, preferences.timeline_height, preferences.names_width]
    };
    // Each divider is a tab stop. The key that moves it enlarges its panel.
    let keys = [EguiKey::ArrowRight, EguiKey::ArrowLeft, EguiKey::ArrowUp, EguiKey::ArrowRight];
    for (panel, key) in keys.into_iter().enumerate() {
        let before = values(&window);
        let viewport = window.state().areas.expect("areas").viewport;
        let edge = match panel {
            0 => viewport.left(),
            1 => viewport.right(),
            2 => viewport.bottom(),
            _ => viewport.left() + before[3],
        };
        let is_near = |rect: Rect| (if panel == 2 { rect.center().y } else { rect.center().x } - edge).abs() < 4.0;
        {
            let mut dividers = window.query_all(By::new().predicate(|node| node.role() == Role::Splitter));
            dividers.rfind(|divider| is_near(divider.rect())).expect("a divider").focus();
        }
        window.run();
        assert!(window.state().state.window.list_focused, "arrow keys belong to divider {panel}");
        window.key_press(key);
        window.run();
        let mut expected = before;
        expected[panel] += 8.0;
        assert_eq!(values(&window), expected, "divider {panel}");
    }
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
fn panels_collapse_to_rails_and_expand_again() {
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
fn a_click_on_the_count_of_findings_opens_the_inspector() {
    let mut window = without_inspector();
    click(&mut window, "2 findings");
    assert!(window.state().state.inspector_shown());
}

#[test]
fn the_stage_of_loading_is_shown_and_loading_can_be_canceled() {
    let mut window = window();
    window.state_mut().state.status.loading =
        Some(Loading { name: "fox.glb".into(), stage: "Decoding geometry".into(), fraction: Some(0.5) });
    window.run();
    assert!(window.query_by_label("fox.glb: Decoding geometry").is_some());
    click(&mut window, "Cancel");
    assert_eq!(window.state().requests, [Request::CancelLoading]);
}

#[test]
fn the_scale_actions_change_the_scale() {
    let mut window = window();
    window.state_mut().perform(Action::LargerScale);
    window.run();
    assert!((window.ctx.zoom_factor() - 1.1).abs() < 1e-6);
    window.state_mut().perform(Action::NormalScale);
    window.run();
    assert_eq!(window.ctx.zoom_factor(), 1.0);
}

#[test]
fn the_progress_of_an_export_is_a_line_under_the_menu() {
    let mut window = window();
    let line = |window: &Ui| {
        let accent = |shape: &egui::epaint::ClippedShape| match &shape.shape {
            egui::Shape::Rect(rect) if rect.fill == DARK.accent && rect.rect.height() == 2.0 => Some(rect.rect),
            _ => None,
        };
        window.output().shapes.iter().find_map(accent)
    };
    assert_eq!(line(&window), None);
    window.state_mut().state.status.exporting =
        Some(Exporting { name: "walk.gif".into(), part: "frame", done: 20, parts: 80, is_new: false });
    window.run();
    let done = line(&window).expect("a line");
    // The harness keeps a margin of 8 points at each side.
    assert!((done.width() - (1280.0 - 16.0) / 4.0).abs() < 1.0, "a quarter of the window: {done:?}");
    window.get_by_label("walk.gif: frame 20 of 80");
    click(&mut window, "Cancel");
    assert_eq!(window.state().requests, [Request::CancelExport]);
}

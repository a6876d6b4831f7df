//! Tests the node tree: selecting, expanding, searching, keyboard.

use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, PointerButton, vec2};
use egui_kittest::kittest::{NodeT, Queryable};

use sinew::model::Model;
use sinew::session::document::Document;
use sinew::session::pose::solve::Posed;
use sinew::session::view::joint_switches::Column;
use sinew::ui::actions::Action;
use sinew::ui::actions::keys::{self, Route};
use sinew::ui::context::request::Request;
use sinew::ui::widgets::node_menu;

use crate::common::gltf_builder::{motion_only, triangle};
use crate::common::hand_made;
use crate::common::ui_harness::Window;
use crate::gestures::{
    CTRL, Ui, click, click_row, click_with, double_click, move_to, open, press, rig, row_shown, selected, source, switch,
};

#[test]
fn counts_of_nodes_have_grouped_digits_and_a_search_shows_how_many_it_finds() {
    let nodes: Vec<_> = (0..1200).map(|i| (format!("node {i:04}"), None)).collect();
    let mut ui = open(hand_made::tree(&nodes));
    ui.get_by_label("1,200");
    ui.state_mut().perform(Action::SelectAll);
    ui.run();
    ui.get_by_label("1,200 nodes selected, showing the last");
    ui.get_by_role_and_label(Role::TextInput, "Search nodes").focus();
    ui.run();
    ui.get_by_role_and_label(Role::TextInput, "Search nodes").type_text("119");
    ui.run();
    // The nodes 119, 1119 and 1190 to 1199.
    ui.get_by_label("12 of 1,200");
}

#[test]
fn only_columns_that_a_file_needs_are_shown() {
    let heads = |ui: &Ui| {
        let columns = [Action::Drawn, Action::Animated, Action::Influence, Action::Geometry];
        let head = |column: &Action| ui.query_by_role_and_label(Role::Label, column.label()).map(|head| head.rect().right());
        columns.iter().filter_map(head).collect::<Vec<_>>()
    };
    let all = heads(&open(rig()));
    assert_eq!(all.len(), 4);
    let still = heads(&open(triangle().model()));
    assert_eq!(still, all[3..], "without animations and skins, the eyes stand at the edge");
    let skeleton = heads(&open(motion_only().model()));
    assert_eq!(skeleton, all[2..], "without skins, the joints have two switches");
}

#[test]
fn clicks_select_toggle_and_extend_ranges() {
    let mut ui = open(rig());
    click_row(&mut ui, "LeftLeg", Modifiers::NONE);
    assert_eq!(selected(&ui), ["LeftLeg"]);
    click_row(&mut ui, "RightFoot", Modifiers::SHIFT);
    assert_eq!(selected(&ui), ["LeftLeg", "LeftFoot", "RightLeg", "RightFoot"]);
    // The range goes upwards from the same start. The clicked node becomes the active one.
    click_row(&mut ui, "Hips", Modifiers::SHIFT);
    assert_eq!(selected(&ui), ["LeftLeg", "Hips"]);
    click_row(&mut ui, "Prop", CTRL);
    assert_eq!(selected(&ui), ["LeftLeg", "Hips", "Prop"]);
    click_row(&mut ui, "LeftLeg", CTRL);
    assert_eq!(selected(&ui), ["Hips", "Prop"]);
}

#[test]
fn a_double_click_fits_the_camera_to_the_node() {
    let mut ui = open(rig());
    let at = ui.get_by_label("LeftFoot").rect().center();
    double_click(&mut ui, at);
    let foot = source(&ui, "LeftFoot");
    assert_eq!(ui.state().requests, [Request::Fit { nodes: vec![foot] }]);
}

#[test]
fn a_collapsed_node_hides_its_descendants() {
    let mut ui = open(rig());
    click(&mut ui, "Collapse LeftLeg");
    assert!(ui.query_by_label("LeftFoot").is_none());
    ui.get_by_label("RightFoot");
    click(&mut ui, "Expand LeftLeg");
    ui.get_by_label("LeftFoot");
}

#[test]
fn a_search_shows_matching_nodes_and_their_ancestors() {
    let mut ui = open(rig());
    ui.state_mut().perform(Action::Search);
    ui.run();
    assert!(ui.get_by_role_and_label(Role::TextInput, "Search nodes").is_focused(), "Ctrl+F goes to the field");
    ui.key_press(Key::Enter);
    ui.run();
    assert!(selected(&ui).is_empty(), "an empty text finds nothing");
    ui.state_mut().perform(Action::Search);
    ui.run();
    ui.get_by_role_and_label(Role::TextInput, "Search nodes").type_text("tfOO");
    ui.run();
    for (name, shown) in [("LeftFoot", true), ("RightFoot", true), ("Hips", true), ("LeftLeg", true), ("Prop", false)] {
        assert_eq!(row_shown(&ui, name), shown, "{name}");
    }
    ui.key_press(Key::Enter);
    ui.run();
    assert_eq!(selected(&ui), ["LeftFoot"], "Enter selects the first node that was found");
    click(&mut ui, "Clear: Search nodes");
    ui.get_by_label("Prop");
    ui.get_by_role_and_label(Role::TextInput, "Search nodes").type_text("nothing like it");
    ui.run();
    ui.get_by_label("No results");
}

#[test]
fn esc_takes_the_keyboard_focus_from_the_tree() {
    let mut ui = open(rig());
    click_row(&mut ui, "LeftLeg", Modifiers::NONE);
    let route = |ui: &Ui| keys::route(&ui.ctx, &ui.state().state.window);
    assert_eq!(route(&ui), Route::List);
    // The window does not pass Esc to egui, but performs its action.
    ui.state_mut().perform(Action::CloseOrDeselect);
    ui.run();
    assert_eq!(route(&ui), Route::Table, "the arrow keys step through frames again");
    assert!(selected(&ui).is_empty());
}

#[test]
fn arrow_keys_walk_the_tree_while_it_has_the_focus() {
    let mut ui = open(rig());
    click(&mut ui, "LeftLeg");
    assert!(ui.state().state.window.list_focused);
    let mut key = |key, modifiers, wanted: &[&str]| {
        ui.key_press_modifiers(modifiers, key);
        ui.run();
        assert_eq!(selected(&ui), wanted, "after {key:?}");
    };
    key(Key::ArrowDown, Modifiers::NONE, &["LeftFoot"]);
    key(Key::ArrowDown, Modifiers::SHIFT, &["LeftFoot", "RightLeg"]);
    key(Key::ArrowUp, Modifiers::NONE, &["LeftFoot"]);
    key(Key::ArrowLeft, Modifiers::NONE, &["LeftLeg"]);
    key(Key::ArrowLeft, Modifiers::NONE, &["LeftLeg"]);
    key(Key::ArrowDown, Modifiers::NONE, &["RightLeg"]);
    key(Key::ArrowUp, Modifiers::NONE, &["LeftLeg"]);
    key(Key::ArrowRight, Modifiers::NONE, &["LeftLeg"]);
    key(Key::ArrowRight, Modifiers::NONE, &["LeftFoot"]);
    // A click in the viewport takes the keyboard focus away.
    let at = ui.state().areas.unwrap().viewport.center() + vec2(200.0, 100.0);
    press(&mut ui, at, PointerButton::Primary, true);
    press(&mut ui, at, PointerButton::Primary, false);
    assert!(!ui.state().state.window.list_focused);
}

/// Returns whether a name is painted whole and not hidden by what is painted over it.
fn is_name_legible(ui: &Ui, name: &str) -> bool {
    let row = ui.get_by_role_and_label(Role::TreeItem, name).rect();
    let shapes: Vec<_> = ui.output().shapes.iter().collect();
    let is_name = |shape: &egui::Shape| matches!(shape, egui::Shape::Text(text) if text.galley.text() == name && row.contains_rect(text.visual_bounding_rect()));
    let Some(at) = shapes.iter().position(|clipped| is_name(&clipped.shape)) else { return false };
    let place = shapes[at].shape.visual_bounding_rect().shrink(1.0);
    let is_over_name = |shape: &egui::Shape| {
        matches!(shape, egui::Shape::Rect(_) | egui::Shape::Text(_)) && shape.visual_bounding_rect().intersects(place)
    };
    !shapes[at + 1..].iter().any(|clipped| is_over_name(&clipped.shape))
}

#[test]
fn deep_joints_keep_their_names_under_the_pointer_and_beside_changed_switches() {
    let nodes: Vec<_> = (0..20_usize).map(|i| (format!("J{i}"), i.checked_sub(1))).collect();
    let mut model = hand_made::tree(&nodes);
    hand_made::add_skin(&mut model, &(0..20).collect::<Vec<_>>());
    let mut ui = open(model);
    let point_at = |ui: &mut Ui, name: &str| {
        let at = ui.get_by_role_and_label(Role::TreeItem, name).rect().left_center() + vec2(20.0, 0.0);
        move_to(ui, at);
    };
    for name in ["J2", "J16", "J19"] {
        point_at(&mut ui, name);
        assert!(is_name_legible(&ui, name), "{name} under the pointer");
    }
    click(&mut ui, "Skin influence: J19");
    point_at(&mut ui, "J2");
    assert!(is_name_legible(&ui, "J19"), "beside a switch that is off");
}

#[test]
fn long_names_run_under_idle_switches_and_can_be_scrolled_beside_them() {
    let nodes: Vec<_> = (0..21_usize).map(|i| (format!("{i}RightHandIndex"), i.checked_sub(1))).collect();
    let mut model = hand_made::tree(&nodes);
    hand_made::add_skin(&mut model, &(0..21).collect::<Vec<_>>());
    let mut ui = open(model);
    let name = "10RightHandIndex";
    let at = ui.get_by_role_and_label(Role::TreeItem, name).rect();
    for (x, is_whole) in [(at.left() + 20.0, true), (at.right() - 20.0, false)] {
        move_to(&mut ui, egui::pos2(x, at.center().y));
        assert_eq!(is_name_legible(&ui, name), is_whole, "with the pointer at {x}");
    }
    let name = "20RightHandIndex";
    let at = ui.get_by_role_and_label(Role::TreeItem, name).rect();
    move_to(&mut ui, at.left_center() + vec2(20.0, 0.0));
    ui.event(crate::gestures::wheel(egui::MouseWheelUnit::Point, vec2(-1000.0, 0.0), Modifiers::NONE));
    ui.run_steps(30);
    assert!(is_name_legible(&ui, name), "while the pointer is over its row");
}

/// Builds 50 roots, each with a chain of 100 nodes.
fn large() -> Model {
    let mut nodes = Vec::new();
    for root in 0..50 {
        for i in 0..100 {
            nodes.push((format!("n{root}-{i}"), if i == 0 { None } else { Some(nodes.len() - 1) }));
        }
    }
    let mut model = hand_made::tree(&nodes);
    hand_made::add_skin(&mut model, &(0..5000).collect::<Vec<_>>());
    model
}

fn rows(ui: &Ui) -> usize {
    ui.query_all_by_role(Role::TreeItem).count()
}

#[test]
fn only_visible_rows_of_five_thousand_nodes_are_laid_out() {
    let mut ui = open(large());
    assert!(rows(&ui) > 10 && rows(&ui) < 40, "{} rows", rows(&ui));
    ui.state_mut().view.selection = vec![0];
    ui.run();
    // The selected node is the last one, in a chain that was collapsed.
    assert!(row_shown(&ui, "n49-99"));
    assert!(rows(&ui) < 40, "{} rows", rows(&ui));
}

#[test]
fn selecting_a_node_elsewhere_expands_and_scrolls_the_tree_to_it() {
    let mut ui = open(large());
    assert!(!row_shown(&ui, "n20-80"));
    ui.state_mut().view.selection = vec![source(&ui, "n20-80")];
    ui.run();
    assert!(row_shown(&ui, "n20-80"));
    assert!(!row_shown(&ui, "n0-0"), "the top has scrolled away");
}

#[test]
fn a_node_that_a_search_found_is_in_sight_after_the_search() {
    let mut ui = open(large());
    ui.state_mut().perform(Action::Search);
    ui.run();
    ui.get_by_role_and_label(Role::TextInput, "Search nodes").type_text("n20-80");
    ui.run();
    ui.key_press(Key::Enter);
    ui.run();
    assert_eq!(selected(&ui), ["n20-80"]);
    ui.state_mut().perform(Action::CloseOrDeselect);
    ui.run();
    assert!(row_shown(&ui, "n20-80") && row_shown(&ui, "n20-78"), "its branch is open");
    assert!(!row_shown(&ui, "n0-0"), "the top has scrolled away");
}

#[test]
fn a_search_without_a_choice_leaves_closed_branches_closed() {
    let mut ui = open(rig());
    ui.get_by_label("LeftFoot").click();
    ui.run();
    ui.get_by_label("LeftLeg").click();
    ui.run();
    ui.key_press(Key::ArrowLeft);
    ui.run();
    ui.state_mut().perform(Action::Search);
    ui.run();
    ui.get_by_role_and_label(Role::TextInput, "Search nodes").type_text("nothing of this name");
    ui.run();
    ui.key_press(Key::Escape);
    ui.run();
    assert!(row_shown(&ui, "LeftLeg") && !row_shown(&ui, "LeftFoot"));
}

#[test]
fn a_right_click_selects_and_its_menu_switches_and_copies() {
    let mut ui = open(rig());
    ui.get_by_label("LeftFoot").click_secondary();
    ui.run();
    assert_eq!(selected(&ui), ["LeftFoot"]);
    click(&mut ui, "Copy path");
    assert_eq!(ui.state().requests, [Request::CopyText("Armature/Hips/LeftLeg/LeftFoot".into())]);
    ui.get_by_label("LeftLeg").click_secondary();
    ui.run();
    click(&mut ui, "Skin influence of branch");
    assert!(!switch(&ui, "LeftLeg", Column::Influence).0 && !switch(&ui, "LeftFoot", Column::Influence).0);
}

#[test]
fn the_menu_of_a_joint_has_groups() {
    let mut ui = open(rig());
    ui.get_by_label("LeftLeg").click_secondary();
    ui.run();
    let tops = ["Visibility", "Animate", "Branch", "Animate branch", "Select", "Frame selected", "Copy path"];
    let tops = tops.map(|label| ui.query_all_by_label(label).map(|row| row.rect().top()).next_back().unwrap());
    assert!(tops.is_sorted(), "{tops:?}");
    click(&mut ui, "Select parent");
    assert_eq!(selected(&ui), ["Hips"]);
    // A leaf has no branch.
    ui.get_by_role_and_label(egui::accesskit::Role::TreeItem, "LeftFoot").click_secondary();
    ui.run();
    assert!(ui.query_by_label("Visibility").is_some() && ui.query_by_label("Branch").is_none());
}

#[test]
fn the_menu_of_a_joint_and_another_node_lists_each_switch_once() {
    let mut ui = open(rig());
    click_row(&mut ui, "LeftLeg", Modifiers::NONE);
    click_row(&mut ui, "Prop", CTRL);
    ui.get_by_role_and_label(egui::accesskit::Role::TreeItem, "LeftLeg").click_secondary();
    ui.run();
    assert_eq!(ui.query_all_by_label("Show mesh of branch").count(), 1);
}

#[test]
fn a_path_goes_from_the_root_to_the_node() {
    let model = rig();
    assert_eq!(node_menu::path(&model, sinew::model::node::NodeIndex(5)), "Armature/Hips/RightLeg/RightFoot");
}

#[test]
fn another_file_resets_the_tree_state() {
    let mut ui = open(large());
    click(&mut ui, "n0-3");
    click(&mut ui, "Skin influence: n0-4");
    let other = Window::new(rig());
    ui.state_mut().open(other.document);
    ui.state_mut().posed = other.posed;
    ui.run();
    assert_eq!(rows(&ui), 7);
    click_with(&mut ui, "Prop", Modifiers::SHIFT);
}

#[test]
fn escape_first_clears_the_search_and_then_the_selection() {
    let mut ui = open(rig());
    click(&mut ui, "LeftFoot");
    ui.state_mut().state.panels.tree.search = "left".into();
    ui.state_mut().perform(Action::CloseOrDeselect);
    ui.run();
    assert_eq!((row_shown(&ui, "Prop"), selected(&ui).len()), (true, 1));
    ui.state_mut().perform(Action::CloseOrDeselect);
    assert!(selected(&ui).is_empty());
}

#[test]
fn the_nodes_of_a_file_without_meshes_are_joints() {
    let mut ui = open(motion_only().model());
    click_row(&mut ui, "Hips", Modifiers::NONE);
    ui.get_by_label("Type: joint");
    ui.get_by_label("Show in overlay: Hips");
    ui.get_by_label("Animate: Hips");
    assert!(ui.query_by_label("Skin influence: Hips").is_none() && ui.query_by_label("Show mesh: Hips").is_none());
    ui.get_by_label("Visible: Portrait");
    // The skeleton is all that there is to see.
    assert_eq!(Action::Skeleton.is_on(&ui.state_mut().context()), Some(true));
    assert!(Action::Skeleton.disabled_reason(&ui.state_mut().context()).is_some());
}

#[test]
fn the_menu_of_a_node_without_neighbors_disables_the_steps_to_them() {
    let mut ui = open(hand_made::tree(&[("Alone".to_owned(), None)]));
    ui.get_by_role_and_label(Role::TreeItem, "Alone").click_secondary();
    ui.run();
    for label in ["Select parent", "Select first child"] {
        assert!(ui.get_by_role_and_label(Role::MenuItem, label).accesskit_node().is_disabled(), "{label}");
    }
}

#[test]
fn one_row_is_highlighted_when_the_pointer_is_on_the_edge_of_two() {
    let mut ui = open(rig());
    let row = ui.get_by_role_and_label(Role::TreeItem, "Hips").rect();
    move_to(&mut ui, egui::pos2(row.left() + 60.0, row.bottom()));
    let hover = sinew::ui::style::theme::palette(&ui.ctx).hover;
    let is_row = |shape: &egui::epaint::ClippedShape| match &shape.shape {
        egui::Shape::Rect(rect) => rect.fill == hover && (rect.rect.height() - row.height()).abs() < 0.1 && rect.rect.width() > 100.0,
        _ => false,
    };
    assert_eq!(ui.output().shapes.iter().filter(|shape| is_row(shape)).count(), 1);
    // At the edge of the panel, the pointer is over the divider and not over a row.
    move_to(&mut ui, egui::pos2(row.right() - 2.0, row.center().y));
    assert_eq!(ui.output().shapes.iter().filter(|shape| is_row(shape)).count(), 0);
}

#[test]
fn a_search_shows_the_hidden_panel_and_receives_the_letters_of_the_next_frame() {
    for hide in [Action::LeftPanel, Action::AllPanels] {
        let mut ui = open(rig());
        ui.state_mut().perform(hide);
        ui.run();
        assert!(ui.query_by_label("Search nodes").is_none());
        ui.state_mut().perform(Action::Search);
        ui.step();
        ui.event(Event::Text("foot".into()));
        ui.run();
        assert_eq!(ui.state().state.panels.tree.search, "foot", "after {hide:?}");
        assert!(row_shown(&ui, "LeftFoot") && !row_shown(&ui, "Prop"));
    }
}

#[test]
fn nodes_stay_collapsed_after_a_reload_that_adds_nodes() {
    let mut ui = open(rig());
    click(&mut ui, "Collapse LeftLeg");
    assert!(!row_shown(&ui, "LeftFoot"));
    // The new export has one more node before the others. The panel is hidden while the file is reloaded.
    let nodes = [
        ("Ground", None),
        ("Armature", None),
        ("Hips", Some(1)),
        ("LeftLeg", Some(2)),
        ("LeftFoot", Some(3)),
        ("RightLeg", Some(2)),
        ("RightFoot", Some(5)),
        ("Prop", None),
    ];
    let model = hand_made::tree(&nodes.map(|(name, parent)| (name.to_string(), parent)));
    let path = ui.state().document.path.clone();
    ui.state_mut().perform(Action::LeftPanel);
    ui.run();
    ui.state_mut().posed = Posed::new(&model);
    ui.state_mut().open(Document::new(model.into(), "walker.glb".into(), path));
    ui.run();
    ui.state_mut().perform(Action::LeftPanel);
    ui.run();
    let shown = ["Ground", "LeftLeg", "LeftFoot", "RightFoot"].map(|name| row_shown(&ui, name));
    assert_eq!(shown, [true, true, false, true]);
}

//! Tests stepping through several files.

use std::path::PathBuf;
use std::sync::Arc;

use egui::Modifiers;
use egui::accesskit::Role;
use egui_kittest::kittest::{NodeT, Queryable};

use sinew::session::file::file_list::{FileList, ListPosition, ListedModel};
use sinew::ui::actions::keys::Key;
use sinew::ui::actions::{Action, table};
use sinew::ui::context::request::Request;

use crate::common::ui_harness::walker;
use crate::gestures::{click, open};

fn list(paths: &[&str]) -> Arc<Vec<ListedModel>> {
    FileList::new(&paths.iter().map(PathBuf::from).collect::<Vec<_>>()).unwrap().models
}

#[test]
fn page_up_and_page_down_are_the_previous_and_the_next_file() {
    assert_eq!(table::find(Key::PageUp, Modifiers::NONE), Some(Action::PreviousFile));
    assert_eq!(table::find(Key::PageDown, Modifiers::NONE), Some(Action::NextFile));
}

#[test]
fn without_a_list_of_files_the_step_actions_are_disabled() {
    let mut ui = open(walker());
    ui.state_mut().state.status.files = list(&["/m/a.glb"]);
    ui.state_mut().perform(Action::NextFile);
    assert!(ui.state().requests.is_empty());
    click(&mut ui, "File");
    for label in ["Previous file", "Next file"] {
        assert!(ui.get_by_role_and_label(Role::MenuItem, label).accesskit_node().is_disabled(), "{label}");
    }
}

#[test]
fn with_a_list_of_files_menu_items_step_through_it_and_the_position_is_shown() {
    let mut ui = open(walker());
    ui.state_mut().state.status.files = list(&["/m/a.glb", "/m/b.glb", "/m/c.glb", "/m/d.glb", "/m/e.glb"]);
    ui.state_mut().state.status.list_position = Some(ListPosition { number: 2, count: 5 });
    ui.run();
    ui.get_by_label("walker.glb (2 of 5)");
    for (label, step) in [("Previous file", -1), ("Next file", 1)] {
        click(&mut ui, "File");
        click(&mut ui, label);
        assert_eq!(ui.state_mut().requests.pop(), Some(Request::StepFile(step)));
    }
}

#[test]
fn recent_files_of_one_name_are_told_apart_by_their_folders() {
    let mut ui = open(walker());
    let paths = ["/work/hero/walk.glb", "/work/villain/walk.glb", "/work/hero/run.glb"];
    ui.state_mut().state.preferences.recent_files = paths.map(PathBuf::from).to_vec();
    ui.state_mut().state.status.file_label = Some("hero/walk.glb".into());
    ui.run();
    assert!(ui.query_by_label("hero/walk.glb").is_some(), "the name of the open file, in the menu bar");
    ui.state_mut().state.status.file_label = None;
    click(&mut ui, "File");
    ui.get_by_label("Recent files").hover();
    ui.run();
    for name in ["hero/walk.glb", "villain/walk.glb", "run.glb"] {
        assert!(ui.query_by_role_and_label(Role::MenuItem, name).is_some(), "{name}");
    }
}

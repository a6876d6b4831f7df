//! Tests the file strip: its tiles, search, thumbnails and keys.

use std::path::{Path, PathBuf};

use egui::accesskit::{Role, Toggled};
use egui::{Event, Key as EguiKey, Modifiers, Shape};
use egui_kittest::kittest::{By, NodeT, Queryable};
use image::RgbaImage;

use sinew::session::file::file_list::FileList;
use sinew::ui::actions::Action;
use sinew::ui::actions::keys::Key;
use sinew::ui::actions::table;
use sinew::ui::context::image_previews::Preview;
use sinew::ui::context::request::Request;
use sinew::ui::style::icons;

use crate::common::ui_harness::{Window, harness, walker};
use crate::gestures::{Ui, click};

/// Opens "/models/walker.glb" with the strip, among these models of its folder.
fn strip(names: impl IntoIterator<Item = String>) -> Ui {
    let files = names.into_iter().map(|name| PathBuf::from(format!("/models/{name}"))).collect();
    let list = FileList::in_folder(Path::new("/models/walker.glb"), files, Vec::new());
    let mut window = Window::new(walker());
    window.state.preferences.file_strip = true;
    window.state.status.list_position = list.list_position(Some(Path::new("/models/walker.glb")));
    (window.state.status.files, window.state.status.requested_file) = (list.models, list.at);
    harness(1280.0, 800.0, 1.0, window)
}

fn few() -> Ui {
    strip(["run1.glb", "run2.glb", "run10.glb", "walker.glb", "zebra.glb"].map(str::to_owned))
}

/// Returns the names of the tiles that are laid out, from left to right.
fn tiles(ui: &Ui) -> Vec<String> {
    // The list of animations, higher in the window, also consists of options.
    let options = ui.query_all(By::new().predicate(|node| node.role() == Role::ListBoxOption));
    let mut tiles: Vec<_> = options.filter(|tile| tile.rect().top() > 600.0).map(|tile| (tile.rect().left(), label(&tile))).collect();
    tiles.sort_by(|a, b| a.0.total_cmp(&b.0));
    tiles.into_iter().map(|(_, name)| name).collect()
}

fn label(node: &egui_kittest::Node<'_>) -> String {
    node.accesskit_node().label().unwrap_or_default()
}

/// Takes all requests, and returns the files of the last request for thumbnails.
fn requested(ui: &mut Ui) -> Option<Vec<PathBuf>> {
    let mut requests = ui.state_mut().requests.drain(..).filter_map(|request| match request {
        Request::DrawThumbnails { files, .. } => Some(files),
        _ => None,
    });
    requests.next_back()
}

fn receive(ui: &mut Ui, file: &str, picture: Result<RgbaImage, String>) {
    let ctx = ui.ctx.clone();
    ui.state_mut().state.status.thumbnails.receive(&ctx, file.into(), 76, None, picture);
}

fn focus(ui: &mut Ui) {
    ui.get_by_role_and_label(Role::List, "Files").focus();
    ui.run();
}

#[test]
fn f4_shows_the_models_of_the_folder_and_a_click_opens_one() {
    let mut ui = few();
    assert_eq!(table::find(Key::F(4), Modifiers::NONE), Some(Action::FileStrip));
    assert_eq!(tiles(&ui), ["run1.glb", "run2.glb", "run10.glb", "walker.glb", "zebra.glb"]);
    assert!(ui.get_by_role_and_label(Role::ListBoxOption, "walker.glb").accesskit_node().toggled() == Some(Toggled::True));
    assert!(ui.query_by_label("4 of 5").is_some());
    let without = ui.state().areas.expect("areas").viewport;
    ui.state_mut().requests.clear();
    click(&mut ui, "run10.glb");
    assert_eq!(ui.state().requests, [Request::OpenListed("/models/run10.glb".into())]);
    click(&mut ui, "Hide: File strip");
    assert!(!ui.state().state.preferences.file_strip && tiles(&ui).is_empty());
    assert_eq!(requested(&mut ui), Some(vec![]), "nothing is drawn for a strip that is hidden");
    assert_eq!(ui.state().areas.expect("areas").viewport.height(), without.height() + 112.0);
}

#[test]
fn a_single_model_has_no_strip() {
    for names in [vec![], vec!["walker.glb".to_owned()]] {
        let mut ui = strip(names);
        assert!(ui.query_by_label("Search files").is_none());
        assert_eq!(ui.state_mut().perform_if_available(Action::FileStrip), None, "the strip that is on can be switched off");
        assert!(ui.state_mut().perform_if_available(Action::FileStrip).is_some());
    }
}

#[test]
fn a_strip_that_is_switched_on_but_not_shown_does_not_keep_the_panels_hidden() {
    let mut window = Window::new(walker());
    window.state.preferences.file_strip = true;
    for action in [Action::LeftPanel, Action::Timeline, Action::Inspector, Action::AllPanels] {
        window.perform(action);
    }
    let preferences = &window.state.preferences;
    assert_eq!([preferences.left_panel, preferences.timeline, preferences.inspector, preferences.file_strip], [true; 4]);
}

#[test]
fn hiding_all_panels_hides_the_strip_and_brings_it_back() {
    for shown in [true, false] {
        let mut ui = few();
        ui.state_mut().state.preferences.file_strip = shown;
        ui.state_mut().perform(Action::AllPanels);
        assert!(!ui.state().state.preferences.file_strip);
        ui.state_mut().perform(Action::AllPanels);
        assert_eq!(ui.state().state.preferences.file_strip, shown);
    }
}

#[test]
fn hiding_all_panels_twice_restores_the_layout() {
    for [left_panel, timeline, inspector] in [[true, false, false], [false, true, true], [false, false, true]] {
        let mut ui = few();
        let preferences = &mut ui.state_mut().state.preferences;
        (preferences.left_panel, preferences.timeline, preferences.inspector) = (left_panel, timeline, inspector);
        let mut shown = || {
            ui.state_mut().perform(Action::AllPanels);
            let preferences = &ui.state().state.preferences;
            [preferences.left_panel, preferences.timeline, preferences.inspector]
        };
        assert_eq!(shown(), [false; 3]);
        assert_eq!(shown(), [left_panel, timeline, inspector]);
    }
}

#[test]
fn only_visible_tiles_of_ten_thousand_models_are_laid_out_and_drawn() {
    let mut ui = strip((0..10_000).map(|i| format!("m{i}.glb")).chain(["walker.glb".to_owned()]));
    // The open file is the last one, and the strip is scrolled to it.
    let shown = tiles(&ui);
    assert!((10..=14).contains(&shown.len()) && shown.last().is_some_and(|last| last == "walker.glb"), "{shown:?}");
    let drawn = requested(&mut ui).expect("a request");
    assert!((shown.len()..=shown.len() + 8).contains(&drawn.len()), "{}", drawn.len());
    assert_eq!(drawn[0], Path::new("/models").join(&shown[0]), "those in sight come first");
    // The strip scrolls to a file that is requested by a key.
    ui.state_mut().state.status.requested_file = 5000;
    ui.run();
    let shown = tiles(&ui);
    assert!(shown.contains(&"m5000.glb".to_owned()) && !shown.contains(&"walker.glb".to_owned()), "{shown:?}");
    assert!(requested(&mut ui).expect("a request").contains(&PathBuf::from("/models/m5000.glb")));
    ui.run();
    assert_eq!(requested(&mut ui), None, "the same thumbnails are not requested again");
}

#[test]
fn the_search_shows_only_matches_and_enter_opens_the_first() {
    let mut ui = few();
    ui.get_by_role_and_label(Role::TextInput, "Search files").focus();
    ui.run();
    ui.key_press(EguiKey::Enter);
    ui.run();
    assert!(!ui.state().requests.iter().any(|request| matches!(request, Request::OpenListed(_))), "an empty text finds nothing");
    ui.get_by_role_and_label(Role::TextInput, "Search files").focus();
    ui.run();
    ui.get_by_role_and_label(Role::TextInput, "Search files").type_text(" RUN");
    ui.run();
    assert_eq!(tiles(&ui), ["run1.glb", "run2.glb", "run10.glb"]);
    assert!(ui.query_by_label("3 of 5 found").is_some());
    ui.state_mut().requests.clear();
    ui.key_press(EguiKey::Enter);
    ui.run();
    assert!(ui.state().requests.contains(&Request::OpenListed("/models/run1.glb".into())), "{:?}", ui.state().requests);
    ui.get_by_role_and_label(Role::TextInput, "Search files").focus();
    ui.run();
    ui.get_by_role_and_label(Role::TextInput, "Search files").type_text("xx");
    ui.run();
    assert!(tiles(&ui).is_empty() && ui.query_by_label("No results").is_some());
    // A text that is pasted and entered in one slow frame is searched first.
    click(&mut ui, "Clear: Search files");
    ui.state_mut().requests.clear();
    let enter = Event::Key { key: EguiKey::Enter, physical_key: None, pressed: true, repeat: false, modifiers: Modifiers::NONE };
    ui.input_mut().events.extend([Event::Paste("zeb".into()), enter]);
    ui.run();
    assert!(ui.state().requests.contains(&Request::OpenListed("/models/zebra.glb".into())), "{:?}", ui.state().requests);
}

#[test]
fn arrows_step_through_the_search_results() {
    let mut ui = few();
    focus(&mut ui);
    assert!(ui.state().state.window.list_focused);
    let mut step = |key: EguiKey| {
        ui.state_mut().requests.clear();
        ui.key_press(key);
        ui.run();
        ui.state().requests.iter().find(|request| matches!(request, Request::OpenListed(_))).cloned()
    };
    let open = |name: &str| Some(Request::OpenListed(format!("/models/{name}").into()));
    assert_eq!(step(EguiKey::ArrowRight), open("zebra.glb"));
    assert_eq!(step(EguiKey::ArrowLeft), open("run10.glb"));
    ui.get_by_role_and_label(Role::TextInput, "Search files").type_text("run");
    ui.run();
    focus(&mut ui);
    ui.state_mut().requests.clear();
    ui.key_press(EguiKey::ArrowLeft);
    ui.run();
    assert!(ui.state().requests.contains(&open("run10.glb").unwrap()), "the open file is hidden by the search");
}

#[test]
fn a_thumbnail_is_shown_and_a_broken_file_has_a_mark_and_its_reason() {
    let mut ui = strip(["a.glb", "b\u{202e}.glb", "walker.glb"].map(str::to_owned));
    let green = RgbaImage::from_pixel(76, 76, image::Rgba([0, 200, 0, 255]));
    receive(&mut ui, "/models/a.glb", Ok(green));
    receive(&mut ui, "/models/b\u{202e}.glb", Err("no mesh in \u{202e}it".into()));
    ui.run();
    let shapes = |ui: &Ui, label: &str, is: fn(&Shape) -> bool| {
        let tile = ui.get_by_role_and_label(Role::ListBoxOption, label).rect();
        let inside = |shape: &Shape| tile.contains_rect(shape.visual_bounding_rect());
        ui.output().shapes.iter().filter(|clipped| is(&clipped.shape) && inside(&clipped.shape)).count()
    };
    let is_picture = |shape: &Shape| matches!(shape, Shape::Mesh(_));
    let is_mark = |shape: &Shape| matches!(shape, Shape::Text(text) if text.galley.text() == icons::ERROR.to_string());
    let broken = "b\u{b7}.glb: cannot be shown";
    assert_eq!([shapes(&ui, "a.glb", is_picture), shapes(&ui, "a.glb", is_mark)], [1, 0]);
    assert_eq!([shapes(&ui, broken, is_picture), shapes(&ui, broken, is_mark)], [0, 1]);
    assert_eq!([shapes(&ui, "walker.glb", is_picture), shapes(&ui, "walker.glb", is_mark)], [0, 0], "still to be drawn");
    ui.get_by_role_and_label(Role::ListBoxOption, broken).hover();
    ui.run();
    let reason = "/models/b\u{b7}.glb\nNo mesh in \u{b7}it";
    assert!(ui.query_by_label(reason).is_some());
}

#[test]
fn the_thumbnails_that_have_been_out_of_sight_longest_are_dropped() {
    let mut ui = strip((0..1000).map(|i| format!("m{i}.glb")).chain(["walker.glb".to_owned()]));
    for at in (0..1000).step_by(10) {
        ui.state_mut().state.status.requested_file = at;
        ui.run();
        for file in requested(&mut ui).unwrap_or_default() {
            receive(&mut ui, file.to_str().unwrap(), Ok(RgbaImage::new(76, 76)));
        }
    }
    let kept = ui.state().state.status.thumbnails.stamps().len();
    assert!((100..=230).contains(&kept), "{kept}");
    let thumbnails = &ui.state().state.status.thumbnails;
    assert!(matches!(thumbnails.get(Path::new("/models/m990.glb")), Preview::Ready(_)));
    assert!(matches!(thumbnails.get(Path::new("/models/m0.glb")), Preview::Decoding));
}

#[test]
fn the_thumbnail_of_a_changed_file_is_drawn_again() {
    let mut ui = few();
    for name in ["run1.glb", "run2.glb", "run10.glb", "walker.glb", "zebra.glb"] {
        receive(&mut ui, &format!("/models/{name}"), Ok(RgbaImage::new(76, 76)));
    }
    ui.state_mut().requests.clear();
    ui.state_mut().state.status.thumbnails.forget(&["/models/run2.glb".into(), "/elsewhere.glb".into()]);
    ui.run();
    assert_eq!(requested(&mut ui), Some(vec!["/models/run2.glb".into()]));
}

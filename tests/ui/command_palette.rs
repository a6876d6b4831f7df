//! Tests the command palette.

use egui::accesskit::{Role, Toggled};
use egui::{Key, Modifiers};
use egui_kittest::kittest::{NodeT, Queryable};

use sinew::model::node::NodeIndex;
use sinew::ui::actions::Action;
use sinew::ui::actions::table::TABLE;
use sinew::ui::command_palette::entry::{self, Entry};
use sinew::ui::command_palette::search::{Query, Rank};
use sinew::ui::command_palette::synonyms::SYNONYMS;
use sinew::ui::commands::camera::bookmarks;
use sinew::ui::context::request::Request;

use crate::common::hand_made;
use crate::common::ui_harness::{Window, harness, walker};
use crate::gestures::{CTRL, Ui, click, move_to, open};

/// Opens the palette and types a text.
fn palette(ui: &mut Ui, text: &str) {
    ui.state_mut().perform(Action::CommandPalette);
    ui.run();
    ui.get_by_role_and_label(Role::TextInput, "Search commands").type_text(text);
    ui.run();
}

fn shown(ui: &Ui, label: &str) -> bool {
    ui.query_by_role_and_label(Role::ListBoxOption, label).is_some()
}

fn closed(ui: &Ui) -> bool {
    ui.state().state.window.dialog.is_none() && ui.query_by_label("Search commands").is_none()
}

#[test]
fn words_match_at_their_beginnings_and_all_must_match() {
    let rank = |text: &str, name: &str| Query::new(text).rank(name);
    for (text, name, expected) in [
        ("fra", "Frame selected", Some(Rank::Beginning)),
        ("FRAME SEL", "Frame selected", Some(Rank::Beginning)),
        ("sel", "Frame selected", Some(Rank::Words)),
        ("sel fr", "Frame selected", Some(Rank::Words)),
        ("hand", "LeftHand", Some(Rank::Words)),
        ("2", "mixamorig:Spine2", Some(Rank::Words)),
        ("歩", "歩く", Some(Rank::Beginning)),
        ("ÜB", "übergang", Some(Rank::Beginning)),
        ("", "anything", Some(Rank::Beginning)),
        ("fs", "Frame selected", None),
        ("lected", "Frame selected", None),
        ("fsel", "Frame selected", None),
        ("frame hips", "Frame selected", None),
    ] {
        assert_eq!(rank(text, name), expected, "{text:?} in {name:?}");
    }
}

#[test]
fn names_from_a_file_match_inside_words_too() {
    let rank = |text: &str, name: &str| Query::new(text).rank_file_name(name);
    assert_eq!(rank("hand", "lefthand"), Some(Rank::Inside));
    assert_eq!(rank("歩", "左歩く"), Some(Rank::Inside));
    assert_eq!(rank("ha", "lefthand"), None, "too short to mean this");
    assert_eq!(rank("lhnd", "lefthand"), None, "letters that are spread over a name");
}

/// Terms that animators and other tools use, and the label that each term must find first.
const FIELD_TERMS: [(&str, &str); 66] = [
    ("bones", "Skeleton"),
    ("bone", "Skeleton"),
    ("armature", "Skeleton"),
    ("rig", "Skeleton"),
    ("hdri", "Open environment..."),
    ("ibl", "Open environment..."),
    ("skybox", "Open environment..."),
    ("frame selected", "Frame selected"),
    ("focus", "Frame selected"),
    ("fit selection", "Frame selected"),
    ("zoom to fit", "Frame all"),
    ("frame all", "Frame all"),
    ("fov", "Orthographic"),
    ("focal length", "Orthographic"),
    ("perspective", "Orthographic"),
    ("heatmap", "Skin weights"),
    ("weights", "Skin weights"),
    ("weight paint", "Skin weights"),
    ("vertex groups", "Skin weights"),
    ("playblast", "Export clip..."),
    ("movie", "Export clip..."),
    ("video", "Export clip..."),
    ("gif", "Export clip..."),
    ("turntable", "Export clip..."),
    ("hierarchy", "Animations and nodes"),
    ("outliner", "Animations and nodes"),
    ("opacity", "X-ray"),
    ("xray", "X-ray"),
    ("see through", "X-ray"),
    ("wireframe", "Wireframe"),
    ("topology", "Wireframe"),
    ("hotkeys", "Keyboard shortcuts"),
    ("shortcuts", "Keyboard shortcuts"),
    ("keymap", "Keyboard shortcuts"),
    ("preferences", "Settings..."),
    ("options", "Settings..."),
    ("fps", "Performance"),
    ("frame rate", "Performance"),
    ("loop", "Loop mode: loop, once, ping-pong"),
    ("repeat", "Loop mode: loop, once, ping-pong"),
    ("ghosting", "Onion skin"),
    ("ghosts", "Onion skin"),
    ("motion path", "Motion trail"),
    ("trajectory", "Motion trail"),
    ("foot sliding", "Foot contacts"),
    ("foot lock", "Foot contacts"),
    ("snapshot", "Screenshot..."),
    ("capture", "Screenshot..."),
    ("print screen", "Screenshot..."),
    ("theme", "Theme: Dark"),
    ("dark mode", "Theme: Dark"),
    ("light mode", "Theme: Light"),
    ("fullscreen", "Full screen"),
    ("undo history", "Undo"),
    ("root motion", "Root path on ground"),
    ("graph editor", "Timeline rows: dope sheet, curves, none"),
    ("properties", "Inspector"),
    ("albedo", "Base color"),
    ("uv", "Texture coordinates"),
    ("shape keys", "Reset morph weights"),
    ("local view", "Isolate branch"),
    ("next keyframe", "Next key of selection"),
    ("layer", "Animations and nodes"),
    ("crowd", "Crowd: 1 instance"),
    ("adapter", "Settings..."),
    ("gpu", "Settings..."),
];

#[test]
fn fov_finds_the_focal_lengths() {
    let mut window = Window::new(walker());
    let context = window.context();
    for term in ["fov", "field of view", "focal length"] {
        let found: Vec<_> = entry::find(term, &[], &context).iter().map(|entry| entry.label(&context)).collect();
        assert!(found.iter().any(|label| label == "Focal length: 50 mm"), "{term:?} finds {found:?}");
        assert!(found.contains(&"Orthographic".to_owned()), "{term:?} finds {found:?}");
    }
}

#[test]
fn terms_of_animators_and_other_tools_find_their_action_first() {
    let mut window = Window::new(walker());
    // Without a selected node, some of the actions are disabled and come later.
    window.view.selection = vec![1];
    let context = window.context();
    for (term, label) in FIELD_TERMS {
        let found = entry::find(term, &[], &context);
        assert_eq!(found.first().map(|entry| entry.label(&context)).as_deref(), Some(label), "{term:?} finds {found:?}");
    }
}

#[test]
fn every_synonym_finds_its_action_and_is_in_lower_case() {
    let mut window = Window::new(walker());
    for (action, synonyms) in SYNONYMS {
        for synonym in *synonyms {
            assert_eq!(*synonym, synonym.to_lowercase());
            let found = entry::find(synonym, &[], &window.context());
            assert!(found.iter().take(4).any(|found| *found == Entry::Action(*action)), "{synonym:?} finds {found:?}");
        }
    }
}

#[test]
fn what_matches_no_word_finds_nothing() {
    let mut ui = open(walker());
    for text in ["xyzzy", "fsel", "reenshot", "skel qq", "wfrm", "pp tt", "zzz"] {
        assert_eq!(entry::find(text, &[], &ui.state_mut().context()), [], "{text:?}");
    }
    palette(&mut ui, "wfrm");
    ui.get_by_label("No results");
    assert!(!shown(&ui, "Wireframe, off"));
}

#[test]
fn ctrl_k_finds_an_action_by_its_words_and_enter_performs_it() {
    let mut ui = open(walker());
    assert!(!ui.state().view.display.wireframe);
    palette(&mut ui, "wiref");
    assert!(shown(&ui, "Wireframe, off"));
    ui.key_press(Key::Enter);
    ui.run();
    assert!(closed(&ui));
    assert!(ui.state().view.display.wireframe);
    palette(&mut ui, "wiref");
    assert!(shown(&ui, "Wireframe, on"), "the row says whether the wireframe is on");
}

#[test]
fn every_action_can_be_found_by_its_own_name() {
    let mut window = Window::new(walker());
    for entry in TABLE.iter().filter(|entry| entry.action != Action::CommandPalette) {
        let found = entry::find(entry.label, &[], &window.context());
        assert!(found.iter().take(3).any(|found| *found == Entry::Action(entry.action)), "{}: {found:?}", entry.label);
    }
}

#[test]
fn a_saved_bookmark_is_found_by_its_name_and_moves_the_camera() {
    let mut ui = open(walker());
    assert!(!entry::find("bookmark", &[], &ui.state_mut().context()).contains(&Entry::Bookmark(0)), "nothing is saved");
    ui.state_mut().perform(Action::LookRight);
    let saved = ui.state().view.camera;
    ui.state_mut().perform(Action::SaveBookmark);
    bookmarks::change(&mut ui.state_mut().context(), |bookmarks| bookmarks[0].name = "Left hand".into());
    for term in ["left hand", "camera bookmark", "go to left", "bookmark hand"] {
        let found = entry::find(term, &[], &ui.state_mut().context());
        assert!(found.contains(&Entry::Bookmark(0)), "{term:?} finds {found:?}");
    }
    ui.state_mut().perform(Action::LookTop);
    palette(&mut ui, "left hand");
    click(&mut ui, "Camera bookmark Left hand");
    assert_eq!(ui.state().view.camera, saved);
    // Another file has other bookmarks, so the choice is not remembered.
    palette(&mut ui, "");
    assert!(!shown(&ui, "Camera bookmark Left hand"));
}

#[test]
fn the_crowd_is_set_in_the_palette() {
    let mut ui = open(walker());
    palette(&mut ui, "crowd 100");
    click(&mut ui, "Crowd: 100 instances, off");
    assert_eq!(ui.state().view.display.crowd, 100);
}

#[test]
fn animations_nodes_and_recent_files_are_found_by_name() {
    let mut ui = open(walker());
    ui.state_mut().state.preferences.recent_files = vec!["/models/fox.glb".into()];
    palette(&mut ui, "play wav");
    click(&mut ui, "Play Wave, off");
    assert_eq!((ui.state().view.animation, ui.state().transport.is_playing()), (Some(1), true));
    palette(&mut ui, "spin");
    ui.key_press(Key::Enter);
    ui.run();
    assert_eq!(ui.state().view.selection, [2]);
    palette(&mut ui, "fox");
    ui.key_press(Key::Enter);
    ui.run();
    assert_eq!(ui.state().requests, [Request::Open("/models/fox.glb".into())]);
    // The file is among the recently used entries until it leaves the list of recent files.
    palette(&mut ui, "");
    assert!(shown(&ui, "Open fox.glb"));
    ui.key_press(Key::Escape);
    ui.run();
    ui.state_mut().state.preferences.recent_files.clear();
    palette(&mut ui, "");
    assert!(!shown(&ui, "Open fox.glb"));
}

#[test]
fn the_palette_finds_choices_of_menus() {
    let mut ui = open(walker());
    palette(&mut ui, "theme light");
    ui.key_press(Key::Enter);
    ui.run();
    assert_eq!(ui.state().state.preferences.theme, sinew::ui::context::preferences::ThemeChoice::Light);
}

#[test]
fn arrows_and_pages_walk_the_rows_and_scroll() {
    let mut ui = open(walker());
    palette(&mut ui, "");
    let chosen = |ui: &Ui| {
        let options = ui.query_all_by_role(Role::ListBoxOption).filter(|option| option.accesskit_node().toggled() == Some(Toggled::True));
        let mut labels: Vec<_> = options.filter_map(|option| option.accesskit_node().label()).collect();
        labels.retain(|label| label != "Walk");
        assert_eq!(labels.len(), 1, "{labels:?}");
        labels.remove(0)
    };
    assert_eq!(chosen(&ui), "Open...");
    ui.key_press(Key::ArrowDown);
    ui.run();
    assert_eq!(chosen(&ui), TABLE[1].label);
    ui.key_press(Key::PageDown);
    ui.run();
    assert_eq!(chosen(&ui), TABLE[12].label);
    for _ in 0..2 {
        ui.key_press(Key::PageUp);
        ui.run();
    }
    assert_eq!(chosen(&ui), "Open...");
    ui.key_press(Key::ArrowUp);
    ui.run();
    assert_eq!(chosen(&ui), "Close, cancel or deselect", "from the first row to the last");
}

#[test]
fn the_last_used_command_comes_first() {
    let mut ui = open(walker());
    palette(&mut ui, "grid");
    ui.key_press(Key::Enter);
    ui.run();
    palette(&mut ui, "");
    ui.key_press(Key::Enter);
    ui.run();
    assert!(ui.state().view.display.grid, "the grid is switched twice");
}

#[test]
fn enabled_commands_come_first() {
    let mut ui = open(walker());
    // "Previous file" is the shorter match, but it is disabled because the folder has no other model.
    palette(&mut ui, "previous");
    let top = |label: &str| ui.get_by_role_and_label(Role::ListBoxOption, label).rect().top();
    assert!(top("Previous frame") < top("Previous file: No other model in the folder or list"));
}

#[test]
fn disabled_commands_are_dimmed_and_do_nothing() {
    let mut ui = open(walker());
    palette(&mut ui, "undo");
    assert!(ui.get_by_role_and_label(Role::ListBoxOption, "Undo: Nothing to undo").accesskit_node().is_disabled());
    ui.key_press(Key::Enter);
    ui.run();
    assert!(ui.state().requests.is_empty() && !closed(&ui));
}

#[test]
fn escape_and_ctrl_k_close_the_palette_and_return_the_focus() {
    let mut ui = open(walker());
    let list = "Animations";
    for (key, modifiers) in [(Key::Escape, Modifiers::NONE), (Key::K, CTRL)] {
        click(&mut ui, "Walk");
        assert!(ui.state().state.window.list_focused);
        palette(&mut ui, "play wal");
        let row = ui.get_by_role_and_label(Role::ListBoxOption, "Play Walk, on");
        assert!(row.accesskit_node().is_focused(), "the row that Enter chooses is the active one for screen readers");
        ui.key_press_modifiers(modifiers, key);
        ui.run();
        assert!(closed(&ui));
        assert!(ui.get_by_role_and_label(Role::List, list).accesskit_node().is_focused());
    }
    palette(&mut ui, "");
    assert!(shown(&ui, "Open..."), "the text is not kept");
}

#[test]
fn a_hundred_thousand_nodes_give_a_bounded_list_with_the_best_first() {
    let names: Vec<_> = (0..100_000).map(|i| (format!("Bone_{i}"), (i > 0).then_some(0))).collect();
    let mut window = Window::new(hand_made::tree(&names));
    let found = entry::find("bone", &[], &window.context());
    assert!(found.len() <= 200);
    let found = entry::find("bone 99999", &[], &window.context());
    let node = |node: u32| Entry::Node(window.document.model.node(NodeIndex(node)).source);
    assert_eq!(found, [node(99_999)]);
    let expected = node(123);
    assert_eq!(entry::find("select bone_123", &[], &window.context())[0], expected);
}

#[test]
fn the_full_text_of_a_long_name_is_shown_beside_the_rows() {
    let name = format!("Hand{}", " of the left".repeat(12));
    let mut model = walker();
    model.nodes[1].name = Some(name.clone());
    let mut ui = harness(1280.0, 800.0, 1.0, Window::new(model));
    palette(&mut ui, "hand of the left");
    let label = format!("Select {name}");
    let row = ui.get_by_role_and_label(Role::ListBoxOption, &label).rect();
    move_to(&mut ui, row.center());
    ui.run_steps(10);
    let whole = ui.get_by_role_and_label(Role::Label, &label).rect();
    assert!(whole.left() >= row.right(), "{whole:?} over {row:?}");
}

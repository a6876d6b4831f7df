//! Tests the dialogs.

use std::time::Instant;

use egui::accesskit::Role;
use egui::{Event, Key as EguiKey, Modifiers, MouseWheelUnit, vec2};
use egui_kittest::kittest::Queryable;
use sinew::session::contact_sheet::{SheetContent, SheetOptions};
use sinew::session::time::clip::{ClipFormat, ClipOptions};
use sinew::session::view::{Repeat, View};
use sinew::ui::actions::Action;
use sinew::ui::actions::table::TABLE;
use sinew::ui::context::app_status::{ALREADY_EXPORTING, Exporting, StatusMessage};
use sinew::ui::context::preferences::Navigation;
use sinew::ui::context::request::{Request, SaveKind};
use sinew::ui::context::window_state::Dialog;

use crate::common::ui_harness::{Window, harness, walker};
use crate::gestures::{Ui, click, move_to, painted_texts, wheel, window};

#[test]
fn a_dialog_hides_the_tooltips_of_the_panels_behind_it() {
    for dialog in [Action::Settings, Action::EditBookmarks, Action::CommandPalette] {
        let mut window = window();
        let row = window.get_by_role_and_label(Role::TreeItem, "Spine").rect().center();
        move_to(&mut window, row);
        window.run_steps(10);
        assert!(window.query_by_label_contains("child of Hips").is_some());
        window.state_mut().perform(dialog);
        window.run_steps(2);
        assert!(window.query_by_label_contains("child of Hips").is_none(), "{dialog:?}");
        window.run_steps(10);
        assert!(window.query_by_label_contains("child of Hips").is_none(), "{dialog:?}");
    }
}

#[test]
fn the_shortcut_page_lists_every_action() {
    let mut window = harness(1280.0, 3000.0, 1.0, Window::new(walker()));
    window.state_mut().perform(Action::Shortcuts);
    window.run();
    for entry in TABLE {
        assert!(window.query_all_by_label(entry.label).next().is_some(), "{}", entry.label);
    }
    assert!(window.query_by_label("Ctrl+Shift+Z").is_some() && window.query_by_label("Ctrl+Y").is_some());
    assert!(window.query_by_label("Ctrl+left drag").is_some());
    window.get_by_role_and_label(Role::TextInput, "Search shortcuts").type_text("scr");
    window.run();
    assert!(window.query_by_label("F12").is_some() && window.query_by_label("Scrub").is_some());
    assert!(window.query_by_label("Ctrl+Y").is_none(), "only matches of the search are listed");
    click(&mut window, "Close");
    assert_eq!(window.state().state.window.dialog, None);
}

#[test]
fn the_shortcut_page_lists_the_mouse_buttons_of_the_chosen_navigation() {
    use egui::{Modifiers, PointerButton};
    use sinew::ui::actions::navigation;
    use sinew::ui::actions::navigation::Gesture;
    for (navigation, how, button, modifiers, gesture) in [
        (Navigation::Sinew, ("Pan", "Shift+left drag"), PointerButton::Primary, Modifiers::SHIFT, Gesture::Pan),
        (Navigation::Blender, ("Zoom", "Ctrl+middle drag"), PointerButton::Middle, Modifiers::COMMAND, Gesture::Zoom),
        (Navigation::Maya, ("Orbit", "Alt+left drag"), PointerButton::Primary, Modifiers::ALT, Gesture::Orbit),
    ] {
        assert!(navigation::gestures(navigation).any(|(does, told)| (does, told.as_str()) == how), "{how:?}");
        assert_eq!(navigation::gesture(navigation, button, modifiers), Some(gesture));
    }
    assert_eq!(navigation::gesture(Navigation::Maya, PointerButton::Middle, Modifiers::NONE), None);
}

#[test]
fn the_shortcut_page_fits_a_small_window() {
    let mut window = harness(900.0, 600.0, 1.0, Window::new(walker()));
    window.state_mut().perform(Action::Shortcuts);
    window.run();
    for label in ["Close", "Open...", "Quit"] {
        // The actions scroll, but the button below them does not.
        if label != "Close" {
            window.get_by_label(label).scroll_to_me();
            window.run();
        }
        let rect = window.get_by_label(label).rect();
        assert!(rect.top() >= 0.0 && rect.bottom() <= 600.0 && rect.left() >= 0.0 && rect.right() <= 900.0, "{label}: {rect}");
    }
    // The page has two columns: the first file action and the first camera action are side by side.
    window.get_by_label("Open...").scroll_to_me();
    window.run();
    assert!(window.get_by_label("Open...").rect().right() < window.get_by_label("Frame all").rect().left());
}

#[test]
fn the_search_of_the_shortcut_page_stays_in_place_and_results_begin_at_the_left() {
    let field = |window: &Ui| window.get_by_role_and_label(Role::TextInput, "Search shortcuts").rect();
    // The first text finds a whole section, the second one a single action.
    for (text, result) in [("cam", "Frame all"), ("command palette", "Command palette")] {
        let mut window = harness(1250.0, 800.0, 1.0, Window::new(walker()));
        window.state_mut().perform(Action::Shortcuts);
        window.run();
        let before = field(&window);
        window.get_by_role_and_label(Role::TextInput, "Search shortcuts").type_text(text);
        window.run();
        assert_eq!(field(&window), before, "after {text}");
        let result = window.get_by_label(result).rect();
        assert!(result.left() < before.left() + 20.0, "{result:?} below {before:?}");
    }
}

#[test]
fn the_screenshot_dialog_requests_the_picture_as_shown() {
    let mut window = window();
    window.state_mut().perform(Action::Screenshot);
    window.run();
    click(&mut window, "Transparent background");
    click(&mut window, "2 \u{D7} 2");
    click(&mut window, "Size");
    click(&mut window, "4K, 3840 \u{D7} 2160");
    assert!(window.query_by_label("3840 \u{D7} 2160 pixels, PNG").is_some());
    assert!(window.query_by_label("walker-walk-0000.png").is_some());
    click(&mut window, "Save...");
    let [Request::Save { kind: SaveKind::Screenshot(options), path: None, overwrite: false }] = &window.state().requests[..] else {
        panic!("{:?}", window.state().requests)
    };
    assert_eq!((options.width, options.height, options.supersample, options.transparent), (3840, 2160, 2, true));
    assert_eq!(window.state().state.window.dialog, None);
}

#[test]
fn a_file_is_replaced_only_if_the_user_chooses_to() {
    for (button, overwritten) in [("Replace", true), ("Cancel", false)] {
        let mut window = window();
        let path = std::path::PathBuf::from("/pictures/walker.png");
        window.state_mut().state.window.dialog =
            Some(Dialog::Overwrite { kind: SaveKind::Screenshot(Default::default()), path: path.clone() });
        window.run();
        click(&mut window, button);
        let replaced = Request::Save { kind: SaveKind::Screenshot(Default::default()), path: Some(path), overwrite: true };
        assert_eq!(window.state().requests.contains(&replaced), overwritten);
        assert_eq!(window.state().state.window.dialog, None);
    }
}

#[test]
fn the_question_about_a_sequence_is_about_its_frames() {
    for (format, question, sentence) in [
        (ClipFormat::Sequence, "Replace frames?", "walker already has frames with these names."),
        (ClipFormat::Gif, "Replace file?", "walker already exists."),
    ] {
        let mut window = window();
        let options = ClipOptions { format, ..ClipOptions::default() };
        window.state_mut().state.window.dialog = Some(Dialog::Overwrite { kind: SaveKind::Clip(options), path: "/pictures/walker".into() });
        window.run();
        assert!(window.query_by_label(question).is_some() && window.query_by_label(sentence).is_some(), "{format:?}");
    }
}

#[test]
fn escape_closes_a_dialog() {
    let mut window = window();
    window.state_mut().perform(Action::Settings);
    window.run();
    window.key_press(EguiKey::Escape);
    window.run();
    assert_eq!(window.state().state.window.dialog, None);
}

#[test]
fn the_contact_sheet_dialog_previews_the_sheet_and_requests_it_as_shown() {
    let mut window = window();
    window.state_mut().perform(Action::ExportSheet);
    window.run();
    assert!(window.query_by_label("2 tiles: 2 \u{D7} 1, each 960 \u{D7} 1080 pixels").is_some());
    assert!(window.query_by_label("walker-sheet.png").is_some());
    click(&mut window, "Phases of Walk");
    assert!(window.query_by_label("12 tiles: 4 \u{D7} 3, each 480 \u{D7} 360 pixels").is_some());
    assert!(window.query_by_label("walker-walk-sheet.png").is_some());
    click(&mut window, "Size");
    click(&mut window, "Square, 1024 \u{D7} 1024");
    click(&mut window, "Include overlays");
    click(&mut window, "Export...");
    let [Request::Save { kind: SaveKind::ContactSheet(options), path: None, overwrite: false }] = window.state().requests[..] else {
        panic!("{:?}", window.state().requests)
    };
    let wanted = SheetOptions { content: SheetContent::Phases, width: 1024, height: 1024, overlays: false, ..SheetOptions::default() };
    assert_eq!(options, wanted);
    assert_eq!(window.state().state.window.dialog, None);
    assert_eq!(window.state().state.preferences.sheet, wanted, "remembered for the next sheet");
}

#[test]
fn without_an_animation_a_contact_sheet_shows_the_rest_pose() {
    let mut model = walker();
    model.animations.clear();
    let mut window = harness(1280.0, 720.0, 1.0, Window::new(model));
    window.state_mut().state.preferences.sheet.content = SheetContent::Phases;
    window.state_mut().perform(Action::ExportSheet);
    window.run();
    assert!(window.query_by_label("The rest pose").is_some() && window.query_by_label_contains("Phases").is_none());
    assert!(window.query_by_label("1 tile: 1 \u{D7} 1, each 1920 \u{D7} 1080 pixels").is_some());
    assert!(window.query_by_label("walker-sheet.png").is_some());
}

fn clip_dialog(window: &mut Ui) {
    window.state_mut().perform(Action::ExportClip);
    window.run();
    window.state_mut().requests.clear();
}

#[test]
fn the_export_dialog_previews_the_clip_and_requests_it_as_shown() {
    let mut window = window();
    clip_dialog(&mut window);
    // The clip is a loop of 82 frames, whose end equals its beginning.
    assert!(window.query_by_label_contains("82 frames, 3.417 s").is_some());
    assert!(window.query_by_label("walker-walk.gif").is_some());
    click(&mut window, "Once");
    assert!(window.query_by_label_contains("83 frames, 3.458 s").is_some());
    assert_eq!(window.state().view.repeat, Repeat::Loop, "the loop mode of the clip is not that of the window");
    window.state_mut().state.preferences.clip.loops = 2;
    window.run();
    assert!(window.query_by_label_contains("166 frames, 6.917 s").is_some());
    window.state_mut().state.preferences.clip.loops = 1;
    click(&mut window, "Format");
    click(&mut window, "PNG sequence");
    click(&mut window, "Turntable");
    assert!(window.query_by_label_contains("96 frames, 4.000 s").is_some());
    assert!(window.query_by_label("folder walker-walk-turntable").is_some());
    // The duration of a turn is remembered while the turntable is off.
    window.state_mut().state.preferences.clip.turntable = Some(10.0);
    for frames in ["240 frames, 10.000 s", "83 frames, 3.458 s", "240 frames, 10.000 s"] {
        window.run();
        assert!(window.query_by_label_contains(frames).is_some(), "{frames}");
        window.get_by_label("Turntable").click();
    }
    click(&mut window, "Turntable");
    click(&mut window, "Transparent background");
    click(&mut window, "Export...");
    let [Request::Save { kind: SaveKind::Clip(options), path: None, overwrite: false }] = window.state().requests[..] else {
        panic!("{:?}", window.state().requests)
    };
    assert_eq!((options.format, options.turntable, options.transparent), (ClipFormat::Sequence, Some(10.0), true));
    assert_eq!(options.repeat, Some(Repeat::Once));
    assert_eq!((window.state().state.window.dialog.clone(), window.state().state.preferences.clip), (None, options), "it is remembered");
}

#[test]
fn a_video_is_exported_only_if_ffmpeg_is_installed() {
    for there in [false, true] {
        let mut window = window();
        window.state_mut().state.preferences.clip.format = ClipFormat::Mp4;
        window.state_mut().perform(Action::ExportClip);
        assert!(window.state().requests.contains(&Request::LookForFfmpeg));
        window.state_mut().state.status.has_ffmpeg = there;
        window.run();
        assert_eq!(window.query_by_label_contains("which is not installed").is_some(), !there);
        window.state_mut().requests.clear();
        click(&mut window, "Export...");
        assert_eq!(window.state().requests.len(), usize::from(there));
    }
}

#[test]
fn the_frame_rate_of_a_clip_keeps_its_digits_if_it_is_not_changed() {
    let mut window = window();
    window.state_mut().view.rate = Some(29.970_03);
    clip_dialog(&mut window);
    window.get_by_role_and_label(Role::SpinButton, "Frame rate").click();
    window.run();
    click(&mut window, "Once");
    assert_eq!(window.state().state.preferences.clip.fps, None);
}

#[test]
fn a_typed_size_is_set_when_typing_ends_and_canceled_by_esc() {
    let mut window = window();
    for (end, width) in [(EguiKey::Escape, 0), (EguiKey::Enter, 200), (EguiKey::Escape, 200)] {
        clip_dialog(&mut window);
        window.get_by_role_and_label(Role::SpinButton, "Width").click();
        window.run();
        window.key_press_modifiers(egui::Modifiers::COMMAND, EguiKey::A);
        window.event(egui::Event::Text(if end == EguiKey::Enter { "200".into() } else { "300".into() }));
        window.key_press(end);
        window.run();
        assert_eq!(window.state().state.preferences.clip.width, width, "{end:?}");
    }
}

#[test]
fn the_dialog_says_why_a_clip_cannot_be_exported() {
    let mut window = window();
    window.state_mut().view.animation = None;
    clip_dialog(&mut window);
    assert!(window.query_by_label_contains("Nothing moves in this clip").is_some());
    click(&mut window, "Export...");
    window.key_press(EguiKey::Enter);
    window.run();
    assert!(window.state().requests.is_empty());
    // A turntable of the rest pose does move.
    click(&mut window, "Turntable");
    assert!(window.query_by_label("walker-rest-turntable.gif").is_some());
    window.key_press(EguiKey::Enter);
    window.run();
    assert!(matches!(window.state().requests[..], [Request::Save { kind: SaveKind::Clip(_), .. }]));
}

#[test]
fn a_second_export_is_disabled_with_the_reason() {
    for dialog in [Action::ExportClip, Action::ExportSheet] {
        let mut window = window();
        window.state_mut().state.status.exporting =
            Some(Exporting { name: "walker.gif".into(), part: "frame", done: 1, parts: 82, is_new: false });
        window.state_mut().perform(dialog);
        window.run();
        window.state_mut().requests.clear();
        window.key_press(EguiKey::Enter);
        window.run();
        click(&mut window, "Export...");
        assert_eq!(window.state().requests, [], "{dialog:?}");
        let button = window.get_by_label("Export...").rect().center();
        move_to(&mut window, button);
        window.run_steps(60);
        window.get_by_label(ALREADY_EXPORTING);
        window.state_mut().state.status.exporting = None;
        window.run();
        click(&mut window, "Export...");
        assert_eq!(window.state().requests.len(), 1);
    }
}

#[test]
fn the_status_bar_shows_a_running_export_and_can_cancel_it() {
    let mut window = window();
    window.state_mut().state.status.exporting =
        Some(Exporting { name: "walker-walk.gif".into(), part: "frame", done: 12, parts: 82, is_new: false });
    window.run();
    assert!(window.query_by_label("walker-walk.gif: frame 12 of 82").is_some());
    click(&mut window, "Cancel");
    assert_eq!(window.state().requests, [Request::CancelExport]);
}

#[test]
fn quitting_during_an_export_asks_whether_to_cancel_it() {
    let exporting = Some(Exporting { name: "walker-walk.gif".into(), part: "frame", done: 12, parts: 82, is_new: false });
    let asked = || {
        let mut window = window();
        window.state_mut().state.status.exporting = exporting.clone();
        window.state_mut().state.window.dialog = Some(Dialog::Quit);
        window.run();
        assert!(window.query_by_label("An export is running. Cancel it and quit?").is_some());
        assert_eq!(window.query_all_by_label("walker-walk.gif: frame 12 of 82").count(), 2, "in the dialog and in the status bar");
        window
    };
    for (button, requests) in [("Keep exporting", vec![]), ("Quit", vec![Request::QuitAnyway])] {
        let mut window = asked();
        click(&mut window, button);
        assert_eq!((&window.state().requests, &window.state().state.window.dialog), (&requests, &None), "{button}");
    }
    for key in [EguiKey::Escape, EguiKey::Enter] {
        let mut window = asked();
        window.key_press(key);
        window.run();
        assert_eq!((&window.state().requests[..], &window.state().state.window.dialog), (&[][..], &None), "{key:?} keeps the export");
    }
    let mut window = asked();
    window.state_mut().state.status.exporting = None;
    window.run();
    assert_eq!(window.state().state.window.dialog, None, "there is nothing to ask after the export has ended");
}

#[test]
fn an_export_that_has_just_begun_is_not_shown() {
    let mut window = window();
    let exporting = Exporting { name: "walker.png".into(), part: "tile", done: 0, parts: 2, is_new: true };
    window.state_mut().state.status.exporting = Some(exporting.clone());
    window.state_mut().state.window.dialog = Some(Dialog::Quit);
    let is_shown = |window: &Ui| ["Quit Sinew?", "walker.png: tile 0 of 2"].map(|label| window.query_all_by_label(label).count());
    window.run();
    assert_eq!((is_shown(&window), &window.state().state.window.dialog), ([0, 0], &Some(Dialog::Quit)), "the question waits");
    window.state_mut().state.status.exporting = Some(Exporting { is_new: false, ..exporting });
    window.run();
    assert_eq!(is_shown(&window), [1, 2], "in the dialog and in the status bar");
}

#[test]
fn dialogs_that_events_open_appear_one_after_the_other() {
    let dropped = Dialog::Dropped { model: "/models/other.glb".into(), files: vec!["/models/other.glb".into()] };
    let overwrite = Dialog::Overwrite { kind: SaveKind::Screenshot(Default::default()), path: "/pictures/walker.png".into() };
    let mut window = window();
    window.state_mut().perform(Action::Settings);
    window.run();
    window.state_mut().state.status.exporting = Some(Exporting { name: "a.mp4".into(), part: "frame", done: 1, parts: 9, is_new: false });
    for dialog in [&overwrite, &dropped] {
        window.state_mut().state.window.ask(dialog.clone());
    }
    assert!(window.state().state.window.asks_about_screenshot(), "time waits for the answer");
    for _ in 0..2 {
        window.state_mut().state.window.ask_first(Dialog::Quit);
    }
    for dialog in [Dialog::Quit, Dialog::Settings, overwrite, dropped] {
        window.run();
        assert_eq!(window.state().state.window.dialog.as_ref(), Some(&dialog));
        window.key_press(EguiKey::Escape);
    }
    window.run();
    assert_eq!(window.state().state.window.dialog, None);
}

#[test]
fn copying_a_command_that_needs_a_view_file_offers_to_save_it() {
    let mut window = window();
    window.state_mut().perform(Action::CopyCommand);
    assert_eq!(window.state().requests, [Request::CopyCommand { clip: None }]);
    let path = std::path::PathBuf::from("/pictures/walker.json");
    window.state_mut().requests.clear();
    let settings_without_flag = vec!["joint switches", "layers", "the crowd"];
    let differences = vec!["without the cross-fade", "without the comparison: the previous version is no longer a file"];
    let view = Box::new(View { speed: 0.5, ..View::default() });
    let dialog = Dialog::SaveForCommand { settings_without_flag, differences, path: path.clone(), view: view.clone() };
    window.state_mut().state.window.dialog = Some(dialog);
    window.run();
    let without = "without the cross-fade, without the comparison: the previous version is no longer a file";
    assert!(window.query_by_label(&format!("The command draws the view {without}.")).is_some());
    assert!(window.query_by_label_contains("joint switches, layers and the crowd").is_some());
    click(&mut window, "Save view file");
    assert_eq!(window.state().requests, [Request::SaveCommandView { view, path }]);
    assert_eq!(window.state().state.window.dialog, None);
}

#[test]
fn the_export_dialog_shows_the_range_and_leaves_the_transport_alone() {
    for (range, shown) in [(None, "0.000 s to 3.417 s, frames 0 to 82"), (Some([0.5, 1.0]), "0.500 s to 1.000 s, frames 12 to 24")] {
        for playing in [false, true] {
            let mut window = window();
            window.state_mut().view.range = range;
            (window.state_mut().transport.head.time, window.state_mut().transport.head.playing) = (0.75, playing);
            let (view, transport) = (window.state().view.clone(), window.state().transport);
            clip_dialog(&mut window);
            assert!(window.query_by_label(shown).is_some(), "{shown}");
            click(&mut window, "Ping-pong");
            click(&mut window, "Cancel");
            assert_eq!((window.state().view.clone(), window.state().transport), (view, transport));
            clip_dialog(&mut window);
            assert_eq!(window.state().state.preferences.clip.repeat, None, "the next clip starts with the mode of the window");
        }
    }
}

#[test]
fn the_settings_name_the_folder_of_quick_screenshots() {
    let mut window = window();
    window.state_mut().perform(Action::Settings);
    window.run();
    let field = "Folder for quick screenshots (F12)";
    window.get_by_role_and_label(Role::TextInput, field).focus();
    window.run();
    window.event(Event::Text("/shots".into()));
    window.run();
    let folder = |window: &Ui| window.state().state.preferences.screenshot_folder.clone();
    assert_eq!(folder(&window), Some("/shots".into()));
    window.key_press_modifiers(Modifiers::COMMAND, EguiKey::A);
    window.key_press(EguiKey::Backspace);
    window.run();
    assert_eq!(folder(&window), None, "an empty field means the default");
    window.get_by_label("Choose...").scroll_to_me();
    window.run();
    click(&mut window, "Choose...");
    assert_eq!(window.state().requests.last(), Some(&Request::ScreenshotFolderDialog));
}

#[test]
fn a_saved_file_can_be_shown_in_its_folder() {
    let mut window = window();
    let message = StatusMessage { text: "Saved fox.png in /shots".into(), saved: None, until: Instant::now() };
    window.state_mut().state.status.message = Some(message.clone());
    window.run();
    assert!(window.query_by_label("Show in folder").is_none(), "this message names no file");
    window.state_mut().state.status.message = Some(StatusMessage { saved: Some("/shots/fox.png".into()), ..message });
    window.run();
    click(&mut window, "Show in folder");
    assert_eq!(window.state().requests, [Request::ShowInFolder("/shots/fox.png".into())]);
}

#[test]
fn the_settings_fit_a_small_window() {
    for height in [400.0, 600.0, 1200.0] {
        let mut window = harness(900.0, height, 1.0, Window::new(walker()));
        window.state_mut().perform(Action::Settings);
        window.run();
        for label in ["Settings", "Close"] {
            let rect = window.get_all_by_label(label).map(|node| node.rect()).next_back().expect(label);
            assert!(rect.top() >= 0.0 && rect.bottom() <= height, "{label} at {rect:?} in a window of {height}");
        }
    }
}

#[test]
fn the_buttons_of_the_dialogs_are_inside_the_smallest_window() {
    // The last size, in points, is that of a window of 900 x 600 points whose panels have the scale 2.
    for size in [vec2(480.0, 360.0), vec2(900.0, 360.0), vec2(450.0, 300.0)] {
        let mut window = harness(size.x, size.y, 1.0, Window::new(walker()));
        for _ in 0..10 {
            window.state_mut().perform(Action::SaveBookmark);
        }
        for (action, labels) in [
            (Action::ExportClip, &["Format", "Export...", "Cancel", "Copy render command"][..]),
            (Action::ExportSheet, &["Export...", "Cancel"]),
            (Action::Screenshot, &["Save...", "Cancel"]),
            (Action::EditBookmarks, &["Close"]),
            (Action::Settings, &["Close"]),
            (Action::Shortcuts, &["Close"]),
            (Action::About, &["Close"]),
        ] {
            window.state_mut().perform(action);
            window.run();
            for label in labels {
                let rect = window.get_all_by_label(label).map(|node| node.rect()).next_back().expect(label);
                let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, size);
                assert!(screen.contains_rect(rect), "{action:?}: {label} at {rect:?} in a window of {size}");
            }
            window.state_mut().state.window.dialog = None;
            window.run();
        }
        clip_dialog(&mut window);
        click(&mut window, "Export...");
        assert!(matches!(window.state().requests[..], [Request::Save { kind: SaveKind::Clip(_), .. }]), "{:?}", window.state().requests);
    }
}

#[test]
fn every_dialog_opens_at_its_top() {
    let mut window = harness(900.0, 400.0, 1.0, Window::new(walker()));
    let top = |window: &mut Ui, action: Action, first: &str| {
        window.state_mut().perform(action);
        window.run();
        window.get_all_by_label(first).map(|node| node.rect().top()).next_back().expect(first)
    };
    let close = |window: &mut Ui| {
        window.key_press(EguiKey::Escape);
        window.run();
        window.run();
    };
    let shortcuts = top(&mut window, Action::Shortcuts, "File");
    close(&mut window);
    let settings = top(&mut window, Action::Settings, "Theme");
    move_to(&mut window, egui::pos2(450.0, 200.0));
    window.event(wheel(MouseWheelUnit::Point, vec2(0.0, -150.0), Modifiers::NONE));
    window.run_steps(20);
    let scrolled = window.query_all_by_label("Theme").map(|node| node.rect().top()).next_back();
    assert!(scrolled.is_none_or(|top| top < settings - 50.0), "{scrolled:?}");
    close(&mut window);
    assert_eq!(top(&mut window, Action::Shortcuts, "File"), shortcuts);
    close(&mut window);
    assert_eq!(top(&mut window, Action::Settings, "Theme"), settings);
}

#[test]
fn a_dropped_file_can_be_refused_by_a_button() {
    let mut window = window();
    let files = vec!["/models/other.glb".into()];
    window.state_mut().state.window.dialog = Some(Dialog::Dropped { model: "/models/other.glb".into(), files });
    window.run();
    window.state_mut().requests.clear();
    click(&mut window, "Cancel");
    assert_eq!(window.state().state.window.dialog, None);
    assert!(!window.state().requests.iter().any(|request| matches!(request, Request::OpenDropped(_) | Request::CompareDropped(_))));
}

#[test]
fn a_shortcut_does_not_answer_the_question_about_a_dropped_file() {
    let mut window = window();
    let files = vec!["/models/other.gltf".into(), "/buffers/other.bin".into()];
    let dialog = Some(Dialog::Dropped { model: "/models/other.gltf".into(), files: files.clone() });
    window.state_mut().state.window.dialog = dialog.clone();
    for key in [EguiKey::A, EguiKey::C, EguiKey::O] {
        window.key_press_modifiers(Modifiers::COMMAND, key);
        window.run();
        assert_eq!(window.state().state.window.dialog, dialog, "{key:?}");
    }
    window.key_press(EguiKey::C);
    window.run();
    assert_eq!(window.state().requests.last(), Some(&Request::CompareDropped(files)));
}

#[test]
fn the_settings_choose_the_graphics_adapter_of_the_next_start() {
    let mut window = window();
    window.state_mut().perform(Action::Settings);
    window.run();
    assert_eq!(window.state().requests, [Request::ListAdapters], "the list is made when the dialog opens");
    window.state_mut().state.status.adapters = vec!["Card".into(), "Software".into()];
    window.run();
    let chosen = |window: &Ui| window.state().state.preferences.adapter.clone();
    for (from, to, expected) in [("Automatic", "Software", Some("Software")), ("Software", "Automatic", None)] {
        let list = format!("Graphics adapter: {from}");
        window.get_by_role_and_label(Role::ComboBox, &list).scroll_to_me();
        window.run();
        window.get_by_role_and_label(Role::ComboBox, &list).click();
        window.run();
        window.get_all_by_label(to).last().unwrap().click();
        window.run();
        assert_eq!(chosen(&window).as_deref(), expected);
    }
}

#[test]
fn the_fields_of_a_dialog_begin_at_the_same_position() {
    for (action, labels) in [
        (Action::ExportClip, &["Format", "Size", "Width", "Frame rate", "Loop"][..]),
        (Action::Screenshot, &["Size", "Width", "1 \u{D7} 1"]),
    ] {
        let mut window = window();
        window.state_mut().perform(action);
        window.run();
        // A label and its field have the same name; the field is at the right.
        let left = |label: &&str| window.get_all_by_label(label).map(|node| node.rect().left()).fold(0.0f32, f32::max);
        let lefts: Vec<f32> = labels.iter().map(left).collect();
        assert!(lefts.iter().all(|left| (left - lefts[0]).abs() < 1.0), "{labels:?}: {lefts:?}");
    }
}

#[test]
fn the_fields_of_the_settings_end_at_the_same_position() {
    let mut window = window();
    window.state_mut().perform(Action::Settings);
    window.run();
    let [folder, adapter] = ["Choose...", "Graphics adapter: Automatic"].map(|label| window.get_by_label(label).rect().right());
    assert!((folder - adapter).abs() < 1.0, "{folder} {adapter}");
}

#[test]
fn key_caps_are_as_high_as_their_labels() {
    let mut window = harness(900.0, 600.0, 1.0, Window::new(walker()));
    window.state_mut().perform(Action::Shortcuts);
    window.run();
    let middle = |wanted: &str| {
        let texts = painted_texts(&window).filter(|(text, _)| text.galley.text() == wanted);
        texts.map(|(text, _)| text.pos.y + text.galley.size().y / 2.0).last().expect("the text")
    };
    assert!((middle("F5") - middle("Reload")).abs() <= 0.5, "{} {}", middle("F5"), middle("Reload"));
}

//! Dialogs.

use egui::Key as EguiKey;
use egui_kittest::kittest::Queryable;
use sinew::session::picture_name::picture_name;
use sinew::ui::actions::{Action, TABLE};
use sinew::ui::{Command, Dialog};

use super::ui_window::{Window, harness, walker};
use super::{click, window};

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

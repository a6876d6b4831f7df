//! Tests that the page of keys in the documentation matches the table of actions.

use std::fmt::Write;
use std::path::Path;

use sinew::ui::actions::entry::Category;
use sinew::ui::actions::keys::KeyBinding;
use sinew::ui::actions::navigation;
use sinew::ui::actions::table::TABLE;
use sinew::ui::context::preferences::Navigation;
use sinew::ui::dialogs::shortcuts::MOUSE;

fn page() -> String {
    let mut page =
        "# Keys and mouse\n\nOn macOS, Cmd takes the place of Ctrl. Letters and symbols are identified by the character that they type, \
                    digits by\ntheir position. In keyboard layouts for non-Latin scripts, letters are identified by their position on a US \
                    keyboard.\n"
            .to_owned();
    for category in Category::ALL {
        let rows = TABLE.iter().filter(|entry| entry.category == category && !entry.keys.is_empty());
        let keys = |keys: &[KeyBinding]| keys.iter().map(|key| format!("`{}`", key.text())).collect::<Vec<_>>().join(" or ");
        table(&mut page, category.label(), "Key", rows.map(|entry| (keys(entry.keys), entry.label.to_owned())));
    }
    table(&mut page, "Mouse", "Gesture", MOUSE.into_iter().map(|(does, how)| (how.to_owned(), does.to_owned())));
    for preset in Navigation::ALL {
        let gestures = navigation::gestures(preset).map(|(does, how)| (how, does.to_owned()));
        table(&mut page, &format!("Camera, navigation \"{}\"", preset.label()), "Gesture", gestures);
    }
    page
}

fn table(page: &mut String, title: &str, first: &str, rows: impl Iterator<Item = (String, String)>) {
    write!(page, "\n## {title}\n\n| {first} | Action |\n| --- | --- |\n").unwrap();
    for (how, does) in rows {
        writeln!(page, "| {how} | {does} |").unwrap();
    }
}

#[test]
#[cfg_attr(target_os = "macos", ignore = "the page names the keys of other systems")]
fn keys_page_matches_the_action_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/keys.md");
    if std::env::var_os("SINEW_WRITE_KEYS").is_some() {
        std::fs::write(&path, page()).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == page(), "docs/keys.md is out of date: run this test with SINEW_WRITE_KEYS=1 to rewrite it");
}

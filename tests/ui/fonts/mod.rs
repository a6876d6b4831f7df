//! Tests fonts for names that the embedded fonts cannot show. The fonts are made for the tests.

mod made;

use std::collections::BTreeSet;
use std::sync::Arc;

use egui::{Event, FontId};
use egui_kittest::Harness;

use sinew::asset::LoadOptions;
use sinew::borrowed::{BorrowedFile, FileRequest, apply};
use sinew::captions::fonts;
use sinew::model::material::Material;
use sinew::model::{Model, Variant};
use sinew::session::view::retarget::Retarget;
use sinew::system_fonts::{self, SystemFont};
use sinew::ui::context::request::Request;
use sinew::ui::style::theme;

use crate::common::ui_harness::{Window, harness, walker};
use crate::gestures::Ui;

/// Writes fonts, given by name and characters, to a folder, and returns those that are chosen for the missing characters.
fn found(fonts: &[(&str, &str)], missing: &str) -> Vec<SystemFont> {
    let folder = tempfile::tempdir().unwrap();
    for (name, characters) in fonts {
        std::fs::write(folder.path().join(format!("{name}.ttf")), made::font(name, characters)).unwrap();
    }
    std::fs::write(folder.path().join("broken.ttf"), b"\0\x01\0\0\xff\xff").unwrap();
    let mut database = fontdb::Database::new();
    database.load_fonts_dir(folder.path());
    assert_eq!(database.len(), fonts.len());
    sinew::system_fonts::find(&database, &missing.chars().collect())
}

fn names(fonts: &[SystemFont]) -> Vec<&str> {
    fonts.iter().map(|font| font.name.as_str()).collect()
}

#[test]
fn the_fewest_fonts_that_cover_the_characters_are_chosen() {
    let fonts = [("Kana", "あいう"), ("Han", "歩走"), ("Both", "あい歩"), ("Thai", "ก")];
    assert_eq!(names(&found(&fonts, "あ歩")), ["Both 0"]);
    assert_eq!(names(&found(&fonts, "あいう歩走")), ["Both 0", "Han 0", "Kana 0"]);
    assert!(found(&fonts, "क").is_empty(), "no font has it");
    assert!(found(&[], "あ").is_empty());
}

#[test]
fn sans_serif_fonts_are_preferred_and_fallback_fonts_come_last() {
    let fonts = [("A Serif", "あ"), ("B Sans", "あ"), ("LastResort", "あいうえお")];
    assert_eq!(names(&found(&fonts, "あい")), ["B Sans 0", "LastResort 0"]);
}

/// Returns the characters that the window has asked for since the last call.
fn asked(window: &mut Ui) -> Vec<BTreeSet<char>> {
    let asked = |command| if let Request::FindFonts(characters) = command { Some(characters) } else { None };
    std::mem::take(&mut window.state_mut().requests).into_iter().filter_map(asked).collect()
}

/// Opens a model in a window that may draw boxes for characters without a font.
fn harness_with_boxes(model: Model) -> Ui {
    let builder = Harness::builder().with_size([1280.0, 720.0]).allow_missing_glyphs().with_context_setup(theme::install);
    builder.build_ui_state(|ui, window: &mut Window| window.ui(ui), Window::new(model))
}

#[test]
fn fonts_for_names_and_typed_text_are_requested_once_and_then_used() {
    let mut model = walker();
    model.nodes[2].name = Some("あし - Spine Ж é".into());
    let mut window = harness_with_boxes(model);
    let wanted: BTreeSet<char> = "あし".chars().collect();
    assert_eq!(asked(&mut window), [wanted], "the embedded fonts have all but these");
    window.run();
    assert!(asked(&mut window).is_empty(), "the fonts are requested only once");
    window.event(Event::Text("し歩".into()));
    window.run();
    assert_eq!(asked(&mut window), [BTreeSet::from(['歩'])]);

    let has = |window: &Ui, char| window.ctx.fonts_mut(|fonts| fonts.has_glyph(&FontId::monospace(12.0), char));
    assert!(!has(&window, 'あ'));
    fonts::set_fonts(&window.ctx, &found(&[("Kana", "あし")], "あし"));
    window.run();
    assert!(has(&window, 'あ') && has(&window, 'A') && !has(&window, '歩'));
    assert!(asked(&mut window).is_empty());
}

#[test]
fn fonts_are_requested_for_the_names_of_all_objects() {
    let name = |char: &str| Some(char.to_owned());
    let mut model = walker();
    model.meshes[0].target_names = vec!["あ".into()];
    model.materials = vec![Material { name: name("い"), ..Material::default() }];
    model.skins[0].name = name("う");
    model.scenes[0].name = name("え");
    model.variants = vec![Variant { name: name("お") }];
    model.asset.copyright = name("か");
    let mut window = harness_with_boxes(model);
    assert_eq!(asked(&mut window), ["あいうえおか".chars().collect()]);
}

#[test]
fn fonts_are_requested_for_the_names_of_a_borrowed_file() {
    let mut window = harness_with_boxes(walker());
    assert!(asked(&mut window).is_empty());
    let mut other = walker();
    other.nodes[0].name = Some("き".into());
    let file = BorrowedFile { path: "/motions/く.glb".into(), model: Arc::new(other), files: Vec::new() };
    let wanted = vec![(FileRequest::Loaded(Arc::new(file)), Retarget::default())];
    let (_, borrowed) = apply(walker(), wanted, &LoadOptions::default());
    window.state_mut().state.status.borrowed = Arc::new(borrowed.reports);
    window.run();
    assert_eq!(asked(&mut window), ["きく".chars().collect()]);
    window.run();
    assert!(asked(&mut window).is_empty(), "the fonts are requested only once");
}

#[test]
fn names_of_plain_letters_need_no_font() {
    let mut window = harness(1280.0, 720.0, 1.0, Window::new(walker()));
    assert!(asked(&mut window).is_empty());
}

#[test]
fn the_systems_own_fonts_can_be_read() {
    // The result depends on the machine's fonts. This test checks only that reading them works.
    let found = system_fonts::find(&system_fonts::system(), &"歩اक".chars().collect());
    assert!(found.len() <= 3);
}

#[test]
fn digits_and_figure_spaces_have_the_same_width() {
    let window = crate::gestures::window();
    let widths: Vec<f32> = window.ctx.fonts_mut(|fonts| {
        let font = sinew::ui::style::theme::number_font();
        "0123456789\u{2007}".chars().map(|char| fonts.glyph_width(&font, char)).collect()
    });
    assert!(widths.iter().all(|width| (width - widths[0]).abs() < 1e-3) && widths[0] > 6.0, "{widths:?}");
    // Numbers and words stand in the same line, so they use the same font family.
    assert_eq!(sinew::ui::style::theme::number_font().family, egui::FontFamily::Proportional);
}

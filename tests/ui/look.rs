//! Tests the look by numbers: contrast and icons.

use egui::{FontId, Shape};
use egui_kittest::Harness;
use sinew::ui::style::icons;
use sinew::ui::style::theme::{self, DARK, LIGHT, Palette};
use sinew::ui::widgets::menu_item;

use crate::gestures::window;

/// Returns the contrast ratio of WCAG 2.1.
fn contrast(a: egui::Color32, b: egui::Color32) -> f64 {
    let luminance = |color: egui::Color32| {
        let linear = |channel: u8| {
            let c = f64::from(channel) / 255.0;
            if c <= 0.03928 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(color.r()) + 0.7152 * linear(color.g()) + 0.0722 * linear(color.b())
    };
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[test]
fn text_is_readable_on_every_background() {
    let check = |palette: &Palette| {
        let texts = [palette.text, palette.secondary, palette.accent, palette.warning, palette.error, palette.good];
        for color in texts.into_iter().chain(palette.axes) {
            assert!(contrast(color, palette.panel) >= 4.5, "{color:?} on the panel: {}", contrast(color, palette.panel));
        }
        for ground in [palette.raised, palette.field, palette.hover, palette.selection, palette.viewport] {
            assert!(contrast(palette.text, ground) >= 4.5, "{ground:?}");
        }
        assert!(contrast(palette.on_accent, palette.accent) >= 4.5);
        assert!(contrast(palette.accent, palette.selection) >= 4.5);
        // WCAG requires a contrast of 3 for the outlines of controls.
        assert!(contrast(palette.outline, palette.panel) >= 3.0);
        // The rail of a slider may have less contrast, because it only shows how far the value can go. The accent shows the value and must
        // stand out from the rail.
        assert!(contrast(palette.divider, palette.panel) >= 1.4 && contrast(palette.accent, palette.divider) >= 3.0);
    };
    check(&DARK);
    check(&LIGHT);
}

#[test]
fn texts_and_icons_fade_with_their_popup_and_disabled_ones_are_not_dimmed_twice() {
    let rows = |ui: &mut egui::Ui| {
        ui.set_opacity(0.25);
        menu_item::item(ui, "Enabled", "Ctrl+E", Some(true));
        ui.add_enabled_ui(false, |ui| menu_item::item(ui, "Disabled", "Ctrl+D", Some(true)));
    };
    let mut harness = Harness::builder().with_context_setup(theme::install).build_ui(rows);
    harness.run();
    let texts = harness.output().shapes.iter().filter_map(|clipped| if let Shape::Text(text) = &clipped.shape { Some(text) } else { None });
    let mut count = 0;
    for text in texts {
        let vertices = text.galley.rows.iter().flat_map(|row| &row.visuals.mesh.vertices);
        let alpha = vertices.map(|vertex| vertex.color.a()).max();
        // A quarter of 255.
        assert!(alpha.is_some_and(|alpha| alpha.abs_diff(64) <= 1), "{}: {alpha:?}", text.galley.text());
        count += 1;
    }
    assert_eq!(count, 6, "two rows, each with a check mark, a label and a shortcut");
}

#[test]
fn every_icon_is_in_the_font() {
    let source = include_str!("../../src/ui/style/icons.rs");
    let points: Vec<char> =
        source.split("'\\u{").skip(1).filter_map(|rest| char::from_u32(u32::from_str_radix(rest.split('}').next()?, 16).ok()?)).collect();
    assert!(points.len() > 20);
    let window = window();
    window.ctx.fonts_mut(|fonts| {
        for &icon in &points {
            assert!(fonts.has_glyph(&icons::font(16.0), icon), "U+{:X}", icon as u32);
        }
        assert!(!fonts.has_glyph(&icons::font(16.0), '\u{e000}'), "a missing glyph is known as such");
        assert!(fonts.has_glyph(&FontId::proportional(13.0), 'Ж'));
    });
}

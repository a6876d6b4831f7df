//! The dialog for contact sheets: what the tiles show, and the size of the sheet.

use egui::{Checkbox, TextStyle, Ui};

use crate::numbers::{counted, grouped};
use crate::session::contact_sheet::{Grid, MAX_TILES, PHASE_LIMITS, SheetContent, SheetOptions, animation_count};
use crate::session::file::output_name::sheet_name;
use crate::ui::context::Context;
use crate::ui::context::request::{Request, SaveKind};
use crate::ui::style::{text, theme};
use crate::ui::widgets::number_field;

use super::parts::{buttons, export_button_ui, label, scrolled};
use super::picture_size::{size, size_ui};

/// Maximum width of the name of an animation, in points.
const NAME_WIDTH: f32 = 150.0;

/// Draws the dialog. Exporting pushes a request, which asks for a path.
pub fn sheet_ui(ui: &mut Ui, context: &mut Context) {
    let mut options = context.preferences.sheet;
    scrolled(ui, |ui| {
        content_ui(ui, context, &mut options);
        size_ui(ui, [&mut options.width, &mut options.height], &context.status.statistics);
        ui.add(Checkbox::new(&mut options.transparent, "Transparent background"));
        ui.add(Checkbox::new(&mut options.overlays, "Include overlays"));
        ui.add_space(theme::MARGIN);
        outcome_ui(ui, context, &options);
    });
    ui.add_space(theme::MARGIN);
    context.preferences.sheet = options;
    buttons(ui, |ui| {
        if export_button_ui(ui, context, true) {
            context.requests.push(Request::Save { kind: SaveKind::ContactSheet(options), path: None, overwrite: false });
            context.window.dialog = None;
        }
        if ui.button("Cancel").clicked() {
            context.window.dialog = None;
        }
    });
}

/// Picks what the tiles show. If the file has no animation, they show only the rest pose.
fn content_ui(ui: &mut Ui, context: &Context, options: &mut SheetOptions) {
    let model = &context.document.model;
    let playing = model.existing_animation(context.view.animation);
    let shown = options.content(model, context.view);
    ui.horizontal(|ui| {
        label(ui, "Tiles");
        let all = if model.animations.is_empty() { "The rest pose" } else { "All animations" };
        if ui.radio(shown == SheetContent::Animations, all).clicked() {
            options.content = SheetContent::Animations;
        }
    });
    let Some(playing) = playing else { return };
    ui.horizontal(|ui| {
        label(ui, "");
        let font = TextStyle::Body.resolve(ui.style());
        let name = context.document.names.animation(playing);
        let short = text::elide_middle(ui, name, &font, NAME_WIDTH);
        if ui.radio(shown == SheetContent::Phases, format!("Phases of {short}")).clicked() {
            options.content = SheetContent::Phases;
        }
        let phases = number_field::with_decimals(&mut options.phases, 0).range(PHASE_LIMITS[0]..=PHASE_LIMITS[1]).speed(0.1);
        ui.add_enabled(shown == SheetContent::Phases, phases).accessible_name("Number of phases");
    });
}

/// Describes the result.
fn outcome_ui(ui: &mut Ui, context: &Context, options: &SheetOptions) {
    let (model, view) = (&context.document.model, &*context.view);
    let sheet = size([options.width, options.height], &context.status.statistics);
    let tiles = options.tile_count(model, view);
    let grid = Grid::fitting(tiles, sheet);
    let [width, height] = grid.tile_size(sheet);
    let Grid { columns, rows } = grid;
    ui.label(text::number(format!("{}: {columns} \u{D7} {rows}, each {width} \u{D7} {height} pixels", counted(tiles, "tile"))));
    if options.content(model, view) == SheetContent::Animations && animation_count(model) > MAX_TILES {
        let words = format!("Only the first {} of {} animations", grouped(MAX_TILES), grouped(animation_count(model)));
        ui.colored_label(theme::palette(ui.ctx()).warning, words);
    }
    ui.label(text::number(sheet_name(context.document, view, options)));
}

//! The bars above the viewport: one reports why a file could not be opened, the other reports that an earlier run crashed. Each stays until
//! the user closes it.

use egui::{Align, Layout, Panel, RichText, ScrollArea, Ui};

use crate::model::label;

use super::context::Context;
use super::context::app_status::Failure;
use super::context::request::Request;
use super::style::{icons, text, theme};

/// Maximum height of the message, in points. Longer messages scroll.
const MAX_TEXT_HEIGHT: f32 = 96.0;
/// Minimum width of a bar that has its buttons beside the text, in points. A narrower bar has them below the text.
const MIN_WIDTH_FOR_ONE_ROW: f32 = 520.0;

/// Draws the bar at the top of the remaining space, if a file could not be opened.
pub fn failure_ui(ui: &mut Ui, context: &mut Context) {
    let Some(failure) = context.status.failure.clone() else { return };
    let palette = theme::palette(ui.ctx());
    let strip = egui::Frame::new().fill(palette.raised).inner_margin(egui::Margin::symmetric(12, 6));
    Panel::top("failure").resizable(false).frame(strip).show(ui, |ui| {
        if ui.available_width() < MIN_WIDTH_FOR_ONE_ROW {
            message_ui(ui, &failure);
            ui.with_layout(Layout::right_to_left(Align::Min), |ui| buttons_ui(ui, context, &failure));
        } else {
            ui.with_layout(Layout::right_to_left(Align::Min), |ui| {
                buttons_ui(ui, context, &failure);
                message_ui(ui, &failure);
            });
        }
    });
}

/// Draws the bar that offers the report of an earlier crash, if there is one.
pub fn crash_ui(ui: &mut Ui, context: &mut Context) {
    let Some(report) = context.status.crash_report.clone() else { return };
    let strip = egui::Frame::new().fill(theme::palette(ui.ctx()).raised).inner_margin(egui::Margin::symmetric(12, 6));
    Panel::top("crash").resizable(false).frame(strip).show(ui, |ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if icons::button(ui, icons::CLOSE, "Close crash report").on_hover_text("Close").clicked() {
                context.status.crash_report = None;
            }
            if ui.button("Show in folder").clicked() {
                context.requests.push(Request::ShowInFolder(report.path));
            }
            if ui.button("Copy report").clicked() {
                context.requests.push(Request::CopyText(report.text));
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.label(RichText::new(icons::WARNING).font(icons::font(icons::ICON_SIZE)).color(theme::palette(ui.ctx()).warning));
                let text = "Sinew had an internal error last time. Please report it and attach the crash report.";
                ui.add(egui::Label::new(text).truncate()).on_hover_text("The report stays on this computer unless you send it");
            });
        });
    });
}

/// Draws the buttons from right to left.
fn buttons_ui(ui: &mut Ui, context: &mut Context, failure: &Failure) {
    if icons::button(ui, icons::CLOSE, "Close message").on_hover_text("Close").clicked() {
        context.status.failure = None;
    }
    if ui.button("Open another file...").clicked() {
        context.requests.push(Request::OpenDialog);
    }
    if ui.button("Copy").on_hover_text("Copy message").clicked() {
        context.requests.push(Request::CopyText(format!("{}: {}", failure.name, failure.message)));
    }
}

/// Draws the name of the file and the message below it.
fn message_ui(ui: &mut Ui, failure: &Failure) {
    let palette = theme::palette(ui.ctx());
    ui.with_layout(Layout::left_to_right(Align::Min), |ui| {
        ui.label(RichText::new(icons::ERROR).font(icons::font(icons::ICON_SIZE)).color(palette.error));
        ui.vertical(|ui| {
            let font = egui::TextStyle::Body.resolve(ui.style());
            let name = text::elide_middle(ui, &failure.name, &font, ui.available_width());
            ui.label(RichText::new(name).color(palette.error)).on_hover_text(&failure.name);
            ScrollArea::vertical().max_height(MAX_TEXT_HEIGHT).show(ui, |ui| ui.label(label::capitalized(&failure.message)));
        });
    });
}

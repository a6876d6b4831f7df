//! Draws one row of the findings list: the severity mark, the message, and below it the code and the location in the file. The height of a
//! row depends on its text.

use std::fmt::Debug;
use std::hash::Hash;
use std::sync::Arc;

use egui::text::LayoutJob;
use egui::{Color32, CursorIcon, Galley, Rect, Response, Role, Sense, TextStyle, Ui, WidgetInfo, pos2, vec2};

use crate::model::finding::{Finding, Severity};
use crate::session::view::selection::{self, SelectMode};
use crate::ui::context::Context;
use crate::ui::context::request::Request;
use crate::ui::style::{icons, theme};
use crate::ui::widgets::menu_item;

use crate::ui::inspector::findings;

/// Width of the severity mark and the gap after it, in points.
const MARK_WIDTH: f32 = icons::ICON_SIZE + 8.0;
/// Space above and below the text, in points.
const PADDING: f32 = 4.0;
/// Gap between the message and the line below it, in points.
const GAP: f32 = 2.0;
/// Maximum number of lines of the message and of the location. The tooltip shows longer texts.
const MAX_LINES: [usize; 2] = [6, 2];
/// Upper bound for the number of characters in a line. Before a text is laid out, it is cut to this number times its maximum number of
/// lines.
const MAX_CHARACTERS_PER_LINE: usize = 1000;
/// Maximum number of characters of the message and of the location in a tooltip.
const MAX_TOOLTIP_CHARACTERS: usize = 1500;

/// The content of a row.
pub struct RowTexts<'a> {
    pub severity: Severity,
    pub message: &'a str,
    /// The line below the message.
    pub location: &'a str,
}

/// The line below a finding's message: its code and its location in the file.
pub fn location(finding: &Finding) -> String {
    let location = if finding.pointer.is_empty() { "file" } else { &finding.pointer };
    format!("{} in {location}", finding.code)
}

/// Height of a row of this width, in points.
pub fn height(ui: &Ui, row: &RowTexts, width: f32) -> f32 {
    let [message, location] = texts(ui, row, width);
    message.size().y + GAP + location.size().y + 2.0 * PADDING
}

/// Draws the content of a row, and returns whether a part of its text was cut off. `is_link` states whether the row can be clicked.
pub fn paint_ui(ui: &mut Ui, id: impl Hash + Debug, row: &RowTexts, is_link: bool, rect: Rect) -> (Response, bool) {
    let response = ui.interact(rect, ui.scope_id().with(id), Sense::click());
    let role = if is_link { Role::Button } else { Role::Label };
    response.widget_info(|| WidgetInfo::labeled(role, true, format!("{}: {}", row.severity.name(), row.message)));
    let [message, location] = texts(ui, row, rect.width());
    if response.contains_pointer() || response.has_focus() {
        ui.painter().rect_filled(rect, theme::RADIUS, theme::palette(ui.ctx()).hover);
    }
    let (icon, color) = icons::severity_mark(ui, row.severity);
    // The mark is centered on the first line.
    let first_line = message.rows.first().map_or(icons::ICON_SIZE, |row| row.height());
    let mark = Rect::from_min_size(pos2(rect.left(), rect.top() + PADDING), vec2(icons::ICON_SIZE, first_line));
    icons::paint(ui, mark, icon, icons::ICON_SIZE, color);
    let left = rect.left() + MARK_WIDTH;
    let location_top = rect.top() + PADDING + message.size().y + GAP;
    let cut = message.elided || location.elided;
    ui.painter().galley(pos2(left, rect.top() + PADDING), message, Color32::PLACEHOLDER);
    ui.painter().galley(pos2(left, location_top), location, Color32::PLACEHOLDER);
    (response, cut)
}

/// Draws one row and its context menu. Returns whether it was clicked.
pub fn row_ui(ui: &mut Ui, context: &mut Context, index: usize, rect: Rect) -> bool {
    let document = context.document;
    let Some(finding) = document.findings.get(index) else { return false };
    // A click on a finding selects the node that the finding is about.
    let node = findings::node_of(&document.model, &finding.pointer);
    let row = RowTexts { severity: finding.severity, message: &finding.message, location: &location(finding) };
    let (response, cut) = paint_ui(ui, ("finding", index), &row, node.is_some(), rect);
    let response = with_tooltip(response, finding, node.is_some(), cut);
    let clicked = response.clicked();
    if let Some(node) = node.filter(|_| clicked) {
        selection::select(&mut context.view.selection, node, SelectMode::Only);
    }
    response.context_menu(|ui| menu_item::rows(ui, |ui| menu_ui(ui, context, finding, node)));
    clicked
}

/// Draws the context menu: select, copy.
fn menu_ui(ui: &mut Ui, context: &mut Context, finding: &Finding, node: Option<usize>) {
    if let Some(node) = node
        && menu_item::item(ui, "Select node", "", None).clicked()
    {
        selection::select(&mut context.view.selection, node, SelectMode::Only);
        ui.close();
    }
    let texts = [("Copy finding", findings::as_text([finding])), ("Copy JSON pointer", finding.pointer.clone())];
    for (label, text) in texts.into_iter().filter(|(_, text)| !text.is_empty()) {
        if menu_item::item(ui, label, "", None).clicked() {
            context.requests.push(Request::CopyText(text));
            ui.close();
        }
    }
}

/// Adds a tooltip: the whole text if a part was cut off, and the effect of a click.
fn with_tooltip(response: Response, finding: &Finding, is_link: bool, cut: bool) -> Response {
    let response = if is_link { response.on_hover_cursor(CursorIcon::PointingHand) } else { response };
    let message: String = finding.message.chars().take(MAX_TOOLTIP_CHARACTERS).collect();
    let location: String = finding.pointer.chars().take(MAX_TOOLTIP_CHARACTERS).collect();
    match (cut, is_link) {
        (true, true) => response.on_hover_text(format!("{message}\n{location}\nSelect node")),
        (true, false) => response.on_hover_text(format!("{message}\n{location}")),
        (false, true) => response.on_hover_text("Select node"),
        (false, false) => response,
    }
}

/// Lays out the message and the location, with at most [`MAX_LINES`].
fn texts(ui: &Ui, row: &RowTexts, width: f32) -> [Arc<Galley>; 2] {
    let palette = theme::palette(ui.ctx());
    let parts =
        [(row.message, TextStyle::Body, palette.text, MAX_LINES[0]), (row.location, TextStyle::Small, palette.secondary, MAX_LINES[1])];
    parts.map(|(text, style, color, lines)| {
        let text = text.chars().take(lines * MAX_CHARACTERS_PER_LINE).collect();
        let mut job = LayoutJob::simple(text, style.resolve(ui.style()), color, (width - MARK_WIDTH).max(40.0));
        job.wrap.max_rows = lines;
        ui.painter().layout_job(job)
    })
}

//! The heading above the animations of another file: the name of the file, how many of its joints were bound, and a button that removes its
//! animations.

use egui::{Align2, Id, Rect, Role, Sense, TextStyle, Ui, UiBuilder, WidgetInfo, vec2};

use crate::model::label;
use crate::ui::context::Context;
use crate::ui::context::request::Request;
use crate::ui::context::window_state::Dialog;
use crate::ui::style::{icons, text, theme};
use crate::ui::widgets::menu_item;

/// Draws the heading. A click opens the binding report.
pub fn file_ui(ui: &mut Ui, context: &mut Context, list: Id, file: usize, rect: Rect) {
    let Some(borrowed) = context.document.model.borrowed.get(file) else { return };
    let palette = theme::palette(ui.ctx());
    let report = context.status.borrowed.get(file);
    let (summary, is_complete) = report.map_or((String::new(), true), |report| (report.counterpart_text(), report.is_complete()));
    let response = ui.interact(rect, list.with(("file", file)), Sense::CLICK);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Binding report of {}", borrowed.name)));
    if response.hovered() {
        ui.painter().rect_filled(rect, 0.0, palette.hover);
    }
    let remove = Rect::from_min_max(rect.right_top() - vec2(icons::BUTTON_SIDE + 6.0, 0.0), rect.right_bottom() - vec2(6.0, 0.0));
    let color = if is_complete { palette.secondary } else { palette.warning };
    let right = remove.left_center() - vec2(4.0, 0.0);
    let summary = ui.painter().text(right, Align2::RIGHT_CENTER, summary, TextStyle::Small.resolve(ui.style()), color);
    let left = rect.left_center() + vec2(12.0, 0.0);
    let font = theme::sub_head_font();
    let name = text::elide_middle(ui, &borrowed.name, &font, (summary.left() - left.x - 8.0).max(0.0));
    ui.painter().text(left, Align2::LEFT_CENTER, name, font, palette.secondary);

    let mut child = ui.new_child(UiBuilder::new().id_salt(("remove", file)).max_rect(remove));
    if icons::button(&mut child, icons::CLOSE, &format!("Remove the animations of {}", borrowed.name)).on_hover_text("Remove").clicked() {
        context.requests.push(Request::RemoveAnimations(file));
    }
    let notes =
        report.map(|report| report.notes().iter().map(|note| label::capitalized(note)).collect::<Vec<_>>().join("\n")).unwrap_or_default();
    let tooltip = if notes.is_empty() { borrowed.path.display().to_string() } else { format!("{}\n{notes}", borrowed.path.display()) };
    response.context_menu(|ui| {
        if menu_item::item(ui, "Binding report...", "", None).clicked() {
            context.window.dialog = Some(Dialog::Binding(file));
            ui.close();
        }
        if menu_item::item(ui, "Remove", "", None).clicked() {
            context.requests.push(Request::RemoveAnimations(file));
            ui.close();
        }
    });
    if text::tooltip_beside(response, &tooltip).clicked() {
        context.window.dialog = Some(Dialog::Binding(file));
    }
}

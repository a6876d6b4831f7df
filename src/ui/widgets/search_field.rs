//! A search field above a list: a text field with a button that clears it.

use egui::{Align2, Id, Key, Margin, Response, TextEdit, TextStyle, Ui, UiBuilder, vec2};

use crate::ui::style::{icons, theme};

/// Space at the left and the right of the text, for the icon and the button, in points.
const SIDE_MARGIN: i8 = 26;
/// The hint of a field that is too narrow for its label.
const SHORT_HINT: &str = "Search";

/// Draws the field. `label` is both the hint and the name for screen readers. Esc clears the field, and a second Esc takes its focus away.
pub fn search_ui(ui: &mut Ui, text: &mut String, label: &str) -> Response {
    let palette = theme::palette(ui.ctx());
    let is_cleared = !text.is_empty() && ui.input(|input| input.key_pressed(Key::Escape));
    let hint_width = ui.painter().layout_no_wrap(label.to_owned(), TextStyle::Body.resolve(ui.style()), palette.text).size().x;
    let hint = if hint_width <= ui.available_width() - 2.0 * f32::from(SIDE_MARGIN) { label } else { SHORT_HINT };
    let edit = TextEdit::singleline(text)
        .id(id(ui, label))
        .hint_text(hint)
        .desired_width(f32::INFINITY)
        .margin(Margin { left: SIDE_MARGIN, right: SIDE_MARGIN, top: 3, bottom: 3 })
        .min_size(vec2(0.0, theme::CONTROL_HEIGHT));
    let response = ui.add(edit).accessible_name(label);
    let rect = response.rect;
    let icon_left = rect.left_center() + vec2(6.0, 0.0);
    ui.painter().text(icon_left, Align2::LEFT_CENTER, icons::SEARCH, icons::font(14.0), palette.secondary);
    if is_cleared && (response.has_focus() || response.lost_focus()) {
        text.clear();
        response.request_focus();
    }
    if !text.is_empty() {
        let corner = egui::Rect::from_min_size(rect.right_top() - vec2(icons::BUTTON_SIDE, 0.0), vec2(icons::BUTTON_SIDE, rect.height()));
        let mut child = ui.new_child(UiBuilder::new().id_salt(label).max_rect(corner));
        if icons::button(&mut child, icons::CLOSE, &format!("Clear: {label}")).clicked() {
            text.clear();
            response.request_focus();
        }
    }
    response
}

/// The id of the field. With it, a caller can give the field the focus before drawing it.
pub fn id(ui: &Ui, label: &str) -> Id {
    ui.make_persistent_id(label)
}

/// The query of a search text: in lower case, without the spaces around it. It is empty if all names match.
pub fn query(text: &str) -> String {
    text.trim().to_lowercase()
}

/// Returns whether Enter was pressed in the field while it contains a query. Callers then act on the first result.
pub fn is_entered(ui: &Ui, field: &Response, text: &str) -> bool {
    field.lost_focus() && !query(text).is_empty() && ui.input(|input| input.key_pressed(Key::Enter))
}

/// Returns whether a name contains the query, ignoring case. See [`query`].
pub fn matches(name: &str, query: &str) -> bool {
    query.is_empty() || name.to_lowercase().contains(query)
}

//! Clickable rows of equal height, for lists that lay out only their visible rows, and for switches.

use egui::{Align2, Checkbox, Label, Rect, Response, Role, Sense, TextStyle, Ui, WidgetInfo, vec2};

use crate::ui::actions::Action;
use crate::ui::context::Context;
use crate::ui::style::{text, theme};
use crate::ui::widgets::value_rows;

/// Content of a row.
pub struct Row<'a> {
    /// Text at the left edge.
    pub name: &'a str,
    /// Text at the right edge. It is shortened if it is wider than half the row.
    pub value: &'a str,
    pub selected: bool,
    /// More text for the tooltip. It may be empty.
    pub details: &'a str,
    /// Name for screen readers.
    pub accessible_name: &'a str,
}

/// Reserves space for `count` rows, and calls `row` with the index and the rectangle of each visible row.
pub fn rows_ui(ui: &mut Ui, count: usize, mut row: impl FnMut(&mut Ui, usize, Rect)) {
    let height = theme::INSPECTOR_ROW_HEIGHT;
    let (all, _) = ui.allocate_exact_size(vec2(ui.available_width(), count as f32 * height), Sense::hover());
    let in_sight = ui.clip_rect().y_range();
    let row_at = |y: f32| ((y - all.top()) / height).max(0.0);
    for i in row_at(in_sight.min) as usize..count.min(row_at(in_sight.max).ceil() as usize) {
        row(ui, i, Rect::from_min_size(all.min + vec2(0.0, i as f32 * height), vec2(all.width(), height)));
    }
}

/// Draws one row. `id` is unique within its list.
pub fn row_ui(ui: &mut Ui, rect: Rect, id: impl std::hash::Hash + std::fmt::Debug, row: &Row) -> Response {
    let palette = theme::palette(ui.ctx());
    let response = ui.interact(rect, ui.scope_id().with(id), Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, row.selected, row.accessible_name));
    if row.selected {
        ui.painter().rect_filled(rect, theme::RADIUS, palette.selection);
    } else if response.hovered() || response.has_focus() {
        ui.painter().rect_filled(rect, theme::RADIUS, palette.hover);
    }
    let inner = rect.shrink2(vec2(4.0, 0.0));
    let small = TextStyle::Small.resolve(ui.style());
    let short_value = text::elide_middle(ui, row.value, &small, inner.width() / 2.0);
    let is_value_shortened = short_value != row.value;
    // The value is painted first, because the name gets the space that it leaves.
    let value = ui.painter().text(inner.right_center(), Align2::RIGHT_CENTER, short_value, small, palette.secondary);
    let font = TextStyle::Body.resolve(ui.style());
    let short = text::elide_middle(ui, row.name, &font, value.left() - inner.left() - 8.0);
    let is_shortened = is_value_shortened || short != row.name;
    ui.painter().text(inner.left_center(), Align2::LEFT_CENTER, short, font, palette.text);
    let whole = if is_shortened { format!("{}\n{}", row.name, row.value) } else { String::new() };
    match format!("{whole}\n{}", row.details).trim_matches('\n') {
        "" => response,
        tooltip => response.on_hover_text(tooltip),
    }
}

/// Draws a row with a check box for an action that is on or off. A click anywhere in the row performs the action.
pub fn switch_row_ui(ui: &mut Ui, context: &mut Context, label: &str, action: Action) {
    if described_switch_row_ui(ui, context, label, action, "") {
        context.actions.push(action);
    }
}

/// Draws the row of [`switch_row_ui`], with a text beside the check box. Returns whether it was clicked.
pub fn described_switch_row_ui(ui: &mut Ui, context: &Context, label: &str, action: Action, description: &str) -> bool {
    let mut on = action.is_on(context).unwrap_or_default();
    let disabled_reason = action.disabled_reason(context);
    let tooltip = disabled_reason.map_or_else(|| action.tooltip(), |reason| format!("{}\n{reason}", action.tooltip()));
    let (row, ticked) = value_rows::clickable_row_ui(ui, label, |ui| {
        let response = ui.add_enabled(disabled_reason.is_none(), Checkbox::without_text(&mut on));
        response.widget_info(|| WidgetInfo::selected(Role::CheckBox, disabled_reason.is_none(), on, action.label()));
        ui.add(Label::new(description).truncate().sense(Sense::hover()));
        response.on_disabled_hover_text(&tooltip).on_hover_text(&tooltip).changed()
    });
    let row_clicked = row.on_hover_text(tooltip).clicked() && disabled_reason.is_none();
    ticked || row_clicked
}

//! Menu rows with a check mark, a label and a shortcut: plain rows, submenus, actions, and choices of a value.

use egui::containers::menu::{MenuConfig, SubMenu};
use egui::{Align2, PopupCloseBehavior, Response, Role, Sense, TextStyle, Ui, WidgetInfo, pos2, vec2};

use crate::ui::actions::Action;
use crate::ui::context::Context;
use crate::ui::style::{icons, text, theme};

/// Height of the title of a group of rows, in points.
const SUB_HEAD_HEIGHT: f32 = 22.0;

/// Draws the rows of a menu without gaps, so that a long menu fits a small window.
pub fn rows(ui: &mut Ui, content: impl FnOnce(&mut Ui)) {
    ui.spacing_mut().item_spacing.y = 0.0;
    content(ui);
}

/// Draws a row. `on` is the state of a switch, or `None` if the row is not a switch.
pub fn item(ui: &mut Ui, label: &str, shortcut: &str, on: Option<bool>) -> Response {
    let palette = theme::palette(ui.ctx());
    let (enabled, font) = (ui.is_enabled(), TextStyle::Button.resolve(ui.style()));
    let color = if enabled { palette.text } else { palette.disabled };
    let label_galley = ui.painter().layout_no_wrap(label.to_owned(), font.clone(), color);
    let shortcut_color = if enabled { palette.secondary } else { palette.disabled };
    let shortcut_galley = ui.painter().layout_no_wrap(shortcut.to_owned(), font, shortcut_color);
    let (mark, gap) = (icons::BUTTON_SIDE, if shortcut.is_empty() { theme::MARGIN } else { 3.0 * theme::MARGIN });
    let width = mark + label_galley.size().x + gap + shortcut_galley.size().x + theme::MARGIN;
    let (rect, response) = ui.allocate_at_least(vec2(width, theme::CONTROL_HEIGHT), Sense::click());
    response.widget_info(|| match on {
        Some(on) => WidgetInfo::selected(Role::MenuItemCheckBox, enabled, on, label),
        None => WidgetInfo::labeled(Role::MenuItem, enabled, label),
    });
    if response.hovered() || response.has_focus() {
        ui.painter().rect_filled(rect, theme::RADIUS, palette.hover);
    }
    if on == Some(true) {
        let (left, _) = rect.split_left_right_at_x(rect.left() + mark);
        icons::paint(ui, left, icons::CHECK, icons::ICON_SIZE, palette.accent);
    }
    let middle = |galley: &egui::Galley| rect.center().y - galley.size().y / 2.0;
    let shortcut_x = rect.right() - theme::MARGIN - shortcut_galley.size().x;
    let painter = theme::undimmed(ui);
    painter.galley(pos2(rect.left() + mark, middle(&label_galley)), label_galley, color);
    painter.galley(pos2(shortcut_x, middle(&shortcut_galley)), shortcut_galley, color);
    response
}

/// Draws the title of a group of rows, with a line above it unless it is the first.
pub fn sub_head(ui: &mut Ui, label: &str) {
    let palette = theme::palette(ui.ctx());
    let is_first = ui.min_rect().height() <= 0.0;
    let (rect, response) = ui.allocate_at_least(vec2(0.0, SUB_HEAD_HEIGHT), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, label));
    if !is_first {
        ui.painter().hline(ui.max_rect().x_range(), rect.top() + 2.0, ui.visuals().widgets.noninteractive.bg_stroke);
    }
    let left = pos2(rect.left() + theme::MARGIN, rect.bottom() - SUB_HEAD_HEIGHT / 2.0 + 2.0);
    ui.painter().text(left, Align2::LEFT_CENTER, label, theme::sub_head_font(), palette.secondary);
}

/// Draws the row of an action. It is dim if the action is disabled and marked if it is on.
pub fn action(ui: &mut Ui, context: &mut Context, action: Action) {
    let on = action.is_on(context);
    let label = action.menu_label(context);
    let row = |ui: &mut Ui| item(ui, &label, &action.shortcut(), on);
    let disabled_reason = action.disabled_reason(context);
    let row = ui.add_enabled_ui(disabled_reason.is_none(), row).inner;
    if text::reason_beside(row, disabled_reason.unwrap_or_default()).clicked() {
        context.actions.push(action);
        ui.close();
    }
}

/// Draws a submenu. It stays open while a number in it is dragged, and closes when a row is chosen.
pub fn submenu(ui: &mut Ui, label: &str, content: impl FnOnce(&mut Ui)) {
    submenu_row(ui, label, Box::new(content));
}

/// Draws the row of a submenu, and the submenu while it is open. The content is boxed, because `SubMenu::show` has 16 KB of machine code,
/// which is compiled again for each type of closure.
fn submenu_row(ui: &mut Ui, label: &str, content: Box<dyn FnOnce(&mut Ui) + '_>) -> Response {
    // The row is as wide as a row with a shortcut, because the chevron takes the place of the shortcut.
    let response = item(ui, label, "  ", None);
    let (_, right) = response.rect.split_left_right_at_x(response.rect.right() - icons::BUTTON_SIDE);
    icons::paint(ui, right, icons::CHEVRON_RIGHT, icons::ICON_SIZE, theme::palette(ui.ctx()).secondary);
    let config = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    SubMenu::new().config(config).show(ui, &response, |ui| rows(ui, content));
    response
}

/// Like [`submenu`], but disabled if there is a `disabled_reason`.
pub fn submenu_unless(ui: &mut Ui, disabled_reason: Option<&str>, label: &str, content: impl FnOnce(&mut Ui)) {
    let row = ui.add_enabled_ui(disabled_reason.is_none(), |ui| submenu_row(ui, label, Box::new(content))).inner;
    text::reason_beside(row, disabled_reason.unwrap_or_default());
}

/// Draws the rows of several actions.
pub fn actions(ui: &mut Ui, context: &mut Context, actions: &[Action]) {
    for &row in actions {
        action(ui, context, row);
    }
}

/// Draws a row for one of the choices of a value. A click chooses it and closes the menu.
pub fn choice<T: PartialEq>(ui: &mut Ui, label: &str, value: &mut T, choice: T) {
    if item(ui, label, "", Some(*value == choice)).clicked() {
        *value = choice;
        ui.close();
    }
}

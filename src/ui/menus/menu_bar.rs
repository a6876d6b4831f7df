//! The menu bar: five menus, the file's name in the middle, and the shading and camera pickers at the right. The line under the bar shows
//! the progress of loading or of an export.

use egui::containers::menu::{MenuBar, MenuButton, MenuConfig, menu_style};
use egui::{
    Align, Button, Color32, Layout, PopupCloseBehavior, Rect, RichText, Role, Style, TextStyle, Ui, UiBuilder, WidgetInfo, pos2, vec2,
};

use crate::session::view::ViewCamera;
use crate::ui::actions::Action;
use crate::ui::actions::table::menu;
use crate::ui::commands::camera;
use crate::ui::context::Context;
use crate::ui::context::app_status::{AppStatus, Exporting};
use crate::ui::style::{icons, text, theme};
use crate::ui::widgets::menu_item;

use super::content;

/// Draws the bar.
pub fn menu_bar_ui(ui: &mut Ui, context: &mut Context) {
    let bar = MenuBar::new().style(|style: &mut Style| {
        // The style of menus removes the padding of buttons; the bar keeps it.
        let padding = style.spacing.button_padding;
        menu_style(style);
        style.spacing.button_padding = padding;
        style.spacing.item_spacing.x = 0.0;
    });
    bar.ui(ui, |ui| {
        // The file's name goes between the menus on the left and the pickers on the right.
        let all = ui.max_rect();
        ui.menu_button("File", |ui| menu_item::rows(ui, |ui| content::file_menu(ui, context)));
        ui.menu_button("Edit", |ui| menu_item::rows(ui, |ui| content::edit_menu(ui, context)));
        ui.menu_button("View", |ui| menu_item::rows(ui, |ui| content::view_menu(ui, context)));
        ui.menu_button("Animation", |ui| menu_item::rows(ui, |ui| content::animation_menu(ui, context)));
        ui.menu_button("Help", |ui| menu_item::rows(ui, |ui| content::help_menu(ui, context)));
        let left = ui.cursor().left();
        let right = ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            camera_choice(ui, context);
            shading_choice(ui, context);
            ui.cursor().right()
        });
        file_name(ui, context, Rect::from_x_y_ranges(left..=right.inner, all.y_range()), all.center().x);
    });
}

/// Draws the file's name in the middle of the window, or as near to it as `room` allows.
fn file_name(ui: &mut Ui, context: &Context, room: Rect, middle: f32) {
    let room = room.shrink2(vec2(theme::MARGIN, 0.0));
    if room.width() < 40.0 {
        return;
    }
    let font = TextStyle::Body.resolve(ui.style());
    let position = context.status.list_position.map_or(String::new(), |position| format!(" ({position})"));
    let file = context.status.file_label.as_ref().unwrap_or(&context.document.name);
    let name = text::elide_middle(ui, &format!("{file}{position}"), &font, room.width());
    let width = ui.painter().layout_no_wrap(name.clone(), font, Color32::PLACEHOLDER).size().x.min(room.width());
    let x = (middle - width / 2.0).clamp(room.left(), room.right() - width);
    let rect = Rect::from_min_size(pos2(x, room.top()), vec2(width, room.height()));
    let mut child = ui.new_child(UiBuilder::new().max_rect(rect).layout(Layout::left_to_right(Align::Center)));
    let label = child.label(RichText::new(name).color(theme::palette(ui.ctx()).secondary));
    label.on_hover_text(context.document.path.as_ref().map_or("Built-in sample model".to_owned(), |path| path.display().to_string()));
}

/// Draws the camera picker.
fn camera_choice(ui: &mut Ui, context: &mut Context) {
    let label = match context.view.camera {
        ViewCamera::File(camera) => camera::label(context, camera),
        ViewCamera::Fit | ViewCamera::Orbit(_) => "Free camera".to_owned(),
    };
    let font = TextStyle::Button.resolve(ui.style());
    let label = text::elide_middle(ui, &label, &font, 120.0);
    choice_button(ui, &label, "Camera", |ui| content::camera_menu(ui, context));
}

/// Draws the shading picker.
fn shading_choice(ui: &mut Ui, context: &mut Context) {
    let on = menu::SHADINGS.iter().copied().find(|action| action.is_on(context) == Some(true));
    choice_button(ui, on.map_or("", Action::label), "Shading", |ui| menu_item::actions(ui, context, menu::SHADINGS));
}

/// Draws a value with a chevron that opens a menu. `name` describes the choice in the tooltip and for screen readers.
fn choice_button(ui: &mut Ui, value: &str, name: &str, menu: impl FnOnce(&mut Ui)) {
    let chevron = RichText::new(icons::CHEVRON_DOWN).font(icons::font(icons::ICON_SIZE)).color(theme::palette(ui.ctx()).secondary);
    // A click into a field keeps the menu open. The other rows close the menu themselves.
    let config = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    let (response, _) = MenuButton::from_button(Button::new((value, chevron))).config(config).ui(ui, |ui| menu_item::rows(ui, menu));
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("{name}: {value}")));
    response.on_hover_text(name);
}

/// Draws a line under the menu bar while a file is read or an export runs.
pub fn progress_line_ui(ui: &Ui, status: &AppStatus, menu_bar: Rect) {
    let fraction = match (&status.loading, &status.exporting) {
        (Some(loading), _) => loading.fraction,
        (None, Some(Exporting { done, parts, is_new: false, .. })) => Some(*done as f32 / (*parts).max(1) as f32),
        (None, _) => return,
    };
    let palette = theme::palette(ui.ctx());
    let line = Rect::from_min_size(menu_bar.left_bottom(), vec2(menu_bar.width(), 2.0));
    // While the progress is unknown, the whole line is dim.
    let (done, color) = match fraction {
        Some(fraction) => (fraction.clamp(0.0, 1.0), palette.accent),
        None => (1.0, palette.selection),
    };
    ui.painter().rect_filled(line, 0.0, palette.field);
    ui.painter().rect_filled(line.with_max_x(line.left() + line.width() * done), 0.0, color);
}

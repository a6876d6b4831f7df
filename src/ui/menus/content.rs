//! The contents of the menus.

use egui::{Align, ScrollArea, TextStyle, Ui};

use crate::captions;
use crate::numbers::grouped;
use crate::session::file::file_list;
use crate::session::pose::crowd;
use crate::session::view::ViewCamera;
use crate::ui::actions::table::menu;
use crate::ui::actions::{availability, navigation};
use crate::ui::choices::{
    BACKGROUNDS, CROSS_FADES, CROWD_SIZES, JOINT_NAMES, JOINT_SHAPES, LIGHTINGS, NAME_STYLES, RELOAD_HINT, RELOAD_LABEL, REPEATS, SHADOWS,
    TONEMAPS,
};
use crate::ui::commands::{camera, playback};
use crate::ui::context::Context;
use crate::ui::context::preferences::{Navigation, ThemeChoice};
use crate::ui::context::request::Request;
use crate::ui::style::{icons, text};
use crate::ui::widgets::menu_item::{self, actions, submenu};
use crate::ui::widgets::number_field;

use super::saved_views;

/// Maximum height of a list of animations, files or cameras, in points. Longer lists scroll.
const LIST_HEIGHT: f32 = 400.0;
/// Maximum width of the name of a file, an animation or a camera, in points. Longer names are shortened.
const NAME_WIDTH: f32 = 280.0;

pub fn file_menu(ui: &mut Ui, context: &mut Context) {
    actions(ui, context, menu::OPEN);
    let no_files = context.preferences.recent_files.is_empty().then_some("No recent files");
    menu_item::submenu_unless(ui, no_files, "Recent files", |ui| recent_menu(ui, context));
    actions(ui, context, menu::COMPARE);
    actions(ui, context, menu::RELOAD);
    let on = context.preferences.reload_on_change;
    if menu_item::item(ui, RELOAD_LABEL, "", Some(on)).on_hover_text(RELOAD_HINT).clicked() {
        context.preferences.reload_on_change = !on;
        ui.close();
    }
    actions(ui, context, menu::OTHER_FILES);
    ui.separator();
    submenu(ui, "Environment", |ui| actions(ui, context, menu::ENVIRONMENT));
    ui.separator();
    actions(ui, context, menu::EXPORT);
    ui.separator();
    actions(ui, context, menu::CHECK);
    ui.separator();
    actions(ui, context, menu::QUIT);
}

fn recent_menu(ui: &mut Ui, context: &mut Context) {
    let font = TextStyle::Button.resolve(ui.style());
    ScrollArea::vertical().max_height(LIST_HEIGHT).show(ui, |ui| {
        for path in &context.preferences.recent_files {
            let name = file_list::distinct_name(path, &context.preferences.recent_files);
            let name = text::elide_middle(ui, &name, &font, NAME_WIDTH);
            let response = ui.push_id(path, |ui| menu_item::item(ui, &name, "", None)).inner;
            if response.on_hover_text(path.display().to_string()).clicked() {
                context.requests.push(Request::Open(path.clone()));
                ui.close();
            }
        }
    });
    ui.separator();
    if menu_item::item(ui, "Clear recent files", "", None).clicked() {
        context.requests.push(Request::ClearRecentFiles);
        ui.close();
    }
}

pub fn edit_menu(ui: &mut Ui, context: &mut Context) {
    actions(ui, context, menu::UNDO);
    ui.separator();
    actions(ui, context, menu::SELECT);
    ui.separator();
    actions(ui, context, menu::FIND);
}

pub fn view_menu(ui: &mut Ui, context: &mut Context) {
    submenu(ui, "Shading", |ui| actions(ui, context, menu::SHADINGS));
    submenu(ui, "Lighting and exposure", |ui| light_menu(ui, context));
    submenu(ui, "Background", |ui| {
        for (label, background) in BACKGROUNDS {
            menu_item::choice(ui, label, &mut context.view.display.background, background);
        }
    });
    submenu(ui, "Camera", |ui| camera_menu(ui, context));
    menu_item::submenu_unless(ui, availability::not_comparing(context), "Comparison", |ui| actions(ui, context, menu::COMPARISON));
    submenu(ui, "Crowd", |ui| crowd_menu(ui, context));
    actions(ui, context, menu::OVERLAYS);
    submenu(ui, "Motion trail and onion skin", |ui| actions(ui, context, menu::TRAIL_AND_ONION_SKIN));
    submenu(ui, "Root motion", |ui| actions(ui, context, menu::ROOT_MOTION));
    submenu(ui, "Joints", |ui| joints_menu(ui, context));
    ui.separator();
    actions(ui, context, menu::FRAME);
    submenu(ui, "Navigation", |ui| {
        for preset in Navigation::ALL {
            let response = menu_item::item(ui, preset.label(), "", Some(context.preferences.navigation == preset));
            if response.on_hover_text(navigation::buttons(preset)).clicked() {
                context.preferences.navigation = preset;
                ui.close();
            }
        }
    });
    ui.separator();
    submenu(ui, "Panels", |ui| actions(ui, context, menu::PANELS));
    actions(ui, context, menu::FULL_SCREEN);
    submenu(ui, "Theme and UI scale", |ui| {
        for theme in ThemeChoice::ALL {
            menu_item::choice(ui, theme.label(), &mut context.preferences.theme, theme);
        }
        ui.separator();
        actions(ui, context, menu::SCALE);
    });
}

fn joints_menu(ui: &mut Ui, context: &mut Context) {
    submenu(ui, "Joint names", |ui| {
        choices_menu(ui, &JOINT_NAMES, &mut context.view.display.names);
        ui.separator();
        for (label, style) in NAME_STYLES {
            menu_item::choice(ui, label, &mut context.preferences.names, style);
        }
    });
    submenu(ui, "Joint shape", |ui| choices_menu(ui, &JOINT_SHAPES, &mut context.view.display.joint_shape));
    actions(ui, context, menu::JOINTS);
}

fn choices_menu<T: Copy + PartialEq>(ui: &mut Ui, choices: &[(&str, T)], value: &mut T) {
    for (label, choice) in choices {
        menu_item::choice(ui, label, value, *choice);
    }
}

fn light_menu(ui: &mut Ui, context: &mut Context) {
    let display = &mut context.view.display;
    for (label, lighting) in LIGHTINGS {
        menu_item::choice(ui, label, &mut display.lighting, lighting);
    }
    ui.separator();
    for (label, shadow) in SHADOWS {
        menu_item::choice(ui, &format!("Shadow: {}", label.to_lowercase()), &mut display.shadow, shadow);
    }
    ui.separator();
    for (label, tonemap) in TONEMAPS {
        menu_item::choice(ui, &format!("Tone mapping: {label}"), &mut display.tonemap, tonemap);
    }
    ui.separator();
    ui.horizontal(|ui| {
        // In the style of menus, the number would not look draggable.
        ui.reset_style();
        ui.add_space(icons::BUTTON_SIDE);
        let label = ui.label("Exposure");
        let value = number_field::with_decimals(&mut display.exposure, 2).range(-10.0..=10.0).speed(0.02).suffix(" EV");
        ui.add(value).labelled_by(label.id);
        if display.exposure != 0.0 && icons::button(ui, icons::RESET, "Reset exposure").on_hover_text("Reset exposure").clicked() {
            display.exposure = 0.0;
        }
    });
}

/// Draws the choices for the number of instances in the crowd.
fn crowd_menu(ui: &mut Ui, context: &mut Context) {
    let crowd = &mut context.view.display.crowd;
    for count in CROWD_SIZES {
        menu_item::choice(ui, &grouped(count), crowd, count);
    }
    ui.separator();
    ui.horizontal(|ui| {
        // In the style of menus, the number would not look draggable.
        ui.reset_style();
        ui.add_space(icons::BUTTON_SIDE);
        let label = ui.label("Instances");
        ui.add(number_field::with_decimals(crowd, 0).range(1..=crowd::MAX_MEMBERS).speed(0.2)).labelled_by(label.id);
    });
}

pub fn animation_menu(ui: &mut Ui, context: &mut Context) {
    menu_item::submenu_unless(ui, availability::no_animation(context), "Switch animation", |ui| switch_menu(ui, context));
    actions(ui, context, menu::ANIMATION);
    ui.separator();
    actions(ui, context, menu::PLAYBACK);
    ui.separator();
    submenu(ui, "Loop mode", |ui| {
        for (label, repeat) in REPEATS {
            menu_item::choice(ui, label, &mut context.view.repeat, repeat);
        }
    });
    submenu(ui, "Speed", |ui| actions(ui, context, menu::SPEED));
    submenu(ui, "Cross-fade", |ui| {
        for (label, seconds) in CROSS_FADES {
            menu_item::choice(ui, label, &mut context.view.cross_fade, seconds);
        }
    });
    ui.separator();
    actions(ui, context, menu::RANGE);
}

/// Returns whether a menu was not drawn in the frame before.
fn is_first_frame(ui: &Ui) -> bool {
    let (id, frame) = (ui.scope_id().with("last frame"), ui.ctx().cumulative_frame_nr());
    let last = ui.data_mut(|data| std::mem::replace(data.get_temp_mut_or_default(id), frame));
    last + 1 < frame
}

/// Lists the animations, scrolled to the current one.
fn switch_menu(ui: &mut Ui, context: &mut Context) {
    let document = context.document;
    let font = TextStyle::Button.resolve(ui.style());
    let is_opened = is_first_frame(ui);
    ScrollArea::vertical().max_height(LIST_HEIGHT).show(ui, |ui| {
        let named = document.model.animations.iter().enumerate().map(|(i, animation)| (Some(i), animation.label(i)));
        for (animation, label) in std::iter::once((None, "No animation".to_owned())).chain(named) {
            let label = animation
                .map_or(label, |animation| document.names.fit_animation(animation, &captions::text::fits(ui.ctx(), &font, NAME_WIDTH)));
            let response = ui.push_id(animation, |ui| menu_item::item(ui, &label, "", Some(context.view.animation == animation))).inner;
            if is_opened && context.view.animation == animation {
                response.scroll_to_me(Some(Align::Center));
            }
            if response.clicked() {
                playback::choose_animation(context, animation);
                ui.close();
            }
        }
    });
}

pub fn help_menu(ui: &mut Ui, context: &mut Context) {
    actions(ui, context, menu::HELP);
}

pub fn camera_menu(ui: &mut Ui, context: &mut Context) {
    let font = TextStyle::Button.resolve(ui.style());
    let free = !matches!(context.view.camera, ViewCamera::File(_));
    if menu_item::item(ui, "Free camera", "", Some(free)).clicked() {
        if !free {
            context.view.camera = ViewCamera::Fit;
        }
        ui.close();
    }
    ScrollArea::vertical().max_height(LIST_HEIGHT).show(ui, |ui| {
        for camera in camera::carried(context) {
            let name = text::elide_middle(ui, &camera::label(context, camera), &font, NAME_WIDTH);
            ui.push_id(camera, |ui| menu_item::choice(ui, &name, &mut context.view.camera, ViewCamera::File(camera)));
        }
    });
    ui.separator();
    actions(ui, context, menu::SIDES);
    ui.separator();
    actions(ui, context, menu::FOLLOW);
    ui.separator();
    actions(ui, context, menu::CAMERA);
    ui.separator();
    saved_views::focal_length_rows(ui, context);
    ui.separator();
    saved_views::bookmarks_menu(ui, context);
    saved_views::presets_menu(ui, context);
}

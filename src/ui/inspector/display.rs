//! How the model is drawn: shading, light, colours, what lies over it; which scene, and through which camera.

use egui::{Checkbox, ComboBox, DragValue, Role, Stroke, StrokeKind, Ui, WidgetInfo};

use crate::session::lacking;
use crate::session::view::ViewCamera;
use crate::ui::actions::Action;
use crate::ui::menus::{self, LIGHTINGS, OVERLAYS, SHADINGS, TONEMAPS};
use crate::ui::{Frame, icons, perform, theme};

use super::rows;

pub fn display_ui(ui: &mut Ui, frame: &mut Frame) {
    scene_ui(ui, frame);
    camera_ui(ui, frame);
    let shading = SHADINGS.into_iter().find(|&action| perform::is_on(action, frame) == Some(true));
    choice_ui(ui, "Shading", shading.map_or("", Action::label), |ui| {
        for action in SHADINGS {
            if ui.selectable_label(shading == Some(action), action.label()).clicked() {
                perform::perform(action, frame);
            }
        }
    });
    lacking_ui(ui, frame);
    values_ui(ui, "Light", &LIGHTINGS, &mut frame.view.display.lighting);
    values_ui(ui, "Tone map", &TONEMAPS, &mut frame.view.display.tonemap);
    exposure_ui(ui, &mut frame.view.display.exposure);
    background_ui(ui, &mut frame.view.display.background);
    for action in OVERLAYS {
        let mut on = perform::is_on(action, frame).unwrap_or_default();
        let changed = rows::row_ui(ui, action.label(), |ui| {
            let response = ui.add(Checkbox::without_text(&mut on));
            response.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, on, action.label()));
            response.on_hover_text(action.tooltip()).changed()
        });
        if changed {
            perform::perform(action, frame);
        }
    }
}

/// What is hatched in the picture, and why.
fn lacking_ui(ui: &mut Ui, frame: &Frame) {
    if let Some((lacking, all, what)) = lacking::lacking(&frame.document.model, frame.view.display.shading) {
        let of_all = if all == 1 { "No".to_owned() } else { format!("{lacking} of {all} primitives: no") };
        rows::text_ui(ui, "Hatched", &format!("{of_all} {what}"));
    }
}

/// Where there are several scenes.
fn scene_ui(ui: &mut Ui, frame: &mut Frame) {
    let scenes = &frame.document.model.scenes;
    if scenes.len() < 2 {
        return;
    }
    let shown = frame.document.model.scene_or_default(frame.view.scene);
    let label =
        |i: usize| scenes.get(i).and_then(|scene| scene.name.clone()).filter(|name| !name.is_empty()).unwrap_or(format!("scene {i}"));
    choice_ui(ui, "Scene", &shown.map(label).unwrap_or_default(), |ui| {
        for i in 0..scenes.len() {
            if ui.push_id(i, |ui| ui.selectable_label(shown == Some(i), label(i))).inner.clicked() {
                frame.view.scene = Some(i);
            }
        }
    });
}

/// Where the file has cameras.
fn camera_ui(ui: &mut Ui, frame: &mut Frame) {
    let cameras = frame.document.model.cameras.len();
    if cameras == 0 {
        return;
    }
    let free = "Free camera".to_owned();
    let shown = match frame.view.camera {
        ViewCamera::File(camera) => menus::camera_label(frame, camera),
        ViewCamera::Fit | ViewCamera::Orbit(_) => free.clone(),
    };
    choice_ui(ui, "Camera", &shown, |ui| {
        let is_free = !matches!(frame.view.camera, ViewCamera::File(_));
        if ui.selectable_label(is_free, free).clicked() && !is_free {
            frame.view.camera = ViewCamera::Fit;
        }
        for camera in 0..cameras {
            let label = menus::camera_label(frame, camera);
            let chosen = frame.view.camera == ViewCamera::File(camera);
            if ui.push_id(camera, |ui| ui.selectable_label(chosen, label)).inner.clicked() {
                frame.view.camera = ViewCamera::File(camera);
            }
        }
    });
}

fn exposure_ui(ui: &mut Ui, exposure: &mut f32) {
    rows::control_ui(ui, "Exposure", |ui| {
        let value = DragValue::new(exposure).range(-10.0..=10.0).speed(0.02).fixed_decimals(2).suffix(" EV");
        ui.add(value).accessible_name("Exposure").on_hover_text("Drag, or click and type");
        if *exposure != 0.0 && icons::button(ui, icons::RESET, "Reset the exposure").on_hover_text("Reset the exposure").clicked() {
            *exposure = 0.0;
        }
    });
}

fn background_ui(ui: &mut Ui, background: &mut Option<[u8; 3]>) {
    rows::control_ui(ui, "Background", |ui| {
        let palette = theme::palette(ui.ctx());
        let mut color = background.unwrap_or([palette.viewport.r(), palette.viewport.g(), palette.viewport.b()]);
        let swatch = ui.color_edit_button_srgb(&mut color).accessible_name("Background colour");
        // Else the theme's own colour could hardly be seen on its panel.
        ui.painter().rect_stroke(swatch.rect, theme::RADIUS, Stroke::new(1.0, palette.outline), StrokeKind::Inside);
        if swatch.changed() {
            *background = Some(color);
        }
        if background.is_some() && icons::button(ui, icons::RESET, "Background of the theme").on_hover_text("As the theme has it").clicked()
        {
            *background = None;
        }
    });
}

/// One of a few values.
fn values_ui<T: Copy + PartialEq>(ui: &mut Ui, label: &str, values: &[(&str, T)], value: &mut T) {
    let shown = values.iter().find(|(_, this)| this == value).map_or("", |(name, _)| name);
    choice_ui(ui, label, shown, |ui| {
        for (name, this) in values {
            ui.selectable_value(value, *this, *name);
        }
    });
}

fn choice_ui(ui: &mut Ui, label: &str, shown: &str, choices: impl FnOnce(&mut Ui)) {
    rows::control_ui(ui, label, |ui| {
        let combo = ComboBox::from_id_salt(label).selected_text(shown).width(ui.available_width()).truncate();
        let response = combo.show_ui(ui, choices).response;
        response.widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, format!("{label}: {shown}")));
    });
}

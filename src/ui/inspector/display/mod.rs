//! The display section: the scene and the camera, then groups for shading, lighting, skeleton and overlays. Each control edits the view
//! directly.

pub mod trail_and_onion_skin;

use egui::{Checkbox, Label, Role, Sense, Stroke, StrokeKind, TextStyle, Ui, WidgetInfo};

use crate::model::label;
use crate::paths::file_name;
use crate::session::inspect::missing_attributes;
use crate::session::view::ViewCamera;
use crate::session::view::display::{Depth, Environment, Lighting};
use crate::ui::actions::Action;
use crate::ui::actions::table::menu;
use crate::ui::choices::{JOINT_NAMES, JOINT_SHAPES, LIGHTINGS, SHADOWS, TONEMAPS};
use crate::ui::commands::camera;
use crate::ui::context::Context;
use crate::ui::context::request::Request;
use crate::ui::style::{icons, text, theme};
use crate::ui::widgets::{combo_box, number_field, value_rows};

use super::groups::Group;
use super::list_rows;

/// The choices for whether the mesh hides lines, with their labels.
pub const DEPTHS: [(&str, Depth); 2] = [("Always on top", Depth::InFront), ("Occluded by mesh", Depth::Occluded)];

/// Maximum width of the name of a scene, a variant or a camera in the list of choices, in points.
const NAME_WIDTH: f32 = 280.0;

const SHADING: Group = Group::new("Shading", |open| &mut open.shading);
const LIGHTING: Group = Group::new("Lighting", |open| &mut open.lighting);
const SKELETON: Group = Group::new("Skeleton", |open| &mut open.skeleton);
const OVERLAYS: Group = Group::new("Overlays", |open| &mut open.overlays);

/// Draws the section.
pub fn display_ui(ui: &mut Ui, context: &mut Context) {
    scene_ui(ui, context);
    camera_ui(ui, context);
    SHADING.show(ui, context, shading_ui);
    LIGHTING.show(ui, context, lighting_ui);
    if context.document.joints.contains(&true) {
        SKELETON.show(ui, context, skeleton_ui);
    }
    OVERLAYS.show(ui, context, |ui, context| {
        for action in [Action::Outline, Action::Grid, Action::Axes] {
            list_rows::switch_row_ui(ui, context, action.label(), action);
        }
    });
}

/// Draws the controls for the surfaces and for the background.
fn shading_ui(ui: &mut Ui, context: &mut Context) {
    let shading = menu::SHADINGS.iter().copied().find(|action| action.is_on(context) == Some(true));
    choice_ui(ui, "Shading", shading.map_or("", Action::label), |ui| {
        for &action in menu::SHADINGS {
            if ui.selectable_label(shading == Some(action), action.label()).clicked() {
                context.actions.push(action);
            }
        }
    });
    missing_ui(ui, context);
    variant_ui(ui, context);
    background_ui(ui, &mut context.view.display.background);
    list_rows::switch_row_ui(ui, context, Action::Wireframe.label(), Action::Wireframe);
    list_rows::switch_row_ui(ui, context, Action::XRay.label(), Action::XRay);
}

/// Draws the controls for the light, the exposure and the tone mapping.
fn lighting_ui(ui: &mut Ui, context: &mut Context) {
    values_ui(ui, "Lighting", &LIGHTINGS, &mut context.view.display.lighting);
    environment_ui(ui, context);
    exposure_ui(ui, &mut context.view.display.exposure);
    values_ui(ui, "Tone mapping", &TONEMAPS, &mut context.view.display.tonemap);
    shadow_ui(ui, context);
}

/// Draws the controls for the skeleton.
fn skeleton_ui(ui: &mut Ui, context: &mut Context) {
    list_rows::switch_row_ui(ui, context, Action::Skeleton.label(), Action::Skeleton);
    values_ui(ui, "Joint shape", &JOINT_SHAPES, &mut context.view.display.joint_shape);
    values_ui(ui, "Joint names", &JOINT_NAMES, &mut context.view.display.names);
    values_ui(ui, "Skeleton depth", &DEPTHS, &mut context.view.display.skeleton_depth);
    list_rows::switch_row_ui(ui, context, Action::JointAxes.label(), Action::JointAxes);
}

/// Draws the shadow picker, or the reason why the light casts no shadow.
fn shadow_ui(ui: &mut Ui, context: &mut Context) {
    let display = &mut context.view.display;
    if display.lighting != Lighting::Studio {
        value_rows::text_ui(ui, "Shadow", "Needs environment lighting");
    } else if context.status.is_environment_sunless {
        value_rows::text_ui(ui, "Shadow", "Needs an environment with a sun");
    } else {
        values_ui(ui, "Shadow", &SHADOWS, &mut display.shadow);
    }
}

/// Shows how many primitives lack the attribute for the current shading. The viewport draws these primitives hatched.
fn missing_ui(ui: &mut Ui, context: &Context) {
    let display = &context.view.display;
    if let Some((lacking, all, attribute)) = missing_attributes::lacking(&context.document.model, display.shading, display.variant) {
        let count = if all == 1 { String::new() } else { format!(" ({lacking} of {all} primitives)") };
        value_rows::text_ui(ui, "Missing", &format!("{attribute}{count}"));
    }
}

/// Draws the scene picker, if the file has several scenes.
fn scene_ui(ui: &mut Ui, context: &mut Context) {
    let scenes = &context.document.model.scenes;
    if scenes.len() < 2 {
        return;
    }
    let shown = context.document.model.scene_or_default(context.view.scene);
    let label = |i: usize| label::text(scenes.get(i).and_then(|scene| scene.name.as_deref()), "scene", i);
    choice_ui(ui, "Scene", &shown.map(label).unwrap_or_default(), |ui| {
        for i in 0..scenes.len() {
            if name_ui(ui, i, shown == Some(i), &label(i)) {
                context.view.scene = Some(i);
            }
        }
    });
}

/// Draws the material variant picker, if the file has variants.
fn variant_ui(ui: &mut Ui, context: &mut Context) {
    let variants = &context.document.model.variants;
    if variants.is_empty() {
        return;
    }
    let label = |variant: Option<usize>| match variant.and_then(|variant| Some((variant, variants.get(variant)?))) {
        Some((i, variant)) => label::text(variant.name.as_deref(), "variant", i),
        None => "Default".to_owned(),
    };
    choice_ui(ui, "Variant", &label(context.view.display.variant), |ui| {
        for variant in std::iter::once(None).chain((0..variants.len()).map(Some)) {
            let chosen = context.view.display.variant == variant;
            if name_ui(ui, variant, chosen, &label(variant)) {
                context.view.display.variant = variant;
            }
        }
    });
}

/// Draws the camera picker, if a node of the file has a camera.
fn camera_ui(ui: &mut Ui, context: &mut Context) {
    let cameras = camera::carried(context);
    if cameras.is_empty() {
        return;
    }
    let free = "Free camera".to_owned();
    let shown = match context.view.camera {
        ViewCamera::File(camera) => camera::label(context, camera),
        ViewCamera::Fit | ViewCamera::Orbit(_) => free.clone(),
    };
    choice_ui(ui, "Camera", &shown, |ui| {
        let is_free = !matches!(context.view.camera, ViewCamera::File(_));
        if ui.selectable_label(is_free, free).clicked() && !is_free {
            context.view.camera = ViewCamera::Fit;
        }
        for camera in cameras {
            let chosen = context.view.camera == ViewCamera::File(camera);
            if name_ui(ui, camera, chosen, &camera::label(context, camera)) {
                context.view.camera = ViewCamera::File(camera);
            }
        }
    });
}

/// Draws the controls for the environment, if the lighting uses it: the studio or a panorama, the rotation in degrees, whether the
/// environment is shown as the background, and the blur of the background.
fn environment_ui(ui: &mut Ui, context: &mut Context) {
    let Context { view, preferences, requests, .. } = context;
    let Environment { file, rotation, shown, blur } = &mut view.display.environment;
    if view.display.lighting != Lighting::Studio {
        return;
    }
    choice_ui(ui, "Environment", &file.as_deref().map_or("Studio".to_owned(), file_name), |ui| {
        if ui.selectable_label(file.is_none(), "Studio").clicked() && file.is_some() {
            requests.push(Request::Environment(None));
        }
        for path in &preferences.recent_environments {
            let chosen = file.as_ref() == Some(path);
            let response = ui.push_id(path, |ui| ui.selectable_label(chosen, file_name(path))).inner;
            if response.on_hover_text(path.display().to_string()).clicked() && !chosen {
                requests.push(Request::Environment(Some(path.clone())));
            }
        }
        if ui.selectable_label(false, Action::OpenEnvironment.label()).clicked() {
            requests.push(Request::EnvironmentDialog);
        }
    });
    value_rows::control_ui(ui, "Rotation", |ui| {
        let value = number_field::with_decimals(rotation, 1).speed(0.5).suffix("\u{b0}");
        let changed = ui.add(value).accessible_name("Environment rotation").on_hover_text("Drag to change, or click to type").changed();
        if changed {
            *rotation = rotation.rem_euclid(360.0);
        }
        if *rotation != 0.0 && icons::button(ui, icons::RESET, "Reset rotation").on_hover_text("Reset rotation").clicked() {
            *rotation = 0.0;
        }
    });
    value_rows::row_ui(ui, "", |ui| {
        let response = ui.add(Checkbox::without_text(shown));
        if ui.add(Label::new("Show as background").sense(Sense::click())).clicked() {
            *shown = !*shown;
        }
        response.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, *shown, "Environment as background"));
        response.on_hover_text("Show the environment as the background");
    });
    if *shown {
        value_rows::control_ui(ui, "Blur", |ui| {
            let value = number_field::with_decimals(blur, 2).range(0.0..=1.0).speed(0.005);
            ui.add(value).accessible_name("Background blur").on_hover_text("Drag to change, or click to type");
        });
    }
}

/// Draws the exposure, in stops.
fn exposure_ui(ui: &mut Ui, exposure: &mut f32) {
    value_rows::control_ui(ui, "Exposure", |ui| {
        let value = number_field::with_decimals(exposure, 2).range(-10.0..=10.0).speed(0.02).suffix(" EV");
        ui.add(value).accessible_name("Exposure").on_hover_text("Drag to change, or click to type");
        if *exposure != 0.0 && icons::button(ui, icons::RESET, "Reset exposure").on_hover_text("Reset exposure").clicked() {
            *exposure = 0.0;
        }
    });
}

/// Draws the background color picker, with a button that restores the theme's color.
fn background_ui(ui: &mut Ui, background: &mut Option<[u8; 3]>) {
    value_rows::control_ui(ui, "Background", |ui| {
        let palette = theme::palette(ui.ctx());
        let mut color = background.unwrap_or([palette.viewport.r(), palette.viewport.g(), palette.viewport.b()]);
        let swatch = ui.color_edit_button_srgb(&mut color).accessible_name("Background color");
        // The outline makes the theme's color distinguishable from the panel.
        ui.painter().rect_stroke(swatch.rect, theme::RADIUS, Stroke::new(1.0, palette.outline), StrokeKind::Inside);
        if swatch.changed() {
            *background = Some(color);
        }
        if background.is_some() && icons::button(ui, icons::RESET, "Reset background").on_hover_text("Reset to theme default").clicked() {
            *background = None;
        }
    });
}

/// Draws a row that picks one of `choices`.
pub fn values_ui<T: Copy + PartialEq>(ui: &mut Ui, label: &str, choices: &[(&str, T)], value: &mut T) {
    value_rows::control_ui(ui, label, |ui| {
        combo_box::values_ui(ui, label, ui.available_width(), choices, value);
    });
}

/// Draws a choice of a combo box that has its name from the file. Returns whether it was clicked.
fn name_ui(ui: &mut Ui, id: impl egui::AsIdSalt, chosen: bool, name: &str) -> bool {
    let font = TextStyle::Button.resolve(ui.style());
    let short = text::elide_middle(ui, name, &font, NAME_WIDTH);
    ui.push_id(id, |ui| ui.selectable_label(chosen, short)).inner.clicked()
}

/// Draws a row with a combo box. `shown` is its current value.
fn choice_ui(ui: &mut Ui, label: &str, shown: &str, choices: impl FnOnce(&mut Ui)) {
    value_rows::control_ui(ui, label, |ui| {
        combo_box::combo_ui(ui, label, ui.available_width(), shown, choices);
    });
}

//! The contents of the menus. Most entries are rows of the action table; choices among values are tables here, which the inspector
//! and the command palette read, too.

use egui::{DragValue, ScrollArea, TextStyle, Ui};

use crate::session::camera::view_camera;
use crate::session::names::NameStyle;
use crate::session::pose::crowd;
use crate::session::view::ViewCamera;
use crate::session::view::display::{JointNames, JointShape, Lighting, Shadow, Tonemap};
use crate::ui::actions::action::Action;
use crate::ui::actions::availability;
use crate::ui::commands::playback;
use crate::ui::context::Context;
use crate::ui::dialogs::settings::{RELOAD, RELOAD_HINT};
use crate::ui::preferences::{Navigation, ThemeChoice};
use crate::ui::request::Request;
use crate::ui::style::numbers::grouped;
use crate::ui::style::{icons, text};
use crate::ui::widgets::menu_item::{self, actions, submenu};

/// Maximum height of a list of animations or files, in points. Longer lists scroll.
const LIST_HEIGHT: f32 = 400.0;
/// Maximum width of a file's or animation's name, in points. Longer names are shortened.
const NAME_WIDTH: f32 = 280.0;

/// The ways to shade the model. Weight colors are among them, because they replace the shading.
pub const SHADINGS: [Action; 9] = [
    Action::ShadeLit,
    Action::ShadeBaseColor,
    Action::ShadeClay,
    Action::ShadeNormals,
    Action::ShadeTangents,
    Action::ShadeUv,
    Action::ShadeVertexColors,
    Action::Weights,
    Action::AllWeights,
];
/// Switches of what is drawn over or around the model.
pub const OVERLAYS: [Action; 6] = [Action::Wireframe, Action::XRay, Action::Outline, Action::Skeleton, Action::Grid, Action::Axes];
// Values with their labels.
pub const JOINT_SHAPES: [(&str, JointShape); 4] =
    [("Lines", JointShape::Lines), ("Octahedra", JointShape::Octahedra), ("Spheres", JointShape::Spheres), ("Boxes", JointShape::Boxes)];
pub const JOINT_NAMES: [(&str, JointNames); 3] =
    [("None", JointNames::None), ("Of the selection", JointNames::Selection), ("All", JointNames::All)];
/// Short names leave out the prefix that all joints of a skeleton share. They hold for lists, too.
pub const NAME_STYLES: [(&str, NameStyle); 2] = [("Short names", NameStyle::Short), ("Full names", NameStyle::Full)];
pub const LIGHTINGS: [(&str, Lighting); 3] =
    [("Studio", Lighting::Studio), ("Flat, from the camera", Lighting::Flat), ("None: base colour only", Lighting::None)];
pub const SHADOWS: [(&str, Shadow); 3] = [("Automatic", Shadow::Automatic), ("On", Shadow::On), ("Off", Shadow::Off)];
pub const TONEMAPS: [(&str, Tonemap); 4] =
    [("Khronos Neutral", Tonemap::Neutral), ("ACES", Tonemap::Aces), ("AgX", Tonemap::Agx), ("None", Tonemap::None)];
/// Durations of the blend between animations, in seconds.
pub const CROSS_FADES: [(&str, f64); 5] = [("Off", 0.0), ("0.1 s", 0.1), ("0.2 s", 0.2), ("0.5 s", 0.5), ("1 s", 1.0)];
/// Numbers of models in a crowd.
const CROWDS: [u32; 6] = [1, 10, 100, 1000, 10_000, crowd::MAX_MEMBERS];
/// Background colors as sRGB, with their labels.
pub const BACKGROUNDS: [(&str, Option<[u8; 3]>); 6] = [
    ("As the theme", None),
    ("Black", Some([0, 0, 0])),
    ("Dark grey", Some([46, 46, 46])),
    ("Middle grey", Some([119, 119, 119])),
    ("Light grey", Some([211, 211, 211])),
    ("White", Some([255, 255, 255])),
];

// The contents of two submenus.
const TRAIL_ACTIONS: [Action; 7] = [
    Action::MotionTrail,
    Action::TrailWindow,
    Action::TrailHidden,
    Action::OnionSkin,
    Action::RestGhost,
    Action::BindGhost,
    Action::SkeletonHidden,
];
const ROOT_MOTION_ACTIONS: [Action; 5] =
    [Action::InPlace, Action::GroundPath, Action::PathInFront, Action::SpeedGraph, Action::FootContacts];

/// Draws the File menu.
pub fn file_menu(ui: &mut Ui, context: &mut Context) {
    menu_item::action(ui, context, Action::Open);
    let no_files = context.preferences.recent_files.is_empty().then_some("No file was opened yet");
    menu_item::submenu_unless(ui, no_files, "Recent files", |ui| recent_menu(ui, context));
    menu_item::action(ui, context, Action::Reload);
    let on = context.preferences.reload_on_change;
    if menu_item::item(ui, RELOAD, "", Some(on)).on_hover_text(RELOAD_HINT).clicked() {
        context.preferences.reload_on_change = !on;
        ui.close();
    }
    actions(ui, context, &[Action::PreviousFile, Action::NextFile]);
    menu_item::action(ui, context, Action::OpenSample);
    ui.separator();
    actions(ui, context, &[Action::OpenEnvironment, Action::StudioEnvironment]);
    ui.separator();
    menu_item::action(ui, context, Action::Screenshot);
    menu_item::action(ui, context, Action::ScreenshotNow);
    actions(ui, context, &[Action::ExportClip, Action::CopyCommand]);
    menu_item::action(ui, context, Action::SaveView);
    ui.separator();
    menu_item::action(ui, context, Action::Settings);
    menu_item::action(ui, context, Action::Quit);
}

/// Draws the recent files, and an entry that clears them.
fn recent_menu(ui: &mut Ui, context: &mut Context) {
    let font = TextStyle::Button.resolve(ui.style());
    ScrollArea::vertical().max_height(LIST_HEIGHT).show(ui, |ui| {
        for path in &context.preferences.recent_files {
            let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
            let name = text::elide_middle(ui, &name, &font, NAME_WIDTH);
            let response = ui.push_id(path, |ui| menu_item::item(ui, &name, "", None)).inner;
            if response.on_hover_text(path.display().to_string()).clicked() {
                context.requests.push(Request::Open(path.clone()));
                ui.close();
            }
        }
    });
    ui.separator();
    if menu_item::item(ui, "Clear this list", "", None).clicked() {
        context.requests.push(Request::ClearRecentFiles);
        ui.close();
    }
}

/// Draws the View menu.
pub fn view_menu(ui: &mut Ui, context: &mut Context) {
    for action in [Action::Undo, Action::Redo] {
        menu_item::action(ui, context, action);
    }
    ui.separator();
    submenu(ui, "Shading", |ui| actions(ui, context, &SHADINGS));
    submenu(ui, "Light and exposure", |ui| light_menu(ui, context));
    submenu(ui, "Background", |ui| {
        for (label, background) in BACKGROUNDS {
            menu_item::choice(ui, label, &mut context.view.display.background, background);
        }
    });
    submenu(ui, "Camera", |ui| camera_menu(ui, context));
    submenu(ui, "Crowd", |ui| crowd_menu(ui, context));
    actions(ui, context, &OVERLAYS);
    submenu(ui, "Trail and onion skin", |ui| actions(ui, context, &TRAIL_ACTIONS));
    submenu(ui, "Root motion", |ui| actions(ui, context, &ROOT_MOTION_ACTIONS));
    submenu(ui, "Joints", |ui| joints_menu(ui, context));
    ui.separator();
    actions(ui, context, &[Action::FitSelection, Action::FitAll]);
    submenu(ui, "Navigation", |ui| {
        for navigation in Navigation::ALL {
            let response = menu_item::item(ui, navigation.label(), "", Some(context.preferences.navigation == navigation));
            if response.on_hover_text(navigation.buttons()).clicked() {
                context.preferences.navigation = navigation;
                ui.close();
            }
        }
    });
    ui.separator();
    submenu(ui, "Panels", |ui| {
        actions(ui, context, &[Action::LeftPanel, Action::Timeline, Action::TimelineRows, Action::Inspector]);
        actions(ui, context, &[Action::Performance, Action::AllPanels]);
    });
    menu_item::action(ui, context, Action::FullScreen);
    submenu(ui, "Theme and scale", |ui| {
        for theme in ThemeChoice::ALL {
            menu_item::choice(ui, theme.label(), &mut context.preferences.theme, theme);
        }
        ui.separator();
        actions(ui, context, &[Action::LargerScale, Action::SmallerScale, Action::NormalScale]);
    });
}

/// Draws the submenu about joints.
fn joints_menu(ui: &mut Ui, context: &mut Context) {
    submenu(ui, "Joint names", |ui| {
        choices_menu(ui, &JOINT_NAMES, &mut context.view.display.names);
        ui.separator();
        for (label, style) in NAME_STYLES {
            menu_item::choice(ui, label, &mut context.preferences.names, style);
        }
    });
    submenu(ui, "Shape", |ui| choices_menu(ui, &JOINT_SHAPES, &mut context.view.display.joint_shape));
    actions(ui, context, &[Action::JointAxes, Action::Isolate]);
}

/// Draws an entry for each value.
fn choices_menu<T: Copy + PartialEq>(ui: &mut Ui, choices: &[(&str, T)], value: &mut T) {
    for (label, this) in choices {
        menu_item::choice(ui, label, value, *this);
    }
}

/// Draws the submenu about light, shadow, tone map and exposure.
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
        menu_item::choice(ui, &format!("Tone map: {label}"), &mut display.tonemap, tonemap);
    }
    ui.separator();
    ui.horizontal(|ui| {
        // Styled as a field, so that it looks draggable.
        ui.reset_style();
        ui.add_space(icons::BUTTON);
        let label = ui.label("Exposure");
        let value = DragValue::new(&mut display.exposure).range(-10.0..=10.0).speed(0.02).fixed_decimals(2).suffix(" EV");
        ui.add(value).labelled_by(label.id);
        if display.exposure != 0.0 && icons::button(ui, icons::RESET, "Reset the exposure").on_hover_text("Reset the exposure").clicked() {
            display.exposure = 0.0;
        }
    });
}

/// Picks the number of models in the crowd.
fn crowd_menu(ui: &mut Ui, context: &mut Context) {
    let crowd = &mut context.view.display.crowd;
    for count in CROWDS {
        menu_item::choice(ui, &grouped(count as usize), crowd, count);
    }
    ui.separator();
    ui.horizontal(|ui| {
        // Styled as a field, so that it looks draggable.
        ui.reset_style();
        ui.add_space(icons::BUTTON);
        let label = ui.label("Members");
        ui.add(DragValue::new(crowd).range(1..=crowd::MAX_MEMBERS).speed(0.2).update_while_editing(false)).labelled_by(label.id);
    });
}

/// Draws the Animation menu.
pub fn animation_menu(ui: &mut Ui, context: &mut Context) {
    menu_item::submenu_unless(ui, availability::no_animation(context), "Choose", |ui| choose_menu(ui, context));
    actions(ui, context, &[Action::PreviousAnimation, Action::NextAnimation, Action::PlayInTurn]);
    actions(ui, context, &[Action::BindPose, Action::ResetMorphs]);
    ui.separator();
    actions(ui, context, &[Action::PlayPause, Action::PreviousFrame, Action::NextFrame, Action::First, Action::Last]);
    actions(ui, context, &[Action::PreviousKey, Action::NextKey]);
    ui.separator();
    submenu(ui, "Repeat", |ui| {
        for repeat in playback::REPEATS {
            menu_item::choice(ui, playback::repeat_label(repeat), &mut context.view.repeat, repeat);
        }
    });
    submenu(ui, "Speed", |ui| actions(ui, context, &[Action::Slower, Action::Faster, Action::NormalSpeed]));
    submenu(ui, "Cross-fade", |ui| {
        for (label, seconds) in CROSS_FADES {
            menu_item::choice(ui, label, &mut context.view.cross_fade, seconds);
        }
    });
    ui.separator();
    actions(ui, context, &[Action::SetIn, Action::SetOut, Action::ClearRange, Action::FitTimeline]);
}

/// Draws the list of animations, the rest pose first.
fn choose_menu(ui: &mut Ui, context: &mut Context) {
    let document = context.document;
    let font = TextStyle::Button.resolve(ui.style());
    ScrollArea::vertical().max_height(LIST_HEIGHT).show(ui, |ui| {
        let named = document.model.animations.iter().enumerate().map(|(i, animation)| (Some(i), animation.label(i)));
        for (animation, label) in std::iter::once((None, "No animation".to_owned())).chain(named) {
            let label =
                animation.map_or(label, |animation| document.names.fit_animation(animation, &text::fits(ui.ctx(), &font, NAME_WIDTH)));
            let response = ui.push_id(animation, |ui| menu_item::item(ui, &label, "", Some(context.view.animation == animation))).inner;
            if response.clicked() {
                playback::choose_animation(context, animation);
                ui.close();
            }
        }
    });
}

/// Draws the Help menu.
pub fn help_menu(ui: &mut Ui, context: &mut Context) {
    actions(ui, context, &[Action::Commands, Action::Shortcuts, Action::About]);
}

/// Draws the cameras of the file that the scene places, and the standard directions.
pub fn camera_menu(ui: &mut Ui, context: &mut Context) {
    let document = context.document;
    let free = !matches!(context.view.camera, ViewCamera::File(_));
    if menu_item::item(ui, "Free camera", "", Some(free)).clicked() {
        if !free {
            context.view.camera = ViewCamera::Fit;
        }
        ui.close();
    }
    ScrollArea::vertical().max_height(LIST_HEIGHT).show(ui, |ui| {
        for camera in 0..document.model.cameras.len() {
            if view_camera::camera_node(&document.model, context.view, camera).is_some() {
                ui.push_id(camera, |ui| {
                    menu_item::choice(ui, &camera_label(context, camera), &mut context.view.camera, ViewCamera::File(camera));
                });
            }
        }
    });
    ui.separator();
    let sides = [Action::LookFront, Action::LookBack, Action::LookRight, Action::LookLeft, Action::LookTop, Action::LookBottom];
    actions(ui, context, &sides);
    ui.separator();
    actions(ui, context, &[Action::Follow, Action::FocusAndFollow]);
    ui.separator();
    actions(ui, context, &[Action::Orthographic, Action::NextCamera]);
}

/// The name of a camera of the file: its own, else that of its node.
pub fn camera_label(context: &Context, camera: usize) -> String {
    let model = &context.document.model;
    let named = model.cameras.get(camera).and_then(|camera| camera.name.clone()).filter(|name| !name.is_empty());
    let node = || view_camera::camera_node(model, context.view, camera).and_then(|node| model.nodes[node].name.clone());
    named.or_else(node).unwrap_or_else(|| format!("camera {camera}"))
}

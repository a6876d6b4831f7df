//! Drives the panels in tests: opens a model, clicks, drags, presses keys, and reads the selection.

use egui::accesskit::Role;
use egui::epaint::TextShape;
use egui::{Event, Modifiers, MouseWheelSource, MouseWheelUnit, PointerButton, Pos2, Rect, Shape, TouchPhase, Vec2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use glam::{DVec2, DVec3};

use sinew::model::Model;
use sinew::session::camera::screen::ScreenProjection;
use sinew::session::camera::view_camera;
use sinew::session::view::joint_switches::Column;
use sinew::ui::context::preferences::OpenGroups;

use crate::common::hand_made;
use crate::common::ui_harness::{Window, harness, walker};

pub type Ui = Harness<'static, Window>;

pub const CTRL: Modifiers = Modifiers { ctrl: true, command: true, ..Modifiers::NONE };

/// Opens a model with all groups of the inspector unfolded.
pub fn open(model: Model) -> Ui {
    harness(1280.0, 900.0, 1.0, unfolded(Window::new(model)))
}

/// Unfolds the groups of the inspector that are folded at first.
pub fn unfolded(mut window: Window) -> Window {
    window.state.preferences.open_groups = OpenGroups { global: true, rest: true, matrix: true, ..OpenGroups::default() };
    window
}

/// Builds hips with two legs and feet, and a separate node. All nodes but the root "Armature" and "Prop" are joints of a skin.
pub fn rig() -> Model {
    let nodes = [
        ("Armature", None),
        ("Hips", Some(0)),
        ("LeftLeg", Some(1)),
        ("LeftFoot", Some(2)),
        ("RightLeg", Some(1)),
        ("RightFoot", Some(4)),
        ("Prop", None),
    ];
    let mut model = hand_made::tree(&nodes.map(|(name, parent)| (name.to_string(), parent)));
    hand_made::add_skin(&mut model, &[1, 2, 3, 4, 5]);
    model
}

pub fn click(ui: &mut Ui, label: &str) {
    ui.get_by_label(label).click();
    ui.run();
}

pub fn click_with(ui: &mut Ui, label: &str, modifiers: Modifiers) {
    ui.get_by_label(label).click_modifiers(modifiers);
    ui.run();
}

/// Clicks a row of the node tree. Its role is given because the inspector shows the same names.
pub fn click_row(ui: &mut Ui, name: &str, modifiers: Modifiers) {
    ui.get_by_role_and_label(Role::TreeItem, name).click_modifiers(modifiers);
    ui.run();
}

pub fn row_shown(ui: &Ui, name: &str) -> bool {
    ui.query_by_role_and_label(Role::TreeItem, name).is_some()
}

pub fn source(ui: &Ui, name: &str) -> usize {
    let nodes = &ui.state().document.model.nodes;
    nodes.iter().find(|node| node.name.as_deref() == Some(name)).expect("a node of this name").source
}

/// Returns the node's own switch: on, and solo.
pub fn switch(ui: &Ui, name: &str, column: Column) -> (bool, bool) {
    let switch = sinew::session::view::joint_switches::switch(&ui.state().view.switches, source(ui, name), column);
    (switch.on, switch.solo)
}

pub fn selected(ui: &Ui) -> Vec<String> {
    let model = &ui.state().document.model;
    let view = &ui.state().view;
    view.selection.iter().map(|&source| model.node(model.node_from_source(source).expect("a node")).label()).collect()
}

pub fn move_to(ui: &mut Ui, at: Pos2) {
    ui.event(Event::PointerMoved(at));
    ui.run();
}

pub fn press(ui: &mut Ui, at: Pos2, button: PointerButton, pressed: bool) {
    ui.event(Event::PointerButton { pos: at, button, pressed, modifiers: Modifiers::NONE });
    ui.run();
}

/// Sends the press or release of the primary button without running a frame.
pub fn send_button(ui: &Ui, at: Pos2, pressed: bool, modifiers: Modifiers) {
    ui.event(Event::PointerMoved(at));
    ui.event(Event::ModifiersChanged(modifiers));
    ui.event(Event::PointerButton { pos: at, button: PointerButton::Primary, pressed, modifiers });
}

/// Clicks at a position in the window. Press and release are in one frame, because frames of the harness take so long that two of them
/// might not be a click.
pub fn click_at(ui: &mut Ui, at: Pos2, modifiers: Modifiers) {
    move_to(ui, at);
    send_button(ui, at, true, modifiers);
    send_button(ui, at, false, modifiers);
    ui.run();
}

pub fn double_click(ui: &mut Ui, at: Pos2) {
    // A frame of the harness takes long, so allow more time between the clicks.
    ui.ctx.options_mut(|options| options.input_options.max_double_click_delay = 2.0);
    move_to(ui, at);
    for pressed in [true, false, true, false] {
        ui.event(Event::PointerButton { pos: at, button: PointerButton::Primary, pressed, modifiers: Modifiers::NONE });
    }
    ui.run();
}

/// Presses at the first point, moves through all others, and releases at the last.
pub fn drag(ui: &mut Ui, button: PointerButton, points: &[Pos2]) {
    move_to(ui, points[0]);
    press(ui, points[0], button, true);
    for point in points {
        move_to(ui, *point);
    }
    press(ui, points[points.len() - 1], button, false);
}

/// Returns the event of a turn of the wheel by lines, or of a scroll by points on a touchpad.
pub fn wheel(unit: MouseWheelUnit, delta: Vec2, modifiers: Modifiers) -> Event {
    let source = if unit == MouseWheelUnit::Line { MouseWheelSource::Wheel } else { MouseWheelSource::Unknown };
    Event::MouseWheel { unit, delta, phase: TouchPhase::Move, source, modifiers }
}

/// Returns every painted text with its clip rectangle.
pub fn painted_texts(ui: &Ui) -> impl Iterator<Item = (&TextShape, Rect)> {
    ui.output().shapes.iter().filter_map(|clipped| match &clipped.shape {
        Shape::Text(text) => Some((text, clipped.clip_rect)),
        _ => None,
    })
}

/// Returns where a point of the world is in the window.
pub fn project(ui: &Ui, point: DVec3) -> Pos2 {
    let window = ui.state();
    let viewport = window.areas.expect("a frame was laid out").viewport;
    let camera = view_camera::camera(window.subject(), &window.posed, f64::from(viewport.aspect_ratio()));
    let projection = ScreenProjection { camera, size: DVec2::new(viewport.width().into(), viewport.height().into()) };
    let at = projection.project(point).expect("a point in front of the eye").point;
    viewport.min + vec2(at.x as f32, at.y as f32)
}

/// Opens the walker in a window of the usual size.
pub fn window() -> Ui {
    harness(1280.0, 720.0, 1.0, Window::new(walker()))
}

/// Opens a window too small for the inspector, which repeats some of the labels in the menus.
pub fn without_inspector() -> Ui {
    harness(900.0, 600.0, 1.0, Window::new(walker()))
}

//! The comparison in the viewport: labels and legends, and the half of B, which moves the same camera. A click or the pointer on B means
//! its counterpart in A.

use egui::{CursorIcon, Id, PointerButton, Pos2, Rect, Role, Sense, Stroke, Ui, WidgetInfo, vec2};
use glam::DVec2;

use crate::captions::joint_names::{self, Names};
use crate::captions::legends::comparison;
use crate::compare::counterpart::Layout;
use crate::model::node::NodeIndex;
use crate::session::camera::screen::ScreenProjection;
use crate::session::pick;
use crate::session::pose::solve::Posed;
use crate::session::view::display::JointNames;
use crate::session::view::selection::How;
use crate::ui::actions::navigation::{self, Gesture};
use crate::ui::commands::camera;
use crate::ui::context::Context;
use crate::ui::context::comparison::{CompareStatus, OtherClick, OtherPose, Seen};
use crate::ui::context::request::Request;
use crate::ui::style::theme;

use super::{Click, MAX_CLICK_DISTANCE, ViewportState, point_in};

/// Minimum width of a half that shows its label, in points.
const MIN_LABELED_WIDTH: f32 = 100.0;

/// The state of the half of B.
#[derive(Debug, Clone, Default)]
pub struct OtherState {
    /// The click to resolve when the pose is ready, in points from the corner of the half.
    click: Option<(DVec2, How)>,
    /// Position of the last click.
    last_click: Option<DVec2>,
}

/// The id of the half of B as a widget.
fn id() -> Id {
    Id::unique("viewport of B")
}

/// Handles drags and the wheel over the half of B: they move the camera, as over that of A. Clicks are recorded.
pub fn controls_ui(ui: &mut Ui, state: &mut ViewportState, context: &mut Context, rect: Rect) {
    let grip = ui.style().interaction.resize_grab_radius_side;
    let response = ui.interact(rect.shrink(grip + 1.0), id(), Sense::CLICK | Sense::DRAG);
    response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, "Viewport of B"));
    let modifiers = ui.input(|input| input.modifiers);
    for button in [PointerButton::Primary, PointerButton::Middle, PointerButton::Secondary] {
        let gesture = navigation::gesture(context.preferences.navigation, button, modifiers);
        if let Some(gesture) = gesture.filter(|gesture| response.dragged_by(button) && *gesture != Gesture::Select) {
            let delta = response.drag_delta();
            camera::change_orbit(context, |orbit| navigation::drag(orbit, gesture, delta, rect.size()));
        }
    }
    if let Some(pointer) = response.hover_pos() {
        super::apply_scroll(ui, context, pointer, rect);
    }
    if let Some(at) = response.interact_pointer_pos() {
        if response.double_clicked() {
            // The first click has selected the counterpart.
            state.click = Some(Click::Focus);
        } else if response.clicked() {
            state.other.click = Some((point_in(rect, at), super::how(modifiers)));
        }
    }
}

/// Draws the labels and legends of the comparison over the viewport, and what belongs to the joints of B. Resolves a click on B. `halves`
/// are the places of A and B, the same one if they are not side by side.
pub fn readouts_ui(ui: &Ui, state: &mut ViewportState, context: &mut Context, seen: &Seen, [left, right]: [Rect; 2]) {
    let Some(other) = seen.other else { return };
    let Some(status) = &context.status.comparison else { return };
    let colors = theme::picture_colors(ui.ctx());
    let is_split = left != right;
    let paint = |rect: Rect, legend: &comparison::Legend| {
        // Even a small half has a label, because the halves look alike.
        if rect.width() > MIN_LABELED_WIDTH {
            comparison::paint(&ui.painter_at(rect), colors, rect, legend);
        }
    };
    paint(left, &status.legend(colors, context.preferences.units));
    if !is_split {
        return;
    }
    paint(right, &status.other_legend());
    let line = Stroke::new(1.0, theme::palette(ui.ctx()).divider);
    ui.painter().vline((left.right() + right.left()) / 2.0, left.y_range(), line);
    let projection = ScreenProjection { camera: *seen.camera, size: DVec2::new(right.width().into(), right.height().into()) };
    let OtherPose { document, view, posed } = other;
    let pointer = ui.ctx().read_response(id()).and_then(|response| response.hover_pos());
    let hovered = pointer.and_then(|at| pick::joints_under(document, view, posed, &projection, point_in(right, at)).first().copied());
    if view.display.names != JointNames::None {
        let names = Names { document, view, posed, projection: &projection, hovered, style: context.preferences.names };
        joint_names::paint(&ui.painter_at(right), colors, right.min, &names);
    }
    rings_ui(ui, context, seen, [left, right], [state.hovered, hovered]);
    if let Some((point, how)) = state.other.click.take() {
        let is_repeated = state.other.last_click.is_some_and(|last| last.distance(point) <= MAX_CLICK_DISTANCE);
        state.other.last_click = Some(point);
        ask(context, OtherClick { projection, point, how, is_repeated, has_joints: true });
    }
}

/// Returns whether B is a ghost over A.
pub fn is_overlay(context: &Context) -> bool {
    context.status.comparison.as_ref().is_some_and(|status| status.is_shown && status.choices.layout == Layout::Overlay)
}

/// Asks the application to select the counterpart of what is under a click on B.
pub fn ask(context: &mut Context, click: OtherClick) {
    context.requests.push(Request::PickOther(click));
}

/// Draws rings around the joint under the pointer and its counterpart, and the name of B's. `hovered` are the joints of A and B; one of
/// them at most is under the pointer.
fn rings_ui(ui: &Ui, context: &Context, seen: &Seen, [left, right]: [Rect; 2], hovered: [Option<NodeIndex>; 2]) {
    let (Some(other), Some(status)) = (seen.other, &context.status.comparison) else { return };
    let Some(binding) = status.found.as_ref().map(|found| &found.binding) else { return };
    let palette = theme::palette(ui.ctx());
    let ring = |rect: Rect, posed: &Posed, node: NodeIndex| -> Option<Pos2> {
        let projection = ScreenProjection { camera: *seen.camera, size: DVec2::new(rect.width().into(), rect.height().into()) };
        let place = projection.project(posed.globals.get(node.index())?.translation)?.point;
        let center = rect.min + vec2(place.x as f32, place.y as f32);
        super::ring(&ui.painter_at(rect), center, palette);
        Some(center)
    };
    if let Some(counterpart) = hovered[0].and_then(|node| binding.to_b.get(node.index()).copied().flatten()) {
        ring(right, other.posed, counterpart);
    }
    if let Some(node) = hovered[1] {
        let counterpart = binding.to_a.get(node.index()).copied().flatten();
        counterpart.and_then(|counterpart| ring(left, seen.posed, counterpart));
        if let Some(center) = ring(right, other.posed, node) {
            super::pill(ui, right, center + vec2(0.0, -22.0), &name(context, status, node, counterpart.is_some()), palette.text);
        }
        ui.ctx().set_cursor_icon(CursorIcon::PointingHand);
    }
}

/// The name of a node of B, and whether A lacks it.
fn name(context: &Context, status: &CompareStatus, node: NodeIndex, is_bound: bool) -> String {
    let name = status.names.node(node, context.preferences.names);
    if is_bound { name.to_owned() } else { format!("{name} (only in B)") }
}

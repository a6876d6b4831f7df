//! The comparison in the viewport: the two halves, labels and legends, and the half that shows model B. Drags over this half move the
//! camera that both halves share. A click on a node of B acts on its counterpart in A.

use egui::{CursorIcon, Id, Pos2, Rect, Response, Role, Sense, Ui, WidgetInfo, pos2, vec2};
use glam::DVec2;

use crate::captions::joint_names::{self, JointLabels};
use crate::captions::legends::comparison::{self, Arrangement, Legend};
use crate::compare::counterpart::CompareView;
use crate::model::node::NodeIndex;
use crate::session::camera::screen::ScreenProjection;
use crate::session::pick;
use crate::session::pose::solve::Posed;
use crate::session::view::display::JointNames;
use crate::ui::context::Context;
use crate::ui::context::comparison::{CompareStatus, FrameContent, OtherMenu, OtherPick, OtherPose, PickTarget};
use crate::ui::context::request::Request;
use crate::ui::style::theme;
use crate::ui::widgets::named_area::name_area;

use super::pill::{pill, ring};
use super::pointer::{Drag, MAX_CLICK_DISTANCE, apply_scroll, drag_ui, point_in, select_mode, selection_box_ui};
use super::{Click, ViewportState, context_menu, gizmo};

/// Minimum width of a half that shows its label, in points. It is small, because the halves look alike without their labels.
const MIN_LABELED_WIDTH: f32 = 64.0;

/// The state of the half that shows model B.
#[derive(Debug, Clone, Default)]
pub struct OtherState {
    /// The drag in progress.
    drag: Option<Drag>,
    /// The click or the selection box to resolve when the pose is ready.
    target: Option<PickTarget>,
    /// Position of the last click, in points from the corner of the half.
    last_click: Option<DVec2>,
}

/// The id of the half of B as a widget.
fn id() -> Id {
    Id::unique("viewport of B")
}

/// The halves of the viewport for A and B. Both have the same width, in whole pixels, with a gap of one or two pixels between them. The
/// second half is `None` unless A and B are shown side by side.
pub fn halves(status: Option<&CompareStatus>, viewport: Rect, pixels_per_point: f32) -> (Rect, Option<Rect>) {
    let is_split = status.is_some_and(|status| status.choices.layout == CompareView::Side && status.is_shown);
    let width = ((viewport.width() * pixels_per_point - 1.0) / 2.0).floor() / pixels_per_point;
    if !is_split || width < 1.0 {
        return (viewport, None);
    }
    let size = vec2(width, viewport.height());
    (Rect::from_min_size(viewport.min, size), Some(Rect::from_min_size(pos2(viewport.right() - width, viewport.top()), size)))
}

/// Takes the drag in progress. `None` if there is none, or if the half is no longer shown.
pub fn take_drag(state: &mut ViewportState, context: &Context) -> Option<Drag> {
    state.other.drag.take().filter(|_| shows(context, CompareView::Side))
}

/// Handles the pointer over the half of B. Drags and the wheel move the camera, as they do over the half of A. Clicks and selection boxes
/// are recorded.
pub fn controls_ui(ui: &mut Ui, state: &mut ViewportState, context: &mut Context, rect: Rect) {
    let grip = ui.style().interaction.resize_grab_radius_side;
    let response = ui.interact(rect.shrink(grip + 1.0), id(), Sense::CLICK | Sense::DRAG);
    response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, "Viewport of B"));
    if let Some((corners, mode)) = drag_ui(ui, context, &mut state.other.drag, &response, rect) {
        state.other.target = Some(PickTarget::Box { corners, mode });
    }
    if let Some(pointer) = response.hover_pos() {
        apply_scroll(ui, context, pointer, rect);
    }
    if let Some(point) = response.interact_pointer_pos().map(|at| point_in(rect, at)) {
        if response.double_clicked() {
            // The first click has selected the counterpart.
            state.click = Some(Click::Focus);
        } else if response.clicked() {
            let last = state.other.last_click.replace(point);
            let is_repeated = last.is_some_and(|last| last.distance(point) <= MAX_CLICK_DISTANCE);
            let mode = select_mode(ui.input(|input| input.modifiers));
            state.other.target = Some(PickTarget::Point { point, mode, is_repeated });
        } else if response.secondary_clicked() {
            state.other.target = Some(PickTarget::Menu { point });
            context.window.other_menu = OtherMenu::Pending;
        }
    }
}

/// Draws the labels and legends of the comparison over the viewport, and the names and rings of the joints of B. Sends a recorded click on
/// B to the application. `left` and `right` are the rectangles of A and B. They are equal if the models are not side by side.
pub fn readouts_ui(ui: &Ui, state: &mut ViewportState, context: &mut Context, content: &FrameContent, [left, right]: [Rect; 2]) {
    let Some(other) = content.other else { return };
    let Some(status) = context.comparison.as_deref() else { return };
    let colors = theme::picture_colors(ui.ctx());
    let is_split = left != right;
    let paint = |half: Rect, legend: &Legend| {
        if half.width() > MIN_LABELED_WIDTH {
            let frame = comparison::paint(&ui.painter_at(half), colors, half, legend);
            name_area(ui, frame, &legend.title, &format!("Comparison: {}", legend.title));
        }
    };
    if let Some((legend, arrangement)) = legend(ui, context, content, left) {
        paint(arrangement.legend, &legend);
    }
    if !is_split {
        return;
    }
    paint(right, &status.other_legend());
    let gap = Rect::from_min_max(left.right_top(), right.left_bottom());
    ui.painter().rect_filled(gap, 0.0, theme::palette(ui.ctx()).divider);
    let projection = ScreenProjection { camera: *content.camera, size: DVec2::new(right.width().into(), right.height().into()) };
    let OtherPose { document, view, posed } = other;
    let response = ui.ctx().read_response(id());
    let pointer = response.as_ref().and_then(Response::hover_pos).filter(|_| state.other.drag.is_none());
    let hovered = pointer.and_then(|at| pick::joints_under(document, view, posed, &projection, point_in(right, at)).first().copied());
    if view.display.names != JointNames::None {
        let (projection, style) = (&projection, context.preferences.names);
        let names = JointLabels { document, view, posed, projection, hovered, style, kept_free: None };
        joint_names::paint(&ui.painter_at(right), colors, right.min, &names);
    }
    rings_ui(ui, context, content, [left, right], [state.hovered, hovered]);
    selection_box_ui(ui, state.other.drag, response.as_ref(), right);
    if let Some(target) = state.other.target.take() {
        context.requests.push(Request::PickOther(OtherPick { projection, target, has_joints: true }));
    }
    if let Some(response) = &response {
        response.context_menu(|ui| context_menu::other_menu_ui(ui, context));
    }
}

/// The legend of the half of A, or of the whole picture, and its position beside or above the gizmo. `None` if nothing is compared, or
/// if `left` is too narrow.
pub fn legend(ui: &Ui, context: &Context, content: &FrameContent, left: Rect) -> Option<(Legend, Arrangement)> {
    let status = context.comparison.as_deref().filter(|_| content.other.is_some() && left.width() > MIN_LABELED_WIDTH)?;
    let colors = theme::picture_colors(ui.ctx());
    let legend = status.legend(colors, context.preferences.units);
    let arrangement = comparison::arrange(&ui.painter_at(left), colors, left, &legend, gizmo::rect(left));
    Some((legend, arrangement))
}

/// Returns whether the comparison is shown in this layout.
pub fn shows(context: &Context, layout: CompareView) -> bool {
    context.comparison.as_deref().is_some_and(|status| status.is_shown && status.choices.layout == layout)
}

/// Draws a ring around the counterpart of the joint under the pointer. A joint of B under the pointer also gets a ring and its name.
/// `hovered` has the joint of A and the joint of B under the pointer, of which at most one is `Some`.
fn rings_ui(ui: &Ui, context: &Context, content: &FrameContent, [left, right]: [Rect; 2], hovered: [Option<NodeIndex>; 2]) {
    let (Some(other), Some(status)) = (content.other, context.comparison.as_deref()) else { return };
    let Some(node_pairs) = status.found.as_ref().map(|found| &found.node_pairs) else { return };
    let palette = theme::palette(ui.ctx());
    let ring = |rect: Rect, posed: &Posed, node: NodeIndex| -> Option<Pos2> {
        let projection = ScreenProjection { camera: *content.camera, size: DVec2::new(rect.width().into(), rect.height().into()) };
        let point = projection.project(posed.globals.get(node.index())?.translation)?.point;
        let center = rect.min + vec2(point.x as f32, point.y as f32);
        ring(&ui.painter_at(rect), center, palette);
        Some(center)
    };
    if let Some(counterpart) = hovered[0].and_then(|node| node_pairs.to_b.get(node.index()).copied().flatten()) {
        ring(right, other.posed, counterpart);
    }
    if let Some(node) = hovered[1] {
        let counterpart = node_pairs.to_a.get(node.index()).copied().flatten();
        counterpart.and_then(|counterpart| ring(left, content.posed, counterpart));
        if let Some(center) = ring(right, other.posed, node) {
            pill(ui, right, center + vec2(0.0, -22.0), &name(context, status, node, counterpart.is_some()), palette.text);
        }
        ui.ctx().set_cursor_icon(CursorIcon::PointingHand);
    }
}

/// The name of a node of B, and whether A lacks it.
fn name(context: &Context, status: &CompareStatus, node: NodeIndex, is_bound: bool) -> String {
    let name = status.names.node(node, context.preferences.names);
    if is_bound { name.to_owned() } else { format!("{name} (only in B)") }
}

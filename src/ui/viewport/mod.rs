//! The viewport. Before the pose is computed, [`controls_ui`] handles navigation and records clicks. Afterwards, [`readouts_ui`] draws
//! names and axes over the picture, and resolves the click with the pose of the same frame.
//!
//! A click hits, in this order: the nearer of a joint and a trail dot (the joint if both are equally near); while weights are shown, the
//! joints that move the surface there; then the meshes, nearest to the camera first. In the overlay of a comparison, a click that misses
//! model A hits model B.

pub mod context_menu;
pub mod gizmo;
pub mod legends;
pub mod other_half;
pub mod pick_query;
pub mod pill;
pub mod pointer;
pub mod state_chips;
pub mod trail_marks;
pub mod vertex_probe;

use egui::{CursorIcon, Id, Pos2, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, vec2};
use glam::DVec2;

use crate::captions::joint_names::{self, JointLabels};
use crate::compare::counterpart::CompareView;
use crate::model::node::NodeIndex;
use crate::session::camera::screen::ScreenProjection;
use crate::session::pick;
use crate::session::pose::solve::Posed;
use crate::session::view::display::{HeatMap, JointNames};
use crate::session::view::selection::{self, SelectMode};

use super::commands::camera;
use super::context::Context;
use super::context::comparison::{FrameContent, OtherPick, PickTarget};
use super::context::per_document::DocumentChange;
use super::context::request::Request;
use super::style::theme;
use super::widgets::hover_card::CardPosition;

use pick_query::{PickQueries, PickQuery, ProjectedPose};
use pill::{pill, ring};
use pointer::{Drag, MAX_CLICK_DISTANCE, apply_scroll, drag_ui, point_in, select_mode, selection_box_ui};

/// The state of the viewport.
#[derive(Debug, Clone, Default)]
pub struct ViewportState {
    /// The drag in progress.
    drag: Option<Drag>,
    /// The click to resolve when the pose is ready.
    click: Option<Click>,
    /// Position of the last click, in points.
    last_click: Option<DVec2>,
    /// The state of the half that shows model B.
    other: other_half::OtherState,
    /// The joint of A under the pointer.
    hovered: Option<NodeIndex>,
    /// Whether the last click moved the playhead. The second click of a double click is then ignored.
    has_sought: bool,
    /// The content of the open context menu.
    menu: context_menu::Menu,
    /// The queries to the GPU about the vertex under the pointer.
    pub picks: PickQueries,
    /// The weights that were shown before the user chose the weights of all joints.
    pub heat_map_before_all: HeatMap,
}

/// A click. Positions are in points from the viewport's top left corner.
#[derive(Debug, Clone, Copy)]
enum Click {
    Select {
        point: DVec2,
        mode: SelectMode,
        /// The query that the GPU is answering.
        query: Option<PickQuery>,
    },
    /// A double click. It fits the camera to the node that the first click has selected.
    Focus,
    Menu {
        point: DVec2,
    },
    Box {
        corners: [DVec2; 2],
        mode: SelectMode,
    },
}

/// The id of the viewport as a widget.
pub fn id() -> Id {
    Id::unique("viewport")
}

/// Ends the drag without its effect: a selection box selects nothing, and the camera moves back. Returns false if there is no drag.
pub fn cancel_drag(state: &mut ViewportState, context: &mut Context) -> bool {
    let Some(drag) = state.drag.take().or_else(|| other_half::take_drag(state, context)) else { return false };
    drag.restore_camera(context);
    true
}

/// Handles the pointer over the viewport: drags, clicks, scrolling and the context menu.
pub fn controls_ui(ui: &mut Ui, state: &mut ViewportState, context: &mut Context, rect: Rect) {
    context.status.statistics.viewport = rect.size().into();
    // Leave the edges to the resize handles of the adjacent panels.
    let grip = ui.style().interaction.resize_grab_radius_side;
    let response = ui.interact(rect.shrink(grip + 1.0), id(), Sense::CLICK | Sense::DRAG);
    response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, "Viewport"));
    let modifiers = ui.input(|input| input.modifiers);
    let point = |position: Pos2| point_in(rect, position);

    if let Some((corners, mode)) = drag_ui(ui, context, &mut state.drag, &response, rect) {
        state.click = Some(Click::Box { corners, mode });
    }
    if let Some(pointer) = response.hover_pos() {
        apply_scroll(ui, context, pointer, rect);
    }
    if let Some(point) = response.interact_pointer_pos().map(point) {
        if response.double_clicked() {
            state.click = Some(Click::Focus);
        } else if response.clicked() {
            state.click = Some(Click::Select { point, mode: select_mode(modifiers), query: None });
        } else if response.secondary_clicked() {
            state.click = Some(Click::Menu { point });
        }
    }
}

/// Draws names, cards and legends over the picture, and resolves the recorded click.
pub fn readouts_ui(ui: &mut Ui, state: &mut ViewportState, context: &mut Context, content: &FrameContent, rect: Rect) {
    let &FrameContent { posed, camera, .. } = content;
    let projection = ScreenProjection { camera: *camera, size: DVec2::new(f64::from(rect.width()), f64::from(rect.height())) };
    if state.picks.update(context.document, context.view) != DocumentChange::Same {
        context.window.marked_vertex = None;
    }
    if let Some(click) = state.click.take() {
        resolve_click(state, context, posed, &projection, click);
        // Panels drawn earlier in this frame show the old state, so another frame follows.
        ui.ctx().request_repaint();
    }
    state.picks.click_waits = state.click.is_some();
    let painter = ui.painter_at(rect);
    let pose = ProjectedPose { posed, projection: &projection };
    let response = ui.ctx().read_response(id());
    let pointer = response.as_ref().and_then(Response::hover_pos).filter(|_| state.drag.is_none());
    // The pointer hits the first of these that is under it: a trail dot, a joint, a vertex.
    let dot = pointer.and_then(|pointer| trail_marks::under(context, posed, &projection, point_in(rect, pointer)));
    let hovered = pointer.filter(|_| dot.is_none()).and_then(|pointer| joint_at(context, posed, &projection, point_in(rect, pointer)));
    let comparison = other_half::legend(ui, context, content, rect).map(|(_, arrangement)| arrangement);
    let gizmo_area = rect.with_min_y(rect.top() + comparison.as_ref().map_or(0.0, |arrangement| arrangement.lowered_by));
    if context.view.display.names != JointNames::None {
        let (document, view, projection, style) = (context.document, &*context.view, &projection, context.preferences.names);
        let names = JointLabels { document, view, posed, projection, hovered, style, kept_free: Some(gizmo::rect(gizmo_area)) };
        joint_names::paint(&painter, theme::picture_colors(ui.ctx()), rect.min, &names);
    }
    state.hovered = hovered;
    if let Some(joint) = hovered {
        hovered_ui(ui, context, pose, rect, joint);
    } else if let (Some(dot), Some(pointer)) = (&dot, pointer) {
        trail_marks::hovered_ui(ui, context, &projection, dot, CardPosition { anchor: pointer, inside: rect });
    } else if let Some(pointer) = pointer {
        vertex_probe::probe_ui(ui, &mut state.picks, context, pose, CardPosition { anchor: pointer, inside: rect });
    }
    vertex_probe::marked_ui(ui, context, pose, rect);
    if let Some(response) = &response {
        response.context_menu(|ui| context_menu::menu_ui(ui, &state.menu, context));
    }
    selection_box_ui(ui, state.drag, response.as_ref(), rect);
    gizmo::gizmo_ui(ui, context, gizmo_area, camera);
    let legends = legends::legends_ui(ui, context, rect, &projection, comparison.map(|arrangement| arrangement.frame));
    state_chips::chips_ui(ui, context, rect, [legends.onion_skin, legends.motion_trail]);
    drop_outline(ui, context, rect);
}

/// Resolves a click with the pose of this frame.
fn resolve_click(state: &mut ViewportState, context: &mut Context, posed: &Posed, projection: &ScreenProjection, click: Click) {
    let (document, model) = (context.document, &context.document.model);
    let source = |node: NodeIndex| model.node(node).source;
    let pose = ProjectedPose { posed, projection };
    context.window.marked_vertex = None;
    match click {
        Click::Select { point, mode: SelectMode::Only, query: None }
            if let Some(dot) = trail_marks::under(context, posed, projection, point).filter(|_| trail_marks::can_seek(context)) =>
        {
            state.last_click = None;
            state.has_sought = true;
            trail_marks::seek_to(context, &dot);
        }
        Click::Select { point, mode, query } => {
            state.has_sought = false;
            // A second click at the same position selects the node behind the node that the first click selected.
            let is_repeated = state.last_click.is_some_and(|last| last.distance(point) <= MAX_CLICK_DISTANCE);
            let query = query.filter(|query| state.picks.is_current(query));
            let query = query.unwrap_or_else(|| state.picks.query_at(context, projection, point));
            let Some(found) = state.picks.nodes_under(context, pose, query, is_repeated) else {
                // The GPU has not answered yet, so the click is kept for the next frame.
                state.click = Some(Click::Select { point, mode, query: Some(query) });
                return;
            };
            state.last_click = Some(point);
            let active = context.view.active().and_then(|active| model.node_from_source(active));
            let node = pick::next_behind(&found, active.filter(|_| is_repeated && mode == SelectMode::Only));
            match node {
                Some(node) => selection::select(&mut context.view.selection, source(node), mode),
                None if other_half::shows(context, CompareView::Overlay) => {
                    let target = PickTarget::Point { point, mode, is_repeated };
                    context.requests.push(Request::PickOther(OtherPick { projection: *projection, target, has_joints: false }));
                }
                None if mode == SelectMode::Only => context.view.selection.clear(),
                None => {}
            }
        }
        Click::Focus => {
            if let Some(active) = context.view.active().filter(|_| !state.has_sought) {
                camera::fit(context, vec![active]);
            }
        }
        Click::Box { corners, mode } => {
            let found: Vec<_> = pick::inside(document, context.view, posed, projection, corners).into_iter().map(source).collect();
            selection::select_all(&mut context.view.selection, &found, mode);
        }
        Click::Menu { point } => state.menu = context_menu::open(context, posed, projection, point),
    }
}

/// The joint at a point of the viewport.
fn joint_at(context: &Context, posed: &Posed, projection: &ScreenProjection, point: DVec2) -> Option<NodeIndex> {
    pick::joints_under(context.document, context.view, posed, projection, point).first().copied()
}

/// Draws a ring around the hovered joint, and its name unless the name is already shown.
fn hovered_ui(ui: &Ui, context: &Context, pose: ProjectedPose, rect: Rect, joint: NodeIndex) {
    let Some(projected) = pose.projection.project(pose.posed.globals[joint.index()].translation) else { return };
    let (painter, palette) = (ui.painter_at(rect), theme::palette(ui.ctx()));
    let center = rect.min + vec2(projected.point.x as f32, projected.point.y as f32);
    ring(&painter, center, palette);
    let node = context.document.model.node(joint);
    let is_named = match context.view.display.names {
        JointNames::All => true,
        JointNames::Selection => context.view.selection.contains(&node.source),
        JointNames::None => false,
    };
    if !is_named {
        pill(ui, rect, center + vec2(0.0, -22.0), context.node_name(joint), palette.text);
    }
    ui.ctx().set_cursor_icon(CursorIcon::PointingHand);
}

/// Outlines the viewport while files that can be opened are dragged over the window.
fn drop_outline(ui: &Ui, context: &Context, rect: Rect) {
    let Some(first) = context.status.hovered_files.first().filter(|_| context.status.can_drop) else { return };
    let palette = theme::palette(ui.ctx());
    ui.painter().rect(rect, 0.0, palette.accent.gamma_multiply(0.12), Stroke::new(2.0, palette.accent), StrokeKind::Inside);
    let more = context.status.hovered_files.len() - 1;
    let text = if more == 0 { format!("Drop to open {first}") } else { format!("Drop to open {first} and {more} more") };
    pill(ui, rect, rect.center(), &text, palette.text);
}

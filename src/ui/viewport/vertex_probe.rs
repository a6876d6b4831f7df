//! Describes the vertex under the pointer while weights are shown: marks it with a square, and lists its joints with their weights.

use egui::emath::GuiRounding;
use egui::{Color32, Painter, Pos2, Rect, Stroke, StrokeKind, Ui, vec2};
use glam::DVec2;

use crate::colors;
use crate::model::node::NodeIndex;
use crate::session::inspect::heat_map::{self, HeatMapMode};
use crate::session::pick::vertex::{self, Probed, Vertex};
use crate::ui::context::Context;
use crate::ui::style::theme::{self, Palette};
use crate::ui::widgets::hover_card::{self, CardPosition, CardRow, HoverCard};

use super::pick_query::{PickQueries, ProjectedPose};

/// Maximum number of joints listed. Those with the least weight are left out.
const MAX_LISTED_JOINTS: usize = 12;
/// Width and height of the square that marks the vertex, in points.
const MARK_SIZE: f32 = 10.0;

/// Draws the probe at the pointer. The caller makes sure that the pointer is over the viewport and that no drag is in progress.
pub fn probe_ui(ui: &mut Ui, picks: &mut PickQueries, context: &Context, pose: ProjectedPose, position: CardPosition) {
    let Some(mode) = heat_map::mode(context.document, context.view) else { return };
    let CardPosition { anchor, inside: rect } = position;
    let point = DVec2::new(f64::from(anchor.x - rect.left()), f64::from(anchor.y - rect.top()));
    if let Some(vertex) = picks.vertex_at(context, pose, point) {
        vertex_ui(ui, context, pose, rect, &Probe { vertex, anchor: Some(anchor), mode });
    }
}

/// Draws the vertex that the user chose in the inspector.
pub fn marked_ui(ui: &mut Ui, context: &Context, pose: ProjectedPose, rect: Rect) {
    if let Some(vertex) = context.window.marked_vertex {
        let mode = heat_map::mode(context.document, context.view).unwrap_or(HeatMapMode::Colors);
        vertex_ui(ui, context, pose, rect, &Probe { vertex, anchor: None, mode });
    }
}

/// The vertex to describe.
struct Probe {
    vertex: Vertex,
    /// The position of the card. `None` places it at the vertex.
    anchor: Option<Pos2>,
    mode: HeatMapMode,
}

/// Draws the mark and the card of a vertex.
fn vertex_ui(ui: &mut Ui, context: &Context, pose: ProjectedPose, rect: Rect, probe: &Probe) {
    let (ProjectedPose { posed, projection }, &Probe { vertex, mut anchor, mode }) = (pose, probe);
    let Some(probed) = vertex::probe(context.document, posed, vertex) else { return };
    let palette = theme::palette(ui.ctx());
    if let Some(projected) = probed.position.and_then(|position| projection.project(position)) {
        let center = rect.min + vec2(projected.point.x as f32, projected.point.y as f32);
        mark(&ui.painter_at(rect), center, palette);
        anchor = anchor.or(Some(center));
    }
    if let Some(anchor) = anchor {
        card_ui(ui, context, &probed, mode, CardPosition { anchor, inside: rect });
    }
}

/// Draws a hollow square, so that the surface inside stays visible. Joints have round marks.
fn mark(painter: &Painter, center: Pos2, palette: &Palette) {
    let square = Rect::from_center_size(center, vec2(MARK_SIZE, MARK_SIZE)).round_to_pixels(painter.pixels_per_point());
    painter.rect_stroke(square, 0.0, Stroke::new(1.0, palette.field), StrokeKind::Outside);
    painter.rect_stroke(square, 0.0, Stroke::new(1.5, palette.text), StrokeKind::Inside);
}

/// Draws the card: the vertex index, and its joints with colors and weights.
fn card_ui(ui: &mut Ui, context: &Context, probed: &Probed, mode: HeatMapMode, position: CardPosition) {
    let title = format!("Vertex {} of {}", probed.file_index, context.document.model.node(probed.vertex.node).label());
    let lines = lines(context, probed);
    let accessible_name: Vec<_> = lines.iter().map(|(_, name, weight)| format!("{name} {weight:.3}")).collect();
    let accessible_name = format!("{title}: {}", accessible_name.join(", "));
    let row = |(joint, name, weight)| CardRow { color: color(mode, joint, weight), name, value: format!("{weight:.3}") };
    let rows = lines.into_iter().take(MAX_LISTED_JOINTS).map(row).collect();
    hover_card::hover_card_ui(ui, &HoverCard { id: "probe", title, accessible_name, rows }, position);
}

/// The joints with names and weights. A vertex without joints gets a line "No joints".
fn lines(context: &Context, probed: &Probed) -> Vec<(Option<NodeIndex>, String, f32)> {
    let name = |joint: NodeIndex| context.node_name(joint).to_owned();
    match probed.joints.is_empty() {
        true => vec![(None, "No joints".to_owned(), 0.0)],
        false => probed.joints.iter().map(|(joint, weight)| (Some(*joint), name(*joint), *weight)).collect(),
    }
}

/// The color of a joint or of its weight.
fn color(mode: HeatMapMode, joint: Option<NodeIndex>, weight: f32) -> Color32 {
    let [r, g, b] = match (mode, joint) {
        (HeatMapMode::Colors, Some(joint)) => heat_map::joint_color(joint),
        (HeatMapMode::Colors, None) => colors::UNMOVED,
        (HeatMapMode::Heat, _) => heat_map::heat_color(weight),
    };
    Color32::from_rgb(r, g, b)
}

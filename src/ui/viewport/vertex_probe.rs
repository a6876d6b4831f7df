//! Probes the vertex under the pointer while weights are shown: marks it with a square, and lists its joints with their weights. If the
//! model has many vertices, the GPU finds the vertex.

use std::collections::BTreeSet;

use egui::emath::GuiRounding;
use egui::{Color32, Painter, Pos2, Rect, Stroke, StrokeKind, Ui, vec2};
use glam::DVec2;

use crate::camera::Camera;
use crate::colors;
use crate::model::node::NodeIndex;
use crate::session::camera::screen::ScreenProjection;
use crate::session::document::Document;
use crate::session::inspect::heat_map::{self, HeatMapMode};
use crate::session::pick;
use crate::session::pick::vertex::{self, Probed, Vertex};
use crate::session::pose::solve::Posed;
use crate::session::view::View;
use crate::ui::context::Context;
use crate::ui::context::per_document::{DocumentChange, LastDocument};
use crate::ui::style::theme::{self, Palette};
use crate::ui::widgets::hover_card::{self, CardPosition, CardRow, HoverCard};

/// The probe's queries to the GPU, which searches models that have too many vertices for the CPU.
#[derive(Debug, Clone, Default)]
pub struct ProbeState {
    /// Whether the application can search on the GPU. Otherwise the CPU does all searches.
    has_device: bool,
    /// The next query for the GPU.
    next: Option<PickQuery>,
    /// The query that the GPU is answering.
    pending: Option<PickQuery>,
    /// The last answer.
    answer: Option<(PickQuery, Option<Vertex>)>,
    document: LastDocument,
    /// Whether a click waits for its answer. Hovering then sends no query.
    pub click_waits: bool,
    /// The view that answers are valid for.
    view: View,
    /// A number that increases when the model or the view changes. Answers to queries with a lower number are out of date.
    revision: u64,
}

impl ProbeState {
    /// Begins a frame, in which the panels may make a query. `has_device` is whether the application can search on the GPU.
    pub fn begin_frame(&mut self, has_device: bool) {
        (self.has_device, self.next) = (has_device, None);
    }

    /// The query that the panels made in this frame.
    pub fn query(&self) -> Option<&PickQuery> {
        self.next.as_ref()
    }

    /// Records that the GPU is answering a query: the query of this frame, unless an earlier one has no answer yet.
    pub fn await_answer(&mut self) {
        self.pending = self.pending.or(self.next);
    }

    /// Receives the answer to the query that the GPU was answering. `None` if no vertex was found.
    pub fn receive(&mut self, vertex: Option<Vertex>) {
        self.answer = self.pending.take().map(|query| (query, vertex));
    }

    /// Discards answers about another model, pose or view.
    pub fn update(&mut self, document: &Document, view: &View) -> DocumentChange {
        let change = self.document.update(document);
        if change != DocumentChange::Same {
            self.start_revision(view);
        }
        // The selection does not change which vertex is hit, and each query has its own camera.
        self.view.selection.clone_from(&view.selection);
        self.view.camera = view.camera;
        if self.view != *view {
            self.start_revision(view);
        }
        change
    }

    /// Makes earlier answers invalid.
    fn start_revision(&mut self, view: &View) {
        self.view = view.clone();
        self.revision += 1;
        (self.next, self.answer) = (None, None);
    }
}

/// A query for the visible vertex at a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PickQuery {
    /// The position in points from the viewport's top left corner.
    pub point: DVec2,
    camera: Camera,
    /// The time of the pose, in seconds.
    time: f64,
    /// [`ProbeState::revision`] when the query was made.
    revision: u64,
}

/// Returns whether a query is about the current model and view.
pub fn is_current(probe: &ProbeState, query: &PickQuery) -> bool {
    query.revision == probe.revision
}

/// Maximum number of joints listed. Those with the least weight are left out.
const MAX_LISTED_JOINTS: usize = 12;
/// Width and height of the square that marks the vertex, in points.
const MARK_SIZE: f32 = 10.0;
/// If the meshes near the pointer have at least this many vertices, a search on the CPU takes too long for a frame.
pub(crate) const MAX_CPU_PICK_VERTICES: usize = 20_000;

/// The posed model and its projection to the viewport.
#[derive(Clone, Copy)]
pub struct ProjectedPose<'a> {
    pub posed: &'a Posed,
    pub projection: &'a ScreenProjection,
}

/// Draws the probe at the pointer. The caller makes sure that the pointer is over the viewport and that no drag is in progress.
pub fn probe_ui(ui: &mut Ui, probe: &mut ProbeState, context: &Context, pose: ProjectedPose, position: CardPosition) {
    let Some(mode) = heat_map::mode(context.document, context.view) else { return };
    let CardPosition { anchor, inside: rect } = position;
    let point = DVec2::new(f64::from(anchor.x - rect.left()), f64::from(anchor.y - rect.top()));
    if let Some(vertex) = vertex_at(probe, context, pose, point) {
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

/// The nodes under a click: visible joints; while weights are shown, the joints that move the surface there, greatest weight first; then
/// the meshes. `None` while the GPU answers the query for a model with many vertices. If `all` is true, the list includes nodes behind the
/// first one.
pub fn under(probe: &mut ProbeState, context: &Context, pose: ProjectedPose, query: PickQuery, all: bool) -> Option<Vec<NodeIndex>> {
    let ProjectedPose { posed, projection } = pose;
    let (document, point) = (context.document, query.point);
    let mut found = pick::joints_under(document, context.view, posed, projection, point);
    if heat_map::mode(document, context.view).is_some() {
        let vertex = match needs_gpu(probe, document, pose, point) {
            true => gpu_answer(probe, query)?.and_then(|vertex| vertex::vertex_around(document, posed, projection, point, vertex)),
            false => vertex::vertex_under(document, posed, projection, point),
        };
        if let Some(probed) = vertex.and_then(|vertex| vertex::probe(document, posed, vertex)) {
            found.extend(probed.joints.iter().map(|(joint, _)| *joint));
            found.push(probed.vertex.node);
        }
        let mut seen = BTreeSet::new();
        found.retain(|node| seen.insert(*node));
        return Some(found);
    }
    if all || !needs_gpu(probe, document, pose, point) {
        return Some(pick::under(document, context.view, posed, projection, point));
    }
    if !found.is_empty() {
        return Some(found);
    }
    found.extend(gpu_answer(probe, query)?.map(|vertex| vertex.node));
    Some(found)
}

/// The GPU's answer to a query. `None` while it is pending; the query is then sent.
fn gpu_answer(probe: &mut ProbeState, query: PickQuery) -> Option<Option<Vertex>> {
    let answer = probe.answer.filter(|(answered, _)| *answered == query).map(|(_, vertex)| vertex);
    if answer.is_none() {
        probe.next = Some(query);
    }
    answer
}

/// The query about a point of the current picture.
pub fn query(probe: &ProbeState, context: &Context, projection: &ScreenProjection, point: DVec2) -> PickQuery {
    PickQuery { point, camera: projection.camera, time: context.transport.time(), revision: probe.revision }
}

/// Returns whether the GPU must find the vertex, because a search on the CPU would take too long.
fn needs_gpu(probe: &ProbeState, document: &Document, pose: ProjectedPose, point: DVec2) -> bool {
    probe.has_device && pick::vertices_under(document, pose.posed, pose.projection, point) >= MAX_CPU_PICK_VERTICES
}

/// The vertex at a point. For a model with many vertices, this is the GPU's last answer until a newer answer arrives.
fn vertex_at(probe: &mut ProbeState, context: &Context, pose: ProjectedPose, point: DVec2) -> Option<Vertex> {
    let ProjectedPose { posed, projection } = pose;
    let query = query(probe, context, projection, point);
    if !needs_gpu(probe, context.document, pose, point) {
        return vertex::vertex_under(context.document, posed, projection, point);
    }
    // A click that waits for its answer takes precedence.
    if probe.answer.is_none_or(|(answered, _)| answered != query) && !probe.click_waits {
        probe.next = Some(query);
    }
    let (answered, vertex) = probe.answer?;
    vertex::vertex_around(context.document, posed, projection, point, vertex.filter(|_| answered.revision == query.revision)?)
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

//! Probes the vertex under the pointer while weights are shown: marks it with a square, and lists its joints with their weights. The GPU
//! finds the vertex if the model is heavy.

use std::collections::BTreeSet;

use egui::emath::GuiRounding;
use egui::{Color32, Painter, Pos2, Rect, Stroke, StrokeKind, Ui, vec2};
use glam::DVec2;

use crate::camera::Camera;
use crate::colors;
use crate::model::node::NodeIndex;
use crate::session::camera::screen::ScreenProjection;
use crate::session::document::Document;
use crate::session::inspect::heat_map::{self, Shown};
use crate::session::pick;
use crate::session::pick::vertex::{self, Probed, Vertex};
use crate::session::pose::solve::Posed;
use crate::session::view::View;
use crate::ui::context::Context;
use crate::ui::context::per_document::{DocumentChange, LastDocument};
use crate::ui::style::theme::{self, Palette};
use crate::ui::widgets::hover_card::{self, CardRow, HoverCard, Pointed};

/// The probe's questions to the GPU, which answers for models that are too heavy to search on the CPU.
#[derive(Debug, Clone, Default)]
pub struct ProbeState {
    /// Whether the application can search on the GPU. Otherwise the CPU does all searches.
    pub has_device: bool,
    /// The next question for the GPU. The application moves it to `asked`.
    pub wanted: Option<Question>,
    /// The question that the GPU is answering.
    pub asked: Option<Question>,
    /// The last answer.
    pub answer: Option<(Question, Option<Vertex>)>,
    document: LastDocument,
    /// Whether a click waits for its answer. Hovering then sends no question.
    pub click_waits: bool,
    /// The view that answers are valid for.
    view: View,
    /// Increases when the model or the view changes, which makes earlier answers out of date.
    scene: u64,
}

impl ProbeState {
    /// Discards answers about another model, pose or view.
    pub fn update(&mut self, document: &Document, view: &View) -> DocumentChange {
        let change = self.document.update(document);
        if change != DocumentChange::Same {
            self.enter(view);
        }
        // The selection does not change which vertex is hit, and each question stores its own camera.
        self.view.selection.clone_from(&view.selection);
        self.view.camera = view.camera;
        if self.view != *view {
            self.enter(view);
        }
        change
    }

    /// Begins another scene, which makes earlier answers invalid.
    fn enter(&mut self, view: &View) {
        self.view = view.clone();
        self.scene += 1;
        (self.wanted, self.answer) = (None, None);
    }
}

/// Asks what is visible at a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Question {
    /// In points from the viewport's top left corner.
    pub point: DVec2,
    camera: Camera,
    /// The time of the pose, in seconds, and the number of the scene.
    time: f64,
    scene: u64,
}

/// The question to keep waiting for. `None` if the scene has changed, so that it must be asked again.
pub fn still(probe: &ProbeState, asked: Option<Question>) -> Option<Question> {
    asked.filter(|asked| asked.scene == probe.scene)
}

/// Maximum number of joints listed. Those with the least weight are left out.
const MAX_LISTED_JOINTS: usize = 12;
/// Width of the square that marks the vertex, in points.
const MARK: f32 = 10.0;
/// Models with more vertices than this take too long to search on the CPU within a frame.
pub(crate) const MAX_CPU_PICK_VERTICES: usize = 20_000;

/// The posed model and the projection it is seen by.
#[derive(Clone, Copy)]
pub struct ProjectedPose<'a> {
    pub posed: &'a Posed,
    pub projection: &'a ScreenProjection,
}

/// Draws the probe at the pointer, which is over the viewport and not dragging.
pub fn probe_ui(ui: &mut Ui, probe: &mut ProbeState, context: &Context, seen: ProjectedPose, pointer: Pointed) {
    let Some(shown) = heat_map::shown(context.document, context.view) else { return };
    let Pointed { at, inside: rect } = pointer;
    let point = DVec2::new(f64::from(at.x - rect.left()), f64::from(at.y - rect.top()));
    if let Some(vertex) = vertex_at(probe, context, seen, point) {
        vertex_ui(ui, context, seen, rect, &Probe { vertex, beside: Some(at), shown });
    }
}

/// Draws the vertex that the inspector went to.
pub fn marked_ui(ui: &mut Ui, context: &Context, seen: ProjectedPose, rect: Rect) {
    if let Some(vertex) = context.window.marked_vertex {
        let shown = heat_map::shown(context.document, context.view).unwrap_or(Shown::Colors);
        vertex_ui(ui, context, seen, rect, &Probe { vertex, beside: None, shown });
    }
}

/// The vertex to describe.
struct Probe {
    vertex: Vertex,
    /// The position of the card. `None` places it at the vertex.
    beside: Option<Pos2>,
    shown: Shown,
}

/// Draws the mark and the card of a vertex.
fn vertex_ui(ui: &mut Ui, context: &Context, seen: ProjectedPose, rect: Rect, probe: &Probe) {
    let (ProjectedPose { posed, projection }, &Probe { vertex, mut beside, shown }) = (seen, probe);
    let Some(probed) = vertex::probe(context.document, posed, vertex) else { return };
    let palette = theme::palette(ui.ctx());
    if let Some(place) = probed.position.and_then(|place| projection.project(place)) {
        let center = rect.min + vec2(place.point.x as f32, place.point.y as f32);
        mark(&ui.painter_at(rect), center, palette);
        beside = beside.or(Some(center));
    }
    if let Some(beside) = beside {
        card_ui(ui, context, &probed, shown, Pointed { at: beside, inside: rect });
    }
}

/// Draws a square that leaves the surface inside visible. Joints have round marks.
fn mark(painter: &Painter, center: Pos2, palette: &Palette) {
    let square = Rect::from_center_size(center, vec2(MARK, MARK)).round_to_pixels(painter.pixels_per_point());
    painter.rect_stroke(square, 0.0, Stroke::new(1.0, palette.field), StrokeKind::Outside);
    painter.rect_stroke(square, 0.0, Stroke::new(1.5, palette.text), StrokeKind::Inside);
}

/// The nodes under a click: visible joints; while weights are shown the joints that move the surface there, greatest weight first; then
/// the meshes. `None` while the GPU answers for a heavy model. `asked` is the question to ask. With `all`, nodes behind the first count
/// too.
pub fn under(probe: &mut ProbeState, context: &Context, seen: ProjectedPose, asked: Question, all: bool) -> Option<Vec<NodeIndex>> {
    let ProjectedPose { posed, projection } = seen;
    let (document, point) = (context.document, asked.point);
    let mut found = pick::joints_under(document, context.view, posed, projection, point);
    if heat_map::shown(document, context.view).is_some() {
        let vertex = match asks_gpu(probe, document, seen, point) {
            true => gpu_answer(probe, asked)?.and_then(|vertex| vertex::vertex_around(document, posed, projection, point, vertex)),
            false => vertex::vertex_under(document, posed, projection, point),
        };
        if let Some(probed) = vertex.and_then(|vertex| vertex::probe(document, posed, vertex)) {
            found.extend(probed.joints.iter().map(|(joint, _)| *joint));
            found.push(probed.vertex.node);
        }
        let mut known = BTreeSet::new();
        found.retain(|node| known.insert(*node));
        return Some(found);
    }
    if all || !asks_gpu(probe, document, seen, point) {
        return Some(pick::under(document, context.view, posed, projection, point));
    }
    if !found.is_empty() {
        return Some(found);
    }
    found.extend(gpu_answer(probe, asked)?.map(|vertex| vertex.node));
    Some(found)
}

/// The GPU's answer. `None` while it is pending; the question is then asked.
fn gpu_answer(probe: &mut ProbeState, asked: Question) -> Option<Option<Vertex>> {
    let answer = probe.answer.filter(|(question, _)| *question == asked).map(|(_, vertex)| vertex);
    if answer.is_none() {
        probe.wanted = Some(asked);
    }
    answer
}

/// The question about a point in the current scene.
pub fn question(probe: &ProbeState, context: &Context, projection: &ScreenProjection, point: DVec2) -> Question {
    Question { point, camera: projection.camera, time: context.transport.time(), scene: probe.scene }
}

/// Returns whether the GPU must find the vertex, because a search on the CPU would take too long.
fn asks_gpu(probe: &ProbeState, document: &Document, seen: ProjectedPose, point: DVec2) -> bool {
    probe.has_device && pick::vertices_under(document, seen.posed, seen.projection, point) >= MAX_CPU_PICK_VERTICES
}

/// The vertex at a point. For a heavy model this is the last answer until a newer one arrives.
fn vertex_at(probe: &mut ProbeState, context: &Context, seen: ProjectedPose, point: DVec2) -> Option<Vertex> {
    let ProjectedPose { posed, projection } = seen;
    let question = question(probe, context, projection, point);
    if !asks_gpu(probe, context.document, seen, point) {
        return vertex::vertex_under(context.document, posed, projection, point);
    }
    // A click that waits for its answer takes precedence.
    if probe.answer.is_none_or(|(answered, _)| answered != question) && !probe.click_waits {
        probe.wanted = Some(question);
    }
    let (answered, vertex) = probe.answer?;
    vertex::vertex_around(context.document, posed, projection, point, vertex.filter(|_| answered.scene == question.scene)?)
}

/// Draws the card beside `pointer`: the vertex index, and its joints with colors and weights.
fn card_ui(ui: &mut Ui, context: &Context, probed: &Probed, shown: Shown, pointer: Pointed) {
    let title = format!("Vertex {} of {}", probed.file_index, context.document.model.node(probed.vertex.node).label());
    let lines = lines(context, probed);
    let accessible_name: Vec<_> = lines.iter().map(|(_, name, weight)| format!("{name} {weight:.3}")).collect();
    let accessible_name = format!("{title}: {}", accessible_name.join(", "));
    let row = |(joint, name, weight)| CardRow { color: color(shown, joint, weight), name, value: format!("{weight:.3}") };
    let rows = lines.into_iter().take(MAX_LISTED_JOINTS).map(row).collect();
    hover_card::hover_card_ui(ui, &HoverCard { id: "probe", title, accessible_name, rows }, pointer);
}

/// The joints with names and weights. A vertex without joints gets a line that says so.
fn lines(context: &Context, probed: &Probed) -> Vec<(Option<NodeIndex>, String, f32)> {
    let name = |joint: NodeIndex| context.node_name(joint).to_owned();
    match probed.joints.is_empty() {
        true => vec![(None, "No joints".to_owned(), 0.0)],
        false => probed.joints.iter().map(|(joint, weight)| (Some(*joint), name(*joint), *weight)).collect(),
    }
}

/// The color of a joint or of its weight.
fn color(shown: Shown, joint: Option<NodeIndex>, weight: f32) -> Color32 {
    let [r, g, b] = match (shown, joint) {
        (Shown::Colors, Some(joint)) => heat_map::joint_color(joint),
        (Shown::Colors, None) => colors::UNMOVED,
        (Shown::Heat, _) => heat_map::heat_color(weight),
    };
    Color32::from_rgb(r, g, b)
}

//! The vertex under the pointer while weights are shown: a square on it, and its joints with their weights as text.

use std::collections::BTreeSet;

use egui::emath::GuiRounding;
use egui::{Painter, Pos2, Rect, Stroke, StrokeKind, Ui, vec2};
use glam::DVec2;

use crate::camera::Camera;
use crate::model::node::NodeIndex;
use crate::session::camera::screen::ScreenProjection;
use crate::session::document::Document;
use crate::session::inspect::heat_map::{self, Shown};
use crate::session::pick;
use crate::session::pick::vertex::{self, Vertex};
use crate::session::pose::solve::Posed;
use crate::session::view::View;
use crate::ui::Context;
use crate::ui::per_document::{DocumentChange, SeenDocument};
use crate::ui::style::theme::{self, Palette};

use super::probe_plate;

/// What of it goes by the device, where looking for the vertex here would take too long.
#[derive(Debug, Clone, Default)]
pub struct ProbeState {
    /// The application asks the device. Else everything is looked for here.
    pub has_device: bool,
    /// What it shall ask for next; it moves that to `asked` when it does.
    pub wanted: Option<Question>,
    pub asked: Option<Question>,
    /// What it was told last.
    pub told: Option<(Question, Option<Vertex>)>,
    /// A vertex that was gone to; a click into the viewport forgets it.
    pub marked: Option<Vertex>,
    document: SeenDocument,
    view: View,
    /// Counted up where the model or the view is another: what was told of the one before says nothing of this.
    scene: u64,
}

impl ProbeState {
    fn follow(&mut self, document: &Document, view: &View) {
        if self.document.update(document) != DocumentChange::Same {
            self.marked = None;
            self.enter(view);
        }
        // Whose weights are told makes no difference to the vertex, and a question has its own camera.
        self.view.selection.clone_from(&view.selection);
        self.view.camera = view.camera;
        if self.view != *view {
            self.enter(view);
        }
    }

    fn enter(&mut self, view: &View) {
        self.view = view.clone();
        self.scene += 1;
        (self.wanted, self.told) = (None, None);
    }
}

/// What is seen where.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Question {
    /// Points from the viewport's top left corner.
    pub point: DVec2,
    camera: Camera,
    time: f64,
    scene: u64,
}

/// Forgets what was told of another model, or of the model otherwise posed or shown.
pub fn follow(frame: &mut Context) {
    frame.state.probe.follow(frame.document, frame.view);
}

/// What goes on waiting for its answer; what is seen otherwise by now is asked anew.
pub fn still(frame: &Context, asked: Option<Question>) -> Option<Question> {
    asked.filter(|asked| asked.scene == frame.state.probe.scene)
}

/// Of the vertex, points.
const MARK: f32 = 10.0;
/// More vertices take longer than a frame may.
pub(crate) const HEAVY: usize = 20_000;

/// `pointer`: over the viewport, and not dragging.
pub fn probe_ui(ui: &mut Ui, frame: &mut Context, posed: &Posed, sight: &ScreenProjection, rect: Rect, pointer: Pos2) {
    let Some(shown) = heat_map::shown(frame.document, frame.view) else { return };
    let point = DVec2::new(f64::from(pointer.x - rect.left()), f64::from(pointer.y - rect.top()));
    if let Some(vertex) = seen(frame, posed, sight, point) {
        vertex_ui(ui, frame, posed, sight, rect, (vertex, Some(pointer), shown));
    }
}

/// The vertex that was gone to.
pub fn marked_ui(ui: &mut Ui, frame: &Context, posed: &Posed, sight: &ScreenProjection, rect: Rect) {
    if let Some(vertex) = frame.state.probe.marked {
        let shown = heat_map::shown(frame.document, frame.view).unwrap_or(Shown::Colors);
        vertex_ui(ui, frame, posed, sight, rect, (vertex, None, shown));
    }
}

/// `beside`: where the plate stands; none: at the vertex.
fn vertex_ui(
    ui: &mut Ui,
    frame: &Context,
    posed: &Posed,
    sight: &ScreenProjection,
    rect: Rect,
    (vertex, beside, shown): (Vertex, Option<Pos2>, Shown),
) {
    let Some(probed) = vertex::probe(frame.document, posed, vertex) else { return };
    let palette = theme::palette(ui.ctx());
    let mut beside = beside;
    if let Some(seen) = probed.place.and_then(|place| sight.project(place)) {
        let center = rect.min + vec2(seen.point.x as f32, seen.point.y as f32);
        mark(&ui.painter_at(rect), center, palette);
        beside = beside.or(Some(center));
    }
    if let Some(beside) = beside {
        probe_plate::plate_ui(ui, frame, &probed, shown, rect, beside);
    }
}

/// A square that shows the surface within it: joints are round.
fn mark(painter: &Painter, center: Pos2, palette: &Palette) {
    let square = Rect::from_center_size(center, vec2(MARK, MARK)).round_to_pixels(painter.pixels_per_point());
    painter.rect_stroke(square, 0.0, Stroke::new(1.0, palette.field), StrokeKind::Outside);
    painter.rect_stroke(square, 0.0, Stroke::new(1.5, palette.text), StrokeKind::Inside);
}

/// What lies under a click: shown joints; while weights are shown the joints that move the surface there, the heaviest first; then
/// the meshes. None: of a heavy model the device tells in a moment, what it sees first. `asked`: since when; `all`: what is behind
/// that is meant, too.
pub fn under(frame: &mut Context, posed: &Posed, sight: &ScreenProjection, asked: Question, all: bool) -> Option<Vec<NodeIndex>> {
    let (document, point) = (frame.document, asked.point);
    let mut found = pick::joints_under(document, frame.view, posed, sight, point);
    if heat_map::shown(document, frame.view).is_some() {
        let vertex = match goes_by_device(&frame.state.probe, document, posed, sight, point) {
            true => told(&mut frame.state.probe, asked)?.and_then(|vertex| vertex::around(document, posed, sight, point, vertex)),
            false => vertex::under(document, posed, sight, point),
        };
        if let Some(probed) = vertex.and_then(|vertex| vertex::probe(document, posed, vertex)) {
            found.extend(probed.joints.iter().map(|(joint, _)| *joint));
            found.push(probed.at.node);
        }
        let mut known = BTreeSet::new();
        found.retain(|node| known.insert(*node));
        return Some(found);
    }
    let probe = &mut frame.state.probe;
    if all || !goes_by_device(probe, document, posed, sight, point) {
        return Some(pick::under(document, frame.view, posed, sight, point));
    }
    if !found.is_empty() {
        return Some(found);
    }
    found.extend(told(probe, asked)?.map(|vertex| vertex.node));
    Some(found)
}

/// What the device answered; none: it is asked.
fn told(probe: &mut ProbeState, asked: Question) -> Option<Option<Vertex>> {
    let answer = probe.told.filter(|(told, _)| *told == asked).map(|(_, vertex)| vertex);
    if answer.is_none() {
        probe.wanted = Some(asked);
    }
    answer
}

/// What is asked of a point now.
pub fn question(frame: &Context, sight: &ScreenProjection, point: DVec2) -> Question {
    Question { point, camera: sight.camera, time: frame.transport.time(), scene: frame.state.probe.scene }
}

fn goes_by_device(probe: &ProbeState, document: &Document, posed: &Posed, sight: &ScreenProjection, point: DVec2) -> bool {
    probe.has_device && pick::vertices_under(document, posed, sight, point) >= HEAVY
}

/// Of a heavy model what the device told last, until it tells better.
fn seen(frame: &mut Context, posed: &Posed, sight: &ScreenProjection, point: DVec2) -> Option<Vertex> {
    let question = question(frame, sight, point);
    let probe = &mut frame.state.probe;
    if !goes_by_device(probe, frame.document, posed, sight, point) {
        return vertex::under(frame.document, posed, sight, point);
    }
    // A click that waits for its answer goes first.
    if probe.told.is_none_or(|(told, _)| told != question) && !frame.state.viewport.waits() {
        probe.wanted = Some(question);
    }
    let (told, vertex) = probe.told?;
    vertex::around(frame.document, posed, sight, point, vertex.filter(|_| told.scene == question.scene)?)
}

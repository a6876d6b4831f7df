//! The vertex under the pointer while weights are shown: a dot on it, and its joints with their weights as text.

use std::collections::BTreeSet;

use egui::{Align2, Color32, Pos2, Rect, Role, Sense, Stroke, StrokeKind, TextStyle, Ui, WidgetInfo, pos2, vec2};
use glam::DVec2;

use crate::camera::Camera;
use crate::model::node::NodeIndex;
use crate::session::pick;
use crate::session::posing::Posed;
use crate::session::probe::{self, Probed, Vertex};
use crate::session::sight::Sight;
use crate::session::weights::{self, Shown};

use super::{Frame, text, theme};

/// Of more joints the lightest are not listed.
const MOST: usize = 12;
const NAME_WIDTH: f32 = 180.0;
const PAD: f32 = 8.0;

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
}

/// What is seen where.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Question {
    /// Points from the viewport's top left corner.
    pub point: DVec2,
    camera: Camera,
    time: f64,
}

/// More vertices take longer than a frame may.
const HEAVY: usize = 20_000;

/// `pointer`: over the viewport, and not dragging.
pub fn probe_ui(ui: &mut Ui, frame: &mut Frame, posed: &Posed, sight: &Sight, rect: Rect, pointer: Pos2) {
    let Some(shown) = weights::shown(frame.document, frame.view) else { return };
    let point = DVec2::new(f64::from(pointer.x - rect.left()), f64::from(pointer.y - rect.top()));
    if let Some(vertex) = seen(frame, posed, sight, point) {
        vertex_ui(ui, frame, posed, sight, rect, (vertex, Some(pointer), shown));
    }
}

/// The vertex that was gone to.
pub fn marked_ui(ui: &mut Ui, frame: &Frame, posed: &Posed, sight: &Sight, rect: Rect) {
    if let Some(vertex) = frame.state.probe.marked {
        let shown = weights::shown(frame.document, frame.view).unwrap_or(Shown::Colors);
        vertex_ui(ui, frame, posed, sight, rect, (vertex, None, shown));
    }
}

/// `beside`: where the plate stands; none: at the vertex.
fn vertex_ui(ui: &mut Ui, frame: &Frame, posed: &Posed, sight: &Sight, rect: Rect, (vertex, beside, shown): (Vertex, Option<Pos2>, Shown)) {
    let Some(probed) = probe::probe(frame.document, posed, vertex) else { return };
    let palette = theme::palette(ui.ctx());
    let mut beside = beside;
    if let Some(seen) = probed.place.and_then(|place| sight.project(place)) {
        let center = rect.min + vec2(seen.point.x as f32, seen.point.y as f32);
        let painter = ui.painter_at(rect);
        painter.circle(center, 4.0, palette.accent, Stroke::new(1.5, palette.viewport));
        beside = beside.or(Some(center));
    }
    if let Some(beside) = beside {
        plate_ui(ui, frame, &probed, shown, rect, beside);
    }
}

/// What lies under a click: shown joints; while weights are shown the joints that move the surface there, the heaviest first; then
/// the meshes.
pub fn under(frame: &mut Frame, posed: &Posed, sight: &Sight, point: DVec2) -> Vec<NodeIndex> {
    if weights::shown(frame.document, frame.view).is_none() {
        return pick::under(frame.document, frame.view, posed, sight, point);
    }
    let mut found = pick::joints_under(frame.document, frame.view, posed, sight, point);
    let probed = seen(frame, posed, sight, point).and_then(|vertex| probe::probe(frame.document, posed, vertex));
    if let Some(probed) = probed {
        found.extend(probed.joints.iter().map(|(joint, _)| *joint));
        found.push(probed.at.node);
    }
    let mut known = BTreeSet::new();
    found.retain(|node| known.insert(*node));
    found
}

/// Of a heavy model what the device told last, until it tells better.
fn seen(frame: &mut Frame, posed: &Posed, sight: &Sight, point: DVec2) -> Option<Vertex> {
    let probe = &mut frame.state.probe;
    if !probe.has_device || pick::vertices_under(frame.document, posed, sight, point) < HEAVY {
        return probe::under(frame.document, posed, sight, point);
    }
    let question = Question { point, camera: sight.camera, time: frame.transport.time() };
    let told = probe.told;
    if told.is_none_or(|(told, _)| told != question) {
        probe.wanted = Some(question);
    }
    probe::around(frame.document, posed, sight, point, told?.1?)
}

fn plate_ui(ui: &mut Ui, frame: &Frame, probed: &Probed, shown: Shown, rect: Rect, pointer: Pos2) {
    let palette = theme::palette(ui.ctx());
    let (body, small) = (TextStyle::Body.resolve(ui.style()), TextStyle::Small.resolve(ui.style()));
    let lines = lines(frame, probed);
    let painter = ui.painter_at(rect);
    let title = format!("Vertex {} of {}", probed.number, frame.document.model.node(probed.at.node).label());
    let head = painter.layout_no_wrap(text::elide_middle(ui, &title, &small, NAME_WIDTH + 60.0), small.clone(), palette.secondary);
    let rows: Vec<_> = lines
        .iter()
        .take(MOST)
        .map(|(joint, name, weight)| {
            let name = text::elide_middle(ui, name, &body, NAME_WIDTH);
            (color(shown, *joint, *weight), painter.layout_no_wrap(name, body.clone(), palette.text), format!("{weight:.3}"))
        })
        .collect();
    let row = ui.text_style_height(&TextStyle::Body) + 2.0;
    let widest = rows.iter().map(|(_, name, _)| name.size().x).fold(0.0, f32::max);
    let size = vec2((widest + 74.0).max(head.size().x), head.size().y + 2.0 + row * rows.len() as f32);
    let plate = beside(pointer, size + vec2(2.0 * PAD, PAD), rect);
    let response = ui.interact(plate, ui.make_persistent_id("probe"), Sense::hover());
    let said: Vec<_> = lines.iter().map(|(_, name, weight)| format!("{name} {weight:.3}")).collect();
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{title}: {}", said.join(", "))));
    painter.rect(plate, theme::RADIUS, palette.panel.gamma_multiply(0.94), Stroke::new(1.0, palette.divider), StrokeKind::Inside);
    let mut at = plate.min + vec2(PAD, PAD / 2.0);
    let below = head.size().y + 2.0;
    painter.galley(at, head, palette.secondary);
    at.y += below;
    for (color, name, weight) in rows {
        let middle = at.y + row / 2.0;
        painter.rect_filled(Rect::from_center_size(pos2(at.x + 5.0, middle), vec2(10.0, 10.0)), 2.0, color);
        painter.galley(at + vec2(16.0, 0.0), name, palette.text);
        painter.text(pos2(plate.right() - PAD, middle), Align2::RIGHT_CENTER, weight, theme::number_font(), palette.text);
        at.y += row;
    }
}

/// Joints with their names and weights; in their place a word where there is none.
fn lines(frame: &Frame, probed: &Probed) -> Vec<(Option<NodeIndex>, String, f32)> {
    let name = |joint: NodeIndex| frame.document.model.node(joint).label();
    match probed.joints.is_empty() {
        true => vec![(None, "No joint moves it".to_owned(), 0.0)],
        false => probed.joints.iter().map(|(joint, weight)| (Some(*joint), name(*joint), *weight)).collect(),
    }
}

/// The joint's, or that of its weight.
fn color(shown: Shown, joint: Option<NodeIndex>, weight: f32) -> Color32 {
    let [r, g, b] = match (shown, joint) {
        (Shown::Colors, Some(joint)) => weights::joint_color(joint),
        (Shown::Colors, None) => weights::UNMOVED,
        (Shown::Heat, _) => weights::heat_color(weight),
    };
    Color32::from_rgb(r, g, b)
}

/// Below and to the right of the pointer, or where there is room.
fn beside(pointer: Pos2, size: egui::Vec2, inside: Rect) -> Rect {
    let away = vec2(16.0, 14.0);
    let x = if pointer.x + away.x + size.x < inside.right() { pointer.x + away.x } else { pointer.x - away.x - size.x };
    let y = if pointer.y + away.y + size.y < inside.bottom() { pointer.y + away.y } else { pointer.y - away.y - size.y };
    Rect::from_min_size(pos2(x.max(inside.left()), y.max(inside.top())), size)
}

//! What is said of a vertex: its number, the joints that move it, their colours and weights.

use egui::{Align2, Color32, Pos2, Rect, Role, Sense, Stroke, StrokeKind, TextStyle, Ui, WidgetInfo, pos2, vec2};

use crate::model::node::NodeIndex;
use crate::session::probe::Probed;
use crate::session::weights::{self, Shown};

use super::{Frame, text, theme};

/// Of more joints the lightest are not listed.
const MOST: usize = 12;
const NAME_WIDTH: f32 = 180.0;
const PAD: f32 = 8.0;

/// `pointer`: what it stands beside.
pub fn plate_ui(ui: &mut Ui, frame: &Frame, probed: &Probed, shown: Shown, rect: Rect, pointer: Pos2) {
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

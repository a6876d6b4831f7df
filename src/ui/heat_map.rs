//! The heat map of weights over the viewport: what its colours mean.

use egui::epaint::Mesh;
use egui::{Align2, Color32, Rect, Role, Sense, Shape, Stroke, StrokeKind, TextStyle, Ui, WidgetInfo, pos2, vec2};

use crate::session::view::Weights;
use crate::session::weights::{self, HEAT, Shown};

use super::{Frame, text, theme};

const BAR: egui::Vec2 = vec2(160.0, 8.0);
const PAD: f32 = 8.0;

/// Off where it is on already.
pub fn toggle(frame: &mut Frame, weights: Weights) {
    let shown = &mut frame.view.display.weights;
    *shown = if *shown == weights { Weights::Off } else { weights };
}

/// In the upper left corner of the viewport.
pub fn legend_ui(ui: &mut Ui, frame: &Frame, viewport: Rect) {
    let Some(shown) = weights::shown(frame.document, frame.view) else { return };
    let title = match shown {
        Shown::Heat => format!("Weights of {}", selected(frame)),
        Shown::Colors => "Weights: a colour for each joint".to_owned(),
    };
    let palette = theme::palette(ui.ctx());
    let font = TextStyle::Small.resolve(ui.style());
    let short = text::elide_middle(ui, &title, &font, BAR.x.max(viewport.width() / 3.0));
    let line = ui.painter().layout_no_wrap(short, font.clone(), palette.text);
    let heat = shown == Shown::Heat;
    let size = vec2(line.size().x.max(if heat { BAR.x } else { 0.0 }), line.size().y + if heat { BAR.y + 20.0 } else { 0.0 });
    let plate = Align2::LEFT_TOP.anchor_size(viewport.left_top() + vec2(PAD, PAD), size + vec2(2.0 * PAD, PAD));
    let response = ui.interact(plate, ui.make_persistent_id("weights legend"), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &title));
    let painter = ui.painter_at(viewport);
    painter.rect(plate, theme::RADIUS, palette.panel.gamma_multiply(0.9), Stroke::new(1.0, palette.divider), StrokeKind::Inside);
    let at = plate.min + vec2(PAD, PAD / 2.0);
    let below = at.y + line.size().y + 4.0;
    painter.galley(at, line, palette.text);
    if heat {
        let bar = Rect::from_min_size(pos2(at.x, below), vec2(size.x, BAR.y));
        painter.add(gradient(bar));
        for (share, align) in [(0.0, Align2::LEFT_TOP), (0.5, Align2::CENTER_TOP), (1.0, Align2::RIGHT_TOP)] {
            let under = pos2(bar.left() + share * bar.width(), bar.bottom() + 2.0);
            painter.text(under, align, share.to_string(), font.clone(), palette.secondary);
        }
    }
}

/// The active joint, and how many more.
fn selected(frame: &Frame) -> String {
    let model = &frame.document.model;
    let active = frame.view.active().and_then(|source| model.node_from_source(source));
    let name = active.map(|node| model.node(node).label()).unwrap_or_default();
    match frame.view.selection.len() {
        0 | 1 => name,
        count => format!("{name} and {} more", count - 1),
    }
}

fn gradient(bar: Rect) -> Shape {
    let mut mesh = Mesh::default();
    for (i, [r, g, b]) in (0u32..).zip(HEAT) {
        let x = bar.left() + i as f32 / (HEAT.len() - 1) as f32 * bar.width();
        let color = Color32::from_rgb(r, g, b);
        mesh.colored_vertex(pos2(x, bar.top()), color);
        mesh.colored_vertex(pos2(x, bar.bottom()), color);
        if i > 0 {
            mesh.add_triangle(2 * i - 2, 2 * i - 1, 2 * i);
            mesh.add_triangle(2 * i - 1, 2 * i, 2 * i + 1);
        }
    }
    Shape::mesh(mesh)
}

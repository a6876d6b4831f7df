//! The morph weights of the active node, live, by the names that the file gives its targets.

use egui::{Rect, Ui, vec2};

use crate::model::node::Node;
use crate::session::curve;
use crate::session::posing::Posed;
use crate::ui::{Frame, text, theme};

pub fn has_morphs(frame: &Frame) -> bool {
    active(frame).is_some_and(|node| !node.weights.is_empty())
}

pub fn morphs_ui(ui: &mut Ui, frame: &Frame, posed: &Posed) {
    let Some(node) = active(frame) else { return };
    for (target, weight) in posed.pose.weights[node.weights.clone()].iter().enumerate() {
        weight_ui(ui, &curve::target_name(&frame.document.model, node.mesh, target), *weight);
    }
}

fn active<'a>(frame: &Frame<'a>) -> Option<&'a Node> {
    let model = &frame.document.model;
    frame.view.active().and_then(|source| model.node_from_source(source)).map(|node| model.node(node))
}

/// A name, a bar from 0 to 1, a number.
fn weight_ui(ui: &mut Ui, name: &str, weight: f32) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), theme::INSPECTOR_ROW), egui::Sense::hover());
    if !ui.is_rect_visible(rect) {
        return;
    }
    let palette = theme::palette(ui.ctx());
    let font = egui::TextStyle::Body.resolve(ui.style());
    let [bar_width, number_width] = [64.0, 56.0];
    let short = text::elide_middle(ui, name, &font, rect.width() - bar_width - number_width - 12.0);
    let painter = ui.painter();
    painter.text(rect.left_center(), egui::Align2::LEFT_CENTER, short, font, palette.secondary);
    painter.text(rect.right_center(), egui::Align2::RIGHT_CENTER, format!("{weight:.3}"), theme::number_font(), palette.text);
    let left = rect.right() - number_width - bar_width;
    let bar = Rect::from_min_size(egui::pos2(left, rect.center().y - 3.0), vec2(bar_width, 6.0));
    painter.rect_filled(bar, 3.0, palette.field);
    painter.rect_filled(bar.with_max_x(left + bar_width * weight.clamp(0.0, 1.0)), 3.0, palette.accent);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, format!("{name}: {weight:.3}")));
    response.on_hover_text(format!("{name}\n{weight}"));
}

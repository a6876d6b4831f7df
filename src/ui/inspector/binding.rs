//! The bind pose: a switch that shows it, and the joints that rest otherwise than they were bound, the most turned first.

use egui::{Align2, Checkbox, Rect, Role, Sense, TextStyle, Ui, WidgetInfo, vec2};

use crate::animation::bind_pose::Difference;
use crate::model::node::NodeIndex;
use crate::session::selection::{self, How};
use crate::ui::actions::Action;
use crate::ui::units::Units;
use crate::ui::{Frame, perform, status, text, theme};

use super::rows;

pub const HINT: &str = "How the joint rests otherwise than it was bound, to the joint above it";

pub fn binding_ui(ui: &mut Ui, frame: &mut Frame) {
    let mut on = frame.view.bind_pose;
    let changed = rows::row_ui(ui, "Shown", |ui| {
        let response = ui.add(Checkbox::without_text(&mut on));
        response.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, on, "Bind pose"));
        response.on_hover_text("The joints as they stood when the vertices were bound to them, in place of the animation").changed()
    });
    if changed {
        perform::perform(Action::BindPose, frame);
    }
    let differences = &frame.document.rest_differences;
    let joints = status::grouped(frame.document.posed_joints());
    if differences.is_empty() {
        rows::text_ui(ui, "Rest", "as they were bound");
        return;
    }
    let words = format!("{} of {joints} joints differ", status::grouped(differences.len()));
    rows::text_ui(ui, "Rest", &words).on_hover_text(HINT);
    let height = theme::INSPECTOR_ROW;
    let (all, _) = ui.allocate_exact_size(vec2(ui.available_width(), differences.len() as f32 * height), Sense::hover());
    // Only the rows in sight are laid out.
    let in_sight = ui.clip_rect().y_range();
    let first = ((in_sight.min - all.top()) / height).floor().max(0.0) as usize;
    for (row, difference) in differences.iter().enumerate().skip(first) {
        let top = all.top() + row as f32 * height;
        if top > in_sight.max {
            break;
        }
        let rect = Rect::from_x_y_ranges(all.x_range(), top..=top + height);
        row_ui(ui, frame, difference, rect);
    }
}

fn row_ui(ui: &mut Ui, frame: &mut Frame, difference: &Difference, rect: Rect) {
    let palette = theme::palette(ui.ctx());
    let Difference { joint: NodeIndex(joint), .. } = *difference;
    let (node, units) = (frame.document.model.node(difference.joint), frame.state.preferences.units);
    let (name, words) = (node.label(), words(units, difference));
    let response = ui.interact(rect, ui.scope_id().with(("differs", joint)), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("{name} rests by {words} from its bind pose")));
    if frame.view.selection.contains(&node.source) {
        ui.painter().rect_filled(rect, theme::RADIUS, palette.selection);
    } else if response.hovered() || response.has_focus() {
        ui.painter().rect_filled(rect, theme::RADIUS, palette.hover);
    }
    let inner = rect.shrink2(vec2(4.0, 0.0));
    let numbers = ui.painter().text(inner.right_center(), Align2::RIGHT_CENTER, &words, theme::number_font(), palette.text);
    let font = TextStyle::Body.resolve(ui.style());
    let short = text::elide_middle(ui, &name, &font, numbers.left() - inner.left() - 8.0);
    ui.painter().text(inner.left_center(), Align2::LEFT_CENTER, short, font, palette.text);
    if response.on_hover_text(format!("Select {name}\n{words}")).clicked() {
        selection::select(&mut frame.view.selection, node.source, How::Only);
    }
}

/// "12.3°  0.010 m", and the scale where that differs.
pub fn words(units: Units, difference: &Difference) -> String {
    let moved = format!("{:.1}\u{00B0}  {}", difference.angle.to_degrees(), units.length(difference.distance));
    if (difference.scale - 1.0).abs() < 5e-4 { moved } else { format!("{moved}  x{:.3}", difference.scale) }
}

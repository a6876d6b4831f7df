//! What is said of a vertex: its number, the joints that move it, their colours and weights.

use egui::{Color32, Pos2, Rect, Ui};

use crate::colors;
use crate::model::node::NodeIndex;
use crate::session::inspect::heat_map::{self, Shown};
use crate::session::pick::vertex::Probed;
use crate::ui::Context;
use crate::ui::widgets::hover_card::{self, Plate, Row};

/// Of more joints the lightest are not listed.
const MOST: usize = 12;

/// `pointer`: what it stands beside.
pub fn plate_ui(ui: &mut Ui, frame: &Context, probed: &Probed, shown: Shown, rect: Rect, pointer: Pos2) {
    let title = format!("Vertex {} of {}", probed.number, frame.document.model.node(probed.at.node).label());
    let lines = lines(frame, probed);
    let said: Vec<_> = lines.iter().map(|(_, name, weight)| format!("{name} {weight:.3}")).collect();
    let said = format!("{title}: {}", said.join(", "));
    let row = |(joint, name, weight)| Row { color: color(shown, joint, weight), name, value: format!("{weight:.3}") };
    let rows = lines.into_iter().take(MOST).map(row).collect();
    hover_card::plate_ui(ui, &Plate { id: "probe", title, said, rows }, rect, pointer);
}

/// Joints with their names and weights; in their place a word where there is none.
fn lines(frame: &Context, probed: &Probed) -> Vec<(Option<NodeIndex>, String, f32)> {
    let name = |joint: NodeIndex| frame.document.model.node(joint).label();
    match probed.joints.is_empty() {
        true => vec![(None, "No joint moves it".to_owned(), 0.0)],
        false => probed.joints.iter().map(|(joint, weight)| (Some(*joint), name(*joint), *weight)).collect(),
    }
}

/// The joint's, or that of its weight.
fn color(shown: Shown, joint: Option<NodeIndex>, weight: f32) -> Color32 {
    let [r, g, b] = match (shown, joint) {
        (Shown::Colors, Some(joint)) => heat_map::joint_color(joint),
        (Shown::Colors, None) => colors::UNMOVED,
        (Shown::Heat, _) => heat_map::heat_color(weight),
    };
    Color32::from_rgb(r, g, b)
}

//! The menu under a right click in the viewport: what lies there, which joints move the surface there and how much, and what can
//! be done with the selection.

use egui::{Button, RichText, Ui};
use glam::DVec2;

use crate::model::node::NodeIndex;
use crate::session::pick;
use crate::session::posing::Posed;
use crate::session::selection::{self, How};
use crate::session::sight::Sight;

use super::{Frame, node_menu, text, tree};

/// Of longer lists the rest is not shown.
const MOST: usize = 8;

/// What the menu was opened on.
#[derive(Debug, Clone, Default)]
pub struct Menu {
    found: Vec<NodeIndex>,
    /// With their weights.
    joints: Vec<(NodeIndex, f64)>,
}

/// Finds what the menu will show.
pub fn open(frame: &mut Frame, posed: &Posed, sight: &Sight, at: DVec2) {
    let document = frame.document;
    let found = pick::under(document, frame.view, posed, sight, at);
    let nearest = pick::meshes_under(document, frame.view, posed, sight, at).first().copied();
    let joints = nearest.map(|hit| pick::joints_at(&document.model, &hit)).unwrap_or_default();
    if let Some(first) = found.first() {
        node_menu::take_up(frame, *first);
    }
    frame.state.viewport.menu = Menu { found, joints };
}

pub fn menu_ui(ui: &mut Ui, frame: &mut Frame) {
    let menu = frame.state.viewport.menu.clone();
    let model = &frame.document.model;
    let mut chosen = None;
    let mut list = |ui: &mut Ui, head: &str, nodes: &[(NodeIndex, String)]| {
        if nodes.is_empty() {
            return;
        }
        ui.label(text::section(ui, head));
        for (node, value) in nodes.iter().take(MOST) {
            let (icon, _) = tree::kind(frame, *node);
            let icon = RichText::new(icon).font(super::icons::font(14.0));
            if ui.add(Button::new((icon, model.node(*node).label())).shortcut_text(value)).clicked() {
                chosen = Some(*node);
            }
        }
        ui.separator();
    };
    let found: Vec<_> = menu.found.iter().map(|node| (*node, String::new())).collect();
    list(ui, "Here", &found);
    let joints: Vec<_> = menu.joints.iter().map(|(node, weight)| (*node, format!("{weight:.3}"))).collect();
    list(ui, "Joints here", &joints);
    if let Some(node) = chosen {
        selection::select(&mut frame.view.selection, model.node(node).source, How::Only);
        ui.close();
    }
    match frame.view.active().and_then(|source| model.node_from_source(source)) {
        Some(node) => node_menu::node_menu_ui(ui, frame, node),
        None => {
            ui.label("Nothing here");
        }
    }
}

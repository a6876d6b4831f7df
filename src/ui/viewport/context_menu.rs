//! The viewport's context menu: the nodes under the pointer, the joints that move the surface there (with weights), and commands for
//! the selection.

use egui::{ScrollArea, Ui};
use glam::DVec2;

use crate::captions;
use crate::session::camera::screen::ScreenProjection;
use crate::session::pick;
use crate::session::pose::solve::Posed;
use crate::session::view::selection::{self, SelectMode};
use crate::ui::context::Context;
use crate::ui::context::comparison::OtherMenu;
use crate::ui::style::theme;
use crate::ui::widgets::{menu_item, node_menu};

/// Maximum number of nodes in each list of the menu. The rest are left out.
const MAX_LISTED_NODES: usize = 8;
/// Maximum width of a name, in points. Longer names are shortened.
const NAME_WIDTH: f32 = 240.0;

/// The nodes under the pointer, by source index. Other indices may become invalid, because the menu can stay open during a reload.
#[derive(Debug, Clone, Default)]
pub struct Menu {
    nodes: Vec<usize>,
    /// The heading of the nodes.
    head: &'static str,
    /// Joints with their weights.
    joints: Vec<(usize, f64)>,
}

/// Finds the nodes and joints at a point of the viewport, and selects the first node.
pub fn open(context: &mut Context, posed: &Posed, projection: &ScreenProjection, point: DVec2) -> Menu {
    let (document, model) = (context.document, &context.document.model);
    let found = pick::under(document, context.view, posed, projection, point);
    let nearest = pick::meshes_under(document, context.view, posed, projection, point).first().copied();
    let joints = nearest.map(|hit| pick::joints_at(model, &hit)).unwrap_or_default();
    if let Some(first) = found.first() {
        node_menu::select_for_menu(context, *first);
    }
    Menu {
        head: "Nodes here",
        nodes: found.into_iter().map(|node| model.node(node).source).collect(),
        joints: joints.into_iter().map(|(node, weight)| (model.node(node).source, weight)).collect(),
    }
}

/// Draws the menu. It scrolls if the window is too low for it.
pub fn menu_ui(ui: &mut Ui, menu: &Menu, context: &mut Context) {
    let height = ui.ctx().content_rect().height() - 2.0 * theme::SECTION_GAP;
    // The menu of B has other contents at first, and must not keep their height.
    ScrollArea::vertical().max_height(height).min_scrolled_height(height).show(ui, |ui| rows_ui(ui, menu, context));
}

/// Draws the context menu of model B in a comparison. It acts on the nodes of A that are counterparts of the nodes under the pointer.
pub fn other_menu_ui(ui: &mut Ui, context: &mut Context) {
    match context.window.other_menu.clone() {
        OtherMenu::Pending => {
            ui.label("Finding the counterpart...");
        }
        OtherMenu::OnlyInB(name) => {
            ui.label(format!("{name} has no counterpart in A"));
        }
        OtherMenu::Counterparts(nodes) => menu_ui(ui, &Menu { head: "Counterparts in A", nodes, joints: Vec::new() }, context),
    }
}

/// Draws the rows of the menu.
fn rows_ui(ui: &mut Ui, menu: &Menu, context: &mut Context) {
    ui.spacing_mut().item_spacing.y = 0.0;
    let nodes = menu.nodes.iter().map(|source| (*source, String::new())).collect();
    list_ui(ui, context, menu.head, nodes);
    let joints = menu.joints.iter().map(|(source, weight)| (*source, format!("{weight:.3}"))).collect();
    list_ui(ui, context, "Joints here", joints);
    match context.view.active().and_then(|source| context.document.model.node_from_source(source)) {
        Some(node) => node_menu::node_menu_ui(ui, context, node),
        None => {
            ui.label("No node here");
        }
    }
}

/// Lists nodes, each with a value. A click selects one.
fn list_ui(ui: &mut Ui, context: &mut Context, head: &str, nodes: Vec<(usize, String)>) {
    if nodes.is_empty() {
        return;
    }
    menu_item::rows(ui, |ui| {
        menu_item::sub_head(ui, head);
        for (source, value) in nodes.into_iter().take(MAX_LISTED_NODES) {
            let Some(node) = context.document.model.node_from_source(source) else { continue };
            let selected = context.view.selection.contains(&source);
            let font = egui::TextStyle::Button.resolve(ui.style());
            let name = context.fit_node_name(node, &captions::text::fits(ui.ctx(), &font, NAME_WIDTH));
            if ui.push_id(source, |ui| menu_item::item(ui, &name, &value, Some(selected))).inner.clicked() {
                selection::select(&mut context.view.selection, source, SelectMode::Only);
                ui.close();
            }
        }
    });
}

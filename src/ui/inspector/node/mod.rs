//! The selection section: the active node's name, its parent and children, its mesh, camera and light, its skins, transforms and extras. A
//! click on the name of another node selects that node.

pub mod driving_animations;
pub mod extras;
pub mod matrices;
pub mod trail_stats;
pub mod transforms;

use egui::{Response, TextStyle, Ui, UiBuilder};

use crate::captions;
use crate::model::light::LightKind;
use crate::model::node::NodeIndex;
use crate::model::skin::Skin;
use crate::numbers::counted;
use crate::session::inspect::matrices::Matrix;
use crate::session::pose::solve::Posed;
use crate::session::view::selection::{self, SelectMode};
use crate::ui::commands::nodes::copy_transforms;
use crate::ui::context::Context;
use crate::ui::context::request::Request;
use crate::ui::style::{icons, theme};
use crate::ui::widgets::value_rows;

use super::groups::Group;
use super::list_rows;

use trail_stats::MeasuredTrail;

/// Maximum number of rows that a list shows while its other rows are folded.
const MAX_UNFOLDED_ROWS: usize = 6;

const MATRIX: Group = Group::new("Matrix", |open| &mut open.matrix);
const EXTRAS: Group = Group::new("Extras", |open| &mut open.extras);

/// State that the section keeps between frames.
#[derive(Debug, Clone, Default)]
pub struct NodeState {
    measured: MeasuredTrail,
    /// The chosen matrix of the node.
    matrix: Matrix,
}

/// Draws the section, or a hint if no node is selected.
pub fn node_ui(ui: &mut Ui, state: &mut NodeState, context: &mut Context, posed: &Posed) {
    let model = &context.document.model;
    let Some(node) = context.view.active().and_then(|source| model.node_from_source(source)) else {
        let kind = if context.document.joints.contains(&true) { "joint" } else { "node" };
        value_rows::note_ui(ui, &format!("Select a {kind} in the tree or the viewport."));
        return;
    };
    let selected = context.view.selection.len();
    if selected > 1 {
        value_rows::note_ui(ui, &format!("{} selected, showing the last", counted(selected, "node")));
    }
    name_ui(ui, context, node);
    let (_, kind) = icons::node_kind(context.document, node);
    value_rows::text_ui(ui, "Type", kind);
    value_rows::text_ui(ui, "Node index", &model.node(node).source.to_string());
    relatives_ui(ui, context, node);
    references_ui(ui, context, node);
    transforms::distances_ui(ui, context, posed, node);
    trail_stats::trail_stats_ui(ui, &mut state.measured, context, node);
    transforms::transforms_ui(ui, context, posed, node);
    MATRIX.show(ui, context, |ui, context| matrices::matrices_ui(ui, &mut state.matrix, context, posed, node));
    value_rows::control_ui(ui, "", |ui| {
        if ui.button("Copy transforms").on_hover_text("Copy the transforms of the selected nodes as text").clicked() {
            copy_transforms::copy_transforms(context);
        }
    });
    if !context.document.model.node(node).extras.is_empty() {
        EXTRAS.show(ui, context, |ui, context| extras::extras_ui(ui, context, node));
    }
}

/// Draws the node's name, with a button that copies it.
fn name_ui(ui: &mut Ui, context: &mut Context, node: NodeIndex) {
    let (label, exact_name) = (context.document.model.node(node).label(), context.document.model.node(node).exact_name());
    value_rows::row_ui(ui, "Name", |ui| {
        let font = TextStyle::Body.resolve(ui.style());
        let room = ui.available_width() - icons::BUTTON_SIDE - 8.0;
        let short = context.fit_node_name(node, &captions::text::fits(ui.ctx(), &font, room));
        ui.label(short).on_hover_text(label);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if icons::button(ui, icons::COPY, "Copy name").on_hover_text("Copy name").clicked() {
                context.requests.push(Request::CopyText(exact_name));
            }
        });
    });
}

/// Draws the links to the parent and the children.
fn relatives_ui(ui: &mut Ui, context: &mut Context, node: NodeIndex) {
    let hierarchy = &context.document.model.hierarchy;
    match hierarchy.parent(node) {
        Some(parent) => node_row(ui, context, "Parent", parent),
        None => {
            value_rows::text_ui(ui, "Parent", "None (root)");
        }
    }
    let children: Vec<_> = hierarchy.children(node).collect();
    for (i, child) in children.iter().take(MAX_UNFOLDED_ROWS).enumerate() {
        node_row(ui, context, if i == 0 { "Children" } else { "" }, *child);
    }
    let folded = children.get(MAX_UNFOLDED_ROWS..).unwrap_or_default();
    if value_rows::more_ui(ui, ("children", node.0), folded.len(), "children") {
        list_rows::rows_ui(ui, folded.len(), |ui, i, rect| {
            node_row(&mut ui.new_child(UiBuilder::new().id_salt(i).max_rect(rect)), context, "", folded[i]);
        });
    }
}

/// Draws a node's name. A click selects the node.
pub fn node_row(ui: &mut Ui, context: &mut Context, label: &str, node: NodeIndex) {
    let model = &context.document.model;
    let clicked = ui.push_id(node.0, |ui| value_rows::row_ui(ui, label, |ui| node_link_ui(ui, context, node).clicked())).inner;
    if clicked {
        selection::select(&mut context.view.selection, model.node(node).source, SelectMode::Only);
    }
}

/// Draws a node's name as a link. If it does not fit, it is shortened as in the tree.
pub fn node_link_ui(ui: &mut Ui, context: &Context, node: NodeIndex) -> Response {
    let font = TextStyle::Body.resolve(ui.style());
    let short = context.fit_node_name(node, &captions::text::fits(ui.ctx(), &font, ui.available_width()));
    let label = format!("Select {}", context.node_name(node));
    value_rows::named_link_ui(ui, &short, &label, theme::palette(ui.ctx()).accent).on_hover_text(context.document.model.node(node).label())
}

/// Lists the node's mesh, skin, camera and light. For a joint, also lists the skins that contain it.
fn references_ui(ui: &mut Ui, context: &Context, node: NodeIndex) {
    let model = &context.document.model;
    let data = model.node(node);
    if let Some(mesh) = data.mesh {
        value_rows::text_ui(ui, "Mesh", &named(model.meshes[mesh].name.as_ref(), "mesh", mesh));
    }
    if let Some(skin) = data.skin {
        value_rows::text_ui(ui, "Skin", &named(model.skins[skin].name.as_ref(), "skin", skin));
    }
    if let Some(camera) = data.camera {
        value_rows::text_ui(ui, "Camera", &named(model.cameras[camera].name.as_ref(), "camera", camera));
    }
    if let Some(light) = data.light {
        let kind = match model.lights[light].kind {
            LightKind::Directional => "directional light",
            LightKind::Point => "point light",
            LightKind::Spot { .. } => "spot light",
        };
        value_rows::text_ui(ui, "Light", &named(model.lights[light].name.as_ref(), kind, light));
    }
    if context.document.joints[node.index()] {
        skins_ui(ui, context, node);
    }
}

/// Names an element with its index: "Alice (mesh 2)", or "mesh 2" if it has no name.
fn named(name: Option<&String>, kind: &str, index: usize) -> String {
    match name.filter(|name| !name.is_empty()) {
        Some(name) => format!("{name} ({kind} {index})"),
        None => format!("{kind} {index}"),
    }
}

/// Lists the skins that contain the joint, and its index in each.
fn skins_ui(ui: &mut Ui, context: &Context, node: NodeIndex) {
    let skins = context.document.model.skins.iter().enumerate();
    let skins: Vec<_> = skins.filter_map(|(i, skin)| Some((i, skin, skin.joints.iter().position(|&joint| joint == node)?))).collect();
    let skin_ui = |ui: &mut Ui, label: &str, (i, skin, joint): (usize, &Skin, usize)| {
        let name = named(skin.name.as_ref(), "skin", i);
        value_rows::text_ui(ui, label, &format!("{joint} in skin {i}")).on_hover_text(format!("Joint {joint} of {name}"));
    };
    for (row, skin) in skins.iter().take(MAX_UNFOLDED_ROWS).enumerate() {
        skin_ui(ui, if row == 0 { "Joint index" } else { "" }, *skin);
    }
    let folded = skins.get(MAX_UNFOLDED_ROWS..).unwrap_or_default();
    if value_rows::more_ui(ui, ("skins", node.0), folded.len(), "skins") {
        list_rows::rows_ui(ui, folded.len(), |ui, row, rect| {
            skin_ui(&mut ui.new_child(UiBuilder::new().id_salt(row).max_rect(rect)), "", folded[row]);
        });
    }
}

//! Shows one matrix of the active node, chosen by the user: local, global or rest, and for a joint its inverse bind matrix and palette
//! matrix in each skin that lists it.

use std::fmt::Write;

use egui::{ComboBox, Role, Ui, WidgetInfo};
use glam::DAffine3;

use crate::animation::hierarchy::pose;
use crate::model::Model;
use crate::model::node::NodeIndex;
use crate::session::document::Document;
use crate::session::pose::solve::Posed;
use crate::ui::context::Context;
use crate::ui::request::Request;
use crate::ui::style::icons;
use crate::ui::style::units::Units;

use super::value_rows;

/// The matrix to show. Skins are given by their source index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Matrix {
    Local,
    #[default]
    Global,
    RestLocal,
    RestGlobal,
    InverseBind(usize),
    /// Inverse of the inverse bind matrix: the joint in mesh space.
    Bind(usize),
    /// Palette matrix in world space. It transforms the skin's vertices.
    Palette(usize),
    /// Palette matrix of a mesh without a skin.
    RigidPalette,
}

/// Most skins listed. The rest are left out.
const MAX_SKINS: usize = 8;

/// The matrices that the node has, in menu order.
pub fn of_node(model: &Model, node: NodeIndex) -> Vec<Matrix> {
    let mut all = vec![Matrix::Local, Matrix::Global, Matrix::RestLocal, Matrix::RestGlobal];
    for (skin, _) in places(model, node).take(MAX_SKINS) {
        all.extend([Matrix::InverseBind(skin), Matrix::Bind(skin), Matrix::Palette(skin)]);
    }
    all.extend(model.node(node).rigid_matrix.map(|_| Matrix::RigidPalette));
    all
}

/// Source index of each skin that lists the node, and the node's place among its joints.
fn places(model: &Model, node: NodeIndex) -> impl Iterator<Item = (usize, usize)> {
    model.skins.iter().enumerate().filter_map(move |(skin, data)| Some((skin, data.joints.iter().position(|&joint| joint == node)?)))
}

impl Matrix {
    pub fn label(self) -> String {
        match self {
            Self::Local => "Local".into(),
            Self::Global => "Global".into(),
            Self::RestLocal => "Local rest".into(),
            Self::RestGlobal => "Global rest".into(),
            Self::InverseBind(skin) => format!("Inverse bind, skin {skin}"),
            Self::Bind(skin) => format!("Bind, skin {skin}"),
            Self::Palette(skin) => format!("Joint matrix, skin {skin}"),
            Self::RigidPalette => "Mesh matrix".into(),
        }
    }

    /// The matrix, or `None` if the node does not have it.
    pub fn value(self, document: &Document, posed: &Posed, node: NodeIndex) -> Option<DAffine3> {
        let (model, i) = (&document.model, node.index());
        let place = |skin: usize| model.skins.get(skin)?.joints.iter().position(|&joint| joint == node);
        let inverse_bind = |skin: usize| Some(model.skins[skin].inverse_bind_matrices[place(skin)?].as_daffine3());
        Some(match self {
            Self::Local => posed.local_matrix(model, i),
            Self::Global => posed.globals[i],
            Self::RestLocal => pose::local_matrix(&model.hierarchy, &model.hierarchy.rest, i),
            Self::RestGlobal => document.compiled.rest_globals[i],
            Self::InverseBind(skin) => inverse_bind(skin)?,
            Self::Bind(skin) => inverse_bind(skin)?.inverse(),
            Self::Palette(skin) => posed.transforms[model.skins[skin].matrices.start + place(skin)?],
            Self::RigidPalette => posed.transforms[model.node(node).rigid_matrix?],
        })
    }
}

/// Draws the picker and the chosen matrix.
pub fn matrices_ui(ui: &mut Ui, chosen: &mut Matrix, context: &mut Context, posed: &Posed, node: NodeIndex) {
    let (document, units) = (context.document, context.preferences.units);
    let all = of_node(&document.model, node);
    let wanted = *chosen;
    // The choice itself is kept: it applies again once a selected node has such a matrix.
    let shown = if all.contains(&wanted) { wanted } else { Matrix::Global };
    let Some(matrix) = shown.value(document, posed, node) else { return };
    let matrix = units.matrix(&matrix);
    ui.add_space(4.0);
    value_rows::control_ui(ui, "Matrix", |ui| {
        let combo = ComboBox::from_id_salt("matrix").selected_text(shown.label()).truncate();
        let combo = combo.width(ui.available_width() - icons::BUTTON - ui.spacing().item_spacing.x);
        let response = combo.show_ui(ui, |ui| {
            for this in &all {
                ui.selectable_value(chosen, *this, this.label());
            }
        });
        response.response.widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, format!("Matrix: {}", shown.label())));
        if icons::button(ui, icons::COPY, "Copy matrix").on_hover_text("Copy matrix (row by row)").clicked() {
            context.requests.push(Request::CopyText(text(units, &shown.label(), &matrix)));
        }
    });
    for (name, row) in ["first", "second", "third"].into_iter().zip(by_rows(&matrix)) {
        value_rows::wide_numbers_ui(ui, &format!("Matrix, {name} row"), &row, 3);
    }
}

/// The matrix as three rows of four numbers; the fourth is the translation.
pub fn by_rows(matrix: &DAffine3) -> [[f64; 4]; 3] {
    let (m, t) = (matrix.matrix3, matrix.translation.to_array());
    [0, 1, 2].map(|row| m.row(row).extend(t[row]).to_array())
}

/// Text to copy: a name and three lines.
pub fn text(units: Units, name: &str, matrix: &DAffine3) -> String {
    let mut text = units.words().map_or(format!("{name}\n"), |words| format!("{name} ({words})\n"));
    for [x, y, z, offset] in by_rows(matrix) {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{x} {y} {z} {offset}");
    }
    text
}

//! The matrices of a node, as values and as text: local, global and rest, and for a joint its inverse bind matrix and palette matrix in
//! each skin that lists it.

use std::fmt::Write;

use glam::DAffine3;

use crate::animation::hierarchy::pose;
use crate::model::Model;
use crate::model::node::NodeIndex;
use crate::session::document::Document;
use crate::session::pose::solve::Posed;
use crate::units::Units;

/// A matrix of a node. Skins are given by their source index.
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

/// Maximum number of skins listed. The rest are left out.
const MAX_SKINS: usize = 8;

/// The matrices that the node has, in menu order.
pub fn of_node(model: &Model, node: NodeIndex) -> Vec<Matrix> {
    let mut all = vec![Matrix::Local, Matrix::Global, Matrix::RestLocal, Matrix::RestGlobal];
    for (skin, _) in skins_of_joint(model, node).take(MAX_SKINS) {
        all.extend([Matrix::InverseBind(skin), Matrix::Bind(skin), Matrix::Palette(skin)]);
    }
    all.extend(model.node(node).rigid_matrix.map(|_| Matrix::RigidPalette));
    all
}

/// Source index of each skin that lists the node, and the node's index among the joints of that skin.
fn skins_of_joint(model: &Model, node: NodeIndex) -> impl Iterator<Item = (usize, usize)> {
    model.skins.iter().enumerate().filter_map(move |(skin, data)| Some((skin, data.joints.iter().position(|&joint| joint == node)?)))
}

impl Matrix {
    /// The name that menus show.
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
        let joint_index = |skin: usize| model.skins.get(skin)?.joints.iter().position(|&joint| joint == node);
        let inverse_bind = |skin: usize| Some(model.skins[skin].inverse_bind_matrices[joint_index(skin)?].as_daffine3());
        Some(match self {
            Self::Local => posed.local_matrix(model, i),
            Self::Global => posed.globals[i],
            Self::RestLocal => pose::local_matrix(&model.hierarchy, &model.hierarchy.rest, i),
            Self::RestGlobal => document.compiled.rest_globals[i],
            Self::InverseBind(skin) => inverse_bind(skin)?,
            Self::Bind(skin) => inverse_bind(skin)?.inverse(),
            Self::Palette(skin) => posed.joint_transforms[model.skins[skin].matrices.start + joint_index(skin)?],
            // The palette entry of a node with far instances contains their center.
            Self::RigidPalette => {
                posed.joint_transforms[model.node(node).rigid_matrix?] * DAffine3::from_translation(-model.instances_center(node))
            }
        })
    }
}

/// The matrix as three rows of four numbers. The fourth column is the translation.
pub fn by_rows(matrix: &DAffine3) -> [[f64; 4]; 3] {
    let (m, t) = (matrix.matrix3, matrix.translation.to_array());
    [0, 1, 2].map(|row| m.row(row).extend(t[row]).to_array())
}

/// Text to copy: a name and three lines.
pub fn text(units: Units, name: &str, matrix: &DAffine3) -> String {
    let mut text = units.description().map_or(format!("{name}\n"), |description| format!("{name} ({description})\n"));
    for [x, y, z, offset] in by_rows(matrix) {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{x} {y} {z} {offset}");
    }
    text
}

//! The palette, and its overrides for joints whose influence is switched off. A palette entry is a 3x4 matrix by rows, as the vertex shader
//! reads it, with a counterpart in f64.

use bytemuck::{Pod, Zeroable};
use glam::{DAffine3, DMat3, DVec3, Vec3, Vec4};

use crate::model::Model;
use crate::model::node::NodeIndex;

/// An affine matrix by rows: `position' = rows * (position, 1)`. In WGSL it is a `mat3x4<f32>` of 48 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct JointMatrix {
    /// The first three rows; the fourth is 0, 0, 0, 1.
    pub rows: [Vec4; 3],
}

impl JointMatrix {
    /// The identity.
    pub const IDENTITY: Self = Self { rows: [Vec4::X, Vec4::Y, Vec4::Z] };

    /// Converts a matrix to rows in `f32`. glam stores columns.
    pub fn from_affine(matrix: &DAffine3) -> Self {
        let m = DMat3::transpose(&matrix.matrix3);
        let t = matrix.translation;
        Self { rows: [m.x_axis.extend(t.x).as_vec4(), m.y_axis.extend(t.y).as_vec4(), m.z_axis.extend(t.z).as_vec4()] }
    }

    /// Transforms a point.
    pub fn transform_point(&self, point: Vec3) -> Vec3 {
        let point = point.extend(1.0);
        Vec3::new(self.rows[0].dot(point), self.rows[1].dot(point), self.rows[2].dot(point))
    }

    /// Converts a matrix to `f32`, relative to `anchor`, so that `f32` is exact enough.
    pub fn anchored(matrix: &DAffine3, anchor: DVec3) -> Self {
        Self::from_affine(&DAffine3 { translation: matrix.translation - anchor, ..*matrix })
    }
}

/// Replaces a palette entry, because its joint has no influence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Override {
    /// Index in the palette.
    pub entry: usize,
    /// The matrix that the entry holds instead.
    pub by: Substitute,
}

/// The matrix that a palette entry holds instead of the matrix of its joint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Substitute {
    /// The entry of the nearest ancestor joint of the same skin that has influence.
    Entry(usize),
    /// The joint's matrix at rest, because no ancestor has influence.
    Rest(DAffine3),
}

/// Writes all palette entries in global space and f64: `global(joint) * inverse bind matrix` per joint of each skin, and the global
/// transform per node with a mesh, at the center of its instances if they are far ([`Model::far_instances`]). Then applies the overrides.
///
/// The transform of the skinned node itself has no effect (glTF 2.0, 3.7.3.3). `globals` has one entry per node, `transforms` has
/// [`Model::palette_len`] entries.
pub fn joint_transforms(model: &Model, globals: &[DAffine3], overrides: &[Override], transforms: &mut [DAffine3]) {
    update_joint_transforms(model, rigid_nodes(model), globals, overrides, transforms);
}

/// Returns node index and palette entry of each node with a rigid mesh, in model order.
pub fn rigid_nodes(model: &Model) -> impl Iterator<Item = (usize, usize)> {
    model.nodes.iter().enumerate().filter_map(|(index, node)| Some((index, node.rigid_matrix?)))
}

/// Writes the palette entries of all skins, and of `rigid_nodes`: node index and palette entry of some nodes with a rigid mesh. The entries
/// of all other nodes must be up to date. The other arguments are as for [`joint_transforms`].
pub fn update_joint_transforms(
    model: &Model,
    rigid_nodes: impl Iterator<Item = (usize, usize)>,
    globals: &[DAffine3],
    overrides: &[Override],
    transforms: &mut [DAffine3],
) {
    for skin in &model.skins {
        for (entry, joint, inverse_bind_matrix) in skin.entries() {
            transforms[entry] = globals[joint.index()] * inverse_bind_matrix.as_daffine3();
        }
    }
    for (node, entry) in rigid_nodes {
        transforms[entry] = globals[node];
    }
    for &(node, center) in &model.far_instances {
        if let Some(entry) = model.node(node).rigid_matrix {
            transforms[entry] = globals[node.index()] * DAffine3::from_translation(center);
        }
    }
    for Override { entry, by } in overrides {
        transforms[*entry] = match by {
            Substitute::Entry(other) => transforms[*other],
            Substitute::Rest(matrix) => *matrix,
        };
    }
}

/// Applies the overrides to the palette that is drawn, which is relative to `anchor`.
pub fn substitute(overrides: &[Override], anchor: DVec3, palette: &mut [JointMatrix]) {
    for Override { entry, by } in overrides {
        palette[*entry] = match by {
            Substitute::Entry(other) => palette[*other],
            Substitute::Rest(matrix) => JointMatrix::anchored(matrix, anchor),
        };
    }
}

/// Returns the overrides for joints without influence.
///
/// `influence` tells for each node whether it has influence. `rest_globals` has the global transforms of the rest pose, one per node.
pub fn overrides(model: &Model, influence: &[bool], rest_globals: &[DAffine3]) -> Vec<Override> {
    let mut overrides = Vec::new();
    for skin in &model.skins {
        if skin.joints.iter().all(|joint| influence[joint.index()]) {
            continue;
        }
        // Parents come before their children. If a joint is listed twice, its first entry represents it.
        let mut entries: Vec<_> = skin.entries().collect();
        entries.sort_by_key(|(entry, joint, _)| (*joint, *entry));
        // Joints with influence whose subtrees contain the current joint, with their entries.
        let mut ancestors: Vec<(NodeIndex, usize)> = Vec::new();
        for (entry, joint, inverse_bind_matrix) in entries {
            while ancestors.last().is_some_and(|(node, _)| !model.hierarchy.subtree(*node).contains(&joint.index())) {
                ancestors.pop();
            }
            if influence[joint.index()] {
                if ancestors.last().is_none_or(|(node, _)| *node != joint) {
                    ancestors.push((joint, entry));
                }
                continue;
            }
            let by = match ancestors.last() {
                Some((_, other)) => Substitute::Entry(*other),
                None => Substitute::Rest(rest_globals[joint.index()] * inverse_bind_matrix.as_daffine3()),
            };
            overrides.push(Override { entry, by });
        }
    }
    overrides
}

//! Global transforms to the palette: 3x4 matrices by rows, as the vertex shader reads them.

use bytemuck::{Pod, Zeroable};
use glam::{DAffine3, DMat3, DVec3, Vec3, Vec4};

use crate::model::Model;

/// An affine matrix by rows: `position' = rows * (position, 1)`. WGSL: `mat3x4<f32>`, 48 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct JointMatrix {
    pub rows: [Vec4; 3],
}

impl JointMatrix {
    pub const IDENTITY: Self = Self { rows: [Vec4::X, Vec4::Y, Vec4::Z] };

    pub fn from_affine(matrix: &DAffine3) -> Self {
        let m = DMat3::transpose(&matrix.matrix3);
        let t = matrix.translation;
        Self { rows: [m.x_axis.extend(t.x).as_vec4(), m.y_axis.extend(t.y).as_vec4(), m.z_axis.extend(t.z).as_vec4()] }
    }

    pub fn transform_point(&self, point: Vec3) -> Vec3 {
        let point = point.extend(1.0);
        Vec3::new(self.rows[0].dot(point), self.rows[1].dot(point), self.rows[2].dot(point))
    }

    /// Relative to `anchor`, where `f32` suffices.
    pub fn anchored(matrix: &DAffine3, anchor: DVec3) -> Self {
        Self::from_affine(&DAffine3 { translation: matrix.translation - anchor, ..*matrix })
    }
}

/// What stands in a palette entry instead of its own joint's matrix, because that joint has no influence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Override {
    pub entry: usize,
    pub by: Substitute,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Substitute {
    /// The entry of the nearest ancestor joint of the same skin that has influence.
    Entry(usize),
    /// There is none: the joint's matrix at rest.
    Rest(DAffine3),
}

/// Writes every palette entry in world space and f64, for numbers: for each skin `global(joint) * inverse bind matrix` (the skinned node's own
/// transform does not count: glTF 2.0, 3.7.3.3), for each node with a mesh its global transform. Then the overrides.
pub fn joint_transforms(model: &Model, globals: &[DAffine3], overrides: &[Override], transforms: &mut [DAffine3]) {
    for skin in &model.skins {
        let entries = &mut transforms[skin.matrices.clone()];
        for ((entry, joint), inverse_bind_matrix) in entries.iter_mut().zip(&skin.joints).zip(&skin.inverse_bind_matrices) {
            *entry = globals[joint.index()] * inverse_bind_matrix.as_daffine3();
        }
    }
    for (node, global) in model.nodes.iter().zip(globals) {
        if let Some(entry) = node.rigid_matrix {
            transforms[entry] = *global;
        }
    }
    for Override { entry, by } in overrides {
        transforms[*entry] = match by {
            Substitute::Entry(other) => transforms[*other],
            Substitute::Rest(matrix) => *matrix,
        };
    }
}

/// The overrides in the palette that is drawn, relative to `anchor`.
pub fn substitute(overrides: &[Override], anchor: DVec3, palette: &mut [JointMatrix]) {
    for Override { entry, by } in overrides {
        palette[*entry] = match by {
            Substitute::Entry(other) => palette[*other],
            Substitute::Rest(matrix) => JointMatrix::anchored(matrix, anchor),
        };
    }
}

/// The overrides that follow from which nodes have influence. `rest_globals`: global transforms of the rest pose.
pub fn overrides(model: &Model, influence: &[bool], rest_globals: &[DAffine3]) -> Vec<Override> {
    let mut overrides = Vec::new();
    for skin in &model.skins {
        if skin.joints.iter().all(|joint| influence[joint.index()]) {
            continue;
        }
        // Of a joint listed twice the first entry stands for it.
        let mut entry_of = vec![None; model.nodes.len()];
        for (entry, joint) in skin.matrices.clone().zip(&skin.joints) {
            entry_of[joint.index()].get_or_insert(entry);
        }
        for ((entry, joint), inverse_bind_matrix) in skin.matrices.clone().zip(&skin.joints).zip(&skin.inverse_bind_matrices) {
            if influence[joint.index()] {
                continue;
            }
            let mut ancestors = std::iter::successors(model.hierarchy.parent(*joint), |&up| model.hierarchy.parent(up));
            let by = match ancestors.find_map(|up| entry_of[up.index()].filter(|_| influence[up.index()])) {
                Some(other) => Substitute::Entry(other),
                None => Substitute::Rest(rest_globals[joint.index()] * inverse_bind_matrix.as_daffine3()),
            };
            overrides.push(Override { entry, by });
        }
    }
    overrides
}

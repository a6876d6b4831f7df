//! Reads skins (glTF 2.0, 3.7.3), and lays out the matrix palette: first the joints of each skin, then one matrix per node with a mesh, to
//! draw the mesh rigidly.

use glam::{Affine3A, Mat4};

use crate::asset::accessor::{AccessorRequest, Reader};
use crate::asset::error::{At, LoadError, Location, Problem, existing};
use crate::asset::json::typed::Omitted;
use crate::model::Model;
use crate::model::mesh::Mesh;
use crate::model::skin::Skin;
use crate::numbers::{agreeing, counted};

/// Writes the skins into `model`, whose nodes must already be set, and assigns matrices of the palette to skins and nodes. Returns an error
/// if a joint node does not exist or inverse bind matrices cannot be read.
pub fn read(reader: &mut Reader, omitted: &Omitted, model: &mut Model) -> Result<(), LoadError> {
    for (index, json) in reader.root.skins.iter().enumerate() {
        let location = Location::new("skin", "skins", index, json.name.as_deref());
        let mut joints = Vec::with_capacity(json.joints.len());
        for joint in &json.joints {
            joints.push(*existing(&model.node_of_source, joint.value(), "joint node").at(&location)?);
        }
        if joints.is_empty() && !omitted.skins.contains(&index) {
            reader.findings.error(
                "EMPTY_ENTITY",
                &format!("{}/joints", location.pointer),
                "The skin has no joints; its meshes are drawn without it.",
            );
        }
        if json.skeleton.is_some_and(|skeleton| skeleton.value() >= model.nodes.len()) {
            reader.findings.error(
                "UNRESOLVED_REFERENCE",
                &format!("{}/skeleton", location.pointer),
                "The skin's skeleton refers to a node that does not exist; it is ignored.",
            );
        }
        // Without inverse bind matrices, all of them are the identity (glTF 2.0, 3.7.3.1).
        let inverse_bind_matrices = match json.inverse_bind_matrices {
            Some(accessor) => read_inverse_bind_matrices(reader, accessor.value(), joints.len(), &location).at(&location)?,
            None => vec![Affine3A::IDENTITY; joints.len()],
        };
        let start = model.palette_len;
        model.palette_len += joints.len();
        model.skins.push(Skin { name: json.name.clone(), joints, inverse_bind_matrices, matrices: start..model.palette_len });
    }
    // A skin without joints would collapse its mesh, and without influences it moves nothing, so such a mesh is drawn rigidly.
    let has_influences = |mesh: &Mesh| mesh.primitives.iter().any(|primitive| primitive.vertices.influences.sets > 0);
    let has_influences: Vec<bool> = model.meshes.iter().map(has_influences).collect();
    for node in &mut model.nodes {
        node.skin = node.skin.filter(|&skin| !model.skins[skin].joints.is_empty() && node.mesh.is_some_and(|mesh| has_influences[mesh]));
        if node.mesh.is_some() {
            node.rigid_matrix = Some(model.palette_len);
            model.palette_len += 1;
        }
    }
    Ok(())
}

/// Reads one inverse bind matrix per joint. They are affine, so the last row is dropped.
fn read_inverse_bind_matrices(
    reader: &mut Reader,
    accessor: usize,
    joint_count: usize,
    location: &Location,
) -> Result<Vec<Affine3A>, Problem> {
    let numbers: Vec<[f32; 16]> = reader.floats(AccessorRequest { role: "inverseBindMatrices", accessor })?;
    if numbers.len() < joint_count {
        return Err(Problem::InverseBindMatrices { found: numbers.len(), wanted: joint_count });
    }
    // The specification allows more matrices than joints; the others are not used.
    let matrices: Vec<Mat4> = numbers.iter().take(joint_count).map(Mat4::from_cols_array).collect();
    let pointer = format!("{}/inverseBindMatrices", location.pointer);
    // Exporters leave rounding errors in the last row.
    let is_affine =
        |matrix: &Mat4| (matrix.row(3).to_array()).iter().zip([0.0, 0.0, 0.0, 1.0]).all(|(found, wanted)| (found - wanted).abs() < 1e-4);
    let not_affine = matrices.iter().filter(|matrix| !is_affine(matrix)).count();
    if not_affine > 0 {
        let message = format!("The last row of {} is not 0, 0, 0, 1; it is replaced.", counted(not_affine, "inverse bind matrix"));
        reader.findings.error("ACCESSOR_INVALID_IBM", &pointer, message);
    }
    let singular = matrices.iter().filter(|matrix| Affine3A::from_mat4(**matrix).matrix3.determinant() == 0.0).count();
    if singular > 0 {
        let (matrices, are) = (counted(singular, "inverse bind matrix"), agreeing(singular, "is", "are"));
        let joints = agreeing(singular, "its joint", "their joints");
        let message = format!("{matrices} {are} singular: the vertices of {joints} collapse.");
        reader.findings.warning("SKIN_IBM_SINGULAR", &pointer, message);
    }
    Ok(matrices.into_iter().map(Affine3A::from_mat4).collect())
}

//! Copies the transforms of nodes to the clipboard as text.

use std::fmt::Write;

use crate::model::node::NodeIndex;
use crate::session::document::Document;
use crate::session::inspect::matrices;
use crate::session::pose::solve::Posed;
use crate::ui::context::Context;
use crate::ui::context::request::Request;
use crate::units::{self, Units};

use super::switches;

/// Copies the local and global transforms of the selected nodes at the current time.
pub fn copy_transforms(context: &mut Context) {
    let nodes = switches::selected(context);
    if nodes.is_empty() {
        return;
    }
    let posed = context.subject().posed_with_known_roots(context.transport.moment());
    let units = context.preferences.units;
    let text: Vec<_> = nodes.into_iter().map(|node| transforms(context.document, units, &posed, node)).collect();
    context.requests.push(Request::CopyText(text.join("\n")));
}

/// A node's name, translation, rotation, scale and matrices (by rows), in the units of the preferences. Rotations are quaternions (x, y, z,
/// w) and Euler angles. If the file stores the transform of the node as a matrix, the text has only the matrices.
pub fn transforms(document: &Document, units: Units, posed: &Posed, node: NodeIndex) -> String {
    let (model, i) = (&document.model, node.index());
    let description = units.description().map_or(String::new(), |description| format!(", {description}"));
    let mut text = format!("{} (node {}{description})\n", model.node(node).label(), model.node(node).source);
    if model.hierarchy.fixed_local[i].is_none() {
        let trs = units.trs(&posed.local(model, i));
        let (t, r, s) = (trs.translation.as_vec3(), trs.rotation.as_quat(), trs.scale.as_vec3());
        let [x, y, z] = units::euler_degrees(trs.rotation);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "translation {} {} {}", t.x, t.y, t.z);
        let _ = writeln!(text, "rotation {} {} {} {}", r.x, r.y, r.z, r.w);
        let _ = writeln!(text, "euler XYZ degrees {x} {y} {z}");
        let _ = writeln!(text, "scale {} {} {}", s.x, s.y, s.z);
    }
    for matrix in matrices::of_node(model, node) {
        if let Some(value) = matrix.value(document, posed, node) {
            // The matrix is already in the user's units.
            text += &matrices::text(Units::default(), &matrix.label().to_lowercase(), &units.matrix(&value));
        }
    }
    text
}

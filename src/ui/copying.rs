//! Transforms as text for the clipboard.

use std::fmt::Write;

use glam::DAffine3;

use crate::model::node::NodeIndex;
use crate::session::document::Document;
use crate::session::posing::{self, Posed};

use super::sheet::values;
use super::{Command, Frame, switching};

/// The selected keys; without any, the local and global transforms of the selected nodes at this time.
pub fn copy_values(frame: &mut Frame) {
    if !frame.state.keys.is_empty() {
        frame.commands.push(Command::CopyText(values::selected_text(frame)));
        return;
    }
    let nodes = switching::selected(frame);
    if nodes.is_empty() {
        return;
    }
    let mut posed = Posed::with(&frame.document.model, frame.document.prepared.clone());
    posing::pose(&frame.document.model, frame.view, frame.transport.moment(), &mut posed);
    let text: Vec<_> = nodes.into_iter().map(|node| transforms(frame.document, &posed, node)).collect();
    frame.commands.push(Command::CopyText(text.join("\n")));
}

/// A node's name, its translation, rotation and scale, and its local and global matrices by rows.
pub fn transforms(document: &Document, posed: &Posed, node: NodeIndex) -> String {
    let (model, i) = (&document.model, node.index());
    let local = posed.local_matrix(model, i);
    let mut text = format!("{} (node {})\n", model.node(node).label(), model.node(node).source);
    if model.hierarchy.fixed_local[i].is_none() {
        let trs = posed.local(model, i);
        let (t, r, s) = (trs.translation, trs.rotation, trs.scale);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "translation {} {} {}", t.x, t.y, t.z);
        let _ = writeln!(text, "rotation {} {} {} {}", r.x, r.y, r.z, r.w);
        let _ = writeln!(text, "scale {} {} {}", s.x, s.y, s.z);
    }
    text + &rows("local", &local) + &rows("global", &posed.globals[i])
}

fn rows(name: &str, matrix: &DAffine3) -> String {
    let (m, t) = (matrix.matrix3, matrix.translation);
    let mut text = format!("{name}\n");
    for (row, offset) in [m.row(0), m.row(1), m.row(2)].into_iter().zip(t.to_array()) {
        let _ = writeln!(text, "{} {} {} {offset}", row.x, row.y, row.z);
    }
    text
}

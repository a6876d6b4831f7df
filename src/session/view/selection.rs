//! The one selection of nodes, shared by tree, viewport and inspector: nodes by the file's index in the order they were
//! selected. The last is the active one.

/// What a click does to the selection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum How {
    /// Instead of what was selected.
    #[default]
    Only,
    /// On top of it.
    Add,
    /// Out of it if it is in there, else on top of it.
    Toggle,
}

pub fn select(selection: &mut Vec<usize>, node: usize, how: How) {
    let selected = selection.contains(&node);
    match how {
        How::Only => selection.clear(),
        How::Add | How::Toggle => selection.retain(|&other| other != node),
    }
    if !(how == How::Toggle && selected) {
        selection.push(node);
    }
}

/// Selects several at once; the last of them becomes the active one.
pub fn select_all(selection: &mut Vec<usize>, nodes: &[usize], how: How) {
    if how == How::Only {
        selection.clear();
    }
    let inside: std::collections::BTreeSet<_> = nodes.iter().collect();
    selection.retain(|node| !inside.contains(node));
    selection.extend(nodes);
}

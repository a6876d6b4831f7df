//! Changes the selection of nodes that tree, viewport and inspector share.
//!
//! A selection lists nodes by their index in the file, in the order in which they were selected. The last one is the active node.

/// How a click changes the selection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SelectMode {
    /// Selects the node alone.
    #[default]
    Only,
    /// Adds the node.
    Add,
    /// Removes the node if it is selected, and adds it otherwise.
    Toggle,
}

/// Selects a node. Unless it is removed, it becomes the active one.
pub fn select(selection: &mut Vec<usize>, node: usize, mode: SelectMode) {
    let selected = selection.contains(&node);
    match mode {
        SelectMode::Only => selection.clear(),
        SelectMode::Add | SelectMode::Toggle => selection.retain(|&other| other != node),
    }
    if !(mode == SelectMode::Toggle && selected) {
        selection.push(node);
    }
}

/// Selects several nodes at once; the last of them becomes the active one.
pub fn select_all(selection: &mut Vec<usize>, nodes: &[usize], mode: SelectMode) {
    if mode == SelectMode::Only {
        selection.clear();
    }
    let inside: std::collections::BTreeSet<_> = nodes.iter().collect();
    selection.retain(|node| !inside.contains(node));
    selection.extend(nodes);
}

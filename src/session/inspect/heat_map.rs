//! Computes the colors of the heat map: one tint per palette entry, which the vertex shader blends with the skin weights.
//!
//! The weights come from the file, even if influences are switched off.

use std::collections::BTreeMap;

use glam::Vec4;

use crate::colors::{self, HEAT, Rgb, UNMOVED};
use crate::model::node::NodeIndex;
use crate::session::document::Document;
use crate::session::view::View;
use crate::session::view::display::HeatMap;

/// Step between the hues of successive joints, or of other numbered things. The golden ratio keeps each hue far from those before it.
pub const HUE_STEP: f32 = 0.618_034;

/// The weights that the heat map shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeatMapMode {
    /// The weights of the selected joints together.
    Heat,
    /// The weights of all joints, each in its own color.
    Colors,
}

/// Heats of single vertices, which replace the tints of their joints.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct VertexHeats {
    /// Heats from 0 to 1, one per vertex: all vertices of one primitive, then those of the next.
    pub heats: Vec<f32>,
    /// Index of a primitive's first heat, by its node and its index among the primitives of the mesh.
    pub starts: BTreeMap<(NodeIndex, usize), usize>,
}

/// The weights that the view's heat map shows. `None` if it is off. Heat needs a selected joint or rigid mesh in the palette; without one,
/// the colors of all joints are shown.
pub fn mode(document: &Document, view: &View) -> Option<HeatMapMode> {
    match view.display.heat_map {
        HeatMap::Off => None,
        HeatMap::Selection if selected(document, view).contains(&true) => Some(HeatMapMode::Heat),
        HeatMap::Selection | HeatMap::All => Some(HeatMapMode::Colors),
    }
}

/// One tint per palette entry: heat in x and zeros in y, z and w, or the linear color and 1 in w. Empty if the heat map is off.
pub fn tints(document: &Document, view: &View) -> Vec<Vec4> {
    match mode(document, view) {
        None => Vec::new(),
        Some(HeatMapMode::Heat) => selected(document, view).into_iter().map(|on| Vec4::X * f32::from(u8::from(on))).collect(),
        Some(HeatMapMode::Colors) => {
            let color = |node: Option<NodeIndex>| colors::linear(node.map_or(UNMOVED, joint_color)).extend(1.0);
            by_entry(document, color(None), |joint| color(Some(joint)), |mesh| color(document.owner_joints[mesh.index()]))
        }
    }
}

/// The selected nodes whose weights the heat map shows, in the order of the selection: joints, and nodes that rigid meshes belong to.
pub fn shown_nodes(document: &Document, view: &View) -> Vec<NodeIndex> {
    let model = &document.model;
    let mut has_weights = vec![false; model.nodes.len()];
    let rigid = model.node_indices().filter(|&node| model.is_drawn_rigidly(model.node(node)));
    let joints = model.skins.iter().flat_map(|skin| skin.joints.iter().copied());
    joints.chain(rigid.flat_map(|mesh| up_to_owner(document, mesh))).for_each(|node| has_weights[node.index()] = true);
    let selected = view.selection.iter().filter_map(|&source| model.node_from_source(source));
    selected.filter(|node| has_weights[node.index()]).collect()
}

/// Whether each palette entry is selected. A rigid mesh is selected if its node, its owner joint or any node between them is selected.
fn selected(document: &Document, view: &View) -> Vec<bool> {
    let model = &document.model;
    let mut chosen = vec![false; model.nodes.len()];
    for node in view.selection.iter().filter_map(|&source| model.node_from_source(source)) {
        chosen[node.index()] = true;
    }
    let is_mesh_selected = |mesh: NodeIndex| up_to_owner(document, mesh).any(|node| chosen[node.index()]);
    by_entry(document, false, |joint| chosen[joint.index()], is_mesh_selected)
}

/// The node of a rigid mesh, and the nodes above it up to its owner joint.
fn up_to_owner(document: &Document, mesh: NodeIndex) -> impl Iterator<Item = NodeIndex> {
    let owner = document.owner_joints[mesh.index()].unwrap_or(mesh);
    std::iter::successors(Some(mesh), move |&node| document.model.hierarchy.parent(node).filter(|_| node != owner))
}

/// One value per palette entry: `joint` for the joints of skins, `mesh` for the nodes that draw something rigidly, `none` for all other
/// entries.
fn by_entry<T: Clone>(document: &Document, none: T, joint: impl Fn(NodeIndex) -> T, mesh: impl Fn(NodeIndex) -> T) -> Vec<T> {
    let model = &document.model;
    let mut entries = vec![none; model.palette_len];
    for skin in &model.skins {
        skin.entries().for_each(|(entry, node, _)| entries[entry] = joint(node));
    }
    for (node, entry) in model.node_indices().filter_map(|node| Some((node, model.node(node).rigid_matrix?))) {
        if model.is_drawn_rigidly(model.node(node)) {
            entries[entry] = mesh(node);
        }
    }
    entries
}

/// The heat color of a weight from 0 to 1, in sRGB. Zero has a color of its own.
pub fn heat_color(weight: f32) -> Rgb {
    if weight <= 0.0 {
        return UNMOVED;
    }
    let position = weight.clamp(0.0, 1.0) * (HEAT.len() - 1) as f32;
    let stop = (position as usize).min(HEAT.len() - 2);
    std::array::from_fn(|i| {
        let [a, b] = [HEAT[stop][i], HEAT[stop + 1][i]].map(f32::from);
        (a + (b - a) * (position - stop as f32)).round() as u8
    })
}

/// The color of a joint when all joints are shown, in sRGB.
pub fn joint_color(joint: NodeIndex) -> Rgb {
    let index = joint.index();
    let hue = (index as f32 * HUE_STEP).fract() * 6.0;
    // Brightness varies too, so that joints of similar hue can be told apart.
    let value = [0.95, 0.62, 0.8, 0.7][index % 4];
    // HSV to RGB with a saturation of 0.62. The shifts 5, 3 and 1 belong to red, green and blue.
    let channel = |shift: f32| {
        let position = (hue + shift).rem_euclid(6.0);
        let full = (position.min(4.0 - position)).clamp(0.0, 1.0);
        (value * (1.0 - 0.62 * full) * 255.0).round() as u8
    };
    [channel(5.0), channel(3.0), channel(1.0)]
}

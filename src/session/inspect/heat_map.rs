//! What the heat map shows: for each entry of the palette a tint, which the vertex shader weighs as it weighs the matrices. Weights
//! are the file's, whatever influence is switched off.

use glam::{Vec3, Vec4};

use crate::model::node::NodeIndex;
use crate::session::document::Document;
use crate::session::view::{View, Weights};

/// From what the selected joints do not move to what they alone move: sRGB, at even steps. Keep in sync with heat_map.wgsl.
pub const HEAT: [[u8; 3]; 5] = [[88, 94, 108], [104, 58, 160], [200, 60, 112], [248, 138, 60], [255, 240, 164]];
/// What no joint moves, where each has a colour: sRGB.
pub const UNMOVED: [u8; 3] = [88, 94, 108];

/// Hues go round by the golden ratio: those of neighbours differ as much as they can.
const GOLDEN: f32 = 0.618_034;

/// What is shown: the selected joints' weights together, or every joint's by its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    Heat,
    Colors,
}

/// None: neither. Heat needs somebody selected who moves anything.
pub fn shown(document: &Document, view: &View) -> Option<Shown> {
    match view.display.weights {
        Weights::Off => None,
        Weights::Selection if selected(document, view).contains(&true) => Some(Shown::Heat),
        Weights::Selection | Weights::All => Some(Shown::Colors),
    }
}

/// By entry of the palette: the joint's heat, then zeros; or its linear colour, then one. Empty where neither is shown.
pub fn tints(document: &Document, view: &View) -> Vec<Vec4> {
    match shown(document, view) {
        None => Vec::new(),
        Some(Shown::Heat) => selected(document, view).into_iter().map(|on| Vec4::X * f32::from(u8::from(on))).collect(),
        Some(Shown::Colors) => {
            let color = |node: Option<NodeIndex>| linear(node.map_or(UNMOVED, joint_color)).extend(1.0);
            by_entry(document, color(None), |joint| color(Some(joint)), |mesh| color(document.carriers[mesh.index()]))
        }
    }
}

/// By entry of the palette: whether it is selected. A rigid mesh is where it, its carrier or any node between is.
fn selected(document: &Document, view: &View) -> Vec<bool> {
    let model = &document.model;
    let mut chosen = vec![false; model.nodes.len()];
    for node in view.selection.iter().filter_map(|&source| model.node_from_source(source)) {
        chosen[node.index()] = true;
    }
    let carried = |mesh: NodeIndex| {
        let carrier = document.carriers[mesh.index()].unwrap_or(mesh);
        let mut up = std::iter::successors(Some(mesh), |&node| model.hierarchy.parent(node).filter(|_| node != carrier));
        up.any(|node| chosen[node.index()])
    };
    by_entry(document, false, |joint| chosen[joint.index()], carried)
}

/// For each entry of the palette what its joint has, or the node whose rigid mesh it moves.
fn by_entry<T: Clone>(document: &Document, none: T, joint: impl Fn(NodeIndex) -> T, mesh: impl Fn(NodeIndex) -> T) -> Vec<T> {
    let model = &document.model;
    let mut entries = vec![none; model.palette_len];
    for skin in &model.skins {
        entries[skin.matrices.clone()].iter_mut().zip(&skin.joints).for_each(|(entry, &of)| *entry = joint(of));
    }
    for (node, entry) in model.node_indices().filter_map(|node| Some((node, model.node(node).rigid_matrix?))) {
        entries[entry] = mesh(node);
    }
    entries
}

/// The colour of a weight, sRGB.
pub fn heat_color(weight: f32) -> [u8; 3] {
    let at = weight.clamp(0.0, 1.0) * (HEAT.len() - 1) as f32;
    let stop = (at as usize).min(HEAT.len() - 2);
    std::array::from_fn(|i| {
        let [a, b] = [HEAT[stop][i], HEAT[stop + 1][i]].map(f32::from);
        (a + (b - a) * (at - stop as f32)).round() as u8
    })
}

/// The colour of a joint among all, sRGB.
pub fn joint_color(joint: NodeIndex) -> [u8; 3] {
    let number = joint.index();
    let hue = (number as f32 * GOLDEN).fract() * 6.0;
    let value = [0.95, 0.62, 0.8, 0.7][number % 4];
    let channel = |shift: f32| {
        let at = (hue + shift).rem_euclid(6.0);
        let full = (at.min(4.0 - at)).clamp(0.0, 1.0);
        (value * (1.0 - 0.62 * full) * 255.0).round() as u8
    };
    [channel(5.0), channel(3.0), channel(1.0)]
}

fn linear(color: [u8; 3]) -> Vec3 {
    let linear = |byte: u8| {
        let encoded = f32::from(byte) / 255.0;
        if encoded <= 0.04045 { encoded / 12.92 } else { ((encoded + 0.055) / 1.055).powf(2.4) }
    };
    Vec3::from_array(color.map(linear))
}

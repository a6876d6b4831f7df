//! What is drawn besides the file: the skeleton as lines over the model, the world's axes, and their colours.

use glam::{DVec3, Vec4};

use crate::camera::Bounds;
use crate::model::Model;
use crate::model::node::NodeIndex;
use crate::session::document::Document;
use crate::session::posing::Posed;
use crate::session::view::View;

/// A line of constant width with round ends; with both ends at one place, a dot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Line {
    /// World space.
    pub start: DVec3,
    pub end: DVec3,
    /// Points.
    pub width: f32,
    /// On each side, points.
    pub halo_width: f32,
    /// sRGB and alpha.
    pub color: [u8; 4],
    pub halo: [u8; 4],
}

/// Colours of everything drawn over or around the model.
#[derive(Debug, Clone, PartialEq)]
pub struct Theme {
    pub background: [u8; 3],
    pub joint: [u8; 3],
    pub accent: [u8; 3],
    /// Opposite to `joint`: keeps lines apart from whatever is behind them.
    pub halo: [u8; 3],
    pub grid: [u8; 3],
    pub axes: [[u8; 3]; 3],
}

impl Theme {
    pub const DARK: Self = Self {
        background: [0x2A, 0x2D, 0x33],
        joint: [0xC8, 0xCD, 0xD5],
        accent: [0x38, 0xD1, 0xCF],
        halo: [0x13, 0x15, 0x18],
        grid: [0x73, 0x7B, 0x87],
        axes: [[0xF0, 0x61, 0x6D], [0x7C, 0xC3, 0x6A], [0x5B, 0x9D, 0xF5]],
    };

    pub const LIGHT: Self = Self {
        background: [0xD9, 0xDC, 0xE1],
        joint: [0x3B, 0x42, 0x50],
        accent: [0x00, 0x70, 0x6E],
        halo: [0xFF, 0xFF, 0xFF],
        grid: [0x6F, 0x77, 0x83],
        axes: [[0xC4, 0x28, 0x3A], [0x2F, 0x7A, 0x1E], [0x1F, 0x5F, 0xC4]],
    };

    /// Linear.
    pub(super) fn grid_color(&self) -> Vec4 {
        let [r, g, b] = self.grid.map(|byte| linear(byte) as f32);
        Vec4::new(r, g, b, 0.42)
    }
}

/// The light that a byte of sRGB stands for.
pub(super) fn linear(byte: u8) -> f64 {
    let c = f64::from(byte) / 255.0;
    if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
}

/// From a joint to where it points: its single child joint, the mean of several, and for a leaf on in its parent's direction,
/// half as long. By node; none for nodes that are no joints. Where a model has no skin, every node of the scene is one.
pub fn bones(document: &Document, view: &View, posed: &Posed) -> Vec<Option<[DVec3; 2]>> {
    let model = &document.model;
    let joints = joints(document, view);
    let parents = parent_joints(model, &joints);
    let place = |node: usize| posed.globals[node].translation;
    let mut children = vec![(DVec3::ZERO, 0u32); model.nodes.len()];
    for (node, parent) in parents.iter().enumerate() {
        if let (true, Some(parent)) = (joints[node], parent) {
            children[*parent].0 += place(node);
            children[*parent].1 += 1;
        }
    }
    let mut bones: Vec<Option<[DVec3; 2]>> = vec![None; model.nodes.len()];
    for node in 0..model.nodes.len() {
        if !joints[node] {
            continue;
        }
        let start = place(node);
        let end = match (children[node], parents[node]) {
            ((sum, count @ 1..), _) => sum / f64::from(count),
            (_, Some(parent)) => start + (start - place(parent)) / 2.0,
            (_, None) => start,
        };
        bones[node] = Some([start, end]);
    }
    bones
}

/// The skeleton as lines: every joint that is drawn, the selected ones and what hangs below them in the accent's colour.
pub fn skeleton_lines(document: &Document, view: &View, posed: &Posed, theme: &Theme) -> Vec<Line> {
    let model = &document.model;
    let bones = bones(document, view, posed);
    let joints: Vec<bool> = bones.iter().map(Option::is_some).collect();
    let parents = parent_joints(model, &joints);
    let (selected, below) = selection(model, view);
    let opaque = |[r, g, b]: [u8; 3]| [r, g, b, 0xFF];
    let [r, g, b] = theme.halo;
    let halo = [r, g, b, 0xB0];
    let mut lines = Vec::with_capacity(bones.len() * 3);
    // Joints that are selected come last, over the others.
    for top in [false, true] {
        for (node, bone) in bones.iter().enumerate() {
            let Some([start, end]) = bone.filter(|_| posed.effective.drawn[node] && below[node] == top) else { continue };
            let color = opaque(if below[node] { theme.accent } else { theme.joint });
            let width = if selected[node] { 3.0 } else { 2.0 };
            let line = Line { start, end, width, halo_width: 1.0, color, halo };
            // From the parent's tip to this joint, where several share that tip.
            if let Some(tip) = parents[node].filter(|&up| posed.effective.drawn[up]).and_then(|up| bones[up]).map(|[_, tip]| tip)
                && (tip - start).length() > 1e-6 * (start - end).length()
            {
                lines.push(Line { start: tip, end: start, width: 1.0, halo_width: 0.5, ..line });
            }
            lines.push(line);
            let dot = if selected[node] { 7.0 } else { 5.0 };
            lines.push(Line { end: start, width: dot, ..line });
        }
    }
    lines
}

fn joints(document: &Document, view: &View) -> Vec<bool> {
    if document.joints.iter().any(|&joint| joint) {
        return document.joints.clone();
    }
    let model = &document.model;
    model.nodes_in_scene(model.scene_or_default(view.scene))
}

/// The nearest ancestor of each node that is a joint.
fn parent_joints(model: &Model, joints: &[bool]) -> Vec<Option<usize>> {
    let mut nearest: Vec<Option<usize>> = vec![None; joints.len()];
    for node in 0..joints.len() {
        let parent = model.hierarchy.parents[node].map(NodeIndex::index);
        nearest[node] = parent.and_then(|parent| if joints[parent] { Some(parent) } else { nearest[parent] });
    }
    nearest
}

/// By node: whether it is selected, and whether it or an ancestor is.
fn selection(model: &Model, view: &View) -> (Vec<bool>, Vec<bool>) {
    let mut selected = vec![false; model.nodes.len()];
    let mut below = selected.clone();
    for node in view.selection.iter().filter_map(|&source| model.node_from_source(source)) {
        selected[node.index()] = true;
        below[model.hierarchy.subtree(node)].fill(true);
    }
    (selected, below)
}

/// The world's axes, from the origin, about half as long as what is shown is large.
pub(super) fn axes(bounds: &Bounds, theme: &Theme) -> [Line; 3] {
    let length = if bounds.is_empty() { 1.0 } else { bounds.radius().max(1e-6) * 0.6 };
    [0, 1, 2].map(|axis| {
        let [r, g, b] = theme.axes[axis];
        let end = DVec3::AXES[axis] * length;
        Line { start: DVec3::ZERO, end, width: 2.0, halo_width: 0.0, color: [r, g, b, 0xFF], halo: [0; 4] }
    })
}

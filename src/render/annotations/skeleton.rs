//! Builds the drawn skeleton of a pose, as lines or solids with joint axes, and finds the meshes to outline.

use bytemuck::{Pod, Zeroable};
use glam::{DMat3, DVec3, Vec3};

use crate::camera::bounds::Bounds;
use crate::colors::{self, Colors};
use crate::model::Model;
use crate::model::node::NodeIndex;
use crate::session::analyses::Analyses;
use crate::session::document::Document;
use crate::session::pose::skeleton;
use crate::session::view::View;
use crate::session::view::display::{Depth, JointShape};

use super::PosedView;
use super::line::{Line, opaque};

/// The shape of a solid joint. Keep in sync with the constants in joint.wgsl.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Solid {
    /// Thickest near its start.
    Octahedron,
    /// A sphere with a spike towards the end of the joint.
    Sphere,
    /// A box along the whole joint.
    Box,
}

/// A joint drawn as a solid, from its position to its end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SolidJoint {
    /// Position of the joint in world space, in meters. Never equal to `end`.
    pub start: DVec3,
    /// End of the joint in world space, in meters.
    pub end: DVec3,
    pub solid: Solid,
    /// Vector from the axis to a corner of the thickest cross-section, in meters. Its length is the radius of a sphere.
    pub side: DVec3,
    /// sRGB and alpha.
    pub color: [u8; 4],
    /// Color of the edges, darker than `color`. sRGB and alpha.
    pub edge: [u8; 4],
}

/// A solid joint as shaders read it, relative to the anchor. Keep in sync with `Joint` in joint.wgsl.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct GpuSolidJoint {
    start: Vec3,
    end: Vec3,
    side: Vec3,
    color: [u8; 4],
    edge: [u8; 4],
    solid: u32,
}

impl GpuSolidJoint {
    /// Vertex attributes, stepped per instance.
    pub const ATTRIBUTES: [wgpu::VertexAttribute; 6] =
        wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x3, 3 => Unorm8x4, 4 => Unorm8x4, 5 => Uint32];
    /// Number of vertices of a box, the largest solid. Smaller solids collapse the vertices that they do not use.
    pub const VERTICES: u32 = 36;
}

/// The drawn skeleton.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Skeleton {
    /// Joints as lines, connections between joints, and joint axes.
    pub lines: Vec<Line>,
    /// Joints as solids. Empty if joints are drawn as lines.
    pub solid_joints: Vec<SolidJoint>,
}

// Colors of solids, sRGB. They are the same in the dark and the light theme, because light faces with dark edges look like solids in front
// of any model.
const SOLID: [u8; 3] = colors::DARK.joint;
const SOLID_SELECTED: [u8; 3] = colors::DARK.accent;
const SOLID_EDGE: [u8; 3] = colors::DARK.halo;
/// Thickness of a solid, as a fraction of its length, within the limits below.
const THICKNESS_RATIO: f64 = 0.1;
/// Limits of the thickness, as fractions of the model's radius. The limits keep fingers visible, and keep a long spine joint from filling
/// the body.
const THICKNESS_LIMITS: [f64; 2] = [0.006, 0.035];
/// Upper limit of the thickness, as a fraction of the length. It takes precedence over the lower limit in [`THICKNESS_LIMITS`].
const MAX_THICKNESS_RATIO: f64 = 0.3;
/// Length of a joint's axes, as a fraction of the joint's length.
const AXIS_RATIO: f64 = 0.4;
/// Limits of the length of a joint's axes, as fractions of the model's radius.
const AXIS_LIMITS: [f64; 2] = [0.015, 0.08];

/// Builds the skeleton for a view. Selected joints and their descendants have the accent color. If the skeleton is hidden, only selected
/// joints that get no outline are drawn, so that the selection stays visible. If outlines are switched off, not even those are drawn.
pub fn skeleton(posed_view: &PosedView) -> Skeleton {
    let PosedView { document, analyses, view, posed, theme, .. } = *posed_view;
    let mut skeleton = Skeleton::default();
    let shows_all = document.shows_skeleton(view);
    if !shows_all && (view.selection.is_empty() || !view.display.outline) {
        return skeleton;
    }
    let model = &document.model;
    let joints = document.skeleton_nodes(view);
    let segments = skeleton::joint_segments(model, joints, &posed.globals);
    let parents = skeleton::parent_joints(model, joints);
    let (selected, highlighted) = selection(model, view);
    let is_drawn = |node: usize| posed.effective.drawn[node] && (shows_all || (selected[node] && lacks_outline(document, node)));
    let radius = model_radius(analyses, &segments);
    let [r, g, b] = theme.halo;
    let halo = [r, g, b, 0xB0];
    let solid = match view.display.joint_shape {
        JointShape::Lines => None,
        JointShape::Octahedra => Some(Solid::Octahedron),
        JointShape::Spheres => Some(Solid::Sphere),
        JointShape::Boxes => Some(Solid::Box),
    };
    skeleton.lines.reserve(segments.len() * 3);
    // Draw the selected joints and their descendants last, over the other joints.
    for highlighted_pass in [false, true] {
        for (node, segment) in segments.iter().enumerate() {
            let Some([start, end]) = segment.filter(|_| is_drawn(node) && highlighted[node] == highlighted_pass) else { continue };
            let color = opaque(if highlighted[node] { theme.accent } else { theme.joint });
            let width = if selected[node] { 3.0 } else { 2.0 };
            let line = Line { start, end, width, halo_width: 1.0, color, halo, depth: view.display.skeleton_depth };
            // A joint with several children ends at their mean, so a thin line connects that end to each child.
            if let Some(tip) = parents[node].filter(|&up| is_drawn(up)).and_then(|up| segments[up]).map(|[_, tip]| tip)
                && (tip - start).length() > 1e-6 * (start - end).length()
            {
                skeleton.lines.push(Line { start: tip, end: start, width: 1.0, halo_width: 0.5, ..line });
            }
            let x = posed.globals[node].matrix3.x_axis;
            match solid.and_then(|solid| solid_joint(solid, [start, end], x, radius)) {
                Some(shape) => {
                    let color = opaque(if highlighted[node] { SOLID_SELECTED } else { SOLID });
                    skeleton.solid_joints.push(SolidJoint { color, edge: opaque(SOLID_EDGE), ..shape });
                }
                None => {
                    skeleton.lines.push(line);
                    let dot_width = if selected[node] { 7.0 } else { 5.0 };
                    skeleton.lines.push(Line { end: start, width: dot_width, ..line });
                }
            }
            if view.display.joint_axes {
                let length = (AXIS_RATIO * start.distance(end)).clamp(AXIS_LIMITS[0] * radius, AXIS_LIMITS[1] * radius);
                skeleton
                    .lines
                    .extend(joint_axes(start, &posed.globals[node].matrix3, length, theme).map(|axis| Line { depth: line.depth, ..axis }));
            }
        }
    }
    skeleton
}

/// Returns whether selecting a node outlines no mesh. This is the case for joints and for nodes whose subtree has no mesh.
fn lacks_outline(document: &Document, node: usize) -> bool {
    let model = &document.model;
    document.joints[node] || model.nodes[model.hierarchy.subtree(NodeIndex(node as u32))].iter().all(|node| node.mesh.is_none())
}

/// Returns for each node whether it is outlined, by node index. The selected nodes and their descendants are outlined. Empty if no node is
/// outlined.
pub fn outlined(document: &Document, view: &View) -> Vec<bool> {
    if view.selection.is_empty() || !view.display.outline {
        return Vec::new();
    }
    selection(&document.model, view).1
}

/// Returns the solid of a joint, without colors. `None` if the joint has no length. `x` is the joint's local x axis, which shows its twist.
/// `radius` is the radius of the model.
fn solid_joint(solid: Solid, [start, end]: [DVec3; 2], x: DVec3, radius: f64) -> Option<SolidJoint> {
    let length = start.distance(end);
    let direction = ((end - start) / length).is_finite().then_some((end - start) / length)?;
    let [min, max] = THICKNESS_LIMITS.map(|share| share * radius);
    let thickness = (THICKNESS_RATIO * length).clamp(min, max).min(MAX_THICKNESS_RATIO * length);
    let side = x.reject_from_normalized(direction).try_normalize().unwrap_or_else(|| direction.any_orthonormal_vector());
    Some(SolidJoint { start, end, solid, side: side * thickness, color: [0; 4], edge: [0; 4] })
}

/// Returns the local axes of a joint as lines. Each line has the given length, in meters. Axes with a scale of 0 are left out.
fn joint_axes(origin: DVec3, space: &DMat3, length: f64, theme: &Colors) -> impl Iterator<Item = Line> {
    let [r, g, b] = theme.halo;
    [0, 1, 2].into_iter().filter_map(move |axis| {
        let end = origin + space.col(axis).try_normalize()? * length;
        let color = opaque(theme.axes[axis]);
        Some(Line { start: origin, end, width: 1.5, halo_width: 0.5, color, halo: [r, g, b, 0xB0], depth: Depth::InFront })
    })
}

/// Returns the radius of the model's bounds in meters. If the model has no geometry, returns the radius of the skeleton. Never 0.
fn model_radius(analyses: &Analyses, segments: &[Option<[DVec3; 2]>]) -> f64 {
    let radius = analyses.bounds.radius();
    if radius.is_finite() && radius > 0.0 {
        return radius;
    }
    let mut bounds = Bounds::EMPTY;
    segments.iter().flatten().flatten().for_each(|&position| bounds.add(position));
    if bounds.radius() > 0.0 { bounds.radius() } else { 1.0 }
}

/// Returns two lists by node index: whether each node is selected, and whether the node or one of its ancestors is selected.
fn selection(model: &Model, view: &View) -> (Vec<bool>, Vec<bool>) {
    let mut selected = vec![false; model.nodes.len()];
    let mut in_subtree = selected.clone();
    for node in view.selection.iter().filter_map(|&source| model.node_from_source(source)) {
        selected[node.index()] = true;
        in_subtree[model.hierarchy.subtree(node)].fill(true);
    }
    (selected, in_subtree)
}

/// Converts solid joints to GPU instances. Joints with values that are not finite are left out.
pub(crate) fn gpu_solid_joints(solid_joints: &[SolidJoint], anchor: DVec3) -> Vec<GpuSolidJoint> {
    let finite = solid_joints.iter().filter(|joint| joint.start.is_finite() && joint.end.is_finite() && joint.side.is_finite());
    finite
        .map(|joint| GpuSolidJoint {
            start: (joint.start - anchor).as_vec3(),
            end: (joint.end - anchor).as_vec3(),
            side: joint.side.as_vec3(),
            color: joint.color,
            edge: joint.edge,
            solid: joint.solid as u32,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use crate::render::shaders::Program;
    use crate::render::shaders::layout::{assert_fed, layout};

    use super::*;

    #[test]
    fn shaders_read_the_same_layout() {
        assert_fed(
            &Program::Joint.source(false),
            "Joint",
            &layout!(GpuSolidJoint { start, end, side, color, edge, solid }),
            &GpuSolidJoint::ATTRIBUTES,
        );
    }
}

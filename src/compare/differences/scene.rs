//! Lists the differences of what nodes show: whether their meshes are shown, their instances, cameras and lights.

use std::collections::BTreeMap;

use crate::compare::node_pairs::NodePairs;
use crate::model::Model;
use crate::model::light::Light;
use crate::model::node::Node;
use crate::numbers::{agreeing, counted, grouped};
use crate::session::view::joint_switches;

use super::{Differences, name};

/// Adds paired nodes that show something else in B.
pub(super) fn compare_scenes([a, b]: [&Model; 2], node_pairs: &NodePairs, differences: &mut Differences) {
    let [shown_a, shown_b] = [a, b].map(shown);
    for (in_a, in_b) in node_pairs.pairs() {
        let nodes = [a.node(in_a), b.node(in_b)];
        let (is_shown, label) = (shown_a[in_a.index()], || name(a, in_a));
        if nodes.iter().all(|node| node.mesh.is_some()) && is_shown != shown_b[in_b.index()] {
            let [shown, hidden] = if is_shown { ["A", "B"] } else { ["B", "A"] };
            differences.add("MESH_HIDDEN", || format!("the mesh of {} is shown in {shown}, but not in {hidden}", label()));
        }
        compare_instances(nodes, label, differences);
        let projection = |model: &Model, node: &Node| Some(model.cameras.get(node.camera?)?.projection);
        compare_parts("CAMERA", "camera", [projection(a, nodes[0]), projection(b, nodes[1])], label, differences);
        let light = |model: &Model, node: &Node| {
            let Light { color, intensity, range, kind, .. } = model.lights.get(node.light?)?;
            Some((*color, *intensity, *range, *kind))
        };
        compare_parts("LIGHT", "light", [light(a, nodes[0]), light(b, nodes[1])], label, differences);
    }
}

/// Returns for each node whether it is in the default scene and visible, in model order.
fn shown(model: &Model) -> Vec<bool> {
    let visible: Vec<bool> = model.nodes.iter().map(|node| node.visible).collect();
    let visible = joint_switches::visible(model, &BTreeMap::new(), &visible);
    let in_scene = model.nodes_in_scene(model.scene_or_default(None));
    visible.iter().zip(in_scene).map(|(visible, inside)| *visible && inside).collect()
}

/// Adds a difference between the instances of two nodes (EXT_mesh_gpu_instancing).
fn compare_instances([a, b]: [&Node; 2], label: impl Fn() -> String, differences: &mut Differences) {
    let [p, q] = [&a.instances, &b.instances];
    let differing = p.iter().zip(q).filter(|(a, b)| a != b).count();
    if p.len() != q.len() {
        differences.add("INSTANCES", || format!("{} has {} in A, {} in B", label(), counted(p.len(), "instance"), grouped(q.len())));
    } else if differing > 0 {
        let instances = agreeing(differing, "instance has another transform", "instances have other transforms");
        differences.add("INSTANCES", || format!("{}: {differing} {instances} in B", label()));
    }
}

/// Adds a difference between what two nodes hold, named `what`.
fn compare_parts<T: PartialEq>(
    code: &'static str,
    what: &str,
    parts: [Option<T>; 2],
    label: impl Fn() -> String,
    differences: &mut Differences,
) {
    match parts {
        [Some(_), None] => differences.add(code, || format!("{} has a {what} only in A", label())),
        [None, Some(_)] => differences.add(code, || format!("{} has a {what} only in B", label())),
        [Some(p), Some(q)] if p != q => differences.add(code, || format!("the {what} of {} has other properties in B", label())),
        _ => {}
    }
}

//! Tests which nodes of two models belong together.

use sinew::compare::node_pairs::NodePairs;
use sinew::model::Model;
use sinew::model::node::NodeIndex;
use sinew::model::node::without_namespace;

use crate::common::hand_made::tree;
use crate::common::time_limit::within_half_a_minute;

/// The names of bound nodes, in the order of A.
fn pairs(a: &Model, b: &Model) -> Vec<(String, String)> {
    let name = |model: &Model, node: NodeIndex| model.node(node).name.clone().unwrap_or_default();
    NodePairs::new(a, b).pairs().map(|(node, other)| (name(a, node), name(b, other))).collect()
}

/// A model of nodes with names and parents.
fn model(nodes: &[(&str, Option<usize>)]) -> Model {
    tree(&nodes.iter().map(|(name, parent)| ((*name).to_owned(), *parent)).collect::<Vec<_>>())
}

#[test]
fn nodes_on_the_same_path_are_bound_whatever_their_order() {
    let a = model(&[("Root", None), ("Arm", Some(0)), ("End", Some(1)), ("Leg", Some(0)), ("End", Some(3))]);
    let b = model(&[("Root", None), ("Leg", Some(0)), ("End", Some(1)), ("Arm", Some(0)), ("End", Some(3))]);
    let node_pairs = NodePairs::new(&a, &b);
    assert_eq!(node_pairs.to_b, [0, 3, 4, 1, 2].map(|node| Some(NodeIndex(node))));
    assert_eq!(node_pairs.to_a, [0, 3, 4, 1, 2].map(|node| Some(NodeIndex(node))));
}

#[test]
fn a_moved_node_is_bound_by_its_name_and_a_namespace_does_not_matter() {
    let a = model(&[("Root", None), ("Hips", Some(0)), ("Hand", Some(1))]);
    let b = model(&[("Armature", None), ("Root", Some(0)), ("Hips", Some(1)), ("Extra", Some(1)), ("Hand", Some(3))]);
    let own = |name: &str| (name.to_owned(), name.to_owned());
    assert_eq!(pairs(&a, &b), [own("Root"), own("Hips"), own("Hand")]);
    let prefixed = model(&[("mixamorig:Root", None), ("mixamorig:Hips", Some(0)), ("rig|mixamorig:Hand", Some(1)), ("Other", Some(0))]);
    let names: Vec<_> = pairs(&prefixed, &a).into_iter().map(|(_, name)| name).collect();
    assert_eq!(names, ["Root", "Hips", "Hand"]);
    assert_eq!(NodePairs::new(&prefixed, &a).only_in_a().collect::<Vec<_>>(), [NodeIndex(3)]);
}

#[test]
fn namespaces_are_removed_from_names() {
    for (name, bare) in [("mixamorig:Hips", "Hips"), ("a|b:Hips", "Hips"), ("Hips", "Hips"), ("rig:", "rig:"), ("", ""), (":", ":")] {
        assert_eq!(without_namespace(name), bare, "{name}");
    }
}

#[test]
fn renamed_nodes_are_bound_by_index_only_if_the_counts_agree() {
    let a = model(&[("Root", None), ("Left", Some(0)), ("Right", Some(0))]);
    let renamed = model(&[("Root", None), ("L", Some(0)), ("R", Some(0))]);
    assert_eq!(NodePairs::new(&a, &renamed).pairs().count(), 3);
    let larger = model(&[("Root", None), ("L", Some(0)), ("R", Some(0)), ("M", Some(0))]);
    assert_eq!(NodePairs::new(&a, &larger).pairs().count(), 1);
}

#[test]
fn nodes_with_an_ambiguous_name_are_not_bound() {
    let a = model(&[("Root", None), ("X", Some(0)), ("End", Some(1)), ("End", Some(1))]);
    let b = model(&[("Root", None), ("Y", Some(0)), ("End", Some(1)), ("End", Some(1)), ("End", Some(1))]);
    // X and Y differ, so the nodes named "End" have different paths. Their counts differ too: two in A, three in B.
    assert_eq!(NodePairs::new(&a, &b).pairs().count(), 1);
}

#[test]
fn exchanging_the_models_exchanges_the_pairs() {
    let a = model(&[("Root", None), ("a:Hips", Some(0)), ("Tail", Some(1)), ("", Some(0)), ("Tail", Some(0))]);
    let b = model(&[("Root", None), ("Hips", Some(0)), ("Tail", Some(0)), ("", Some(1)), ("Wing", Some(1)), ("", Some(0))]);
    assert_eq!(NodePairs::new(&a, &b).swapped(), NodePairs::new(&b, &a));
}

#[test]
fn many_nodes_with_hostile_names_are_bound() {
    let count = 300_000;
    let long = "n".repeat(1 << 20);
    for name in ["", "same", long.as_str()] {
        let count = if name.len() > 100 { 20 } else { count };
        // The nodes are all children of one root, or they form a deep chain in which each node is the child of the previous one.
        for is_chain in [false, true] {
            let count = if is_chain { count.min(2000) } else { count };
            let parent = |i: usize| if is_chain { i.checked_sub(1) } else { (i > 0).then_some(0) };
            let nodes: Vec<_> = (0..count).map(|i| (name.to_owned(), parent(i))).collect();
            let (a, b) = (tree(&nodes), tree(&nodes));
            // Comparing every pair of nodes takes minutes.
            let node_pairs = within_half_a_minute(move || NodePairs::new(&a, &b));
            assert!(node_pairs.to_b.iter().zip(0..).all(|(other, node)| *other == Some(NodeIndex(node))));
        }
    }
}

#[test]
fn empty_models_have_no_pairs() {
    assert_eq!(NodePairs::new(&Model::default(), &Model::default()), NodePairs::default());
    assert_eq!(NodePairs::new(&Model::default(), &model(&[("Root", None)])).only_in_b().count(), 1);
}

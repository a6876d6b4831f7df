//! Measures the cost of the panels per frame while a large file plays.
//!
//! Four windows are measured alternately: without rows in the timeline; with the dope sheet, scrolled in each frame; with the curves of up
//! to 20 joints; and with these curves, panned in each frame. The result is the wall time of layout and tessellation, in milliseconds. It
//! does not include posing and drawing. Run with `cargo bench --bench panels`.

#![allow(clippy::unwrap_used)] // a measurement that fails may panic

#[path = "../common/panels.rs"]
mod panels;

use std::sync::Arc;

use panels::Panels;
use sinew::model::animation::{Animation, Channel, Interpolation, Target};
use sinew::model::hierarchy::{Hierarchy, Trs};
use sinew::model::node::{Node, NodeIndex};
use sinew::model::{Model, Scene};
use sinew::session::document::Document;
use sinew::session::view::View;
use sinew::ui::context::preferences::TimelineRows;

const FRAMES: usize = 200;

/// The sizes of a file.
struct Case {
    name: &'static str,
    nodes: usize,
    /// Number of nodes with three channels each.
    animated: usize,
    /// Number of keys per channel.
    keys: usize,
    /// Number of distinct sets of key times.
    sets: usize,
    /// Number of animations. All but the first have one channel.
    animations: usize,
}

const CASES: [Case; 6] = [
    Case { name: "500 joints, 2,000 keys, shared key times", nodes: 500, animated: 500, keys: 2000, sets: 1, animations: 1 },
    Case { name: "500 joints, 2,000 keys, different key times", nodes: 500, animated: 500, keys: 2000, sets: 1500, animations: 1 },
    Case { name: "5,000 joints, 100 keys, shared key times", nodes: 5000, animated: 5000, keys: 100, sets: 1, animations: 1 },
    Case { name: "2 joints (20 curves), 20,000 keys, different key times", nodes: 2, animated: 2, keys: 20_000, sets: 6, animations: 1 },
    Case {
        name: "20 joints (200 curves), 20,000 keys, different key times",
        nodes: 20,
        animated: 20,
        keys: 20_000,
        sets: 60,
        animations: 1,
    },
    Case { name: "100,000 nodes, 500 animations", nodes: 100_000, animated: 100, keys: 100, sets: 1, animations: 500 },
];

/// Selects what a measured window shows.
struct WindowCase {
    name: &'static str,
    rows: TimelineRows,
    /// Whether the mouse wheel scrolls or pans the rows in each frame.
    scrolls: bool,
}

const WINDOW_CASES: [WindowCase; 4] = [
    WindowCase { name: "no rows", rows: TimelineRows::None, scrolls: false },
    WindowCase { name: "dope sheet", rows: TimelineRows::DopeSheet, scrolls: true },
    WindowCase { name: "curves", rows: TimelineRows::Curves, scrolls: false },
    WindowCase { name: "panned curves", rows: TimelineRows::Curves, scrolls: true },
];

fn main() {
    for case in &CASES {
        println!("{}:", case.name);
        let mut windows: Vec<_> = WINDOW_CASES.iter().map(|shown| window(shown, case)).collect();
        for round in 0..3 {
            for (window, WindowCase { name, .. }) in windows.iter_mut().zip(&WINDOW_CASES) {
                let mut frames: Vec<f64> = (0..FRAMES).map(|_| window.frame()).collect();
                frames.sort_by(f64::total_cmp);
                println!("  round {round}, {name:<13} median {:6.3} ms, slowest {:6.3} ms", frames[FRAMES / 2], frames[FRAMES - 1]);
            }
        }
    }
}

/// Makes a window in which the first nodes of a rig are selected.
fn window(&WindowCase { rows, scrolls, .. }: &WindowCase, case: &Case) -> Panels {
    let document = Document::new(Arc::new(rig(case)), "rig".into(), None);
    let view = View { animation: Some(0), selection: (0..case.nodes.min(20)).collect(), ..View::default() };
    Panels::new(document, view, rows, scrolls)
}

/// Makes a rig that consists of chains of ten joints.
fn rig(&Case { nodes, animated, keys, sets, animations, .. }: &Case) -> Model {
    let node = |i: usize| Node { name: Some(format!("joint_{i:03}")), source: i, visible: true, ..Node::default() };
    let times = |set: usize| (0..keys).map(|key| key as f32 / 30.0 + set as f32 * 1e-5).collect();
    let channel = |i: usize| {
        let joint = NodeIndex((i / 3) as u32);
        let target = [Target::Translation(joint), Target::Rotation(joint), Target::Scale(joint)][i % 3];
        let components = if i % 3 == 1 { 4 } else { 3 };
        let output = (0..keys * components).map(|n| (n as f32 * 0.01).sin()).collect();
        let interpolation = if i.is_multiple_of(7) { Interpolation::Step } else { Interpolation::Linear };
        Channel { source: i, target, key_times: i % sets, interpolation, output, components }
    };
    let mut channels: Vec<_> = (0..3 * animated).map(channel).collect();
    channels.sort_by_key(|channel| channel.key_times);
    let key_times: Vec<Vec<f32>> = (0..sets).map(times).collect();
    let duration = key_times.iter().flatten().copied().fold(0.0, f32::max).into();
    let short = |number: usize| Animation {
        name: Some(format!("Short {number}")),
        duration,
        key_times: key_times[..1].to_vec(),
        channels: vec![channel(3 * number % (3 * animated))].into_iter().map(|channel| Channel { key_times: 0, ..channel }).collect(),
    };
    let all = Animation { name: Some("All".into()), duration, key_times: key_times.clone(), channels };
    Model {
        hierarchy: Hierarchy {
            parents: (0..nodes).map(|i| (i % 10 > 0).then(|| NodeIndex(i as u32 - 1))).collect(),
            subtree_ends: (0..nodes).map(|i| (i / 10 * 10 + 10).min(nodes) as u32).collect(),
            rest: vec![Trs::IDENTITY; nodes],
            fixed_local: vec![None; nodes],
        },
        node_of_source: (0..nodes as u32).map(NodeIndex).collect(),
        nodes: (0..nodes).map(node).collect(),
        animations: std::iter::once(all).chain((1..animations).map(short)).collect(),
        scenes: vec![Scene { name: None, roots: (0..nodes as u32).step_by(10).map(NodeIndex).collect() }],
        default_scene: Some(0),
        ..Model::default()
    }
}

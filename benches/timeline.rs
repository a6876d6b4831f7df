//! Measures the cost of the panels per frame while a large file plays.
//!
//! Four windows are measured alternately: without rows in the timeline; with the dope sheet, scrolled in each frame; with the curves of up
//! to 20 joints; and with these curves, panned in each frame. The result is the wall time of layout and tessellation, in milliseconds. It
//! does not include posing and drawing. Run with `cargo bench --bench timeline`.

#![allow(clippy::unwrap_used)] // a measurement that fails may panic

use std::sync::Arc;
use std::time::Instant;

use egui::{RawInput, Rect, pos2, vec2};
use sinew::model::animation::{Animation, Channel, Interpolation, Target};
use sinew::model::hierarchy::{Hierarchy, Trs};
use sinew::model::node::{Node, NodeIndex};
use sinew::model::{Model, Scene};
use sinew::session::analyses::Analyses;
use sinew::session::camera::view_camera;
use sinew::session::document::Document;
use sinew::session::pose::solve::{self, Posed};
use sinew::session::time::transport::Transport;
use sinew::session::view::View;
use sinew::ui::context::comparison::FrameContent;
use sinew::ui::context::preferences::TimelineRows;
use sinew::ui::layout;
use sinew::ui::state::UiState;
use sinew::ui::style::theme;

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
    WindowCase { name: "dope sheet", rows: TimelineRows::Sheet, scrolls: true },
    WindowCase { name: "curves", rows: TimelineRows::Curves, scrolls: false },
    WindowCase { name: "panned curves", rows: TimelineRows::Curves, scrolls: true },
];

fn main() {
    for case in &CASES {
        println!("{}:", case.name);
        let mut windows: Vec<_> = WINDOW_CASES.iter().map(|shown| Window::new(shown, case)).collect();
        for round in 0..3 {
            for (window, WindowCase { name, .. }) in windows.iter_mut().zip(&WINDOW_CASES) {
                let mut frames: Vec<f64> = (0..FRAMES).map(|_| window.frame()).collect();
                frames.sort_by(f64::total_cmp);
                println!("  round {round}, {name:<13} median {:6.3} ms, slowest {:6.3} ms", frames[FRAMES / 2], frames[FRAMES - 1]);
            }
        }
    }
}

struct Window {
    ctx: egui::Context,
    state: UiState,
    document: Document,
    analyses: Analyses,
    view: View,
    transport: Transport,
    posed: Posed,
    /// Whether the mouse wheel scrolls in each frame.
    scrolls: bool,
    number: usize,
}

impl Window {
    fn new(&WindowCase { rows, scrolls, .. }: &WindowCase, case: &Case) -> Self {
        let ctx = egui::Context::default();
        theme::install(&ctx);
        let model = Arc::new(rig(case));
        let view = View { animation: Some(0), selection: (0..case.nodes.min(20)).collect(), ..View::default() };
        let mut state = UiState::default();
        state.preferences.timeline_rows = rows;
        let document = Document::new(Arc::clone(&model), "rig".into(), None);
        let analyses = Analyses::new(&document, &view);
        Self { ctx, state, document, analyses, view, transport: Transport::default(), posed: Posed::new(&model), scrolls, number: 0 }
    }

    /// Advances playback, and turns the mouse wheel if the window scrolls. Returns the milliseconds that layout and tessellation take.
    fn frame(&mut self) -> f64 {
        self.number += 1;
        self.transport.advance(&self.document.model, &self.view, 1.0 / 60.0);
        solve::solve(&self.document.model, &self.view, self.transport.moment(), &mut self.posed);
        let wheel = egui::Event::MouseWheel {
            unit: egui::MouseWheelUnit::Point,
            delta: vec2(0.0, if self.number % 100 < 80 { -40.0 } else { 160.0 }),
            phase: egui::TouchPhase::Move,
            source: egui::MouseWheelSource::Wheel,
            modifiers: egui::Modifiers::NONE,
        };
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(pos2(0.0, 0.0), vec2(1280.0, 800.0))),
            time: Some(self.number as f64 / 60.0),
            events: [egui::Event::PointerMoved(pos2(600.0, 700.0))].into_iter().chain(self.scrolls.then_some(wheel)).collect(),
            ..RawInput::default()
        };
        let Self { ctx, state, document, analyses, view, transport, posed, .. } = self;
        let (mut requests, start) = (Vec::new(), Instant::now());
        let mut output = ctx.run_ui(input, |ui| {
            let (panels, mut context) = state.split(document, analyses, view, transport, &mut requests);
            let areas = layout::controls_ui(ui, panels, &mut context);
            let camera = view_camera::camera(context.subject(), posed, f64::from(areas.viewport.aspect_ratio()));
            layout::readouts_ui(ui, panels, &mut context, &areas, &FrameContent { posed, other: None, camera: &camera });
        });
        let primitives = ctx.tessellate(output.shapes, output.pixels_per_point);
        let took = start.elapsed().as_secs_f64() * 1e3;
        assert!(!primitives.is_empty());
        output.textures_delta.clear();
        took
    }
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

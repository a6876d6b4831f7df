//! Tests the curves below the ruler: their rows, what hides them, their values, and the plot.

use std::sync::Arc;

use egui::{Event, Modifiers, MouseWheelUnit, Pos2, Rangef, Rect, Vec2, pos2, vec2};
use egui_kittest::kittest::Queryable;

use sinew::animation::curve::CurveQuantity;
use sinew::animation::curve::survey::Survey;
use sinew::model::Model;
use sinew::model::animation::{Animation, Channel, Interpolation, Target};
use sinew::model::node::NodeIndex;
use sinew::session::document::Document;
use sinew::ui::context::preferences::TimelineRows;
use sinew::ui::style::theme;
use sinew::ui::timeline::curves::samples::Samples;
use sinew::ui::timeline::curves::value_axis::ValueAxis;
use sinew::ui::timeline::time_axis::TimeAxis;
use sinew::units::{LengthUnit, Units, UpAxis};

use crate::common::ui_harness::{Window, harness, walker};
use crate::gestures::{CTRL, Ui, click, click_at, double_click, painted_texts, wheel};

const HIPS: Target = Target::Translation(NodeIndex(1));
const SPINE: Target = Target::Rotation(NodeIndex(2));

/// Builds the walker, whose hips sway along X. Its spine turns three times about Z in 82 frames.
fn model() -> Model {
    let mut model = walker();
    let turn = |time: &f32| glam::Quat::from_rotation_z(time / (82.0 / 24.0) * 3.0 * std::f32::consts::TAU).to_array();
    let output = model.animations[0].key_times[0].iter().flat_map(turn).collect();
    let channel = Channel { source: 1, target: SPINE, key_times: 0, interpolation: Interpolation::Linear, output, components: 4 };
    model.animations[0].channels.push(channel);
    model
}

fn open(model: Model, selection: &[usize]) -> Ui {
    let mut window = Window::new(model);
    window.state.preferences.timeline_rows = TimelineRows::Curves;
    window.state.preferences.timeline_height = 500.0;
    window.view.selection = selection.to_vec();
    harness(1400.0, 900.0, 1.0, window)
}

fn at(curves: &mut Ui, time: f64) {
    curves.state_mut().transport.head.time = time;
    curves.run();
}

#[test]
fn the_playhead_does_not_cross_the_message_in_place_of_curves() {
    let mut window = Window::new(walker());
    window.state.preferences.timeline_rows = TimelineRows::Curves;
    // Half of the animation.
    window.transport.head.time = 41.0 / 24.0;
    let ui = harness(1280.0, 900.0, 1.0, window);
    let message = ui.get_by_label("Select a node to see its curves").rect();
    let is_playhead = |shape: &egui::epaint::ClippedShape| match &shape.shape {
        egui::Shape::LineSegment { points, stroke } => {
            stroke.color == theme::DARK.playhead && Rect::from_two_pos(points[0], points[1]).expand(1.0).intersects(message)
        }
        _ => false,
    };
    assert!(!ui.output().shapes.iter().any(is_playhead));
}

#[test]
fn an_empty_curve_view_says_why() {
    let mut curves = open(model(), &[]);
    assert!(curves.query_by_label_contains("Select a node").is_some());
    curves.state_mut().view.selection = vec![3];
    curves.run();
    assert!(curves.query_by_label("This animation does not animate the selected node").is_some());
}

#[test]
fn a_row_shows_the_value_at_the_playhead() {
    let mut curves = open(model(), &[1]);
    at(&mut curves, 0.5);
    assert!(curves.query_by_label("Translation X of Hips: 0.479 m").is_some());
    assert!(curves.query_by_label("Translation Y of Hips: 1.000 m").is_some());
    // Between two keys the value is on the straight line, not on the sine.
    at(&mut curves, 1.5 / 24.0);
    let between = f32::midpoint((1.0f32 / 24.0).sin(), (2.0f32 / 24.0).sin());
    assert!(curves.query_by_label(&format!("Translation X of Hips: {between:.3} m")).is_some());
}

#[test]
fn rotations_are_unwrapped_angles_or_quaternions() {
    let mut curves = open(model(), &[2]);
    at(&mut curves, 82.0 / 24.0);
    assert!(curves.query_by_label("Rotation Z of Spine: 1080.0\u{00B0}").is_some());
    click(&mut curves, "Euler");
    assert!(!curves.state().state.preferences.euler_curves, "it is remembered");
    assert!(curves.query_by_label("Rotation W of Spine: -1.000").is_some(), "after three turns, W is -1 instead of 1");
}

#[test]
fn the_velocity_view_shows_velocities() {
    let mut curves = open(model(), &[2, 1]);
    click(&mut curves, "Velocity");
    at(&mut curves, 0.02);
    let speed = f64::from((1.0f32 / 24.0).sin()) * 24.0;
    for part in ["X", "Speed"] {
        assert!(curves.query_by_label(&format!("Translation {part} of Hips: {speed:.3} m/s")).is_some(), "{part}");
    }
    assert!(curves.query_by_label("Rotation Z of Spine: 316.1\u{00B0}/s").is_some());
}

#[test]
fn the_eye_button_hides_a_curve_a_channel_or_a_node() {
    let mut curves = open(model(), &[1]);
    let drawn = |curves: &Ui| [0, 1, 2].map(|part| curves.state().state.panels.timeline.curves.is_drawn((HIPS, part)));
    // The eyes of curves that are drawn can be seen before the pointer is over them.
    for name in ["Show Translation X of Hips", "Show Hips"] {
        let place = curves.get_by_label(name).rect();
        let icon = painted_texts(&curves).find(|(text, _)| place.contains(text.visual_bounding_rect().center()));
        assert!(icon.is_some_and(|(icon, _)| icon.fallback_color.a() >= 40), "{name}");
    }
    click(&mut curves, "Show Translation X of Hips");
    assert_eq!(drawn(&curves), [false, true, true]);
    click(&mut curves, "Show Translation of Hips");
    assert_eq!(drawn(&curves), [false; 3], "the other curves of the channel are hidden, too");
    click(&mut curves, "Show Hips");
    assert_eq!(drawn(&curves), [true; 3]);
}

#[test]
fn solo_hides_all_other_curves_and_several_solos_add_up() {
    let mut curves = open(model(), &[2, 1]);
    click(&mut curves, "Show Translation X of Hips");
    curves.get_by_label("Show Translation Z of Hips").click_modifiers(Modifiers::ALT);
    curves.run();
    let drawn = |curves: &Ui| [(HIPS, 0), (HIPS, 2), (SPINE, 0)].map(|curve| curves.state().state.panels.timeline.curves.is_drawn(curve));
    assert_eq!(drawn(&curves), [false, true, false]);
    click(&mut curves, "Solo Translation X of Hips");
    assert_eq!(drawn(&curves), [true, true, false], "what is soloed is not hidden");
    // A solo of a curve that is not listed has no effect, and neither has a solo of a part that a channel no longer has.
    for label in ["Solo Translation X of Hips", "Solo Translation Z of Hips", "Velocity", "Solo Translation Speed of Hips"] {
        click(&mut curves, label);
    }
    assert_eq!(drawn(&curves), [false; 3]);
    click(&mut curves, "Velocity");
    assert_eq!(drawn(&curves), [true; 3]);
    click(&mut curves, "Solo Translation X of Hips");
    curves.state_mut().view.selection = vec![2];
    curves.run();
    assert!(curves.state().state.panels.timeline.curves.is_drawn((SPINE, 0)));
}

/// Builds the model as a later export may have it: the hips and the spine have exchanged indices, and the spine also sways.
fn exported_anew() -> Model {
    let mut model = model();
    let (hips, spine) = (model.nodes[1].name.take(), model.nodes[2].name.take());
    (model.nodes[1].name, model.nodes[2].name) = (spine, hips);
    let channels = &mut model.animations[0].channels;
    channels[1] = channels[0].clone();
    channels[0].target = Target::Translation(NodeIndex(2));
    model
}

#[test]
fn hidden_curves_stay_hidden_after_a_reload() {
    let mut curves = open(model(), &[1]);
    click(&mut curves, "Show Translation X of Hips");
    let targets = [NodeIndex(2), NodeIndex(1)].map(Target::Translation);
    for (path, expected) in [("/models/walker.glb", [false, true]), ("/models/other.glb", [true, true])] {
        let state = curves.state_mut();
        state.view.selection = vec![2];
        state.open(Document::new(Arc::new(exported_anew()), "walker.glb".into(), Some(path.into())));
        curves.run();
        let drawn = targets.map(|target| curves.state().state.panels.timeline.curves.is_drawn((target, 0)));
        assert_eq!(drawn, expected, "{path}");
    }
}

#[test]
fn the_visible_values_stay_if_a_reload_adds_an_animation() {
    let mut curves = open(model(), &[1]);
    curves.state_mut().state.panels.timeline.curves.span = [0.25, 0.5];
    curves.run();
    let mut model = model();
    let sway = model.animations[0].clone();
    model.animations.insert(0, Animation { name: Some("Idle".into()), ..sway });
    curves.state_mut().view.animation = Some(1);
    curves.state_mut().open(Document::new(Arc::new(model), "walker.glb".into(), Some("/models/walker.glb".into())));
    curves.run();
    assert_eq!(curves.state().state.panels.timeline.curves.span, [0.25, 0.5]);
}

#[test]
fn the_curves_of_the_active_node_come_first_and_the_number_of_curves_is_limited() {
    let mut curves = open(model(), &[1, 2]);
    let nodes = |curves: &Ui| curves.state().state.panels.timeline.curves.channels.iter().map(|shown| shown.node).collect::<Vec<_>>();
    assert_eq!(nodes(&curves), [Some(NodeIndex(2)), Some(NodeIndex(1))]);
    let node = curves.get_all_by_label("Hips").find(|node| node.rect().top() > 450.0).expect("its row among the curves");
    node.click();
    curves.run();
    assert_eq!(nodes(&curves), [Some(NodeIndex(1)), Some(NodeIndex(2))], "a click makes another node the active one");
    assert_eq!(curves.state().view.selection, [2, 1]);
    let mut many = walker();
    for node in 0..7 {
        for path in [Target::Translation, Target::Rotation, Target::Scale] {
            let target = path(NodeIndex(node));
            let components = if matches!(target, Target::Rotation(_)) { 4 } else { 3 };
            let channel = Channel {
                source: 0,
                target,
                key_times: 0,
                interpolation: Interpolation::Linear,
                output: vec![0.5; components * 83],
                components,
            };
            many.animations[0].channels.push(channel);
        }
    }
    curves = open(many, &[0, 1, 2, 3, 4, 5, 6]);
    let state = &curves.state().state.panels.timeline.curves;
    assert_eq!(state.channels.iter().map(|shown| shown.curves.len()).sum::<usize>(), 64);
    assert!(state.has_more);
}

fn plot(curves: &Ui) -> Rect {
    curves.get_by_label("Curves of selected nodes").rect()
}

/// Returns the position of a frame and a value in the plot.
fn place(curves: &Ui, frame: f32, value: f64) -> Pos2 {
    let rect = plot(curves);
    let axis = ValueAxis::new(rect, curves.state().state.panels.timeline.curves.span);
    pos2(egui::lerp(rect.left() + 14.0..=rect.right() - 14.0, frame / 82.0), axis.y(value))
}

#[test]
fn a_click_on_a_key_seeks_exactly_to_its_time() {
    let mut curves = open(model(), &[1]);
    let key = curves.state().document.model.animations[0].key_times[0][30];
    let near = place(&curves, 30.0, f64::from(key.sin())) + Vec2::new(1.5, -1.0);
    click_at(&mut curves, near, Modifiers::NONE);
    assert_eq!(curves.state().transport.time(), f64::from(key));
    let beside = place(&curves, 50.0, 0.5);
    click_at(&mut curves, beside, Modifiers::NONE);
    assert_eq!(curves.state().transport.time(), f64::from(key), "where there is no key nothing happens");
}

#[test]
fn a_click_selects_a_key_and_ctrl_adds_or_removes_one() {
    let mut curves = open(model(), &[1]);
    for (key, modifiers, selected) in [(30, Modifiers::NONE, vec![30]), (40, CTRL, vec![30, 40]), (30, CTRL, vec![40])] {
        let at = place(&curves, key as f32, (f64::from(key) / 24.0).sin());
        click_at(&mut curves, at, modifiers);
        let keys = curves.state().state.keys.ranges(0).iter().cloned().flatten().collect::<Vec<_>>();
        assert_eq!(keys, selected);
    }
}

#[test]
fn hovering_a_curve_shows_its_name_and_value() {
    let mut curves = open(model(), &[1]);
    let at = place(&curves, 20.0, f64::from((20.0f32 / 24.0).sin()));
    curves.event(Event::PointerMoved(at));
    curves.run_steps(60);
    assert!(curves.query_by_label_contains("Translation X: 0.740 m").is_some());
    assert_eq!(curves.state().state.panels.timeline.curves.hovered, Some((HIPS, 0)));
}

#[test]
fn curves_name_the_units_of_the_file_if_the_user_has_chosen_others() {
    let mut curves = open(model(), &[1]);
    curves.state_mut().state.preferences.units = Units { length: LengthUnit::Centimeters, up: UpAxis::Z };
    curves.run();
    assert!(painted_texts(&curves).any(|(text, _)| text.galley.text() == "As in the file: meters, y up"));
    let at = place(&curves, 20.0, f64::from((20.0f32 / 24.0).sin()));
    curves.event(Event::PointerMoved(at));
    curves.run_steps(60);
    assert!(curves.query_by_label_contains("Translation X: 0.740 m (meters, y up)").is_some());
}

fn scroll(curves: &mut Ui, at: Pos2, by: f32, modifiers: Modifiers) {
    curves.event(Event::PointerMoved(at));
    curves.event(Event::ModifiersChanged(modifiers));
    curves.event(wheel(MouseWheelUnit::Point, vec2(0.0, by), modifiers));
    curves.run_steps(20);
    curves.event(Event::ModifiersChanged(Modifiers::NONE));
}

#[test]
fn the_wheel_pans_values_alt_zooms_them_and_fit_resets_them() {
    let mut curves = open(model(), &[1]);
    let span = curves.state().state.panels.timeline.curves.span;
    assert!(span[0] < -0.27 && span[1] > 1.0, "the whole curve: {span:?}");
    let middle = plot(&curves).center();
    scroll(&mut curves, middle, 60.0, Modifiers::NONE);
    let panned = curves.state().state.panels.timeline.curves.span;
    assert!(panned[0] > span[0] && (panned[1] - panned[0] - span[1] + span[0]).abs() < 1e-6, "{panned:?}");
    scroll(&mut curves, middle, 60.0, Modifiers::ALT);
    let zoomed = curves.state().state.panels.timeline.curves.span;
    assert!(zoomed[1] - zoomed[0] < 0.9 * (panned[1] - panned[0]), "{zoomed:?}");
    click(&mut curves, "Fit curves");
    assert_eq!(curves.state().state.panels.timeline.curves.span, span);
    // So does a double-click, also on the line of a curve. Y and Z do not move, so their velocities are at 0. Velocities have no keys.
    click(&mut curves, "Velocity");
    let velocities = curves.state().state.panels.timeline.curves.span;
    for value in [0.0, 0.3] {
        scroll(&mut curves, middle, 30.0, Modifiers::NONE);
        assert_ne!(curves.state().state.panels.timeline.curves.span, velocities);
        let at = place(&curves, 20.5, value);
        double_click(&mut curves, at);
        assert_eq!(curves.state().state.panels.timeline.curves.span, velocities);
    }
    click(&mut curves, "Velocity");
    // Another selection is fitted again.
    scroll(&mut curves, middle, 60.0, Modifiers::NONE);
    curves.state_mut().view.selection = vec![2];
    curves.run();
    let [low, high] = curves.state().state.panels.timeline.curves.span;
    assert!(low < 0.0 && high > 1080.0, "{low} {high}");
}

/// Returns the lines of a curve of single numbers, drawn in a plot that is 1000 points wide.
fn drawn(times: &[f32], numbers: &[f32], interpolation: Interpolation, span: [f64; 2]) -> Vec<Vec<Pos2>> {
    drawn_as(CurveQuantity { euler: true, velocity: false }, times, numbers, interpolation, span)
}

fn drawn_as(quantity: CurveQuantity, times: &[f32], numbers: &[f32], interpolation: Interpolation, span: [f64; 2]) -> Vec<Vec<Pos2>> {
    let channel = Channel { source: 0, target: Target::Pointer(0), key_times: 0, interpolation, output: numbers.to_vec(), components: 1 };
    let mut survey = Survey::new(&channel, times, quantity, 64);
    survey.extend(&channel, times, &mut { usize::MAX });
    let mut samples = Samples::default();
    let axis = TimeAxis { left: 0.0, width: 1000.0, span };
    samples.refresh(&channel, times, &survey, &axis, Rangef::new(0.0, 1000.0));
    let values = ValueAxis { top: 0.0, height: 10.0, span: [0.0, 10.0] };
    samples.lines(0, &values)
}

#[test]
fn steps_have_vertical_edges_and_lines_pass_through_keys() {
    let lines = drawn(&[1.0, 2.0, 3.0], &[2.0, 8.0, 4.0], Interpolation::Step, [0.0, 4.0]);
    let corners = [(0.0, 8.0), (500.0, 8.0), (500.0, 2.0), (750.0, 2.0), (750.0, 6.0), (1000.0, 6.0)];
    assert_eq!(lines, [corners.map(|(x, y)| pos2(x, y)).to_vec()]);
    let lines = drawn(&[1.0, 2.0, 3.0], &[2.0, 8.0, 4.0], Interpolation::Linear, [0.0, 4.0]);
    let corners = [(0.0, 8.0), (250.0, 8.0), (500.0, 2.0), (750.0, 6.0), (1000.0, 6.0)];
    assert_eq!(lines, [corners.map(|(x, y)| pos2(x, y)).to_vec()]);
}

#[test]
fn a_velocity_curve_does_not_dip_at_keys() {
    // A spline with keys at the left edge of a column each, which rises by two per second.
    let spline = [[2.0, 0.0, 2.0], [2.0, 2.0, 2.0], [2.0, 4.0, 2.0]].concat();
    let quantity = CurveQuantity { euler: false, velocity: true };
    let lines = drawn_as(quantity, &[0.0, 1.0, 2.0], &spline, Interpolation::CubicSpline, [0.0, 2.0]);
    let [line] = lines.as_slice() else { panic!("{lines:?}") };
    let inside: Vec<_> = line.iter().filter(|point| point.x > 0.0).collect();
    assert!(!inside.is_empty() && inside.iter().all(|point| (point.y - 8.0).abs() < 1e-3), "{line:?}");
}

#[test]
fn smooth_curves_are_drawn_with_few_points_close_to_the_values() {
    // A wave of five periods, then a flat part and a straight slope.
    let times: Vec<f32> = (0..=1000).map(|key| key as f32 * 0.01).collect();
    let value = |time: f32| match time {
        time if time < 5.0 => 5.0 + 4.0 * (time * std::f32::consts::TAU).sin(),
        time if time < 7.0 => 1.0,
        time => 1.0 + (time - 7.0) * 2.0,
    };
    let numbers: Vec<f32> = times.iter().map(|&time| value(time)).collect();
    let lines = drawn(&times, &numbers, Interpolation::Linear, [0.0, 10.0]);
    let [line] = lines.as_slice() else { panic!("{lines:?}") };
    assert!(line.len() < 200 && line[0].x == 0.0 && line[line.len() - 1].x == 1000.0, "{}", line.len());
    for (time, number) in times.iter().zip(&numbers) {
        let (x, y) = (time * 100.0, 10.0 - number);
        let after = line.iter().position(|point| point.x >= x).unwrap().max(1);
        let (from, to) = (line[after - 1], line[after]);
        let drawn = from.y + (to.y - from.y) * (x - from.x) / (to.x - from.x).max(1e-6);
        assert!((drawn - y).abs() < 0.05, "{drawn} instead of {y} at {x}");
    }
}

#[test]
fn a_million_keys_are_drawn_with_few_points_that_keep_extremes() {
    let times: Vec<f32> = (0..1_000_000).map(|key| key as f32 * 1e-3).collect();
    let mut numbers = vec![5.0; times.len()];
    numbers[700_123] = 9.0;
    let lines = drawn(&times, &numbers, Interpolation::Linear, [0.0, 1000.0]);
    let points: Vec<Pos2> = lines.concat();
    assert!(points.len() < 2100, "{}", points.len());
    let spike: Vec<_> = points.iter().filter(|point| point.y < 4.9).collect();
    assert!(!spike.is_empty() && spike.iter().all(|point| point.y == 1.0 && (point.x - 700.0).abs() <= 1.0), "{spike:?}");
}

#[test]
fn a_million_keys_do_not_block_the_window() {
    let mut model = model();
    let times: Vec<f32> = (0..1_000_000).map(|key| key as f32 * 1e-3).collect();
    model.animations[0].duration = f64::from(times[999_999]);
    model.animations[0].channels[0].output = vec![0.0; 3_000_000];
    model.animations[0].channels[1].output = [0.0, 0.0, 0.0, 1.0].repeat(1_000_000);
    model.animations[0].key_times = vec![times];
    let mut curves = open(model, &[]);
    curves.state_mut().view.selection = vec![1, 2];
    curves.state_mut().transport.head.time = 900.0;
    for _ in 0..10 {
        curves.step();
    }
    // Values that depend on keys not read yet are not shown.
    assert!(curves.query_by_label("Rotation Z of Spine").is_some() && curves.query_by_label("Translation X of Hips: 0.000 m").is_some());
}

#[test]
fn the_curves_of_several_joints_have_different_lines() {
    let mut model = model();
    let (mut head, mut leg) = (model.animations[0].channels[0].clone(), model.animations[0].channels[0].clone());
    (head.target, head.source) = (Target::Translation(NodeIndex(3)), 2);
    (leg.target, leg.source) = (Target::Translation(NodeIndex(4)), 3);
    model.animations[0].channels.extend([head, leg]);
    let mut curves = open(model, &[1, 3, 4]);
    let ctx = curves.ctx.clone();
    let shown = &mut curves.state_mut().state.panels.timeline.curves.channels;
    let names: Vec<_> = shown.iter().map(|shown| (shown.node, shown.dash.name)).collect();
    let node = |node| Some(NodeIndex(node));
    assert_eq!(names, [(node(4), "solid"), (node(3), "dashed"), (node(1), "dotted")]);
    // All three move alike, and X has one color, so only gaps in the lines tell them apart.
    let axis = ValueAxis::new(Rect::from_x_y_ranges(0.0..=1000.0, 0.0..=400.0), [-2.0, 2.0]);
    // Returns the length along x that the opaque parts of the line of X cover.
    let mut covered = |number: usize| {
        let mesh = shown[number].line(&ctx, 0, axis, 3.0);
        let opaque = mesh.vertices.iter().map(|vertex| vertex.color.a()).max().expect("a line");
        let corners = |triangle: &[u32]| [0, 1, 2].map(|corner| mesh.vertices[triangle[corner] as usize]);
        let inner = mesh.indices.chunks_exact(3).map(corners).filter(|corners| corners.iter().all(|vertex| vertex.color.a() == opaque));
        let mut spans: Vec<_> = inner.map(|corners| corners.map(|vertex| vertex.pos.x)).collect();
        spans.iter_mut().for_each(|span| span.sort_by(f32::total_cmp));
        spans.sort_by(|a, b| a[0].total_cmp(&b[0]));
        let (mut end, mut length) = (f32::NEG_INFINITY, 0.0);
        for [from, _, to] in spans {
            length += (to - from.max(end)).max(0.0);
            end = end.max(to);
        }
        length
    };
    let [solid, dashed, dotted] = [0, 1, 2].map(&mut covered);
    assert!(dashed < 0.85 * solid && dotted < 0.75 * dashed, "{solid} {dashed} {dotted}");
}

//! Tests which part of an animation a motion trail shows at the ends of a loop, of a ping-pong and of a range, and how trails are measured
//! and drawn.

use std::sync::Arc;

use glam::{DVec2, DVec3};

use sinew::camera::{Camera, Projection};
use sinew::colors;
use sinew::model::Model;
use sinew::render::annotations::line::Line;
use sinew::render::annotations::{PosedView, trail as drawn};
use sinew::session::analyses::Analyses;
use sinew::session::camera::screen::ScreenProjection;
use sinew::session::document::Document;
use sinew::session::motion::trail;
use sinew::session::motion::trail_measures::{self, TrailMark, TrailStats};
use sinew::session::pose::solve::{self, Posed};
use sinew::session::time::moment::Moment;
use sinew::session::view::display::{Depth, Display, Trail};
use sinew::session::view::{Repeat, View};

use crate::common::gltf_builder::Gltf;

/// Builds two nodes. In the one second of animation 0, node 0 travels 2 m along x on a straight line: 0.5 m in the first half, 1.5 m in the
/// second. There is one key every half second. Node 1, the child of node 0, does not move by itself. In animation 1 node 0 rises by one
/// meter in half a second.
fn model() -> Model {
    let mut gltf = Gltf::new();
    gltf.push("nodes", serde_json::json!({ "name": "root", "children": [1] }));
    gltf.push("nodes", serde_json::json!({ "name": "still", "translation": [0, 1, 0] }));
    gltf.push("scenes", serde_json::json!({ "nodes": [0] }));
    let travel = gltf.floats("VEC3", &[0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 2.0, 0.0, 0.0]);
    gltf.animation(&[(0, "translation", "LINEAR", &[0.0, 0.5, 1.0], travel)]);
    let rise = gltf.floats("VEC3", &[0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    gltf.animation(&[(0, "translation", "LINEAR", &[0.0, 0.5], rise)]);
    gltf.model()
}

pub fn view(repeat: Repeat, range: Option<[f64; 2]>) -> View {
    View { animation: Some(0), repeat, range, rate: Some(20.0), selection: vec![0], ..View::default() }
}

pub fn document() -> Document {
    Document::new(Arc::new(model()), "test".into(), None)
}

fn assert_close(found: &[[f64; 2]], expected: &[[f64; 2]]) {
    let off = |(a, b): (&[f64; 2], &[f64; 2])| (a[0] - b[0]).abs().max((a[1] - b[1]).abs());
    let close = found.len() == expected.len() && found.iter().zip(expected).all(|pair| off(pair) < 1e-9);
    assert!(close, "{found:?}, not {expected:?}");
}

#[test]
fn a_trail_window_is_clamped_at_the_ends_or_wraps_in_a_loop() {
    let model = model();
    let segments = |repeat, range, window, time| {
        let mut view = view(repeat, range);
        view.display.trail.window = window;
        trail::segments(&model, &view, time)
    };
    assert_close(&segments(Repeat::Loop, None, None, 0.9), &[[0.0, 1.0]]);
    assert_close(&segments(Repeat::Loop, Some([0.2, 0.8]), None, 0.5), &[[0.2, 0.8]]);
    assert_close(&segments(Repeat::Loop, Some([0.2, 0.8]), None, 0.9), &[[0.0, 1.0]]);
    assert_close(&segments(Repeat::Loop, None, Some(0.2), 0.5), &[[0.3, 0.7]]);
    assert_close(&segments(Repeat::Loop, None, Some(0.2), 0.9), &[[0.7, 1.0], [0.0, 0.1]]);
    assert_close(&segments(Repeat::Loop, None, Some(0.2), 0.1), &[[0.0, 0.3], [0.9, 1.0]]);
    assert_close(&segments(Repeat::Loop, Some([0.2, 0.8]), Some(0.1), 0.75), &[[0.65, 0.8], [0.2, 0.25]]);
    for repeat in [Repeat::PingPong, Repeat::Once] {
        assert_close(&segments(repeat, None, Some(0.2), 0.9), &[[0.7, 1.0]]);
    }
    // A window as long as the animation shows all of it once.
    assert_close(&segments(Repeat::Loop, None, Some(0.5), 0.9), &[[0.0, 1.0]]);
}

/// Returns the trail of a selection as lines. At the camera's distance, one meter is `scale` points.
fn lines(selection: &[usize], trail: Trail, time: f64, scale: f64) -> Vec<Line> {
    lines_of(
        View { selection: selection.to_vec(), display: Display { trail, ..Display::default() }, ..view(Repeat::Loop, None) },
        time,
        scale,
    )
}

fn lines_of(view: View, time: f64, scale: f64) -> Vec<Line> {
    let document = document();
    let moment = Moment::from(time);
    let request = trail::request(&document, &view, &moment).unwrap();
    let motion = Analyses::new(&document, &view).sample_motion(&document, &request).unwrap();
    let mut posed = Posed::new(&document.model);
    solve::solve(&document.model, &view, moment, &mut posed);
    let projection = Projection::Orthographic { ymag: 100.0 / scale, xmag: None, depth: 100.0 };
    let camera = Camera::look_at(DVec3::Z * 50.0, DVec3::ZERO, DVec3::Y, projection, 0.0);
    let projection = ScreenProjection { camera, size: DVec2::splat(200.0) };
    let seen = PosedView {
        document: &document,
        analyses: &Analyses::new(&document, &view),
        view: &view,
        posed: &posed,
        moment,
        theme: &colors::DARK,
        projection,
    };
    drawn::lines(&seen, &motion)
}

fn shown() -> Trail {
    Trail { shown: true, ..Trail::default() }
}

/// The color of the halo around lines.
const DARK: [u8; 4] = [0x13, 0x15, 0x18, 0xFF];

fn is_dot(line: &Line) -> bool {
    line.start == line.end
}

#[test]
fn a_trail_shows_the_whole_path_colored_by_speed() {
    let lines = lines(&[0], shown(), 0.5, 100.0);
    let colored: Vec<_> = lines.iter().filter(|line| !is_dot(line) && line.color != DARK).collect();
    let length: f64 = colored.iter().map(|line| line.start.distance(line.end)).sum();
    assert!((length - 2.0).abs() < 1e-6, "{length}");
    assert!(colored.windows(2).all(|pair| pair[0].end == pair[1].start), "without a gap");
    // 3 m/s in the second half is the greatest speed. 1 m/s in the first half is a third of the color ramp.
    assert_eq!(&colored.last().unwrap().color[..3], &colors::DARK.speeds[4]);
    let third = trail::speed_color(&colors::DARK.speeds, 1.0 / 3.0);
    assert!(colored[0].color[..3].iter().zip(third).all(|(a, b)| a.abs_diff(b) <= 1), "{:?}, not {third:?}", colored[0].color);
    // The last line is a dot at the node's present position, above everything else.
    let now = lines.last().unwrap();
    assert!(is_dot(now) && now.start.distance(DVec3::X * 0.5) < 1e-6);
}

#[test]
fn each_mark_is_at_the_time_of_the_step_key_of_its_frame() {
    let mut gltf = Gltf::new();
    gltf.push("nodes", serde_json::json!({}));
    gltf.push("scenes", serde_json::json!({ "nodes": [0] }));
    let times: Vec<f32> = (0..=60u8).map(|key| (f64::from(key) / 30.0) as f32).collect();
    let output = gltf.floats("VEC3", &(0..=60u8).flat_map(|key| [key.into(), 0.0, 0.0]).collect::<Vec<f32>>());
    gltf.animation(&[(0, "translation", "STEP", &times, output)]);
    let document = Document::new(Arc::new(gltf.model()), "test".into(), None);
    let mut view = View { rate: Some(30.0), ..view(Repeat::Loop, None) };
    view.display.trail.shown = true;
    let request = trail::request(&document, &view, &Moment::from(0.0)).unwrap();
    let motion = Analyses::new(&document, &view).sample_motion(&document, &request).unwrap();
    // One meter is 50 points, so each frame has a mark.
    let projection = Projection::Orthographic { ymag: 2.0, xmag: None, depth: 100.0 };
    let camera = Camera::look_at(DVec3::Z * 50.0, DVec3::ZERO, DVec3::Y, projection, 0.0);
    let marks = trail_measures::trail_marks(&document, &view, &motion, &ScreenProjection { camera, size: DVec2::splat(200.0) }, 0.0);
    let mut posed = Posed::new(&document.model);
    let shown = marks.iter().map(|mark| {
        solve::solve(&document.model, &view, Moment::from(mark.time), &mut posed);
        posed.globals[0].translation.x
    });
    assert_eq!(shown.collect::<Vec<_>>(), (0..=60u8).map(f64::from).collect::<Vec<_>>());
}

#[test]
fn trail_statistics_match_the_drawn_path_and_its_peak_speed() {
    let mut view = view(Repeat::Loop, None);
    view.display.trail.shown = true;
    let document = document();
    let request = trail::request(&document, &view, &Moment::from(0.0)).unwrap();
    let motion = Analyses::new(&document, &view).sample_motion(&document, &request).unwrap();
    for (time, speed) in [(0.1, 1.0), (0.7, 3.0)] {
        assert!((trail_measures::speed(&motion, 1, time).unwrap() - speed).abs() < 1e-4);
    }
    // The path is 0.5 m long in the first half and 1.5 m in the second. If the greatest speed lasts, the time of its first sample is given.
    // There are 60 samples per second.
    let after_turn = 0.5 + 1.0 / 60.0;
    for (span, length, top, time) in [
        ([0.0, 1.0], 2.0, 3.0, after_turn),
        ([0.41, 0.59], 0.36, 3.0, after_turn),
        ([0.0, 0.4], 0.4, 1.0, 0.0),
        ([0.604, 0.606], 0.006, 3.0, 0.604),
    ] {
        let way = TrailStats::new(&motion, 1, span).unwrap();
        assert!((way.distance - length).abs() < 1e-5 && (way.top - top).abs() < 1e-4, "{span:?}: {way:?}");
        assert!((way.top_time - time).abs() < 1e-6, "{span:?}: {way:?}, not {time}");
    }
    assert!(TrailStats::new(&motion, 7, [0.0, 1.0]).is_none(), "there is no such node");
}

#[test]
fn trail_dots_are_on_whole_frames_and_spaced_apart() {
    let dots = |scale| {
        let lines = lines(&[0], shown(), 0.5, scale);
        lines.iter().filter(|line| is_dot(line) && line.color != DARK).map(|line| line.start.x).collect::<Vec<_>>()
    };
    // The trail is 2 m long and has 20 frames. At 1000 points per meter every frame has a dot, and the node's present position has another
    // one.
    let close = dots(1000.0);
    assert_eq!(close.len(), 21 + 1);
    assert!((close[10] - 0.5).abs() < 1e-6 && (close[11] - 0.65).abs() < 1e-6);
    // Dots are at least 12 points apart. At 25 points per meter a frame is 2.5 points long, so every fifth frame has a dot.
    assert_eq!(dots(25.0).len(), 5 + 1);
    // At 6 points per meter the whole trail is as long as the minimum distance. At fewer points per meter, only the dot at the node's
    // present position remains.
    assert_eq!(dots(6.0).len(), 2 + 1);
    assert_eq!(dots(5.0).len(), 1);
}

#[test]
fn the_nearest_dot_within_reach_is_picked() {
    let projection = Projection::Orthographic { ymag: 1.0, xmag: None, depth: 100.0 };
    let camera = Camera::look_at(DVec3::Z * 50.0, DVec3::ZERO, DVec3::Y, projection, 0.0);
    // One meter is 100 points, and the origin is in the middle.
    let projection = ScreenProjection { camera, size: DVec2::splat(200.0) };
    let dot = |node, x, z| TrailMark { node, time: 0.0, position: DVec3::new(x, 0.0, z) };
    let dots = [dot(0, 0.0, 0.0), dot(1, 0.1, 0.0), dot(2, 0.1, 1.0), dot(3, -0.5, 60.0)];
    let under = |x, y| trail_measures::under(&dots, &projection, DVec2::new(x, y)).map(|(dot, away)| (dot.node, away.round()));
    assert_eq!(under(100.0, 96.0), Some((0, 4.0)));
    assert_eq!(under(106.0, 100.0), Some((2, 4.0)), "the mark in front");
    assert_eq!(under(100.0, 92.0), None);
    assert_eq!(under(50.0, 100.0), None, "the mark is behind the eye");
}

#[test]
fn trail_dots_are_finite_and_few_at_every_frame_rate() {
    let view = View { rate: Some(1e30), ..view(Repeat::Loop, None) };
    let lines = lines_of(View { display: Display { trail: shown(), ..Display::default() }, ..view }, 0.5, 100.0);
    assert!(!lines.is_empty() && lines.len() < 100_000);
    assert!(lines.iter().all(|line| line.start.is_finite() && line.end.is_finite()));
}

#[test]
fn a_trail_needs_an_animation_and_uses_the_chosen_depth_test() {
    let trail = Trail { depth: Depth::Occluded, ..shown() };
    let lines = lines(&[0, 1], trail, 0.25, 100.0);
    assert!(lines.iter().all(|line| line.depth == Depth::Occluded));
    let nodes = |y: f64| lines.iter().filter(|line| line.start.y == y && !is_dot(line)).count();
    // Node 1 moves in parallel, one meter above.
    assert!(nodes(0.0) > 0 && nodes(0.0) == nodes(1.0));
    let view = View { selection: vec![0], animation: None, ..View::default() };
    assert!(trail::request(&document(), &view, &Moment::from(0.0)).is_none(), "nothing moves");
}

#[test]
fn a_view_saved_without_trails_loads() {
    let view: View = serde_json::from_str(r#"{"animation": 0, "display": {"skeleton": true}}"#).unwrap();
    assert_eq!(view.display, Display { skeleton: true, ..Display::default() });
    let view: View = serde_json::from_str(r#"{"display": {"trail": {"shown": true}, "ghosts": {"shown": true, "step": 2}}}"#).unwrap();
    assert_eq!((view.display.trail, view.display.ghosts.before, view.display.ghosts.step), (shown(), 3, 2));
}

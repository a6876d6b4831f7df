//! Tests sampling of keyframes, playback times and joint switches, with values worked out by hand.

use glam::{Affine3A, DVec3, Quat, Vec3A};
use sinew::animation::compiled::model::CompiledModel;
use sinew::animation::hierarchy::pose as hierarchy;
use sinew::animation::hierarchy::skinning::JointMatrix;
use sinew::animation::keys::keyframe;
use sinew::animation::playback::{self, AtEnd, Playhead};
use sinew::model::Model;
use sinew::model::animation::{Animation, Channel, Interpolation, Target};
use sinew::model::hierarchy::{Hierarchy, Trs};
use sinew::model::mesh::Mesh;
use sinew::model::node::{Node, NodeIndex};
use sinew::model::skin::Skin;
use sinew::session::pose::solve::{self, Posed};
use sinew::session::view::View;
use sinew::session::view::joint_switches::{self, Column};

/// Builds a model of `parents.len()` nodes, all of which are joints of one skin.
pub fn rig(parents: &[Option<u32>]) -> Model {
    let n = parents.len();
    Model {
        hierarchy: Hierarchy::from_parents(parents.iter().map(|parent| parent.map(NodeIndex)).collect(), vec![Trs::IDENTITY; n]),
        nodes: (0..n).map(|source| Node { source, visible: true, ..Node::default() }).collect(),
        node_of_source: (0..n as u32).map(NodeIndex).collect(),
        skins: vec![Skin {
            name: None,
            joints: (0..n as u32).map(NodeIndex).collect(),
            inverse_bind_matrices: vec![Affine3A::IDENTITY; n],
            matrices: 0..n,
        }],
        palette_len: n,
        ..Model::default()
    }
}

pub fn channel(target: Target, key_times: usize, interpolation: Interpolation, output: Vec<f32>) -> Channel {
    let components = if matches!(target, Target::Rotation(_)) { 4 } else { 3 };
    Channel { source: 0, target, key_times, interpolation, output, components }
}

pub fn animated(mut model: Model, key_times: Vec<Vec<f32>>, channels: Vec<Channel>) -> Model {
    let duration = key_times.iter().filter_map(|times| times.last()).fold(0.0, |a: f64, &b| a.max(f64::from(b)));
    model.animations.push(Animation { name: None, duration, key_times, channels });
    model
}

fn posed(model: &Model, time: f64) -> Posed {
    let view = View { animation: Some(0), ..View::default() };
    let mut posed = Posed::new(model);
    solve::solve(model, &view, time, &mut posed);
    posed
}

fn translation(model: &Model, time: f64) -> Vec3A {
    posed(model, time).pose.locals[0].translation
}

fn assert_close(got: f64, want: f64, tolerance: f64, what: &str) {
    assert!((got - want).abs() <= tolerance * want.abs().max(1.0), "{what}: got {got}, expected {want}");
}

// Time and keys

#[test]
fn before_the_first_key_and_after_the_last_the_value_is_held() {
    let output = vec![1.0, 0.0, 0.0, 2.0, 0.0, 0.0];
    let model =
        animated(rig(&[None]), vec![vec![10.0, 11.0]], vec![channel(Target::Translation(NodeIndex(0)), 0, Interpolation::Linear, output)]);
    for (time, x) in [(-1.0, 1.0), (0.0, 1.0), (10.0, 1.0), (10.5, 1.5), (11.0, 2.0), (99.0, 2.0)] {
        assert_eq!(translation(&model, time).x, x, "at {time}");
    }
    assert_eq!(model.animations[0].duration, 11.0);
}

#[test]
fn step_shows_a_key_exactly_at_its_time() {
    let output = vec![1.0, 0.0, 0.0, 2.0, 0.0, 0.0, 3.0, 0.0, 0.0];
    let model =
        animated(rig(&[None]), vec![vec![0.0, 0.1, 0.2]], vec![channel(Target::Translation(NodeIndex(0)), 0, Interpolation::Step, output)]);
    assert_eq!(translation(&model, f64::from(0.1f32)).x, 2.0);
    assert_eq!(translation(&model, f64::from(0.1f32.next_down())).x, 1.0);
    assert_eq!(translation(&model, f64::from(0.2f32)).x, 3.0);
}

/// Rates with keys that are rounded up from many frame times, because they are stored as f32.
const RATES: [f64; 7] = [24.0, 25.0, 30.0, 60.0, 24_000.0 / 1001.0, 30_000.0 / 1001.0, 23.976];

/// Builds an animation with a STEP key on each frame, for this number of nodes. Key k moves the node to x = k.
fn stepped(fps: f64, keys: u32, nodes: u32) -> Model {
    let times = (0..keys).map(|key| (f64::from(key) / fps) as f32).collect();
    let output: Vec<f32> = (0..keys).flat_map(|key| [key as f32, 0.0, 0.0]).collect();
    let channels = (0..nodes).map(|node| channel(Target::Translation(NodeIndex(node)), 0, Interpolation::Step, output.clone()));
    animated(rig(&vec![None; nodes as usize]), vec![times], channels.collect())
}

/// Numbers of nodes for [`stepped`]: one channel is sampled from its keys, eight channels are in a block.
const NODE_COUNTS: [u32; 2] = [1, 8];

#[test]
fn a_step_key_shows_from_its_exact_time_on() {
    for nodes in NODE_COUNTS {
        let model = stepped(30.0, 31, nodes);
        let compiled = CompiledModel::new(&model);
        assert_eq!(compiled.context(&model, 0).compiled.timelines.is_empty(), nodes == 1);
        let shown = |time| translation(&model, time).x;
        // The key of frame 10 is at the f32 nearest to 1/3, which is a little later.
        let key = f64::from((1.0f64 / 3.0) as f32);
        assert!(key > 1.0 / 3.0);
        assert_eq!([1.0 / 3.0, key.next_down(), key, key.next_up()].map(shown), [9.0, 9.0, 10.0, 10.0], "{nodes} nodes");
    }
}

#[test]
fn a_step_key_on_each_frame_shows_at_the_time_of_its_frame() {
    for (fps, nodes) in RATES.into_iter().flat_map(|fps| NODE_COUNTS.map(|nodes| (fps, nodes))) {
        let model = stepped(fps, 200, nodes);
        let shown = |time| translation(&model, time).x;
        let mut stepped = 0.0;
        for key in 0..200u16 {
            let time = playback::frame_time(f64::from(key) / fps);
            assert_eq!(shown(time), f32::from(key), "{fps} fps, {nodes} nodes");
            assert_eq!(shown(stepped), f32::from(key), "{key} steps at {fps} fps");
            stepped = playback::step_frames(stepped, 1, fps);
        }
    }
}

#[test]
fn the_hint_does_not_change_the_segment_that_is_found() {
    let times = [0.0, 0.5, 0.5, 1.0, 2.0, 4.0, 4.5, 4.75, 8.0, 8.0, 8.0, 9.0];
    let at_keys = times.iter().map(|&time| f64::from(time));
    for time in at_keys.flat_map(|time| [time - 0.125, time, time + 0.125]) {
        let last = times.iter().rposition(|&key| f64::from(key) <= time);
        for hint in 0..times.len() as u32 + 3 {
            let segment = keyframe::find(&times, time, &mut { hint });
            assert_eq!(segment, keyframe::find(&times, time, &mut 0), "{time}, hint {hint}");
            assert_eq!(segment.key, last.unwrap_or(0), "{time}, hint {hint}");
        }
    }
}

#[test]
fn one_key_and_equal_times_do_not_divide_by_zero() {
    let times = [0.0, 1.0, 1.0, 1.0, 2.0];
    let segment = keyframe::find(&times, 1.0, &mut 0);
    assert_eq!((segment.key, segment.next, segment.u), (3, 3, 0.0), "of equal times, the last one is used");
    let segment = keyframe::find(&times, 0.5, &mut 4);
    assert_eq!((segment.key, segment.next, segment.u), (0, 1, 0.5));
    let segment = keyframe::find(&[3.0], 7.0, &mut 9);
    assert_eq!((segment.key, segment.next, segment.u, segment.dt), (0, 0, 0.0, 0.0));
}

#[test]
fn channels_of_different_length_clamp_independently() {
    let channels = vec![
        channel(Target::Translation(NodeIndex(0)), 0, Interpolation::Linear, vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0]),
        channel(Target::Scale(NodeIndex(0)), 1, Interpolation::Linear, vec![1.0, 1.0, 1.0, 5.0, 5.0, 5.0]),
    ];
    let model = animated(rig(&[None]), vec![vec![0.0, 1.0], vec![0.0, 4.0]], channels);
    let local = posed(&model, 3.0).pose.locals[0];
    assert_eq!((local.translation.x, local.scale.x), (1.0, 4.0));
}

#[test]
fn slerp_takes_the_shorter_arc_at_constant_speed() {
    // The keys are 0 and 100 degrees about Z, and the second key is negated. A quarter of the way is 25 degrees.
    let q = Quat::from_rotation_z(100f32.to_radians());
    let output = vec![0.0, 0.0, 0.0, 1.0, -q.x, -q.y, -q.z, -q.w];
    let model =
        animated(rig(&[None]), vec![vec![0.0, 1.0]], vec![channel(Target::Rotation(NodeIndex(0)), 0, Interpolation::Linear, output)]);
    for (time, degrees) in [(0.25, 25.0f64), (0.5, 50.0), (0.75, 75.0)] {
        let x_axis = posed(&model, time).globals[0].matrix3.x_axis;
        assert_close(x_axis.y.atan2(x_axis.x).to_degrees(), degrees, 1e-6, "angle");
    }
}

#[test]
fn a_zero_rotation_key_gives_no_nan() {
    for interpolation in [Interpolation::Step, Interpolation::Linear, Interpolation::CubicSpline] {
        let keys = if interpolation == Interpolation::CubicSpline { 6 } else { 2 };
        let model = animated(
            rig(&[None]),
            vec![vec![0.0, 1.0]],
            vec![channel(Target::Rotation(NodeIndex(0)), 0, interpolation, vec![0.0; 4 * keys])],
        );
        assert!(posed(&model, 0.5).globals[0].is_finite(), "{interpolation:?}");
    }
    // v1 = -v0, so the spline passes through zero in the middle.
    let mut output = vec![0.0; 24];
    output[7] = 1.0;
    output[19] = -1.0;
    let model =
        animated(rig(&[None]), vec![vec![0.0, 1.0]], vec![channel(Target::Rotation(NodeIndex(0)), 0, Interpolation::CubicSpline, output)]);
    assert!(posed(&model, 0.5).globals[0].is_finite());
}

#[test]
fn choosing_another_animation_resets_the_first_ones_pose() {
    let mut model =
        animated(rig(&[None]), vec![vec![0.0]], vec![channel(Target::Translation(NodeIndex(0)), 0, Interpolation::Step, vec![9.0; 3])]);
    model.animations.push(Animation::default());
    let mut posed = Posed::new(&model);
    solve::solve(&model, &View { animation: Some(0), ..View::default() }, 0.0, &mut posed);
    assert_eq!(posed.pose.locals[0].translation.x, 9.0);
    solve::solve(&model, &View { animation: Some(1), ..View::default() }, 0.0, &mut posed);
    assert_eq!(posed.pose.locals[0].translation.x, 0.0);
}

#[test]
fn children_are_listed_in_order() {
    let model = rig(&[None, Some(0), Some(1), Some(0), None]);
    let children: Vec<u32> = model.hierarchy.children(NodeIndex(0)).map(|child| child.0).collect();
    assert_eq!(children, [1, 3]);
    assert_eq!(model.hierarchy.roots().map(|root| root.0).collect::<Vec<_>>(), [0, 4]);
    assert_eq!(model.hierarchy.children(NodeIndex(4)).count(), 0);
}

// Playback

#[test]
fn loop_mode_wraps_before_the_out_point_and_once_mode_stops_at_it() {
    let head = Playhead { time: 0.9, returning: false, playing: true };
    let looped = playback::advance(head, 0.1, 1.0, AtEnd::Wrap, [0.0, 1.0]);
    assert!(looped.time < 1.0 && looped.playing);
    // The sum of start and remainder would round up to the out point.
    let late = playback::advance(Playhead { time: 1e9, ..head }, 1.0 - 1e-9, 1.0, AtEnd::Wrap, [1e9, 1e9 + 1.0]);
    assert!(late.time < 1e9 + 1.0, "{}", late.time);
    let once = playback::advance(head, 0.2, 1.0, AtEnd::Stop, [0.0, 1.0]);
    assert_eq!((once.time, once.playing), (1.0, false));
    let back = playback::advance(Playhead { time: 0.1, ..head }, 0.2, -1.0, AtEnd::Stop, [0.0, 1.0]);
    assert_eq!((back.time, back.playing), (0.0, false));
}

#[test]
fn ping_pong_reverses_at_both_ends() {
    let mut head = Playhead { time: 0.0, returning: false, playing: true };
    let mut times = Vec::new();
    for _ in 0..10 {
        head = playback::advance(head, 0.3, 1.0, AtEnd::PingPong, [0.0, 1.0]);
        times.push((head.time * 10.0).round() / 10.0);
    }
    assert_eq!(times, [0.3, 0.6, 0.9, 0.8, 0.5, 0.2, 0.1, 0.4, 0.7, 1.0]);
    // In another mode, the playhead is no longer on its way back.
    let back = Playhead { time: 0.5, returning: true, playing: true };
    for at_end in [AtEnd::Wrap, AtEnd::Stop] {
        assert_eq!(playback::advance(back, 0.25, 1.0, at_end, [0.0, 1.0]), Playhead { time: 0.75, returning: false, playing: true });
    }
}

#[test]
fn zero_duration_plays_without_nan() {
    for at_end in [AtEnd::Wrap, AtEnd::Stop, AtEnd::PingPong] {
        let head = playback::advance(Playhead { time: 0.0, returning: false, playing: true }, 0.016, 1.0, at_end, [0.0, 0.0]);
        assert_eq!(head.time, 0.0);
    }
}

#[test]
fn two_hours_of_frames_do_not_drift() {
    // Plays 7,200 s at 60 frames per second in a loop of 1.7 s, and compares the time with the remainder of 7,200 divided by 1.7.
    let mut head = Playhead { time: 0.0, returning: false, playing: true };
    let frames = 7200 * 60;
    for _ in 0..frames {
        head = playback::advance(head, 1.0 / 60.0, 1.0, AtEnd::Wrap, [0.0, 1.7]);
    }
    let difference = (head.time - 7200f64.rem_euclid(1.7)).abs();
    assert!(difference.min(1.7 - difference) < 1e-6, "off by {difference}");
}

#[test]
fn a_step_from_between_two_frames_lands_on_a_whole_frame() {
    assert_eq!(playback::step_frames(0.11, 1, 10.0), f64::from(0.2f32), "forward");
    assert_eq!(playback::step_frames(0.11, -1, 10.0), f64::from(0.1f32), "back");
    assert_eq!(playback::step_frames(0.1, 1, 10.0), f64::from(0.2f32), "from a whole frame");
    assert_eq!(playback::step_frames(0.3, -1, 10.0), f64::from(0.2f32), "from a whole frame back");
    // The f32 nearest to 0.7 is earlier.
    assert_eq!(playback::step_frames(0.6, 1, 10.0), 0.7, "to a frame whose key is earlier");
}

// Switches

/// Builds the chain root - a - b - c. Each node rests one meter above its parent, and the animation raises every joint by another meter.
fn lifted() -> Model {
    let mut model = rig(&[None, Some(0), Some(1), Some(2)]);
    model.hierarchy.rest.iter_mut().for_each(|rest| rest.translation = Vec3A::Y);
    let channels = (0..4).map(|i| channel(Target::Translation(NodeIndex(i)), 0, Interpolation::Step, vec![0.0, 2.0, 0.0])).collect();
    animated(model, vec![vec![0.0]], channels)
}

fn posed_with(model: &Model, change: impl FnOnce(&mut View)) -> Posed {
    let mut view = View { animation: Some(0), ..View::default() };
    change(&mut view);
    let mut posed = Posed::new(model);
    solve::solve(model, &view, 0.0, &mut posed);
    posed
}

#[test]
fn a_joint_whose_animation_is_off_stays_at_rest_while_its_children_keep_moving() {
    let model = lifted();
    let posed = posed_with(&model, |view| joint_switches::set(&mut view.switches, 1, Column::Animated, |switch| switch.on = false));
    let heights: Vec<f64> = posed.globals.iter().map(|global| global.translation.y).collect();
    assert_eq!(heights, [2.0, 3.0, 5.0, 7.0]);
}

#[test]
fn a_joint_without_influence_moves_with_its_nearest_influencing_ancestor() {
    let model = lifted();
    let off = |view: &mut View, source| joint_switches::set(&mut view.switches, source, Column::Influence, |switch| switch.on = false);
    let posed = posed_with(&model, |view| {
        off(view, 1);
        off(view, 2);
    });
    assert_eq!(posed.palette[1], posed.palette[0]);
    assert_eq!(posed.palette[2], posed.palette[0]);
    assert_eq!(posed.joint_transforms[3], posed.globals[3], "the other joint keeps its own transform");
    // Without an influencing ancestor the joint uses its own rest matrix.
    let posed = posed_with(&model, |view| off(view, 0));
    assert_eq!(posed.joint_transforms[0].translation.y, 1.0);
}

#[test]
fn solo_affects_one_column_and_leaves_the_other_switches_unchanged() {
    let model = lifted();
    let mut view = View::default();
    joint_switches::set(&mut view.switches, 2, Column::Animated, |switch| switch.solo = true);
    let effective = joint_switches::effective(&model, &view.switches);
    assert_eq!(effective.animated, [false, false, true, false]);
    assert_eq!(effective.influence, [true; 4]);
    joint_switches::set(&mut view.switches, 2, Column::Animated, |switch| switch.solo = false);
    assert!(view.switches.is_empty(), "switches in their default state are not stored");
}

#[test]
fn a_solo_of_a_node_that_the_model_lacks_has_no_effect() {
    let model = lifted();
    let mut view = View::default();
    for column in Column::ALL {
        joint_switches::set(&mut view.switches, 9, column, |switch| switch.solo = true);
    }
    assert_eq!(joint_switches::effective(&model, &view.switches), joint_switches::effective(&model, &View::default().switches));
}

#[test]
fn an_invisible_node_hides_its_descendants() {
    let mut model = lifted();
    model.nodes[1].visible = false;
    assert_eq!(joint_switches::effective(&model, &View::default().switches).visible, [true, false, false, false]);
}

#[test]
fn a_view_is_unchanged_after_a_round_trip_through_json() {
    let mut view = View { animation: Some(3), range: Some([0.5, 1.25]), ..View::default() };
    joint_switches::set(&mut view.switches, 7, Column::Influence, |switch| switch.on = false);
    let text = serde_json::to_string(&view).unwrap();
    assert_eq!(serde_json::from_str::<View>(&text).unwrap(), view);
    assert_eq!(serde_json::from_str::<View>("{}").unwrap(), View::default());
}

#[test]
fn a_rig_far_from_the_origin_keeps_its_shape() {
    // Poses the same rig at the origin and 100 km away. Each palette is relative to an anchor near the rig.
    let mut near = lifted();
    let mut far = lifted();
    far.animations[0].channels.remove(0);
    far.hierarchy.rest[0].translation = Vec3A::new(100_000.0, 2.0, 0.0);
    // Exporters often leave the node of the skinned mesh at the origin, where its transform has no effect.
    for model in [&mut near, &mut far] {
        model.hierarchy.parents.push(None);
        model.hierarchy.subtree_ends.push(5);
        model.hierarchy.rest.push(Trs::IDENTITY);
        model.hierarchy.fixed_local.push(None);
        model.nodes.push(Node { source: 4, visible: true, mesh: Some(0), skin: Some(0), ..Node::default() });
        model.node_of_source.push(NodeIndex(4));
        model.meshes.push(Mesh::default());
    }
    let (near, far) = (posed_with(&near, |_| ()), posed_with(&far, |_| ()));
    for (a, b) in near.palette.iter().zip(&far.palette) {
        let world = |row: usize, matrix: &JointMatrix, anchor: DVec3| f64::from(matrix.rows[row].w) + anchor[row];
        for row in 0..3 {
            let (a3, b3) = (a.rows[row].truncate(), b.rows[row].truncate());
            assert!((a3 - b3).abs().max_element() < 1e-6, "{a3} {b3}");
            let moved = world(row, b, far.anchor) - world(row, a, near.anchor);
            assert!((moved - if row == 0 { 100_000.0 } else { 0.0 }).abs() < 1e-6, "{moved}");
        }
        assert!(b.rows[0].w.abs() < 10.0, "relative to an anchor near the rig");
    }
}

#[test]
fn a_matrix_node_keeps_its_shear() {
    let mut model = rig(&[None, Some(0)]);
    let sheared = Affine3A::from_cols_array(&[1.0, 0.0, 0.0, 0.5, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
    model.hierarchy.fixed_local[0] = Some(Box::new(sheared));
    model.hierarchy.rest[1].translation = Vec3A::Y;
    let mut globals = vec![glam::DAffine3::IDENTITY; 2];
    hierarchy::global_transforms(&model.hierarchy, &model.hierarchy.rest, &[], &mut globals);
    assert_eq!(globals[1].translation.to_array(), [0.5, 1.0, 0.0]);
}

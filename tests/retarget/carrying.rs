//! Tests how carried animations move targets of another size, with other axes, another rest pose or another structure.

use glam::{DVec3, Quat, Vec3, Vec3A};
use sinew::animation::frame_rate;
use sinew::model::Model;
use sinew::model::animation::{Interpolation, Rate, RateSource, Target};
use sinew::model::hierarchy::Trs;
use sinew::model::node::NodeIndex;
use sinew::retarget::carry::{CarriedFile, carry, with_animations};
use sinew::retarget::method::Method;
use sinew::retarget::{Carried, Settings};

use crate::common::odd_rigs::MIXAMO;
use crate::rig::{Bone, animation, assert_near, channel, figure, globals, model, node, rolled, walk};

/// Times at keys and between them, in seconds.
const TIMES: [f64; 6] = [0.0, 0.1, 0.333, 0.5, 0.777, 1.0];

fn walking() -> Model {
    let mut source = model(&figure(&MIXAMO));
    source.animations = vec![walk(&source)];
    source
}

/// Returns the target with the carried animation as its only animation.
fn played(target: &Model, carried: &Carried) -> Model {
    with_animations(
        target.clone(),
        vec![CarriedFile {
            name: "walk.glb".into(),
            path: "walk.glb".into(),
            animations: carried.animations.clone(),
            frame_rates: carried.frame_rates.clone(),
        }],
    )
}

fn by_rotation(align_rest: bool) -> Settings {
    Settings { method: Some(Method::Rotation), align_rest, ..Settings::default() }
}

/// Asserts that each joint lies in the same direction from its parent in both figures.
#[track_caller]
fn assert_same_directions(source: &Model, target: &Model, time: f64) {
    assert_same_directions_at([source, target], [time; 2]);
}

/// Like [`assert_same_directions`], but each of the two figures has its own time.
#[track_caller]
fn assert_same_directions_at([source, target]: [&Model; 2], [source_time, target_time]: [f64; 2]) {
    let [a, b] = [globals(source, Some(0), source_time), globals(target, Some(0), target_time)];
    for (at, parent) in source.hierarchy.parents.iter().enumerate() {
        let Some(parent) = parent.map(NodeIndex::index) else { continue };
        let direction = |globals: &[glam::DAffine3]| (globals[at].translation - globals[parent].translation).normalize();
        assert_near(direction(&a), direction(&b), 3e-4, &format!("bone {at} at {target_time}"));
    }
}

#[test]
fn an_animation_carried_onto_its_own_skeleton_keeps_its_exact_keys() {
    let source = walking();
    let carried = carry(&source, &source, &Settings::default());
    assert_eq!(carried.method, Method::Direct);
    let [own, copy] = [&source.animations[0], &carried.animations[0]];
    assert_eq!((&own.name, own.duration, &own.key_times), (&copy.name, copy.duration, &copy.key_times));
    assert_eq!(own.channels, copy.channels);
}

#[test]
fn an_animation_carried_onto_its_own_skeleton_by_rotation_keeps_its_poses() {
    let source = walking();
    let carried = carry(&source, &source, &by_rotation(true));
    let target = played(&model(&figure(&MIXAMO)), &carried);
    for time in TIMES {
        let [a, b] = [globals(&source, Some(0), time), globals(&target, Some(0), time)];
        for (at, (a, b)) in a.iter().zip(&b).enumerate() {
            assert_near(a.translation, b.translation, 2e-4, &format!("joint {at} at {time}"));
        }
    }
}

#[test]
fn a_carried_animation_keeps_the_frame_rate_of_its_file_although_it_has_more_keys() {
    let mut source = model(&figure(&MIXAMO));
    let times: Vec<f32> = (0..=10).map(|frame| frame as f32 / 20.0).collect();
    // The target lacks the spine, so its chest turns about two axes at once, which needs keys in between.
    let axes = [Vec3::X, Vec3::Y, Vec3::Z];
    let turn = |at: usize| (0..=10).flat_map(move |key| Quat::from_axis_angle(axes[at], key as f32).to_array()).collect();
    let channels = [0, 1, 2].map(|at| channel(Target::Rotation(NodeIndex(at as u32)), Interpolation::Linear, &times, turn(at)));
    source.animations = vec![animation("turns", channels.into())];
    let mut bones = rolled(&figure(&MIXAMO), 2.0);
    bones[1].name = "Lamp".into();
    let target = model(&bones);
    let carried = carry(&source, &target, &by_rotation(true));
    assert!(carried.animations[0].key_times[0].len() > times.len(), "{:?}", carried.animations[0].key_times);
    let rates = |source: &Model| frame_rate::model_rates(&played(&target, &carry(source, &target, &by_rotation(true))));
    assert_eq!(rates(&source), [Rate { fps: 20.0, source: RateSource::Keys }]);
    // Two keys tell no rate: it is that of the other animations, or the usual rate on whose frames both lie.
    let two_keys = channel(Target::Rotation(NodeIndex(0)), Interpolation::Linear, &[0.0, 0.875], [Quat::IDENTITY.to_array(); 2].concat());
    source.animations.push(animation("two keys", vec![two_keys]));
    assert_eq!(rates(&source)[1], Rate { fps: 20.0, source: RateSource::OtherAnimations });
    source.animations.remove(0);
    assert_eq!(rates(&source), [Rate { fps: 24.0, source: RateSource::Assumed }]);
}

#[test]
fn on_a_rolled_rig_of_twice_the_size_bones_keep_their_directions_and_the_hips_travel_twice_as_far() {
    let source = walking();
    let target = model(&rolled(&figure(&MIXAMO), 2.0));
    let carried = carry(&source, &target, &Settings::default());
    assert_eq!(carried.method, Method::Rotation);
    let target = played(&target, &carried);
    for time in TIMES {
        assert_same_directions(&source, &target, time);
        let [a, b] = [globals(&source, Some(0), time)[0], globals(&target, Some(0), time)[0]];
        let rest = DVec3::new(0.0, 1.0, 0.0);
        assert_near((a.translation - rest) * 2.0, b.translation - rest * 2.0, 1e-4, "travel");
    }
    let moved = |node: u32| carried.animations[0].channels.iter().any(|channel| channel.target == Target::Translation(NodeIndex(node)));
    assert!(moved(0) && (1..19).all(|node| !moved(node)), "only the hips move");
}

#[test]
fn an_armature_with_another_unit_and_axis_changes_nothing() {
    let source = walking();
    // The armature is in centimeters with Z up, as in exports from Blender.
    let turn = Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2);
    let armature = Trs { rotation: turn, scale: Vec3A::splat(0.01), ..Trs::IDENTITY };
    let mut bones = vec![Bone { rest: armature, joint: false, ..Bone::joint("Armature", None, [0.0; 3]) }];
    for bone in figure(&MIXAMO) {
        let mut rest = bone.rest;
        rest.translation *= 100.0;
        if bone.parent.is_none() {
            (rest.translation, rest.rotation) = (turn.inverse() * rest.translation, turn.inverse() * rest.rotation);
        }
        bones.push(Bone { parent: Some(bone.parent.map_or(0, |parent| parent + 1)), rest, ..bone });
    }
    let target = model(&bones);
    let carried = carry(&source, &target, &Settings::default());
    assert_eq!(carried.method, Method::Rotation);
    let target = played(&target, &carried);
    for time in TIMES {
        let [a, b] = [globals(&source, Some(0), time), globals(&target, Some(0), time)];
        for (at, a) in a.iter().enumerate() {
            assert_near(a.translation, b[at + 1].translation, 3e-4, &format!("joint {at} at {time}"));
        }
    }
}

#[test]
fn travel_of_an_animated_node_above_the_skeleton_moves_the_hips() {
    let mut bones = vec![Bone { joint: false, ..Bone::joint("Mover", None, [0.0; 3]) }];
    bones.extend(figure(&MIXAMO).into_iter().map(|bone| Bone { parent: Some(bone.parent.map_or(0, |parent| parent + 1)), ..bone }));
    let mut source = model(&bones);
    let travel = channel(Target::Translation(NodeIndex(0)), Interpolation::Linear, &[0.0, 1.0], vec![0.0, 0.0, 0.0, 3.0, 0.0, 1.0]);
    source.animations = vec![animation("go", vec![travel])];
    let target = model(&figure(&MIXAMO));
    let carried = carry(&source, &target, &Settings::default());
    assert_eq!(carried.method, Method::Rotation);
    let target = played(&target, &carried);
    assert_near(globals(&target, Some(0), 0.5)[0].translation, DVec3::new(1.5, 1.0, 0.5), 1e-5, "hips");
}

#[test]
fn unbound_joints_between_bound_ones_keep_their_rest_transform() {
    let source = walking();
    let mut bones = figure(&MIXAMO);
    bones[7].name = "Twist".into();
    let target = model(&bones);
    let carried = carry(&source, &target, &by_rotation(false));
    assert_eq!(carried.binding.moved.bound, 18);
    let target = played(&target, &carried);
    assert!(carried.animations[0].channels.iter().all(|channel| channel.target.node() != Some(NodeIndex(7))));
    // The hand rotates as in the source, although its parent is unbound.
    let [a, b] = [globals(&source, Some(0), 0.4)[8], globals(&target, Some(0), 0.4)[8]];
    assert_near(a.matrix3.x_axis, b.matrix3.x_axis, 3e-4, "hand");
}

/// Returns the figure in an A-pose: its arms hang down at 45 degrees.
fn a_pose() -> Model {
    let mut bones = figure(&MIXAMO);
    for (at, sign) in [(6, -1.0), (10, 1.0)] {
        bones[at].rest.rotation = Quat::from_rotation_z(sign * std::f32::consts::FRAC_PI_4);
    }
    model(&bones)
}

#[test]
fn aligned_rest_poses_make_limbs_point_the_same_way() {
    let source = walking();
    let carried = carry(&source, &a_pose(), &by_rotation(true));
    assert_same_directions(&source, &played(&a_pose(), &carried), 0.35);
    let carried = carry(&source, &a_pose(), &by_rotation(false));
    let target = played(&a_pose(), &carried);
    let direction = |model: &Model| {
        let globals = globals(model, Some(0), 0.35);
        (globals[7].translation - globals[6].translation).normalize()
    };
    let angle = direction(&source).angle_between(direction(&target)).to_degrees();
    assert!((angle - 45.0).abs() < 1.0, "without alignment the arms stay {angle} degrees apart");
}

#[test]
fn a_figure_that_faces_the_other_way_walks_forward() {
    let source = walking();
    // Figures of VRM 0.x face -Z, so their left side is at -X.
    let mut bones = figure(&MIXAMO);
    for bone in &mut bones {
        bone.rest.translation *= Vec3A::new(-1.0, 1.0, -1.0);
    }
    let target = model(&bones);
    let target = played(&target, &carry(&source, &target, &by_rotation(true)));
    let [a, b] = [globals(&source, Some(0), 0.7), globals(&target, Some(0), 0.7)];
    for (at, (a, b)) in a.iter().zip(&b).enumerate() {
        assert_near(a.translation * DVec3::new(-1.0, 1.0, -1.0), b.translation, 3e-4, &format!("joint {at}"));
    }
}

#[test]
fn steps_still_jump_and_splines_stay_smooth() {
    let mut source = model(&figure(&MIXAMO));
    let [arm, leg] = [node(&source, MIXAMO[6]), node(&source, MIXAMO[13])];
    let quarter = Quat::from_rotation_z(1.2).to_array();
    let steps = [Quat::IDENTITY.to_array(), quarter, Quat::IDENTITY.to_array()].concat();
    let zero = [0.0; 4];
    let spline = [zero, Quat::IDENTITY.to_array(), [2.0, 0.0, 0.0, 0.0], [-1.0, 1.0, 0.0, 0.0], quarter, zero].concat();
    let step = channel(Target::Rotation(arm), Interpolation::Step, &[0.0, 0.4, 1.0], steps);
    let smooth = channel(Target::Rotation(leg), Interpolation::CubicSpline, &[0.0, 1.0], spline);
    source.animations = vec![animation("both", vec![step.clone(), smooth]), animation("steps", vec![step])];
    let target = model(&rolled(&figure(&MIXAMO), 1.5));
    let carried = carry(&source, &target, &Settings::default());
    let target = played(&target, &carried);
    for at in 0..=200 {
        // No time is exactly at a jump, where `f32` and `f64` may differ.
        let time = (f64::from(at) + 0.3) / 200.3;
        assert_same_directions(&source, &target, time);
    }
    assert!(carried.animations[1].channels.iter().all(|channel| channel.interpolation == Interpolation::Step));
    assert_eq!(carried.animations[1].key_times, [vec![0.0, 0.4, 1.0]]);
    let keys = carried.animations[0].key_times[0].len();
    assert!((20..400).contains(&keys), "{keys} keys");
}

#[test]
fn a_step_beside_other_channels_shows_no_blend_at_the_time_of_a_frame() {
    let mut source = model(&figure(&MIXAMO));
    let [arm, leg] = [node(&source, MIXAMO[6]), node(&source, MIXAMO[13])];
    // The stored times are rounded, so many of them are a little later than the frames.
    let times: Vec<f32> = (0..=30).map(|frame| (f64::from(frame) / 30.0) as f32).collect();
    let steps = (0..=30).flat_map(|frame| Quat::from_rotation_z(if frame % 2 == 0 { 0.0 } else { 1.2 }).to_array()).collect();
    let step = channel(Target::Rotation(arm), Interpolation::Step, &times, steps);
    let turn = [Quat::IDENTITY, Quat::from_rotation_x(0.5)].map(|rotation| rotation.to_array()).concat();
    let linear = channel(Target::Rotation(leg), Interpolation::Linear, &[0.0, 1.0], turn);
    source.animations = vec![animation("both", vec![step, linear])];
    let target = model(&rolled(&figure(&MIXAMO), 1.5));
    let target = played(&target, &carry(&source, &target, &Settings::default()));
    for (frame, &time) in times.iter().enumerate() {
        assert_same_directions_at([&source, &target], [f64::from(time), frame as f64 / 30.0]);
    }
}

#[test]
fn an_animation_without_bound_nodes_stays_in_the_list_without_channels() {
    let mut source = model(&[Bone::joint("Wing", None, [0.0; 3])]);
    let flap = channel(Target::Rotation(NodeIndex(0)), Interpolation::Linear, &[0.5], Quat::IDENTITY.to_array().to_vec());
    source.animations = vec![animation("flap", vec![flap])];
    let carried = carry(&source, &model(&figure(&MIXAMO)), &Settings::default());
    assert_eq!(carried.animations.len(), 1);
    assert!(carried.is_empty());
    assert_eq!((carried.animations[0].name.as_deref(), carried.animations[0].duration), (Some("flap"), 0.5));
}

#[test]
fn hips_that_move_below_a_resting_root_move_in_the_target() {
    let rooted = |size: f32| {
        let root = Bone::joint("root", None, [0.0; 3]);
        let below = figure(&MIXAMO).into_iter().map(|bone| Bone { parent: Some(bone.parent.map_or(0, |parent| parent + 1)), ..bone });
        rolled(&std::iter::once(root).chain(below).collect::<Vec<_>>(), size)
    };
    let mut source = model(&rooted(1.0));
    let rest = source.hierarchy.rest[1].translation;
    let jump = (rest + Vec3A::new(0.0, 0.0, 0.4)).to_array();
    let output = [rest.to_array(), jump].concat();
    source.animations =
        vec![animation("bob", vec![channel(Target::Translation(NodeIndex(1)), Interpolation::Linear, &[0.0, 1.0], output)])];
    let target = model(&rooted(3.0));
    let target = played(&target, &carry(&source, &target, &by_rotation(false)));
    let travel = |model: &Model| globals(model, Some(0), 1.0)[1].translation - globals(model, None, 0.0)[1].translation;
    assert_near(travel(&source) * 3.0, travel(&target), 1e-4, "hips");
    assert!(travel(&source).length() > 0.39);
}

#[test]
fn joints_below_a_mirrored_parent_turn_as_in_the_source() {
    // The parent has a scale of -1 along X, as in rigs that were mirrored in a modeling program.
    let bones = |mirror: f32| {
        let mut root = Bone::joint("root", None, [0.0, 1.0, 0.0]);
        root.rest.scale = Vec3A::new(mirror, 1.0, 1.0);
        vec![root, Bone::joint("arm", Some(0), [0.0, 1.0, 0.0]), Bone::joint("hand", Some(1), [0.0, 1.0, 0.0])]
    };
    let mut source = model(&bones(1.0));
    let output = [Quat::IDENTITY.to_array(), Quat::from_axis_angle(Vec3::Z, 1.0).to_array()].concat();
    source.animations = vec![animation("turn", vec![channel(Target::Rotation(NodeIndex(1)), Interpolation::Linear, &[0.0, 1.0], output)])];
    let target = model(&bones(-1.0));
    let target = played(&target, &carry(&source, &target, &by_rotation(false)));
    let bone = |model: &Model| {
        let globals = globals(model, Some(0), 1.0);
        globals[2].translation - globals[1].translation
    };
    assert_near(bone(&source), bone(&target), 1e-4, "the forearm turns about the same axis of the world");
}

#[test]
fn a_foot_without_a_parent_follows_the_leg() {
    let source = walking();
    let mut bones = figure(&MIXAMO);
    // The hips are as high as in the source, but the knees are lower, so each foot ends 0.25 m below its knee instead of 0.43 m.
    for knee in [14, 17] {
        bones[knee].rest.translation.y = -0.6;
    }
    // The feet have no parent, as in rigs for inverse kinematics, and become the last joints.
    for (at, foot) in [(15, [0.1, 0.1, 0.0]), (18, [-0.1, 0.1, 0.0])] {
        bones[at] = Bone::joint(MIXAMO[at], None, foot);
    }
    let right = bones.remove(15);
    bones.push(right);
    bones[15].parent = Some(0);
    bones[16].parent = Some(15);
    let target = model(&bones);
    let target = played(&target, &carry(&source, &target, &by_rotation(true)));
    for time in TIMES {
        let globals = globals(&target, Some(0), time);
        for [knee, foot] in [[14, 15], [17, 18]] {
            let [knee, foot] = [knee, foot].map(|joint: usize| globals[node(&target, MIXAMO[joint]).index()]);
            assert_near(knee.transform_point3(DVec3::NEG_Y * 0.25), foot.translation, 3e-4, &format!("foot at {time}"));
        }
    }
}

#[test]
fn a_root_at_the_origin_of_its_parent_gets_no_needless_keys() {
    let rooted = |turn: Quat| {
        let armature = Bone { joint: false, ..Bone::joint("Armature", None, [0.0; 3]) };
        let rest = Trs { rotation: turn, scale: Vec3A::splat(1.3), ..Trs::IDENTITY };
        let root = Bone::joint("root", Some(0), [0.0; 3]);
        let below = figure(&MIXAMO).into_iter().map(|bone| Bone { parent: Some(bone.parent.map_or(1, |parent| parent + 2)), ..bone });
        model(&[Bone { rest, ..armature }, root].into_iter().chain(below).collect::<Vec<_>>())
    };
    let mut source = rooted(Quat::IDENTITY);
    let hips = node(&source, MIXAMO[0]);
    let output = vec![0.0, 1.0, 0.0, 0.3, 1.1, 0.7];
    source.animations = vec![animation("bob", vec![channel(Target::Translation(hips), Interpolation::Linear, &[0.0, 1.0], output)])];
    let carried = carry(&source, &rooted(Quat::from_axis_angle(Vec3::new(1.0, 2.0, 3.0).normalize(), 0.7)), &by_rotation(false));
    // The hips move along a straight line, so their two keys are enough.
    assert_eq!(carried.animations[0].key_times[0], [0.0, 1.0]);
}

//! Tests the checks of sampled motion: loops, pops, feet.

use std::f32::consts::TAU;

use sinew::check::finding::CheckFinding;
use sinew::check::settings::Settings;

use crate::common::character::{
    ARMATURE, BODY, Channel, Character, Clip, FOOT_L, FRAMES, HEAD, HIPS, SPINE, about_x, below_scale, character, frames, per_frame,
};

#[test]
fn a_missing_last_frame_is_a_loop_gap_of_one_frame() {
    let mut cut = character();
    for channel in cut.channels() {
        let numbers = channel.values.len() / FRAMES;
        channel.times.pop();
        channel.values.truncate((FRAMES - 1) * numbers);
    }
    // Make the spine swing so far that the head moves by centimeters. The gap is then widest at the head.
    cut.channels()[1] = Channel {
        times: frames(FRAMES - 1),
        values: (0..FRAMES - 1).flat_map(|frame| about_x(30.0 * (TAU * frame as f32 / 24.0).sin())).collect(),
        ..cut.channels()[1].clone()
    };
    let finding = cut.only("LOOP_GAP");
    // The spine turns from 30 sin(-15 degrees) to 0 degrees. The head is 0.4 m above it.
    let angle = (30.0 * (TAU as f64 / 24.0).sin()).to_radians();
    let expected = 2.0 * 0.4 * (angle / 2.0).sin();
    assert!((finding.value.unwrap() - expected).abs() < 0.005, "{finding:?}, not {expected}");
    assert_eq!((finding.node, finding.animation), (Some(HEAD), Some(0)));
    assert!(finding.message.contains("last frame"), "{}", finding.message);
}

#[test]
fn an_animation_that_ends_beyond_its_first_pose_lacks_no_frame() {
    let swing = |frames_too_many: f32| {
        let mut swing = character();
        let frame = TAU / (FRAMES - 1) as f32;
        swing.channels()[1] = per_frame(SPINE, "rotation", move |time| about_x(30.0 * (time * (TAU + frames_too_many * frame)).sin()));
        swing.only("LOOP_GAP").message
    };
    assert!(swing(-1.0).contains("the last frame, which repeats the first, is probably missing"), "{}", swing(-1.0));
    assert!(swing(1.0).ends_with("A loop jumps there."), "{}", swing(1.0));
}

#[test]
fn an_animation_that_ends_far_from_its_start_is_no_loop() {
    let mut fall = character();
    *fall.channels() = vec![
        per_frame(HIPS, "translation", |time| [0.0, 1.0 - 0.7 * time, 0.0]),
        per_frame(SPINE, "rotation", |time| about_x(80.0 * time * time)),
    ];
    assert!(!fall.codes().contains(&"LOOP_GAP"));
    // These names say that the animation should loop.
    for name in ["Fall_Loop", "fall cycle (2)", "FallLoop01"] {
        fall.clips[0].name = Some(name);
        let found = fall.check(&Settings::default());
        let finding = found.iter().find(|finding| finding.code == "LOOP_GAP").unwrap_or_else(|| panic!("{name}: {found:#?}"));
        let opening = format!("\"{name}\" is named as a loop, but does not end on its first pose: ");
        assert!(finding.message.starts_with(&opening), "{}", finding.message);
    }
    fall.clips[0].name = Some("Bicycle Fall");
    assert!(!fall.codes().contains(&"LOOP_GAP"));
    // In this loop, only the rotations at both ends differ.
    let mut opened = character();
    opened.channels()[2] = per_frame(HEAD, "rotation", |time| about_x(120.0 * time));
    opened.clips[0].name = Some("Look_Loop");
    let message = opened.only("LOOP_GAP").message;
    let expected = "\"Look_Loop\" is named as a loop, but does not end on its first pose; a joint is rotated: Head by 120.0 degrees.";
    assert_eq!(message, expected);
}

#[test]
fn a_rotation_gap_is_reported_even_if_no_joint_changes_its_position() {
    let mut turned = character();
    turned.channels()[2] = per_frame(HEAD, "rotation", |time| about_x(12.0 * (TAU * time).cos() + 5.0 * time));
    let finding = turned.only("LOOP_GAP");
    assert_eq!(finding.node, Some(HEAD));
    assert!((finding.value.unwrap() - 5.0).abs() < 0.01, "{finding:?}");
    turned.channels()[2] = per_frame(HEAD, "rotation", |time| about_x(12.0 * (TAU * time).cos() + 1.5 * time));
    assert_eq!(turned.codes(), [""; 0]);
}

#[test]
fn a_scale_that_does_not_end_as_it_starts_is_a_loop_gap() {
    let growing = |name, growth: f32| {
        let mut growing = character();
        growing.channels().push(per_frame(HEAD, "scale", move |time| [1.0, 1.0 + growth * time, 1.0]));
        growing.clips[0].name = Some(name);
        growing
    };
    let finding = growing("Idle_Loop", 0.5).only("LOOP_GAP");
    let expected = "\"Idle_Loop\" is named as a loop, but does not end on its first pose; a joint is scaled: Head from 1.000 to 1.500.";
    assert_eq!((finding.message.as_str(), finding.node, finding.value), (expected, Some(HEAD), Some(0.5)));
    assert_eq!(growing("Idle_Loop", 0.01).codes(), [""; 0]);
    // The head grows on purpose in an animation that is not named as a loop.
    assert_eq!(growing("Idle", 0.5).codes(), [""; 0]);
    // No joint moves if only the head grows and shrinks.
    let mut alone = growing("Pulse", 0.0);
    let size = |time: f32| 1.0 + 0.5 * (TAU * time).sin() + 0.1 * time;
    *alone.channels() = vec![per_frame(HEAD, "scale", |time| [size(time); 3])];
    let finding = alone.only("LOOP_GAP");
    assert!(
        finding.message.contains("ends near its first pose, but not on it; a joint is scaled: Head from 1.000 to 1.100"),
        "{finding:?}"
    );
}

#[test]
fn a_morph_weight_that_does_not_end_as_it_starts_is_a_loop_gap() {
    let talking = |name, end: f32| {
        let mut talking = character();
        talking.targets = 1;
        let weights =
            Channel { node: BODY, path: "weights", interpolation: "LINEAR", times: vec![0.0, 0.5, 1.0], values: vec![0.0, 1.0, end] };
        // The weights are part of the idle animation, and they are an animation of their own.
        talking.channels().push(weights.clone());
        talking.clips[0].name = Some(name);
        talking.clips.push(Clip { name: Some(name), channels: vec![weights] });
        talking.check(&Settings::from_toml("off = [\"DUPLICATE_NAME\"]").unwrap())
    };
    let found = talking("Talk_Loop", 1.0);
    assert_eq!(found.len(), 2, "{found:#?}");
    for (animation, finding) in found.iter().enumerate() {
        let expected =
            "\"Talk_Loop\" is named as a loop, but does not end on its first pose; a morph weight differs: target 0 from 0.00 to 1.00.";
        assert_eq!((finding.message.as_str(), finding.animation), (expected, Some(animation)));
        assert_eq!((finding.node, finding.time, finding.value), (Some(BODY), Some(1.0), Some(1.0)));
    }
    let near = talking("Talk", 0.1);
    assert!(near.len() == 2 && near.iter().all(|finding| finding.message.contains("ends near its first pose, but not on it")), "{near:#?}");
    assert_eq!(talking("Talk_Loop", 0.01), []);
    assert_eq!(talking("Talk", 1.0), []);
}

#[test]
fn an_animation_that_ends_with_a_joint_turned_far_is_no_loop() {
    let mut opened = character();
    opened.channels()[1] = per_frame(SPINE, "rotation", |_| about_x(1.0));
    opened.channels()[2] = per_frame(HEAD, "rotation", |time| about_x(120.0 * time));
    assert!(!opened.codes().contains(&"LOOP_GAP"));
}

#[test]
fn the_loops_of_a_model_with_too_many_nodes_for_all_samples_are_checked_coarsely() {
    // The spine ends 5 cm above its start. At 60 samples per second, the positions of 400 nodes exceed the limit, and those of 200 do not.
    let risen = |nodes: usize| {
        let mut risen = character();
        risen.channels()[0] = per_frame(SPINE, "translation", |time| [0.0, 0.3 + 0.1 * (TAU * time).sin() + 0.05 * time, 0.0]);
        risen.channels().iter_mut().flat_map(|channel| &mut channel.times).for_each(|time| *time *= 119.0);
        risen.nodes.resize(nodes, serde_json::json!({}));
        let found = risen.check(&Settings::default());
        let gap = found.iter().find(|finding| finding.code == "LOOP_GAP").unwrap_or_else(|| panic!("{nodes} nodes: {found:#?}"));
        assert!((gap.value.unwrap() - 0.05).abs() < 1e-4, "{gap:?}");
        found.iter().any(|finding| finding.code == "CHECK_INCOMPLETE")
    };
    assert_eq!([risen(200), risen(400)], [false, true]);
}

#[test]
fn a_motion_that_reverses_at_the_seam_is_a_velocity_gap() {
    // The hips rise and fall like a thrown ball, so their velocity jumps only at the seam.
    let bounce = |height: f32| {
        let mut bounce = character();
        bounce.channels()[0] = per_frame(HIPS, "translation", move |time| [0.0, 1.0 + height * 4.0 * time * (1.0 - time), 0.0]);
        bounce
    };
    let finding = bounce(0.3).only("LOOP_VELOCITY_GAP");
    // The velocity is 1.2 m/s upwards at the start and downwards at the end. The check measures mean velocities over one frame.
    assert!((finding.value.unwrap() - 2.4 * 23.0 / 24.0).abs() < 0.05, "{finding:?}");
    assert!(!bounce(0.03).codes().contains(&"LOOP_VELOCITY_GAP"));
}

#[test]
fn a_root_that_drifts_in_a_loop_is_reported() {
    let drifting = |meters: f32| {
        let mut drifting = character();
        drifting.channels()[0] = per_frame(HIPS, "translation", move |time| [meters * time, 1.0 + 0.02 * (TAU * time).sin(), 0.0]);
        // Ignore the sliding feet, which another check reports.
        let found = drifting.check(&Settings::default());
        found.into_iter().filter(|finding| finding.code != "FOOT_SLIDE").collect::<Vec<_>>()
    };
    let found = drifting(0.05);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!((found[0].code, found[0].node), ("ROOT_DRIFT_IN_LOOP", Some(HIPS)));
    assert!((found[0].value.unwrap() - 0.05).abs() < 1e-4);
    assert_eq!(drifting(0.005), []);
    // A character that walks away travels on purpose.
    assert!(drifting(2.0).iter().all(|finding| finding.code != "ROOT_DRIFT_IN_LOOP"));
}

#[test]
fn a_root_that_alone_moves_and_does_not_come_back_is_reported() {
    let codes = |name, x: fn(f32) -> f32| {
        let mut moving = character();
        *moving.channels() = vec![per_frame(HIPS, "translation", move |time| [x(time), 1.0, 0.0])];
        moving.clips[0].name = Some(name);
        let found = moving.check(&Settings::default());
        found.into_iter().map(|finding| finding.code).filter(|code| *code != "FOOT_SLIDE").collect::<Vec<_>>()
    };
    assert_eq!(codes("Sway_Loop", |time| 0.2 * (TAU * time).sin() + 0.05 * time), ["ROOT_DRIFT_IN_LOOP"]);
    assert_eq!(codes("Sway_Loop", |time| 0.2 * (TAU * time).sin()), [""; 0]);
    // It travels.
    assert_eq!(codes("Move", |time| 0.05 * time), [""; 0]);
}

#[test]
fn a_joint_that_pops_is_reported_without_the_joints_below() {
    let popping = |frame: usize, meters: f32| {
        let mut popping = character();
        let times = frames(FRAMES);
        let at = |index: usize| [0.0, 0.3, if index == frame { meters } else { 0.0 }];
        popping.channels().push(Channel {
            node: SPINE,
            path: "translation",
            interpolation: "LINEAR",
            times,
            values: (0..FRAMES).flat_map(at).collect(),
        });
        popping
    };
    let finding = popping(12, 0.3).only("VELOCITY_SPIKE");
    assert_eq!(finding.node, Some(SPINE));
    assert!((finding.value.unwrap() - 0.3).abs() < 0.02, "{finding:?}");
    assert!((finding.time.unwrap() - 11.0 / 24.0).abs() < 0.05, "{finding:?}");
    assert_eq!(popping(12, 0.03).codes(), [""; 0]);
}

/// A channel with keys at this rate.
fn at_rate<const N: usize>(node: usize, path: &'static str, fps: f32, keys: usize, value: impl Fn(usize) -> [f32; N]) -> Channel {
    let times = (0..keys).map(|key| key as f32 / fps).collect();
    Channel { node, path, interpolation: "LINEAR", times, values: (0..keys).flat_map(value).collect() }
}

/// The finding of a pop, if there is one.
fn pop(character: &Character) -> Option<CheckFinding> {
    character.check(&Settings::default()).into_iter().find(|finding| finding.code == "VELOCITY_SPIKE")
}

#[test]
fn a_joint_that_turns_abruptly_is_named_and_the_joints_below_are_not() {
    let turning = |degrees: f32| {
        let mut turning = character();
        turning.channels()[1] = at_rate(SPINE, "rotation", 24.0, FRAMES, |frame| {
            about_x(8.0 * (TAU * frame as f32 / 24.0).sin() + if frame == 12 { degrees } else { 0.0 })
        });
        turning
    };
    let finding = turning(40.0).only("VELOCITY_SPIKE");
    assert_eq!(finding.node, Some(SPINE));
    assert!(finding.message.contains("a joint jumps") && finding.message.contains("Spine turns by 42 degrees"), "{}", finding.message);
    assert!(!finding.message.contains("Head"), "the head only follows: {}", finding.message);
    // The time is that of the popped pose, between the two jumps.
    assert!((finding.time.unwrap() - 0.5).abs() < 1e-6, "{finding:?}");
    // The head is 0.4 m above the spine. From the popped pose, the spine turns back by 40 degrees and by its usual motion.
    let angle = (40.0 + 8.0 * (TAU as f64 / 24.0).sin()).to_radians();
    assert!((finding.value.unwrap() - 2.0 * 0.4 * (angle / 2.0).sin()).abs() < 1e-3, "{finding:?}");
    assert_eq!(pop(&turning(6.0)), None);
}

#[test]
fn a_joint_at_the_end_of_a_limb_pops_as_far_as_its_vertices_reach() {
    let mut turning = character();
    turning.channels()[2] = at_rate(HEAD, "rotation", 24.0, FRAMES, |frame| about_x(if frame == 12 { 15.0 } else { 0.0 }));
    // The vertices of the head lie within 0.2 m of it, which is half of its distance to the spine. So the check assumes a reach of 0.2 m.
    // A point at this distance moves by 5 cm, which is less than the limit.
    assert_eq!(pop(&turning), None);
    // Now the head also moves the triangle at the hips, 0.7 m below it.
    let of_head = turning.influences[3 * HEAD].clone();
    turning.influences[3 * HIPS..][..3].fill(of_head);
    let finding = pop(&turning).unwrap();
    assert_eq!(finding.node, Some(HEAD));
    // In the box around the vertices that the head moves, the corner farthest from the head is at x = 0.05, y = -0.7, z = 0. The check uses
    // its distance, x included, so the value is slightly larger than `expected`.
    let expected = 2.0 * 0.7 * 7.5f64.to_radians().sin();
    assert!((finding.value.unwrap() - expected).abs() < 0.01, "{finding:?}, not {expected}");
}

#[test]
fn a_scale_pops_if_it_changes_much_compared_with_the_scale_at_rest() {
    let growing = |scale: f32, factor: f32| {
        let mut growing = below_scale(scale);
        growing.channels().push(at_rate(ARMATURE, "scale", 24.0, FRAMES, |frame| [if frame < 12 { scale } else { scale * factor }; 3]));
        pop(&growing)
    };
    for scale in [0.01, 1.0, 100.0] {
        assert_eq!(growing(scale, 1.005), None, "{scale}");
        let finding = growing(scale, 2.0).unwrap();
        assert_eq!(finding.node, Some(ARMATURE));
        // The farthest corner of the box around the joints is at x = 0.1, y = 1.7. It moves by its whole distance from the armature.
        assert!((finding.value.unwrap() - 0.1f64.hypot(1.7)).abs() < 1e-4, "{finding:?}");
        let words = format!("Armature scales from {scale:.3} to {:.3} at 0.500 s", 2.0 * scale);
        assert!(finding.message.contains(&words), "{}", finding.message);
    }
}

#[test]
fn joints_that_pop_on_their_own_are_all_named() {
    let mut both = character();
    let pop_at = |frame: usize, size: f32| move |at: usize| about_x(if at == frame { size } else { 0.0 });
    both.channels()[1] = at_rate(SPINE, "rotation", 24.0, FRAMES, pop_at(8, 50.0));
    both.channels().push(at_rate(3, "rotation", 24.0, FRAMES, pop_at(16, 60.0)));
    let finding = pop(&both).unwrap();
    let [leg, spine] = ["UpperLegL turns by 60 degrees at 0.667 s", "Spine turns by 50 degrees at 0.333 s"];
    assert!(finding.message.ends_with(&format!("{leg}, {spine}.")) && finding.message.contains("joints jump"), "{}", finding.message);
    assert_eq!(finding.node, Some(3));
}

#[test]
fn a_pop_between_keys_of_a_low_rate_is_found() {
    // The keys are 1 / 6.6 s apart. At the usual 30 frames per second, each jump takes about five frames.
    let idle = |fps: f32, degrees: f32| {
        let mut idle = character();
        let swing = move |key: usize| 3.0 * (TAU * key as f32 / 20.0).sin();
        *idle.channels() = vec![
            at_rate(HIPS, "translation", fps, 21, move |key| [0.0, 1.0 + 0.004 * swing(key), 0.0]),
            at_rate(SPINE, "rotation", fps, 21, move |key| about_x(swing(key) + if key == 10 { degrees } else { 0.0 })),
        ];
        idle
    };
    let finding = pop(&idle(6.6, 30.0)).unwrap();
    assert_eq!(finding.node, Some(SPINE));
    assert!((finding.time.unwrap() - 10.0 / 6.6).abs() < 1e-6, "{finding:?}");
    assert!(!finding.message.contains("Head"), "{}", finding.message);
    assert_eq!(pop(&idle(6.6, 5.0)), None, "the usual motion is as fast");
    // A jump between keys that are more than a quarter of a second apart counts as a movement.
    assert_eq!(pop(&idle(3.5, 30.0)), None);
}

#[test]
fn a_fast_swing_over_several_frames_is_no_pop() {
    // The rotations of a robot's foot between the frames of a jump, and those of a fox's tail, in degrees.
    let foot = [0, 0, 0, 0, 0, 30, 81, 37, 7, 1, 11, 38, 58, 38, 11, 0, 0, 0, 0, 0];
    let tail = [2, 2, 0, 2, 3, 3, 2, 3, 23, 14, 2, 0, 1, 8, 14, 12, 2];
    for turns in [&foot[..], &tail] {
        let angles: Vec<f32> = std::iter::once(0)
            .chain(turns.iter().scan(0, |sum, turn| {
                *sum += turn;
                Some(*sum)
            }))
            .map(|angle| angle as f32)
            .collect();
        let mut swing = character();
        swing.channels()[1] = at_rate(SPINE, "rotation", 24.0, angles.len(), |key| about_x(angles[key]));
        assert_eq!(pop(&swing), None, "{turns:?}");
    }
}

#[test]
fn a_quick_turn_between_two_poses_is_no_pop() {
    let turn = |times: &[f32]| {
        let mut turn = character();
        let values = times.iter().flat_map(|&time| about_x(if time > 1.0 { 40.0 } else { 0.0 })).collect();
        turn.channels()[1] = Channel { node: SPINE, path: "rotation", interpolation: "LINEAR", times: times.to_vec(), values };
        turn
    };
    // The keys are as an animator sets them: one pose is held, and 0.15 s later another one.
    assert_eq!(pop(&turn(&[0.0, 1.0, 1.15, 2.5])), None);
    // The same turn within one frame is a pop, even if there are only a few keys.
    assert_eq!(pop(&turn(&[0.0, 1.0, 25.0 / 24.0, 2.5])).unwrap().node, Some(SPINE));
}

#[test]
fn a_fast_motion_is_no_pop() {
    let mut fast = character();
    fast.channels()[2] = per_frame(HEAD, "translation", |time| {
        let punch = (-((time - 0.5) * 12.0).powi(2)).exp();
        [0.0, 0.4, 0.8 * punch]
    });
    assert!(!fast.codes().contains(&"VELOCITY_SPIKE"), "{:?}", fast.codes());
}

/// The character with its left foot as a root of the scene, so that the foot moves independently of the hips.
fn free_feet() -> Character {
    let mut free = character();
    free.nodes[4]["children"] = serde_json::json!([]);
    free.nodes[4].as_object_mut().unwrap().remove("children");
    free.nodes[5]["translation"] = serde_json::json!([0.1, 0.05, 0.0]);
    free.roots.push(FOOT_L);
    free
}

#[test]
fn a_standing_foot_that_slides_is_reported() {
    let sliding = |meters: f32| {
        let mut sliding = free_feet();
        sliding.channels().push(per_frame(FOOT_L, "translation", move |time| {
            // The foot stays at the same height and slides back and forth.
            [0.1, 0.05, meters * (TAU * time).sin()]
        }));
        sliding
    };
    let found = sliding(0.03).check(&Settings::default());
    let finding = found.iter().find(|finding| finding.code == "FOOT_SLIDE").unwrap_or_else(|| panic!("{found:#?}"));
    assert_eq!(finding.node, Some(FOOT_L));
    // The foot slides four times the amplitude.
    assert!((finding.value.unwrap() - 0.12).abs() < 0.01, "{finding:?}");
    assert!(!sliding(0.003).codes().contains(&"FOOT_SLIDE"));
}

#[test]
fn a_foot_that_slides_fast_is_reported() {
    for frames in [12, 8, 4] {
        let mut fast = free_feet();
        let path = move |frame: usize| [0.1 + 0.4 * (frame.clamp(24, 24 + frames) - 24) as f32 / frames as f32, 0.05, 0.0];
        fast.channels().push(at_rate(FOOT_L, "translation", 24.0, 49 + frames, path));
        let found = fast.check(&Settings::default());
        let slides: Vec<f64> = found.iter().filter(|finding| finding.code == "FOOT_SLIDE").filter_map(|finding| finding.value).collect();
        assert!(slides.len() == 1 && (slides[0] - 0.4).abs() < 1e-3, "{frames}: {found:#?}");
    }
}

#[test]
fn an_in_place_run_with_planted_feet_does_not_slide() {
    // The feet move back at 5 to 6 m/s for `duty` of the time, and forward on a cubic curve without a change of velocity at its ends.
    for (stride, duty, lift, fps) in
        [(1.6, 0.4, 0.25, 30.0), (1.6, 0.4, 0.25, 60.0), (1.05, 0.25, 0.12, 30.0), (1.05, 0.25, 0.12, 60.0), (1.225, 0.35, 0.12, 60.0)]
    {
        let mut run = character();
        run.channels().clear();
        let seconds = 0.7f32;
        for (leg, x, phase) in [(3, 0.1, 0.0), (6, -0.1, 0.5)] {
            let place = move |frame: usize| {
                let within = (frame as f32 / fps / seconds + phase).fract();
                if within < duty {
                    return [x, 0.0, stride * (0.5 - within / duty)];
                }
                let u = (within - duty) / (1.0 - duty);
                let forward = 3.0 * u.powi(2) - 2.0 * u.powi(3) - 0.5;
                let tangents = 2.0 * u.powi(3) - 3.0 * u.powi(2) + u;
                [x, lift * (TAU / 2.0 * u).sin().powi(2), stride * (forward - tangents * (1.0 - duty) / duty)]
            };
            run.channels().push(at_rate(leg, "translation", fps, (seconds * fps) as usize + 1, place));
        }
        let found = run.check(&Settings::default());
        assert!(found.iter().all(|finding| finding.code != "FOOT_SLIDE"), "{duty}, {lift} m, {fps}: {found:#?}");
    }
}

#[test]
fn a_standing_foot_that_sinks_is_reported() {
    let sinking = |meters: f32| {
        let mut sinking = free_feet();
        sinking.channels().push(per_frame(FOOT_L, "translation", move |time| {
            let down = (0.5 - 0.5 * (TAU * time).cos()) * meters;
            [0.1, 0.05 - down, 0.0]
        }));
        sinking.check(&Settings::default()).into_iter().find(|finding| finding.code == "FOOT_BELOW_GROUND")
    };
    let finding = sinking(0.1).unwrap();
    assert!((finding.value.unwrap() - 0.1).abs() < 0.005, "{finding:?}");
    assert_eq!(finding.node, Some(FOOT_L));
    assert_eq!(sinking(0.03), None);
}

#[test]
fn a_falling_foot_does_not_stand() {
    let mut falling = free_feet();
    falling.channels().push(per_frame(FOOT_L, "translation", |time| {
        let down = 0.5 * 9.81 * (time - 0.4).max(0.0).powi(2);
        [0.1, 0.05 - down, 0.0]
    }));
    assert!(!falling.codes().contains(&"FOOT_BELOW_GROUND"), "{:#?}", falling.check(&Settings::default()));
}

#[test]
fn an_animation_of_weights_alone_is_not_sampled() {
    let mut morphs = character();
    morphs.targets = 1;
    let times = vec![0.0, 0.5, 1.0];
    let channel =
        Channel { node: crate::common::character::BODY, path: "weights", interpolation: "LINEAR", times, values: vec![0.0, 1.0, 0.0] };
    morphs.clips.push(Clip { name: Some("Face"), channels: vec![channel] });
    assert_eq!(morphs.codes(), [""; 0]);
}

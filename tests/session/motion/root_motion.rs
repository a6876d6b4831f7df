//! Tests root motion, staying in place and foot contacts, with generated rigs whose answers are known.

use std::f64::consts::TAU;
use std::sync::Arc;

use glam::{DVec2, DVec3};
use serde_json::json;
use sinew::animation::compiled::model::CompiledModel;
use sinew::camera::{Camera, Projection};
use sinew::colors;
use sinew::model::Model;
use sinew::render::annotations::line::Line;
use sinew::render::annotations::{PosedView, path};
use sinew::session::analyses::{self, Analyses, Subject};
use sinew::session::camera::screen::ScreenProjection;
use sinew::session::document::Document;
use sinew::session::locomotion::foot_contact::{self, Contact, ContactLimits, FootPoint, Slide};
use sinew::session::locomotion::root_cache::RootCache;
use sinew::session::locomotion::{Locomotion, LocomotionRig, root_motion};
use sinew::session::motion::request::{Clock, MotionRequest};
use sinew::session::motion::sampled::SampledMotion;
use sinew::session::pose::in_place::{RootStatus, Roots};
use sinew::session::pose::solve::Posed;
use sinew::session::pose::{self, Body, Rig};
use sinew::session::time::moment::Moment;
use sinew::session::view::layers::Layer;
use sinew::session::view::{Repeat, View};

use crate::common::gltf_builder::{Gltf, hopper, motion_only, walker};
use crate::common::hand_made;
use crate::common::time_limit::within_half_a_minute;

const RATE: f64 = 30.0;

fn times(count: usize) -> Vec<f64> {
    (0..count).map(|i| i as f64 / RATE).collect()
}

/// Returns the path of one of two feet, in meters. The foot stands for half a second, then swings forward for half a second, so each stride
/// is one meter. `slip` is its speed in m/s while it stands, and `ground` the velocity of the ground in m/s.
fn stepping(phase: f64, slip: f64, ground: f64) -> Vec<DVec3> {
    let at = |time: f64| {
        let (stride, within) = ((time + phase).floor(), (time + phase).rem_euclid(1.0));
        let (z, y) = match within < 0.5 {
            true => (stride + slip * within, 0.1),
            false => (stride + slip * 0.5 + (1.0 - slip * 0.5) * (within - 0.5) * 2.0, 0.1 + 0.3 * ((within - 0.5) * TAU).sin()),
        };
        DVec3::new(0.0, y, z + ground * time)
    };
    times(121).into_iter().map(at).collect()
}

/// Returns the contacts of a foot. `paths` has one path for each joint of the foot. A joint's node index is its position in that list.
fn contacts<const N: usize>(paths: [&[DVec3]; N], drift: DVec2, sensitivity: f64) -> Vec<Contact> {
    let points: Vec<FootPoint> = paths.iter().enumerate().map(|(node, path)| FootPoint::new(node, path.to_vec())).collect();
    foot_contact::contacts(&points, &times(paths[0].len()), drift, ContactLimits::new(2.0, sensitivity), false)
}

fn drift<const N: usize>(paths: [&[DVec3]; N]) -> DVec2 {
    let points = paths.map(|path| FootPoint::new(0, path.to_vec()));
    foot_contact::ground_velocity(points.iter(), &times(paths[0].len()), ContactLimits::new(2.0, 0.5))
}

/// Returns the first and the last sample of each contact, over all its parts.
fn spans(contacts: &[Contact]) -> Vec<(usize, usize)> {
    contacts.iter().map(|contact| contact.parts.as_slice()).map(|parts| (parts[0].first, parts[parts.len() - 1].last)).collect()
}

#[test]
fn a_foot_that_stands_touches_the_ground_and_does_not_slide() {
    let foot = stepping(0.0, 0.0, 0.0);
    let found = contacts([&foot], DVec2::ZERO, 0.5);
    // At 30 frames per second each contact lasts half a second. The first frame of a swing is already too fast.
    assert_eq!(spans(&found)[..4], [(0, 15), (30, 45), (60, 75), (90, 105)]);
    assert!(found.iter().all(|contact| contact.slide < 1e-12));
}

#[test]
fn the_slide_of_a_contact_has_its_true_length() {
    let foot = stepping(0.0, 0.2, 0.0);
    let found = contacts([&foot], DVec2::ZERO, 0.5);
    assert!(found.len() >= 4);
    for (Contact { slide, parts, .. }, (first, last)) in found[..4].iter().zip(spans(&found)) {
        // The foot slides at 0.2 m/s for 15 frames, which are half a second.
        assert_eq!(last - first, 15);
        assert!((slide - 0.1).abs() < 0.002, "{slide}");
        assert!((parts[0].footprint[0].distance(parts[0].footprint[1]) - slide).abs() < 1e-9);
    }
    let seen = |slide: f64| Contact { slide, parts: Vec::new(), node: 0 }.severity(2.0);
    assert_eq!([0.009, 0.011, 0.039, 0.041].map(seen), [Slide::None, Slide::Slight, Slide::Slight, Slide::Severe]);
    // With a lower sensitivity the foot does not count as standing.
    assert!(contacts([&foot], DVec2::ZERO, 0.0).is_empty());
}

#[test]
fn the_point_that_slides_least_bears_the_contact() {
    let (heel, toe) = (stepping(0.0, 0.3, 0.0), stepping(0.0, 0.1, 0.0));
    let found = contacts([&heel, &toe], DVec2::ZERO, 0.5);
    assert!(found[..4].iter().all(|contact| contact.node == 1 && (contact.slide - 0.05).abs() < 0.002));
}

#[test]
fn the_lowest_of_equally_sliding_points_bears_the_contact() {
    let ankle = stepping(0.0, 0.0, 0.0);
    let ball: Vec<DVec3> = ankle.iter().map(|place| place + DVec3::new(0.0, -0.08, 0.12)).collect();
    for (found, node) in [(contacts([&ankle, &ball], DVec2::ZERO, 0.5), 1), (contacts([&ball, &ankle], DVec2::ZERO, 0.5), 0)] {
        assert_eq!(spans(&found)[..2], [(0, 15), (30, 45)]);
        assert!(found.iter().all(|contact| contact.node == node && contact.slide < 1e-12));
        // The footprint is at the ball of the foot, not at the ankle.
        let first = found[1].parts[0];
        assert!(first.footprint.iter().all(|place| place.distance(ball[30]) < 1e-9), "{first:?}");
    }
    // A heel that rolls off the ground early does not bear the contact, although it does not slide.
    let heel: Vec<DVec3> = ankle.iter().enumerate().map(|(i, place)| place + DVec3::Y * if i % 30 > 7 { 0.3 } else { 0.0 }).collect();
    let sliding = stepping(0.0, 0.1, 0.0);
    let found = contacts([&heel, &sliding], DVec2::ZERO, 0.5);
    assert!(found[0].node == 1 && (found[0].slide - 0.05).abs() < 0.002, "{:?}", found[0]);
}

#[test]
fn the_slide_of_an_in_place_walk_is_measured_against_a_moving_ground() {
    // A walk at one meter per second, kept in place.
    let (left, right) = (stepping(0.0, 0.0, -1.0), stepping(0.5, 0.0, -1.0));
    let drift = drift([&left, &right]);
    assert!(drift.distance(DVec2::new(0.0, -1.0)) < 1e-9, "{drift}");
    let found = contacts([&left], drift, 0.5);
    assert_eq!(spans(&found)[0], (0, 15));
    assert!(found[0].slide < 1e-9);
}

/// Returns the path of a foot of a run, in meters, at `fps` samples per second for `seconds`. The foot stands for the fraction `duty` of
/// the time, planted on ground that moves back by `stride` meters meanwhile. In the swing, z is a cubic curve that begins and ends with the
/// velocity of the ground, so the foot is low when it no longer follows the ground.
fn running(phase: f64, [stride, duty, seconds]: [f64; 3], fps: f64) -> Vec<DVec3> {
    let (velocity, swing) = (-stride / (duty * seconds), (1.0 - duty) * seconds);
    let at = |sample: usize| {
        let within = (sample as f64 / fps / seconds + phase).fract();
        if within < duty {
            return DVec3::new(0.0, 0.1, stride * (0.5 - within / duty));
        }
        let u = (within - duty) / (1.0 - duty);
        let (from, to) = (2.0 * u.powi(3) - 3.0 * u.powi(2) + 1.0, 3.0 * u.powi(2) - 2.0 * u.powi(3));
        let tangents = 2.0 * u.powi(3) - 3.0 * u.powi(2) + u;
        let z = (to - from) * stride / 2.0 + tangents * swing * velocity;
        DVec3::new(0.0, 0.1 + 0.25 * (TAU / 2.0 * u).sin().powi(2), z)
    };
    (0..=(seconds * fps).round() as usize).map(at).collect()
}

#[test]
fn a_planted_foot_slides_neither_in_place_nor_with_root_motion() {
    let limits = ContactLimits::new(2.0, 0.5);
    for gait in [[0.7, 0.6, 1.0], [1.2, 0.4, 0.8], [1.2, 0.3, 0.7], [1.6, 0.4, 0.7], [1.6, 0.4, 0.6], [1.6, 0.3, 0.6]] {
        for fps in [30.0, 60.0] {
            let feet = [0.0, 0.5].map(|phase| running(phase, gait, fps));
            let times: Vec<f64> = (0..feet[0].len()).map(|sample| sample as f64 / fps).collect();
            let speed = gait[0] / (gait[1] * gait[2]);
            let travelling = feet.clone().map(|path| path.iter().zip(&times).map(|(p, t)| *p + DVec3::Z * speed * *t).collect());
            for (in_place, paths) in [(true, feet), (false, travelling)] {
                let points = paths.map(|path: Vec<DVec3>| [FootPoint::new(0, path)]);
                let ground = match in_place {
                    true => foot_contact::ground_velocity(points.iter().flatten(), &times, limits),
                    false => DVec2::ZERO,
                };
                let found = points.iter().flat_map(|points| foot_contact::contacts(points, &times, ground, limits, in_place));
                let slides: Vec<f64> = found.map(|contact| contact.slide).collect();
                // A FOOT_SLIDE is at least 0.08 m at this size. A lifting foot moves a little before it leaves the ground visibly.
                assert!(slides.len() >= 2 && slides.iter().all(|slide| *slide < 0.06), "{gait:?} {fps} {in_place}: {slides:?}");
            }
        }
    }
}

#[test]
fn a_foot_that_does_not_follow_moving_ground_slides() {
    // The ground moves by 2 m/s. The foot stays low and moves by 1.2 m/s at first and by 2.8 m/s in the end, by 2 m/s on average.
    let foot: Vec<DVec3> = times(31).iter().map(|time| DVec3::new(0.0, 0.1, -1.2 * time - 0.8 * time * time)).collect();
    let found = contacts([&foot], DVec2::new(0.0, -2.0), 0.5);
    assert_eq!(spans(&found), [(0, 30)]);
    // It moves by 0.2 m relative to the ground in each half of the second.
    assert!((found[0].slide - 0.4).abs() < 0.01, "{}", found[0].slide);
}

#[test]
fn a_foot_that_moves_fast_without_lifting_stays_in_contact() {
    // The foot stands for a second, moves by half a meter, and stands for another second. `lift` is its height between.
    let moving = |seconds: f64, lift: f64| -> Vec<DVec3> {
        let at = |time: f64| {
            let moved = ((time - 1.0) / seconds).clamp(0.0, 1.0);
            DVec3::new(0.5 * moved, 0.1 + lift * (moved * TAU / 2.0).sin(), 0.0)
        };
        times(60 + (seconds * RATE) as usize + 1).into_iter().map(at).collect()
    };
    for seconds in [2.0, 1.0, 0.5, 0.3] {
        let (flat, lifted) = (moving(seconds, 0.0), moving(seconds, 0.03));
        let last = flat.len() - 1;
        let found = contacts([&flat], DVec2::ZERO, 0.5);
        assert_eq!(spans(&found), [(0, last)], "{seconds}");
        assert!((found[0].slide - 0.5).abs() < 1e-9, "{seconds}: {}", found[0].slide);
        // A foot that is lifted takes a step, also if it rises by no more than a standing foot may. So does one that only drags its toe.
        if seconds <= 1.0 {
            for found in [contacts([&lifted], DVec2::ZERO, 0.5), contacts([&lifted, &flat], DVec2::ZERO, 0.5)] {
                assert_eq!(spans(&found), [(0, 30), (last - 30, last)], "{seconds}");
                assert!(found.iter().all(|contact| contact.slide < 1e-9));
            }
        }
    }
    // The foot moves across the seam of a loop, and takes a step back in the middle.
    let (there, back) = (moving(0.4, 0.0), moving(0.4, 0.3));
    let path: Vec<DVec3> = there[36..].iter().chain(back.iter().rev()).chain(&there[..=36]).copied().collect();
    let times = times(path.len());
    let found = foot_contact::contacts(&[FootPoint::new(0, path)], &times, DVec2::ZERO, ContactLimits::new(2.0, 0.5), true);
    assert!(found.len() == 1 && found[0].parts.len() == 2 && (found[0].slide - 0.5).abs() < 1e-9, "{found:?}");
}

#[test]
fn short_or_interrupted_contacts_are_dropped() {
    let blink: Vec<DVec3> = (0..60).map(|i| DVec3::new(0.0, if i % 20 == 0 { 0.0 } else { 1.0 }, i as f64)).collect();
    assert!(contacts([&blink], DVec2::ZERO, 0.5).is_empty());
    let broken = vec![DVec3::NAN; 60];
    assert!(contacts([&broken], DVec2::ZERO, 0.5).is_empty());
    assert_eq!(drift([&broken]), DVec2::ZERO);
    assert!(contacts([&[]], DVec2::ZERO, 0.5).is_empty());
    assert!(contacts([&[DVec3::ZERO]], DVec2::ZERO, 0.5).is_empty());
}

#[test]
fn contacts_continue_across_the_loop_seam() {
    // Two strides in two seconds. The foot stands from a quarter of a second before the seam to a quarter after it.
    let at = |slip: f64| stepping(0.25, slip, 0.0)[..61].to_vec();
    let times = times(61);
    let found = |loops: bool, slip: f64| {
        foot_contact::contacts(&[FootPoint::new(7, at(slip))], &times, DVec2::ZERO, ContactLimits::new(2.0, 0.5), loops)
    };
    let (apart, joined) = (found(false, 0.2), found(true, 0.2));
    // Each end has 7.5 frames of contact, of which seven are whole.
    assert_eq!(spans(&apart), [(0, 7), (23, 37), (53, 60)]);
    let parts: Vec<Vec<_>> = joined.iter().map(|contact| contact.parts.iter().map(|part| (part.first, part.last)).collect()).collect();
    assert_eq!(parts, [vec![(23, 37)], vec![(53, 60), (0, 7)]]);
    let [beginning, end] = [&apart[0], &apart[2]].map(|contact| contact.slide);
    assert!((joined[1].slide - beginning - end).abs() < 1e-12 && (joined[1].slide - 0.2 * 14.0 / RATE).abs() < 1e-6);
    assert!((joined[1].seconds(&times) - 14.0 / RATE).abs() < 1e-9);
    assert_eq!([joined[1].parts[0].footprint, joined[1].parts[1].footprint], [apart[2].parts[0].footprint, apart[0].parts[0].footprint]);
    // Near the seam too, a lift of one sample does not interrupt a contact, and a lift of two samples does.
    for (lifted, goes_on) in [(&[60][..], true), (&[0], true), (&[59, 60], false), (&[0, 60], false)] {
        let mut path = at(0.2);
        lifted.iter().for_each(|&moment| path[moment].y += 0.5);
        let found = foot_contact::contacts(&[FootPoint::new(7, path)], &times, DVec2::ZERO, ContactLimits::new(2.0, 0.5), true);
        assert_eq!(found.len(), if goes_on { 2 } else { 3 }, "{lifted:?}");
        if goes_on {
            assert_eq!(spans(&found[1..]), [(53, 7)], "from the end to the beginning");
            assert!((found[1].slide - 0.2 * 14.0 / RATE).abs() < 1e-6);
        }
    }
    // A contact that lasts the whole loop is not joined with itself.
    let still = vec![DVec3::ZERO; 61];
    let found = foot_contact::contacts(&[FootPoint::new(0, still)], &times, DVec2::ZERO, ContactLimits::new(2.0, 0.5), true);
    assert_eq!(spans(&found), [(0, 60)]);
    assert_eq!(found[0].parts.len(), 1);
}

#[test]
fn contacts_are_joined_if_the_animation_is_closed_and_loops_as_a_whole() {
    let model = hopper(0.0);
    let parts = |view: &View| locomotion(&model, view).contacts(view)[0].iter().map(|contact| contact.parts.len()).collect::<Vec<_>>();
    assert_eq!(parts(&walking()), [2]);
    let once = View { repeat: Repeat::Once, ..walking() };
    let range = View { range: Some([0.0, 1.5]), ..walking() };
    let list = View { playlist: vec![0, 0], ..walking() };
    for other in [once, range, list] {
        assert_eq!(parts(&other), [1, 1]);
    }
    assert_eq!(parts(&View { range: Some([0.0, 2.0]), ..walking() }), [2]);
    // Contacts are not joined if the foot ends at a different position than it began.
    let open = hopper(0.1);
    assert_eq!(locomotion(&open, &walking()).contacts(&walking())[0].len(), 2);
}

#[test]
fn the_topmost_moving_node_is_the_root() {
    let path = |meters: f64| (0..10).map(|i| DVec3::new(meters * f64::from(i) / 9.0, 1.0, 0.0)).collect::<Vec<_>>();
    let (still, sways, goes) = (path(0.0), path(0.2), path(3.0));
    assert_eq!(root_motion::first_traveling(&[&still, &sways, &goes, &goes], 2.0), Some(2));
    assert_eq!(root_motion::first_traveling(&[&still, &sways], 2.0), None);
    // Travel there and back counts. Upward motion does not.
    let around: Vec<_> = (0..=32).map(|i| f64::from(i) / 32.0 * TAU).map(|a| DVec3::new(a.cos(), 0.0, a.sin())).collect();
    assert_eq!(root_motion::first_traveling(&[&around], 2.0), Some(0));
    let jump: Vec<_> = (0..10).map(|i| DVec3::Y * f64::from(i)).collect();
    assert_eq!(root_motion::first_traveling(&[&jump], 2.0), None);
    assert_eq!(root_motion::first_traveling(&[], 2.0), None);
    assert_eq!(root_motion::first_traveling(&[&[]], 2.0), None);
}

#[test]
fn a_file_of_motion_only_has_a_root() {
    let document = Document::new(Arc::new(motion_only().model()), "motion".into(), None);
    let view = View { animation: Some(0), ..View::default() };
    let root = root_motion::find(document.rig(), &view).expect("a root");
    assert_eq!(document.model.nodes[root.node].name.as_deref(), Some("Hips"));
    // The camera beside the skeleton is not part of the body.
    assert_eq!(root_motion::body_nodes(&document.model, &view), [true, true, true, false]);
}

#[test]
fn the_length_and_speeds_of_a_root_path_ignore_height() {
    // Three meters along x in one second, then four along z in two. Height is ignored.
    let path = [DVec3::ZERO, DVec3::new(3.0, 5.0, 0.0), DVec3::new(3.0, 0.0, 2.0), DVec3::new(3.0, 1.0, 4.0)];
    let travel = root_motion::travel(&path, |i| i as f64);
    assert_eq!((travel.distance, travel.length), (5.0, 7.0));
    assert!((travel.mean - 7.0 / 3.0).abs() < 1e-12);
    // At the ends there is only one step to measure.
    assert_eq!(travel.top, 3.0);
    assert_eq!(root_motion::travel(&[], |i| i as f64), root_motion::Travel::default());
}

fn node(model: &Model, name: &str) -> usize {
    model.nodes.iter().position(|node| node.name.as_deref() == Some(name)).unwrap()
}

fn posed(model: &Model, view: &View, moment: impl Into<Moment>) -> Posed {
    let mut posed = Posed::new(model);
    keep(model, view, moment, &mut posed);
    posed
}

/// Poses the model. If it stays in place, its roots are searched for first.
fn keep(model: &Model, view: &View, moment: impl Into<Moment>, posed: &mut Posed) {
    let (moment, compiled, roots) = (moment.into(), posed.compiled.clone(), RootCache::default());
    let root = |animation| roots.get_or_find(Rig { model, compiled: &compiled }, view, animation);
    let roots = analyses::roots(view, &moment, root);
    pose::pose(model, view, moment, roots, posed);
}

fn walking() -> View {
    View { animation: Some(0), ..View::default() }
}

fn locomotion(model: &Model, view: &View) -> Locomotion {
    let compiled = Arc::new(CompiledModel::new(model));
    let rig = Rig { model, compiled: &compiled };
    let (parts, view) = (LocomotionRig::new(rig, view), View { in_place: false, ..view.clone() });
    let request = MotionRequest::new(model, &view, &parts.nodes(), RATE, Clock::default());
    Locomotion::new(rig, &view, &parts, &SampledMotion::sample(rig, &request, RootStatus::None, || true).unwrap())
}

#[test]
fn root_motion_of_the_hips_includes_the_armatures_feet() {
    let model = walker();
    let found = locomotion(&model, &walking());
    let root = found.root.as_ref().unwrap();
    assert_eq!((root.node, root.subtree.index()), (node(&model, "Hips"), node(&model, "Armature")));
    assert!(root.start.distance(DVec3::Y) < 1e-6);
    assert!(
        (found.travel.distance - 1.5).abs() < 1e-6 && (found.travel.mean - 0.75).abs() < 1e-6 && (found.travel.top - 0.75).abs() < 1e-5
    );
    assert!(found.speeds.iter().all(|speed| (speed - 0.75).abs() < 1e-5));
    let feet: Vec<_> = found.feet.iter().map(|foot| foot.node).collect();
    assert_eq!(feet, [node(&model, "Foot L"), node(&model, "Foot R")]);
    let standing = found.contacts(&walking());
    assert_eq!(standing.iter().map(|foot| spans(foot)).collect::<Vec<_>>(), [vec![(0, 30)], vec![(30, 60)]]);
    assert!(standing.iter().flatten().all(|contact| contact.slide < 1e-6));
    assert_eq!(found.ground_velocity, DVec2::ZERO);
}

#[test]
fn swaying_nodes_are_not_root_motion() {
    let model = walker();
    let view = View { animation: Some(1), in_place: true, ..View::default() };
    assert_eq!(locomotion(&model, &view).root, None);
    for time in [0.0, 0.7, 2.0] {
        let (kept, free) = (posed(&model, &view, time), posed(&model, &View { in_place: false, ..view.clone() }, time));
        assert_eq!((kept.globals, kept.palette, kept.anchor), (free.globals, free.palette, free.anchor));
    }
}

#[test]
fn in_place_removes_only_horizontal_travel() {
    let model = walker();
    let in_place = View { in_place: true, ..walking() };
    let mut kept = Posed::new(&model);
    for time in [0.0, 0.3, 1.0, 1.9, 2.0, 0.6] {
        keep(&model, &in_place, time, &mut kept);
        let free = posed(&model, &walking(), time);
        let travelled = DVec3::Z * 0.75 * time;
        for (i, at) in model.nodes.iter().enumerate() {
            let moved = if at.name.as_deref() == Some("Stage") { DVec3::ZERO } else { travelled };
            let expected = free.globals[i].translation - moved;
            assert!(kept.globals[i].translation.distance(expected) < 1e-6, "{:?} at {time}", at.name);
            assert_eq!(kept.globals[i].matrix3, free.globals[i].matrix3);
        }
        assert_eq!(kept.pose, free.pose);
        assert!((kept.globals[node(&model, "Hips")].translation.y - free.globals[node(&model, "Hips")].translation.y).abs() < 1e-12);
        // The palette matches the transforms, wherever the anchor is.
        for (drawn, said) in kept.palette.iter().zip(&kept.joint_transforms) {
            let origin = drawn.transform_point(glam::Vec3::ZERO).as_dvec3() + kept.anchor;
            assert!(origin.distance(said.translation) < 2e-6, "{origin} {said}");
        }
    }
    // Without staying in place, the pose equals a pose in new buffers.
    keep(&model, &walking(), 0.6, &mut kept);
    let free = posed(&model, &walking(), 0.6);
    assert_eq!((kept.palette, kept.globals, kept.anchor), (free.palette, free.globals, free.anchor));
}

#[test]
fn a_layer_that_plays_once_and_later_stays_in_place() {
    let model = walker();
    let layers = vec![Layer { repeat: Repeat::Once, offset: -3.0, ..Layer::default() }];
    let view = View { layers, ..View::default() };
    for (clock, travelled) in [(0.0, 0.0), (4.0, 0.75), (5.0, 1.5)] {
        let moment = Moment { clock, ..Moment::from(0.0) };
        let z = |view: &View| posed(&model, view, moment).globals[node(&model, "Hips")].translation.z;
        assert!((z(&view) - travelled).abs() < 1e-6, "{clock}");
        assert!(z(&View { in_place: true, ..view.clone() }).abs() < 1e-6, "{clock}");
    }
}

#[test]
fn in_place_keeps_precision_far_from_the_origin() {
    // The node travels 200 km. The palette stays within 2 m of the anchor, so f32 is precise enough.
    let mut gltf = Gltf::new();
    let output = gltf.floats("VEC3", &[0.0, 1.0, 0.0, 200_000.0, 1.0, 0.0]);
    let indices = gltf.u16s("SCALAR", &[0, 1, 2]);
    let positions = gltf.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    gltf.json["accessors"][positions]["min"] = json!([0, 0, 0]);
    gltf.json["accessors"][positions]["max"] = json!([1, 1, 0]);
    let node = gltf.mesh_node(json!({ "attributes": { "POSITION": positions }, "indices": indices }));
    gltf.animation(&[(node, "translation", "LINEAR", &[0.0, 1000.0], output)]);
    let model = gltf.model();
    let kept = posed(&model, &View { in_place: true, ..walking() }, 777.7);
    assert!(kept.globals[0].translation.distance(DVec3::Y) < 1e-9);
    assert!((kept.anchor + kept.palette[0].transform_point(glam::Vec3::ZERO).as_dvec3()).distance(DVec3::Y) < 1e-6);
    assert!(kept.palette[0].rows.iter().all(|row| row.w.abs() < 2.0));
}

#[test]
fn a_fade_stays_in_place() {
    use sinew::animation::playback::Playhead;
    use sinew::session::time::moment::{Fade, FadeSource};
    let model = walker();
    let hips = node(&model, "Hips");
    let head = Playhead { time: 1.5, returning: false, playing: true };
    let view = View { animation: Some(1), in_place: true, ..View::default() };
    for elapsed in [0.0, 0.1, 0.3] {
        let from = FadeSource { animation: Some(0), head, range: [0.0, 2.0], share: 1.0 };
        let fade = Some(Fade { elapsed, ..Fade::new(from, None, 0.4) });
        let place = posed(&model, &view, Moment { fade, ..Moment::from(0.0) }).globals[hips].translation;
        assert!(place.x.hypot(place.z) < 1e-6, "{place} at {elapsed}");
    }
}

#[test]
fn a_fade_between_animations_with_different_roots_stays_in_place() {
    use sinew::animation::playback::Playhead;
    use sinew::session::time::moment::{Fade, FadeSource};
    // In the first animation, the armature travels 3 m along x. In the second, the hips travel 4 m along z. In the third, nothing moves,
    // and the hips are half a meter to the side.
    let mut gltf = Gltf::new();
    gltf.push("nodes", json!({ "name": "Armature", "children": [1] }));
    gltf.push("nodes", json!({ "name": "Hips", "children": [2], "translation": [0, 1, 0] }));
    gltf.push("nodes", json!({ "name": "Head", "translation": [0, 1, 0] }));
    gltf.push("skins", json!({ "joints": [1, 2] }));
    let ways: [(usize, [f32; 6]); 3] =
        [(0, [0.0, 0.0, 0.0, 3.0, 0.0, 0.0]), (1, [0.0, 1.0, 0.0, 0.0, 1.0, 4.0]), (1, [0.5, 1.0, 0.0, 0.5, 1.0, 0.0])];
    for (node, way) in ways {
        let output = gltf.floats("VEC3", &way);
        gltf.animation(&[(node, "translation", "LINEAR", &[0.0, 1.0], output)]);
    }
    let model = gltf.model();
    let place = |now: usize, before: usize, elapsed: f64| {
        let head = Playhead { time: 1.0, returning: false, playing: true };
        let from = FadeSource { animation: Some(before), head, range: [0.0, 1.0], share: 1.0 };
        let fade = Some(Fade { elapsed, ..Fade::new(from, None, 0.4) });
        let view = View { animation: Some(now), in_place: true, ..View::default() };
        posed(&model, &view, Moment { fade, ..Moment::from(0.5) }).globals[1].translation
    };
    for (elapsed, weight) in [(0.0, 0.0), (0.1, 0.25), (0.2, 0.5), (0.3, 0.75), (0.4, 1.0)] {
        for (now, before) in [(0, 1), (1, 0)] {
            assert!(place(now, before, elapsed).distance(DVec3::Y) < 1e-6, "{} at {elapsed}", place(now, before, elapsed));
        }
        // The model moves evenly to the pose at the side.
        assert!(place(2, 0, elapsed).distance(DVec3::new(0.5 * weight, 1.0, 0.0)) < 1e-6, "{}", place(2, 0, elapsed));
    }
}

#[test]
fn a_root_is_found_once_for_body_ghosts_and_crowd() {
    use sinew::session::pose::crowd::{self, Crowd};
    use sinew::session::pose::onion_skin::GhostPoses;
    let mut view = walking();
    view.display.ghosts.shown = true;
    view.display.crowd = 2;
    let document = Document::new(Arc::new(walker()), "walker".into(), None);
    let analyses = Analyses::new(&document, &view);
    view.in_place = true;
    let hips = node(&document.model, "Hips");
    let (mut posed, mut crowd) = (document.rig().posed(), Crowd::default());
    // Returns the distances of the body, the ghosts and a crowd member from the origin, along z.
    let mut all = |view: &View| {
        let (model, moment) = (&*document.model, Moment::from(1.0));
        let roots = analyses.known_roots(view, &moment);
        pose::pose(model, view, moment, roots, &mut posed);
        let body = Body { model, view, moment, roots, posed: &posed };
        let mut ghosts = GhostPoses::default();
        ghosts.pose(&body, document.rate(view).fps);
        crowd.pose(&body, &analyses.bounds);
        let member = crowd.palettes()[model.palette_len].transform_point(glam::Vec3::ZERO).as_dvec3();
        let member = (member + posed.anchor - crowd::position(1, crowd::spacing(&analyses.bounds))).z;
        let ghosts = ghosts.iter().map(|ghost| ghost.posed.globals[hips].translation.z.abs()).fold(0.0, f64::max);
        [posed.globals[hips].translation.z, ghosts, member]
    };
    // Nothing has searched for the root yet, so the body travels.
    assert!(all(&view).iter().all(|z| z.abs() > 0.1));
    // A picture needs the root and searches for it. From then on all of them stay in place.
    let picture = Subject { document: &document, analyses: &analyses.clone(), view: &view }.posed(1.0);
    assert!(picture.globals[hips].translation.z.abs() < 1e-6);
    assert!(all(&view).iter().all(|z| z.abs() < 1e-5), "{:?}", all(&view));
    // Another scene has another root, which has not been found yet.
    assert!(all(&View { scene: Some(0), ..view }).iter().all(|z| z.abs() > 0.1));
}

#[test]
fn a_pose_does_not_depend_on_earlier_poses() {
    let bits = |posed: &Posed| -> Vec<u64> {
        let matrices = posed.globals.iter().chain(&posed.joint_transforms).flat_map(glam::DAffine3::to_cols_array);
        let palette = posed.palette.iter().flat_map(|matrix| matrix.rows).flat_map(|row| row.to_array());
        matrices.chain(posed.anchor.to_array()).map(f64::to_bits).chain(palette.map(|value| value.to_bits().into())).collect()
    };
    let document = Document::new(Arc::new(walker()), "walker".into(), None);
    let (in_place, free) = (View { in_place: true, ..walking() }, walking());
    let analyses = Analyses::new(&document, &free);
    for view in [&in_place, &free] {
        let subject = Subject { document: &document, analyses: &analyses, view };
        // The first pose fills the caches; the next ones use them.
        let first = bits(&subject.posed(1.3));
        assert_eq!(bits(&subject.posed(1.3)), first);
        assert_eq!(bits(&subject.posed_with_known_roots(1.3)), first);
        let moment = Moment::from(1.3);
        let roots = analyses.find_roots(&document, view, &moment);
        // Reuse buffers in which other views were posed.
        let mut used = document.rig().posed();
        for other in [&in_place, &free, &View { animation: Some(1), in_place: true, ..View::default() }] {
            pose::pose(&document.model, other, 0.4, analyses.find_roots(&document, other, &moment), &mut used);
            pose::pose(&document.model, view, moment, roots, &mut used);
            assert_eq!(bits(&used), first);
        }
        let elsewhere = || std::thread::scope(|scope| scope.spawn(|| bits(&subject.posed(1.3))).join().unwrap());
        assert_eq!([elsewhere(), elsewhere()], [first.clone(), first]);
    }
}

#[test]
fn a_following_camera_moves_with_its_target() {
    use sinew::camera::Orbit;
    use sinew::session::camera::orbit_controls;
    use sinew::session::camera::view_camera;
    use sinew::session::view::ViewCamera;
    let model = Arc::new(walker());
    let hips = node(&model, "Hips");
    let mut view = View { camera: ViewCamera::Orbit(Orbit::default()), ..walking() };
    let document = Document::new(model.clone(), "walker".into(), None);
    let analyses = Analyses::new(&document, &view);
    let eye = |view: &View, time: f64| {
        let posed = posed(&model, view, time);
        (
            view_camera::camera(Subject { document: &document, analyses: &analyses, view }, &posed, 1.5).eye(),
            posed.globals[hips].translation,
        )
    };
    let (before, _) = eye(&view, 1.0);
    let subject = Subject { document: &document, analyses: &analyses, view: &view };
    (view.camera, view.follow) = orbit_controls::follow(subject, &posed(&model, &walking(), 1.0), 1.5, Some(model.nodes[hips].source));
    // The followed node keeps its position and size in the picture.
    let (at_one, place) = eye(&view, 1.0);
    assert!(at_one.distance(before) < 1e-9);
    let (later, moved) = eye(&view, 2.0);
    assert!((later - at_one).distance(moved - place) < 1e-9 && moved.distance(place) > 0.7);
    // The camera also stays where it is when it stops following.
    let subject = Subject { document: &document, analyses: &analyses, view: &view };
    (view.camera, view.follow) = orbit_controls::follow(subject, &posed(&model, &walking(), 2.0), 1.5, None);
    assert!(eye(&view, 2.0).0.distance(later) < 1e-9 && eye(&view, 0.0).0.distance(later) < 1e-9);
    // A node that does not exist is not followed.
    let lost = View { follow: Some(99), ..view.clone() };
    assert_eq!(eye(&lost, 1.0).0, eye(&view, 1.0).0);
}

#[test]
fn locomotion_is_computed_once_for_equal_requests() {
    let view = View { in_place: true, ..walking() };
    let document = Document::new(Arc::new(walker()), "walker".into(), None);
    let analyses = Analyses::new(&document, &view);
    let moment = Moment::from(0.0);
    assert!(analyses.request_locomotion(&document, &view, &moment).is_none());
    assert_eq!(analyses.motions.take_requests().len(), 1);
    let locomotion = analyses.compute_locomotion(&document, &view, &moment).unwrap();
    // Neither the time nor staying in place nor the display requires another computation.
    let mut other = View { in_place: false, selection: vec![1], ..view.clone() };
    other.display.ground_path = true;
    assert!(Arc::ptr_eq(&locomotion, &analyses.request_locomotion(&document, &other, &Moment::from(1.0)).unwrap()));
    let standing = analyses.locomotion.contacts(&locomotion, &view);
    assert!(Arc::ptr_eq(&standing, &analyses.locomotion.contacts(&locomotion, &view)));
    let mut sensitive = view.clone();
    sensitive.display.contact_sensitivity = 0.6;
    let more = analyses.locomotion.contacts(&locomotion, &sensitive);
    assert!(!Arc::ptr_eq(&standing, &more));
    // Two different requests in turn do not evict each other.
    assert!(Arc::ptr_eq(&standing, &analyses.locomotion.contacts(&locomotion, &view)));
    assert!(Arc::ptr_eq(&more, &analyses.locomotion.contacts(&locomotion, &sensitive)));
    assert!((locomotion.speed(0.7).unwrap() - 0.75).abs() < 1e-5 && locomotion.speed(9.0).is_some());
    let swaying = View { animation: Some(1), ..View::default() };
    let swayed = analyses.compute_locomotion(&document, &swaying, &moment).unwrap();
    assert_eq!(swayed.speed(0.5), None);
    // Computing the locomotion of another animation for a clip does not evict the window's result.
    assert!(Arc::ptr_eq(&locomotion, &analyses.request_locomotion(&document, &view, &moment).unwrap()));
    assert!(Arc::ptr_eq(&swayed, &analyses.compute_locomotion(&document, &swaying, &moment).unwrap()));
}

#[test]
fn sampling_a_motion_in_place_also_finds_the_root() {
    let document = Document::new(Arc::new(walker()), "walker".into(), None);
    let analyses = Analyses::new(&document, &walking());
    let view = View { in_place: true, ..walking() };
    let known = || analyses.roots.get(&view, view.animation);
    assert_eq!(known(), RootStatus::Pending);
    let request = MotionRequest::new(&document.model, &view, &[0], RATE, Clock::default());
    analyses.sample_motion(&document, &request).unwrap();
    assert!(known().root().is_some());
}

#[test]
fn the_bind_pose_does_not_keep_the_root_from_being_found_later() {
    let document = Document::new(Arc::new(walker()), "walker".into(), None);
    let bound = View { in_place: true, bind_pose: true, ..walking() };
    let analyses = Analyses::new(&document, &bound);
    let request = MotionRequest::new(&document.model, &bound, &[0], RATE, Clock::default());
    assert_eq!(analyses.find_root(&document, &request), RootStatus::None, "the bind pose is not moved");
    assert!(analyses.roots.get_or_find(document.rig(), &bound, Some(0)).root().is_some(), "the root belongs to the animation");
}

#[test]
fn sampling_a_motion_computes_the_pending_locomotion() {
    let view = View { in_place: true, ..walking() };
    let document = Document::new(Arc::new(walker()), "walker".into(), None);
    let analyses = Analyses::new(&document, &view);
    assert!(analyses.request_locomotion(&document, &view, &Moment::from(0.0)).is_none());
    let wanted = analyses.motions.take_requests();
    let motion = SampledMotion::sample(document.rig(), &wanted[0], RootStatus::None, || true).unwrap();
    analyses.locomotion.compute(document.rig(), &motion);
    // The result is available before the motion itself is handed over.
    let found = analyses.request_locomotion(&document, &view, &Moment::from(0.0)).unwrap();
    assert!((found.speed(0.7).unwrap() - 0.75).abs() < 1e-5);
    assert_eq!(*analyses.locomotion.contacts(&found, &view), found.contacts(&view));
    analyses.locomotion.compute(document.rig(), &motion);
    assert!(Arc::ptr_eq(&found, &analyses.request_locomotion(&document, &view, &Moment::from(0.0)).unwrap()), "computed only once");
}

/// Looks straight down. One meter is `points` points.
fn from_above(points: f64) -> ScreenProjection {
    let projection = Projection::Orthographic { ymag: 100.0 / points, xmag: None, depth: 100.0 };
    ScreenProjection { camera: Camera::look_at(DVec3::Y * 50.0, DVec3::ZERO, DVec3::NEG_Z, projection, 0.0), size: DVec2::splat(200.0) }
}

#[test]
fn path_arrows_have_a_constant_size_and_shrink_on_short_paths() {
    let model = Arc::new(walker());
    let mut view = walking();
    view.display.ground_path = true;
    let document = Document::new(model.clone(), "walker".into(), None);
    let analyses = Analyses::new(&document, &view);
    let locomotion = analyses.compute_locomotion(&document, &view, &1.0.into()).unwrap();
    let posed = posed(&model, &view, 1.0);
    // `wanted` is how far the barbs of the arrow reach back from its tip, in points. The tip is at 1.5 m along z.
    for (points, wanted) in [(10.0, 6.0), (100.0, 14.0), (1000.0, 14.0)] {
        let seen = PosedView {
            document: &document,
            analyses: &analyses,
            view: &view,
            posed: &posed,
            moment: 1.0.into(),
            theme: &colors::DARK,
            projection: from_above(points),
        };
        let barbs: Vec<_> = path::lines(&seen, &locomotion).into_iter().filter(|line| line.end.x.abs() > 1e-9).collect();
        assert_eq!(barbs.len(), 4, "two barbs and their halos");
        for barb in barbs {
            assert!(((1.5 - barb.end.z) * points - wanted).abs() < 1e-3, "{points}: {}", barb.end.z);
        }
    }
}

#[test]
fn the_root_path_is_on_the_ground_and_stays_under_an_in_place_model() {
    let model = Arc::new(walker());
    let mut view = walking();
    view.display.ground_path = true;
    let projection = from_above(100.0);
    let document = Document::new(model.clone(), "walker".into(), None);
    let analyses = Analyses::new(&document, &view);
    let lines = |view: &View, time: f64| -> Vec<Line> {
        let locomotion = analyses.compute_locomotion(&document, view, &time.into()).unwrap();
        let posed = posed(&model, view, time);
        path::lines(
            &PosedView {
                document: &document,
                analyses: &analyses,
                view,
                posed: &posed,
                moment: time.into(),
                theme: &colors::DARK,
                projection,
            },
            &locomotion,
        )
    };
    // The two ends of the path along z, without the barbs of the arrow, and the position of the hips.
    let along = |lines: &[Line]| {
        let ends = lines.iter().flat_map(|line| [line.start, line.end]).filter(|place| place.x.abs() < 1e-9).map(|place| place.z);
        let now = lines.last().map(|line| line.start.z).unwrap();
        [ends.clone().fold(f64::INFINITY, f64::min), now, ends.fold(f64::NEG_INFINITY, f64::max)]
    };
    let is = |found: [f64; 3], wanted: [f64; 3]| found.iter().zip(wanted).all(|(found, wanted)| (found - wanted).abs() < 1e-6);
    assert!(is(along(&lines(&view, 1.0)), [0.0, 0.75, 1.5]));
    let heights: Vec<f64> = lines(&view, 1.0).iter().map(|line| line.start.y).collect();
    assert!(heights.iter().all(|height| (height - heights[0]).abs() < 1e-12 && (0.0..0.01).contains(height)));
    view.in_place = true;
    assert!(is(along(&lines(&view, 1.0)), [-0.75, 0.0, 0.75]) && is(along(&lines(&view, 2.0)), [-1.5, 0.0, 0.0]));
    view.display.ground_path = false;
    assert!(lines(&view, 1.0).is_empty());
    // There is one footprint for each contact. The footprint of a foot that does not slide is a dot.
    view.display.contacts = true;
    view.in_place = false;
    let prints: Vec<_> = lines(&view, 1.0).iter().map(|line| (line.start, line.end)).collect();
    assert_eq!(prints.len(), 2);
    assert!(prints[0].0.distance(prints[0].1) < 1e-6 && (prints[0].0.x - 0.1).abs() < 1e-6 && prints[0].0.z.abs() < 1e-6);
    assert!((prints[1].0.x + 0.1).abs() < 1e-6 && (prints[1].0.z - 1.5).abs() < 1e-6);
}

#[test]
fn root_motion_settings_survive_undo_reload_and_old_views() {
    use sinew::session::file::remap;
    use sinew::session::view::undo::Undo;
    let mut view = View::default();
    let mut undo = Undo::new(&view);
    view.in_place = true;
    view.follow = Some(3);
    undo.settle(&view);
    assert_eq!(undo.next_undo(), Some("in place"));
    undo.undo(&mut view);
    assert_eq!((view.in_place, view.follow), (false, Some(3)), "the camera is not an undo step");
    let model = walker();
    assert_eq!(remap::remap_view(view.clone(), &model, &model).follow, Some(3));
    assert_eq!(remap::drop_missing(View { follow: Some(99), ..view }, &model).follow, None);
    let old: View = serde_json::from_str(r#"{"display": {"grid": false}}"#).unwrap();
    assert_eq!((old.in_place, old.follow, old.display.contact_sensitivity), (false, None, 0.5));
}

#[test]
fn falling_over_is_not_root_motion() {
    let mut gltf = Gltf::new();
    gltf.push("nodes", serde_json::json!({ "name": "Hips", "children": [1] }));
    gltf.push("nodes", serde_json::json!({ "name": "Chest", "children": [2, 3], "translation": [0, 1, 0] }));
    gltf.push("nodes", serde_json::json!({ "name": "Head", "translation": [0, 1, 0] }));
    gltf.push("nodes", serde_json::json!({ "name": "Hand", "translation": [1, 0, 0] }));
    gltf.push("skins", serde_json::json!({ "joints": [0, 1, 2, 3] }));
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let output = gltf.floats("VEC4", &[0.0, 0.0, 0.0, 1.0, half, 0.0, 0.0, half]);
    gltf.animation(&[(0, "rotation", "LINEAR", &[0.0, 1.0], output)]);
    assert_eq!(locomotion(&gltf.model(), &walking()).root, None);
}

#[test]
fn staying_in_place_does_not_move_the_bind_pose_and_keeps_the_root() {
    let model = walker();
    let view = View { in_place: true, ..walking() };
    let mut kept = Posed::new(&model);
    keep(&model, &View { bind_pose: true, ..view.clone() }, 1.0, &mut kept);
    let free = posed(&model, &View { bind_pose: true, ..walking() }, 1.0);
    assert_eq!((&kept.globals, &kept.palette), (&free.globals, &free.palette));
    keep(&model, &view, 1.0, &mut kept);
    assert!(kept.globals[node(&model, "Hips")].translation.z.abs() < 1e-6);
    let locomotion = locomotion(&model, &view);
    assert!(locomotion.root.is_some());
}

#[test]
fn a_crowd_stays_in_place_too() {
    use sinew::session::pose::crowd;
    use sinew::session::pose::crowd::Crowd;
    let model = Arc::new(walker());
    let mut view = View { in_place: true, ..walking() };
    view.display.crowd = 3;
    let document = Document::new(model.clone(), "walker".into(), None);
    let analyses = Analyses::new(&document, &view);
    let first = posed(&model, &view, 1.3);
    let mut crowd = Crowd::default();
    let rig = document.rig();
    let roots = Roots::new(RootCache::default().get_or_find(rig, &view, view.animation));
    crowd.pose(&Body { model: &model, view: &view, moment: 1.3.into(), roots, posed: &first }, &analyses.bounds);
    let spacing = crowd::spacing(&analyses.bounds);
    for (member, palette) in crowd.palettes().chunks(first.palette.len()).enumerate() {
        // The hips are the first joint, and they are bound at their rest position.
        let hips = palette[0].transform_point(glam::Vec3::ZERO).as_dvec3() + first.anchor - crowd::position(member, spacing);
        assert!(hips.x.hypot(hips.z) < 1e-5, "{hips} of member {member}");
    }
}

#[test]
fn root_candidates_of_a_deep_chain_are_its_upper_half() {
    const COUNT: usize = 1_500_000;
    let nodes: Vec<_> = (0..COUNT).map(|i| (String::new(), i.checked_sub(1))).collect();
    let mut model = hand_made::tree(&nodes);
    hand_made::add_skin(&mut model, &(0..COUNT).collect::<Vec<_>>());
    // Walking the chain below each node takes minutes.
    let candidates = within_half_a_minute(move || root_motion::root_candidates(&model, &View::default()));
    assert!(candidates.into_iter().eq(0..COUNT / 2), "all nodes with more than half of the chain below them");
}

//! Tests crowds: the positions and times of their members, the largest number of members, and that the camera shows all of them.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use glam::{DVec3, Vec4Swizzles};
use sinew::animation::hierarchy::deform;
use sinew::asset;
use sinew::camera::bounds::Bounds;
use sinew::model::Model;
use sinew::model::animation::Animation;
use sinew::session::analyses::{Analyses, Subject};
use sinew::session::camera::view_camera;
use sinew::session::document::Document;
use sinew::session::pose::Body;
use sinew::session::pose::crowd::{self, Crowd, Phases};
use sinew::session::pose::in_place::Roots;
use sinew::session::pose::solve::{self, Posed};
use sinew::session::time::moment::Moment;
use sinew::session::view::display::Display;
use sinew::session::view::layers::{Layer, Mode};
use sinew::session::view::{Repeat, View};

/// Member `m` plays the fraction of `m * GOLDEN_RATIO` ahead of the first one.
const GOLDEN_RATIO: f64 = 0.618_033_988_749_894_9;

fn sample() -> Arc<Model> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/sample/sample.glb");
    Arc::new(asset::load(&path, &asset::LoadOptions::default()).expect("the sample model").model)
}

fn view_of(count: u32) -> View {
    View { animation: Some(0), display: Display { crowd: count, ..Display::default() }, ..View::default() }
}

fn document(model: &Arc<Model>, view: &View) -> (Document, Analyses) {
    let document = Document::new(Arc::clone(model), "sample".into(), None);
    let analyses = Analyses::new(&document, view);
    (document, analyses)
}

fn pose(crowd: &mut Crowd, view: &View, time: f64, posed: &Posed, model: &Model, analyses: &Analyses) {
    let body = Body { model, view, moment: time.into(), roots: Roots::default(), posed };
    crowd.pose(&body, &analyses.bounds);
}

#[test]
fn members_have_distinct_positions_and_the_first_is_at_the_model() {
    assert_eq!(crowd::position(0, 3.0), DVec3::ZERO);
    let cells: HashSet<_> = (0..100_000)
        .map(|member| {
            let place = crowd::position(member, 0.5) * 2.0;
            assert!(place.y == 0.0 && place == place.round(), "{member} at {place}");
            (place.x as i64, place.z as i64)
        })
        .collect();
    assert_eq!(cells.len(), 100_000);
    // 317 x 317 is the smallest square with room for all members.
    let (low, high) = (cells.iter().flat_map(|c| [c.0, c.1]).min(), cells.iter().flat_map(|c| [c.0, c.1]).max());
    assert_eq!(high.zip(low).map(|(high, low)| high - low + 1), Some(317));
}

#[test]
fn the_bounds_of_a_crowd_contain_all_members_and_nothing_more() {
    let alone = Bounds { min: DVec3::new(-1.0, 0.0, -2.0), max: DVec3::new(2.0, 5.0, 3.0) };
    assert_eq!(crowd::spacing(&alone), 6.0, "1.2 times the larger of width and depth");
    assert_eq!(crowd::bounds(&alone, 1), alone);
    for count in (1..200).chain([1000, 9999, 100_000]) {
        let all = (0..count).fold(Bounds::EMPTY, |all, member| {
            let place = crowd::position(member, 6.0);
            all.union(&Bounds { min: alone.min + place, max: alone.max + place })
        });
        assert_eq!(crowd::bounds(&alone, count), all, "{count}");
    }
}

#[test]
fn a_model_without_width_still_has_room_between_its_members() {
    let line = Bounds { min: DVec3::ZERO, max: DVec3::Y * 4.0 };
    assert!(crowd::spacing(&line) > 0.0);
    let broken = Bounds { min: DVec3::NAN, max: DVec3::INFINITY };
    assert!(crowd::spacing(&broken).is_finite() && crowd::spacing(&Bounds::EMPTY) > 0.0);
}

/// Returns the phases of a crowd that plays a range of an endless animation.
fn phases(range: [f64; 2], repeat: Repeat) -> Phases {
    let model = Model { animations: vec![Animation { duration: f64::INFINITY, ..Animation::default() }], ..Model::default() };
    Phases::new(&model, &View { range: Some(range), repeat, ..view_of(1) })
}

#[test]
fn members_have_different_times_within_the_range() {
    let phases = phases([0.5, 2.5], Repeat::Loop);
    let times: Vec<_> = (0..1000).map(|member| phases.time(member, &1.25.into())).collect();
    assert_eq!(times[0], 1.25);
    assert!(times.iter().all(|time| (0.5..2.5).contains(time)));
    // The times are evenly spread: each tenth of the range has about a tenth of the members.
    for tenth in 0..10 {
        let begin = 0.5 + 0.2 * f64::from(tenth);
        let within = times.iter().filter(|time| (begin..begin + 0.2).contains(*time)).count();
        assert!((98..=102).contains(&within), "{within} members begin at {begin}");
    }
    // All members advance together.
    let later = phases.time(7, &1.35.into());
    assert!(((later - times[7]).rem_euclid(2.0) - 0.1).abs() < 1e-12);
}

#[test]
fn members_of_a_ping_pong_turn_around_at_the_ends() {
    // There and back takes 4 s, of which the first member has played 0.75 s or, on its way back, 3.25 s. The second is 2.472 s ahead.
    let phases = phases([0.5, 2.5], Repeat::PingPong);
    for (returning, played) in [(false, 0.75), (true, 3.25)] {
        let times = [0, 1].map(|member| phases.time(member, &Moment { returning, ..Moment::from(1.25) }));
        let turned = 2.0 - ((played + 4.0 * GOLDEN_RATIO).rem_euclid(4.0) - 2.0).abs();
        assert!(times[0] == 1.25 && (times[1] - 0.5 - turned).abs() < 1e-12, "{times:?}");
    }
}

#[test]
fn members_have_a_finite_time_in_any_range() {
    for range in [[0.0, 0.0], [1.0, 0.5], [0.0, f64::INFINITY], [0.0, 1e-320], [0.0, 1e300]] {
        for member in [0, 1, 2, 99_999] {
            assert!(phases(range, Repeat::Loop).time(member, &0.25.into()).is_finite(), "{member} in {range:?}");
        }
    }
    assert_eq!(phases([0.0, 2.0], Repeat::Loop).time(0, &2.0.into()), 2.0, "the first member shows the end exactly");
}

#[test]
fn a_crowd_of_one_equals_the_model_exactly() {
    let (model, view) = (sample(), view_of(1));
    let ((document, analyses), mut posed, mut crowd) = (document(&model, &view), Posed::new(&model), Crowd::default());
    for time in [0.0, 0.4, 1.1] {
        solve::solve(&model, &view, time, &mut posed);
        pose(&mut crowd, &view, time, &posed, &document.model, &analyses);
        assert_eq!((crowd.count(), crowd.palettes(), crowd.weights()), (1, &posed.palette[..], &posed.pose.weights[..]));
    }
    let display = Display { crowd: 0, ..Display::default() };
    assert_eq!(crowd::count(&View { display, ..View::default() }), 1, "a view file may contain any number");
}

#[test]
fn every_member_is_the_model_at_its_own_time_and_place() {
    assert_members_are_the_model_at_their_times(&view_of(12));
}

#[test]
fn the_layers_of_a_member_do_not_begin_again_with_the_animation() {
    let layer = Layer { animation: 0, mode: Mode::Additive, speed: 0.5, ..Layer::default() };
    for (animation, repeat) in [(Some(0), Repeat::Loop), (Some(0), Repeat::PingPong), (None, Repeat::Loop)] {
        assert_members_are_the_model_at_their_times(&View { animation, repeat, layers: vec![layer.clone()], ..view_of(12) });
    }
}

/// Compares each member with the model solved alone at the member's moment.
fn assert_members_are_the_model_at_their_times(view: &View) {
    let model = sample();
    let ((document, analyses), mut posed, mut crowd) = (document(&model, view), Posed::new(&model), Crowd::default());
    let duration = model.animations[0].duration;
    solve::solve(&model, view, 0.3, &mut posed);
    pose(&mut crowd, view, 0.3, &posed, &document.model, &analyses);
    assert_eq!(crowd.palettes().len(), 12 * model.palette_len);
    let mut alone = Posed::new(&model);
    for (member, palette) in crowd.palettes().chunks(model.palette_len).enumerate() {
        // Over the rest pose, the phases are spread over the only layer, whose speed is a half.
        let cycle = match (view.animation, view.repeat) {
            (None, _) | (_, Repeat::PingPong) => 2.0 * duration,
            _ => duration,
        };
        let clock = 0.3 + (member as f64 * GOLDEN_RATIO).fract() * cycle;
        let time = if view.repeat == Repeat::PingPong { duration - (clock.rem_euclid(cycle) - duration).abs() } else { clock % duration };
        solve::solve(&model, view, Moment { clock, ..Moment::from(time) }, &mut alone);
        let place = crowd::position(member, crowd::spacing(&analyses.bounds));
        for (matrix, transform) in palette.iter().zip(&alone.joint_transforms) {
            let wanted = transform.translation + place - posed.anchor;
            let got = DVec3::from_array(matrix.rows.map(|row| f64::from(row.w)));
            assert!((got - wanted).length() < 1e-4 * (1.0 + wanted.length()), "member {member}: {got} is not {wanted}");
            let turned = matrix.rows.map(|row| row.truncate().as_dvec3());
            assert!((turned[0] - transform.matrix3.row(0)).length() < 1e-5);
        }
    }
}

#[test]
fn the_fitted_camera_shows_every_member() {
    let model = sample();
    for count in [1, 7, 100] {
        let view = view_of(count);
        let ((document, analyses), mut posed, mut crowd) = (document(&model, &view), Posed::new(&model), Crowd::default());
        solve::solve(&model, &view, 0.2, &mut posed);
        pose(&mut crowd, &view, 0.2, &posed, &document.model, &analyses);
        let clip_from_anchored = view_camera::camera(Subject { document: &document, analyses: &analyses, view: &view }, &posed, 1.5)
            .clip_from_anchored(DVec3::ZERO, 1.5);
        let mut furthest = 0f32;
        for member in 0..count as usize {
            let place = crowd::position(member, crowd::spacing(&analyses.bounds));
            solve::solve(&model, &view, Phases::new(&model, &view).time(member, &0.2.into()), &mut posed);
            for node in model.node_indices() {
                let Some(mesh) = model.node(node).mesh else { continue };
                for primitive in &model.meshes[mesh].primitives {
                    let some = (0..primitive.vertices.positions.len()).step_by(17);
                    for position in deform::positions(&model, node, primitive, posed.vertex_pose(), some) {
                        let clip = clip_from_anchored * (position + place).as_vec3().extend(1.0);
                        assert!(clip.z <= clip.w, "{count}: a vertex is nearer than the near plane");
                        furthest = furthest.max((clip.xy() / clip.w).abs().max_element());
                    }
                }
            }
        }
        assert!(furthest < 1.0 && furthest > 0.5, "{count}: {furthest}");
    }
}

#[test]
fn the_crowd_size_is_limited_by_memory() {
    let model = Model { palette_len: 1000, ..Model::default() };
    // 1000 matrices of 48 bytes each, once in memory and once on the device.
    assert_eq!(crowd::capacity(&model, u64::MAX), (crowd::MAX_BYTES / 96_000) as u32);
    assert_eq!(crowd::capacity(&model, 96_000 * 5), 5);
    assert_eq!(crowd::capacity(&model, 1), 1, "the model by itself is always shown");
    assert_eq!(crowd::capacity(&Model::default(), u64::MAX), crowd::MAX_MEMBERS);
}

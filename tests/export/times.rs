//! Tests which moments a clip shows, with numbers worked out by hand.

use serde_json::json;
use sinew::model::Model;
use sinew::session::pose::solve::{self, Posed};
use sinew::session::time::clip::{Clip, ClipFormat, ClipLayoutError, ClipLength, Frame, MAX_CLIP_FRAMES, usual_rate};
use sinew::session::view::layers::Layer;
use sinew::session::view::{Repeat, View};

use crate::common::gltf_builder::triangle;

/// Builds a model with one animation of two seconds, with keys only at its ends.
fn model() -> Model {
    let mut gltf = triangle();
    let output = gltf.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    gltf.animation(&[(0, "translation", "LINEAR", &[0.0, 2.0], output)]);
    gltf.model()
}

fn view(range: Option<[f64; 2]>, repeat: Repeat) -> View {
    View { animation: Some(0), range, repeat, ..View::default() }
}

fn times(view: &View, fps: f64) -> Vec<f64> {
    Clip::new(&model(), view, fps, ClipLength::Loops(1)).unwrap().frames.iter().map(|frame| frame.time).collect()
}

#[test]
fn a_loop_of_the_whole_animation_omits_its_last_frame_and_a_range_does_not() {
    assert_eq!(times(&view(None, Repeat::Loop), 2.0), [0.0, 0.5, 1.0, 1.5]);
    assert_eq!(times(&view(Some([0.0, 2.0]), Repeat::Loop), 2.0), [0.0, 0.5, 1.0, 1.5], "the whole animation is treated as no range");
    assert_eq!(times(&view(None, Repeat::Once), 2.0), [0.0, 0.5, 1.0, 1.5, 2.0]);
    assert_eq!(times(&view(Some([0.5, 1.5]), Repeat::Loop), 2.0), [0.5, 1.0, 1.5]);
    assert_eq!(times(&view(Some([0.5, 9.0]), Repeat::Loop), 2.0), [0.5, 1.0, 1.5, 2.0], "an end beyond the animation is clamped");
    for beyond in [[2.0, 3.0], [5.0, 9.0]] {
        assert_eq!(times(&view(Some(beyond), Repeat::Loop), 2.0), [0.0, 0.5, 1.0, 1.5], "a range after the end has no effect");
    }
    assert_eq!(times(&view(Some([0.25, 1.5]), Repeat::Once), 2.0), [0.25, 0.75, 1.25], "an end between two frames is not shown");
}

#[test]
fn the_number_of_frames_of_a_loop_is_rounded_to_the_nearest_integer() {
    // 2 s are 2.6 frames at 1.3 per second, and 2.4 frames at 1.2 per second.
    assert_eq!(times(&view(None, Repeat::Loop), 1.3).len(), 3);
    assert_eq!(times(&view(None, Repeat::Loop), 1.2).len(), 2);
    assert_eq!(times(&view(None, Repeat::Loop), 0.1), [0.0]);
}

#[test]
fn ping_pong_plays_forward_and_backward_without_repeating_either_end() {
    assert_eq!(times(&view(None, Repeat::PingPong), 2.0), [0.0, 0.5, 1.0, 1.5, 2.0, 1.5, 1.0, 0.5]);
    assert_eq!(times(&view(Some([1.0, 1.5]), Repeat::PingPong), 4.0), [1.0, 1.25, 1.5, 1.25]);
}

#[test]
fn a_clip_of_several_loops_plays_the_range_again_as_each_loop_mode_does() {
    let times = |range, repeat| {
        let clip = Clip::new(&model(), &view(range, repeat), 1.0, ClipLength::Loops(2)).unwrap();
        clip.frames.iter().map(|frame| (frame.time, frame.returning)).collect::<Vec<_>>()
    };
    let forward = |times: &[f64]| times.iter().map(|&time| (time, false)).collect::<Vec<_>>();
    assert_eq!(times(None, Repeat::Loop), forward(&[0.0, 1.0, 0.0, 1.0]), "the end equals the start");
    assert_eq!(times(None, Repeat::Once), forward(&[0.0, 1.0, 2.0, 0.0, 1.0, 2.0]));
    assert_eq!(times(Some([0.5, 1.5]), Repeat::Loop), forward(&[0.5, 1.5, 0.5, 1.5]));
    let there_and_back = [(0.0, false), (1.0, false), (2.0, false), (1.0, true)];
    assert_eq!(times(None, Repeat::PingPong), [there_and_back, there_and_back].concat());
}

#[test]
fn only_a_clip_that_plays_once_does_not_loop() {
    let is_endless = |repeat, length| Clip::new(&model(), &view(None, repeat), 2.0, length).unwrap().is_endless;
    assert_eq!([Repeat::Loop, Repeat::Once, Repeat::PingPong].map(|repeat| is_endless(repeat, ClipLength::Loops(2))), [true, false, true]);
    assert!(is_endless(Repeat::Once, ClipLength::Turntable(1.0)), "a full turn ends where it began");
}

#[test]
fn a_turntable_turns_once_while_the_animation_repeats() {
    let around = |view: &View| {
        let clip = Clip::new(&model(), view, 1.0, ClipLength::Turntable(4.0)).unwrap();
        clip.frames.iter().map(|frame| (frame.time, frame.turn)).collect::<Vec<_>>()
    };
    assert_eq!(around(&view(None, Repeat::Once)), [(0.0, 0.0), (1.0, 0.25), (2.0, 0.5), (2.0, 0.75)]);
    assert_eq!(around(&view(None, Repeat::Loop)), [(0.0, 0.0), (1.0, 0.25), (0.0, 0.5), (1.0, 0.75)]);
    assert_eq!(around(&view(Some([0.5, 1.5]), Repeat::PingPong)), [(0.5, 0.0), (1.5, 0.25), (0.5, 0.5), (1.5, 0.75)]);
    let rest = View::default();
    assert_eq!(Clip::new(&model(), &rest, 25.0, ClipLength::Turntable(2.0)).unwrap().frames.len(), 50, "the rest pose turns as well");
}

/// The last key is rounded up to f32, so the animation is a little longer than 23 frames.
#[test]
fn each_frame_of_a_turntable_shows_the_step_key_of_its_frame_in_every_repetition() {
    let mut gltf = triangle();
    let times: Vec<f32> = (0..24u8).map(|key| (f64::from(key) / 30.0) as f32).collect();
    let output: Vec<f32> = (0..24u8).flat_map(|key| [key.into(), 0.0, 0.0]).collect();
    let output = gltf.floats("VEC3", &output);
    gltf.animation(&[(0, "translation", "STEP", &times, output)]);
    let model = gltf.model();
    let mut posed = Posed::new(&model);
    let mut shown = |repeat, length| {
        let view = view(None, repeat);
        let frames = Clip::new(&model, &view, 30.0, length).unwrap().frames;
        let mut key = |frame: &Frame| {
            solve::solve(&model, &view, frame.moment(), &mut posed);
            posed.globals[0].translation.x as usize
        };
        frames.iter().map(&mut key).collect::<Vec<_>>()
    };
    assert_eq!(shown(Repeat::Once, ClipLength::Loops(1)), (0..24).collect::<Vec<_>>());
    let repeated = (0..18_000).map(|frame| frame % 23).collect::<Vec<_>>();
    assert_eq!(shown(Repeat::Loop, ClipLength::Turntable(600.0)), repeated);
    assert_eq!(shown(Repeat::Loop, ClipLength::Loops(700)), (0..16_100).map(|frame| frame % 23).collect::<Vec<_>>());
    let back_and_forth = (0..18_000).map(|frame| 23 - (frame % 46_usize).abs_diff(23)).collect::<Vec<_>>();
    assert_eq!(shown(Repeat::PingPong, ClipLength::Turntable(600.0)), back_and_forth);
}

#[test]
fn still_and_out_of_range_clips_are_refused_with_a_message() {
    let once = ClipLength::Loops(1);
    let refused = |view: &View, fps, length| Clip::new(&model(), view, fps, length).unwrap_err();
    assert_eq!(refused(&View::default(), 24.0, once), ClipLayoutError::Still);
    assert_eq!(refused(&view(Some([1.0, 1.0]), Repeat::Loop), 24.0, once), ClipLayoutError::Still);
    let bind_pose = View { bind_pose: true, ..view(None, Repeat::Loop) };
    assert_eq!(refused(&bind_pose, 24.0, once), ClipLayoutError::BindPose);
    assert_eq!(
        Clip::new(&model(), &bind_pose, 24.0, ClipLength::Turntable(1.0)).unwrap().frames.len(),
        24,
        "the camera turns around the bind pose"
    );
    assert_eq!(refused(&view(Some([1.5, 0.5]), Repeat::Loop), 24.0, once), ClipLayoutError::Still, "an inverted range is empty");
    for fps in [0.0, -1.0, 1e9, f64::INFINITY, f64::NAN] {
        assert!(matches!(refused(&view(None, Repeat::Loop), fps, once), ClipLayoutError::Rate(_)), "{fps}");
    }
    for seconds in [0.0, -1.0, 1e9, f64::INFINITY, f64::NAN] {
        assert!(
            matches!(refused(&view(None, Repeat::Loop), 24.0, ClipLength::Turntable(seconds)), ClipLayoutError::Turntable(_)),
            "{seconds}"
        );
    }
    for loops in [0, 1001, u32::MAX] {
        assert_eq!(refused(&view(None, Repeat::Loop), 24.0, ClipLength::Loops(loops)), ClipLayoutError::Loops(loops));
    }
    assert_eq!(refused(&view(None, Repeat::Loop), 1000.0, ClipLength::Loops(51)), ClipLayoutError::Frames(102_000));
    let too_many = refused(&view(None, Repeat::Loop), 1000.0, ClipLength::Turntable(3600.0));
    assert_eq!(too_many, ClipLayoutError::Frames(3_600_000));
    assert!(too_many.to_string().contains("would have 3,600,000 frames, more than the limit of 100,000:"), "{too_many}");
    let most = Clip::new(&model(), &view(None, Repeat::Loop), 1000.0, ClipLength::Turntable(MAX_CLIP_FRAMES as f64 / 1000.0)).unwrap();
    assert_eq!(most.frames.len(), MAX_CLIP_FRAMES);
}

#[test]
fn a_clip_of_layers_over_the_rest_pose_has_the_chosen_range() {
    let layer: Layer = serde_json::from_value(json!({ "animation": 0 })).unwrap();
    let view = View { layers: vec![layer], range: Some([1.0, 3.0]), ..View::default() };
    assert_eq!(times(&view, 1.0), [1.0, 2.0, 3.0]);
}

/// Layers play on when the animation reverses or restarts. With `Repeat::Once`, they stop when the animation ends.
#[test]
fn layers_keep_playing_when_the_animation_restarts() {
    let clocks = |view: &View, fps, length| {
        let clip = Clip::new(&model(), view, fps, length).unwrap();
        clip.frames.iter().map(|frame| frame.moment().clock).collect::<Vec<_>>()
    };
    assert_eq!(
        clocks(&view(Some([0.5, 1.5]), Repeat::Loop), 2.0, ClipLength::Loops(1)),
        [0.5, 1.0, 1.5],
        "like a still picture at that time"
    );
    assert_eq!(clocks(&view(Some([1.0, 1.5]), Repeat::PingPong), 4.0, ClipLength::Loops(1)), [1.0, 1.25, 1.5, 1.75]);
    assert_eq!(clocks(&view(None, Repeat::Loop), 1.0, ClipLength::Loops(2)), [0.0, 1.0, 2.0, 3.0]);
    assert_eq!(clocks(&view(Some([1.0, 1.5]), Repeat::PingPong), 2.0, ClipLength::Loops(2)), [1.0, 1.5, 2.0, 2.5]);
    assert_eq!(clocks(&view(None, Repeat::Once), 1.0, ClipLength::Loops(2)), [0.0, 1.0, 2.0, 0.0, 1.0, 2.0]);
    assert_eq!(clocks(&view(None, Repeat::Loop), 1.0, ClipLength::Turntable(4.0)), [0.0, 1.0, 2.0, 3.0]);
    assert_eq!(clocks(&view(Some([0.5, 1.5]), Repeat::PingPong), 1.0, ClipLength::Turntable(4.0)), [0.5, 1.5, 2.5, 3.5]);
    assert_eq!(clocks(&view(None, Repeat::Once), 1.0, ClipLength::Turntable(4.0)), [0.0, 1.0, 2.0, 2.0]);
}

#[test]
fn each_frame_shows_the_step_key_of_its_frame_in_layers() {
    for fps in [24_u8, 25, 30, 60] {
        let mut gltf = triangle();
        let times: Vec<f32> = (0..=fps).map(|key| (f64::from(key) / f64::from(fps)) as f32).collect();
        let still = gltf.floats("VEC3", &[0.0; 6]);
        gltf.animation(&[(0, "translation", "LINEAR", &[0.0, 4.0], still)]);
        let output = gltf.floats("VEC3", &(0..=fps).flat_map(|key| [key.into(), 0.0, 0.0]).collect::<Vec<f32>>());
        gltf.animation(&[(0, "translation", "STEP", &times, output)]);
        let model = gltf.model();
        let shown = |layer: Layer| -> Vec<usize> {
            let view = View { layers: vec![Layer { animation: 1, ..layer }], ..view(None, Repeat::Loop) };
            let mut posed = Posed::new(&model);
            let show = |frame: &Frame| {
                solve::solve(&model, &view, frame.moment(), &mut posed);
                posed.globals[0].translation.x as usize
            };
            Clip::new(&model, &view, fps.into(), ClipLength::Loops(1)).unwrap().frames.iter().map(show).collect()
        };
        let fps = usize::from(fps);
        let keys = |key: fn(usize, usize) -> usize| (0..4 * fps).map(|frame| key(frame, fps)).collect::<Vec<_>>();
        assert_eq!(shown(Layer::default()), keys(|frame, fps| frame % fps), "{fps} fps");
        let backward = Layer { speed: -1.0, ..Layer::default() };
        assert_eq!(shown(backward), keys(|frame, fps| (fps - frame % fps) % fps), "{fps} fps backward");
        let ping_pong = Layer { repeat: Repeat::PingPong, ..Layer::default() };
        assert_eq!(shown(ping_pong), keys(|frame, fps| fps - (frame % (2 * fps)).abs_diff(fps)), "{fps} fps, ping-pong");
    }
}

#[test]
fn a_gif_uses_a_fraction_of_a_rate_it_cannot_show() {
    let rates = [24.0, 50.0, 60.0, 120.0].map(|rate| usual_rate(rate, ClipFormat::Gif));
    assert_eq!(rates, [24.0, 50.0, 30.0, 40.0]);
    assert_eq!(usual_rate(120.0, ClipFormat::Mp4), 120.0);
    assert_eq!(usual_rate(f64::INFINITY, ClipFormat::Mp4), 1000.0);
}

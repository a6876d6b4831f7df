//! Time as a person works it: play, step, jump, range, speed, and which animation.

use crate::animation::playback;
use crate::model::animation::Channel;
use crate::session::motion::request::Clock;
use crate::session::time::playlist;
use crate::session::view::Repeat;
use crate::session::view::playback_range;
use crate::ui::Context;

use super::switches;

/// How slow and how fast, in both directions.
pub const SPEEDS: [f64; 2] = [0.1, 4.0];

/// Two times nearer than this are the same key: f32 seconds of an hour-long animation differ by more.
pub const SAME_TIME: f64 = 1e-6;

pub fn toggle(frame: &mut Context) {
    if frame.transport.playing() {
        frame.transport.pause();
    } else {
        play(frame);
    }
}

pub fn play(frame: &mut Context) {
    playlist::play(frame.transport, &frame.document.model, frame.view);
}

/// Plays in a direction (1 or -1) at the file's speed; where it does already, at twice, then four times that.
pub fn shuttle(frame: &mut Context, direction: f64) {
    let already = frame.transport.playing() && frame.view.speed * direction > 0.0;
    let speed = match frame.view.speed.abs() {
        _ if !already => 1.0,
        speed if speed < 1.0 => 1.0,
        speed if speed < 2.0 => 2.0,
        _ => 4.0,
    };
    frame.view.speed = direction * speed;
    play(frame);
}

/// In tenths; past the slowest it turns round.
pub fn change_speed(frame: &mut Context, by: f64) {
    let speed = ((frame.view.speed + by) * 10.0).round() / 10.0;
    frame.view.speed = clamped_speed(if speed == 0.0 { SPEEDS[0] * by.signum() } else { speed });
}

pub fn clamped_speed(speed: f64) -> f64 {
    if !speed.is_finite() {
        return 1.0;
    }
    speed.abs().clamp(SPEEDS[0], SPEEDS[1]).copysign(speed)
}

/// Whole frames on; it stops there.
pub fn step(frame: &mut Context, frames: i64) {
    let fps = frame.document.rate(frame.view).fps;
    let time = playback::step_frames(frame.transport.time(), frames, fps);
    frame.transport.pause();
    seek(frame, time);
}

pub fn seek(frame: &mut Context, time: f64) {
    frame.transport.seek(&frame.document.model, frame.view, time);
}

/// To a time of the pass that a trail shows, and stops there: the layers have played as long as they have in it.
pub fn seek_along(frame: &mut Context, time: f64) {
    let moment = frame.transport.moment();
    let Clock { at_zero, rate } = Clock::from_moment(&frame.document.model, frame.view, &moment);
    frame.transport.pause();
    seek(frame, time);
    frame.transport.head.returning = moment.returning;
    frame.transport.clock = at_zero + rate * frame.transport.time();
}

/// To the in or out point. At the end towards which it plays it stops, else it would be gone from there at once.
pub fn to_end(frame: &mut Context, last: bool) {
    let [start, end] = playback_range::range(&frame.document.model, frame.view);
    if last == (frame.view.speed > 0.0) {
        frame.transport.pause();
    }
    seek(frame, if last { end } else { start });
}

/// To the next or previous key of the selected nodes and of the nodes with selected keys; of all nodes where there are none.
pub fn to_key(frame: &mut Context, next: bool) {
    let time = frame.transport.time();
    let key = |times: &[f32]| {
        if next {
            times.get(times.partition_point(|&key| f64::from(key) <= time + SAME_TIME)).copied()
        } else {
            times[..times.partition_point(|&key| f64::from(key) < time - SAME_TIME)].last().copied()
        }
    };
    let keys = wanted_times(frame).into_iter().filter_map(key);
    if let Some(time) = if next { keys.min_by(f32::total_cmp) } else { keys.max_by(f32::total_cmp) } {
        frame.transport.pause();
        seek(frame, time.into());
    }
}

/// The key of those nodes that is nearest to a time.
pub fn key_near(frame: &Context, time: f64) -> Option<f64> {
    let around = |times: &[f32]| {
        let next = times.partition_point(|&key| f64::from(key) < time);
        [next.checked_sub(1), Some(next)].map(|key| key.and_then(|key| times.get(key)).map(|&key| f64::from(key)))
    };
    let keys = wanted_times(frame).into_iter().flat_map(around).flatten();
    keys.min_by(|a, b| (a - time).abs().total_cmp(&(b - time).abs()))
}

/// The key times of the nodes that are worked with.
fn wanted_times<'a>(frame: &Context<'a>) -> Vec<&'a [f32]> {
    let model = &frame.document.model;
    let Some(animation) = frame.view.animation.and_then(|a| model.animations.get(a)) else { return Vec::new() };
    let node = |channel: &Channel| model.target_node(channel.target);
    let mut nodes = switches::selected(frame);
    let selected_keys = frame.state.keys.channels().filter_map(|(channel, _)| animation.channels.get(channel));
    nodes.extend(selected_keys.filter_map(node));
    let mut is_wanted = vec![false; model.nodes.len()];
    for node in &nodes {
        is_wanted[node.index()] = true;
    }
    let mut wanted = vec![nodes.is_empty(); animation.key_times.len()];
    for channel in &animation.channels {
        wanted[channel.key_times] |= node(channel).is_some_and(|node| is_wanted[node.index()]);
    }
    let times = animation.key_times.iter().zip(wanted).filter(|(_, wanted)| *wanted);
    times.map(|(times, _)| times.as_slice()).collect()
}

/// All of the animation is no range.
pub fn set_range(frame: &mut Context, [start, end]: [f64; 2]) {
    let whole = [0.0, playback_range::duration(&frame.document.model, frame.view)];
    frame.view.range = Some([start, end]).filter(|&range| range != whole);
}

/// An in point behind the out point gives up the out point, and the other way round.
pub fn set_in(frame: &mut Context) {
    let (time, [_, end]) = (frame.transport.time(), playback_range::range(&frame.document.model, frame.view));
    let duration = playback_range::duration(&frame.document.model, frame.view);
    set_range(frame, [time, if time < end { end } else { duration }]);
}

pub fn set_out(frame: &mut Context) {
    let (time, [start, _]) = (frame.transport.time(), playback_range::range(&frame.document.model, frame.view));
    set_range(frame, [if start < time { start } else { 0.0 }, time]);
}

pub const REPEATS: [Repeat; 3] = [Repeat::Loop, Repeat::Once, Repeat::PingPong];

pub fn repeat_label(repeat: Repeat) -> &'static str {
    match repeat {
        Repeat::Loop => "Repeat: loop",
        Repeat::Once => "Repeat: once",
        Repeat::PingPong => "Repeat: ping-pong",
    }
}

pub fn next_repeat(frame: &mut Context) {
    frame.view.repeat = match frame.view.repeat {
        Repeat::Loop => Repeat::Once,
        Repeat::Once => Repeat::PingPong,
        Repeat::PingPong => Repeat::Loop,
    };
}

/// Another animation, or the rest pose, from its beginning, and it alone.
pub fn choose_animation(frame: &mut Context, animation: Option<usize>) {
    frame.view.playlist.clear();
    go_to_animation(frame, animation);
}

fn go_to_animation(frame: &mut Context, animation: Option<usize>) {
    frame.transport.leave(&frame.document.model, frame.view);
    frame.view.choose_animation(animation);
}

/// Takes an animation into the playlist or out; from the rest pose it is chosen alone.
pub fn toggle_in_turn(frame: &mut Context, animation: usize) {
    if frame.view.animation.is_none() {
        return play_animation(frame, Some(animation));
    }
    playlist::toggle(frame.view, animation);
    follow_playlist(frame);
}

/// These one after the other; a single one alone.
pub fn play_in_turn(frame: &mut Context, animations: Vec<usize>) {
    frame.view.playlist = if animations.len() > 1 { animations } else { Vec::new() };
    follow_playlist(frame);
}

/// All of the file, or again the one alone.
pub fn all_in_turn(frame: &mut Context) {
    let all = if frame.view.playlist.is_empty() { (0..frame.document.model.animations.len()).collect() } else { Vec::new() };
    play_in_turn(frame, all);
}

/// What plays is in the playlist.
fn follow_playlist(frame: &mut Context) {
    let Some(&first) = frame.view.playlist.first() else { return };
    if !frame.view.animation.is_some_and(|animation| frame.view.playlist.contains(&animation)) {
        go_to_animation(frame, Some(first));
    }
}

/// The same, and plays it.
pub fn play_animation(frame: &mut Context, animation: Option<usize>) {
    choose_animation(frame, animation);
    play(frame);
}

/// Round the playlist, or the file's list; from the rest pose to its first or last.
pub fn neighbour_animation(frame: &mut Context, step: isize) {
    let all = (0..frame.document.model.animations.len()).collect();
    let list = if frame.view.playlist.is_empty() { all } else { frame.view.playlist.clone() };
    let at = list.iter().position(|&animation| Some(animation) == frame.view.animation);
    let next = match at {
        Some(at) => (at as isize + step).rem_euclid(list.len() as isize) as usize,
        None if step > 0 => 0,
        None => list.len().saturating_sub(1),
    };
    if let Some(&animation) = list.get(next) {
        go_to_animation(frame, Some(animation));
    }
}

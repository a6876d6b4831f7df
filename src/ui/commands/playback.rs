//! Playback commands: play, step, seek, range, speed, loop mode and choice of animation.

use crate::animation::playback::{self, frame_time};
use crate::model::animation::Channel;
use crate::session::motion::request::Clock;
use crate::session::time::playlist;
use crate::session::view::Repeat;
use crate::session::view::playback_range;
use crate::ui::context::Context;
use crate::ui::context::key_selection::KEY_TIME_TOLERANCE;
use crate::ui::context::request::Request;

use super::nodes::switches;

/// Minimum and maximum speed in either direction, as factors.
pub const SPEEDS: [f64; 2] = [0.1, 4.0];

/// A direction in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    Backward,
    Forward,
}

/// Plays or pauses.
pub fn toggle(context: &mut Context) {
    if context.transport.is_playing() {
        pause(context);
    } else {
        play(context);
    }
}

/// Pauses. If the preferences say so, the playhead moves to the nearest whole frame within the range.
pub fn pause(context: &mut Context) {
    let was_playing = context.transport.is_playing();
    context.transport.pause();
    if !was_playing || !context.preferences.snap_on_pause {
        return;
    }
    let (time, fps) = (context.transport.time(), context.document.rate(context.view).fps);
    let [start, end] = playback_range::range_around(&context.document.model, context.view, time);
    let snapped = frame_time((time * fps).round() / fps).clamp(start, end);
    let shift = snapped - time;
    let head = &mut context.transport.head;
    head.time = snapped;
    // The layers' clock advances even while a ping-pong plays backward, so it shifts in the opposite direction.
    context.transport.clock += if head.returning { -shift } else { shift };
}

/// Resumes playback. If the end was reached, playback starts again.
pub fn play(context: &mut Context) {
    playlist::play(context.transport, &context.document.model, context.view);
}

/// Plays in a direction (1 or -1) at normal speed. If playback already runs in this direction, switches to the next speed: 1, 2 or 4.
pub fn shuttle(context: &mut Context, direction: f64) {
    let already = context.transport.is_playing() && context.view.speed * direction > 0.0;
    let speed = match context.view.speed.abs() {
        _ if !already => 1.0,
        speed if speed < 1.0 => 1.0,
        speed if speed < 2.0 => 2.0,
        _ => 4.0,
    };
    context.view.speed = direction * speed;
    play(context);
}

/// Changes the speed, rounded to tenths. A step below the slowest speed reverses the direction.
pub fn change_speed(context: &mut Context, by: f64) {
    let speed = ((context.view.speed + by) * 10.0).round() / 10.0;
    context.view.speed = clamped_speed(if speed == 0.0 { SPEEDS[0] * by.signum() } else { speed });
}

/// Limits a speed to [`SPEEDS`] and keeps its direction. A speed that is not finite becomes 1.
pub fn clamped_speed(speed: f64) -> f64 {
    if !speed.is_finite() {
        return 1.0;
    }
    speed.abs().clamp(SPEEDS[0], SPEEDS[1]).copysign(speed)
}

/// Moves by whole frames, at the frame rate of the animation, and pauses.
pub fn step(context: &mut Context, frames: i64) {
    let fps = context.document.rate(context.view).fps;
    let time = playback::step_frames(context.transport.time(), frames, fps);
    context.transport.pause();
    seek(context, time);
}

/// Moves the playhead to a time in the current pass through the animation, in seconds. Leaves the bind pose, which would hide the pose at
/// that time. The layers' clock moves to its value at that time of the pass, so layers play as far as the animation does, and returning to
/// a time shows the same pose again.
pub fn seek(context: &mut Context, time: f64) {
    context.view.bind_pose = false;
    let moment = context.transport.moment();
    let clock = Clock::from_moment(&context.document.model, context.view, &moment);
    context.transport.seek(&context.document.model, context.view, time);
    context.transport.head.returning = moment.returning;
    context.transport.clock = clock.at(context.transport.time());
}

/// Moves to the in or out point of the first pass, in which the layers' clock equals the time. If playback runs towards that point, pauses,
/// because playback would leave the point at once.
pub fn go_to_end(context: &mut Context, direction: Direction) {
    let [start, end] = playback_range::range(&context.document.model, context.view);
    let (time, is_towards) = match direction {
        Direction::Backward => (start, context.view.speed <= 0.0),
        Direction::Forward => (end, context.view.speed > 0.0),
    };
    if is_towards {
        context.transport.pause();
    }
    context.transport.seek(&context.document.model, context.view, time);
}

/// Moves to the next or previous key of the selected nodes and of the nodes with selected keys. If there are no such nodes, moves to a key
/// of any node.
pub fn go_to_key(context: &mut Context, direction: Direction) {
    let time = context.transport.time();
    let lists = navigation_times(context).into_iter();
    let before = |times: &[f32]| times[..times.partition_point(|&key| f64::from(key) < time - KEY_TIME_TOLERANCE)].last().copied();
    let after = |times: &[f32]| times.get(times.partition_point(|&key| f64::from(key) <= time + KEY_TIME_TOLERANCE)).copied();
    let key = match direction {
        Direction::Backward => lists.filter_map(before).max_by(f32::total_cmp),
        Direction::Forward => lists.filter_map(after).min_by(f32::total_cmp),
    };
    if let Some(time) = key {
        context.transport.pause();
        seek(context, time.into());
    }
}

/// The key nearest to a time, among the keys that [`go_to_key`] visits. The time and the result are in seconds. `None` if there are no
/// keys.
pub fn key_near(context: &Context, time: f64) -> Option<f64> {
    let around = |times: &[f32]| {
        let next = times.partition_point(|&key| f64::from(key) < time);
        [next.checked_sub(1), Some(next)].map(|key| key.and_then(|key| times.get(key)).map(|&key| f64::from(key)))
    };
    let keys = navigation_times(context).into_iter().flat_map(around).flatten();
    keys.min_by(|a, b| (a - time).abs().total_cmp(&(b - time).abs()))
}

/// The lists of key times that key navigation visits. They belong to the channels of the selected nodes and of the nodes with selected
/// keys, or to all channels if there are no such nodes.
fn navigation_times<'a>(context: &Context<'a>) -> Vec<&'a [f32]> {
    let model = &context.document.model;
    let Some(animation) = context.view.animation.and_then(|a| model.animations.get(a)) else { return Vec::new() };
    let node = |channel: &Channel| model.target_node(channel.target);
    let mut nodes = switches::selected(context);
    let selected_keys = context.keys.channels().filter_map(|(channel, _)| animation.channels.get(channel));
    nodes.extend(selected_keys.filter_map(node));
    let mut is_node_visited = vec![false; model.nodes.len()];
    for node in &nodes {
        is_node_visited[node.index()] = true;
    }
    let mut is_list_visited = vec![nodes.is_empty(); animation.key_times.len()];
    for channel in &animation.channels {
        is_list_visited[channel.key_times] |= node(channel).is_some_and(|node| is_node_visited[node.index()]);
    }
    let times = animation.key_times.iter().zip(is_list_visited).filter(|(_, is_visited)| *is_visited);
    times.map(|(times, _)| times.as_slice()).collect()
}

/// Sets the range, in seconds. A range that covers the whole animation is stored as `None`. The range must not be empty, because nothing
/// could be played in it.
pub fn set_range(context: &mut Context, range: [f64; 2]) {
    let whole = [0.0, playback_range::duration(&context.document.model, context.view)];
    context.view.range = Some(range).filter(|&range| range != whole);
}

/// Sets the in point to the playhead. If the playhead is not before the out point, the out point is cleared. At the end of the animation,
/// the range stays as it is, because nothing could be played from there.
pub fn set_in(context: &mut Context) {
    let (time, [_, end]) = (context.transport.time(), playback_range::range(&context.document.model, context.view));
    let duration = playback_range::duration(&context.document.model, context.view);
    if time >= duration {
        context.requests.push(Request::ShowMessage("The in point must be before the end of the animation".to_owned()));
        return;
    }
    set_range(context, [time, if time < end { end } else { duration }]);
}

/// Sets the out point to the playhead. If the playhead is not after the in point, the in point is cleared. At the start of the animation,
/// the range stays as it is.
pub fn set_out(context: &mut Context) {
    let (time, [start, _]) = (context.transport.time(), playback_range::range(&context.document.model, context.view));
    if time <= 0.0 {
        context.requests.push(Request::ShowMessage("The out point must be after the start of the animation".to_owned()));
        return;
    }
    set_range(context, [if start < time { start } else { 0.0 }, time]);
}

/// Switches to the next loop mode.
pub fn next_repeat(context: &mut Context) {
    context.view.repeat = match context.view.repeat {
        Repeat::Loop => Repeat::Once,
        Repeat::Once => Repeat::PingPong,
        Repeat::PingPong => Repeat::Loop,
    };
}

/// Clears the playlist and shows this animation from where it begins to play, or the rest pose if `animation` is `None`.
pub fn choose_animation(context: &mut Context, animation: Option<usize>) {
    context.view.playlist.clear();
    go_to_animation(context, animation);
}

/// Changes the animation, with a cross-fade if one is set.
fn go_to_animation(context: &mut Context, animation: Option<usize>) {
    context.transport.change_animation(&context.document.model, context.view, animation);
}

/// Adds an animation to the playlist or removes it. Without an animation or a playlist that it could join, plays only this animation.
pub fn toggle_in_playlist(context: &mut Context, animation: usize) {
    if context.view.animation.is_none() || context.view.bind_pose && context.view.playlist.is_empty() {
        return play_animation(context, Some(animation));
    }
    playlist::toggle(context.view, animation);
    follow_playlist(context);
}

/// Makes these animations the playlist. Fewer than two animations clear the playlist.
pub fn play_list(context: &mut Context, animations: Vec<usize>) {
    context.view.playlist = if animations.len() > 1 { animations } else { Vec::new() };
    follow_playlist(context);
}

/// Puts all animations into the playlist, or clears the playlist if it is not empty.
pub fn toggle_playlist_of_all(context: &mut Context) {
    let all = if context.view.playlist.is_empty() { (0..context.document.model.animations.len()).collect() } else { Vec::new() };
    play_list(context, all);
}

/// Leaves the bind pose, and switches to the first animation of the playlist, unless the current animation is in the playlist.
fn follow_playlist(context: &mut Context) {
    let Some(&first) = context.view.playlist.first() else { return };
    context.view.bind_pose = false;
    if !context.view.animation.is_some_and(|animation| context.view.playlist.contains(&animation)) {
        go_to_animation(context, Some(first));
    }
}

/// Chooses an animation and plays it.
pub fn play_animation(context: &mut Context, animation: Option<usize>) {
    choose_animation(context, animation);
    play(context);
}

/// Moves by `step` through the playlist, or through all animations, and wraps around. From the rest pose, moves to the first or last
/// animation.
pub fn step_animation(context: &mut Context, step: isize) {
    let all = (0..context.document.model.animations.len()).collect();
    let list = if context.view.playlist.is_empty() { all } else { context.view.playlist.clone() };
    let current = list.iter().position(|&animation| Some(animation) == context.view.animation);
    let next = match current {
        Some(current) => (current as isize + step).rem_euclid(list.len() as isize) as usize,
        None if step > 0 => 0,
        None => list.len().saturating_sub(1),
    };
    if let Some(&animation) = list.get(next) {
        go_to_animation(context, Some(animation));
    }
}

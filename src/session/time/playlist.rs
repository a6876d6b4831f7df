//! Plays several animations one after the other. Each plays once and then fades into the next, with the view's cross-fade. A range lasts
//! until the next animation begins, because the view has only one.

use crate::model::Model;
use crate::session::view::playback_range;
use crate::session::view::{Repeat, View};

use super::transport::{self, Transport};

/// Maximum number of animations that end within one frame.
const MAX_STEPS_PER_FRAME: usize = 64;

/// Advances the transport by `dt` seconds of wall-clock time. At the end of an animation the view moves to the next one of its playlist.
/// Nothing advances in the bind pose, which replaces all animations.
pub fn advance(transport: &mut Transport, model: &Model, view: &mut View, dt: f64) {
    if view.bind_pose {
        // A cross-fade that does not advance would never end.
        transport.fade = None;
        return;
    }
    let mut left = dt.min(transport::MAX_FRAME_GAP);
    if !view.playlist.is_empty() && transport.is_playing() {
        transport.head.returning = false;
        for _ in 0..MAX_STEPS_PER_FRAME {
            // Short animations may end several times within one frame.
            let (until_end, Some(next)) = (until_end(transport, model, view), next(view)) else { break };
            if left < until_end {
                break;
            }
            left -= until_end;
            transport.advance_fade(view, until_end);
            transport.clock += until_end * view.speed;
            switch_to(transport, model, view, next);
        }
    }
    transport.advance(model, view, left);
}

/// Starts playback. At the end of a playlist that does not repeat, playback restarts at the first animation, or at the last one if the
/// speed is negative.
pub fn play(transport: &mut Transport, model: &Model, view: &mut View) {
    let finished = !transport.is_playing() && !view.playlist.is_empty() && until_end(transport, model, view) <= 0.0;
    if finished && next(view).is_none() {
        let first = if view.speed < 0.0 { view.playlist.last() } else { view.playlist.first() };
        view.choose_animation(first.copied());
        transport.restart();
        transport.head.time = transport::beginning(model, view);
    }
    transport.play(model, view);
}

/// Adds an animation to the playlist, in file order, or removes it. A playlist of one animation is cleared.
pub fn toggle(view: &mut View, animation: usize) {
    if view.playlist.is_empty() {
        view.playlist.extend(view.animation);
    }
    match view.playlist.iter().position(|&other| other == animation) {
        Some(at) => drop(view.playlist.remove(at)),
        None => {
            let at = view.playlist.iter().position(|&other| other > animation).unwrap_or(view.playlist.len());
            view.playlist.insert(at, animation);
        }
    }
    if view.playlist.len() < 2 {
        view.playlist.clear();
    }
}

/// Seconds of wall-clock time until the animation has played its range. A pose of 0 s is shown until it has faded in.
fn until_end(transport: &Transport, model: &Model, view: &View) -> f64 {
    let [start, end] = playback_range::range(model, view);
    if end <= start {
        return transport.fade.map_or(0.0, |fade| fade.length - fade.elapsed);
    }
    let time = transport.time().clamp(start, end);
    match view.speed {
        0.0 => f64::INFINITY,
        speed if speed < 0.0 => (time - start) / -speed,
        speed => (end - time) / speed,
    }
}

/// The next animation in the direction of playback. `None` if playback stops after the current one.
fn next(view: &View) -> Option<usize> {
    let list = &view.playlist;
    let (last, backward) = (list.len().checked_sub(1)?, view.speed < 0.0);
    let first = if backward { last } else { 0 };
    let Some(at) = list.iter().position(|&animation| Some(animation) == view.animation) else { return list.get(first).copied() };
    let next = match at {
        0 if backward => None,
        at if backward => Some(at - 1),
        at => Some(at + 1).filter(|&next| next <= last),
    };
    let again = (view.repeat != Repeat::Once).then_some(first);
    next.or(again).and_then(|at| list.get(at).copied())
}

/// Switches to the next animation. The previous one holds its last pose while it fades out.
fn switch_to(transport: &mut Transport, model: &Model, view: &mut View, next: usize) {
    let [start, end] = playback_range::range(model, view);
    transport.head.time = if view.speed < 0.0 { start } else { end };
    transport.change_animation(model, view, Some(next));
    for source in transport.fade.iter_mut().flat_map(|fade| &mut fade.sources).flatten() {
        source.head.playing = false;
    }
}

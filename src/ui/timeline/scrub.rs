//! The drag of the playhead on the ruler. Playback pauses during the drag and resumes afterwards. Esc cancels the drag.

use egui::{Response, Ui};

use crate::ui::commands::playback;
use crate::ui::context::Context;

use super::snap;
use super::time_axis::TimeAxis;

/// A drag of the playhead.
#[derive(Debug, Clone, Copy)]
pub struct Scrub {
    /// Whether playback resumes after the drag.
    resumes: bool,
    /// Whether playback resumes if Esc cancels the drag.
    resumes_if_canceled: bool,
    /// Whether the drag has left the bind pose, in which nothing plays.
    has_left_bind_pose: bool,
    /// Time of the playhead before the drag, in seconds.
    time_before: f64,
    /// Whether Esc canceled the drag. The pointer is then ignored until the button is released.
    is_canceled: bool,
}

impl Scrub {
    /// Begins a drag.
    fn new(context: &Context) -> Self {
        let (was_playing, has_left_bind_pose) = (context.transport.is_playing(), context.view.bind_pose);
        Self {
            resumes: was_playing && !has_left_bind_pose,
            resumes_if_canceled: was_playing,
            has_left_bind_pose,
            time_before: context.transport.time(),
            is_canceled: false,
        }
    }
}

/// Moves the playhead to the pointer while the button is down.
pub fn scrub(ui: &Ui, scrub: &mut Option<Scrub>, context: &mut Context, response: &Response, axis: &TimeAxis) {
    // If the program is slow, the button may be pressed and released between two frames.
    let is_held = response.is_pointer_button_down_on() && ui.input(|input| input.pointer.primary_down());
    let pressed = is_held || response.clicked();
    if let Some(pointer) = response.interact_pointer_pos().filter(|_| pressed) {
        if scrub.get_or_insert_with(|| Scrub::new(context)).is_canceled {
            return;
        }
        context.transport.pause();
        let time = snap::snapped(context, axis.time(pointer.x), ui.input(|input| input.modifiers.command));
        playback::seek(context, time);
    }
}

/// Returns whether playback resumes after the drag. `None` if there is no drag, or if Esc has canceled it.
pub fn resumes(scrub: Option<Scrub>) -> Option<bool> {
    scrub.filter(|scrub| !scrub.is_canceled).map(|scrub| scrub.resumes)
}

/// Runs a command that plays or pauses. During a drag, the command only changes whether playback resumes, and the playhead stays at the
/// pointer.
pub fn play_or_pause(scrub: &mut Option<Scrub>, context: &mut Context, command: impl FnOnce(&mut Context)) {
    let Some(scrub) = scrub.as_mut().filter(|scrub| !scrub.is_canceled) else {
        command(context);
        return;
    };
    let paused = *context.transport;
    context.transport.head.playing = scrub.resumes;
    command(context);
    scrub.resumes = context.transport.is_playing();
    scrub.resumes_if_canceled = scrub.resumes;
    *context.transport = paused;
}

/// Ends the drag.
pub fn end(scrub: &mut Option<Scrub>, context: &mut Context) {
    if let Some(resumes) = resumes(scrub.take()) {
        context.transport.head.playing = resumes;
    }
}

/// Moves the playhead back to its position before the drag, and returns to the bind pose if the drag has left it. Returns false if there is
/// no drag.
pub fn cancel(scrub: &mut Option<Scrub>, context: &mut Context) -> bool {
    let Some(scrub) = scrub.as_mut().filter(|scrub| !scrub.is_canceled) else { return false };
    scrub.is_canceled = true;
    playback::seek(context, scrub.time_before);
    context.view.bind_pose = scrub.has_left_bind_pose;
    context.transport.head.playing = scrub.resumes_if_canceled;
    true
}

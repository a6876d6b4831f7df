//! What the device is asked about the place under the pointer, beside the frames.

use std::time::{Duration, Instant};

use crate::app::App;
use crate::app::window::Shell;
use crate::render::actor::Actor;
use crate::render::picture::Picture;

/// From asking to looking whether it was told.
const LOOK: Duration = Duration::from_millis(4);

impl App {
    /// Takes in what was told.
    pub(crate) fn take_in_probe(&mut self, shell: &mut Shell) {
        self.ui.panels.viewport.probe.has_device = shell.renderer.can_pick();
        self.ui.panels.viewport.probe.wanted = None;
        if let Some(told) = shell.renderer.take_picked(&shell.gpu) {
            self.ui.panels.viewport.probe.told = self.ui.panels.viewport.probe.asked.take().map(|asked| (asked, told));
        }
    }

    /// Asks what the panels want to know. `picture`: as it was drawn in this frame.
    pub(crate) fn ask_probe(&self, shell: &mut Shell, picture: &Picture, actors: &[Actor]) {
        let Some(question) = self.ui.panels.viewport.probe.wanted else { return };
        let last = picture.tile.picture.map(|side| f64::from(side.max(1) - 1));
        let at = question.point * f64::from(picture.pixels_per_point);
        let pixel = [at.x.clamp(0.0, last[0]) as u32, at.y.clamp(0.0, last[1]) as u32];
        shell.renderer.pick(&shell.gpu, picture, actors, pixel);
    }

    /// Until it is told another frame follows.
    pub(crate) fn follow_probe(&mut self, shell: &Shell, now: Instant) {
        if shell.renderer.is_picking() {
            self.ui.panels.viewport.probe.asked = self.ui.panels.viewport.probe.asked.or(self.ui.panels.viewport.probe.wanted);
        }
        if shell.renderer.is_picking() || self.ui.panels.viewport.probe.wanted.is_some() {
            self.pacing.ask(now, LOOK);
        }
    }
}

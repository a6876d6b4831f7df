//! Decides when the next frame is due: at the display's rate while something moves, on input, and when egui asks for one. Software
//! Vulkan does not wait for the display, so the frames are paced here.

use std::time::{Duration, Instant};

/// Delay that users do not notice: shorter loads and exports show no progress bar, and a picture that stays unchanged for this long counts
/// as still.
pub const UNNOTICED_DELAY: Duration = Duration::from_millis(300);
/// Refresh rate to assume if the display does not report one, in millihertz.
const DEFAULT_RATE_MILLIHERTZ: u32 = 60_000;

/// Limits frames to the display's refresh rate.
#[derive(Debug, Clone, Copy)]
pub struct Pacing {
    /// Time between two frames at the display's rate.
    interval: Duration,
    /// When the last frame started.
    last: Option<Instant>,
    /// When the next frame is to start. `None` if no frame is requested.
    due: Option<Instant>,
}

impl Pacing {
    /// Paces frames for a display with this refresh rate. `None` if the display does not report it.
    pub fn new(refresh_rate_millihertz: Option<u32>) -> Self {
        let mut pacing = Self { interval: Duration::ZERO, last: None, due: None };
        pacing.set_rate(refresh_rate_millihertz);
        pacing
    }

    /// Changes the refresh rate, because the window may be on another display.
    pub fn set_rate(&mut self, refresh_rate_millihertz: Option<u32>) {
        let rate = refresh_rate_millihertz.filter(|&rate| rate > 1000).unwrap_or(DEFAULT_RATE_MILLIHERTZ);
        self.interval = Duration::from_secs_f64(1000.0 / f64::from(rate));
    }

    /// Records that a frame starts now. It fulfills all requests made so far.
    pub fn start_frame(&mut self, now: Instant) {
        self.last = Some(now);
        self.due = None;
    }

    /// Requests a frame after `delay`, but not earlier than one interval after the start of the last frame.
    pub fn request(&mut self, now: Instant, delay: Duration) {
        // If egui needs no frame, its delay is too long to add.
        let Some(start) = now.checked_add(delay) else { return };
        let start = self.last.map_or(start, |last| start.max(last + self.interval));
        self.due = Some(self.due.map_or(start, |due| due.min(start)));
    }

    /// When the next frame is due; `None` if the window sleeps until there is input.
    pub fn due(&self) -> Option<Instant> {
        self.due
    }
}

/// The clock of the frames. Animations advance by the time between two frames.
#[derive(Debug, Clone, Copy)]
pub struct FrameClock {
    started: Instant,
    last: Option<Instant>,
}

impl FrameClock {
    /// Starts the clock now.
    pub fn new() -> Self {
        Self { started: Instant::now(), last: None }
    }

    /// Time since the last frame; zero for the first one.
    pub fn tick(&mut self, now: Instant) -> Duration {
        self.last.replace(now).map_or(Duration::ZERO, |last| now - last)
    }

    /// Leaves out the time since the last frame: the next frame counts as the first one.
    pub fn skip(&mut self) {
        self.last = None;
    }

    /// Time of `now` on the performance panel's axis, in seconds.
    pub fn seconds(&self, now: Instant) -> f64 {
        (now - self.started).as_secs_f64()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skipped_time_does_not_count() {
        let (mut clock, start) = (FrameClock::new(), Instant::now());
        clock.tick(start);
        clock.skip();
        assert_eq!(clock.tick(start + Duration::from_secs(5)), Duration::ZERO);
        assert_eq!(clock.tick(start + Duration::from_secs(6)), Duration::from_secs(1));
    }

    #[test]
    fn frames_are_at_least_one_display_interval_apart() {
        let mut pacing = Pacing::new(Some(50_000));
        let start = Instant::now();
        pacing.start_frame(start);
        pacing.request(start + Duration::from_millis(3), Duration::ZERO);
        assert_eq!(pacing.due(), Some(start + Duration::from_millis(20)));
    }

    #[test]
    fn nothing_is_due_without_a_request() {
        let mut pacing = Pacing::new(None);
        pacing.request(Instant::now(), Duration::from_secs(1));
        assert!(pacing.due().is_some());
        pacing.start_frame(Instant::now());
        assert_eq!(pacing.due(), None);
        pacing.request(Instant::now(), Duration::MAX);
        assert_eq!(pacing.due(), None, "egui's delay if it needs no frame");
    }
}

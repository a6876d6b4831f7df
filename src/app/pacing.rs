//! When the next frame is due: at the display's rate while something moves, on input, when egui asks, and else never.
//! Software Vulkan does not wait for the display, so the waiting is done here.

use std::time::{Duration, Instant};

/// Where the display does not tell its rate.
const USUAL_RATE_MILLIHERTZ: u32 = 60_000;

#[derive(Debug, Clone, Copy)]
pub struct Pacing {
    interval: Duration,
    last: Option<Instant>,
    due: Option<Instant>,
}

impl Pacing {
    pub fn new(refresh_rate_millihertz: Option<u32>) -> Self {
        let rate = refresh_rate_millihertz.filter(|&rate| rate > 1000).unwrap_or(USUAL_RATE_MILLIHERTZ);
        Self { interval: Duration::from_secs_f64(1000.0 / f64::from(rate)), last: None, due: None }
    }

    /// A frame begins now; whatever was due is served by it.
    pub fn begin(&mut self, now: Instant) {
        self.last = Some(now);
        self.due = None;
    }

    /// Asks for a frame after `delay`, though never sooner than one interval after the last one began.
    pub fn ask(&mut self, now: Instant, delay: Duration) {
        let Some(wanted) = now.checked_add(delay) else { return };
        let wanted = self.last.map_or(wanted, |last| wanted.max(last + self.interval));
        self.due = Some(self.due.map_or(wanted, |due| due.min(wanted)));
    }

    /// When to wake up; none: only on input.
    pub fn due(&self) -> Option<Instant> {
        self.due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_never_follows_sooner_than_the_display_shows_it() {
        let mut pacing = Pacing::new(Some(50_000));
        let start = Instant::now();
        pacing.begin(start);
        pacing.ask(start + Duration::from_millis(3), Duration::ZERO);
        assert_eq!(pacing.due(), Some(start + Duration::from_millis(20)));
    }

    #[test]
    fn without_a_wish_nothing_is_due() {
        let mut pacing = Pacing::new(None);
        pacing.ask(Instant::now(), Duration::from_secs(1));
        assert!(pacing.due().is_some());
        pacing.begin(Instant::now());
        assert_eq!(pacing.due(), None);
        pacing.ask(Instant::now(), Duration::MAX);
        assert_eq!(pacing.due(), None, "egui's way of saying never");
    }
}

//! Lowers the quality of moving pictures on a software rasterizer until a frame takes at most [`MAX_FRAME_MS`]. A still picture always has
//! full quality. A higher quality is tried if its frames are estimated to fit: with [`STEP_COST_RATIO`] as long as it was never drawn, and
//! otherwise by its last measured cost, which must be at most [`MAX_RISE_RATIO`] of [`MAX_FRAME_MS`].

use super::quality::{Omissions, Quality};
use super::stillness::Motion;

/// Longest frame of a moving picture, in milliseconds: 20 pictures per second.
const MAX_FRAME_MS: f32 = 50.0;
/// Estimated cost of a quality that is not measured, relative to the next lower one. On software rasterizers, MSAA with four samples costs
/// 2 to 4.5 times as much as one sample; other steps cost less.
const STEP_COST_RATIO: f32 = 2.5;
/// A higher quality whose cost is known is chosen if it takes at most this part of the longest frame, so that the quality does not
/// alternate.
const MAX_RISE_RATIO: f32 = 0.8;
/// Largest factor by which the cost of the current quality may change before the costs of the others are no longer known.
const MAX_KNOWN_CHANGE: f32 = 1.5;
/// The wait for another try is doubled at most this often.
const MAX_DOUBLINGS: u32 = 4;
/// Maximum cost of a lower quality, relative to the current one, at which it is worth the loss of detail.
const MAX_LOWER_COST_RATIO: f32 = 0.8;
/// Cost ratio at which a lower quality is given up. It is larger than [`MAX_LOWER_COST_RATIO`], so that the quality does not alternate.
const EXIT_COST_RATIO: f32 = 0.9;
/// Number of frames that are not measured after a change of quality, because they also create textures.
const UNMEASURED_FRAMES: u32 = 2;
/// Number of frames whose median is the cost of a quality. A single slow frame does not change the median.
const MEASURED_FRAMES: usize = 5;
/// Number of frames after which a quality that was too slow may be tried again. The costs may have been measured while something else, such
/// as decoding images, kept the processor busy. Each further try waits twice as long.
const RETRY_FRAMES: u32 = 300;

/// The quality of a document's moving pictures, and what is known about the costs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AdaptiveQuality {
    /// The quality of moving pictures. The first picture is drawn without MSAA, so that it appears soon.
    moving: Quality,
    /// Estimated milliseconds of a frame now, by quality. `None` if not measured, or no longer valid.
    costs: [Option<f32>; 5],
    /// Number of moving frames since the quality changed.
    frames: u32,
    /// Number of times that a quality that was too slow was tried again.
    retries: u32,
    /// Milliseconds of the last measured frames, in any order.
    recent: [f32; MEASURED_FRAMES],
    /// Motion of the last picture. `None` before the first one, and after one that was not drawn as requested.
    last: Option<Motion>,
    /// Whether the time of this frame tells the cost of the quality. The time includes waiting for the previous frame, so both pictures
    /// must have moved.
    is_measurable: bool,
    /// Factor by which the cost of the current quality has changed since it was chosen.
    change_since_measured: f32,
    /// What can be left out. `None` before the first picture.
    omissions: Option<Omissions>,
}

impl Default for AdaptiveQuality {
    fn default() -> Self {
        Self {
            moving: Quality::default(),
            costs: Default::default(),
            frames: 0,
            retries: 0,
            recent: Default::default(),
            last: None,
            is_measurable: false,
            change_since_measured: 1.0,
            omissions: None,
        }
    }
}

impl AdaptiveQuality {
    /// Returns the quality of the next picture. `is_shadow_slow` estimates whether the shadow is too slow for the first picture.
    pub fn next(&mut self, motion: Motion, omissions: Omissions, is_shadow_slow: impl FnOnce() -> bool) -> Quality {
        let needed_simplified = self.needs_simplified();
        match self.omissions.replace(omissions) {
            None if omissions.shadow && is_shadow_slow() => self.moving = Quality::Shadowless,
            Some(last) if last != omissions => {
                // The costs have changed.
                (self.costs, self.retries) = Default::default();
                self.change(match self.moving {
                    _ if omissions.meshes && needed_simplified => Quality::Simplified,
                    moving if !moving.is_available(omissions) => Quality::Plain,
                    moving => moving,
                });
            }
            _ => {}
        }
        let last = self.last.replace(motion);
        self.is_measurable = motion == Motion::Moving && last == Some(Motion::Moving);
        if motion == Motion::Still { Quality::Full } else { self.moving }
    }

    /// Returns whether simplified meshes would help: without them, moving pictures take too long.
    pub fn needs_simplified(&self) -> bool {
        let is_slow = |quality: Quality| self.costs[quality as usize].is_some_and(|cost| cost > MAX_FRAME_MS);
        self.omissions
            .is_some_and(|omissions| !omissions.meshes && is_slow(if omissions.shadow { Quality::Shadowless } else { Quality::Plain }))
    }

    /// Records that the last picture was not drawn with the quality that [`Self::next`] returned.
    pub fn ignore_frame(&mut self) {
        (self.last, self.is_measurable) = (None, false);
    }

    /// Records how long the whole frame took, in milliseconds.
    pub fn measure(&mut self, milliseconds: f32) {
        if !std::mem::take(&mut self.is_measurable) {
            return;
        }
        self.frames += 1;
        let Some(measured) = self.frames.checked_sub(UNMEASURED_FRAMES + 1).map(|measured| measured as usize) else { return };
        self.recent[measured % MEASURED_FRAMES] = milliseconds;
        if measured + 1 >= MEASURED_FRAMES {
            let mut sorted = self.recent;
            sorted.sort_by(f32::total_cmp);
            let cost = sorted[MEASURED_FRAMES / 2];
            self.update_costs(cost);
            if let Some(next) = self.choose(cost) {
                self.change(next);
            }
        }
    }

    /// Sets the cost of the current quality, and changes the costs of the others by the same factor.
    fn update_costs(&mut self, cost: f32) {
        let factor = self.costs[self.moving as usize].map_or(1.0, |last| cost / last);
        self.change_since_measured *= factor;
        for other in self.costs.iter_mut().flatten() {
            *other *= factor;
        }
        // After a large change, the costs of the others are unknown: a shadow, for example, costs much more once the pose changes.
        if !(1.0 / MAX_KNOWN_CHANGE..=MAX_KNOWN_CHANGE).contains(&self.change_since_measured) {
            self.costs = Default::default();
            self.change_since_measured = 1.0;
        }
        self.costs[self.moving as usize] = Some(cost);
    }

    /// Changes the quality.
    fn change(&mut self, quality: Quality) {
        log::debug!("quality of moving pictures: {quality:?} instead of {:?}; costs in ms: {:?}", self.moving, self.costs);
        (self.moving, self.frames, self.change_since_measured) = (quality, 0, 1.0);
        // The quality is measured again.
        self.costs[quality as usize] = None;
    }

    /// Chooses the quality that replaces the current one, which costs `cost`. Returns `None` if the current one stays. Counts retries.
    fn choose(&mut self, cost: f32) -> Option<Quality> {
        let known = |quality: Quality| self.costs[quality as usize];
        let omissions = self.omissions.unwrap_or_default();
        let lower = Quality::ALL[..self.moving as usize].iter().rev().copied().filter(|quality| quality.is_available(omissions));
        let higher = Quality::ALL[self.moving as usize + 1..].iter().copied().find(|quality| quality.is_available(omissions));
        // A quality that saves little is not worth the loss of detail.
        let saves_little = |higher: &Quality| known(*higher).is_some_and(|higher| cost > higher * EXIT_COST_RATIO);
        let saves_enough = |lower: &Quality| known(*lower).is_none_or(|lower| lower < cost * MAX_LOWER_COST_RATIO);
        let is_fast_enough = |higher: &Quality| match known(*higher) {
            Some(higher) => higher <= MAX_FRAME_MS * MAX_RISE_RATIO,
            None => cost * STEP_COST_RATIO <= MAX_FRAME_MS,
        };
        let is_slow = cost > MAX_FRAME_MS;
        let wanted = if is_slow { lower.clone().find(saves_enough).or(higher.filter(saves_little)) } else { higher.filter(is_fast_enough) };
        if wanted.is_some() || self.frames < RETRY_FRAMES << self.retries.min(MAX_DOUBLINGS) {
            return wanted.or(higher.filter(saves_little));
        }
        // MSAA is known to be expensive, so it is not tried again unless it is likely to be fast enough.
        let higher = higher.filter(|higher| *higher != Quality::Full || cost * STEP_COST_RATIO <= MAX_FRAME_MS);
        let retried = if is_slow { lower.clone().next() } else { higher };
        self.retries += u32::from(retried.is_some());
        retried
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Draws moving frames until the quality has settled. The array has the milliseconds of a frame by quality, from low to high. Nothing
    /// else can be left out.
    fn settle(quality: &mut AdaptiveQuality, [coarse, plain, full]: [f32; 3]) -> Vec<Quality> {
        settle_with(quality, [coarse, f32::NAN, f32::NAN, plain, full], Omissions::default())
    }

    /// Does the same with the cost of simplified meshes.
    fn settle_simplified(quality: &mut AdaptiveQuality, [coarse, simplified, plain, full]: [f32; 4]) -> Vec<Quality> {
        settle_with(quality, [coarse, simplified, f32::NAN, plain, full], Omissions { meshes: true, shadow: false })
    }

    /// Does the same with the costs of all qualities.
    fn settle_with(quality: &mut AdaptiveQuality, costs: [f32; 5], omissions: Omissions) -> Vec<Quality> {
        let mut used = Vec::new();
        for _ in 0..100 {
            let drawn = quality.next(Motion::Moving, omissions, || false);
            if used.last() != Some(&drawn) {
                used.push(drawn);
            }
            quality.measure(costs[drawn as usize]);
        }
        used
    }

    #[test]
    fn cheap_pictures_have_full_quality() {
        assert_eq!(settle(&mut AdaptiveQuality::default(), [4.0, 6.0, 13.0]), [Quality::Plain, Quality::Full]);
    }

    #[test]
    fn full_quality_that_turns_out_too_slow_is_tried_again_only_after_many_frames() {
        let mut quality = AdaptiveQuality::default();
        let costs = [4.0, 12.0, 70.0];
        assert_eq!(settle(&mut quality, costs), [Quality::Plain, Quality::Full, Quality::Plain]);
        assert_eq!(settle(&mut quality, costs), [Quality::Plain]);
        let again: Vec<_> = (0..3).flat_map(|_| settle(&mut quality, costs)).collect();
        assert_eq!(again.iter().filter(|used| **used == Quality::Full).count(), 1);
        (0..3).for_each(|_| drop(settle(&mut quality, [2.0, 4.0, 20.0])));
        assert_eq!(quality.next(Motion::Moving, Omissions::default(), || false), Quality::Full, "much cheaper, as after zooming out");
    }

    #[test]
    fn a_single_slow_frame_does_not_lower_the_quality() {
        let mut quality = AdaptiveQuality::default();
        settle(&mut quality, [4.0, 6.0, 20.0]);
        for frame in 0..100 {
            assert_eq!(quality.next(Motion::Moving, Omissions::default(), || false), Quality::Full, "frame {frame}");
            quality.measure(if frame % 10 == 0 { 300.0 } else { 20.0 });
        }
    }

    #[test]
    fn a_slow_start_does_not_keep_half_the_resolution() {
        let mut quality = AdaptiveQuality::default();
        settle(&mut quality, [60.0, 100.0, 200.0]);
        assert_eq!(quality.next(Motion::Moving, Omissions::default(), || false), Quality::Coarse);
        (0..4).for_each(|_| drop(settle(&mut quality, [15.0, 25.0, 100.0])));
        assert_eq!(quality.next(Motion::Moving, Omissions::default(), || false), Quality::Plain);
    }

    #[test]
    fn full_quality_is_not_tried_if_it_would_be_too_slow() {
        assert_eq!(settle(&mut AdaptiveQuality::default(), [20.0, 44.0, 190.0]), [Quality::Plain]);
    }

    #[test]
    fn pictures_that_cost_much_per_pixel_have_half_the_resolution() {
        let mut quality = AdaptiveQuality::default();
        assert_eq!(settle(&mut quality, [30.0, 90.0, 300.0]), [Quality::Plain, Quality::Coarse]);
        assert_eq!(settle(&mut quality, [8.0, 24.0, 80.0]), [Quality::Coarse, Quality::Plain], "the window is smaller");
    }

    #[test]
    fn half_the_resolution_is_not_kept_if_it_saves_little() {
        let mut quality = AdaptiveQuality::default();
        assert_eq!(settle(&mut quality, [200.0, 208.0, 412.0]), [Quality::Plain, Quality::Coarse, Quality::Plain]);
        assert_eq!(settle(&mut quality, [200.0, 208.0, 412.0]), [Quality::Plain]);
    }

    #[test]
    fn meshes_are_simplified_if_the_resolution_hardly_matters() {
        let mut quality = AdaptiveQuality::default();
        assert_eq!(settle(&mut quality, [200.0, 208.0, 412.0]), [Quality::Plain, Quality::Coarse, Quality::Plain]);
        assert!(quality.needs_simplified());
        let costs = [25.0, 32.0, 208.0, 412.0];
        assert_eq!(settle_simplified(&mut quality, costs), [Quality::Simplified]);
        assert!(!quality.needs_simplified());
        assert_eq!(settle_simplified(&mut quality, costs), [Quality::Simplified]);
    }

    #[test]
    fn simplified_meshes_that_are_too_slow_also_have_half_the_resolution() {
        let mut quality = AdaptiveQuality::default();
        let costs = [40.0, 90.0, 300.0, 900.0];
        assert_eq!(settle_simplified(&mut quality, costs), [Quality::Plain, Quality::Simplified, Quality::Coarse]);
        assert_eq!(settle_simplified(&mut quality, costs.map(|cost| cost / 2.0)), [Quality::Coarse, Quality::Simplified]);
    }

    #[test]
    fn simplified_meshes_that_arrive_late_replace_half_the_resolution() {
        let mut quality = AdaptiveQuality::default();
        assert_eq!(settle(&mut quality, [100.0, 208.0, 412.0]), [Quality::Plain, Quality::Coarse]);
        assert!(quality.needs_simplified());
        assert_eq!(settle_simplified(&mut quality, [25.0, 32.0, 208.0, 412.0]), [Quality::Simplified]);
    }

    #[test]
    fn meshes_are_not_simplified_if_the_full_ones_are_fast_enough() {
        let mut quality = AdaptiveQuality::default();
        assert_eq!(settle_simplified(&mut quality, [10.0, 20.0, 30.0, 90.0]), [Quality::Plain]);
        assert!(!quality.needs_simplified());
    }

    #[test]
    fn a_quality_that_stays_too_slow_is_tried_ever_more_rarely() {
        let mut quality = AdaptiveQuality::default();
        let slow = |quality: &mut AdaptiveQuality| {
            let used: Vec<_> = (0..30).flat_map(|_| settle_simplified(quality, [25.0, 32.0, 208.0, 412.0])).collect();
            used.iter().filter(|used| **used == Quality::Plain).count()
        };
        let tries: Vec<_> = (0..4).map(|_| slow(&mut quality)).collect();
        assert_eq!(tries, [4, 1, 0, 1], "at first, and after 300, 900, 2,100, 4,500 and 9,300 frames");
    }

    #[test]
    fn a_cost_that_varies_a_little_does_not_alternate_the_quality() {
        let mut quality = AdaptiveQuality::default();
        let used = (0..30).flat_map(|round| {
            let noise = [1.0, 0.92, 1.08][round % 3];
            settle(&mut quality, [8.0, 20.0, 52.0].map(|cost| cost * noise))
        });
        assert_eq!(used.filter(|used| *used == Quality::Full).count(), 4, "at first, and after 300, 900 and 2,100 frames");
    }

    #[test]
    fn each_quality_is_used_once_after_everything_became_slow() {
        let mut quality = AdaptiveQuality::default();
        let costs = [5.0, 6.0, 10.0, 20.0];
        assert_eq!(settle_simplified(&mut quality, costs), [Quality::Plain, Quality::Full]);
        let used = settle_simplified(&mut quality, costs.map(|cost| cost * 7.0));
        assert_eq!(used, [Quality::Full, Quality::Plain, Quality::Simplified]);
    }

    #[test]
    fn a_shadow_that_is_drawn_again_only_when_the_pose_changes_is_left_out() {
        let shadow = Omissions { shadow: true, meshes: false };
        let mut quality = AdaptiveQuality::default();
        settle_with(&mut quality, [60.0, f32::NAN, 62.0, 64.0, 190.0], shadow);
        let orbiting = [9.0, f32::NAN, 18.0, 19.0, 60.0];
        assert_eq!(settle_with(&mut quality, orbiting, shadow).last(), Some(&Quality::Plain));
        let playing = [12.0, f32::NAN, 25.0, 65.0, 130.0];
        assert_eq!(settle_with(&mut quality, playing, shadow), [Quality::Plain, Quality::Shadowless]);
    }

    #[test]
    fn half_the_resolution_is_given_up_even_if_it_is_fast_enough_when_it_saves_little() {
        let mut quality = AdaptiveQuality::default();
        assert_eq!(settle(&mut quality, [48.0, 51.0, 120.0]), [Quality::Plain, Quality::Coarse, Quality::Plain]);
        assert_eq!(settle(&mut quality, [48.0, 51.0, 120.0]), [Quality::Plain]);
    }

    #[test]
    fn lower_qualities_that_do_not_help_are_tried_ever_more_rarely() {
        let mut quality = AdaptiveQuality::default();
        let used: Vec<_> = (0..100).flat_map(|_| settle(&mut quality, [200.0, 208.0, 412.0])).collect();
        assert_eq!(
            used.iter().filter(|used| **used == Quality::Coarse).count(),
            6,
            "at first, and after 300, 900, 2,100, 4,500 and 9,300 frames"
        );
    }

    #[test]
    fn an_automatic_shadow_is_left_out_if_it_costs_too_much() {
        let shadow = Omissions { shadow: true, meshes: false };
        let costs = [20.0, f32::NAN, 35.0, 70.0, 150.0];
        let mut quality = AdaptiveQuality::default();
        assert_eq!(settle_with(&mut quality, costs, shadow), [Quality::Plain, Quality::Shadowless]);
        assert_eq!(settle_with(&mut quality, costs, Omissions::default()), [Quality::Plain, Quality::Coarse], "the user wants a shadow");
        let mut quality = AdaptiveQuality::default();
        let little = [97.0, f32::NAN, 100.0, 105.0, 300.0];
        assert_eq!(settle_with(&mut quality, little, shadow).last(), Some(&Quality::Plain), "leaving it out saves little");
    }

    #[test]
    fn the_first_picture_has_no_shadow_that_is_probably_slow() {
        let shadow = Omissions { shadow: true, meshes: false };
        let mut quality = AdaptiveQuality::default();
        assert_eq!(quality.next(Motion::Moving, shadow, || true), Quality::Shadowless);
        let fast = [3.0, f32::NAN, 6.0, 10.0, 20.0];
        assert_eq!(settle_with(&mut quality, fast, shadow), [Quality::Shadowless, Quality::Plain, Quality::Full]);
        let mut quality = AdaptiveQuality::default();
        assert_eq!(quality.next(Motion::Moving, Omissions::default(), || true), Quality::Plain);
    }

    #[test]
    fn still_pictures_always_have_full_quality() {
        let mut quality = AdaptiveQuality::default();
        settle(&mut quality, [30.0, 90.0, 300.0]);
        assert_eq!(quality.next(Motion::Pausing, Omissions::default(), || false), Quality::Coarse);
        assert_eq!(quality.next(Motion::Still, Omissions::default(), || false), Quality::Full);
    }

    #[test]
    fn frames_that_follow_a_still_picture_are_not_measured() {
        let mut quality = AdaptiveQuality::default();
        for _ in 0..100 {
            quality.next(Motion::Still, Omissions::default(), || false);
            quality.measure(1000.0);
            assert_eq!(quality.next(Motion::Moving, Omissions::default(), || false), Quality::Plain);
            quality.measure(1000.0);
        }
    }
}

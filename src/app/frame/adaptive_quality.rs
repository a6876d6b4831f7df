//! Chooses how finely a moving picture is drawn on a software rasterizer. A still picture always has full quality. A moving one has the
//! highest quality whose frames take at most [`MAX_FRAME_MS`]. What a quality costs is learned by drawing with it.

use crate::render::picture::Resolution;

use super::stillness::Motion;

/// Longest frame of a moving picture, in milliseconds: 20 pictures per second.
const MAX_FRAME_MS: f32 = 50.0;
/// Estimated cost of a quality, relative to the next lower one. The next higher quality is tried if it is estimated to be fast enough. On
/// software rasterizers, MSAA with four samples costs 2 to 4.5 times as much as one sample.
const STEP_COST_RATIO: f32 = 2.5;
/// Maximum cost of half the resolution, relative to the full one, at which it is worth the loss of detail.
const MAX_COARSE_COST_RATIO: f32 = 0.8;
/// Cost ratio at which half the resolution is given up. It is larger than [`MAX_COARSE_COST_RATIO`], so that the quality does not
/// alternate.
const COARSE_EXIT_COST_RATIO: f32 = 0.9;
/// Number of frames that are not measured after a change of quality, because they also create textures.
const UNMEASURED_FRAMES: u32 = 2;
/// Number of frames whose median is the cost of a quality. A single slow frame does not change the median.
const MEASURED_FRAMES: usize = 5;
/// Number of frames after which a quality that was too slow may be tried again. The costs may have been measured while something else, such
/// as decoding images, kept the processor busy.
const RETRY_FRAMES: u32 = 300;

/// How finely a picture is drawn. From low to high.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Quality {
    /// Half resolution along each side, without MSAA.
    Coarse,
    /// Full resolution without MSAA.
    #[default]
    Plain,
    /// Full resolution with MSAA.
    Full,
}

impl Quality {
    /// Returns the number of MSAA samples per pixel. `full` is that of full quality.
    pub fn samples(self, full: u32) -> u32 {
        if self == Self::Full { full } else { 1 }
    }

    /// Returns the resolution of the scene.
    pub fn resolution(self) -> Resolution {
        if self == Self::Coarse { Resolution::Reduced(2) } else { Resolution::FULL }
    }
}

/// The quality of a document's moving pictures, and what is known about the costs.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct AdaptiveQuality {
    /// The quality of moving pictures. The first picture is drawn without MSAA, so that it appears soon.
    moving: Quality,
    /// Milliseconds of a frame by quality. `None` if not measured, or no longer valid.
    costs: [Option<f32>; 3],
    /// Number of moving frames since the quality changed.
    frames: u32,
    /// Milliseconds of the last measured frames, in any order.
    recent: [f32; MEASURED_FRAMES],
    /// Motion of the last picture. `None` before the first one, and after one that was not drawn as requested.
    last: Option<Motion>,
    /// Whether the time of this frame tells the cost of the quality. The time includes waiting for the previous frame, so both pictures
    /// must have moved.
    is_measurable: bool,
}

impl AdaptiveQuality {
    /// Returns the quality of the next picture.
    pub fn next(&mut self, motion: Motion) -> Quality {
        let last = self.last.replace(motion);
        self.is_measurable = motion == Motion::Moving && last == Some(Motion::Moving);
        if motion == Motion::Still { Quality::Full } else { self.moving }
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
            self.choose(sorted[MEASURED_FRAMES / 2]);
        }
    }

    /// Changes the quality if another one is better. `cost` is that of the current one.
    fn choose(&mut self, cost: f32) {
        self.costs[self.moving as usize] = Some(cost);
        let is_slow = cost > MAX_FRAME_MS;
        let may_rise = cost * STEP_COST_RATIO <= MAX_FRAME_MS;
        let is_retry = self.frames >= RETRY_FRAMES;
        let [coarse, plain, full] = self.costs;
        let next = match self.moving {
            Quality::Full if is_slow => Quality::Plain,
            Quality::Plain if is_slow && (is_retry || coarse.is_none_or(|coarse| coarse < cost * MAX_COARSE_COST_RATIO)) => Quality::Coarse,
            Quality::Plain if may_rise && (is_retry || full.is_none_or(|full| full <= MAX_FRAME_MS)) => Quality::Full,
            Quality::Coarse if may_rise || is_retry || plain.is_some_and(|plain| cost > plain * COARSE_EXIT_COST_RATIO) => Quality::Plain,
            unchanged => unchanged,
        };
        if next != self.moving {
            log::debug!("quality of moving pictures: {next:?} instead of {:?}, which takes {cost:.0} ms per frame", self.moving);
            (self.moving, self.frames) = (next, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Draws moving frames until the quality has settled. `costs` are the milliseconds of a frame by quality, from low to high.
    fn settle(quality: &mut AdaptiveQuality, costs: [f32; 3]) -> Vec<Quality> {
        let mut used = Vec::new();
        for _ in 0..100 {
            let drawn = quality.next(Motion::Moving);
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
        assert_eq!(quality.next(Motion::Moving), Quality::Full, "much cheaper, as after zooming out");
    }

    #[test]
    fn a_single_slow_frame_does_not_lower_the_quality() {
        let mut quality = AdaptiveQuality::default();
        settle(&mut quality, [4.0, 6.0, 20.0]);
        for frame in 0..100 {
            assert_eq!(quality.next(Motion::Moving), Quality::Full, "frame {frame}");
            quality.measure(if frame % 10 == 0 { 300.0 } else { 20.0 });
        }
    }

    #[test]
    fn a_slow_start_does_not_keep_half_the_resolution() {
        let mut quality = AdaptiveQuality::default();
        settle(&mut quality, [60.0, 100.0, 200.0]);
        assert_eq!(quality.next(Motion::Moving), Quality::Coarse);
        (0..4).for_each(|_| drop(settle(&mut quality, [15.0, 25.0, 100.0])));
        assert_eq!(quality.next(Motion::Moving), Quality::Plain);
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
    fn still_pictures_always_have_full_quality() {
        let mut quality = AdaptiveQuality::default();
        settle(&mut quality, [30.0, 90.0, 300.0]);
        assert_eq!(quality.next(Motion::Pausing), Quality::Coarse);
        assert_eq!(quality.next(Motion::Still), Quality::Full);
    }

    #[test]
    fn frames_that_follow_a_still_picture_are_not_measured() {
        let mut quality = AdaptiveQuality::default();
        for _ in 0..100 {
            quality.next(Motion::Still);
            quality.measure(1000.0);
            assert_eq!(quality.next(Motion::Moving), Quality::Plain);
            quality.measure(1000.0);
        }
    }
}

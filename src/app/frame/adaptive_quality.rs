//! Chooses how finely a moving picture is drawn on a software rasterizer. A still picture always has full quality. A moving one has the
//! highest quality whose frames take at most [`MAX_FRAME_MS`]. What a quality costs is learned by drawing with it.

use crate::render::picture::Resolution;

use super::stillness::Motion;

/// Longest frame of a moving picture, in milliseconds: 20 pictures per second.
const MAX_FRAME_MS: f32 = 50.0;
/// Estimated cost of a quality, relative to the next lower one. On software rasterizers, MSAA with four samples costs 2 to 4.5 times as much
/// as one sample, and the full resolution at most four times as much as half of it.
const STEP_COST: f32 = 4.0;
/// Maximum cost of a lower quality that is worth it, relative to the next higher one.
const WORTHWHILE: f32 = 0.8;
/// Number of frames that are not measured after a change of quality, because they also create textures.
const UNMEASURED_FRAMES: u32 = 2;
/// Number of frames that are measured before the quality changes.
const MEASURED_FRAMES: u32 = 4;

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
    /// Cost of the plain quality when the full quality was found too expensive. If the plain quality becomes much cheaper, for example
    /// because the user has zoomed out, the full quality is tried again.
    plain_at_refusal: f32,
    /// Motion of the last picture. `None` before the first one, and after one that was not drawn as requested.
    last: Option<Motion>,
    /// Whether the time of this frame tells the cost of the quality: waiting for the previous frame is part of it, so both pictures must
    /// have moved.
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
        if self.frames <= UNMEASURED_FRAMES {
            return;
        }
        let cost = self.cost(self.moving).map_or(milliseconds, |known| known * 0.7 + milliseconds * 0.3);
        self.costs[self.moving as usize] = Some(cost);
        if self.frames >= UNMEASURED_FRAMES + MEASURED_FRAMES {
            self.choose(cost);
        }
    }

    /// Changes the quality if another one is better. `cost` is that of the current one.
    fn choose(&mut self, cost: f32) {
        let is_slow = cost > MAX_FRAME_MS;
        let may_rise = cost * STEP_COST <= MAX_FRAME_MS;
        let is_affordable = |cost: Option<f32>| cost.is_none_or(|cost| cost <= MAX_FRAME_MS);
        if self.moving == Quality::Plain && cost < self.plain_at_refusal / 2.0 {
            self.costs[Quality::Full as usize] = None;
        }
        let next = match self.moving {
            Quality::Full if is_slow => {
                self.plain_at_refusal = self.cost(Quality::Plain).unwrap_or(f32::MAX);
                Quality::Plain
            }
            Quality::Plain if is_slow && self.cost(Quality::Coarse).is_none_or(|coarse| coarse < cost * WORTHWHILE) => Quality::Coarse,
            Quality::Plain if may_rise && is_affordable(self.cost(Quality::Full)) => Quality::Full,
            Quality::Coarse if self.cost(Quality::Plain).is_some_and(|plain| cost > plain * WORTHWHILE) => Quality::Plain,
            Quality::Coarse if may_rise => Quality::Plain,
            unchanged => unchanged,
        };
        if next != self.moving {
            (self.moving, self.frames) = (next, 0);
            // The costs of the new quality are measured again.
            if next != Quality::Full {
                self.costs[next as usize] = None;
            }
        }
    }

    /// Returns the milliseconds of a frame with this quality. `None` if not measured.
    fn cost(&self, quality: Quality) -> Option<f32> {
        self.costs[quality as usize]
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
    fn full_quality_that_turns_out_too_slow_is_tried_once() {
        let mut quality = AdaptiveQuality::default();
        assert_eq!(settle(&mut quality, [4.0, 12.0, 70.0]), [Quality::Plain, Quality::Full, Quality::Plain]);
        assert_eq!(settle(&mut quality, [4.0, 12.0, 70.0]), [Quality::Plain]);
        assert_eq!(settle(&mut quality, [2.0, 4.0, 20.0]), [Quality::Plain, Quality::Full], "much cheaper, as after zooming out");
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
        assert_eq!(settle(&mut quality, [190.0, 208.0, 412.0]), [Quality::Plain, Quality::Coarse, Quality::Plain]);
        assert_eq!(settle(&mut quality, [190.0, 208.0, 412.0]), [Quality::Plain]);
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

//! Decides how to draw the picture of an open document: with which quality and how many ghosts, or not again because it has not changed. A
//! moving picture on a software rasterizer may have a lower quality and fewer ghosts than a still one.

use std::time::Instant;

use super::adaptive_quality::AdaptiveQuality;
use super::progressive_ghosts::{GhostDrawing, ProgressiveGhosts};
use super::quality::{Omissions, Quality};
use super::stillness::{Motion, PictureState, Stillness};

/// What is remembered about the last pictures of a document.
#[derive(Debug, Clone, Default)]
pub struct MovingPicture {
    /// Whether the picture has changed. Call its `forget` if a change is not part of [`PictureState`], such as a new texture.
    pub stillness: Stillness,
    /// The progress of drawing the ghosts of the onion skin.
    pub ghosts: ProgressiveGhosts,
    /// The quality of moving pictures.
    pub quality: AdaptiveQuality,
    /// Whether simplifying the meshes was started.
    simplification_started: bool,
    /// Whether the last frame was presented. It is not while the window is hidden.
    pub is_presented: bool,
    /// Whether the picture has a lower quality and is drawn again once it is still.
    pub is_sharpened_later: bool,
}

/// The conditions for drawing a picture.
#[derive(Debug, Clone, Copy)]
pub struct Conditions {
    /// Number of ghosts.
    pub ghosts: usize,
    /// Number of ghosts that can be drawn in one frame.
    pub max_ghosts: usize,
    /// Whether a graphics card draws.
    pub is_hardware: bool,
    /// Whether the user allows a lower quality for moving pictures.
    pub may_lower_quality: bool,
    /// What a lower quality can leave out.
    pub omissions: Omissions,
    /// Whether another model is compared with this one. Such a picture is always drawn, with all ghosts.
    pub is_comparison: bool,
}

/// How to draw a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Drawing {
    pub ghosts: GhostDrawing,
    pub quality: Quality,
    /// Whether the last picture can be shown again.
    pub repeats: bool,
}

impl MovingPicture {
    /// Decides how to draw the next picture. `state` is called only if it matters whether the picture has changed, and `is_shadow_slow`,
    /// which estimates whether the shadow is too slow for the first picture, only for that picture.
    pub fn next_drawing<S: PartialEq<PictureState> + Into<PictureState>>(
        &mut self,
        conditions: Conditions,
        state: impl FnOnce() -> S,
        is_shadow_slow: impl FnOnce() -> bool,
        now: Instant,
    ) -> Drawing {
        let Conditions { ghosts, max_ghosts, is_hardware, may_lower_quality, omissions, is_comparison } = conditions;
        // A graphics card that can draw all ghosts in one frame draws every picture completely, whether the picture moves or not.
        let motion = if is_hardware && max_ghosts >= ghosts { Motion::Moving } else { self.stillness.next(state(), now) };
        let ghosts = if is_comparison { GhostDrawing::AtOnce } else { self.ghosts.next_drawing(max_ghosts, ghosts, motion) };
        // All chunks of ghosts are drawn into the same targets, so the quality must not change from chunk to chunk. Chunks are drawn only
        // while the picture is still, so they have full quality.
        let quality = if may_lower_quality && !is_hardware { self.quality.next(motion, omissions, is_shadow_slow) } else { Quality::Full };
        self.is_sharpened_later = quality != Quality::Full;
        Drawing { ghosts, quality, repeats: motion != Motion::Moving && !is_comparison && ghosts == GhostDrawing::AtOnce }
    }

    /// Returns whether to start simplifying the meshes now. It is true once, when a moving picture first needs simplified meshes.
    pub fn starts_simplification(&mut self, conditions: Conditions) -> bool {
        // A comparison does not use simplified meshes.
        let starts = !conditions.is_comparison && self.quality.needs_simplified() && !self.simplification_started;
        self.simplification_started |= starts;
        starts
    }

    /// Records whether the picture was drawn, and whether it shows an older state because pipelines are still being made.
    pub fn drawn(&mut self, is_drawn: bool, is_outdated: bool) {
        self.is_presented = is_drawn;
        if !is_drawn {
            self.stillness.forget();
            self.is_sharpened_later = false;
        }
        if !is_drawn || is_outdated {
            self.quality.ignore_frame();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::app::frame::pacing::UNNOTICED_DELAY;

    /// The state of a picture that never changes.
    fn state() -> PictureState {
        PictureState::empty(None)
    }

    /// A software rasterizer that may lower the quality, and no ghosts.
    const SOFTWARE: Conditions = Conditions {
        ghosts: 0,
        max_ghosts: 2,
        is_hardware: false,
        may_lower_quality: true,
        omissions: Omissions { shadow: false, meshes: false },
        is_comparison: false,
    };

    /// Decides how to draw a picture that has not changed since `start`, at three times: when it appears, when it pauses, and when it is
    /// still.
    fn drawings(moving: &mut MovingPicture, conditions: Conditions, start: Instant) -> [Drawing; 3] {
        [Duration::ZERO, UNNOTICED_DELAY / 2, UNNOTICED_DELAY].map(|delay| {
            let drawing = moving.next_drawing(conditions, state, || false, start + delay);
            assert_eq!(moving.is_sharpened_later, drawing.quality != Quality::Full, "{conditions:?}");
            drawing
        })
    }

    #[test]
    fn the_drawing_follows_from_conditions_and_motion() {
        use GhostDrawing::{AtOnce, InChunks, Nearest};
        use Quality::{Full, Plain};
        let fixed = Conditions { may_lower_quality: false, ..SOFTWARE };
        let hardware = Conditions { is_hardware: true, ..SOFTWARE };
        let table = [
            (SOFTWARE, [(AtOnce, Plain, false), (AtOnce, Plain, true), (AtOnce, Full, true)]),
            (Conditions { ghosts: 2, ..SOFTWARE }, [(AtOnce, Plain, false), (AtOnce, Plain, true), (AtOnce, Full, true)]),
            (Conditions { ghosts: 6, ..SOFTWARE }, [(Nearest(2), Plain, false), (Nearest(2), Plain, false), (InChunks, Full, false)]),
            (
                Conditions { is_comparison: true, ghosts: 6, ..SOFTWARE },
                [(AtOnce, Plain, false), (AtOnce, Plain, false), (AtOnce, Full, false)],
            ),
            (fixed, [(AtOnce, Full, false), (AtOnce, Full, true), (AtOnce, Full, true)]),
            (Conditions { ghosts: 6, ..fixed }, [(Nearest(2), Full, false), (Nearest(2), Full, false), (InChunks, Full, false)]),
            (hardware, [(AtOnce, Full, false); 3]),
            (Conditions { ghosts: 6, ..hardware }, [(Nearest(2), Full, false), (Nearest(2), Full, false), (InChunks, Full, false)]),
            (Conditions { is_comparison: true, ghosts: 6, ..hardware }, [(AtOnce, Full, false); 3]),
        ];
        for (conditions, expected) in table {
            let expected = expected.map(|(ghosts, quality, repeats)| Drawing { ghosts, quality, repeats });
            assert_eq!(drawings(&mut MovingPicture::default(), conditions, Instant::now()), expected, "{conditions:?}");
        }
    }

    #[test]
    fn a_graphics_card_that_draws_all_ghosts_at_once_does_not_copy_the_state() {
        let conditions = Conditions { ghosts: 2, is_hardware: true, ..SOFTWARE };
        let unused = || -> PictureState { panic!("the state is not needed") };
        MovingPicture::default().next_drawing(conditions, unused, || false, Instant::now());
    }

    #[test]
    fn a_picture_that_was_not_drawn_as_requested_is_drawn_again_and_not_measured() {
        for (is_drawn, is_outdated) in [(true, false), (true, true), (false, false), (false, true)] {
            let (mut moving, start) = (MovingPicture::default(), Instant::now());
            moving.next_drawing(SOFTWARE, state, || false, start);
            let mut quality = moving.quality;
            moving.drawn(is_drawn, is_outdated);
            if !is_drawn || is_outdated {
                quality.ignore_frame();
            }
            assert_eq!(moving.quality, quality, "{is_drawn} {is_outdated}");
            assert_eq!((moving.is_presented, moving.is_sharpened_later), (is_drawn, is_drawn), "{is_drawn} {is_outdated}");
            let again = moving.next_drawing(SOFTWARE, state, || false, start + UNNOTICED_DELAY / 2);
            assert_eq!(again.repeats, is_drawn, "a picture that was not drawn cannot be shown again");
        }
    }
}

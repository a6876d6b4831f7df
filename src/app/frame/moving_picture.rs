//! Decides how to draw the picture of an open document: with which quality and how many ghosts, or not again because it has not changed. A
//! moving picture on a software rasterizer may have a lower quality and fewer ghosts than a still one.

use std::time::Instant;

use super::adaptive_quality::{AdaptiveQuality, Omissions, Quality};
use super::progressive_ghosts::{GhostDrawing, ProgressiveGhosts};
use super::stillness::{Motion, PictureState, Stillness};

/// What is remembered about the last pictures of a document.
#[derive(Debug, Clone, Default)]
pub struct MovingPicture {
    /// Whether the picture has changed. Call its `forget` if a change is not part of [`PictureState`], such as that of a texture.
    pub stillness: Stillness,
    /// The progress of drawing the ghosts of the onion skin.
    pub ghosts: ProgressiveGhosts,
    /// The quality of moving pictures.
    pub quality: AdaptiveQuality,
    /// Whether simplifying the meshes was started.
    pub simplification_started: bool,
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
    pub fn next_drawing(
        &mut self,
        conditions: Conditions,
        state: impl FnOnce() -> PictureState,
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

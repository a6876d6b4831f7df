//! Decides how to draw an onion skin with more ghosts than fit into one frame. While the picture moves, only the nearest ghosts are
//! drawn. Once it is still, all of them are drawn in chunks over several frames, so that the window stays responsive.

use std::time::Duration;

use super::pacing::UNNOTICED_DELAY;
use super::stillness::Motion;

/// How to draw a picture with ghosts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GhostDrawing {
    /// All ghosts in one frame.
    AtOnce,
    /// Only this many of the nearest ghosts.
    Nearest(usize),
    /// All ghosts, in chunks over several frames.
    InChunks,
}

/// How many ghosts the picture shows.
#[derive(Debug, Clone, Default)]
pub struct ProgressiveGhosts {
    /// Number of ghosts drawn; `None` if all were.
    pub drawn: Option<usize>,
    /// Delay until more ghosts can be drawn. `None` if no ghost is left to draw.
    pub next: Option<Duration>,
}

impl ProgressiveGhosts {
    /// Decides how to draw the next picture, with `count` ghosts of which `max_per_frame` can be drawn in one frame.
    pub fn next_drawing(&mut self, max_per_frame: usize, count: usize, motion: Motion) -> GhostDrawing {
        if max_per_frame >= count {
            *self = Self::default();
            return GhostDrawing::AtOnce;
        }
        if motion == Motion::Still {
            // Each chunk that is drawn requests the next one.
            self.next = None;
            return GhostDrawing::InChunks;
        }
        (self.drawn, self.next) = (Some(max_per_frame), Some(UNNOTICED_DELAY));
        GhostDrawing::Nearest(max_per_frame)
    }

    /// Records that a chunk was drawn. `is_waiting` is true if the chunk needs a pipeline that is still being compiled. The pipeline
    /// requests a frame when it is ready.
    pub fn chunk_drawn(&mut self, is_complete: bool, is_waiting: bool) {
        if is_complete {
            self.drawn = None;
        }
        self.next = (!is_complete && !is_waiting).then_some(Duration::ZERO);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_ghosts_are_drawn_once_the_picture_is_still() {
        let mut progress = ProgressiveGhosts::default();
        assert_eq!(progress.next_drawing(2, 6, Motion::Moving), GhostDrawing::Nearest(2));
        assert_eq!(progress.next_drawing(2, 6, Motion::Pausing), GhostDrawing::Nearest(2), "not long enough");
        assert_eq!(progress.next_drawing(2, 6, Motion::Still), GhostDrawing::InChunks);
        assert_eq!(progress.next_drawing(2, 6, Motion::Moving), GhostDrawing::Nearest(2));
        assert_eq!((progress.drawn, progress.next), (Some(2), Some(UNNOTICED_DELAY)));
        progress.chunk_drawn(false, false);
        assert_eq!((progress.drawn, progress.next), (Some(2), Some(Duration::ZERO)));
        progress.chunk_drawn(true, false);
        assert_eq!((progress.drawn, progress.next), (None, None));
    }

    #[test]
    fn a_chunk_that_cannot_be_drawn_is_not_requested_again() {
        let mut progress = ProgressiveGhosts::default();
        progress.next_drawing(2, 6, Motion::Moving);
        assert_eq!(progress.next_drawing(2, 6, Motion::Still), GhostDrawing::InChunks);
        assert_eq!((progress.drawn, progress.next), (Some(2), None));
        // The first chunk is drawn and requests the second one, which waits for a pipeline.
        progress.chunk_drawn(false, false);
        assert_eq!(progress.next, Some(Duration::ZERO));
        progress.next_drawing(2, 6, Motion::Still);
        progress.chunk_drawn(false, true);
        assert_eq!((progress.drawn, progress.next), (Some(2), None), "the pipeline requests the next frame");
        // Once the pipeline is ready, the chunks go on.
        progress.next_drawing(2, 6, Motion::Still);
        progress.chunk_drawn(false, false);
        assert_eq!((progress.drawn, progress.next), (Some(2), Some(Duration::ZERO)));
        progress.chunk_drawn(true, true);
        assert_eq!((progress.drawn, progress.next), (None, None));
    }

    #[test]
    fn few_ghosts_are_always_drawn_at_once() {
        let mut progress = ProgressiveGhosts::default();
        assert_eq!(progress.next_drawing(6, 6, Motion::Moving), GhostDrawing::AtOnce);
        assert_eq!((progress.drawn, progress.next), (None, None));
    }
}

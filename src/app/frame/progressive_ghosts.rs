//! Decides how to draw an onion skin with more ghosts than fit into one frame. While the picture moves, only the nearest ghosts are
//! drawn. Once it is still, all of them are drawn in chunks over several frames, so that the window stays responsive.

use std::time::{Duration, Instant};

use glam::{DVec3, Vec4};

use crate::animation::hierarchy::skinning::JointMatrix;
use crate::camera::{Bounds, Camera};
use crate::render::actor::Actor;
use crate::render::annotations::line::{Line, Theme};
use crate::render::annotations::skeleton::SolidJoint;
use crate::render::picture::Picture;
use crate::session::time::moment::Moment;
use crate::session::view::View;

use super::pacing::UNNOTICED_DELAY;

/// Everything that the picture of an open model depends on: two equal values give the same picture.
#[derive(Debug, Clone, PartialEq)]
pub struct PictureState {
    pub view: View,
    pub moment: Moment,
    /// Joint palettes of the body and of each ghost. The palettes of a crowd follow from the view, the moment and the bounds.
    pub palettes: Vec<Vec<JointMatrix>>,
    /// The point that the palettes are relative to, in world space.
    pub anchor: DVec3,
    pub camera: Camera,
    /// Bounds of everything that is shown. The sizes of axes and shadow depend on them.
    pub bounds: Bounds,
    /// Rectangle of the viewport, in points.
    pub viewport: egui::Rect,
    pub pixels_per_point: f32,
    pub theme: Theme,
    /// The skeleton as lines and solid joints.
    pub lines: Vec<Line>,
    pub solid_joints: Vec<SolidJoint>,
    /// Colors of a heat map, by palette entry.
    pub tints: Vec<Vec4>,
}

impl PictureState {
    /// Copies the parts of the picture and its actors that can change. `viewport` is in points. `actors` are the body, then its ghosts.
    pub fn new(view: &View, moment: Moment, viewport: egui::Rect, picture: &Picture, actors: &[Actor]) -> Self {
        Self {
            view: view.clone(),
            moment,
            palettes: actors.iter().map(|actor| actor.palettes_of(&(0..1)).to_vec()).collect(),
            anchor: picture.anchor,
            camera: *picture.camera,
            bounds: picture.bounds,
            viewport,
            pixels_per_point: picture.pixels_per_point,
            theme: picture.theme.clone(),
            lines: picture.lines.to_vec(),
            solid_joints: picture.solid_joints.to_vec(),
            tints: actors.iter().flat_map(|actor| actor.tints.iter().copied()).collect(),
        }
    }
}

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

/// Whether the picture is still, and how many ghosts it shows.
#[derive(Debug, Clone, Default)]
pub struct ProgressiveGhosts {
    /// The last picture, and when it was drawn first.
    last: Option<(PictureState, Instant)>,
    /// Number of ghosts drawn; `None` if all were.
    pub drawn: Option<usize>,
    /// Delay until more ghosts can be drawn. `None` if no ghost is left to draw.
    pub next: Option<Duration>,
}

impl ProgressiveGhosts {
    /// Decides how to draw the next picture, with `count` ghosts of which `max_per_frame` can be drawn in one frame. `state` returns the
    /// state of the picture; it is called only if not all ghosts fit into one frame.
    pub fn next_drawing(&mut self, max_per_frame: usize, count: usize, state: impl FnOnce() -> PictureState, now: Instant) -> GhostDrawing {
        if max_per_frame >= count {
            *self = Self::default();
            return GhostDrawing::AtOnce;
        }
        let state = state();
        match &self.last {
            Some((last, start)) if *last == state && now - *start >= UNNOTICED_DELAY => {
                // Each chunk that is drawn requests the next one.
                self.next = None;
                return GhostDrawing::InChunks;
            }
            Some((last, _)) if *last == state => {}
            _ => self.last = Some((state, now)),
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
    use crate::camera::Projection;

    fn state(time: f64) -> PictureState {
        let projection = Projection::Orthographic { ymag: 1.0, xmag: None, depth: 1.0 };
        PictureState {
            view: View::default(),
            moment: Moment::from(time),
            palettes: Vec::new(),
            anchor: DVec3::ZERO,
            camera: Camera::look_at(DVec3::Z, DVec3::ZERO, DVec3::Y, projection, 0.0),
            bounds: Bounds::EMPTY,
            viewport: egui::Rect::ZERO,
            pixels_per_point: 1.0,
            theme: Theme::DARK,
            lines: Vec::new(),
            solid_joints: Vec::new(),
            tints: Vec::new(),
        }
    }

    #[test]
    fn all_ghosts_are_drawn_once_the_picture_is_still() {
        let (mut progress, start) = (ProgressiveGhosts::default(), Instant::now());
        let mut drawing = |time, after| progress.next_drawing(2, 6, || state(time), start + after);
        assert_eq!(drawing(0.0, Duration::ZERO), GhostDrawing::Nearest(2));
        assert_eq!(drawing(0.5, UNNOTICED_DELAY), GhostDrawing::Nearest(2), "it has moved");
        assert_eq!(drawing(0.5, UNNOTICED_DELAY * 3 / 2), GhostDrawing::Nearest(2), "not long enough");
        assert_eq!(drawing(0.5, UNNOTICED_DELAY * 2), GhostDrawing::InChunks);
        assert_eq!(drawing(0.6, UNNOTICED_DELAY * 3), GhostDrawing::Nearest(2));
        assert_eq!((progress.drawn, progress.next), (Some(2), Some(UNNOTICED_DELAY)));
        progress.chunk_drawn(false, false);
        assert_eq!((progress.drawn, progress.next), (Some(2), Some(Duration::ZERO)));
        progress.chunk_drawn(true, false);
        assert_eq!((progress.drawn, progress.next), (None, None));
    }

    #[test]
    fn a_chunk_that_cannot_be_drawn_is_not_requested_again() {
        let (mut progress, start) = (ProgressiveGhosts::default(), Instant::now());
        progress.next_drawing(2, 6, || state(0.0), start);
        assert_eq!(progress.next_drawing(2, 6, || state(0.0), start + UNNOTICED_DELAY), GhostDrawing::InChunks);
        assert_eq!((progress.drawn, progress.next), (Some(2), None));
    }

    #[test]
    fn other_bounds_make_another_picture() {
        let (mut progress, start) = (ProgressiveGhosts::default(), Instant::now());
        progress.next_drawing(2, 6, || state(0.0), start);
        let bounds = Bounds { min: DVec3::ZERO, max: DVec3::ONE };
        let measured = || PictureState { bounds, ..state(0.0) };
        assert_eq!(progress.next_drawing(2, 6, measured, start + UNNOTICED_DELAY), GhostDrawing::Nearest(2));
    }

    #[test]
    fn few_ghosts_are_always_drawn_at_once() {
        let mut progress = ProgressiveGhosts::default();
        assert_eq!(progress.next_drawing(6, 6, || state(0.0), Instant::now()), GhostDrawing::AtOnce);
        assert_eq!((progress.drawn, progress.next), (None, None));
    }
}

//! Ghosts that are too many for a picture that moves: while it does it has the nearest of them, and when it stands still all, step
//! by step. Between the steps the window answers.

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

use super::frame::UNNOTICED;

/// All that a picture of an open model depends on.
#[derive(Debug, Clone, PartialEq)]
pub struct Pictured {
    pub view: View,
    pub moment: Moment,
    /// Of the body and of each ghost. Those of the others in a crowd follow from the view, the moment and the bounds.
    pub palettes: Vec<Vec<JointMatrix>>,
    pub anchor: DVec3,
    pub camera: Camera,
    /// Of all that is shown: axes and shadow fit them.
    pub bounds: Bounds,
    /// Points of the window, and pixels to the point.
    pub viewport: egui::Rect,
    pub pixels_per_point: f32,
    pub theme: Theme,
    pub lines: Vec<Line>,
    pub solids: Vec<SolidJoint>,
    pub tints: Vec<Vec4>,
}

impl Pictured {
    /// `viewport`: points of the window. `actors`: the body, then its ghosts.
    pub fn of(view: &View, moment: Moment, viewport: egui::Rect, picture: &Picture, actors: &[Actor]) -> Self {
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
            solids: picture.solids.to_vec(),
            tints: actors.iter().flat_map(|actor| actor.tints.iter().copied()).collect(),
        }
    }
}

/// How a picture with ghosts is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    AtOnce,
    /// With so many of its ghosts.
    Moving(usize),
    InSteps,
}

#[derive(Debug, Clone, Default)]
pub struct Stillness {
    /// What the last picture showed, and since when.
    last: Option<(Pictured, Instant)>,
    /// How many ghosts it had; none: all.
    pub ghosts: Option<usize>,
    /// When there can be more of them.
    pub again: Option<Duration>,
}

impl Stillness {
    /// `at_once`: how many of `ghosts` may be drawn while it moves.
    pub fn pace(&mut self, [at_once, ghosts]: [usize; 2], shown: impl FnOnce() -> Pictured, now: Instant) -> Pace {
        if at_once >= ghosts {
            *self = Self::default();
            return Pace::AtOnce;
        }
        let shown = shown();
        match &self.last {
            Some((last, since)) if *last == shown && now - *since >= UNNOTICED => {
                // The step itself asks for the next one. Where none can be drawn, nothing is due.
                self.again = None;
                return Pace::InSteps;
            }
            Some((last, _)) if *last == shown => {}
            _ => self.last = Some((shown, now)),
        }
        (self.ghosts, self.again) = (Some(at_once), Some(UNNOTICED));
        Pace::Moving(at_once)
    }

    /// Another step was drawn. `waits`: for what is made beside the frames, which asks for one itself.
    pub fn stepped(&mut self, is_whole: bool, waits: bool) {
        if is_whole {
            self.ghosts = None;
        }
        self.again = (!is_whole && !waits).then_some(Duration::ZERO);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::camera::Projection;

    fn shown(time: f64) -> Pictured {
        let projection = Projection::Orthographic { ymag: 1.0, xmag: None, depth: 1.0 };
        Pictured {
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
            solids: Vec::new(),
            tints: Vec::new(),
        }
    }

    #[test]
    fn all_ghosts_are_drawn_when_nothing_has_moved_for_a_while() {
        let (mut stillness, start) = (Stillness::default(), Instant::now());
        let mut pace = |time, after| stillness.pace([2, 6], || shown(time), start + after);
        assert_eq!(pace(0.0, Duration::ZERO), Pace::Moving(2));
        assert_eq!(pace(0.5, UNNOTICED), Pace::Moving(2), "it has moved");
        assert_eq!(pace(0.5, UNNOTICED * 3 / 2), Pace::Moving(2), "not long enough");
        assert_eq!(pace(0.5, UNNOTICED * 2), Pace::InSteps);
        assert_eq!(pace(0.6, UNNOTICED * 3), Pace::Moving(2));
        assert_eq!((stillness.ghosts, stillness.again), (Some(2), Some(UNNOTICED)));
        stillness.stepped(false, false);
        assert_eq!((stillness.ghosts, stillness.again), (Some(2), Some(Duration::ZERO)));
        stillness.stepped(true, false);
        assert_eq!((stillness.ghosts, stillness.again), (None, None));
    }

    #[test]
    fn a_step_that_cannot_be_drawn_is_not_asked_for_again() {
        let (mut stillness, start) = (Stillness::default(), Instant::now());
        stillness.pace([2, 6], || shown(0.0), start);
        assert_eq!(stillness.pace([2, 6], || shown(0.0), start + UNNOTICED), Pace::InSteps);
        assert_eq!((stillness.ghosts, stillness.again), (Some(2), None));
    }

    #[test]
    fn other_bounds_begin_another_picture() {
        let (mut stillness, start) = (Stillness::default(), Instant::now());
        stillness.pace([2, 6], || shown(0.0), start);
        let bounds = Bounds { min: DVec3::ZERO, max: DVec3::ONE };
        let measured = || Pictured { bounds, ..shown(0.0) };
        assert_eq!(stillness.pace([2, 6], measured, start + UNNOTICED), Pace::Moving(2));
    }

    #[test]
    fn ghosts_that_are_few_enough_are_never_put_off() {
        let mut stillness = Stillness::default();
        assert_eq!(stillness.pace([6, 6], || shown(0.0), Instant::now()), Pace::AtOnce);
        assert_eq!((stillness.ghosts, stillness.again), (None, None));
    }
}

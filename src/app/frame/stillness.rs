//! Tells whether the picture moves, by comparing the states of successive pictures. While it moves, less may be drawn; once it is still,
//! all of it is drawn.

use std::time::Instant;

use glam::{DVec3, Vec4};

use crate::animation::hierarchy::skinning::JointMatrix;
use crate::camera::Camera;
use crate::camera::bounds::Bounds;
use crate::colors::Colors;
use crate::render::actor::Actor;
use crate::render::annotations::line::Line;
use crate::render::annotations::skeleton::SolidJoint;
use crate::render::picture::Picture;
use crate::session::time::moment::Moment;
use crate::session::view::View;

use super::pacing::UNNOTICED_DELAY;

/// The state of a picture. If two values are equal, so are the pictures, unless [`Stillness::forget`] was called in between, or another
/// model is compared with this one.
#[derive(Debug, Clone, PartialEq)]
pub struct PictureState {
    pub view: View,
    /// `None` if no animation and no cross-fade changes the picture. Then the picture does not depend on the moment.
    pub moment: Option<Moment>,
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
    pub theme: Colors,
    /// The skeleton as lines and solid joints.
    pub lines: Vec<Line>,
    pub solid_joints: Vec<SolidJoint>,
    /// Colors of a heat map, by palette entry.
    pub tints: Vec<Vec4>,
}

/// The data of a [`PictureState`], borrowed from a frame. They are compared before they are copied.
pub struct FrameState<'a> {
    pub view: &'a View,
    pub moment: Option<Moment>,
    /// Rectangle of the viewport, in points.
    pub viewport: egui::Rect,
    pub picture: &'a Picture<'a>,
    /// The body, then its ghosts.
    pub actors: &'a [Actor<'a>],
}

impl FrameState<'_> {
    fn palettes(&self) -> impl Iterator<Item = &[JointMatrix]> {
        self.actors.iter().map(|actor| actor.palettes_of(&(0..1)))
    }

    fn tints(&self) -> impl Iterator<Item = &Vec4> {
        self.actors.iter().flat_map(|actor| actor.tints)
    }
}

impl From<FrameState<'_>> for PictureState {
    fn from(state: FrameState) -> Self {
        let FrameState { view, moment, viewport, picture, .. } = state;
        Self {
            view: view.clone(),
            moment,
            palettes: state.palettes().map(<[_]>::to_vec).collect(),
            anchor: picture.anchor,
            camera: *picture.camera,
            bounds: picture.bounds,
            viewport,
            pixels_per_point: picture.pixels_per_point,
            theme: *picture.theme,
            lines: picture.lines.to_vec(),
            solid_joints: picture.solid_joints.to_vec(),
            tints: state.tints().copied().collect(),
        }
    }
}

impl PartialEq<PictureState> for FrameState<'_> {
    fn eq(&self, other: &PictureState) -> bool {
        let picture = self.picture;
        let PictureState { view, moment, palettes, anchor, camera, bounds, viewport, pixels_per_point, theme, lines, solid_joints, tints } =
            other;
        // What changes in most moving pictures comes first.
        self.moment == *moment
            && picture.camera == camera
            && self.palettes().eq(palettes.iter().map(Vec::as_slice))
            && self.view == view
            && picture.anchor == *anchor
            && picture.bounds == *bounds
            && self.viewport == *viewport
            && picture.pixels_per_point == *pixels_per_point
            && picture.theme == theme
            && picture.lines == lines
            && picture.solid_joints == solid_joints
            && self.tints().eq(tints)
    }
}

/// How the picture relates to the previous ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Motion {
    /// The picture differs from the previous one.
    Moving,
    /// The picture equals the previous one, but it has not been still for long. It may be about to move again.
    Pausing,
    /// The picture has not changed for [`UNNOTICED_DELAY`].
    Still,
}

/// The last picture, and since when it has not changed.
#[derive(Debug, Clone, Default)]
pub struct Stillness {
    last: Option<(PictureState, Instant)>,
}

impl Stillness {
    /// Compares the next picture with the previous one. Its state is copied only if it differs.
    pub fn next(&mut self, state: impl PartialEq<PictureState> + Into<PictureState>, now: Instant) -> Motion {
        match &self.last {
            Some((last, since)) if state == *last => {
                if now - *since >= UNNOTICED_DELAY {
                    Motion::Still
                } else {
                    Motion::Pausing
                }
            }
            _ => {
                self.last = Some((state.into(), now));
                Motion::Moving
            }
        }
    }

    /// Forgets the last picture, so that the next one counts as moving.
    pub fn forget(&mut self) {
        self.last = None;
    }
}

/// Picture states for tests.
#[cfg(test)]
mod fixture {
    use super::*;
    use crate::camera::Projection;
    use crate::colors;

    impl PictureState {
        /// The state of a picture without a model.
        pub fn empty(moment: Option<Moment>) -> Self {
            let projection = Projection::Orthographic { ymag: 1.0, xmag: None, depth: 1.0 };
            Self {
                view: View::default(),
                moment,
                palettes: Vec::new(),
                anchor: DVec3::ZERO,
                camera: Camera::look_at(DVec3::Z, DVec3::ZERO, DVec3::Y, projection, 0.0),
                bounds: Bounds::EMPTY,
                viewport: egui::Rect::ZERO,
                pixels_per_point: 1.0,
                theme: colors::DARK,
                lines: Vec::new(),
                solid_joints: Vec::new(),
                tints: Vec::new(),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::picture::picture_options;
    use crate::render::picture::{Background, Resolution, Tile};
    use crate::session::view::display::Display;

    fn state(time: f64) -> PictureState {
        PictureState::empty(Some(Moment::from(time)))
    }

    #[test]
    fn a_picture_is_still_once_it_has_not_changed_for_a_while() {
        let (mut stillness, start) = (Stillness::default(), Instant::now());
        assert_eq!(stillness.next(state(0.0), start), Motion::Moving);
        assert_eq!(stillness.next(state(0.5), start + UNNOTICED_DELAY), Motion::Moving);
        assert_eq!(stillness.next(state(0.5), start + UNNOTICED_DELAY * 3 / 2), Motion::Pausing);
        assert_eq!(stillness.next(state(0.5), start + UNNOTICED_DELAY * 2), Motion::Still);
        assert_eq!(stillness.next(state(0.6), start + UNNOTICED_DELAY * 3), Motion::Moving);
        stillness.forget();
        assert_eq!(stillness.next(state(0.6), start + UNNOTICED_DELAY * 4), Motion::Moving);
    }

    #[test]
    fn other_bounds_make_another_picture() {
        let (mut stillness, start) = (Stillness::default(), Instant::now());
        stillness.next(state(0.0), start);
        let bounds = Bounds { min: DVec3::ZERO, max: DVec3::ONE };
        assert_eq!(stillness.next(PictureState { bounds, ..state(0.0) }, start + UNNOTICED_DELAY), Motion::Moving);
    }

    #[test]
    fn a_frame_equals_the_copy_of_its_state_until_a_part_changes() {
        let last = state(0.5);
        let picture = Picture {
            camera: &last.camera,
            tile: Tile::whole([1, 1]),
            resolution: Resolution::FULL,
            is_simplified: false,
            anchor: last.anchor,
            options: picture_options(&Display::default()),
            background: Background::Transparent,
            lights: &[],
            lines: &[],
            solid_joints: &[],
            bounds: last.bounds,
            theme: &last.theme,
            pixels_per_point: last.pixels_per_point,
        };
        let frame = |picture| FrameState { view: &last.view, moment: last.moment, viewport: last.viewport, picture, actors: &[] };
        assert!(frame(&picture) == last);
        assert_eq!(PictureState::from(frame(&picture)), last);
        assert!(FrameState { moment: None, ..frame(&picture) } != last);
        assert!(frame(&Picture { anchor: DVec3::X, ..picture }) != last);
    }
}

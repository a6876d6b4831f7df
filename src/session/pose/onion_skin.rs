//! Poses the onion skin: ghosts of the body at earlier and later times, or in its rest or bind pose. The renderer draws them as
//! additional actors.

use std::sync::Arc;

use glam::DVec3;

use crate::animation::hierarchy::skinning::JointMatrix;
use crate::animation::playback::{self, AtEnd, Playhead};
use crate::model::Model;
use crate::session::time::moment::Moment;
use crate::session::view::View;
use crate::session::view::display::{GhostSource, Ghosts};
use crate::session::view::playback_range;

use super::in_place::Roots;
use super::key::PoseKey;
use super::solve::Posed;
use super::{Body, pose};

/// Maximum number of ghosts at earlier times, and at later times.
pub const MAX_GHOSTS_PER_SIDE: u32 = 3;
/// Minimum and maximum number of frames between ghosts.
pub const STEPS: [u32; 2] = [1, 1000];

/// A ghost of the body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ghost {
    /// The kind of pose that the ghost shows.
    pub source: GhostSource,
    /// Number of steps from the body; negative for earlier times of the animation.
    pub step: i32,
    /// The moment that the ghost shows.
    pub moment: Moment,
}

/// The kind of a ghost. Each kind has its own color, in this order (see [`crate::colors::Colors::ghosts`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GhostKind {
    /// An earlier time.
    Before,
    /// A later time.
    After,
    /// The rest pose.
    Rest,
    /// The bind pose.
    Bind,
}

impl Ghost {
    /// The kind of the ghost, which decides its color.
    pub fn kind(&self) -> GhostKind {
        match self.source {
            GhostSource::Times if self.step < 0 => GhostKind::Before,
            GhostSource::Times => GhostKind::After,
            GhostSource::Rest => GhostKind::Rest,
            GhostSource::Bind => GhostKind::Bind,
        }
    }
}

/// The ghosts at a moment, the nearest one first. `fps` is the frame rate of the view's animation, in frames per second.
///
/// In a loop, ghosts that would be before the start continue from the end. In a ping-pong, ghosts reverse where the animation does. An
/// animation that plays once has no ghosts beyond its ends. A body in the rest or bind pose has no ghost in that same pose.
pub fn moments(model: &Model, view: &View, moment: &Moment, fps: f64) -> Vec<Ghost> {
    let Ghosts { shown, source, before, after, step } = view.display.ghosts;
    let differs = match source {
        GhostSource::Times => playback_range::moves(model, view),
        GhostSource::Rest => view.bind_pose || view.animation.is_some() || !view.layers.is_empty(),
        GhostSource::Bind => !view.bind_pose,
    };
    if !shown || !differs {
        return Vec::new();
    }
    if source != GhostSource::Times {
        return vec![Ghost { source, step: 0, moment: Moment::from(0.0) }];
    }
    let seconds = f64::from(step.clamp(STEPS[0], STEPS[1])) / fps;
    // The order is -1, 1, -2, 2, and so on, so that the nearest ghosts come first.
    let steps = (1..=MAX_GHOSTS_PER_SIDE as i32).flat_map(|step| [-step, step]);
    let wanted = steps.filter(|step| step.unsigned_abs() <= if *step < 0 { before } else { after });
    let ghost = |step: i32| Some(Ghost { source, step, moment: moment_at(model, view, moment, f64::from(step) * seconds, fps)? });
    wanted.filter_map(ghost).collect()
}

/// The moment `offset` seconds later in the animation. `None` beyond the ends of an animation that plays once, apart from rounding.
fn moment_at(model: &Model, view: &View, moment: &Moment, offset: f64, fps: f64) -> Option<Moment> {
    let [start, end] = playback_range::range_around(model, view, moment.time);
    // While a ping-pong returns, time runs backward: later times of the animation were shown before.
    let clock_offset = if moment.returning { -offset } else { offset };
    let clock = moment.clock + clock_offset;
    // Over the rest pose only the clock advances.
    if playback_range::duration(model, view) <= 0.0 {
        return Some(Moment { clock, is_frame: true, fade: None, ..*moment });
    }
    let at_end = view.repeat.at_end();
    let frame = |time: f64| playback::frame_of(time, fps);
    if at_end == AtEnd::Stop && !(frame(start)..=frame(end)).contains(&frame(moment.time + offset)) {
        return None;
    }
    let head = Playhead { time: moment.time, returning: moment.returning, playing: true };
    let Playhead { time, returning, .. } = playback::advance(head, clock_offset, 1.0, at_end, [start, end]);
    Some(Moment { time: playback::frame_time(time).min(end), clock, returning, is_frame: true, fade: None })
}

/// The poses of all ghosts, computed on first use and whenever their content changes.
#[derive(Debug, Clone, Default)]
pub struct GhostPoses {
    ghosts: Vec<GhostPose>,
    /// The part of the view, and the roots, that `ghosts` were posed for.
    cache_key: Option<(PoseKey, Roots)>,
}

/// A posed ghost.
#[derive(Debug, Clone)]
pub struct GhostPose {
    /// The ghost that is posed.
    pub ghost: Ghost,
    /// The pose of the model at the ghost's moment, relative to its own anchor.
    pub posed: Posed,
    /// The anchor of the body, to which the palette is relative.
    anchor: DVec3,
    /// The palette relative to `anchor`. Empty if that is the ghost's own anchor.
    palette: Vec<JointMatrix>,
}

impl GhostPoses {
    /// Poses the ghosts of a body. `fps` is the frame rate of the view's animation, in frames per second.
    pub fn pose(&mut self, body: &Body, fps: f64) {
        let ghosts = moments(body.model, body.view, &body.moment, fps);
        // Ghosts show only the view's animation, even during a cross-fade.
        let roots = Roots::new(body.roots.current);
        let is_current = self.cache_key.as_ref().is_some_and(|(key, known)| key.is_of(body.view) && *known == roots);
        self.ghosts.truncate(ghosts.len());
        for (index, ghost) in ghosts.into_iter().enumerate() {
            match self.ghosts.get_mut(index) {
                Some(known) if is_current && known.ghost == ghost => {}
                Some(known) => known.pose(body, ghost),
                None => {
                    let mut new = GhostPose { ghost, posed: body.posed.clone(), anchor: DVec3::ZERO, palette: Vec::new() };
                    new.pose(body, ghost);
                    self.ghosts.push(new);
                }
            }
            self.ghosts[index].move_anchor(body.posed.anchor);
        }
        if !is_current {
            self.cache_key = (!self.ghosts.is_empty()).then(|| (PoseKey::new(body.view), roots));
        }
    }

    /// The posed ghosts, the nearest one first.
    pub fn iter(&self) -> impl Iterator<Item = &GhostPose> {
        self.ghosts.iter()
    }
}

impl GhostPose {
    /// Poses one ghost of a body.
    fn pose(&mut self, body: &Body, ghost: Ghost) {
        let Body { model, view, roots, posed, .. } = *body;
        // Visible indices are slow to compute, so they are copied from the body.
        if !Arc::ptr_eq(&self.posed.visible_indices, &posed.visible_indices) {
            self.posed = posed.clone();
        }
        let roots = Roots::new(roots.current);
        match ghost.source {
            GhostSource::Times => pose(model, view, ghost.moment, roots, &mut self.posed),
            source => {
                // Rest and bind pose do not depend on the time, so they need no root either.
                let still = View { animation: None, layers: Vec::new(), bind_pose: source == GhostSource::Bind, ..view.clone() };
                pose(model, &still, ghost.moment, Roots::default(), &mut self.posed);
            }
        }
        self.ghost = ghost;
        self.anchor = self.posed.anchor;
        self.palette.clear();
    }

    /// Makes the palette relative to the body's anchor, which moves while the ghost does not.
    fn move_anchor(&mut self, anchor: DVec3) {
        if self.anchor == anchor {
            return;
        }
        self.anchor = anchor;
        self.palette.clear();
        if self.posed.anchor != anchor {
            self.palette.extend(self.posed.joint_transforms.iter().map(|transform| JointMatrix::anchored(transform, anchor)));
        }
    }

    /// The palette relative to the body's anchor, one matrix per palette entry.
    pub fn palette(&self) -> &[JointMatrix] {
        if self.palette.is_empty() { &self.posed.palette } else { &self.palette }
    }
}

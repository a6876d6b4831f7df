//! The onion skin: the body at other times, some before and some after the one that is shown, or in a pose that no animation is
//! needed for. When each is, and its pose; the renderer draws them as further actors.

use std::sync::Arc;

use glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::animation::hierarchy::skinning::JointMatrix;
use crate::animation::playback::{self, AtEnd, Playhead};
use crate::model::Model;
use crate::session::document::Document;
use crate::session::locomotion::root_motion::Root;
use crate::session::motion::trail;
use crate::session::time::transport::{self, Moment};
use crate::session::view::View;

use super::solve::{self, Posed};

/// On either side.
pub const MOST: u32 = 3;
/// Frames from one to the next.
pub const STEPS: [u32; 2] = [1, 1000];

/// As a view has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Ghosts {
    pub shown: bool,
    pub of: GhostSource,
    /// How many, up to [`MOST`].
    pub before: u32,
    pub after: u32,
    /// Frames from one to the next.
    pub step: u32,
}

impl Default for Ghosts {
    fn default() -> Self {
        Self { shown: false, of: GhostSource::Times, before: 3, after: 3, step: 4 }
    }
}

/// What ghosts show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GhostSource {
    #[default]
    Times,
    /// The rest pose.
    Rest,
    /// The bind pose.
    Bind,
}

/// A ghost: how many steps from the body, negative before it in the animation's time; and when.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ghost {
    pub of: GhostSource,
    pub step: i32,
    pub moment: Moment,
}

/// Each in a colour of its own, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GhostKind {
    Before,
    After,
    Rest,
    Bind,
}

impl Ghost {
    pub fn kind(&self) -> GhostKind {
        match self.of {
            GhostSource::Times if self.step < 0 => GhostKind::Before,
            GhostSource::Times => GhostKind::After,
            GhostSource::Rest => GhostKind::Rest,
            GhostSource::Bind => GhostKind::Bind,
        }
    }
}

/// Those of a moment, the nearest first. In a loop what is before its beginning is at its end; in a ping-pong it turns round
/// where the animation does; what plays once has none beyond its ends. A body in the rest or the bind pose has no ghost of that.
pub fn moments(document: &Document, view: &View, moment: &Moment) -> Vec<Ghost> {
    let Ghosts { shown, of, before, after, step } = view.display.ghosts;
    let differs = match of {
        GhostSource::Times => transport::moves(&document.model, view),
        GhostSource::Rest => view.bind_pose || view.animation.is_some() || !view.layers.is_empty(),
        GhostSource::Bind => !view.bind_pose,
    };
    if !shown || !differs {
        return Vec::new();
    }
    if of != GhostSource::Times {
        return vec![Ghost { of, step: 0, moment: Moment::from(0.0) }];
    }
    let seconds = f64::from(step.clamp(STEPS[0], STEPS[1])) / document.rate(view).fps;
    let steps = (1..=MOST as i32).flat_map(|step| [-step, step]);
    let wanted = steps.filter(|step| step.unsigned_abs() <= if *step < 0 { before } else { after });
    wanted.filter_map(|step| Some(Ghost { of, step, moment: at(document, view, moment, f64::from(step) * seconds)? })).collect()
}

/// `away` seconds on in the animation's time.
fn at(document: &Document, view: &View, moment: &Moment, away: f64) -> Option<Moment> {
    let [start, end] = trail::range(&document.model, view, moment.time);
    let on = if moment.returning { -away } else { away };
    let clock = moment.clock + on;
    // Over the rest pose only the clock runs.
    if transport::duration(&document.model, view) <= 0.0 {
        return Some(Moment { clock, fade: None, ..*moment });
    }
    let at_end = transport::at_end(view.repeat);
    if at_end == AtEnd::Stop && !(start..=end).contains(&(moment.time + away)) {
        return None;
    }
    let head = Playhead { time: moment.time, returning: moment.returning, playing: true };
    let Playhead { time, returning, .. } = playback::advance(head, on, 1.0, at_end, [start, end]);
    Some(Moment { time, clock, returning, fade: None })
}

/// Their poses, made when first needed and again when what they show changes.
#[derive(Debug, Clone, Default)]
pub struct GhostPoses {
    ghosts: Vec<GhostPose>,
    /// Of which view, and by what of the model that stays in place: a window learns that late.
    made_for: Option<(View, Option<Root>)>,
}

#[derive(Debug, Clone)]
pub struct GhostPose {
    pub ghost: Ghost,
    pub posed: Posed,
    /// What the palette is relative to: the body's anchor.
    anchor: DVec3,
    /// Where that is another than the ghost's own.
    palette: Vec<JointMatrix>,
}

impl GhostPoses {
    /// Poses the ghosts of a moment. `body`: posed at that moment.
    pub fn pose(&mut self, document: &Document, view: &View, moment: &Moment, body: &Posed) {
        let wanted = moments(document, view, moment);
        let find = || document.roots.going_on().root(&document.model, &document.prepared, view, view.animation);
        let root = (view.in_place && !wanted.is_empty()).then(find).flatten();
        let same = self.made_for.as_ref().is_some_and(|(made, by)| made == view && *by == root);
        self.ghosts.truncate(wanted.len());
        for (place, ghost) in wanted.into_iter().enumerate() {
            match self.ghosts.get_mut(place) {
                Some(haunted) if same && haunted.ghost == ghost => {}
                Some(haunted) => haunted.pose(&document.model, view, ghost, body),
                None => {
                    let mut haunted = GhostPose { ghost, posed: body.clone(), anchor: DVec3::ZERO, palette: Vec::new() };
                    haunted.pose(&document.model, view, ghost, body);
                    self.ghosts.push(haunted);
                }
            }
            self.ghosts[place].follow(body.anchor);
        }
        if !same {
            self.made_for = (!self.ghosts.is_empty()).then(|| (view.clone(), root));
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = &GhostPose> {
        self.ghosts.iter()
    }
}

impl GhostPose {
    fn pose(&mut self, model: &Model, view: &View, ghost: Ghost, body: &Posed) {
        // What takes long is worked out once, for the body.
        if !Arc::ptr_eq(&self.posed.left, &body.left) {
            self.posed = body.clone();
        }
        match ghost.of {
            GhostSource::Times => solve::pose(model, view, ghost.moment, &mut self.posed),
            of => {
                let still = View { animation: None, layers: Vec::new(), bind_pose: of == GhostSource::Bind, ..view.clone() };
                solve::pose(model, &still, ghost.moment, &mut self.posed);
            }
        }
        self.ghost = ghost;
        self.anchor = self.posed.anchor;
        self.palette.clear();
    }

    /// The body's anchor may go on where the ghost stays.
    fn follow(&mut self, anchor: DVec3) {
        if self.anchor == anchor {
            return;
        }
        self.anchor = anchor;
        self.palette.clear();
        if self.posed.anchor != anchor {
            self.palette.extend(self.posed.transforms.iter().map(|transform| JointMatrix::anchored(transform, anchor)));
        }
    }

    /// Relative to the body's anchor.
    pub fn palette(&self) -> &[JointMatrix] {
        if self.palette.is_empty() { &self.posed.palette } else { &self.palette }
    }
}

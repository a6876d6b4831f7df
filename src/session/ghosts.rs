//! The onion skin: the body at other times, some before and some after the one that is shown. When each is, and its pose; the
//! renderer draws them as further actors.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::animation::playback::{self, AtEnd, Playhead};
use crate::animation::skinning::JointMatrix;

use super::document::Document;
use super::posing::{self, Posed};
use super::trail;
use super::transport::{self, Moment};
use super::view::View;

/// On either side.
pub const MOST: u32 = 3;
/// Frames from one to the next.
pub const STEPS: [u32; 2] = [1, 1000];

/// As a view has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Ghosts {
    pub shown: bool,
    /// How many, up to [`MOST`].
    pub before: u32,
    pub after: u32,
    /// Frames from one to the next.
    pub step: u32,
}

impl Default for Ghosts {
    fn default() -> Self {
        Self { shown: false, before: 3, after: 3, step: 4 }
    }
}

/// A ghost: how many steps from the body, negative before it in the animation's time; and when.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ghost {
    pub step: i32,
    pub moment: Moment,
}

/// Those of a moment, the nearest first. In a loop what is before its beginning is at its end; in a ping-pong it turns round
/// where the animation does; what plays once has none beyond its ends.
pub fn moments(document: &Document, view: &View, moment: &Moment) -> Vec<Ghost> {
    let Ghosts { shown, before, after, step } = view.display.ghosts;
    if !shown || !transport::moves(&document.model, view) {
        return Vec::new();
    }
    let seconds = f64::from(step.clamp(STEPS[0], STEPS[1])) / document.rate(view).fps;
    let steps = (1..=MOST as i32).flat_map(|step| [-step, step]);
    let wanted = steps.filter(|step| step.unsigned_abs() <= if *step < 0 { before } else { after });
    wanted.filter_map(|step| Some(Ghost { step, moment: at(document, view, moment, f64::from(step) * seconds)? })).collect()
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
pub struct Haunting {
    ghosts: Vec<Haunted>,
    /// Of which view.
    made_for: Option<View>,
}

#[derive(Debug, Clone)]
pub struct Haunted {
    pub ghost: Ghost,
    pub posed: Posed,
    /// Relative to the body's anchor, where that is another than the ghost's own.
    palette: Vec<JointMatrix>,
}

impl Haunting {
    /// Poses the ghosts of a moment. `anchor`: what the body's palette is relative to.
    pub fn pose(&mut self, document: &Document, view: &View, moment: &Moment, anchor: DVec3) {
        let wanted = moments(document, view, moment);
        let same = self.made_for.as_ref() == Some(view);
        self.ghosts.truncate(wanted.len());
        for (place, ghost) in wanted.into_iter().enumerate() {
            match self.ghosts.get_mut(place) {
                Some(haunted) if same && haunted.ghost == ghost => {}
                Some(haunted) => haunted.pose(document, view, ghost, anchor),
                None => {
                    let posed = document.posed();
                    let mut haunted = Haunted { ghost, posed, palette: Vec::new() };
                    haunted.pose(document, view, ghost, anchor);
                    self.ghosts.push(haunted);
                }
            }
        }
        if !same {
            self.made_for = (!self.ghosts.is_empty()).then(|| view.clone());
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = &Haunted> {
        self.ghosts.iter()
    }
}

impl Haunted {
    fn pose(&mut self, document: &Document, view: &View, ghost: Ghost, anchor: DVec3) {
        posing::pose(&document.model, view, ghost.moment, &mut self.posed);
        self.ghost = ghost;
        self.palette.clear();
        if self.posed.anchor != anchor {
            self.palette.extend(self.posed.transforms.iter().map(|transform| JointMatrix::anchored(transform, anchor)));
        }
    }

    pub fn palette(&self) -> &[JointMatrix] {
        if self.palette.is_empty() { &self.posed.palette } else { &self.palette }
    }
}

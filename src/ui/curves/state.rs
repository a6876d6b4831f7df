//! What the curves remember between frames: which are shown, hidden and soloed, the values that the view spans, and what was
//! worked out of the channels. That is made anew only for another selection, animation or reading.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::{Arc, Weak};

use crate::animation::curve::Reading;
use crate::model::Model;
use crate::model::animation::{Animation, Target};
use crate::model::node::NodeIndex;
use crate::session::curve;
use crate::session::document::Document;
use crate::session::view::View;
use crate::ui::list::ListScroll;

use super::channel::ShownChannel;
use super::value_axis;

/// So many curves can still be told apart, and looked at in a frame.
pub const MOST: usize = 64;
/// Numbers that are worked out in a frame, at most: some milliseconds.
const BUDGET: usize = 100_000;

/// A curve, whatever animation and selection: what its channel drives, and which number of it.
pub type CurveId = (Target, usize);

#[derive(Debug, Clone, Default)]
pub struct CurvesState {
    /// Velocities are shown, else values.
    pub velocity: bool,
    pub hidden: HashSet<CurveId>,
    /// Where there are any among those shown, no others are drawn.
    pub solo: HashSet<CurveId>,
    /// The active node's first, if it has any: the others are drawn thinner.
    pub channels: Vec<ShownChannel>,
    /// The selection has more curves than are shown.
    pub has_more: bool,
    /// Lowest and highest value in view.
    pub span: [f64; 2],
    /// The span is that of what is drawn until all keys were seen, or a person pans or zooms.
    pub fits: bool,
    pub scroll: ListScroll,
    /// Under the pointer, in the plot or among the names, in the last frame; and so far in this one.
    pub hovered: Option<CurveId>,
    pub pointed: Option<CurveId>,
    /// Held weakly, so that the address of a closed model is not taken for that of the next.
    model: Weak<Model>,
    path: Option<PathBuf>,
    made_for: Option<(Option<usize>, Vec<usize>, Reading)>,
}

impl CurvesState {
    /// Brings the curves up to date; false: not all keys were seen yet, and the next frame goes on.
    pub fn follow(&mut self, document: &Document, view: &View, euler: bool) -> bool {
        let (model, reading) = (&document.model, Reading { euler, velocity: self.velocity });
        let other_model = !std::ptr::eq(self.model.as_ptr(), Arc::as_ptr(model));
        let reloaded = other_model && document.path.is_some() && self.path == document.path;
        if other_model {
            (self.model, self.path) = (Arc::downgrade(model), document.path.clone());
        }
        if other_model && !reloaded {
            self.hidden.clear();
            self.solo.clear();
            self.made_for = None;
        }
        let made_for = (view.animation, view.selection.clone(), reading);
        let animation = view.animation.and_then(|animation| model.animations.get(animation));
        let other_curves = self.made_for.as_ref() != Some(&made_for);
        if other_model || other_curves {
            self.made_for = Some(made_for);
            self.gather(model, animation, view, reading);
            // What a person has in view stays there while the file changes.
            self.fits |= other_curves;
        }
        let mut budget = BUDGET;
        for shown in &mut self.channels {
            if let Some(animation) = animation {
                let (channel, times) = shown.data(animation);
                shown.survey.extend(channel, times, &mut budget);
            }
        }
        if self.fits {
            self.fit();
            self.fits = budget == 0;
        }
        budget > 0
    }

    fn gather(&mut self, model: &Model, animation: Option<&Animation>, view: &View, reading: Reading) {
        self.channels.clear();
        self.has_more = false;
        let Some(animation) = animation else { return };
        let nodes = view.selection.iter().rev().filter_map(|&source| model.node_from_source(source));
        let of_nodes = nodes.flat_map(|node| curve::channels_of_node(model, animation, node).into_iter().map(move |i| (Some(node), i)));
        let beside = || curve::channels_beside_nodes(model, animation).into_iter().map(|i| (None, i));
        let channels: Box<dyn Iterator<Item = (Option<NodeIndex>, usize)>> =
            if view.selection.is_empty() { Box::new(beside()) } else { Box::new(of_nodes) };
        let (mut room, mut seen) = (MOST, HashSet::new());
        for (node, index) in channels {
            // A material may be that of two nodes.
            if !seen.insert(index) {
                continue;
            }
            let parts = reading.parts(&animation.channels[index]);
            self.has_more |= parts > room;
            if room == 0 {
                break;
            }
            let most = parts.min(room);
            room -= most;
            self.channels.push(ShownChannel::new(model, animation, index, node, reading, most));
        }
        let first = self.channels.first().map(|shown| shown.node);
        for shown in &mut self.channels {
            shown.strong = Some(shown.node) == first;
        }
    }

    /// The span becomes that of what is drawn.
    pub fn fit(&mut self) {
        let drawn = self.channels.iter().flat_map(|shown| self.drawn(shown).into_iter().filter_map(|part| shown.survey.range(part)));
        let whole = drawn.reduce(|all, range| [all[0].min(range[0]), all[1].max(range[1])]);
        self.span = value_axis::fitted(whole.unwrap_or([0.0, 0.0]));
    }

    pub fn is_drawn(&self, curve: CurveId) -> bool {
        let soloing = || self.channels.iter().any(|shown| self.solo.iter().any(|(target, _)| *target == shown.target));
        !self.hidden.contains(&curve) && (self.solo.contains(&curve) || self.solo.is_empty() || !soloing())
    }

    /// The parts of a channel that are drawn.
    pub fn drawn(&self, shown: &ShownChannel) -> Vec<usize> {
        (0..shown.curves.len()).filter(|&part| self.is_drawn((shown.target, part))).collect()
    }

    /// Hides what is all shown, else shows all of it.
    pub fn toggle_hidden(&mut self, curves: &[CurveId]) {
        toggle(&mut self.hidden, curves);
    }

    /// A curve that is soloed is not hidden.
    pub fn toggle_solo(&mut self, curves: &[CurveId]) {
        toggle(&mut self.solo, curves);
        self.hidden.retain(|curve| !self.solo.contains(curve));
    }
}

/// In with all of them; out, where all are in.
fn toggle(set: &mut HashSet<CurveId>, curves: &[CurveId]) {
    if curves.iter().all(|curve| set.contains(curve)) {
        set.retain(|curve| !curves.contains(curve));
    } else {
        set.extend(curves);
    }
}

//! State of the curve editor: which curves are shown, hidden and soloed, the visible values, and data derived from the channels. The
//! derived data is made again when the selection, the animation or the [`CurveQuantity`] changes.

use std::collections::{HashMap, HashSet};

use crate::animation::curve::CurveQuantity;
use crate::model::Model;
use crate::model::animation::{Animation, Target};
use crate::model::node::NodeIndex;
use crate::session::document::Document;
use crate::session::inspect::curves::{self, Address, Addresses, NodeChannels};
use crate::session::view::View;
use crate::ui::context::per_document::{DocumentChange, LastDocument};
use crate::ui::widgets::list::ListScroll;

use super::channel::ShownChannel;
use super::dash::Dash;
use super::value_axis;

/// Maximum number of curves shown. More could not be told apart, and would take too long to draw.
pub const MAX_CURVES: usize = 64;
/// Maximum number of values surveyed in a frame. This takes a few milliseconds.
const MAX_SURVEYED_VALUES: usize = 100_000;

/// Identifies a curve in every animation: the target of its channel, and the component.
pub type CurveId = (Target, usize);

/// The state of the curve editor.
#[derive(Debug, Clone, Default)]
pub struct CurvesState {
    /// Whether velocities are shown instead of values.
    pub velocity: bool,
    /// Curves that the user hides.
    pub hidden: HashSet<CurveId>,
    /// If any shown curve is in this set, only curves in the set are drawn.
    pub solo: HashSet<CurveId>,
    /// The channels that are shown. The channels of the active node come first.
    pub channels: Vec<ShownChannel>,
    /// Whether the selection has more curves than are shown.
    pub has_more: bool,
    /// The lowest and the highest value in view.
    pub span: [f64; 2],
    /// Whether the span follows the range of the drawn curves. This ends when all keys are surveyed, or when the user pans or zooms.
    pub fits: bool,
    pub scroll: ListScroll,
    /// The curve under the pointer in the last frame, in the plot or the names.
    pub hovered: Option<CurveId>,
    /// The curve under the pointer in this frame. `None` until it is found.
    pub hovered_next: Option<CurveId>,
    document: LastDocument,
    /// The animation, the selection and the quantity that the channels were made for.
    made_for: Option<(Option<usize>, Vec<usize>, CurveQuantity)>,
    /// Addresses of the targets that were shown. After a reload of the file, the targets are found again by their addresses.
    addresses: HashMap<Target, Address>,
}

impl CurvesState {
    /// Updates the curves. Returns false while keys remain to be surveyed in the next frame. `euler` shows rotations as angles.
    pub fn update(&mut self, document: &Document, view: &View, euler: bool) -> bool {
        let (model, quantity) = (&document.model, CurveQuantity { euler, velocity: self.velocity });
        let change = self.document.update(document);
        match change {
            DocumentChange::Same => {}
            DocumentChange::Reloaded => self.remap(model),
            DocumentChange::Other => {
                self.hidden.clear();
                self.solo.clear();
                self.addresses.clear();
                self.made_for = None;
                self.scroll.restart();
            }
        }
        let animation = view.animation.and_then(|animation| model.animations.get(animation));
        let made_for = self.made_for.as_ref().map(|(animation, selection, quantity)| (*animation, selection.as_slice(), *quantity));
        let has_other_curves = made_for != Some((view.animation, &view.selection, quantity));
        if change != DocumentChange::Same || has_other_curves {
            self.made_for = Some((view.animation, view.selection.clone(), quantity));
            self.gather(model, animation, view, quantity);
            // A reload keeps the visible values, although it may give animation and nodes other indices.
            self.fits |= has_other_curves && change != DocumentChange::Reloaded;
        }
        // All channels share the budget of the frame.
        let mut budget = MAX_SURVEYED_VALUES;
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

    /// Keeps curves hidden and soloed after a reload, which may give their targets other indices.
    fn remap(&mut self, model: &Model) {
        let addresses = Addresses::new(model);
        let targets = model.animations.iter().flat_map(|animation| &animation.channels).map(|channel| channel.target);
        let by_address: HashMap<_, _> = targets.map(|target| (addresses.address(target), target)).collect();
        let remapped: HashMap<_, _> =
            self.addresses.iter().filter_map(|(&before, address)| Some((before, *by_address.get(address)?))).collect();
        for curves in [&mut self.hidden, &mut self.solo] {
            *curves = curves.iter().filter_map(|(target, part)| Some((*remapped.get(target)?, *part))).collect();
        }
        self.addresses = remapped.into_values().map(|target| (target, addresses.address(target))).collect();
    }

    /// Collects the channels to show: the channels of the selected nodes, starting with the active node. If no node is selected, the
    /// channels that drive no node.
    fn gather(&mut self, model: &Model, animation: Option<&Animation>, view: &View, quantity: CurveQuantity) {
        self.channels.clear();
        self.has_more = false;
        let Some(animation) = animation else { return };
        let nodes = view.selection.iter().rev().filter_map(|&source| model.node_from_source(source));
        let (node_channels, addresses) = (NodeChannels::new(model, animation), Addresses::new(model));
        let with_node = nodes.flat_map(|node| node_channels.channels_of(node).into_iter().map(move |i| (Some(node), i)));
        let without_node = || curves::channels_without_node(model, animation).into_iter().map(|i| (None, i));
        let channels: Box<dyn Iterator<Item = (Option<NodeIndex>, usize)>> =
            if view.selection.is_empty() { Box::new(without_node()) } else { Box::new(with_node) };
        let (mut remaining, mut seen) = (MAX_CURVES, HashSet::new());
        for (node, index) in channels {
            // Nodes may share a channel, such as the channel of a material.
            if !seen.insert(index) {
                continue;
            }
            let parts = quantity.curve_count(&animation.channels[index]);
            self.has_more |= parts > remaining;
            if remaining == 0 {
                break;
            }
            let count = parts.min(remaining);
            remaining -= count;
            let target = animation.channels[index].target;
            self.addresses.insert(target, addresses.address(target));
            self.channels.push(ShownChannel::new(model, animation, index, node, quantity, count));
        }
        let nodes: Vec<_> = self.channels.iter().map(|shown| shown.node).collect();
        let mut number = 0;
        for (i, shown) in self.channels.iter_mut().enumerate() {
            // The channels of a node are adjacent.
            number += usize::from(i > 0 && nodes[i - 1] != nodes[i]);
            shown.is_primary = number == 0;
            shown.dash = Dash::new(number);
        }
    }

    /// Sets the span to the range of the drawn curves, as far as it is known.
    pub fn fit(&mut self) {
        let drawn = self.channels.iter().flat_map(|shown| self.drawn(shown).into_iter().filter_map(|part| shown.survey.range(part)));
        let whole = drawn.reduce(|all, range| [all[0].min(range[0]), all[1].max(range[1])]);
        self.span = value_axis::fitted(whole.unwrap_or([0.0, 0.0]));
    }

    /// Returns whether a curve is drawn: it is not hidden, and either it is soloed or no curve of the shown channels is soloed.
    pub fn is_drawn(&self, curve: CurveId) -> bool {
        let is_any_of = |shown: &ShownChannel| (0..shown.curves.len()).any(|part| self.solo.contains(&(shown.target, part)));
        let is_any_soloed = || self.channels.iter().any(is_any_of);
        !self.hidden.contains(&curve) && (self.solo.contains(&curve) || self.solo.is_empty() || !is_any_soloed())
    }

    /// The parts of a channel that are drawn.
    pub fn drawn(&self, shown: &ShownChannel) -> Vec<usize> {
        (0..shown.curves.len()).filter(|&part| self.is_drawn((shown.target, part))).collect()
    }

    /// Hides the curves, or shows them if all are hidden.
    pub fn toggle_hidden(&mut self, curves: &[CurveId]) {
        toggle(&mut self.hidden, curves);
    }

    /// Solos the curves, or ends their solo. Soloing a curve also shows it.
    pub fn toggle_solo(&mut self, curves: &[CurveId]) {
        toggle(&mut self.solo, curves);
        self.hidden.retain(|curve| !self.solo.contains(curve));
    }
}

/// Removes the curves if the set holds all of them. Otherwise adds all of them.
fn toggle(set: &mut HashSet<CurveId>, curves: &[CurveId]) {
    if curves.iter().all(|curve| set.contains(curve)) {
        set.retain(|curve| !curves.contains(curve));
    } else {
        set.extend(curves);
    }
}

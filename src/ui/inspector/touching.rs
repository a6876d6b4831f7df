//! Which animations drive the active node, and what of it; a click shows one.

use std::sync::{Arc, Weak};

use egui::Ui;

use crate::model::Model;
use crate::model::animation::Animation;
use crate::model::node::NodeIndex;
use crate::session::curve;
use crate::ui::{Frame, playing, theme};

use super::rows;

/// Of longer lists the rest is counted.
const MOST: usize = 8;

/// Looked for once a node.
#[derive(Debug, Clone, Default)]
pub struct Touching {
    of: Option<(Weak<Model>, NodeIndex)>,
    /// The animation, and the paths that it drives.
    animations: Vec<(usize, String)>,
}

impl Touching {
    fn follow(&mut self, model: &Arc<Model>, node: NodeIndex) {
        if self.of.as_ref().is_some_and(|(known, of)| *of == node && std::ptr::eq(known.as_ptr(), Arc::as_ptr(model))) {
            return;
        }
        self.of = Some((Arc::downgrade(model), node));
        let named = model.animations.iter().enumerate().map(|(i, animation)| (i, paths(model, animation, node)));
        self.animations = named.filter(|(_, paths)| !paths.is_empty()).map(|(i, paths)| (i, paths.join(", "))).collect();
    }
}

fn paths(model: &Model, animation: &Animation, node: NodeIndex) -> Vec<&'static str> {
    let mut targets: Vec<_> = animation.channels.iter().map(|channel| channel.target).collect();
    targets.retain(|target| curve::concerns(model, *target, node));
    targets.sort_by_key(|target| curve::rank(*target));
    let mut paths: Vec<_> = targets.into_iter().map(|target| target.path()).collect();
    paths.dedup();
    paths
}

pub fn touching_ui(ui: &mut Ui, frame: &mut Frame, node: NodeIndex) {
    let model = &frame.document.model;
    if model.animations.is_empty() {
        return;
    }
    frame.state.touching.follow(model, node);
    let count = frame.state.touching.animations.len();
    if count == 0 {
        rows::text_ui(ui, "Animations", "none drives it itself");
    }
    let shown: Vec<_> = frame.state.touching.animations.iter().take(MOST).cloned().collect();
    for (place, (i, paths)) in shown.into_iter().enumerate() {
        let name = model.animations[i].label(i);
        let response = ui.push_id(("animation", i), |ui| {
            rows::row_ui(ui, if place == 0 { "Animations" } else { "" }, |ui| {
                rows::named_link_ui(ui, "Show", &name, theme::palette(ui.ctx()).accent)
            })
        });
        if response.inner.on_hover_text(format!("Show it: it drives {paths}")).clicked() {
            playing::choose_animation(frame, Some(i));
        }
    }
    if count > MOST {
        rows::text_ui(ui, "", &format!("and {} more", count - MOST));
    }
}

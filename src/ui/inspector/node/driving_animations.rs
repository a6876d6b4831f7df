//! Lists the animations that drive the active node, each with the paths that it drives. A click chooses an animation.

use egui::Ui;

use crate::model::Model;
use crate::model::animation::{Animation, Target};
use crate::model::node::NodeIndex;
use crate::session::document::Document;
use crate::session::inspect::curves;
use crate::ui::commands::playback;
use crate::ui::context::Context;
use crate::ui::context::per_document::PerDocument;
use crate::ui::widgets::value_rows;

use crate::ui::inspector::list_rows::{self, Row};

/// The animations that drive one node. They are computed again only when the node or the document changes.
#[derive(Debug, Clone, Default)]
pub struct DrivingAnimations {
    node: PerDocument<Option<NodeIndex>>,
    /// Index of each animation, and the paths that it drives.
    animations: Vec<(usize, String)>,
}

impl DrivingAnimations {
    /// Computes the animations again if the node or the document has changed.
    fn update(&mut self, document: &Document, node: NodeIndex) {
        let model = &document.model;
        if self.node.get(document).replace(node) == Some(node) {
            return;
        }
        let with_paths = model.animations.iter().enumerate().map(|(i, animation)| (i, paths(model, animation, node)));
        self.animations = with_paths.filter(|(_, paths)| !paths.is_empty()).map(|(i, paths)| (i, paths.join(", "))).collect();
    }
}

/// The paths of a node that the animation drives, without duplicates, in a fixed order.
fn paths(model: &Model, animation: &Animation, node: NodeIndex) -> Vec<&'static str> {
    let mut targets: Vec<_> = animation.channels.iter().map(|channel| channel.target).collect();
    targets.retain(|target| curves::concerns(model, *target, node));
    targets.sort_by_key(|target| curves::rank(*target));
    let mut paths: Vec<_> = targets.into_iter().map(Target::path).collect();
    paths.dedup();
    paths
}

impl DrivingAnimations {
    /// Number of animations that drive the node.
    pub fn count(&mut self, document: &Document, node: NodeIndex) -> usize {
        self.update(document, node);
        self.animations.len()
    }
}

/// Draws one clickable row per animation.
pub fn driving_animations_ui(ui: &mut Ui, state: &DrivingAnimations, context: &mut Context) {
    if state.animations.is_empty() {
        value_rows::note_ui(ui, "No animation drives this node.");
    }
    let mut chosen = None;
    let (animations, model) = (&state.animations, &context.document.model);
    list_rows::rows_ui(ui, animations.len(), |ui, row, rect| {
        let (i, paths) = &animations[row];
        let name = model.animations[*i].label(*i);
        let selected = context.view.animation == Some(*i) && !context.view.bind_pose;
        let accessible_name = format!("Show {name}: {paths}");
        if list_rows::row_ui(
            ui,
            rect,
            ("animation", i),
            &Row { name: &name, value: paths, selected, details: "", accessible_name: &accessible_name },
        )
        .clicked()
        {
            chosen = Some(*i);
        }
    });
    if chosen.is_some() {
        playback::choose_animation(context, chosen);
    }
}

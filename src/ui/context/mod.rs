//! The context that every panel receives: the document, the view, the transport, and the queues of actions and requests. Panels change view
//! and transport directly. They queue actions for [`super::layout`] and requests for the application.

pub mod app_status;
pub mod check_status;
pub mod comparison;
pub mod image_previews;
pub mod key_selection;
pub mod per_document;
pub mod preferences;
pub mod request;
pub mod thumbnails;
pub mod window_state;

use crate::model::node::NodeIndex;
use crate::session::analyses::{Analyses, Subject};
use crate::session::document::Document;
use crate::session::time::transport::Transport;
use crate::session::view::View;
use crate::session::view::layers::Layer;
use crate::session::view::undo::Undo;

use super::actions::Action;

use app_status::AppStatus;
use comparison::CompareStatus;
use key_selection::KeySelection;
use preferences::Preferences;
use request::Request;
use window_state::WindowState;

/// The data that panels read and change.
pub struct Context<'a> {
    pub document: &'a Document,
    /// Analyses of the document.
    pub analyses: &'a Analyses,
    /// The user's choices for the document.
    pub view: &'a mut View,
    /// The history of the view.
    pub undo: &'a mut Undo,
    /// The playback time, and whether playback is running.
    pub transport: &'a mut Transport,
    /// The comparison of the document with another one.
    pub comparison: Option<&'a mut CompareStatus>,
    pub preferences: &'a mut Preferences,
    /// Information from the application for the panels.
    pub status: &'a mut AppStatus,
    /// The open dialog, the layout, the keyboard focus.
    pub window: &'a mut WindowState,
    /// The selected keys of the timeline.
    pub keys: &'a mut KeySelection,
    /// Actions that a panel has queued. [`super::layout`] performs them before the next panel runs.
    pub actions: &'a mut Vec<Action>,
    /// Requests that only the application can carry out. It drains them after the frame.
    pub requests: &'a mut Vec<Request>,
}

impl Context<'_> {
    /// The document with its analyses and its view.
    pub fn subject(&self) -> Subject<'_> {
        Subject { document: self.document, analyses: self.analyses, view: self.view }
    }

    /// The name of a node in the style that the user prefers.
    pub fn node_name(&self, node: NodeIndex) -> &str {
        self.document.names.node(node, self.preferences.names)
    }

    /// Like [`Context::node_name`], shortened until `fits` accepts it.
    pub fn fit_node_name(&self, node: NodeIndex, fits: &dyn Fn(&str) -> bool) -> String {
        self.document.names.fit_node(node, self.preferences.names, fits)
    }

    /// The name of the animation that a layer plays.
    pub fn layer_name(&self, layer: &Layer) -> String {
        let animation = self.document.model.animations.get(layer.animation);
        animation.map_or_else(|| format!("animation {}", layer.animation), |animation| animation.label(layer.animation))
    }

    /// Returns whether the inspector is shown at the current width of the window.
    pub fn inspector_shown(&self) -> bool {
        self.window.inspector_shown(self.preferences)
    }

    /// Returns whether the file strip is shown. A single model needs no list to step through.
    pub fn file_strip_shown(&self) -> bool {
        self.preferences.file_strip && self.status.files.len() > 1
    }

    /// Returns whether the performance section is shown.
    pub fn performance_shown(&self) -> bool {
        self.window.performance_shown(self.preferences)
    }

    /// Shows or hides the inspector at the current width of the window.
    pub fn show_inspector(&mut self, show: bool) {
        self.window.show_inspector(self.preferences, show);
    }
}

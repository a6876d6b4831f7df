//! The state that the panels keep between frames. Only [`super::layout`], [`super::perform`] and the application access all of it; a panel
//! accesses only its own state.

use crate::session::analyses::Analyses;
use crate::session::document::Document;
use crate::session::time::transport::Transport;
use crate::session::view::View;
use crate::session::view::undo::Undo;

use super::actions::Action;
use super::animations::layers::LayersState;
use super::animations::list::AnimationsState;
use super::command_palette::PaletteState;
use super::context::Context;
use super::context::app_status::AppStatus;
use super::context::comparison::CompareStatus;
use super::context::key_selection::KeySelection;
use super::context::preferences::Preferences;
use super::context::request::Request;
use super::context::window_state::WindowState;
use super::dialogs::DialogsState;
use super::file_strip::FileStripState;
use super::held_button::HeldButton;
use super::inspector::InspectorState;
use super::status_bar::StatusBarState;
use super::style::missing_glyphs::MissingGlyphs;
use super::timeline::TimelineState;
use super::tree::state::TreeState;
use super::viewport::ViewportState;

/// The state that the [`Context`] shares with every panel, and each panel's own state.
#[derive(Debug, Clone, Default)]
pub struct UiState {
    pub preferences: Preferences,
    pub status: AppStatus,
    pub window: WindowState,
    pub keys: KeySelection,
    /// The queue of actions. It is empty between frames.
    pub actions: Vec<Action>,
    /// The state of each panel.
    pub panels: PanelStates,
}

/// The state of each panel. A panel receives its own state together with the [`Context`].
#[derive(Debug, Clone, Default)]
pub struct PanelStates {
    pub missing_glyphs: MissingGlyphs,
    pub animations: AnimationsState,
    pub layers: LayersState,
    pub tree: TreeState,
    pub timeline: TimelineState,
    pub viewport: ViewportState,
    pub inspector: InspectorState,
    pub file_strip: FileStripState,
    pub dialogs: DialogsState,
    pub palette: PaletteState,
    pub status_bar: StatusBarState,
    pub held_button: HeldButton,
}

/// The part of the [`Context`] that does not belong to the [`UiState`].
pub struct SharedState<'a> {
    pub document: &'a Document,
    pub analyses: &'a Analyses,
    pub view: &'a mut View,
    pub undo: &'a mut Undo,
    pub transport: &'a mut Transport,
    pub comparison: Option<&'a mut CompareStatus>,
    pub requests: &'a mut Vec<Request>,
}

impl UiState {
    /// Splits the state into the panels' own states and the context that they share.
    pub fn split<'a>(&'a mut self, shared: SharedState<'a>) -> (&'a mut PanelStates, Context<'a>) {
        let Self { preferences, status, window, keys, actions, panels } = self;
        let SharedState { document, analyses, view, undo, transport, comparison, requests } = shared;
        let context =
            Context { document, analyses, view, undo, transport, comparison, preferences, status, window, keys, actions, requests };
        (panels, context)
    }

    /// Returns whether the inspector is open.
    pub fn inspector_shown(&self) -> bool {
        self.window.inspector_shown(&self.preferences)
    }

    /// Returns whether the performance section is on screen.
    pub fn performance_shown(&self) -> bool {
        self.window.performance_shown(&self.preferences)
    }
}

//! The description of an action: its category, label and keys, and when it is available. [`super::table`] has an entry for each action.

use crate::ui::context::Context;

use super::keys::Binding;
use super::table::{Action, TABLE};

/// The sections of the shortcut page, in the order in which it shows them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Category {
    File,
    Time,
    Selection,
    Switches,
    Camera,
    Display,
    Window,
}

impl Category {
    pub const ALL: [Self; 7] = [Self::File, Self::Time, Self::Selection, Self::Switches, Self::Camera, Self::Display, Self::Window];

    pub fn label(self) -> &'static str {
        match self {
            Self::File => "File",
            Self::Time => "Time",
            Self::Selection => "Edit",
            Self::Switches => "Joint switches",
            Self::Camera => "Camera",
            Self::Display => "Display",
            Self::Window => "Window",
        }
    }
}

/// The description of an action.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    pub action: Action,
    pub category: Category,
    /// Label in menus, tooltips and the shortcut page.
    pub label: &'static str,
    /// The keys of the action. Menus and tooltips show only the first one.
    pub keys: &'static [Binding],
    /// Whether holding the key repeats the action.
    pub repeats: bool,
    /// Returns whether the action is on, for actions that switch a state on and off. Menus and buttons show the state.
    pub is_on: Option<fn(&Context) -> bool>,
    /// Returns why the action is disabled. Menus, buttons and the command palette show the reason.
    pub disabled_reason: Option<fn(&Context) -> Option<&'static str>>,
}

impl Entry {
    pub(super) const fn repeating(self) -> Self {
        Self { repeats: true, ..self }
    }

    pub(super) const fn on(self, is_on: fn(&Context) -> bool) -> Self {
        Self { is_on: Some(is_on), ..self }
    }

    pub(super) const fn unless(self, disabled_reason: fn(&Context) -> Option<&'static str>) -> Self {
        Self { disabled_reason: Some(disabled_reason), ..self }
    }
}

impl Action {
    pub fn entry(self) -> &'static Entry {
        &TABLE[self as usize]
    }

    pub fn label(self) -> &'static str {
        self.entry().label
    }

    /// Returns whether holding the key repeats the action.
    pub fn repeats(self) -> bool {
        self.entry().repeats
    }

    /// Returns whether the action is on. `None` if the action does not switch a state on and off.
    pub fn is_on(self, context: &Context) -> Option<bool> {
        self.entry().is_on.map(|is_on| is_on(context))
    }

    /// Why the action is disabled. `None` if it is available.
    pub fn disabled_reason(self, context: &Context) -> Option<&'static str> {
        self.entry().disabled_reason.and_then(|reason| reason(context))
    }

    /// Returns whether keys that follow the action enter text, because the action opens a text field.
    pub fn takes_text(self) -> bool {
        matches!(self, Self::Commands | Self::Search | Self::Shortcuts)
    }

    /// The first key: "Ctrl+O". Empty if the action has none.
    pub fn shortcut(self) -> String {
        self.entry().keys.first().map(Binding::text).unwrap_or_default()
    }

    /// The tooltip: "Open (Ctrl+O)".
    pub fn tooltip(self) -> String {
        match self.entry().keys.first() {
            Some(binding) => format!("{} ({})", self.label(), binding.text()),
            None => self.label().to_owned(),
        }
    }
}

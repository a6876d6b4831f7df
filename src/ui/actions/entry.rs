//! The description of an action: its category, label and keys, and when it is available. [`super::table`] has an entry for each action.

use crate::ui::context::Context;

use super::Action;
use super::keys::KeyBinding;

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
    pub keys: &'static [KeyBinding],
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

    pub(super) const fn on_if(self, is_on: fn(&Context) -> bool) -> Self {
        Self { is_on: Some(is_on), ..self }
    }

    pub(super) const fn unless(self, disabled_reason: fn(&Context) -> Option<&'static str>) -> Self {
        Self { disabled_reason: Some(disabled_reason), ..self }
    }
}

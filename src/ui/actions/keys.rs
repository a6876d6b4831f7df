//! Keys, their modifiers and their names, and the part of the window that receives a key first.

use egui::Modifiers;

use crate::ui::actions::Action;
use crate::ui::context::window_state::{Dialog, WindowState};

/// A key of the action table. Letters and symbols are identified by the character in the keyboard layout, digits and the numeric pad by
/// their position on the keyboard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Key {
    /// A lower-case letter or a symbol.
    Char(char),
    /// A digit of the main block, 0 to 9.
    Digit(u8),
    /// A digit of the numeric pad, 0 to 9.
    Numpad(u8),
    Space,
    Left,
    Right,
    Up,
    Down,
    Home,
    End,
    PageUp,
    PageDown,
    Backspace,
    Escape,
    /// A function key, from F1 on.
    F(u8),
}

/// A key with the modifiers that must be held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyBinding {
    pub key: Key,
    pub modifiers: Modifiers,
}

/// The part of the window that receives a key first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Route {
    /// An open menu or dialog receives every key.
    Front,
    /// A focused text field receives keys that type or edit; the table receives the rest.
    Text,
    /// A focused list receives arrows without modifiers or with Shift; the table receives the rest.
    List,
    /// The table receives keys first; egui receives those that the table does not know (Tab, Enter).
    Table,
}

/// The part of the window that receives keys now.
pub fn route(ctx: &egui::Context, window: &WindowState) -> Route {
    if window.dialog.is_some() || egui::Popup::is_any_open(ctx) {
        Route::Front
    } else if ctx.text_edit_focused() {
        Route::Text
    } else if window.list_focused {
        Route::List
    } else {
        Route::Table
    }
}

/// Returns whether the action of a key is performed although a dialog in front receives all other keys: undo and redo revert the steps of
/// the binding report while it is open.
pub fn passes_dialog(action: Action, ctx: &egui::Context, window: &WindowState) -> bool {
    let is_report = matches!(window.dialog, Some(Dialog::Binding(_)));
    is_report && matches!(action, Action::Undo | Action::Redo) && !ctx.text_edit_focused()
}

/// Returns whether the key types, edits or moves the cursor in a text field. With Ctrl, digits and other characters do not, except for
/// A, C, V, X, Y and Z.
pub fn is_for_text(key: Key, modifiers: Modifiers) -> bool {
    match key {
        Key::F(_) => false,
        Key::Char(char) => !modifiers.command || "acvxyz".contains(char),
        Key::Digit(_) | Key::Numpad(_) => !modifiers.command,
        _ => true,
    }
}

/// The name of [`Modifiers::COMMAND`] on this system.
pub const COMMAND_NAME: &str = if cfg!(target_os = "macos") { "Cmd" } else { "Ctrl" };

/// Names the held modifiers as a prefix for the name of a key: "Ctrl+Shift+".
pub fn held(modifiers: Modifiers) -> String {
    let names = [(modifiers.command, COMMAND_NAME), (modifiers.alt, "Alt"), (modifiers.shift, "Shift")];
    names.into_iter().filter(|(held, _)| *held).map(|(_, name)| format!("{name}+")).collect()
}

impl KeyBinding {
    /// The binding in words: "Ctrl+Shift+Z".
    pub fn text(&self) -> String {
        held(self.modifiers) + &self.key.text()
    }
}

impl Key {
    /// The name of the key.
    fn text(self) -> String {
        let named = match self {
            Self::Char(char) => return char.to_uppercase().collect(),
            Self::Digit(digit) => return digit.to_string(),
            Self::Numpad(digit) => return format!("Numpad {digit}"),
            Self::F(number) => return format!("F{number}"),
            Self::Space => "Space",
            Self::Left => "Left",
            Self::Right => "Right",
            Self::Up => "Up",
            Self::Down => "Down",
            Self::Home => "Home",
            Self::End => "End",
            Self::PageUp => "PageUp",
            Self::PageDown => "PageDown",
            Self::Backspace => "Backspace",
            Self::Escape => "Esc",
        };
        named.to_owned()
    }
}

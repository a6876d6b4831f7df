//! Keys, what is held with them, and who gets them first.

use egui::Modifiers;

/// A key as the table knows it: letters and signs by meaning, digits and the numeric pad by position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Key {
    /// A lower-case letter, or a sign.
    Char(char),
    Digit(u8),
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
    F(u8),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Binding {
    pub key: Key,
    pub modifiers: Modifiers,
}

/// Who gets a key first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Route {
    /// What stands in front takes everything: an open menu, a dialog.
    Front,
    /// The text field in which a person types takes what types and edits; the rest goes to the table.
    Text,
    /// Plain arrows, with or without Shift, go to the list; the rest to the table.
    List,
    /// The table first; what it does not know (Tab, Enter) goes to egui.
    Table,
}

/// `list_focused`: see [`crate::ui::window_state::WindowState`].
pub fn route(ctx: &egui::Context, list_focused: bool) -> Route {
    let dialog = ctx.memory(|memory| memory.top_modal_layer().is_some());
    match () {
        () if dialog || egui::Popup::is_any_open(ctx) => Route::Front,
        () if ctx.text_edit_focused() => Route::Text,
        () if list_focused => Route::List,
        () => Route::Table,
    }
}

/// Whether it writes, edits or walks in a text field.
pub fn is_for_text(key: Key, modifiers: Modifiers) -> bool {
    match key {
        Key::F(_) => false,
        Key::Char(char) => !modifiers.command || "acvxyz".contains(char),
        Key::Digit(_) | Key::Numpad(_) => !modifiers.command,
        _ => true,
    }
}

/// "Ctrl+Shift+".
pub fn held(modifiers: Modifiers) -> String {
    let ctrl = if cfg!(target_os = "macos") { "Cmd+" } else { "Ctrl+" };
    let names = [(modifiers.command, ctrl), (modifiers.alt, "Alt+"), (modifiers.shift, "Shift+")];
    names.into_iter().filter(|(held, _)| *held).map(|(_, name)| name).collect()
}

impl Binding {
    /// "Ctrl+Shift+Z".
    pub fn text(&self) -> String {
        held(self.modifiers) + &self.key.text()
    }
}

impl Key {
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

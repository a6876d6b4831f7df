//! Keyboard input: translates winit's keys to those of the action table, and collects the actions until the next frame.

use std::path::PathBuf;

use egui::{Event, Modifiers};
use winit::event::{ElementState, KeyEvent, WindowEvent};
use winit::keyboard::{Key as Logical, KeyCode, ModifiersState, NamedKey, PhysicalKey};

use crate::ui::actions::keys::{self, Key, Route};
use crate::ui::actions::{Action, table};
use crate::ui::context::window_state::WindowState;
use crate::ui::input_steps::PlacedAction;

use super::AppWindow;

/// Input that waits for the next frame.
#[derive(Default)]
pub struct WindowInput {
    /// Actions of the keys pressed since the last frame, in order.
    pub actions: Vec<PlacedAction>,
    /// The actions that the current run of the panels performs.
    pub due_actions: Vec<Action>,
    /// Keys that follow a key which may close the dialog or menu in front. The next frame decides whether it does.
    waiting_keys: Vec<WindowEvent>,
    /// The modifiers held now.
    pub modifiers: ModifiersState,
    /// Dropped files. winit sends one event per file; they are opened together after the last one.
    pub dropped_files: Vec<PathBuf>,
}

impl WindowInput {
    /// Keeps a key for after the next frame if an earlier key may close the dialog or menu in front. Returns whether it did.
    pub fn keep_for_later(&mut self, event: &WindowEvent, window: &AppWindow, state: &WindowState) -> bool {
        let is_key = matches!(event, WindowEvent::KeyboardInput { .. } | WindowEvent::ModifiersChanged(_));
        let is_closing = |event: &Event| matches!(event, Event::Key { key: egui::Key::Escape | egui::Key::Enter, pressed: true, .. });
        let may_close = || {
            let has_closing_key = window.input.egui_input().events.iter().any(is_closing);
            has_closing_key && keys::route(&window.egui, state) == Route::Front
        };
        let is_kept = is_key && (!self.waiting_keys.is_empty() || may_close());
        if is_kept {
            self.waiting_keys.push(event.clone());
        }
        is_kept
    }

    /// Takes the keys that [`Self::keep_for_later`] has kept, in order.
    pub fn take_waiting_keys(&mut self) -> Vec<WindowEvent> {
        std::mem::take(&mut self.waiting_keys)
    }

    /// Records the action of a key, unless a dialog, a menu, a text field or a list needs the key. Returns true if the key belongs to an
    /// action. Then egui must not get the key.
    pub fn take_key(&mut self, event: &KeyEvent, window: &AppWindow, state: &WindowState) -> bool {
        let modifiers = modifiers(self.modifiers);
        let Some((key, modifiers)) = key(event.physical_key, &event.logical_key, modifiers) else { return false };
        // Text typed after Ctrl+K belongs to the command palette, even before it is on the screen.
        if self.actions.iter().any(|placed| placed.action == Action::CommandPalette) {
            return false;
        }
        let action = table::find(key, modifiers);
        let arrow = matches!(key, Key::Left | Key::Right | Key::Up | Key::Down);
        // A dialog or menu in front, a text field and a focused list get their keys before the action table.
        let is_for_egui = match keys::route(&window.egui, state) {
            Route::Front => !action.is_some_and(|action| keys::passes_dialog(action, &window.egui, state)),
            Route::Text => keys::is_for_text(key, modifiers),
            Route::List => arrow && !modifiers.command && !modifiers.alt,
            Route::Table => false,
        } || self.actions.iter().any(|placed| placed.action.takes_text());
        if is_for_egui {
            return false;
        }
        let Some(action) = action else { return false };
        if event.state == ElementState::Pressed && (!event.repeat || action.repeats()) {
            let events_before = window.input.egui_input().events.len();
            self.actions.push(PlacedAction { action, events_before });
        }
        true
    }
}

/// Converts a key of winit to a key of the action table, with the modifiers that it counts with. Letters and signs are identified by their
/// character, and letters of other scripts than Latin by that of their position on an American keyboard. Digits and the keys of the numeric
/// pad are identified by their position on the keyboard. `None` for keys that the table does not know.
fn key(physical: PhysicalKey, logical: &Logical, modifiers: Modifiers) -> Option<(Key, Modifiers)> {
    let position = if let PhysicalKey::Code(code) = physical { by_position(code) } else { None };
    // Letters are converted to lower case, so the key of Ctrl+Shift+Z is "z". Signs that need Shift are identified as typed.
    let character = single_char(logical);
    let typed = match (logical, character) {
        (Logical::Named(named), _) => by_name(*named),
        (Logical::Character(text), _) if text.chars().next().is_some_and(is_of_other_script) => latin_letter(physical),
        (_, character) => character.map(Key::Char),
    };
    match (position, typed) {
        // Many layouts have signs of the table on digit keys: "/" is Shift+7 in German, "-" is 6 in French.
        (Some(Key::Digit(_)), Some(sign)) if table::find(sign, modifiers).is_some() => Some((sign, modifiers)),
        // Where digits are typed with Shift, the digit key may be the one of a sign.
        (Some(digit @ Key::Digit(number)), _) if character == char::from_digit(number.into(), 10) => {
            Some((digit, Modifiers { shift: false, ..modifiers }))
        }
        _ => Some((position.or(typed)?, modifiers)),
    }
}

/// The character that a key types, in lower case. `None` for other keys, and for keys that type several characters.
fn single_char(logical: &Logical) -> Option<char> {
    let Logical::Character(text) = logical else { return None };
    let mut characters = text.chars().flat_map(char::to_lowercase);
    characters.next().filter(|_| characters.next().is_none())
}

/// Returns whether a character is a letter of another script than Latin.
fn is_of_other_script(character: char) -> bool {
    let is_latin = character <= '\u{2af}' || ('\u{1e00}'..='\u{1eff}').contains(&character);
    character.is_alphabetic() && !is_latin
}

/// The letter at this position on an American keyboard. `None` for other keys.
fn latin_letter(physical: PhysicalKey) -> Option<Key> {
    const LETTERS: [KeyCode; 26] = [
        KeyCode::KeyA,
        KeyCode::KeyB,
        KeyCode::KeyC,
        KeyCode::KeyD,
        KeyCode::KeyE,
        KeyCode::KeyF,
        KeyCode::KeyG,
        KeyCode::KeyH,
        KeyCode::KeyI,
        KeyCode::KeyJ,
        KeyCode::KeyK,
        KeyCode::KeyL,
        KeyCode::KeyM,
        KeyCode::KeyN,
        KeyCode::KeyO,
        KeyCode::KeyP,
        KeyCode::KeyQ,
        KeyCode::KeyR,
        KeyCode::KeyS,
        KeyCode::KeyT,
        KeyCode::KeyU,
        KeyCode::KeyV,
        KeyCode::KeyW,
        KeyCode::KeyX,
        KeyCode::KeyY,
        KeyCode::KeyZ,
    ];
    let PhysicalKey::Code(code) = physical else { return None };
    LETTERS.into_iter().zip('a'..='z').find(|(key, _)| *key == code).map(|(_, letter)| Key::Char(letter))
}

/// The digit or numeric pad key at this position on the keyboard, in any layout.
fn by_position(code: KeyCode) -> Option<Key> {
    const DIGITS: [KeyCode; 10] = [
        KeyCode::Digit0,
        KeyCode::Digit1,
        KeyCode::Digit2,
        KeyCode::Digit3,
        KeyCode::Digit4,
        KeyCode::Digit5,
        KeyCode::Digit6,
        KeyCode::Digit7,
        KeyCode::Digit8,
        KeyCode::Digit9,
    ];
    const NUMPAD: [KeyCode; 10] = [
        KeyCode::Numpad0,
        KeyCode::Numpad1,
        KeyCode::Numpad2,
        KeyCode::Numpad3,
        KeyCode::Numpad4,
        KeyCode::Numpad5,
        KeyCode::Numpad6,
        KeyCode::Numpad7,
        KeyCode::Numpad8,
        KeyCode::Numpad9,
    ];
    let digit = |keys: &[KeyCode]| keys.iter().position(|&key| key == code).map(|digit| digit as u8);
    digit(&DIGITS).map(Key::Digit).or_else(|| digit(&NUMPAD).map(Key::Numpad))
}

/// Converts a function key or another named key of winit to a key of the action table.
fn by_name(named: NamedKey) -> Option<Key> {
    const FUNCTION: [NamedKey; 12] = [
        NamedKey::F1,
        NamedKey::F2,
        NamedKey::F3,
        NamedKey::F4,
        NamedKey::F5,
        NamedKey::F6,
        NamedKey::F7,
        NamedKey::F8,
        NamedKey::F9,
        NamedKey::F10,
        NamedKey::F11,
        NamedKey::F12,
    ];
    let function = FUNCTION.iter().position(|&key| key == named).map(|index| Key::F(index as u8 + 1));
    function.or(match named {
        NamedKey::Space => Some(Key::Space),
        NamedKey::ArrowLeft => Some(Key::Left),
        NamedKey::ArrowRight => Some(Key::Right),
        NamedKey::ArrowUp => Some(Key::Up),
        NamedKey::ArrowDown => Some(Key::Down),
        NamedKey::Home => Some(Key::Home),
        NamedKey::End => Some(Key::End),
        NamedKey::PageUp => Some(Key::PageUp),
        NamedKey::PageDown => Some(Key::PageDown),
        NamedKey::Backspace => Some(Key::Backspace),
        NamedKey::Escape => Some(Key::Escape),
        _ => None,
    })
}

/// The modifiers in egui's form: `command` is Cmd on macOS and Ctrl elsewhere.
fn modifiers(state: ModifiersState) -> Modifiers {
    let (ctrl, cmd) = (state.control_key(), state.super_key());
    let command = if cfg!(target_os = "macos") { cmd } else { ctrl };
    Modifiers { alt: state.alt_key(), ctrl, shift: state.shift_key(), mac_cmd: cfg!(target_os = "macos") && cmd, command }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: Modifiers = Modifiers::NONE;
    const SHIFT: Modifiers = Modifiers::SHIFT;
    const CTRL: Modifiers = Modifiers { ctrl: true, command: true, ..NONE };

    /// Returns the action of a key at this position that types this text.
    fn action(code: KeyCode, text: &str, held: Modifiers) -> Option<Action> {
        let (key, held) = key(PhysicalKey::Code(code), &Logical::Character(text.into()), held)?;
        table::find(key, held)
    }

    #[test]
    fn signs_on_digit_keys_are_identified_by_their_character() {
        // German and other layouts with "/" above 7.
        assert_eq!(action(KeyCode::Digit7, "/", SHIFT), Some(Action::Isolate));
        assert_eq!(action(KeyCode::Digit7, "7", NONE), Some(Action::ShadeVertexColors));
        // French: digits need Shift, and 6 types "-".
        assert_eq!(action(KeyCode::Digit6, "-", NONE), Some(Action::ZoomOut));
        assert_eq!(action(KeyCode::Digit6, "-", CTRL), Some(Action::SmallerScale));
        assert_eq!(action(KeyCode::Digit6, "-", Modifiers::ALT), Some(Action::LookBottom));
        assert_eq!(action(KeyCode::Digit6, "6", SHIFT), Some(Action::ShadeUv));
        assert_eq!(action(KeyCode::Digit7, "\u{e8}", NONE), Some(Action::ShadeVertexColors));
        // American: no sign above a digit belongs to an action.
        assert_eq!(action(KeyCode::Digit7, "&", SHIFT), None);
        assert_eq!(action(KeyCode::Slash, "/", NONE), Some(Action::Isolate));
    }

    #[test]
    fn letters_of_other_scripts_are_identified_by_their_position() {
        // Russian, Greek, Hebrew, Arabic (this key types two letters).
        assert_eq!(action(KeyCode::KeyW, "\u{446}", NONE), Some(Action::Wireframe));
        assert_eq!(action(KeyCode::KeyZ, "\u{42f}", Modifiers { shift: true, ..CTRL }), Some(Action::Redo));
        assert_eq!(action(KeyCode::KeyZ, "\u{3b6}", CTRL), Some(Action::Undo));
        assert_eq!(action(KeyCode::KeyO, "\u{5dd}", CTRL), Some(Action::Open));
        assert_eq!(action(KeyCode::KeyB, "\u{644}\u{627}", NONE), Some(Action::Skeleton));
        // Russian has the period beside the right Shift, and letters on the keys of signs.
        assert_eq!(action(KeyCode::Slash, ".", NONE), action(KeyCode::Period, ".", NONE));
        assert_eq!(action(KeyCode::Period, "\u{44e}", NONE), None);
        // French, German and Turkish F have Latin letters at other positions.
        assert_eq!(action(KeyCode::KeyQ, "a", CTRL), Some(Action::SelectAll));
        assert_eq!(action(KeyCode::KeyY, "z", CTRL), Some(Action::Undo));
        assert_eq!(action(KeyCode::KeyE, "\u{11f}", NONE), None);
    }
}

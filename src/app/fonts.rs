//! Fonts of the system for names that the embedded ones cannot show: looked for on a thread of their own, and only when needed.

use std::collections::BTreeSet;

use crate::fonts::{self, SystemFont};
use crate::ui::theme;

use super::App;
use super::events::AppEvent;
use super::opening;

/// Of all that are found while the window is open.
const MOST_FONTS: usize = 16;

impl App {
    pub(super) fn find_fonts(&self, missing: BTreeSet<char>) {
        if self.fonts.len() >= MOST_FONTS {
            return;
        }
        let proxy = self.proxy.clone();
        std::thread::spawn(move || {
            // A font that its reader stumbles over costs no more than a box in place of a letter.
            if let Ok(found) = opening::caught(|| fonts::find(&fonts::system(), &missing)) {
                // The window may be gone.
                let _ = proxy.send_event(AppEvent::Fonts(found));
            }
        });
    }

    pub(super) fn take_fonts(&mut self, found: Vec<SystemFont>) {
        let new: Vec<_> = found.into_iter().filter(|font| self.fonts.iter().all(|known| known.name != font.name)).collect();
        if new.is_empty() {
            return;
        }
        self.fonts.extend(new);
        self.fonts.truncate(MOST_FONTS);
        if let Some(shell) = &self.shell {
            theme::set_fonts(&shell.egui, &self.fonts);
        }
    }
}

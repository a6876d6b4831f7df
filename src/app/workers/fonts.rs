//! Fonts of the system for names that the embedded ones cannot show: looked for on a thread of their own, and only when needed.

use std::collections::BTreeSet;

use crate::app::App;
use crate::app::worker_events::AppEvent;
use crate::system_fonts::{self, SystemFont};
use crate::ui::style::theme;

use super::load;

/// Of all that are found while the window is open.
const MOST_FONTS: usize = 16;

impl App {
    pub(crate) fn find_fonts(&self, missing: BTreeSet<char>) {
        if self.fonts.len() >= MOST_FONTS {
            return;
        }
        let proxy = self.proxy.clone();
        std::thread::spawn(move || {
            // A font that its reader stumbles over costs no more than a box in place of a letter.
            if let Ok(found) = load::caught(|| system_fonts::find(&system_fonts::system(), &missing)) {
                // The window may be gone.
                let _ = proxy.send_event(AppEvent::Fonts(found));
            }
        });
    }

    pub(crate) fn take_fonts(&mut self, found: Vec<SystemFont>) {
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

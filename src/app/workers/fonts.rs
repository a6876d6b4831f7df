//! Finds system fonts for names that the embedded fonts cannot show. Searching is slow, so it runs on a background thread and
//! only when a character is missing.

use std::collections::BTreeSet;

use winit::event_loop::EventLoopProxy;

use crate::app::worker_events::AppEvent;
use crate::captions::fonts;
use crate::system_fonts::{self, SystemFont};

use super::catch_panic;

/// Maximum number of system fonts in use while the window is open.
const MAX_FONTS: usize = 16;

/// The system fonts found so far.
#[derive(Default)]
pub struct FontWorker {
    fonts: Vec<SystemFont>,
}

impl FontWorker {
    /// Searches for fonts that have the `missing` characters, unless enough fonts are in use.
    pub fn start(&self, missing: BTreeSet<char>, proxy: EventLoopProxy<AppEvent>) {
        if self.fonts.len() >= MAX_FONTS {
            return;
        }
        std::thread::spawn(move || {
            // A font that makes its reader panic only leaves boxes in place of letters, so no message appears.
            if let Ok(found) = catch_panic(|| system_fonts::find(&system_fonts::system(), &missing)) {
                AppEvent::FontsFound(found).send(&proxy);
            }
        });
    }

    /// Installs the fonts that are new. The others were found by an earlier search.
    pub fn receive(&mut self, found: Vec<SystemFont>, egui: &egui::Context) {
        let new: Vec<_> = found.into_iter().filter(|font| self.fonts.iter().all(|installed| installed.name != font.name)).collect();
        if new.is_empty() {
            return;
        }
        self.fonts.extend(new);
        self.fonts.truncate(MAX_FONTS);
        fonts::set_fonts(egui, &self.fonts);
    }
}

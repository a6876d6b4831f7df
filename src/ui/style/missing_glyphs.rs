//! Finds characters that no loaded font has. Names and typed text are checked when they are new, and each missing character is
//! requested from the system once.

use std::collections::BTreeSet;

use egui::{Event, FontId, ImeEvent};

use crate::session::document::Document;
use crate::ui::context::Context;
use crate::ui::per_document::{DocumentChange, SeenDocument};
use crate::ui::request::Request;

/// Maximum number of missing characters per file. A file with more does not hold real names.
const MAX_CHARACTERS: usize = 20_000;

/// The names that were checked and the fonts that were requested so far.
#[derive(Debug, Clone, Default)]
pub struct MissingGlyphs {
    /// The document whose names were checked.
    document: SeenDocument,
    /// Characters already requested from the system. They are not requested again.
    asked: BTreeSet<char>,
}

/// Requests fonts if new names or typed text need them.
pub fn update(ctx: &egui::Context, state: &mut MissingGlyphs, context: &mut Context) {
    let mut characters = typed(ctx);
    if state.document.update(context.document) != DocumentChange::Same {
        characters.extend(of_document(context.document));
        let files = context.preferences.recent_files.iter();
        characters.extend(files.flat_map(|path| path.to_string_lossy().chars().collect::<Vec<_>>()));
    }
    characters.retain(|char| !state.asked.contains(char));
    let missing = missing(ctx, characters);
    if !missing.is_empty() {
        state.asked.extend(&missing);
        context.requests.push(Request::FindFonts(missing));
    }
}

/// All characters of the file's name and of the names in it.
pub fn of_document(document: &Document) -> BTreeSet<char> {
    let model = &document.model;
    let names = model.nodes.iter().map(|node| &node.name);
    let names = names.chain(model.animations.iter().map(|animation| &animation.name));
    let names = names.chain(model.meshes.iter().map(|mesh| &mesh.name)).chain(model.cameras.iter().map(|camera| &camera.name));
    names.flatten().flat_map(|name| name.chars()).chain(document.name.chars()).collect()
}

/// The characters that no font has.
pub fn missing(ctx: &egui::Context, characters: BTreeSet<char>) -> BTreeSet<char> {
    let shown = characters.into_iter().filter(|char| !char.is_ascii() && !char.is_control() && !char.is_whitespace()).take(MAX_CHARACTERS);
    let font = FontId::proportional(13.0);
    ctx.fonts_mut(|fonts| shown.filter(|&char| !fonts.has_glyph(&font, char)).collect())
}

/// The characters of text that was typed or pasted in this frame.
fn typed(ctx: &egui::Context) -> BTreeSet<char> {
    ctx.input(|input| {
        let text = input.events.iter().filter_map(|event| match event {
            Event::Text(text) | Event::Paste(text) | Event::Ime(ImeEvent::Commit(text)) => Some(text),
            _ => None,
        });
        text.flat_map(|text| text.chars()).collect()
    })
}

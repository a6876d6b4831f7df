//! Finds characters that no loaded font has. Only new names and typed text are checked. A font for each missing character is requested from
//! the system once.

use std::collections::BTreeSet;
use std::sync::Arc;

use egui::{Event, ImeEvent};

use crate::borrowed::report::BindingReport;
use crate::captions::fonts;
use crate::model::Model;
use crate::ui::context::Context;
use crate::ui::context::per_document::{DocumentChange, LastDocument};
use crate::ui::context::request::Request;

/// The names that were checked, and the characters that were requested.
#[derive(Debug, Clone, Default)]
pub struct MissingGlyphs {
    /// The document whose names were checked.
    document: LastDocument,
    /// The model that this document is compared with, and the reports on the files that it borrows animations from. Their names were
    /// checked, too.
    other: Option<Arc<Model>>,
    borrowed: Arc<Vec<BindingReport>>,
    /// Characters for which a font was already requested from the system. They are not requested again.
    requested: BTreeSet<char>,
}

/// Requests fonts if new names or typed text need them.
pub fn update(ctx: &egui::Context, state: &mut MissingGlyphs, context: &mut Context) {
    let mut characters = typed(ctx);
    if state.document.update(context.document) != DocumentChange::Same {
        characters.extend(fonts::characters_of(context.document));
        let files = context.preferences.recent_files.iter();
        characters.extend(files.flat_map(|path| path.to_string_lossy().chars().collect::<Vec<_>>()));
    }
    let status = &*context.status;
    if let Some(comparison) = &context.comparison
        && !state.other.as_ref().is_some_and(|other| Arc::ptr_eq(other, &comparison.model))
    {
        characters.extend(fonts::characters_of_model(&comparison.model));
        characters.extend(comparison.side_names.iter().flat_map(|name| name.chars()));
    }
    state.other = context.comparison.as_ref().map(|comparison| Arc::clone(&comparison.model));
    if !Arc::ptr_eq(&state.borrowed, &status.borrowed) {
        for report in &*status.borrowed {
            characters.extend(fonts::characters_of_model(&report.file.model));
            characters.extend(report.name.chars());
        }
        state.borrowed = Arc::clone(&status.borrowed);
    }
    characters.retain(|char| !state.requested.contains(char));
    let missing = fonts::missing(ctx, characters);
    if !missing.is_empty() {
        state.requested.extend(&missing);
        context.requests.push(Request::FindFonts(missing));
    }
}

/// The characters that were typed or pasted in this frame.
fn typed(ctx: &egui::Context) -> BTreeSet<char> {
    ctx.input(|input| {
        let text = input.events.iter().filter_map(|event| match event {
            Event::Text(text) | Event::Paste(text) | Event::Ime(ImeEvent::Commit(text)) => Some(text),
            _ => None,
        });
        text.flat_map(|text| text.chars()).collect()
    })
}

//! State that belongs to one document, and a way to tell a reload of a file from another file.

use crate::model::Model;
use crate::session::document::{Document, DocumentId};

/// How a document compares with the previous one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DocumentChange {
    Same,
    /// The same file, read again.
    Reloaded,
    /// Another file.
    Other,
}

/// The document for which a state was last updated.
#[derive(Debug, Clone, Copy, Default)]
pub struct LastDocument(Option<DocumentReading>);

/// A document, and the first reading of its file. Reloads keep `first_reading`.
#[derive(Debug, Clone, Copy)]
struct DocumentReading {
    id: DocumentId,
    first_reading: DocumentId,
}

impl LastDocument {
    /// Remembers the document and returns how it compares with the previous one.
    pub fn update(&mut self, document: &Document) -> DocumentChange {
        let before = self.0.replace(DocumentReading { id: document.id, first_reading: document.first_reading() });
        match before {
            Some(before) if before.id == document.id => DocumentChange::Same,
            Some(before) if before.first_reading == document.first_reading() => DocumentChange::Reloaded,
            _ => DocumentChange::Other,
        }
    }
}

/// The animation for which a state was last updated.
#[derive(Debug, Clone, Default)]
pub struct LastAnimation {
    index: Option<usize>,
    name: Option<String>,
}

impl LastAnimation {
    /// Remembers the animation, and returns whether it is another one than before. After a reload of the file, the animation is the same if
    /// it has the same name. If no animation of the reloaded file has this name, it is the same if it has the same index. `change` is the
    /// result of [`LastDocument::update`].
    pub fn update(&mut self, model: &Model, animation: Option<usize>, change: DocumentChange) -> bool {
        if change == DocumentChange::Same && self.index == animation {
            return false;
        }
        let name = animation.and_then(|animation| model.animations.get(animation)?.name.clone());
        let before = std::mem::replace(self, Self { index: animation, name });
        let has_old_name = || model.animations.iter().any(|animation| animation.name == before.name);
        match change {
            DocumentChange::Reloaded if before.name.is_some() && has_old_name() => self.name != before.name,
            DocumentChange::Reloaded => self.index != before.index,
            DocumentChange::Same | DocumentChange::Other => true,
        }
    }
}

/// A value that belongs to one document. It is reset for another document; a reloaded file is another document.
#[derive(Debug, Clone, Default)]
pub struct PerDocument<T> {
    document: Option<DocumentId>,
    value: T,
}

impl<T: Default> PerDocument<T> {
    /// The value for this document. If the value belongs to another document, it is reset to the default first.
    pub fn get(&mut self, document: &Document) -> &mut T {
        if self.document.replace(document.id) != Some(document.id) {
            self.value = T::default();
        }
        &mut self.value
    }
}

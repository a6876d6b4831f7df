//! State that belongs to one document, and a way to tell a reload of a file from another file.

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

/// The id of a document, and the id of the first reading of its file, which is the same for all reloads.
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

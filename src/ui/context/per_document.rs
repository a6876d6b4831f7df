//! State that belongs to one document, and the distinction between another document and a reload.

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

/// The document that a state was last updated for.
#[derive(Debug, Clone, Copy, Default)]
pub struct LastDocument(Option<DocumentReading>);

/// Identifies a document, and the first reading of its file, which all its reloads share.
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

/// A value that holds for one document. It is reset when another document is seen; a reload is another document.
#[derive(Debug, Clone, Default)]
pub struct PerDocument<T> {
    document: Option<DocumentId>,
    value: T,
}

impl<T: Default> PerDocument<T> {
    /// The value for this document. It is the default one if another document was seen last.
    pub fn get(&mut self, document: &Document) -> &mut T {
        if self.document.replace(document.id) != Some(document.id) {
            self.value = T::default();
        }
        &mut self.value
    }
}

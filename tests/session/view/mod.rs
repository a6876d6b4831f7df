//! Tests the view: its page in the documentation, names in view files, and undo.

mod page;
mod selector;
mod undo;

//! Tests the view: its page in the documentation, names in saved views, and undo.

mod page;
mod selector;
mod undo;

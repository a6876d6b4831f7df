//! Tests the view: names in saved views, and undo.

mod selector;
mod undo;

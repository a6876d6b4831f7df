//! Commands that undo and redo changes of the view.

use crate::ui::context::Context;
use crate::ui::context::request::Request;

/// Undoes the last change and tells which one it was.
pub fn undo(context: &mut Context) {
    if let Some(change) = context.undo.undo(context.view) {
        context.requests.push(Request::ShowMessage(format!("Undo: {change}")));
    }
}

/// Redoes the last undone change and tells which one it was.
pub fn redo(context: &mut Context) {
    if let Some(change) = context.undo.redo(context.view) {
        context.requests.push(Request::ShowMessage(format!("Redo: {change}")));
    }
}

//! The list of recent files: files that the user opened, and files that the user stepped to and kept open for a while. The latest file
//! comes first.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::ui::context::preferences::{MAX_RECENT_FILES, push_recent};

use super::open_document::OpenDocument;

/// How long a file that the user stepped to must stay open to enter the list.
const MIN_STAY: Duration = Duration::from_secs(10);

/// Remembers the open file if the user stepped to it and has stayed long enough, unless it was remembered already.
pub fn remember_stayed(recent: &mut Vec<PathBuf>, open: Option<&mut OpenDocument>) {
    let stayed = open.filter(|open| open.stepped_at.is_some_and(|start| start.elapsed() >= MIN_STAY));
    if let Some(path) = stayed.and_then(|open| open.stepped_at.take().and(open.source.path())) {
        remember(recent, path);
    }
}

/// Puts a file at the front of the list.
pub fn remember(recent: &mut Vec<PathBuf>, file: &Path) {
    push_recent(recent, file.to_owned(), MAX_RECENT_FILES);
}

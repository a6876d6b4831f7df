//! The open document: how files are loaded, the animations that it plays from other files, the list of files to step through, and the
//! list of recent files.

pub(super) mod borrowed_animations;
pub(super) mod listed_files;
pub(super) mod load_job;
mod loading;
pub(super) mod open_document;
pub(super) mod recent_files;
mod replacing;

//! Reads files and folders, and watches them.

pub(in crate::app) mod file_watcher;
pub(in crate::app) mod folder;
pub(in crate::app) mod load;
pub(in crate::app) mod load_steps;

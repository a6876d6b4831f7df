//! Background work of the window, one file per job.

pub(crate) mod bounds;
pub(crate) mod clip_export;
pub(crate) mod environment;
pub(crate) mod file_watcher;
pub(crate) mod fonts;
pub(crate) mod gpu_pick;
pub(crate) mod load;
pub(crate) mod load_jobs;
pub(crate) mod motions;
pub(crate) mod reloading;
pub(crate) mod screenshot;

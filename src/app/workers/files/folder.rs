//! Lists the models in the folder of a file, and checks which files have changed since their thumbnails were drawn. Both happen in the
//! background: a folder may be on a slow disk. Only a folder that the user opens is listed at once.

use std::path::{Path, PathBuf};

use winit::event_loop::EventLoopProxy;

use crate::app::worker_events::{AppEvent, ListedFolder};
use crate::asset::file::stamp::Stamp;
use crate::session::file::file_list::FileList;
use crate::session::file::folder::files_in;

use crate::app::workers::catch_panic;

/// A request to list a folder and to check thumbnails.
pub struct FolderTask {
    /// The file whose folder is to be listed; `None` to check thumbnails only.
    pub opened: Option<PathBuf>,
    /// The files that were opened together with that file.
    pub opened_together: Vec<PathBuf>,
    /// The files that have thumbnails, with the stamps of the files at the time when the thumbnails were drawn.
    pub thumbnails: Vec<(PathBuf, Option<Stamp>)>,
}

/// Lists one folder at a time.
#[derive(Default)]
pub struct FolderWorker {
    is_running: bool,
    /// The task that starts when the running one has ended.
    next: Option<FolderTask>,
}

impl FolderWorker {
    /// Starts a task, or queues it if another one is running.
    pub fn start(&mut self, task: FolderTask, proxy: EventLoopProxy<AppEvent>) {
        if self.is_running {
            self.next = Some(task);
            return;
        }
        self.is_running = true;
        std::thread::spawn(move || {
            let listed = catch_panic(|| look(task)).unwrap_or_else(|message| {
                log::warn!("cannot list the folder: {message}");
                ListedFolder { list: None, changed: Vec::new() }
            });
            AppEvent::FolderListed(Box::new(listed)).send(&proxy);
        });
    }

    /// Starts the queued task after the running one has ended.
    pub fn finish(&mut self, proxy: EventLoopProxy<AppEvent>) {
        self.is_running = false;
        if let Some(task) = self.next.take() {
            self.start(task, proxy);
        }
    }
}

/// Performs a task.
fn look(task: FolderTask) -> ListedFolder {
    let FolderTask { opened, opened_together, thumbnails } = task;
    let changed = thumbnails.into_iter().filter(|(file, stamp)| *stamp != Stamp::at(file)).map(|(file, _)| file).collect();
    ListedFolder { list: opened.map(|opened| FileList::in_folder(&opened, files(&opened), opened_together)), changed }
}

/// The files in the folder of a file. If the folder cannot be listed, only the file itself.
fn files(opened: &Path) -> Vec<PathBuf> {
    let mut files = opened.parent().and_then(|folder| files_in(folder).ok()).unwrap_or_default();
    // The limit may leave out the file itself, so it is added.
    if !files.iter().any(|file| file == opened) && opened.is_file() {
        files.push(opened.to_owned());
    }
    files
}

//! The list of files to step through: files that were opened together, or the models in the folder of a file that was opened alone.

use std::path::{Path, PathBuf};

use crate::app::App;
use crate::app::worker_events::{DrawnThumbnail, ListedFolder};
use crate::app::workers::files::folder::FolderTask;
use crate::app::workers::files::load::LoadRequest;
use crate::app::workers::pictures::thumbnails::ThumbnailOrder;
use crate::model::label;
use crate::paths;
use crate::session::document::ImageState;
use crate::session::file::file_list::{self, FileList};
use crate::session::file::folder;
use crate::session::file::next_file::KeptView;
use crate::ui::context::app_status::Failure;

use super::load_job::{LoadJob, LoadReason, Source};

impl App {
    /// Opens the first model of the files or folders that were dropped. The user can step to the others.
    pub(crate) fn open_dropped(&mut self, files: &[PathBuf]) {
        let list = file_list(files);
        self.show_strip_of_folder(files, &list);
        match list {
            Ok(list) if list.models.len() > 1 => {
                let previous = std::mem::replace(&mut self.file_list, list);
                self.previous_list.get_or_insert(previous);
                self.open_listed(LoadReason::Opened);
            }
            Ok(list) => {
                if let Some(path) = list.current().cloned() {
                    self.open_source(Source::File { path, opened_together: list.opened_together });
                }
            }
            Err(message) => self.show_failure(Failure::new("Cannot open", message)),
        }
    }

    /// Shows the file strip if the user opens a folder with several models.
    pub(crate) fn show_strip_of_folder(&mut self, given: &[PathBuf], list: &Result<FileList, String>) {
        if list.as_ref().is_ok_and(|list| list.models.len() > 1) && given.iter().any(|path| path.is_dir()) {
            self.ui.preferences.file_strip = true;
        }
    }

    /// Opens the next (1) or the previous (-1) file of the list.
    pub(crate) fn step_file(&mut self, by: isize) {
        if self.file_list.models.len() > 1 {
            self.file_list.step(by);
            self.step_direction = Some(by.signum());
            self.open_listed(LoadReason::Stepped);
        }
    }

    /// Opens a file of the list, as if the user had stepped to it.
    pub(crate) fn open_listed_file(&mut self, path: &Path) {
        // The list may have changed since the panels saw it.
        if let Some(at) = self.file_list.position(path) {
            self.step_direction = Some(if at < self.file_list.at { -1 } else { 1 });
            self.file_list.at = at;
            self.open_listed(LoadReason::Stepped);
        }
    }

    /// Starts loading the next file in the direction of the last step, once the open file and its images are loaded. If the user opened a
    /// single file, its neighbors are loaded only after the first step, or while the file strip is shown.
    pub(crate) fn load_ahead(&mut self) {
        let steps = self.step_direction.is_some() || self.file_list.opened.is_none() || self.ui.preferences.file_strip;
        let Some(open) = self.open.as_ref().filter(|_| steps && self.file_list.models.len() > 1) else { return };
        let is_shown = self.file_list.current().map(PathBuf::as_path) == open.source.path();
        let is_busy = self.workers.load.job().is_some() || open.document.image_states.contains(&ImageState::Pending);
        let next = self.file_list.models.get(self.file_list.neighbor(self.step_direction.unwrap_or(1)));
        let next =
            next.filter(|next| is_shown && !is_busy && !self.workers.load.is_ahead(&next.path, self.file_list.opened_with(&next.path)));
        let Some(source) = next.map(|next| self.source_of(&next.path)) else { return };
        let (view, before) = (self.view.clone(), open.document.model.clone());
        let list_position = self.file_list.list_position(source.path());
        let borrowed = self.remembered_animations(&source);
        let request = LoadRequest { reason: LoadReason::Stepped, borrowed, ..LoadRequest::open(source, list_position) };
        self.workers.load.start_ahead(request, self.proxy.clone(), move |model| KeptView::Place.view(&view, &before, model, None));
    }

    /// Moves the list back to the open file, after a load was canceled.
    pub(crate) fn return_to_open(&mut self) {
        let Some(open) = &self.open else { return };
        let position = |list: &FileList| open.source.path().and_then(|path| list.position(path));
        if position(&self.file_list).is_none()
            && let Some(previous) = self.previous_list.take()
        {
            self.file_list = previous;
        }
        if let Some(at) = position(&self.file_list) {
            self.file_list.at = at;
        }
    }

    /// Opens the current file of the list.
    fn open_listed(&mut self, reason: LoadReason) {
        let Some(source) = self.listed_source() else { return };
        let list_position = self.file_list.list_position(source.path());
        self.start_open(LoadRequest { reason, ..LoadRequest::open(source, list_position) }, None);
    }

    /// The current file of the list.
    pub(crate) fn listed_source(&self) -> Option<Source> {
        self.file_list.current().map(|path| self.source_of(path))
    }

    /// A file of the list, with the files that it may need.
    fn source_of(&self, path: &Path) -> Source {
        Source::File { path: path.to_owned(), opened_together: self.file_list.opened_with(path).to_vec() }
    }

    /// Lists the folder of a file that was opened alone or with other files that it may need, unless that folder is listed already.
    pub(crate) fn list_neighbors(&mut self, job: &LoadJob) {
        if job.reason.is_reload() {
            return;
        }
        self.previous_list = None;
        let Source::File { path, opened_together } = &job.source else { return };
        if job.list_position.is_some() {
            return;
        }
        let is_folder = self.file_list.opened.is_some() && opened_together.is_empty();
        match self.file_list.position(path).filter(|_| is_folder) {
            Some(at) => self.file_list.at = at,
            None => {
                self.file_list = FileList::single(path.clone(), opened_together.clone());
                self.list_folder();
            }
        }
    }

    /// Starts looking for changes on disk: lists the folder again if the list shows a folder, and checks the files that have thumbnails.
    pub(crate) fn list_folder(&mut self) {
        let FileList { opened, opened_together, .. } = &self.file_list;
        let task =
            FolderTask { opened: opened.clone(), opened_together: opened_together.clone(), thumbnails: self.ui.status.thumbnails.stamps() };
        self.workers.folder.start(task, self.proxy.clone());
    }

    /// Receives the models of a folder, unless another list was opened in the meantime.
    pub(crate) fn folder_listed(&mut self, ListedFolder { list, changed }: ListedFolder) {
        self.workers.folder.finish(self.proxy.clone());
        self.ui.status.thumbnails.forget(&changed);
        let Some(list) = list.filter(|list| self.file_list.opened == list.opened) else { return };
        let list = self.file_list.renewed(list);
        if self.file_list != list {
            self.file_list = list;
            self.show_name();
        }
    }

    /// Draws thumbnails in the background. Drops thumbnails that were requested earlier and are not drawn yet.
    pub(crate) fn draw_thumbnails(&mut self, files: Vec<PathBuf>, size: u32) {
        let Some(window) = &self.window else { return };
        let order = |file: PathBuf| ThumbnailOrder { opened_together: self.file_list.opened_with(&file).to_vec(), file, size };
        self.workers.thumbnails.start(files.into_iter().map(order).collect(), &window.gpu, self.proxy.clone());
    }

    /// Passes a drawn thumbnail to the file strip.
    pub(crate) fn thumbnail_drawn(&mut self, DrawnThumbnail { file, size, stamp, picture }: DrawnThumbnail) {
        if let Some(window) = &self.window {
            self.ui.status.thumbnails.receive(&window.egui, file, size, stamp, picture);
        }
    }

    /// Shows the name of the open file and its position in the list, in the title of the window and in the menu bar.
    pub(crate) fn show_name(&mut self) {
        let Some(open) = &self.open else { return };
        let path = open.source.path();
        let name = path.map_or_else(|| open.source.name(), |path| self.distinct_name(path));
        let list_position = self.file_list.list_position(path);
        if let Some(window) = &self.window {
            let title = format!("{} - Sinew", file_list::with_list_position(&name, list_position));
            window.handle.set_title(&label::clean(&title));
        }
        (self.ui.status.file_label, self.ui.status.list_position) = (Some(name), list_position);
    }

    /// The name of a file, with its folder if another file of the list or of the recent files has the same name.
    fn distinct_name(&self, path: &Path) -> String {
        let listed = self.file_list.models.iter().map(|model| &model.path);
        file_list::distinct_name(path, listed.chain(&self.ui.preferences.recent_files))
    }
}

/// The list of these files, with the models of a folder in its place. Paths are made absolute, because the settings remember them.
pub(crate) fn file_list(given: &[PathBuf]) -> Result<FileList, String> {
    let given: Vec<_> = given.iter().map(|path| paths::absolute(path)).collect();
    if let [folder] = &given[..]
        && folder.is_dir()
    {
        return folder::models(folder);
    }
    // Folders without models are left out.
    let expanded = |path: PathBuf| match path.is_dir() {
        true => folder::models(&path).map_or_else(|_| Vec::new(), |list| list.models.iter().map(|model| model.path.clone()).collect()),
        false => vec![path],
    };
    let files: Vec<_> = given.into_iter().flat_map(expanded).collect();
    if files.is_empty() {
        return Err("none of the folders has a .glb, .gltf, .vrm or .zip (their subfolders are not searched)".into());
    }
    FileList::new(&files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_without_models_are_named_as_the_reason_only_if_nothing_else_was_given() {
        let [empty, other] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let [empty, other] = [empty.path(), other.path()].map(Path::to_owned);
        let list = |given: &[&PathBuf]| file_list(&given.iter().copied().cloned().collect::<Vec<_>>());
        assert!(list(&[&empty, &other]).unwrap_err().starts_with("none of the folders has a .glb"));
        let model = other.join("fox.glb");
        std::fs::write(&model, "").unwrap();
        assert_eq!(list(&[&empty, &other]).unwrap().current(), Some(&model));
    }
}

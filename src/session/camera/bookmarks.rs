//! Camera bookmarks, remembered per file. They are stored in the settings file, which anybody can edit, so all of their values are checked.

use serde::{Deserialize, Serialize};

use crate::camera::Orbit;
use crate::model::Model;
use crate::model::node::NodeIndex;
use crate::session::saved_list::{plain_name, readable_entries};
use crate::session::view::{View, ViewCamera};

use super::orbit_controls;

/// Maximum number of files with bookmarks, and of bookmarks per file. The file whose bookmarks changed longest ago is dropped first.
const MAX_FILES: usize = 100;
pub const MAX_BOOKMARKS: usize = 30;
/// Maximum number of names on the path to a followed node, and maximum number of bytes in all of them together.
const MAX_PATH: usize = 64;
const MAX_PATH_BYTES: usize = 4096;

/// The bookmarks of all files.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Bookmarks {
    /// The file whose bookmarks changed last comes first.
    #[serde(deserialize_with = "readable_entries")]
    files: Vec<FileBookmarks>,
}

/// The bookmarks of one file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct FileBookmarks {
    /// Path of the file as text, because a path that is not Unicode cannot be written to the settings.
    file: String,
    #[serde(deserialize_with = "readable_entries")]
    bookmarks: Vec<Bookmark>,
}

/// A saved camera of one file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Bookmark {
    pub name: String,
    /// The free camera, as in [`ViewCamera::Orbit`].
    pub orbit: Orbit,
    /// The names on the path to the followed node, from the root. Empty if the camera follows nothing.
    pub follow: Vec<String>,
}

impl Bookmarks {
    /// The bookmarks of a file.
    pub fn for_file(&self, file: &str) -> &[Bookmark] {
        self.files.iter().find(|entry| entry.file == file).map_or(&[], |entry| &entry.bookmarks)
    }

    /// Replaces the bookmarks of a file. Those beyond the limits are dropped.
    pub fn set(&mut self, file: &str, bookmarks: Vec<Bookmark>) {
        self.files.retain(|entry| entry.file != file);
        self.files.insert(0, FileBookmarks { file: file.to_owned(), bookmarks });
        self.check();
    }

    /// Drops bookmarks that exceed the limits or have an invalid camera, and files without bookmarks. Shortens names, and clears paths that
    /// are too long.
    pub fn check(&mut self) {
        for entry in &mut self.files {
            entry.bookmarks.retain(|bookmark| is_usable(&bookmark.orbit));
            entry.bookmarks.truncate(MAX_BOOKMARKS);
            for bookmark in &mut entry.bookmarks {
                bookmark.name = plain_name(&bookmark.name);
                if is_too_long(&bookmark.follow) {
                    bookmark.follow.clear();
                }
            }
        }
        self.files.retain(|entry| !entry.bookmarks.is_empty());
        self.files.truncate(MAX_FILES);
    }
}

impl Bookmark {
    /// The bookmark of a free camera.
    pub fn new(name: &str, orbit: Orbit, follow: Option<usize>, model: &Model) -> Self {
        let path = follow.and_then(|source| model.node_from_source(source)).map(|node| path(model, node)).unwrap_or_default();
        Self { name: plain_name(name), orbit, follow: if is_too_long(&path) { Vec::new() } else { path } }
    }

    /// Shows the model through the saved camera. The camera follows nothing if the model no longer has the node.
    pub fn apply(&self, model: &Model, view: &mut View) {
        view.camera = ViewCamera::Orbit(self.orbit);
        view.follow = node_at(model, &self.follow).map(|node| model.node(node).source);
    }
}

/// Returns whether a camera from a settings file is valid.
pub fn is_usable(orbit: &Orbit) -> bool {
    let numbers = [orbit.yaw, orbit.pitch];
    let [near, far] = orbit_controls::DISTANCES;
    orbit.focus.is_finite()
        && orbit.focus.abs().max_element() <= far
        && numbers.iter().all(|number| number.abs() <= 1e6)
        && (near..=far).contains(&orbit.distance)
        && (1e-4..std::f64::consts::PI - 1e-3).contains(&orbit.yfov)
}

/// Returns whether a path exceeds the limits.
fn is_too_long(path: &[String]) -> bool {
    path.len() > MAX_PATH || path.iter().map(String::len).sum::<usize>() > MAX_PATH_BYTES
}

/// The names on the path to a node, from the root.
fn path(model: &Model, node: NodeIndex) -> Vec<String> {
    let parent = |node: &NodeIndex| model.hierarchy.parents[node.index()];
    let mut path: Vec<_> = std::iter::successors(Some(node), parent).take(MAX_PATH + 1).map(|node| model.node(node).label()).collect();
    path.reverse();
    path
}

/// The first node on a path of names. `None` if there is none, or the path is empty.
fn node_at(model: &Model, names: &[String]) -> Option<NodeIndex> {
    let last = names.last()?;
    model.node_indices().find(|&node| model.node(node).label() == *last && path(model, node) == names)
}

//! `sinew register` and `unregister`: the double-click association of the current user, by the XDG specifications. Writes a
//! desktop entry for this executable, icons and a MIME package into the user's data folder, and puts Sinew first in
//! `mimeapps.list`; whoever was first there stays second, so that unregistering gives the files back.

use std::ffi::OsStr;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, bail};

use super::mimeapps::{with_default, without_default};

const MIME_TYPES: [&str; 2] = ["model/gltf-binary", "model/gltf+json"];
const DESKTOP: &str = "sinew.desktop";
const DESKTOP_ENTRY: &str = include_str!("../../assets/sinew.desktop");

/// What is put into the user's data folder beside the desktop entry.
const FILES: [(&str, &[u8]); 4] = [
    ("mime/packages/sinew-mime.xml", include_bytes!("../../assets/sinew-mime.xml")),
    ("icons/hicolor/scalable/apps/sinew.svg", include_bytes!("../../assets/icon.svg")),
    ("icons/hicolor/256x256/apps/sinew.png", include_bytes!("../../assets/icon-256.png")),
    ("icons/hicolor/64x64/apps/sinew.png", include_bytes!("../../assets/icon-64.png")),
];

const BY_HAND_WINDOWS: &str =
    "on Windows this is done by hand: right-click a .glb file, Open with, Choose another app, pick sinew.exe, Always";
const BY_HAND_MACOS: &str = "on macOS this is done by hand: select a .glb file, File > Get Info, Open with, pick Sinew, Change All";

/// The folders of a user that hold associations.
pub struct Folders {
    /// `XDG_DATA_HOME`.
    pub data: PathBuf,
    /// `XDG_CONFIG_HOME`.
    pub config: PathBuf,
}

/// Registers this executable for the current user; returns what to tell them.
pub fn register() -> anyhow::Result<String> {
    let folders = Folders::of_the_user()?;
    let executable = std::env::current_exe().context("cannot tell where this program lies")?;
    let missing = folders.register(&executable)?;
    let mut said = format!("Double-clicking a .glb or .gltf file now opens {}", executable.display());
    if !missing.is_empty() {
        said += &format!("\nNot installed: {}. The desktop may take notice only at the next login", missing.join(", "));
    }
    Ok(said)
}

/// Takes back what `register` did.
pub fn unregister() -> anyhow::Result<String> {
    Folders::of_the_user()?.unregister()?;
    Ok("Sinew no longer opens .glb and .gltf files on a double-click".to_owned())
}

impl Folders {
    fn of_the_user() -> anyhow::Result<Self> {
        if cfg!(windows) {
            bail!(BY_HAND_WINDOWS);
        }
        if cfg!(target_os = "macos") {
            bail!(BY_HAND_MACOS);
        }
        let folders = directories::BaseDirs::new().context("this user has no home folder")?;
        Ok(Self { data: folders.data_dir().to_owned(), config: folders.config_dir().to_owned() })
    }

    /// Returns the tools that were not there to tell the desktop at once.
    pub fn register(&self, executable: &Path) -> anyhow::Result<Vec<&'static str>> {
        let entry = DESKTOP_ENTRY.replace("Exec=sinew ", &format!("Exec={} ", exec_argument(executable)?));
        write(&self.desktop_entry(), entry.as_bytes())?;
        for (path, bytes) in FILES {
            write(&self.data.join(path), bytes)?;
        }
        self.edit_defaults(with_default)?;
        Ok(self.update_databases())
    }

    pub fn unregister(&self) -> anyhow::Result<()> {
        self.edit_defaults(without_default)?;
        remove(&self.desktop_entry())?;
        for (path, _) in FILES {
            remove(&self.data.join(path))?;
        }
        self.update_databases();
        Ok(())
    }

    fn desktop_entry(&self) -> PathBuf {
        self.data.join("applications").join(DESKTOP)
    }

    /// Runs an edit of `mimeapps.list` for each of our types. A list that comes out empty is removed.
    fn edit_defaults(&self, edit: fn(&str, &str, &str) -> String) -> anyhow::Result<()> {
        let path = self.config.join("mimeapps.list");
        let before = match std::fs::read_to_string(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            read => read.with_context(|| format!("cannot read {}", path.display()))?,
        };
        let after = MIME_TYPES.iter().fold(before.clone(), |list, mime| edit(&list, mime, DESKTOP));
        if after == before {
            Ok(())
        } else if after.trim().is_empty() && !path.is_symlink() {
            remove(&path)
        } else {
            write(&path, after.as_bytes())
        }
    }

    fn update_databases(&self) -> Vec<&'static str> {
        let tools = [("update-mime-database", self.data.join("mime")), ("update-desktop-database", self.data.join("applications"))];
        let missing = tools.into_iter().filter(|(tool, folder)| folder.is_dir() && !ran(tool, folder.as_os_str()));
        missing.map(|(tool, _)| tool).collect()
    }
}

/// What these tools print (that a folder is not in their search path) is of no use here; their absence is.
fn ran(tool: &str, argument: &OsStr) -> bool {
    Command::new(tool).arg(argument).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

/// A path as the first word of an `Exec` line. Quoted only where it must be: not every desktop understands the quotes.
fn exec_argument(path: &Path) -> anyhow::Result<String> {
    let path = path.to_str().filter(|path| !path.contains(char::is_control));
    let path = path.context("the path of this program has characters that a desktop entry cannot hold")?;
    let path = path.replace('%', "%%");
    if !path.contains([' ', '"', '\'', '\\', '>', '<', '~', '|', '&', ';', '$', '*', '?', '#', '(', ')', '`']) {
        return Ok(path);
    }
    // Escaped once as an argument, and the backslashes once more as a string of the file.
    let quoted: String = path.chars().flat_map(|c| ['\\'].into_iter().filter(move |_| "\"`$\\".contains(c)).chain([c])).collect();
    Ok(format!("\"{}\"", quoted.replace('\\', "\\\\")))
}

/// Whole or not at all: beside it first, then renamed. Follows a link, as those who keep their settings elsewhere have.
fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let beside = path.with_extension("sinew-new");
    let written = path
        .parent()
        .map_or(Ok(()), std::fs::create_dir_all)
        .and_then(|()| std::fs::write(&beside, bytes))
        .and_then(|()| std::fs::rename(&beside, &path));
    written.with_context(|| format!("cannot write {}", path.display()))
}

fn remove(path: &Path) -> anyhow::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        removed => removed.with_context(|| format!("cannot remove {}", path.display())),
    }
}

//! Registers on Linux and similar systems, as the XDG specifications describe.
//!
//! It writes a desktop entry, a thumbnailer, icons and a MIME package into the user's data folder, and puts Sinew
//! first in `mimeapps.list`. The previous first choice becomes the second, so that unregistering restores it. If an installation has
//! written these files into the same folder, only the commands of its desktop entry and of its thumbnailer change, and unregistering
//! restores them.

use std::ffi::OsStr;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::Context;

use crate::cli::escaped;
use crate::export::atomic_file;

use super::desktop_entry::{is_installed, registered, unregistered};
use super::mimeapps::{with_default, without_default};

/// The MIME types to register for.
const MIME_TYPES: [&str; 2] = ["model/gltf-binary", "model/gltf+json"];
/// File name of the desktop entry.
const DESKTOP: &str = "sinew.desktop";
/// Template of the desktop entry.
const DESKTOP_ENTRY: &str = include_str!("../../../assets/sinew.desktop");

/// Template of the thumbnailer, by which file managers make thumbnails.
const THUMBNAILER: &str = include_str!("../../../assets/package/sinew.thumbnailer");

/// Files for the user's data folder other than the desktop entry and the thumbnailer: relative path and content.
const FILES: [(&str, &[u8]); 4] = [
    ("mime/packages/sinew-mime.xml", include_bytes!("../../../assets/sinew-mime.xml")),
    ("icons/hicolor/scalable/apps/sinew.svg", include_bytes!("../../../assets/icon.svg")),
    ("icons/hicolor/256x256/apps/sinew.png", include_bytes!("../../../assets/icon-256.png")),
    ("icons/hicolor/64x64/apps/sinew.png", include_bytes!("../../../assets/icon-64.png")),
];

/// The folders that hold a user's file associations.
pub struct Folders {
    /// `XDG_DATA_HOME`.
    pub data: PathBuf,
    /// `XDG_CONFIG_HOME`.
    pub config: PathBuf,
}

/// Registers an executable. Returns a message to print.
pub fn register(executable: &Path) -> anyhow::Result<String> {
    let missing = Folders::for_current_user()?.register(executable)?;
    let mut message = format!("Double-clicking a .glb, .gltf or .vrm file now opens {}", escaped(executable));
    if !missing.is_empty() {
        message += &format!("\nNot installed: {}. The desktop may notice the change only at the next login", missing.join(", "));
    }
    Ok(message)
}

/// Reverts `register`. Returns a message to print.
pub fn unregister() -> anyhow::Result<String> {
    Folders::for_current_user()?.unregister()?;
    Ok("Sinew no longer opens .glb, .gltf and .vrm files on a double-click".to_owned())
}

impl Folders {
    /// The folders of the current user.
    fn for_current_user() -> anyhow::Result<Self> {
        let folders = directories::BaseDirs::new().context("this user has no home folder")?;
        Ok(Self { data: folders.data_dir().to_owned(), config: folders.config_dir().to_owned() })
    }

    /// Registers an executable. Returns the names of missing tools that would have notified the desktop at once.
    pub fn register(&self, executable: &Path) -> anyhow::Result<Vec<&'static str>> {
        let program = exec_argument(executable)?;
        let entry = registered(read(&self.desktop_entry())?.as_deref(), DESKTOP_ENTRY, &program);
        write(&self.desktop_entry(), entry.as_bytes())?;
        let is_installed = is_installed(&entry);
        if !is_installed {
            for (path, bytes) in FILES {
                write(&self.data.join(path), bytes)?;
            }
        }
        if !is_installed || self.thumbnailer().exists() {
            write(&self.thumbnailer(), thumbnailer(executable, &program).as_bytes())?;
        }
        self.edit_defaults(with_default)?;
        Ok(self.update_databases())
    }

    /// Reverts `register`. The files of an installation stay.
    pub fn unregister(&self) -> anyhow::Result<()> {
        self.edit_defaults(without_default)?;
        match read(&self.desktop_entry())? {
            Some(entry) if is_installed(&entry) => {
                let restored = unregistered(&entry);
                if restored != entry {
                    write(&self.desktop_entry(), restored.as_bytes())?;
                    if self.thumbnailer().exists() {
                        write(&self.thumbnailer(), THUMBNAILER.as_bytes())?;
                    }
                }
            }
            Some(_) => {
                remove(&self.desktop_entry())?;
                for (path, _) in FILES {
                    remove(&self.data.join(path))?;
                }
                remove(&self.thumbnailer())?;
            }
            None => {}
        }
        self.update_databases();
        Ok(())
    }

    /// The path of the desktop entry.
    fn desktop_entry(&self) -> PathBuf {
        self.data.join("applications").join(DESKTOP)
    }

    /// The path of the thumbnailer.
    fn thumbnailer(&self) -> PathBuf {
        self.data.join("thumbnailers/sinew.thumbnailer")
    }

    /// Edits `mimeapps.list` for each MIME type. A list that becomes empty is removed.
    fn edit_defaults(&self, edit: fn(&str, &str, &str) -> String) -> anyhow::Result<()> {
        let path = self.config.join("mimeapps.list");
        let before = read(&path)?.unwrap_or_default();
        let after = MIME_TYPES.iter().fold(before.clone(), |list, mime| edit(&list, mime, DESKTOP));
        if after == before {
            Ok(())
        } else if after.trim().is_empty() && !path.is_symlink() {
            remove(&path)
        } else {
            write(&path, after.as_bytes())
        }
    }

    /// Notifies the desktop of the change. Returns the names of the tools that are not installed.
    fn update_databases(&self) -> Vec<&'static str> {
        let tools = [("update-mime-database", self.data.join("mime")), ("update-desktop-database", self.data.join("applications"))];
        let missing = tools.into_iter().filter(|(tool, folder)| folder.is_dir() && !run_tool(tool, folder.as_os_str()));
        missing.map(|(tool, _)| tool).collect()
    }
}

/// Runs a tool and ignores its output. Returns whether it is installed.
fn run_tool(tool: &str, argument: &OsStr) -> bool {
    Command::new(tool).arg(argument).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

/// The thumbnailer that runs another program than `sinew`. `program` is the path of the executable as the first word of an `Exec` line.
fn thumbnailer(executable: &Path, program: &str) -> String {
    // `TryExec` has no arguments, so its path is escaped only as a string.
    let path = executable.display().to_string().replace('\\', "\\\\");
    THUMBNAILER.replacen("TryExec=sinew", &format!("TryExec={path}"), 1).replacen("\nExec=sinew", &format!("\nExec={program}"), 1)
}

/// The path as the first word of an `Exec` line. It is quoted only if necessary, because some desktops do not understand the quotes.
fn exec_argument(path: &Path) -> anyhow::Result<String> {
    let path = path.to_str().filter(|path| !path.contains(char::is_control));
    let path = path.context("the path of this program has characters that a desktop entry cannot hold")?;
    let path = path.replace('%', "%%");
    if !path.contains([' ', '"', '\'', '\\', '>', '<', '~', '|', '&', ';', '$', '*', '?', '#', '(', ')', '`']) {
        return Ok(path);
    }
    // First the path is escaped as an argument, then the backslashes are escaped as part of a string.
    let quoted: String = path.chars().flat_map(|c| ['\\'].into_iter().filter(move |_| "\"`$\\".contains(c)).chain([c])).collect();
    Ok(format!("\"{}\"", quoted.replace('\\', "\\\\")))
}

/// Reads a text file. `None` if it does not exist.
fn read(path: &Path) -> anyhow::Result<Option<String>> {
    match std::fs::read_to_string(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        read => read.map(Some).with_context(|| format!("cannot read {}", path.display())),
    }
}

/// Writes a file completely or not at all, and creates its folder. Links are followed, because some users keep settings elsewhere.
fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    }
    Ok(atomic_file::write(&path, bytes, true)?)
}

/// Removes a file if it exists.
fn remove(path: &Path) -> anyhow::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        removed => removed.with_context(|| format!("cannot remove {}", path.display())),
    }
}

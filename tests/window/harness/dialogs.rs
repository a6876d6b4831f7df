//! Answers the program's file dialogs in tests. Without a portal the program runs `zenity`, so a script of that name answers in its place.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// A `zenity` that answers with files of the test's choice.
pub struct Dialogs {
    folder: tempfile::TempDir,
}

impl Dialogs {
    /// Writes the script. It cancels dialogs until the first call of [`Self::answer`].
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("zenity");
        // The script waits, because the program treats a dialog that closes at once as not shown.
        let text = "#!/bin/sh\nsleep 0.5\nwhile [ -e \"${0%/*}/open\" ]; do sleep 0.1; done\ncat \"${0%/*}/answer\"\n";
        std::fs::write(&script, text).unwrap();
        std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
        Self { folder }
    }

    /// Returns the value of PATH for the program. The folder of the script comes first in it.
    pub fn programs(&self) -> PathBuf {
        let others = std::env::var_os("PATH").unwrap_or_default();
        let all = std::iter::once(self.folder.path().to_owned()).chain(std::env::split_paths(&others));
        std::env::join_paths(all).unwrap().into()
    }

    /// Keeps the next dialog open until [`Self::answer`] is called.
    pub fn stay_open(&self) {
        std::fs::write(self.folder.path().join("open"), "").unwrap();
    }

    /// Makes the next dialogs choose these files.
    pub fn answer(&self, files: &[&Path]) {
        let files: Vec<_> = files.iter().map(|file| file.to_str().unwrap()).collect();
        std::fs::write(self.folder.path().join("answer"), files.join("|")).unwrap();
        let _ = std::fs::remove_file(self.folder.path().join("open"));
    }
}

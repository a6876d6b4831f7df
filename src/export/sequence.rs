//! A sequence of PNG files. They are made in a folder of their own beside their places, and take them when all are there.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use image::RgbaImage;

use super::atomic_file::{WriteError, temporary_path};
use super::clip::Encoder;
use super::png;

/// More digits than any number here has.
const MOST_DIGITS: usize = 9;

/// File names that count, as `DIR/%04d.png` writes them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Numbered {
    folder: PathBuf,
    prefix: String,
    /// At least so many, with zeros before the number.
    digits: usize,
    suffix: String,
}

impl Numbered {
    /// None: the name has no place for a number (`%d`, `%04d`).
    pub fn parse(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?;
        let (at, digits, length) = name.match_indices('%').find_map(|(at, _)| {
            let width: String = name[at + 1..].chars().take_while(char::is_ascii_digit).collect();
            let digits = if width.is_empty() { 1 } else { width.strip_prefix('0')?.parse().ok()? };
            let counts = name[at + 1 + width.len()..].starts_with('d') && (1..=MOST_DIGITS).contains(&digits);
            counts.then_some((at, digits, width.len() + 2))
        })?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Some(Self { folder: folder.to_owned(), prefix: name[..at].into(), digits, suffix: name[at + length..].into() })
    }

    /// From 0.
    pub fn path(&self, frame: usize) -> PathBuf {
        self.folder.join(self.name(frame))
    }

    /// The last of the files that follow on a clip of so many frames without a gap; none where nothing follows.
    pub fn last_behind(&self, frames: usize) -> Option<PathBuf> {
        (frames..).map(|frame| self.path(frame)).take_while(|path| path.exists()).last()
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where pictures wait for the others.
    pub fn waiting(&self) -> PathBuf {
        temporary_path(&self.path(0))
    }

    fn name(&self, frame: usize) -> String {
        format!("{}{frame:0digits$}{}", self.prefix, self.suffix, digits = self.digits)
    }
}

pub struct Sequence {
    names: Numbered,
    overwrite: bool,
    /// Where the files wait for the others.
    waiting: PathBuf,
    /// The folder was not there before.
    made_folder: bool,
    written: usize,
    /// What has taken a place that was free.
    placed: Vec<PathBuf>,
    kept: bool,
}

impl Sequence {
    pub fn begin(names: Numbered, frames: usize, overwrite: bool) -> Result<Self, WriteError> {
        if let Some(path) = (0..frames).map(|frame| names.path(frame)).find(|path| !overwrite && path.exists()) {
            return Err(WriteError::Exists { path });
        }
        let fail = |source| WriteError::Io { path: names.folder.clone(), source };
        let made_folder = match fs::create_dir(&names.folder) {
            Ok(()) => true,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && names.folder.is_dir() => false,
            Err(error) => return Err(fail(error)),
        };
        let waiting = names.waiting();
        let sequence = Self { names, overwrite, waiting, made_folder, written: 0, placed: Vec::new(), kept: false };
        fs::create_dir(&sequence.waiting).map_err(|source| WriteError::Io { path: sequence.names.folder.clone(), source })?;
        Ok(sequence)
    }
}

impl Encoder for Sequence {
    fn add(&mut self, picture: &RgbaImage) -> Result<(), WriteError> {
        png::write_png(picture, &self.waiting.join(self.names.name(self.written)), true)?;
        self.written += 1;
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<(), WriteError> {
        for frame in 0..self.written {
            let (from, to) = (self.waiting.join(self.names.name(frame)), self.names.path(frame));
            let is_free = fs::symlink_metadata(&to).is_err();
            if !self.overwrite && !is_free {
                return Err(WriteError::Exists { path: to });
            }
            fs::rename(&from, &to).map_err(|source| WriteError::Io { path: to.clone(), source })?;
            if is_free {
                self.placed.push(to);
            }
        }
        self.kept = true;
        Ok(())
    }
}

impl Drop for Sequence {
    fn drop(&mut self) {
        // The error that led here is the one to tell; what is left behind is ours.
        let _ = fs::remove_dir_all(&self.waiting);
        if !self.kept {
            self.placed.iter().for_each(|path| drop(fs::remove_file(path)));
            if self.made_folder {
                let _ = fs::remove_dir(&self.names.folder);
            }
        }
    }
}

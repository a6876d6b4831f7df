//! Writes a clip as a sequence of PNG files: frames are written to a temporary folder, and moved to their final paths at the end.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use image::RgbaImage;

use crate::asset::folder_of;
use crate::export::atomic_file::temporary_path;
use crate::export::error::WriteError;

use super::encoder::Encoder;
use super::png;

/// Maximum width of the number in a pattern, as in `%09d`. Frame numbers with more digits are written in full.
const MAX_DIGITS: usize = 9;

/// A pattern for numbered files, such as `DIR/%04d.png`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Numbered {
    folder: PathBuf,
    /// The file name before the number.
    prefix: String,
    /// Minimum number of digits, padded with zeros.
    digits: usize,
    /// The file name after the number.
    suffix: String,
}

impl Numbered {
    /// Parses a pattern. Returns `None` if the file name has no number such as `%d` or `%04d`.
    pub fn parse(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?;
        let (start, digits, length) = numbers(name).find_map(|(start, width)| {
            // `%d` has no width. A width must begin with 0, because file names are padded with zeros.
            let digits = if width.is_empty() { 1 } else { width.strip_prefix('0')?.parse().ok()? };
            (1..=MAX_DIGITS).contains(&digits).then_some((start, digits, width.len() + 2))
        })?;
        Some(Self { folder: folder_of(path).to_owned(), prefix: name[..start].into(), digits, suffix: name[start + length..].into() })
    }

    /// Returns whether the only numbers of a file name have widths that patterns cannot have, such as `%5d`.
    pub fn is_misspelled(path: &Path) -> bool {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        Self::parse(path).is_none() && numbers(name).next().is_some()
    }

    /// The path of a frame. Frame numbers start at 0.
    pub fn path(&self, frame: usize) -> PathBuf {
        self.folder.join(self.name(frame))
    }

    /// Returns whether a path is one of a frame, for any number.
    pub fn is_frame(&self, path: &Path) -> bool {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let number =
            name.strip_prefix(&self.prefix).and_then(|rest| rest.strip_suffix(&self.suffix)).and_then(|digits| digits.parse().ok());
        let is_same_folder = || fs::canonicalize(folder_of(path)).is_ok_and(|a| fs::canonicalize(&self.folder).is_ok_and(|b| a == b));
        number.is_some_and(|number| self.name(number) == name) && is_same_folder()
    }

    /// Finds older pictures whose numbers directly follow those of a clip with `frames` frames. Players would show them as a part of the
    /// clip. Returns the path of the last one, or `None` if there are none.
    pub fn last_leftover(&self, frames: usize) -> Option<PathBuf> {
        (frames..).map(|frame| self.path(frame)).take_while(|path| path.exists()).last()
    }

    /// The folder of the sequence.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The folder for frames until the clip is complete.
    pub fn temporary_folder(&self) -> PathBuf {
        temporary_path(&self.path(0))
    }

    /// The file name of a frame.
    fn name(&self, frame: usize) -> String {
        format!("{}{frame:0digits$}{}", self.prefix, self.suffix, digits = self.digits)
    }
}

/// The numbers in a file name, such as `%d` and `%04d`: where each begins, and its width.
fn numbers(name: &str) -> impl Iterator<Item = (usize, &str)> {
    name.match_indices('%').filter_map(|(start, _)| {
        let rest = &name[start + 1..];
        let (width, after) = rest.split_at(rest.find(|c: char| !c.is_ascii_digit())?);
        after.starts_with('d').then_some((start, width))
    })
}

/// Encoder of a PNG sequence.
pub struct Sequence {
    names: Numbered,
    overwrite: bool,
    /// The folder for frames until the clip is complete.
    temporary: PathBuf,
    /// Whether the final folder was created for this clip.
    created_folder: bool,
    /// Number of frames written.
    written: usize,
    /// Final paths of frames at which no file existed before. These files are removed if the clip fails.
    created: Vec<PathBuf>,
    /// Whether all frames are at their final paths.
    is_finished: bool,
}

impl Sequence {
    /// Creates the folders. Returns an error if they cannot be created, or if a frame exists and `overwrite` is false.
    pub fn new(names: Numbered, frames: usize, overwrite: bool) -> Result<Self, WriteError> {
        if let Some(path) = (0..frames).map(|frame| names.path(frame)).find(|path| !overwrite && path.exists()) {
            return Err(WriteError::Exists { path });
        }
        let fail = |reason| WriteError::Io { path: names.folder.clone(), reason };
        let created_folder = match fs::create_dir(&names.folder) {
            Ok(()) => true,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && names.folder.is_dir() => false,
            Err(error) => return Err(fail(error)),
        };
        let temporary = names.temporary_folder();
        let sequence = Self { names, overwrite, temporary, created_folder, written: 0, created: Vec::new(), is_finished: false };
        // A program that was killed and had the same process id may have left the folder.
        let _ = fs::remove_dir_all(&sequence.temporary);
        fs::create_dir(&sequence.temporary).map_err(|reason| WriteError::Io { path: sequence.names.folder.clone(), reason })?;
        Ok(sequence)
    }
}

impl Encoder for Sequence {
    fn add(&mut self, picture: &RgbaImage) -> Result<(), WriteError> {
        png::write_png(picture, &self.temporary.join(self.names.name(self.written)), true)?;
        self.written += 1;
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<(), WriteError> {
        for frame in 0..self.written {
            let (from, to) = (self.temporary.join(self.names.name(frame)), self.names.path(frame));
            // A link to a missing file counts as an existing file.
            let is_free = fs::symlink_metadata(&to).is_err();
            if !self.overwrite && !is_free {
                return Err(WriteError::Exists { path: to });
            }
            fs::rename(&from, &to).map_err(|reason| WriteError::Io { path: to.clone(), reason })?;
            if is_free {
                self.created.push(to);
            }
        }
        self.is_finished = true;
        Ok(())
    }
}

impl Drop for Sequence {
    fn drop(&mut self) {
        // The error that led here has been reported, so a failed cleanup is ignored.
        let _ = fs::remove_dir_all(&self.temporary);
        if !self.is_finished {
            self.created.iter().for_each(|path| drop(fs::remove_file(path)));
            if self.created_folder {
                let _ = fs::remove_dir(&self.names.folder);
            }
        }
    }
}

//! Writes a clip as a sequence of PNG files: frames are written to a temporary folder, and moved to their final paths at the end. If that
//! fails, the files that they have replaced are moved back.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use image::RgbaImage;

use crate::export::atomic_file::{check_writable, keep_permissions, temporary_path};
use crate::export::error::WriteError;
use crate::paths::folder_of;

use super::encoder::Encoder;
use super::png;

/// Maximum width of the number in a pattern, as in `%09d`. Frame numbers with more digits are written in full.
const MAX_DIGITS: usize = 9;

/// A pattern for numbered files, such as `DIR/%04d.png`. In a name that is no pattern, `%%d` stands for the characters `%d`.
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
        Some(Self { folder: folder_of(path).to_owned(), prefix: literal(&name[..start]), digits, suffix: literal(&name[start + length..]) })
    }

    /// The path of a file that is not numbered: the output path, with `%d` instead of `%%d`.
    pub fn unescaped(path: &Path) -> PathBuf {
        path.file_name().and_then(|name| name.to_str()).map_or_else(|| path.to_owned(), |name| path.with_file_name(literal(name)))
    }

    /// Returns whether the only numbers of a file name have widths that patterns cannot have, such as `%5d`.
    pub fn is_misspelled(path: &Path) -> bool {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        Self::parse(path).is_none() && numbers(name).next().is_some()
    }

    /// Returns whether a file name has several numbers, such as `%d-%d`.
    pub fn is_ambiguous(path: &Path) -> bool {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        numbers(name).nth(1).is_some()
    }

    /// Returns whether a file name has a number, but is no pattern because it is not UTF-8.
    pub fn is_not_utf8(path: &Path) -> bool {
        path.file_name().is_some_and(|name| name.to_str().is_none() && numbers(&name.to_string_lossy()).next().is_some())
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
    /// clip. Returns the paths of the first and the last one, or `None` if there are none.
    pub fn leftovers(&self, frames: usize) -> Option<[PathBuf; 2]> {
        let last = (frames..).map(|frame| self.path(frame)).take_while(|path| path.exists()).last()?;
        Some([self.path(frames), last])
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

/// The numbers in a file name, such as `%d` and `%04d`: where each begins, and its width. `%%d` is no number.
fn numbers(name: &str) -> impl Iterator<Item = (usize, &str)> {
    let starts = name.match_indices('%').map(|(start, _)| start).filter(|&start| !name[..start].ends_with('%'));
    starts.filter_map(|start| Some((start, width(&name[start..])?)))
}

/// The width of the number that a text begins with: empty for `%d`, `04` for `%04d`. `None` if it does not begin with a number.
fn width(text: &str) -> Option<&str> {
    let rest = text.strip_prefix('%')?;
    let (width, after) = rest.split_at(rest.find(|c: char| !c.is_ascii_digit())?);
    after.starts_with('d').then_some(width)
}

/// The text without the first character of each `%%d`.
fn literal(text: &str) -> String {
    let is_escape = |at: usize, c: char| c == '%' && width(&text[at + 1..]).is_some();
    text.char_indices().filter(|&(at, c)| !is_escape(at, c)).map(|(_, c)| c).collect()
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
    /// Final paths of the frames that were moved there. These files are removed if the clip fails.
    moved: Vec<PathBuf>,
    /// Paths of replaced files, and where they are until the clip is complete.
    replaced: Vec<(PathBuf, PathBuf)>,
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
        let (moved, replaced) = (Vec::new(), Vec::new());
        let sequence = Self { names, overwrite, temporary, created_folder, written: 0, moved, replaced, is_finished: false };
        // A program that was killed and had the same process id may have left the folder.
        let _ = fs::remove_dir_all(&sequence.temporary);
        fs::create_dir(&sequence.temporary).map_err(|reason| WriteError::Io { path: sequence.names.folder.clone(), reason })?;
        Ok(sequence)
    }

    /// Moves a frame to its final path. A file at that path moves to the temporary folder first, unless it is write-protected. The frame
    /// has the permissions of the file that it replaces.
    fn move_frame(&mut self, frame: usize) -> Result<(), WriteError> {
        let (from, to) = (self.temporary.join(self.names.name(frame)), self.names.path(frame));
        let fail = |reason| WriteError::Io { path: to.clone(), reason };
        // A link to a missing file counts as an existing file.
        if let Ok(existing) = fs::symlink_metadata(&to) {
            if !self.overwrite {
                return Err(WriteError::Exists { path: to });
            }
            if existing.is_dir() {
                return Err(fail(io::ErrorKind::IsADirectory.into()));
            }
            // If the frame is a link, this checks the file that it points to.
            if let Ok(replaced) = fs::metadata(&to)
                && replaced.is_file()
            {
                check_writable(&to).map_err(fail)?;
                let file = File::options().write(true).open(&from).map_err(fail)?;
                keep_permissions(&file, replaced.permissions()).map_err(fail)?;
            }
            let backup = self.temporary.join(format!("{frame}.replaced"));
            fs::rename(&to, &backup).map_err(fail)?;
            self.replaced.push((to.clone(), backup));
        }
        fs::rename(&from, &to).map_err(fail)?;
        self.moved.push(to);
        Ok(())
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
            self.move_frame(frame)?;
        }
        self.is_finished = true;
        Ok(())
    }
}

impl Drop for Sequence {
    fn drop(&mut self) {
        // The error that led here has been reported, so a failed cleanup is ignored.
        if !self.is_finished {
            self.moved.iter().for_each(|path| drop(fs::remove_file(path)));
            let kept = self.replaced.iter().filter(|(path, backup)| fs::rename(backup, path).is_err()).count();
            if kept > 0 {
                // The temporary folder has the only copies of these files.
                return;
            }
        }
        let _ = fs::remove_dir_all(&self.temporary);
        if !self.is_finished && self.created_folder {
            let _ = fs::remove_dir(&self.names.folder);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_replaced_file_that_cannot_be_moved_back_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let names = Numbered::parse(&folder.path().join("%d.png")).unwrap();
        let mut sequence = Sequence::new(names, 2, true).unwrap();
        let temporary = sequence.temporary.clone();
        let [lost, restored] = ["0.replaced", "1.replaced"].map(|name| temporary.join(name));
        fs::write(&lost, "first").unwrap();
        fs::write(&restored, "second").unwrap();
        let paths = [folder.path().join("missing/0.png"), folder.path().join("1.png")];
        sequence.replaced = paths.iter().cloned().zip([lost.clone(), restored]).collect();
        drop(sequence);
        assert_eq!(fs::read_to_string(lost).unwrap(), "first");
        assert_eq!(fs::read_to_string(&paths[1]).unwrap(), "second");
    }

    /// Writes a sequence of two frames over what is in the folder.
    fn replace_frames(folder: &Path) -> Result<(), WriteError> {
        let mut sequence = Box::new(Sequence::new(Numbered::parse(&folder.join("%d.png")).unwrap(), 2, true)?);
        for _ in 0..2 {
            sequence.add(&RgbaImage::new(1, 1))?;
        }
        sequence.finish()
    }

    #[test]
    #[cfg(unix)]
    fn replaced_frames_keep_their_permissions() {
        use std::os::unix::fs::PermissionsExt;

        let (folder, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (behind, paths) = (elsewhere.path().join("a.png"), ["0.png", "1.png"].map(|name| folder.path().join(name)));
        std::os::unix::fs::symlink(&behind, &paths[1]).unwrap();
        for (path, mode) in [(&paths[0], 0o600), (&behind, 0o622)] {
            fs::write(path, "old").unwrap();
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        }
        replace_frames(folder.path()).unwrap();
        for (path, mode) in paths.iter().zip([0o600, 0o622]) {
            assert_eq!(image::open(path).unwrap().width(), 1);
            assert_eq!(fs::symlink_metadata(path).unwrap().permissions().mode() & 0o777, mode);
        }
        assert_eq!(fs::read_to_string(&behind).unwrap(), "old");
    }

    #[test]
    fn with_a_write_protected_frame_all_old_frames_stay() {
        let folder = tempfile::tempdir().unwrap();
        let paths = ["0.png", "1.png"].map(|name| folder.path().join(name));
        paths.iter().for_each(|path| fs::write(path, "old").unwrap());
        let mut permissions = fs::metadata(&paths[1]).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&paths[1], permissions).unwrap();
        if check_writable(&paths[1]).is_ok() {
            // Past the test harness, which hides what passing tests print.
            let message = "SKIPPED with_a_write_protected_frame_all_old_frames_stay: root may write to it";
            return io::Write::write_fmt(&mut io::stderr(), format_args!("{message}\n")).unwrap();
        }
        let error = replace_frames(folder.path()).unwrap_err();
        assert!(matches!(error, WriteError::Io { path, reason } if path == paths[1] && reason.kind() == io::ErrorKind::PermissionDenied));
        assert!(paths.iter().all(|path| fs::read_to_string(path).unwrap() == "old"));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }
}

//! Resolves the URIs of a file to bytes (glTF 2.0, 2.8). `data:` URIs are decoded; relative paths are looked up in the file's
//! folder (on disk or in an archive) and among the files opened together with it. Everything else is refused without being
//! touched: absolute paths, `..`, other schemes, links that lead outside, devices, pipes.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD_PAD_INDIFFERENT;
use percent_encoding::percent_decode_str;

use crate::asset::error::{UriProblem, shortened};

use super::archive::Archive;
use super::bytes::Bytes;
use super::foreign;
use super::stamp::SourceFile;

/// Size limit for all external files together, in bytes.
const MAX_BYTES: u64 = 8 << 30;

/// Where external files are looked up.
#[derive(Debug)]
pub enum Folder<'a> {
    /// Nowhere: the model was read from memory.
    None,
    /// The file's own folder, and the files opened together with it.
    At { folder: &'a Path, beside: &'a [PathBuf] },
    /// The file's folder inside an archive; empty for the archive's root.
    In { archive: Box<Archive>, folder: String },
}

/// The resource that a URI resolves to.
#[derive(Debug)]
enum ResolvedUri {
    /// A file: its path as written, and the path with all links resolved.
    File { called: PathBuf, real: PathBuf },
    /// A path in the archive.
    Entry(String),
}

/// The part of a file that is read.
#[derive(Debug, Clone, Copy)]
pub enum Extent {
    /// All of it, up to `max` bytes.
    Whole { max: u64 },
    /// Its beginning: at least `now` bytes, and up to `max` to serve later reads of the same file.
    Beginning { now: u64, max: u64 },
}

/// The external files of one model, each read once.
#[derive(Debug)]
pub struct Files<'a> {
    folder: Folder<'a>,
    /// Bytes by the resolved path, or by the path in the archive.
    read: HashMap<PathBuf, Bytes>,
    /// Size of what was read, in bytes.
    total: u64,
    /// Limit of `total`, in bytes.
    max: u64,
    /// The files that were read or looked for. They are watched for changes.
    sources: Vec<SourceFile>,
    /// Paths in `sources`, as written.
    called: HashSet<PathBuf>,
}

impl<'a> Files<'a> {
    /// No file is read yet. All files together may have `max` bytes, and never more than [`MAX_BYTES`].
    pub fn new(folder: Folder<'a>, max: u64) -> Self {
        Self { folder, read: HashMap::new(), total: 0, max: max.min(MAX_BYTES), sources: Vec::new(), called: HashSet::new() }
    }

    /// The bytes of a URI. Errors if it is refused, cannot be read, or is shorter than `extent` asks for.
    pub fn read(&mut self, uri: &str, extent: Extent) -> Result<Bytes, UriProblem> {
        if let Some(data) = uri.strip_prefix("data:") {
            return decode_data(data).map(Bytes::new);
        }
        let named = resolve(uri, &self.folder).inspect_err(|_| self.sources.extend(missing(uri, &self.folder)))?;
        let key = match &named {
            ResolvedUri::File { called, real } => {
                // Record the path as written: a link may be changed to lead elsewhere.
                if self.called.insert(called.clone()) {
                    self.sources.push(SourceFile::now(called));
                }
                real.clone()
            }
            ResolvedUri::Entry(path) => PathBuf::from(path),
        };
        if let Some(bytes) = self.read.get(&key) {
            return Ok(bytes.clone());
        }
        let bytes = match &named {
            ResolvedUri::File { real, .. } => self.read_file(real, uri, extent)?,
            ResolvedUri::Entry(path) => self.read_entry(path, uri, extent)?,
        };
        let bytes = Bytes::new(bytes);
        self.read.insert(key, bytes.clone());
        Ok(bytes)
    }

    /// Reads a file that was resolved to be inside the folder. `uri` is for messages.
    fn read_file(&mut self, path: &Path, uri: &str, extent: Extent) -> Result<Vec<u8>, UriProblem> {
        let failed = |error: std::io::Error| UriProblem::Read { uri: shortened(uri), reason: error.to_string() };
        let file = File::open(path).map_err(failed)?;
        // A file that is too short may be a pointer of Git LFS, for which there is better advice.
        let length = match self.charge(file.metadata().map_err(failed)?.len(), uri, extent) {
            Err(UriProblem::TooShort { .. }) if begins_with(&file, foreign::LFS_POINTER) => {
                return Err(UriProblem::Pointer(shortened(uri)));
            }
            length => length?,
        };
        let mut bytes = Vec::with_capacity(length as usize);
        file.take(length).read_to_end(&mut bytes).map_err(failed)?;
        Ok(bytes)
    }

    /// Reads a file of the archive. `uri` is for messages.
    fn read_entry(&mut self, path: &str, uri: &str, extent: Extent) -> Result<Vec<u8>, UriProblem> {
        let missing = || UriProblem::NotInArchive(shortened(uri));
        let Folder::In { archive, .. } = &self.folder else { return Err(missing()) };
        let length = self.charge(archive.size(path).ok_or_else(missing)?, uri, extent)?;
        let Folder::In { archive, .. } = &mut self.folder else { return Err(missing()) };
        Ok(archive.read(path, length)?)
    }

    /// Charges a file of `found` bytes against the limits, and returns how many of them to read.
    fn charge(&mut self, found: u64, uri: &str, extent: Extent) -> Result<u64, UriProblem> {
        let length = match extent {
            Extent::Whole { max } if found > max => return Err(UriProblem::TooLarge { uri: shortened(uri), found, max }),
            Extent::Whole { .. } => found,
            Extent::Beginning { now, .. } if found < now => return Err(UriProblem::TooShort { uri: shortened(uri), found, wanted: now }),
            Extent::Beginning { max, .. } => found.min(max),
        };
        self.total = self.total.saturating_add(length);
        if self.total > self.max {
            return Err(UriProblem::TooLarge { uri: shortened(uri), found: self.total, max: self.max });
        }
        Ok(length)
    }

    /// Size of all external files that were read, in bytes.
    pub fn total_bytes(&self) -> u64 {
        self.total
    }

    /// Every external file that was read or missing.
    pub fn into_sources(self) -> Vec<SourceFile> {
        self.sources
    }
}

/// Returns whether the next bytes of an open file are these.
fn begins_with(file: &File, beginning: &[u8]) -> bool {
    let mut found = Vec::with_capacity(beginning.len());
    file.take(beginning.len() as u64).read_to_end(&mut found).is_ok() && found == beginning
}

/// Decodes the part of a `data:` URI after the scheme, base64 or percent-encoded. The media type is ignored.
fn decode_data(data: &str) -> Result<Vec<u8>, UriProblem> {
    let (header, payload) = data.split_once(',').ok_or_else(|| UriProblem::Data("it has no comma".into()))?;
    if header.ends_with(";base64") {
        return STANDARD_PAD_INDIFFERENT.decode(payload).map_err(|error| UriProblem::Data(error.to_string()));
    }
    Ok(percent_decode_str(payload).collect())
}

/// Finds the regular file that a relative URI refers to. Nothing is opened yet.
fn resolve(uri: &str, folder: &Folder) -> Result<ResolvedUri, UriProblem> {
    if matches!(folder, Folder::None) {
        return Err(UriProblem::NoFolder(shortened(uri)));
    }
    if uri.is_empty() {
        return Err(UriProblem::Empty);
    }
    if has_scheme(uri) {
        return Err(UriProblem::Scheme(shortened(uri)));
    }
    let decoded = percent_decode_str(uri).decode_utf8().map_err(|_| UriProblem::Outside(shortened(uri)))?;
    // Some exporters do not percent-encode, so the name is also tried as written.
    for name in [decoded.as_ref(), uri] {
        let relative = relative_path(name).ok_or_else(|| UriProblem::Outside(shortened(uri)))?;
        let found = match folder {
            Folder::None => None,
            Folder::At { folder, beside } => on_disk(&relative, folder, beside, uri)?,
            Folder::In { archive, folder } => in_archive(&relative, archive, folder).map(ResolvedUri::Entry),
        };
        if let Some(found) = found {
            return Ok(found);
        }
    }
    match folder {
        Folder::In { .. } => Err(UriProblem::NotInArchive(shortened(uri))),
        _ => Err(UriProblem::NotFound(shortened(uri))),
    }
}

/// Looks a path up in the folder, then by its file name among the files opened together. `None` if it is in neither.
fn on_disk(relative: &Path, folder: &Path, beside: &[PathBuf], uri: &str) -> Result<Option<ResolvedUri>, UriProblem> {
    let called = folder.join(relative);
    if called.exists() {
        let real = inside(folder, &called, uri)?;
        return Ok(Some(ResolvedUri::File { called, real }));
    }
    let same_name = |other: &&PathBuf| other.file_name().is_some_and(|file| Some(file) == relative.file_name());
    match beside.iter().find(same_name) {
        Some(path) if !path.is_file() => Err(UriProblem::NotAFile(shortened(uri))),
        found => Ok(found.map(|path| ResolvedUri::File { called: path.clone(), real: path.clone() })),
    }
}

/// The path in the archive. `None` if there is no such file.
fn in_archive(relative: &Path, archive: &Archive, folder: &str) -> Option<String> {
    // The path separator may differ on disk.
    let names = std::iter::once(folder).filter(|folder| !folder.is_empty()).chain(relative.iter().filter_map(|name| name.to_str()));
    let path = names.collect::<Vec<_>>().join("/");
    archive.size(&path).is_some().then_some(path)
}

/// The path at which a missing file was expected. It may appear later.
fn missing(uri: &str, folder: &Folder) -> Option<SourceFile> {
    let Folder::At { folder, .. } = folder else { return None };
    let decoded = percent_decode_str(uri).decode_utf8().ok().filter(|_| !has_scheme(uri))?;
    let path = folder.join(relative_path(&decoded)?);
    (!path.exists()).then_some(SourceFile { path, stamp: None })
}

/// The file name at the end of a relative URI. `None` for `data:` and other schemes, and if there is none.
pub fn file_name(uri: &str) -> Option<String> {
    let last = uri.rsplit('/').next().filter(|name| !name.is_empty() && !has_scheme(uri))?;
    Some(percent_decode_str(last).decode_utf8().map_or_else(|_| last.to_owned(), std::borrow::Cow::into_owned))
}

/// Returns whether a URI has a scheme. Matches `https:`, `file:`, `javascript:` and Windows drive letters.
fn has_scheme(uri: &str) -> bool {
    uri.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
    })
}

/// A relative path of plain names, `.` and empty names removed. `None` if it could lead outside.
fn relative_path(name: &str) -> Option<PathBuf> {
    if name.starts_with('/') || name.contains('\\') || name.contains(char::is_control) {
        return None;
    }
    let mut path = PathBuf::new();
    for part in name.split('/').filter(|part| !part.is_empty() && *part != ".") {
        // On Windows, a colon may name a drive or an alternate stream.
        if part == ".." || (cfg!(windows) && part.contains(':')) {
            return None;
        }
        path.push(part);
    }
    path.file_name().is_some().then_some(path)
}

/// `path` with its links resolved. Errors unless it is a regular file in the folder.
fn inside(folder: &Path, path: &Path, uri: &str) -> Result<PathBuf, UriProblem> {
    let failed = |error: std::io::Error| UriProblem::Read { uri: shortened(uri), reason: error.to_string() };
    let (folder, path) = (fs::canonicalize(folder).map_err(failed)?, fs::canonicalize(path).map_err(failed)?);
    if !path.starts_with(&folder) {
        return Err(UriProblem::Outside(shortened(uri)));
    }
    // Check before opening: opening a pipe would wait for a writer.
    if !fs::metadata(&path).map_err(failed)?.is_file() {
        return Err(UriProblem::NotAFile(shortened(uri)));
    }
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::file_name;

    #[test]
    fn the_file_name_is_the_decoded_end_of_a_relative_uri() {
        let uris = ["textures/My%20skin.png", "100%.png", "gone.png", "data:image/png;base64,AA/BB", "https://host/a.png", "textures/", ""];
        let names = uris.map(file_name);
        let expected = [Some("My skin.png"), Some("100%.png"), Some("gone.png"), None, None, None, None];
        assert_eq!(names.each_ref().map(Option::as_deref), expected);
    }
}

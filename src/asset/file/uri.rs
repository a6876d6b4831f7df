//! From a URI in the file to bytes: `data:` URIs are decoded, names are looked up in the file's own folder tree (on the disk or
//! in an archive) or among the files that were opened together with it. Everything else (absolute paths, `..`, other schemes, links that lead
//! out, devices, pipes) is refused without being touched.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD_PAD_INDIFFERENT;
use percent_encoding::percent_decode_str;

use crate::asset::error::{UriProblem, shortened};

use super::archive::Archive;
use super::buffer::Bytes;
use super::foreign;
use super::stamp::SourceFile;

/// Bytes of all external files together, at most.
const MOST_BYTES: u64 = 8 << 30;

/// Where external files may be found.
#[derive(Debug)]
pub enum Folder<'a> {
    /// There is none: the bytes come from the program itself.
    None,
    /// The file's own folder, and files that a person opened together with it.
    At { folder: &'a Path, beside: &'a [PathBuf] },
    /// The file's own folder in the archive that it lies in; empty: the archive's root.
    In { archive: Box<Archive>, folder: String },
}

/// What a URI names.
#[derive(Debug)]
enum Named {
    /// A file as it is called, and what that is with its links followed.
    File { called: PathBuf, real: PathBuf },
    /// A path in the archive.
    Entry(String),
}

/// How much of a file is wanted.
#[derive(Debug, Clone, Copy)]
pub enum Extent {
    /// All of it, if it is no more than this.
    Whole { most: u64 },
    /// Its beginning: this many bytes for now, and so many for whoever wants the most of any file.
    Beginning { now: u64, most: u64 },
}

/// The external files of one model, each read once.
#[derive(Debug)]
pub struct Files<'a> {
    folder: Folder<'a>,
    /// By the real path, or the one in the archive.
    read: HashMap<PathBuf, Bytes>,
    total: u64,
    sources: Vec<SourceFile>,
    called: HashSet<PathBuf>,
}

impl<'a> Files<'a> {
    pub fn new(folder: Folder<'a>) -> Self {
        Self { folder, read: HashMap::new(), total: 0, sources: Vec::new(), called: HashSet::new() }
    }

    /// What a URI stands for. A file that is too short for `extent` is not read.
    pub fn read(&mut self, uri: &str, extent: Extent) -> Result<Bytes, UriProblem> {
        if let Some(data) = uri.strip_prefix("data:") {
            return decode_data(data).map(Bytes::new);
        }
        let named = resolve(uri, &self.folder).inspect_err(|_| self.sources.extend(missing(uri, &self.folder)))?;
        let key = match &named {
            Named::File { called, real } => {
                // By its own name: a link may come to lead elsewhere.
                if self.called.insert(called.clone()) {
                    self.sources.push(SourceFile::now(called));
                }
                real.clone()
            }
            Named::Entry(path) => PathBuf::from(path),
        };
        if let Some(bytes) = self.read.get(&key) {
            return Ok(bytes.clone());
        }
        let bytes = match &named {
            Named::File { real, .. } => self.read_file(real, uri, extent)?,
            Named::Entry(path) => self.read_entry(path, uri, extent)?,
        };
        let bytes = Bytes::new(bytes);
        self.read.insert(key, bytes.clone());
        Ok(bytes)
    }

    fn read_file(&mut self, path: &Path, uri: &str, extent: Extent) -> Result<Vec<u8>, UriProblem> {
        let failed = |error: std::io::Error| UriProblem::Read { uri: shortened(uri), reason: error.to_string() };
        let file = File::open(path).map_err(failed)?;
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

    fn read_entry(&mut self, path: &str, uri: &str, extent: Extent) -> Result<Vec<u8>, UriProblem> {
        let missing = || UriProblem::NotInArchive(shortened(uri));
        let Folder::In { archive, .. } = &self.folder else { return Err(missing()) };
        let length = self.charge(archive.size(path).ok_or_else(missing)?, uri, extent)?;
        let Folder::In { archive, .. } = &mut self.folder else { return Err(missing()) };
        Ok(archive.read(path, length)?)
    }

    /// How much is read of a file that holds `found` bytes.
    fn charge(&mut self, found: u64, uri: &str, extent: Extent) -> Result<u64, UriProblem> {
        let length = match extent {
            Extent::Whole { most } if found > most => return Err(UriProblem::TooLarge { uri: shortened(uri), found, most }),
            Extent::Whole { .. } => found,
            Extent::Beginning { now, .. } if found < now => return Err(UriProblem::TooShort { uri: shortened(uri), found, wanted: now }),
            Extent::Beginning { most, .. } => found.min(most),
        };
        self.total = self.total.saturating_add(length);
        if self.total > MOST_BYTES {
            return Err(UriProblem::TooLarge { uri: shortened(uri), found: self.total, most: MOST_BYTES });
        }
        Ok(length)
    }

    /// Bytes that were read from other files.
    pub fn total_bytes(&self) -> u64 {
        self.total
    }

    /// Every file that was asked for.
    pub fn into_sources(self) -> Vec<SourceFile> {
        self.sources
    }
}

fn begins_with(file: &File, beginning: &[u8]) -> bool {
    let mut found = Vec::with_capacity(beginning.len());
    file.take(beginning.len() as u64).read_to_end(&mut found).is_ok() && found == beginning
}

/// `;base64,` or percent-encoded, after `data:`. The media type does not matter.
fn decode_data(data: &str) -> Result<Vec<u8>, UriProblem> {
    let (header, payload) = data.split_once(',').ok_or_else(|| UriProblem::Data("it has no comma".into()))?;
    if header.ends_with(";base64") {
        return STANDARD_PAD_INDIFFERENT.decode(payload).map_err(|error| UriProblem::Data(error.to_string()));
    }
    Ok(percent_decode_str(payload).collect())
}

/// The regular file that a relative URI names.
fn resolve(uri: &str, folder: &Folder) -> Result<Named, UriProblem> {
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
    // Some exporters do not encode at all, so that a name with a percent sign stands as it is.
    for name in [decoded.as_ref(), uri] {
        let relative = relative_path(name).ok_or_else(|| UriProblem::Outside(shortened(uri)))?;
        let found = match folder {
            Folder::None => None,
            Folder::At { folder, beside } => on_disk(&relative, folder, beside, uri)?,
            Folder::In { archive, folder } => in_archive(&relative, archive, folder).map(Named::Entry),
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

fn on_disk(relative: &Path, folder: &Path, beside: &[PathBuf], uri: &str) -> Result<Option<Named>, UriProblem> {
    let called = folder.join(relative);
    if called.exists() {
        let real = inside(folder, &called, uri)?;
        return Ok(Some(Named::File { called, real }));
    }
    let same_name = |other: &&PathBuf| other.file_name().is_some_and(|file| Some(file) == relative.file_name());
    match beside.iter().find(same_name) {
        Some(path) if !path.is_file() => Err(UriProblem::NotAFile(shortened(uri))),
        found => Ok(found.map(|path| Named::File { called: path.clone(), real: path.clone() })),
    }
}

fn in_archive(relative: &Path, archive: &Archive, folder: &str) -> Option<String> {
    // On the disk the separator may be another one.
    let names = std::iter::once(folder).filter(|folder| !folder.is_empty()).chain(relative.iter().filter_map(|name| name.to_str()));
    let path = names.collect::<Vec<_>>().join("/");
    archive.size(&path).is_some().then_some(path)
}

/// Where a file was looked for that is not there: it may come.
fn missing(uri: &str, folder: &Folder) -> Option<SourceFile> {
    let Folder::At { folder, .. } = folder else { return None };
    let decoded = percent_decode_str(uri).decode_utf8().ok().filter(|_| !has_scheme(uri))?;
    let path = folder.join(relative_path(&decoded)?);
    (!path.exists()).then_some(SourceFile { path, stamp: None })
}

/// `https:`, `file:`, `javascript:` and Windows' drive letters.
fn has_scheme(uri: &str) -> bool {
    uri.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
    })
}

/// Plain names separated by slashes, or nothing.
fn relative_path(name: &str) -> Option<PathBuf> {
    if name.starts_with('/') || name.contains('\\') || name.contains(char::is_control) {
        return None;
    }
    let mut path = PathBuf::new();
    for part in name.split('/').filter(|part| !part.is_empty() && *part != ".") {
        if part == ".." || (cfg!(windows) && part.contains(':')) {
            return None;
        }
        path.push(part);
    }
    path.file_name().is_some().then_some(path)
}

/// `path` with its links followed, if it still lies in the folder and is a regular file.
fn inside(folder: &Path, path: &Path, uri: &str) -> Result<PathBuf, UriProblem> {
    let failed = |error: std::io::Error| UriProblem::Read { uri: shortened(uri), reason: error.to_string() };
    let (folder, path) = (fs::canonicalize(folder).map_err(failed)?, fs::canonicalize(path).map_err(failed)?);
    if !path.starts_with(&folder) {
        return Err(UriProblem::Outside(shortened(uri)));
    }
    // Asked before opening: opening a pipe waits for a writer.
    if !fs::metadata(&path).map_err(failed)?.is_file() {
        return Err(UriProblem::NotAFile(shortened(uri)));
    }
    Ok(path)
}

//! From a URI in the file to bytes: `data:` URIs are decoded, names are looked up in the file's own folder tree or among
//! the files that were opened together with it. Everything else (absolute paths, `..`, other schemes, links that lead
//! out, devices, pipes) is refused without being touched.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD_PAD_INDIFFERENT;
use percent_encoding::percent_decode_str;

use super::buffer::Bytes;
use super::error::UriProblem;
use super::stamp::SourceFile;

/// Bytes of all external files together, at most.
const MOST_BYTES: u64 = 8 << 30;

/// Where external files may be found.
#[derive(Debug, Clone, Copy)]
pub enum Folder<'a> {
    /// There is none: the bytes come from the program itself.
    None,
    /// The file's own folder, and files that a person opened together with it.
    At { folder: &'a Path, beside: &'a [PathBuf] },
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
    read: HashMap<PathBuf, Bytes>,
    total: u64,
    sources: Vec<SourceFile>,
}

impl<'a> Files<'a> {
    pub fn new(folder: Folder<'a>) -> Self {
        Self { folder, read: HashMap::new(), total: 0, sources: Vec::new() }
    }

    /// What a URI stands for. A file that is too short for `extent` is not read.
    pub fn read(&mut self, uri: &str, extent: Extent) -> Result<Bytes, UriProblem> {
        if let Some(data) = uri.strip_prefix("data:") {
            return decode_data(data).map(Bytes::new);
        }
        let path = resolve(uri, self.folder).inspect_err(|_| self.sources.extend(missing(uri, self.folder)))?;
        if let Some(bytes) = self.read.get(&path) {
            return Ok(bytes.clone());
        }
        self.sources.push(SourceFile::now(&path));
        let failed = |error: std::io::Error| UriProblem::Read { uri: shortened(uri), reason: error.to_string() };
        let file = File::open(&path).map_err(failed)?;
        let found = file.metadata().map_err(failed)?.len();
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
        let mut bytes = Vec::with_capacity(length as usize);
        file.take(length).read_to_end(&mut bytes).map_err(failed)?;
        let bytes = Bytes::new(bytes);
        self.read.insert(path, bytes.clone());
        Ok(bytes)
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

/// `;base64,` or percent-encoded, after `data:`. The media type does not matter.
fn decode_data(data: &str) -> Result<Vec<u8>, UriProblem> {
    let (header, payload) = data.split_once(',').ok_or_else(|| UriProblem::Data("it has no comma".into()))?;
    if header.ends_with(";base64") {
        return STANDARD_PAD_INDIFFERENT.decode(payload).map_err(|error| UriProblem::Data(error.to_string()));
    }
    Ok(percent_decode_str(payload).collect())
}

/// The regular file that a relative URI names.
fn resolve(uri: &str, folder: Folder) -> Result<PathBuf, UriProblem> {
    let Folder::At { folder, beside } = folder else { return Err(UriProblem::NoFolder(shortened(uri))) };
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
        let path = folder.join(&relative);
        if path.exists() {
            return inside(folder, &path, uri);
        }
        let same_name = |other: &&PathBuf| other.file_name().is_some_and(|file| Some(file) == relative.file_name());
        if let Some(path) = beside.iter().find(same_name) {
            return if path.is_file() { Ok(path.clone()) } else { Err(UriProblem::NotAFile(shortened(uri))) };
        }
    }
    Err(UriProblem::NotFound(shortened(uri)))
}

/// Where a file was looked for that is not there: it may come.
fn missing(uri: &str, folder: Folder) -> Option<SourceFile> {
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

/// For messages: a URI may be megabytes long.
fn shortened(uri: &str) -> String {
    const MOST: usize = 80;
    if uri.chars().count() <= MOST { uri.to_owned() } else { uri.chars().take(MOST).chain("...".chars()).collect() }
}

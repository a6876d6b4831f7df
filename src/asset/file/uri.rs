//! Resolves the URIs of a file to bytes (glTF 2.0, 2.8). `data:` URIs are decoded; relative paths are looked up in the file's
//! folder (on disk or in an archive) and among the files opened together with it. Everything else is refused without being
//! opened: absolute paths, `..` above the folder or the archive's root, other schemes, links that lead outside, devices, pipes.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use percent_encoding::percent_decode_str;

use crate::asset::error::{Location, UriProblem, shortened};
use crate::asset::findings::Findings;

use super::archive::Archive;
use super::bytes::Bytes;
use super::foreign;
use super::stamp::SourceFile;

/// Decodes base64 as browsers do (<https://infra.spec.whatwg.org/#forgiving-base64>): without padding, too, and whatever the unused bits at
/// the end are.
const FORGIVING_BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent).with_decode_allow_trailing_bits(true),
);
/// Size limit for all external files together, in bytes.
const MAX_BYTES: u64 = 8 << 30;

/// The folder that URIs are resolved in.
#[derive(Debug)]
pub enum Folder<'a> {
    /// No folder, because the model was read from memory.
    None,
    /// The model's own folder, and the files opened together with the model.
    OnDisk { folder: &'a Path, opened_together: &'a [PathBuf] },
    /// The model's folder inside an archive; empty for the archive's root.
    InArchive { archive: Box<Archive>, folder: String },
}

/// The resource that a URI resolves to.
#[derive(Debug)]
enum ResolvedUri {
    /// A file: its path as written, and its canonical path, without links. For a file that was opened together with the model, both are the
    /// given path.
    File { path: PathBuf, canonical: PathBuf },
    /// A path in the archive.
    Entry(String),
}

/// The part of a file that is read.
#[derive(Debug, Clone, Copy)]
pub enum Extent {
    /// All of it, up to `max` bytes.
    Whole { max: u64 },
    /// Its beginning: at least `min` bytes, and up to `max` to serve later reads of the same file.
    Beginning { min: u64, max: u64 },
}

/// The bytes of a file that were read.
#[derive(Debug)]
struct ReadFile {
    bytes: Bytes,
    /// Whether this is certainly all of the file.
    is_whole: bool,
}

/// The external files of one model, each read once. A file is read again if only its beginning was read and all of it is needed.
#[derive(Debug)]
pub struct Files<'a> {
    folder: Folder<'a>,
    /// The files that were read, by canonical path or by the path in the archive.
    read_files: HashMap<PathBuf, ReadFile>,
    /// Number of bytes read so far.
    total_bytes: u64,
    /// Limit of `total_bytes`.
    max_bytes: u64,
    /// The files that were read or missing. They are watched for changes.
    sources: Vec<SourceFile>,
    /// Paths in `sources`, as written.
    source_paths: HashSet<PathBuf>,
}

impl<'a> Files<'a> {
    /// Starts with no file read. All files together may have `max_bytes` bytes, and never more than [`MAX_BYTES`].
    pub fn new(folder: Folder<'a>, max_bytes: u64) -> Self {
        Self {
            folder,
            read_files: HashMap::new(),
            total_bytes: 0,
            max_bytes: max_bytes.min(MAX_BYTES),
            sources: Vec::new(),
            source_paths: HashSet::new(),
        }
    }

    /// The bytes of a URI. Returns an error if the URI is refused, or its file cannot be read or is shorter than `extent` asks for.
    pub fn read(&mut self, uri: &str, extent: Extent) -> Result<Bytes, UriProblem> {
        if let Some(data) = data_part(uri) {
            return decode_data(data).map(Bytes::new);
        }
        let resolved = resolve(uri, &self.folder).inspect_err(|_| self.sources.extend(missing_file(uri, &self.folder)))?;
        let key = match &resolved {
            ResolvedUri::File { path, canonical } => {
                // Record the path as written, because a link in it may later lead elsewhere.
                if self.source_paths.insert(path.clone()) {
                    self.sources.push(SourceFile::now(path));
                }
                canonical.clone()
            }
            ResolvedUri::Entry(path) => PathBuf::from(path),
        };
        if let Some(file) = self.read_files.get(&key) {
            if file.is_whole || matches!(extent, Extent::Beginning { .. }) {
                return Ok(file.bytes.clone());
            }
            // The new bytes replace those that were counted.
            self.total_bytes -= file.bytes.len() as u64;
            self.read_files.remove(&key);
        }
        let bytes = match &resolved {
            ResolvedUri::File { canonical, .. } => self.read_file(canonical, uri, extent)?,
            ResolvedUri::Entry(path) => self.read_entry(path, uri, extent)?,
        };
        // A file that is refused does not count: smaller files may still be read.
        self.total_bytes += bytes.len() as u64;
        let bytes = Bytes::new(bytes);
        // If the file is longer than `max` bytes, exactly `max` were read.
        let is_whole = !matches!(extent, Extent::Beginning { max, .. } if bytes.len() as u64 >= max);
        self.read_files.insert(key, ReadFile { bytes: bytes.clone(), is_whole });
        Ok(bytes)
    }

    /// Reads a file that [`resolve`] has found. `uri` is for messages.
    fn read_file(&self, path: &Path, uri: &str, extent: Extent) -> Result<Vec<u8>, UriProblem> {
        let read_error = |error: std::io::Error| UriProblem::Read { uri: shortened(uri), reason: error.to_string() };
        let file = File::open(path).map_err(read_error)?;
        // A file that is too short may be a Git LFS pointer. The error for it gives better advice.
        let length = match self.length_to_read(file.metadata().map_err(read_error)?.len(), uri, extent) {
            Err(UriProblem::TooShort { .. }) if begins_with(&file, foreign::LFS_POINTER) => {
                return Err(UriProblem::LfsPointer(shortened(uri)));
            }
            length => length?,
        };
        let mut bytes = Vec::with_capacity(length as usize);
        file.take(length).read_to_end(&mut bytes).map_err(read_error)?;
        Ok(bytes)
    }

    /// Reads a file of the archive. `uri` is for messages.
    fn read_entry(&mut self, path: &str, uri: &str, extent: Extent) -> Result<Vec<u8>, UriProblem> {
        let missing = || UriProblem::NotInArchive(shortened(uri));
        let Folder::InArchive { archive, .. } = &self.folder else { return Err(missing()) };
        let length = self.length_to_read(archive.size(path).ok_or_else(missing)?, uri, extent)?;
        let Folder::InArchive { archive, .. } = &mut self.folder else { return Err(missing()) };
        Ok(archive.read(path, length)?)
    }

    /// The number of bytes to read of a file of `found` bytes. Returns an error if the file is too short or exceeds a limit.
    fn length_to_read(&self, found: u64, uri: &str, extent: Extent) -> Result<u64, UriProblem> {
        let length = match extent {
            Extent::Whole { max } if found > max => return Err(UriProblem::TooLarge { uri: shortened(uri), found, max }),
            Extent::Whole { .. } => found,
            Extent::Beginning { min, .. } if found < min => return Err(UriProblem::TooShort { uri: shortened(uri), found, wanted: min }),
            Extent::Beginning { max, .. } => found.min(max),
        };
        let total = self.total_bytes.saturating_add(length);
        if total > self.max_bytes {
            return Err(UriProblem::TotalTooLarge { uri: shortened(uri), total, max: self.max_bytes });
        }
        Ok(length)
    }

    /// Size of the archive that the files are read from, in bytes. `None` if there is no archive.
    pub fn archive_bytes(&self) -> Option<u64> {
        match &self.folder {
            Folder::InArchive { archive, .. } => Some(archive.bytes()),
            _ => None,
        }
    }

    /// Number of bytes that were read from external files.
    pub fn total_bytes(&self) -> u64 {
        self.total_bytes
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

/// The part of a `data:` URI after the scheme. `None` for another URI.
pub fn data_part(uri: &str) -> Option<&str> {
    let (scheme, data) = uri.split_once(':')?;
    scheme.eq_ignore_ascii_case("data").then_some(data)
}

/// The media type of a `data:` URI. `None` for another URI.
pub fn media_type(uri: &str) -> Option<&str> {
    data_part(uri)?.split([';', ',']).next()
}

/// The header of a `data:` URI without the mark that its data is base64 (RFC 2397), and this mark. `None` if the data is not base64. As in
/// browsers, there may be spaces around the mark.
pub fn base64_header(header: &str) -> Option<(&str, &str)> {
    header.rsplit_once(';').filter(|(_, mark)| mark.trim_matches(' ').eq_ignore_ascii_case("base64"))
}

/// Decodes the part of a `data:` URI after the scheme: percent-encoding, then base64 if it is used. Whitespace in base64 is skipped, as in
/// browsers. The media type is ignored.
fn decode_data(data: &str) -> Result<Vec<u8>, UriProblem> {
    let (header, payload) = data.split_once(',').ok_or_else(|| UriProblem::Data("it has no comma".into()))?;
    let mut payload: Cow<[u8]> = percent_decode_str(payload).into();
    if base64_header(header).is_some() {
        if payload.iter().any(u8::is_ascii_whitespace) {
            payload.to_mut().retain(|byte| !byte.is_ascii_whitespace());
        }
        return FORGIVING_BASE64.decode(payload).map_err(|error| UriProblem::Data(error.to_string()));
    }
    Ok(payload.into_owned())
}

/// Finds the regular file that a relative URI refers to, without opening it.
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
    let decoded = percent_decode_str(uri).decode_utf8().map_err(|_| UriProblem::NotUtf8(shortened(uri)))?;
    if decoded.contains(char::is_control) {
        return Err(UriProblem::ControlCharacter(shortened(uri)));
    }
    // Some exporters do not percent-encode, so the name is also tried as written.
    for name in [decoded.as_ref(), uri] {
        // An archive has nothing outside its root, so a path may leave the folder of the model there.
        let path = match folder {
            Folder::InArchive { folder, .. } if !folder.is_empty() && !name.starts_with(['/', '\\']) => format!("{folder}/{name}").into(),
            _ => Cow::Borrowed(name),
        };
        let relative = relative_path(&path).ok_or_else(|| UriProblem::Outside(shortened(uri)))?;
        let found = match folder {
            Folder::None => None,
            Folder::OnDisk { folder, opened_together } => find_on_disk(&relative, folder, opened_together, uri)?,
            Folder::InArchive { archive, .. } => find_in_archive(&relative, archive).map(ResolvedUri::Entry),
        };
        if let Some(found) = found {
            return Ok(found);
        }
    }
    match folder {
        Folder::InArchive { .. } => Err(UriProblem::NotInArchive(shortened(uri))),
        _ => Err(UriProblem::NotFound(shortened(uri))),
    }
}

/// Looks a path up in the folder, then by its file name among the files opened together with the model. `None` if it is in neither.
fn find_on_disk(relative: &Path, folder: &Path, opened_together: &[PathBuf], uri: &str) -> Result<Option<ResolvedUri>, UriProblem> {
    let path = folder.join(relative);
    if path.exists() {
        let canonical = canonical_path_inside(folder, &path, uri)?;
        return Ok(Some(ResolvedUri::File { path, canonical }));
    }
    let has_same_name = |other: &&PathBuf| other.file_name().is_some_and(|name| Some(name) == relative.file_name());
    match opened_together.iter().find(has_same_name) {
        Some(path) if !path.is_file() => Err(UriProblem::NotAFile(shortened(uri))),
        found => Ok(found.map(|path| ResolvedUri::File { path: path.clone(), canonical: path.clone() })),
    }
}

/// The path of a file in the archive. `None` if there is no such file.
fn find_in_archive(relative: &Path, archive: &Archive) -> Option<String> {
    // Paths in an archive use slashes, whereas `relative` uses the separator of the system.
    let path = relative.iter().filter_map(|name| name.to_str()).collect::<Vec<_>>().join("/");
    archive.size(&path).is_some().then_some(path)
}

/// A file that does not exist at its expected path. It is watched, because it may appear later.
fn missing_file(uri: &str, folder: &Folder) -> Option<SourceFile> {
    let Folder::OnDisk { folder, .. } = folder else { return None };
    let decoded = percent_decode_str(uri).decode_utf8().ok().filter(|_| !has_scheme(uri))?;
    let path = folder.join(relative_path(&decoded)?);
    (!path.exists()).then_some(SourceFile { path, stamp: None })
}

/// The file name at the end of a relative URI, decoded. `None` for `data:` and other schemes, and if the URI has no file name.
pub fn file_name(uri: &str) -> Option<String> {
    let name = uri.rsplit('/').next().filter(|name| !name.is_empty() && !has_scheme(uri))?;
    Some(percent_decode_str(name).decode_utf8().map_or_else(|_| name.to_owned(), Cow::into_owned))
}

/// Returns whether a URI has a scheme. Matches `https:`, `file:`, `javascript:` and Windows drive letters.
fn has_scheme(uri: &str) -> bool {
    uri.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
    })
}

/// Adds a finding if a relative URI that was read has backslashes, which RFC 3986 does not allow.
pub fn report_backslashes(findings: &mut Findings, uri: &str, location: &Location) {
    if uri.contains('\\') && data_part(uri).is_none() {
        let message = format!("{}: its URI {:?} has backslashes; they are read as slashes.", location.words, shortened(uri));
        findings.warning("URI_WITH_BACKSLASH", &format!("{}/uri", location.pointer), message);
    }
}

/// Converts a name to a relative path, without `.`, `..` and empty parts. Backslashes separate parts, too, because some exporters write
/// paths of Windows. A `..` removes the part before it, whether that folder exists or not (RFC 3986, 5.2.4). `None` if the path could lead
/// outside the folder.
fn relative_path(name: &str) -> Option<PathBuf> {
    if name.starts_with(['/', '\\']) || name.contains(char::is_control) {
        return None;
    }
    let mut path = PathBuf::new();
    for part in name.split(['/', '\\']).filter(|part| !part.is_empty() && *part != ".") {
        // On Windows, a colon may name a drive or an alternate stream.
        if cfg!(windows) && part.contains(':') {
            return None;
        }
        if part != ".." {
            path.push(part);
        } else if !path.pop() {
            return None;
        }
    }
    path.file_name().is_some().then_some(path)
}

/// `path` without links. Returns an error unless it is a regular file in the folder.
fn canonical_path_inside(folder: &Path, path: &Path, uri: &str) -> Result<PathBuf, UriProblem> {
    let read_error = |error: std::io::Error| UriProblem::Read { uri: shortened(uri), reason: error.to_string() };
    let (folder, path) = (fs::canonicalize(folder).map_err(read_error)?, fs::canonicalize(path).map_err(read_error)?);
    if !path.starts_with(&folder) {
        return Err(UriProblem::Outside(shortened(uri)));
    }
    // Check before opening: opening a pipe would wait for a writer.
    if !fs::metadata(&path).map_err(read_error)?.is_file() {
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

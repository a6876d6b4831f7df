//! Reads a model and its files from a .zip archive, in memory. Sizes are checked against limits before unpacking, and against the
//! result afterwards.

use std::collections::BTreeMap;
use std::io::{Cursor, Read};

use zip::{CompressionMethod, ZipArchive};

use crate::asset::error::{ArchiveProblem, LoadError, shortened};
use crate::asset::findings::Findings;

use super::foreign;

/// Maximum number of entries, files and folders together.
const MAX_ENTRIES: u64 = 65_535;
/// All entries together may unpack to `MAX_EXPANSION` bytes per byte of the archive, but at least to this many bytes.
const MIN_UNPACKED_LIMIT_BYTES: u64 = 32 << 20;
/// Minimum of the limit on the JSON of the model, which also grows with [`MAX_EXPANSION`]. Objects can be as short as two characters, so
/// that even a few kilobytes of an archive could otherwise unpack to millions of nodes or materials. A material takes 2 KB of memory, even
/// if its text has two characters.
const MIN_JSON_LIMIT_BYTES: u64 = 128 << 10;
/// Unpacked bytes allowed for each byte of the archive.
const MAX_EXPANSION: u64 = 64;
/// Maximum number of bytes that one byte of deflate data can expand to (zlib's technical details).
const MAX_DEFLATE_RATIO: u64 = 1032;
/// File extensions of models. A .vrm file is a GLB.
const MODEL_FILE_EXTENSIONS: [&str; 3] = ["gltf", "glb", "vrm"];

/// An open archive. Only its directory has been read; entries are unpacked on demand.
#[derive(Debug)]
pub struct Archive {
    zip: ZipArchive<Cursor<Vec<u8>>>,
    /// The index of each file in the archive, by its path with forward slashes.
    entries: BTreeMap<String, usize>,
    /// The name of the first model that is left out, because it is a link or its path is not safe.
    unsafe_model: Option<String>,
    /// Bytes unpacked so far, and their limit.
    unpacked_bytes: u64,
    max_unpacked_bytes: u64,
    /// Size of the archive.
    bytes: u64,
    /// Limit on the JSON of the model.
    max_json_bytes: u64,
}

/// Returns whether the bytes begin like a zip archive: with a file, or with the end record of an empty archive.
pub fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}

impl Archive {
    /// Reads the directory of an archive. Returns an error if the archive is broken or has too many entries.
    pub fn open(bytes: Vec<u8>) -> Result<Self, ArchiveProblem> {
        // The zip crate allocates as many entries as the archive declares, so check the number first.
        if max_declared_entries(&bytes) > MAX_ENTRIES {
            return Err(ArchiveProblem::Entries { max: MAX_ENTRIES });
        }
        let archive_bytes = bytes.len() as u64;
        let expanded_bytes = archive_bytes.saturating_mul(MAX_EXPANSION);
        let zip = ZipArchive::new(Cursor::new(bytes)).map_err(|error| ArchiveProblem::Broken(error.to_string()))?;
        let (mut entries, mut unsafe_model) = (BTreeMap::new(), None);
        for index in 0..zip.len() {
            let Ok(entry) = zip.by_index_data(index) else { continue };
            // Old tools write UTF-8 names without the flag for it, or use another encoding.
            let name = match std::str::from_utf8(entry.name_raw()) {
                Ok(name) => Some(name.to_owned()),
                Err(_) => entry.name().ok().map(Into::into),
            };
            let Some(name) = name else { continue };
            // Symbolic links are left out, so that none can lead out of the archive.
            match normalized_path(&name).filter(|_| entry.is_file()) {
                Some(path) => _ = entries.entry(path).or_insert(index),
                None if has_file_extension(&name, &MODEL_FILE_EXTENSIONS) && !is_metadata(&name) => _ = unsafe_model.get_or_insert(name),
                None => {}
            }
        }
        Ok(Self {
            zip,
            entries,
            unsafe_model,
            unpacked_bytes: 0,
            bytes: archive_bytes,
            max_unpacked_bytes: MIN_UNPACKED_LIMIT_BYTES.max(expanded_bytes),
            max_json_bytes: MIN_JSON_LIMIT_BYTES.max(expanded_bytes),
        })
    }

    /// Finds the path of the model. If there are several models, the one inside the fewest nested folders is used; of those, the first by
    /// name. A finding lists the others. Returns an error if there is no model.
    pub fn find_model(&self, findings: &mut Findings) -> Result<String, LoadError> {
        let is_model = |path: &&String| has_file_extension(path, &MODEL_FILE_EXTENSIONS);
        let mut models: Vec<&String> = self.entries.keys().filter(is_model).collect();
        models.sort_by_key(|path| (path.matches('/').count(), *path));
        let Some((model, others)) = models.split_first() else { return Err(self.no_model()) };
        if !others.is_empty() {
            let message = format!("The archive contains {} models; {model} is shown. The others: {}.", models.len(), path_list(others));
            findings.info("ARCHIVE_OTHER_MODELS", "", message);
        }
        Ok((*model).clone())
    }

    /// Size of the archive, in bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns an error if the JSON of the model at `path` has too many bytes for this archive.
    pub fn check_json(&self, path: &str, bytes: u64) -> Result<(), ArchiveProblem> {
        let max = self.max_json_bytes;
        if bytes > max { Err(ArchiveProblem::Json { name: path.to_owned(), bytes, max }) } else { Ok(()) }
    }

    /// The error for an archive without a model. It names another format, or lists some files of the archive.
    fn no_model(&self) -> LoadError {
        if self.entries.keys().any(|path| has_file_extension(path, &["usda", "usdc", "usd"])) {
            return LoadError::Foreign { what: "a USDZ file", advice: foreign::CONVERT };
        }
        if let Some(name) = &self.unsafe_model {
            return LoadError::Archive(ArchiveProblem::UnsafeModel(shortened(name)));
        }
        let files: Vec<&String> = self.entries.keys().collect();
        let contents = if files.is_empty() { "no files".into() } else { path_list(&files) };
        LoadError::Archive(ArchiveProblem::NoModel { contents })
    }

    /// The unpacked size of a file as the archive declares it, in bytes. `None` if there is no such file.
    pub fn size(&self, path: &str) -> Option<u64> {
        self.zip.by_index_data(*self.entries.get(path)?).ok().map(|entry| entry.size())
    }

    /// The first `length` bytes of a file, or all of it if it is shorter. Returns an error if the file is encrypted, uses a compression
    /// other than deflate, or does not have its declared size.
    pub fn read(&mut self, path: &str, length: u64) -> Result<Vec<u8>, ArchiveProblem> {
        let name = || path.to_owned();
        let data_problem = |error: &dyn ToString| ArchiveProblem::Data { name: name(), reason: error.to_string() };
        let index = *self.entries.get(path).ok_or_else(|| data_problem(&"there is no such file"))?;
        let entry = self.zip.by_index_data(index).map_err(|error| data_problem(&error))?;
        if entry.encrypted() {
            return Err(ArchiveProblem::Encrypted(name()));
        }
        if !matches!(entry.compression(), CompressionMethod::Stored | CompressionMethod::Deflated) {
            return Err(ArchiveProblem::Method { name: name(), method: entry.compression().to_string() });
        }
        let declared = entry.size();
        let length = length.min(declared);
        // Refuse a size that the compressed data cannot expand to, before allocating for it.
        if declared > entry.compressed_size().saturating_mul(MAX_DEFLATE_RATIO) {
            return Err(ArchiveProblem::Size { name: name(), declared });
        }
        let total = self.unpacked_bytes.saturating_add(length);
        if total > self.max_unpacked_bytes {
            return Err(ArchiveProblem::TooLarge { name: name(), bytes: declared, total, max: self.max_unpacked_bytes });
        }
        // A file that is too large is not unpacked, so it does not count: smaller files may still be read.
        self.unpacked_bytes = total;
        let entry = self.zip.by_index(index).map_err(|error| data_problem(&error))?;
        let mut bytes = Vec::with_capacity(length as usize + 1);
        // To read a whole file, ask for one byte more than declared: this reaches the end, where the zip crate verifies the checksum.
        let wanted = if length == declared { declared.saturating_add(1) } else { length };
        entry.take(wanted).read_to_end(&mut bytes).map_err(|error| data_problem(&error))?;
        if bytes.len() as u64 == length { Ok(bytes) } else { Err(ArchiveProblem::Size { name: name(), declared }) }
    }
}

/// The largest number of entries that a Zip64 directory in these bytes declares, or 0 if there is none. Other directories hold at
/// most 65,535 entries.
fn max_declared_entries(bytes: &[u8]) -> u64 {
    /// Maximum length of the end record with its comment, and of the Zip64 locator before it, in bytes.
    const MAX_END_BYTES: usize = 22 + 65_535 + 20;
    let end = &bytes[bytes.len().saturating_sub(MAX_END_BYTES)..];
    if !end.windows(4).any(|word| word == b"PK\x06\x07") {
        return 0;
    }
    // Search everywhere for the record, because the zip crate also accepts archives with data before or after them.
    let counts = bytes.windows(40).filter(|record| record.starts_with(b"PK\x06\x06"));
    counts.filter_map(|record| record[32..].first_chunk()).map(|count| u64::from_le_bytes(*count)).max().unwrap_or(0)
}

/// Returns whether an entry holds metadata of macOS.
fn is_metadata(name: &str) -> bool {
    name.split(['/', '\\']).any(|part| part == "__MACOSX" || part.starts_with("._"))
}

/// The path of an entry, in the form that URIs are resolved to. `None` for folders, paths that lead outside, and macOS metadata.
fn normalized_path(name: &str) -> Option<String> {
    // Old Windows tools write backslashes.
    let name = name.replace('\\', "/");
    if name.starts_with('/') || name.ends_with('/') || name.contains(char::is_control) {
        return None;
    }
    let parts: Vec<&str> = name.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    let has_drive = parts.first().is_some_and(|part| part.as_bytes().get(1) == Some(&b':'));
    (!has_drive && !parts.contains(&"..") && !is_metadata(&name)).then(|| parts.join("/")).filter(|path| !path.is_empty())
}

/// Returns whether a path has one of these file extensions. Case is ignored.
fn has_file_extension(path: &str, extensions: &[&str]) -> bool {
    path.rsplit_once('.').is_some_and(|(_, found)| extensions.iter().any(|wanted| wanted.eq_ignore_ascii_case(found)))
}

/// Lists the first few paths, truncated, and the number of paths that are left out.
fn path_list(paths: &[&String]) -> String {
    /// Number of paths that are listed.
    const MAX_PATHS: usize = 5;
    /// Length to which a path is truncated, in characters.
    const MAX_CHARS: usize = 80;
    let short = |path: &&String| path.chars().take(MAX_CHARS).collect::<String>();
    let mut text = paths.iter().take(MAX_PATHS).map(short).collect::<Vec<_>>().join(", ");
    if paths.len() > MAX_PATHS {
        text += &format!(" and {} more", paths.len() - MAX_PATHS);
    }
    text
}

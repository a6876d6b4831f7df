//! A .zip archive as the folder of a model: its entries, which of them is the model, and their bytes. Nothing is written to
//! the disk. Sizes are checked against limits before unpacking, and against the result afterwards.

use std::collections::BTreeMap;
use std::io::{Cursor, Read};

use zip::{CompressionMethod, ZipArchive};

use crate::asset::error::{ArchiveProblem, LoadError};
use crate::asset::findings::Findings;

use super::foreign;

/// Maximum number of entries, files and folders together.
const MAX_ENTRIES: u64 = 65_535;
/// Bytes that all entries together may unpack to: `MAX_EXPANSION` times the archive's size, but at least this much.
const MIN_LIMIT_BYTES: u64 = 256 << 20;
const MAX_EXPANSION: u64 = 64;
/// Bytes that one byte of deflate data can expand to at most.
const MAX_DEFLATE_RATIO: u64 = 1032;
/// File extensions of models. A .vrm file is a GLB.
const MODELS: [&str; 3] = ["gltf", "glb", "vrm"];

/// An open archive. Only its directory has been read; entries are unpacked on demand.
#[derive(Debug)]
pub struct Archive {
    zip: ZipArchive<Cursor<Vec<u8>>>,
    /// Index in the archive of each file, by its path with forward slashes.
    entries: BTreeMap<String, usize>,
    /// Bytes unpacked so far, and their limit.
    unpacked: u64,
    max_unpacked: u64,
}

/// Returns whether the bytes begin like a zip archive: with a file, or with the end record of an empty archive.
pub fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}

impl Archive {
    /// Reads the directory of an archive. Errors if it is broken or has too many entries.
    pub fn open(bytes: Vec<u8>) -> Result<Self, ArchiveProblem> {
        // The zip crate allocates as many entries as the archive declares, so check the number first.
        if max_declared_entries(&bytes) > MAX_ENTRIES {
            return Err(ArchiveProblem::Entries { max: MAX_ENTRIES });
        }
        let max_unpacked = MIN_LIMIT_BYTES.max((bytes.len() as u64).saturating_mul(MAX_EXPANSION));
        let zip = ZipArchive::new(Cursor::new(bytes)).map_err(|error| ArchiveProblem::Broken(error.to_string()))?;
        let mut entries = BTreeMap::new();
        for index in 0..zip.len() {
            let Ok(entry) = zip.by_index_data(index) else { continue };
            // Old tools write UTF-8 names without the flag, or another encoding.
            let name = match std::str::from_utf8(entry.name_raw()) {
                Ok(name) => Some(name.to_owned()),
                Err(_) => entry.name().ok().map(Into::into),
            };
            // Symbolic links are skipped, so that none can lead outside.
            if let Some(path) = name.filter(|_| entry.is_file()).and_then(|name| path(&name)) {
                entries.entry(path).or_insert(index);
            }
        }
        Ok(Self { zip, entries, unpacked: 0, max_unpacked })
    }

    /// The path of the model: the least deeply nested one, the first by name among those. The others become a finding.
    pub fn model(&self, findings: &mut Findings) -> Result<String, LoadError> {
        let mut models: Vec<&String> = self.entries.keys().filter(|path| has_ending(path, &MODELS)).collect();
        models.sort_by_key(|path| (path.matches('/').count(), *path));
        let Some((model, others)) = models.split_first() else { return Err(self.no_model()) };
        if !others.is_empty() {
            let message = format!("The archive contains {} models; {model} is shown. The others: {}.", models.len(), listed(others));
            findings.info("ARCHIVE_OTHER_MODELS", "", message);
        }
        Ok((*model).clone())
    }

    /// The error for an archive without a model. It names another format, or lists some files of the archive.
    fn no_model(&self) -> LoadError {
        if self.entries.keys().any(|path| has_ending(path, &["usda", "usdc", "usd"])) {
            return LoadError::Foreign { what: "a USDZ file", advice: foreign::CONVERT };
        }
        let files: Vec<&String> = self.entries.keys().collect();
        let holds = if files.is_empty() { "no files".into() } else { listed(&files) };
        LoadError::Archive(ArchiveProblem::NoModel { holds })
    }

    /// The unpacked size of a file as the archive declares it, in bytes. `None` if there is no such file.
    pub fn size(&self, path: &str) -> Option<u64> {
        self.zip.by_index_data(*self.entries.get(path)?).ok().map(|entry| entry.size())
    }

    /// The first `length` bytes of a file, or all of it. Errors if the file is encrypted, uses another compression than deflate, or
    /// does not have its declared size.
    pub fn read(&mut self, path: &str, length: u64) -> Result<Vec<u8>, ArchiveProblem> {
        let name = || path.to_owned();
        let data = |error: &dyn ToString| ArchiveProblem::Data { name: name(), reason: error.to_string() };
        let index = *self.entries.get(path).ok_or_else(|| data(&"there is no such file"))?;
        let entry = self.zip.by_index_data(index).map_err(|error| data(&error))?;
        if entry.encrypted() {
            return Err(ArchiveProblem::Encrypted(name()));
        }
        if !matches!(entry.compression(), CompressionMethod::Stored | CompressionMethod::Deflated) {
            return Err(ArchiveProblem::Method { name: name(), method: entry.compression().to_string() });
        }
        let (declared, backed) = (entry.size(), entry.compressed_size().saturating_mul(MAX_DEFLATE_RATIO));
        let length = length.min(declared);
        // Deflate cannot expand further than this. Refuse a larger size before allocating for it.
        if declared > backed {
            return Err(ArchiveProblem::Size { name: name(), declared });
        }
        self.unpacked = self.unpacked.saturating_add(length);
        if self.unpacked > self.max_unpacked {
            return Err(ArchiveProblem::TooLarge { name: name(), bytes: declared, max: self.max_unpacked });
        }
        let entry = self.zip.by_index(index).map_err(|error| data(&error))?;
        let mut bytes = Vec::with_capacity(length as usize + 1);
        // Read one byte more than declared: this reaches the end, where the zip crate verifies the checksum.
        let wanted = if length == declared { declared.saturating_add(1) } else { length };
        entry.take(wanted).read_to_end(&mut bytes).map_err(|error| data(&error))?;
        if bytes.len() as u64 == length { Ok(bytes) } else { Err(ArchiveProblem::Size { name: name(), declared }) }
    }
}

/// The largest number of entries that a Zip64 directory in these bytes declares; 0 without one. Other directories hold at most
/// 65,535.
fn max_declared_entries(bytes: &[u8]) -> u64 {
    /// Length of the end record with the longest comment, and of the Zip64 locator before it.
    const END: usize = 22 + 65_535 + 20;
    let end = &bytes[bytes.len().saturating_sub(END)..];
    if !end.windows(4).any(|word| word == b"PK\x06\x07") {
        return 0;
    }
    // The record is searched everywhere, because the zip crate also accepts archives with data before or after them.
    let counts = bytes.windows(40).filter(|record| record.starts_with(b"PK\x06\x06"));
    counts.filter_map(|record| record[32..].first_chunk()).map(|count| u64::from_le_bytes(*count)).max().unwrap_or(0)
}

/// The path of an entry, in the form that URIs are resolved to. `None` for folders, paths that lead outside, and macOS metadata.
fn path(name: &str) -> Option<String> {
    // Old Windows tools write backslashes.
    let name = name.replace('\\', "/");
    if name.starts_with('/') || name.ends_with('/') || name.contains(char::is_control) {
        return None;
    }
    let parts: Vec<&str> = name.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    let drive = parts.first().is_some_and(|first| first.as_bytes().get(1) == Some(&b':'));
    let foreign = |part: &&str| *part == ".." || *part == "__MACOSX" || part.starts_with("._");
    (!drive && !parts.iter().any(foreign)).then(|| parts.join("/")).filter(|path| !path.is_empty())
}

/// Returns whether a path has one of these file extensions. Case is ignored.
fn has_ending(path: &str, endings: &[&str]) -> bool {
    path.rsplit_once('.').is_some_and(|(_, ending)| endings.iter().any(|wanted| wanted.eq_ignore_ascii_case(ending)))
}

/// The first few paths, and how many more there are.
fn listed(paths: &[&String]) -> String {
    const MAX_PATHS: usize = 5;
    const MAX_CHARS: usize = 80;
    let short = |path: &&String| path.chars().take(MAX_CHARS).collect::<String>();
    let mut text = paths.iter().take(MAX_PATHS).map(short).collect::<Vec<_>>().join(", ");
    if paths.len() > MAX_PATHS {
        text += &format!(" and {} more", paths.len() - MAX_PATHS);
    }
    text
}

//! A .zip archive as the folder of a model: what its entries are called, which of them is the model, and their bytes. Nothing
//! is written to the disk. Sizes are checked against limits before anything is unpacked, and then against what comes out.

use std::collections::BTreeMap;
use std::io::{Cursor, Read};

use thiserror::Error;
use zip::{CompressionMethod, ZipArchive};

use crate::asset::error::LoadError;
use crate::asset::findings::Findings;

use super::foreign;

/// Of an archive, files and folders together.
const MOST_ENTRIES: u64 = 65_535;
/// What all entries that are read may unpack to, whatever the archive's size, and for each byte of a larger one.
const FREE_BYTES: u64 = 256 << 20;
const MOST_TIMES: u64 = 64;
/// No byte of deflate stands for more.
const DEFLATE_MOST: u64 = 1032;
/// Endings of what is opened from an archive.
const MODELS: [&str; 3] = ["gltf", "glb", "vrm"];

/// An open archive. Of the entries only the directory was read.
#[derive(Debug)]
pub struct Archive {
    zip: ZipArchive<Cursor<Vec<u8>>>,
    /// Of each file by its path, with plain slashes: its place in the archive.
    entries: BTreeMap<String, usize>,
    unpacked: u64,
    most_unpacked: u64,
}

#[derive(Debug, Clone, Error, PartialEq, Eq)]
pub enum ArchiveProblem {
    #[error("the zip archive cannot be read: {0}")]
    Broken(String),
    #[error("the zip archive has more than {most} entries: unpack it and open the model inside")]
    Entries { most: u64 },
    #[error("there is no .gltf or .glb in this zip archive; it holds {holds}")]
    NoModel { holds: String },
    #[error("{0:?} in the zip archive is encrypted: unpack it with its password and open the model inside")]
    Encrypted(String),
    #[error("{name:?} in the zip archive is compressed with {method}, not with deflate: unpack it and open the model inside")]
    Method { name: String, method: String },
    #[error("{name:?} in the zip archive unpacks to {bytes} bytes; all that is read of this archive may be {most}")]
    TooLarge { name: String, bytes: u64, most: u64 },
    #[error("{name:?} in the zip archive does not unpack to the {said} bytes that the archive says")]
    Size { name: String, said: u64 },
    #[error("{name:?} in the zip archive cannot be unpacked: {reason}")]
    Data { name: String, reason: String },
}

/// Whether these are the first bytes of a zip archive.
pub fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}

impl Archive {
    /// Reads the directory.
    pub fn open(bytes: Vec<u8>) -> Result<Self, ArchiveProblem> {
        // The package makes room for as many as the archive says.
        if most_said(&bytes) > MOST_ENTRIES {
            return Err(ArchiveProblem::Entries { most: MOST_ENTRIES });
        }
        let most_unpacked = FREE_BYTES.max((bytes.len() as u64).saturating_mul(MOST_TIMES));
        let zip = ZipArchive::new(Cursor::new(bytes)).map_err(|error| ArchiveProblem::Broken(error.to_string()))?;
        let mut entries = BTreeMap::new();
        for index in 0..zip.len() {
            let Ok(entry) = zip.by_index_data(index) else { continue };
            // Old tools do not say that a name is UTF-8, or do not use it.
            let name = match std::str::from_utf8(entry.name_raw()) {
                Ok(name) => Some(name.to_owned()),
                Err(_) => entry.name().ok().map(Into::into),
            };
            // A link is followed nowhere, so that it leads nowhere.
            if let Some(path) = name.filter(|_| entry.is_file()).and_then(|name| path(&name)) {
                entries.entry(path).or_insert(index);
            }
        }
        Ok(Self { zip, entries, unpacked: 0, most_unpacked })
    }

    /// The path of the model to open: the one that lies least deep, of several there the first by name. The others are a finding.
    pub fn model(&self, findings: &mut Findings) -> Result<String, LoadError> {
        let mut models: Vec<&String> = self.entries.keys().filter(|path| has_ending(path, &MODELS)).collect();
        models.sort_by_key(|path| (path.matches('/').count(), *path));
        let Some((model, others)) = models.split_first() else { return Err(self.no_model()) };
        if !others.is_empty() {
            let message = format!("The archive holds {} models; this is {model}. The others: {}.", models.len(), listed(others));
            findings.info("ARCHIVE_OTHER_MODELS", "", message);
        }
        Ok((*model).clone())
    }

    fn no_model(&self) -> LoadError {
        if self.entries.keys().any(|path| has_ending(path, &["usda", "usdc", "usd"])) {
            return LoadError::Foreign { what: "a USDZ file", advice: foreign::CONVERT };
        }
        let files: Vec<&String> = self.entries.keys().collect();
        let holds = if files.is_empty() { "no files".into() } else { listed(&files) };
        LoadError::Archive(ArchiveProblem::NoModel { holds })
    }

    /// How many bytes a file unpacks to, as the archive says; none: there is no such file.
    pub fn size(&self, path: &str) -> Option<u64> {
        self.zip.by_index_data(*self.entries.get(path)?).ok().map(|entry| entry.size())
    }

    /// The first `length` bytes of a file, or all of it.
    pub fn read(&mut self, path: &str, length: u64) -> Result<Vec<u8>, ArchiveProblem> {
        let name = || path.to_owned();
        let data = |error: &dyn ToString| ArchiveProblem::Data { name: name(), reason: error.to_string() };
        let index = *self.entries.get(path).ok_or_else(|| data(&"it is not there"))?;
        let entry = self.zip.by_index_data(index).map_err(|error| data(&error))?;
        if entry.encrypted() {
            return Err(ArchiveProblem::Encrypted(name()));
        }
        if !matches!(entry.compression(), CompressionMethod::Stored | CompressionMethod::Deflated) {
            return Err(ArchiveProblem::Method { name: name(), method: entry.compression().to_string() });
        }
        let (said, backed) = (entry.size(), entry.compressed_size().saturating_mul(DEFLATE_MOST));
        let length = length.min(said);
        if said > backed {
            return Err(ArchiveProblem::Size { name: name(), said });
        }
        self.unpacked = self.unpacked.saturating_add(length);
        if self.unpacked > self.most_unpacked {
            return Err(ArchiveProblem::TooLarge { name: name(), bytes: said, most: self.most_unpacked });
        }
        let entry = self.zip.by_index(index).map_err(|error| data(&error))?;
        let mut bytes = Vec::with_capacity(length as usize + 1);
        // One more than is there: at its end the checksum is looked at.
        let wanted = if length == said { said.saturating_add(1) } else { length };
        entry.take(wanted).read_to_end(&mut bytes).map_err(|error| data(&error))?;
        if bytes.len() as u64 == length { Ok(bytes) } else { Err(ArchiveProblem::Size { name: name(), said }) }
    }
}

/// The most entries that any directory of these bytes says that it has. Only the records of Zip64 can say more than 65535.
fn most_said(bytes: &[u8]) -> u64 {
    /// The last record with the longest comment, and the pointer to the one of Zip64 before it.
    const END: usize = 22 + 65_535 + 20;
    let end = &bytes[bytes.len().saturating_sub(END)..];
    if !end.windows(4).any(|word| word == b"PK\x06\x07") {
        return 0;
    }
    let counts = bytes.windows(40).filter(|record| record.starts_with(b"PK\x06\x06"));
    counts.filter_map(|record| record[32..].first_chunk()).map(|count| u64::from_le_bytes(*count)).max().unwrap_or(0)
}

/// Names separated by slashes, as URIs are resolved to; none for folders, what lies outside, and what macOS adds.
fn path(name: &str) -> Option<String> {
    // Old tools of Windows write its separators.
    let name = name.replace('\\', "/");
    if name.starts_with('/') || name.ends_with('/') || name.contains(char::is_control) {
        return None;
    }
    let parts: Vec<&str> = name.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    let drive = parts.first().is_some_and(|first| first.as_bytes().get(1) == Some(&b':'));
    let foreign = |part: &&str| *part == ".." || *part == "__MACOSX" || part.starts_with("._");
    (!drive && !parts.iter().any(foreign)).then(|| parts.join("/")).filter(|path| !path.is_empty())
}

fn has_ending(path: &str, endings: &[&str]) -> bool {
    path.rsplit_once('.').is_some_and(|(_, ending)| endings.iter().any(|wanted| wanted.eq_ignore_ascii_case(ending)))
}

/// The first few, and how many more.
fn listed(paths: &[&String]) -> String {
    const MOST: usize = 5;
    const LONGEST: usize = 80;
    let short = |path: &&String| path.chars().take(LONGEST).collect::<String>();
    let mut text = paths.iter().take(MOST).map(short).collect::<Vec<_>>().join(", ");
    if paths.len() > MOST {
        text += &format!(" and {} more", paths.len() - MOST);
    }
    text
}

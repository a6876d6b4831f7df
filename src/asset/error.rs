//! Errors of loading a file, and locations inside it. A `Problem` says what is wrong, a `Location` says where; together they
//! make a `LoadError`. The texts of the `#[error]` attributes are what the user reads.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::codec::draco::DracoError;
use crate::model::texture::Image;
use crate::numbers::{agreeing, counted, grouped};

use super::accessor::compressed_view::CompressionProblem;

/// The reason why a file cannot be loaded. Each message is complete and contains the message of its source, if it has one.
#[derive(Debug, Error)]
pub enum LoadError {
    /// The user canceled; see [`super::file::progress::Progress::cancel`].
    #[error("canceled")]
    Canceled,
    #[error("cannot read {}: {}", path.display(), read_reason(reason))]
    Read { path: PathBuf, reason: io::Error },
    #[error("{} is a folder, not a file", path.display())]
    Folder { path: PathBuf },
    #[error("{} is not a regular file", path.display())]
    NotAFile { path: PathBuf },
    #[error("the file is empty")]
    Empty,
    #[error("the file has {} bytes; at most {} are supported", grouped(*bytes), grouped(*max))]
    TooLarge { bytes: u64, max: u64 },
    /// `pointer` leads to the property with most of the objects. It is empty if there is none.
    #[error("{pointer}{}{} {kind}; at most {} are supported", if pointer.is_empty() { "" } else { ": " }, grouped(*count), grouped(*max))]
    TooManyObjects { count: usize, pointer: String, max: usize, kind: &'static str },
    /// Another file format, recognized by its content. The advice says how to get a glTF 2.0 file from it.
    #[error("this is {what}, not glTF 2.0: {advice}")]
    Foreign { what: &'static str, advice: &'static str },
    #[error("neither .gltf (JSON) nor .glb nor another format known to Sinew: the file begins with \"{beginning}\"")]
    Unknown { beginning: String },
    /// The .zip archive that was opened cannot be used.
    #[error("{0}")]
    Archive(#[from] ArchiveProblem),
    /// The GLB container is broken.
    #[error("{0}")]
    Container(ContainerProblem),
    /// The JSON is not well-formed. Carries the parser's message.
    #[error("JSON: {0}")]
    Json(String),
    /// The JSON is well-formed, but this part of it does not match the glTF schema.
    #[error("{pointer}: {message}")]
    Schema { pointer: String, message: String },
    /// The file needs a newer glTF version, or one that never existed.
    #[error("the file requires glTF {version}; Sinew reads 2.0")]
    Version { version: String },
    /// Names of required extensions without which the model would be shown wrongly.
    #[error("required but not supported: {}", names.join(", "))]
    Extensions { names: Vec<String> },
    /// A fault at a known location, which is given in words.
    #[error("{location}: {problem}")]
    At { location: String, problem: Problem },
}

/// A fault at a location in the file.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum Problem {
    /// An index beyond the array that it refers to.
    #[error("{what} {index} does not exist (the file has {count})")]
    Dangling { what: &'static str, index: usize, count: usize },
    #[error("{role} accessor {accessor} {problem}")]
    Accessor { role: String, accessor: usize, problem: AccessorProblem },
    /// A fault of a buffer view that is read without an accessor, such as a block of Draco data.
    #[error("{0}")]
    View(ViewProblem),
    #[error("{0}")]
    Uri(UriProblem),
    #[error("has {}, but its byteLength is {}", counted(*found as usize, "byte"), grouped(*wanted))]
    BufferTooShort { found: u64, wanted: u64 },
    #[error("has two parents, {first} and {second}; a node can have one")]
    TwoParents { first: usize, second: usize },
    #[error("its mode is unknown (expected 0 to 6)")]
    Mode,
    /// `position` is the position of the index in the index accessor.
    #[error("index {position} refers to vertex {vertex}, but there {} {}", agreeing(*count, "is", "are"), counted(*count, "vertex"))]
    VertexIndex { position: usize, vertex: u32, count: usize },
    #[error("vertex {vertex} refers to joint {joint}, but skin {skin} has {}", counted(*count, "joint"))]
    JointIndex { vertex: usize, joint: u16, skin: usize, count: usize },
    #[error("has {} for {}", counted(*found, "inverse bind matrix"), counted(*wanted, "joint"))]
    InverseBindMatrices { found: usize, wanted: usize },
    #[error("has {}, but its {} {} {}", counted(*found, "value"), counted(*keys, "key"), agreeing(*keys, "needs", "need"), grouped(*wanted))]
    KeyValues { found: usize, keys: usize, wanted: usize },
    #[error("its Draco data {0}")]
    Draco(DracoError),
    #[error("its KHR_draco_mesh_compression is invalid: {0}")]
    DracoExtension(String),
    #[error("its Draco data has no attribute {unique_id} for {role}")]
    DracoAttribute { role: String, unique_id: u32 },
    /// A limit of Sinew, not of glTF.
    #[error("has more {what} than the maximum of {}", grouped(*max))]
    TooMany { what: &'static str, max: u64 },
}

/// A fault of an accessor. The message completes "POSITION accessor 12 ...".
#[derive(Debug, Error, PartialEq, Eq)]
pub enum AccessorProblem {
    #[error("does not exist (the file has {count})")]
    Missing { count: usize },
    #[error("has no elements")]
    Empty,
    #[error("has an unknown component type")]
    UnknownComponentType,
    #[error("has an unknown type")]
    UnknownType,
    #[error("is {found}, expected {wanted}")]
    Type { found: &'static str, wanted: &'static str },
    #[error("has components of type {found}, expected {wanted}")]
    ComponentType { found: &'static str, wanted: &'static str },
    #[error("has {}, expected {}", counted(*found, "element"), grouped(*wanted))]
    Count { found: usize, wanted: usize },
    /// The elements would overlap. Both sizes are in bytes.
    #[error("has a stride of {stride} bytes, less than its elements of {element_size} bytes")]
    Stride { stride: usize, element_size: usize },
    #[error("reaches {} past the end of its buffer view", counted(*bytes as usize, "byte"))]
    PastView { bytes: u64 },
    #[error("cannot be read: {0}")]
    View(#[from] ViewProblem),
    #[error("has a sparse value for element {index}, but only {}", counted(*count, "element"))]
    SparseIndex { index: u32, count: usize },
    /// Elements without a buffer view are zeros. They take no bytes in the file, so their number is limited.
    #[error("has {} elements without a buffer view; at most {} are supported", grouped(*count), grouped(*max))]
    Unbacked { count: u64, max: u64 },
    #[error("has {wanted} components, but its Draco data has {found}")]
    DracoComponents { found: usize, wanted: usize },
    /// A decoded number is out of range of the accessor's component type.
    #[error("cannot represent a number of its Draco data")]
    DracoNumber,
    /// `max` is in bytes, for all accessors of the file together.
    #[error("exceeds the memory limit: the file unpacks to more than {} bytes", grouped(*max))]
    Budget { max: u64 },
}

/// A fault of a buffer view.
#[derive(Debug, Clone, Error, PartialEq, Eq)]
pub enum ViewProblem {
    #[error("buffer view {view} does not exist (the file has {count})")]
    Missing { view: usize, count: usize },
    #[error("buffer view {view} refers to buffer {buffer}, which does not exist")]
    NoBuffer { view: usize, buffer: usize },
    /// The buffer is the fallback of a compressed buffer, or has neither a URI nor a binary chunk.
    #[error("buffer view {view} refers to buffer {buffer}, which has no data")]
    NoData { view: usize, buffer: usize },
    #[error("buffer view {view} reaches past the end of buffer {buffer}")]
    PastBuffer { view: usize, buffer: usize },
    #[error("buffer view {view} cannot be decompressed: {problem}")]
    Compressed { view: usize, problem: CompressionProblem },
}

/// The reason why a URI was not read. Most variants carry the URI, shortened for the message.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum UriProblem {
    #[error("its URI is empty")]
    Empty,
    #[error("its URI {0:?} is outside the file's folder; it was not opened")]
    Outside(String),
    #[error("its URI {0:?} is not UTF-8 after percent-decoding; it was not opened")]
    NotUtf8(String),
    #[error("its URI {0:?} has a control character; it was not opened")]
    ControlCharacter(String),
    #[error("its URI {0:?} is not a relative path; nothing is fetched")]
    Scheme(String),
    #[error("{0:?} was not found in the file's folder")]
    NotFound(String),
    #[error("{0:?} was not found in the zip archive")]
    NotInArchive(String),
    #[error("{0}")]
    Archive(#[from] ArchiveProblem),
    #[error("{0:?} is not a regular file")]
    NotAFile(String),
    #[error("{uri:?} cannot be read: {reason}")]
    Read { uri: String, reason: String },
    #[error("{uri:?} has {} bytes; at most {} are supported", grouped(*found), grouped(*max))]
    TooLarge { uri: String, found: u64, max: u64 },
    #[error("with {uri:?}, the external files have {} bytes together; at most {} are supported", grouped(*total), grouped(*max))]
    TotalTooLarge { uri: String, total: u64, max: u64 },
    #[error("{uri:?} has {}, but its byteLength is {}", counted(*found as usize, "byte"), grouped(*wanted))]
    TooShort { uri: String, found: u64, wanted: u64 },
    /// A small text file that Git LFS leaves in place of a large file.
    #[error("{0:?} is a Git LFS pointer: the file itself was not fetched; run `git lfs pull` in its folder")]
    LfsPointer(String),
    #[error("its data: URI cannot be decoded: {0}")]
    Data(String),
    #[error("refers to {0:?}, but the model was read from memory and has no folder")]
    NoFolder(String),
}

/// The reason why an archive cannot be used.
#[derive(Debug, Clone, Error, PartialEq, Eq)]
pub enum ArchiveProblem {
    #[error("the zip archive cannot be read: {0}")]
    Broken(String),
    #[error("the zip archive has more than {} entries: unpack it and open the model inside", grouped(*max))]
    Entries { max: u64 },
    #[error("the zip archive has no .gltf or .glb; it contains {contents}")]
    NoModel { contents: String },
    #[error(
        "{0:?} in the zip archive is not opened, because it is a link, its path leads out of the archive, or its name has control characters: unpack the archive and open the model"
    )]
    UnsafeModel(String),
    #[error("{0:?} in the zip archive is encrypted: unpack it with its password and open the model inside")]
    Encrypted(String),
    #[error("{name:?} in the zip archive uses {method} compression, expected deflate: unpack it and open the model inside")]
    Method { name: String, method: String },
    /// `total` is the size of this file and of those that were already unpacked.
    #[error(
        "{name:?} in the zip archive unpacks to {} bytes{}; the limit for this archive is {}",
        grouped(*bytes),
        together(*bytes, *total),
        grouped(*max)
    )]
    TooLarge { name: String, bytes: u64, total: u64, max: u64 },
    #[error("{name:?} in the zip archive has {} bytes of JSON; the limit for this archive is {}", grouped(*bytes), grouped(*max))]
    Json { name: String, bytes: u64, max: u64 },
    #[error("{name:?} in the zip archive does not unpack to its declared size of {} bytes", grouped(*declared))]
    Size { name: String, declared: u64 },
    #[error("{name:?} in the zip archive cannot be unpacked: {reason}")]
    Data { name: String, reason: String },
}

/// A fault of the GLB container (glTF 2.0, 4.4).
#[derive(Debug, Error, PartialEq, Eq)]
pub enum ContainerProblem {
    #[error("GLB: the header is truncated")]
    Header,
    #[error("GLB: version {0} is not supported (expected 2)")]
    Version(u32),
    /// Usually a download that ended early, so the message says this in plain words.
    #[error("the file is truncated: {} of {} bytes", grouped(*found), grouped(*declared))]
    Length { declared: u32, found: usize },
    #[error("GLB: the first chunk is not JSON")]
    FirstChunk,
    #[error("GLB: the JSON chunk is empty")]
    EmptyJson,
    #[error("GLB: the chunk at byte {offset} reaches past the end of the file")]
    Chunk { offset: usize },
}

/// A location in the file, as words for people and as a JSON pointer (RFC 6901) for tools.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location {
    /// For example: mesh 3 "Hair", primitive 0.
    pub words: String,
    /// For example: /meshes/3/primitives/0.
    pub pointer: String,
}

impl Location {
    /// The location of an element of a top-level array: mesh 3 "Hair", /meshes/3. `noun` is the word for one element, and `array` is the
    /// name of the array. A long `name` is truncated.
    pub fn new(noun: &str, array: &str, index: usize, name: Option<&str>) -> Self {
        let words = match name {
            Some(name) if !name.is_empty() => format!("{noun} {index} {:?}", shortened(name)),
            _ => format!("{noun} {index}"),
        };
        Self { words, pointer: format!("/{array}/{index}") }
    }

    /// The location of an image: image 6 "Hose_BaseColor.png", /images/6.
    pub fn image(index: usize, image: &Image) -> Self {
        Self::new("image", "images", index, image.name_or_uri())
    }

    /// The location of a child: an element of an array that belongs to the element at this location. For example: mesh 3 "Hair",
    /// primitive 0.
    pub fn child(&self, noun: &str, array: &str, index: usize) -> Self {
        Self { words: format!("{}, {noun} {index}", self.words), pointer: format!("{}/{array}/{index}", self.pointer) }
    }

    /// The error for a problem at this location.
    pub fn error(&self, problem: Problem) -> LoadError {
        LoadError::At { location: self.words.clone(), problem }
    }
}

/// Turns a problem into a [`LoadError`] by adding a location: `existing(..).at(&location)?`.
pub trait At<T> {
    /// Returns the value, or an error that contains the problem and this location.
    fn at(self, location: &Location) -> Result<T, LoadError>;
}

impl<T> At<T> for Result<T, Problem> {
    fn at(self, location: &Location) -> Result<T, LoadError> {
        self.map_err(|problem| location.error(problem))
    }
}

/// Looks up an element by an index from the file. Returns an error if it does not exist. `what` is the kind of element, for the
/// message: "material".
pub fn existing<'a, T>(elements: &'a [T], index: usize, what: &'static str) -> Result<&'a T, Problem> {
    elements.get(index).ok_or(Problem::Dangling { what, index, count: elements.len() })
}

/// The reason why a file cannot be read, in plain words where the system's message has an error number.
pub fn read_reason(reason: &io::Error) -> String {
    match reason.kind() {
        io::ErrorKind::NotFound => "the file does not exist".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::IsADirectory => "it is a folder, not a file".to_owned(),
        _ => reason.to_string(),
    }
}

/// Truncates a text from the file to a length that fits into a message. A truncated text ends in "...".
pub fn shortened(text: &str) -> String {
    /// Maximum length, in characters.
    const MAX_CHARS: usize = 80;
    if text.chars().count() <= MAX_CHARS { text.to_owned() } else { text.chars().take(MAX_CHARS).chain("...".chars()).collect() }
}

/// The part of a message that gives the size of several files together, if it differs from the size of the one file.
fn together(bytes: u64, total: u64) -> String {
    if bytes == total { String::new() } else { format!(", with the files before it {}", grouped(total)) }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::LoadError;

    #[test]
    fn a_file_that_does_not_exist_is_reported_without_an_error_number() {
        let path = std::env::temp_dir().join("there is no such file.glb");
        let reason = std::fs::read(&path).unwrap_err();
        let text = LoadError::Read { path: path.clone(), reason }.to_string();
        assert_eq!(text, format!("cannot read {}: the file does not exist", path.display()));
        let reason = io::Error::from(io::ErrorKind::PermissionDenied);
        assert!(LoadError::Read { path, reason }.to_string().ends_with(": permission denied"));
    }
}

//! Why a file cannot be opened, and where in it: what floor 2 says instead of a model.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::codec::draco::DracoError;

use super::accessor::compressed_view::CompressionProblem;
use super::file::archive::ArchiveProblem;
use super::file::glb::ContainerProblem;

/// Every message is whole: no error has a source that would say the same again.
#[derive(Debug, Error)]
pub enum LoadError {
    #[error("cancelled")]
    Cancelled,
    #[error("cannot read {}: {reason}", path.display())]
    Read { path: PathBuf, reason: io::Error },
    #[error("{} is no regular file", path.display())]
    NotAFile { path: PathBuf },
    #[error("the file is empty")]
    Empty,
    #[error("the file holds {bytes} bytes; a glTF file can have {most} at most")]
    TooLarge { bytes: u64, most: u64 },
    /// Recognised by its content.
    #[error("this is {what}, not glTF 2.0: {advice}")]
    Foreign { what: &'static str, advice: &'static str },
    #[error("this is neither a .gltf (JSON) nor a .glb, nor anything else that this program knows: it begins with \"{beginning}\"")]
    Unknown { beginning: String },
    #[error("{0}")]
    Archive(#[from] ArchiveProblem),
    #[error("GLB: {0}")]
    Container(ContainerProblem),
    #[error("JSON: {0}")]
    Json(String),
    /// The JSON is well-formed, but this part of it is not what the specification asks for.
    #[error("{pointer}: {message}")]
    Schema { pointer: String, message: String },
    #[error("the file asks for glTF {version}; this program reads 2.0")]
    Version { version: String },
    #[error("the file cannot be shown without {}", names.join(", "))]
    Extensions { names: Vec<String> },
    #[error("{place}: {problem}")]
    At { place: String, problem: Problem },
}

/// What is wrong at a place of the file.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum Problem {
    #[error("{what} {index} does not exist (the file has {count})")]
    Dangling { what: &'static str, index: usize, count: usize },
    #[error("{role} accessor {accessor} {problem}")]
    Accessor { role: String, accessor: usize, problem: AccessorProblem },
    #[error("{0}")]
    View(ViewProblem),
    #[error("{0}")]
    Uri(UriProblem),
    #[error("holds {found} bytes where byteLength says {wanted}")]
    BufferTooShort { found: u64, wanted: u64 },
    #[error("has the parents {first} and {second}; a node can have one")]
    TwoParents { first: usize, second: usize },
    #[error("its mode is none of glTF's seven")]
    Mode,
    #[error("index {at} names vertex {vertex} of {count}")]
    VertexIndex { at: usize, vertex: u32, count: usize },
    #[error("vertex {vertex} is moved by joint {joint}, but skin {skin} has {count} joints")]
    JointIndex { vertex: usize, joint: u16, skin: usize, count: usize },
    #[error("has {found} inverse bind matrices for {wanted} joints")]
    InverseBindMatrices { found: usize, wanted: usize },
    #[error("has {found} values where its {keys} keys need {wanted}")]
    KeyValues { found: usize, keys: usize, wanted: usize },
    #[error("its Draco data {0}")]
    Draco(DracoError),
    #[error("its KHR_draco_mesh_compression cannot be read: {0}")]
    DracoExtension(String),
    #[error("its Draco data have no attribute {unique_id} for {role}")]
    DracoAttribute { role: String, unique_id: u32 },
    #[error("has more {what} than the {most} that this program holds")]
    TooMany { what: &'static str, most: u64 },
}

/// Completes "POSITION accessor 12 ...".
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
    #[error("is {found} where {wanted} is needed")]
    Type { found: &'static str, wanted: &'static str },
    #[error("holds {found} components where {wanted} are needed")]
    ComponentType { found: &'static str, wanted: &'static str },
    #[error("has {found} elements where {wanted} are needed")]
    Count { found: usize, wanted: usize },
    #[error("has elements of {element} bytes every {stride} bytes")]
    Stride { stride: usize, element: usize },
    #[error("reads {bytes} bytes past its buffer view")]
    PastView { bytes: u64 },
    #[error("cannot be read: {0}")]
    View(#[from] ViewProblem),
    #[error("replaces element {index} of {count} (sparse)")]
    SparseIndex { index: u32, count: usize },
    #[error("has {count} elements that the file does not hold; at most {most} are made up")]
    Unbacked { count: u64, most: u64 },
    #[error("has {wanted} components, its Draco data {found}")]
    DracoComponents { found: usize, wanted: usize },
    #[error("cannot hold a number of its Draco data")]
    DracoNumber,
    #[error("is too much: the file unpacks to more than {most} bytes")]
    Budget { most: u64 },
}

#[derive(Debug, Clone, Error, PartialEq, Eq)]
pub enum ViewProblem {
    #[error("buffer view {view} does not exist (the file has {count})")]
    Missing { view: usize, count: usize },
    #[error("buffer view {view} names buffer {buffer}, which does not exist")]
    NoBuffer { view: usize, buffer: usize },
    #[error("buffer view {view} lies in buffer {buffer}, which has no data")]
    NoData { view: usize, buffer: usize },
    #[error("buffer view {view} reaches past the end of buffer {buffer}")]
    PastBuffer { view: usize, buffer: usize },
    #[error("buffer view {view} cannot be decompressed: {problem}")]
    Compressed { view: usize, problem: CompressionProblem },
}

/// Why a URI was not followed.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum UriProblem {
    #[error("its URI is empty")]
    Empty,
    #[error("its URI {0:?} is not a place in the file's own folder; it was not opened")]
    Outside(String),
    #[error("its URI {0:?} names another place than a file beside this one; nothing is fetched")]
    Scheme(String),
    #[error("{0:?} was not found beside the file")]
    NotFound(String),
    #[error("{0:?} was not found in the zip archive, beside the model")]
    NotInArchive(String),
    #[error("{0}")]
    Archive(#[from] ArchiveProblem),
    #[error("{0:?} is no regular file")]
    NotAFile(String),
    #[error("{uri:?} cannot be read: {reason}")]
    Read { uri: String, reason: String },
    #[error("{uri:?} holds {found} bytes, more than the {most} that are read")]
    TooLarge { uri: String, found: u64, most: u64 },
    #[error("{uri:?} holds {found} bytes where byteLength says {wanted}")]
    TooShort { uri: String, found: u64, wanted: u64 },
    #[error("{0:?} is a Git LFS pointer: the file itself was not fetched; run `git lfs pull` in its folder")]
    Pointer(String),
    #[error("its data: URI cannot be decoded: {0}")]
    Data(String),
    #[error("it names {0:?}, but there is no folder to look in")]
    NoFolder(String),
}

/// Where in the file: in words for people, as a JSON pointer for tools.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub words: String,
    pub pointer: String,
}

impl Place {
    /// `noun` is the singular, `array` the property of the root: mesh 3 "Hair", /meshes/3.
    pub fn new(noun: &str, array: &str, index: usize, name: Option<&str>) -> Self {
        let words = match name {
            Some(name) if !name.is_empty() => format!("{noun} {index} {name:?}"),
            _ => format!("{noun} {index}"),
        };
        Self { words, pointer: format!("/{array}/{index}") }
    }

    /// An element of one of its arrays: mesh 3 "Hair", primitive 0.
    pub fn child(&self, noun: &str, array: &str, index: usize) -> Self {
        Self { words: format!("{}, {noun} {index}", self.words), pointer: format!("{}/{array}/{index}", self.pointer) }
    }

    pub fn error(&self, problem: Problem) -> LoadError {
        LoadError::At { place: self.words.clone(), problem }
    }
}

/// Says where a problem is.
pub trait At<T> {
    fn at(self, place: &Place) -> Result<T, LoadError>;
}

impl<T> At<T> for Result<T, Problem> {
    fn at(self, place: &Place) -> Result<T, LoadError> {
        self.map_err(|problem| place.error(problem))
    }
}

/// The element that an index of the file names.
pub fn existing<'a, T>(elements: &'a [T], index: usize, what: &'static str) -> Result<&'a T, Problem> {
    elements.get(index).ok_or(Problem::Dangling { what, index, count: elements.len() })
}

/// For messages and places: what a file says may be megabytes long.
pub fn shortened(text: &str) -> String {
    const MOST: usize = 80;
    if text.chars().count() <= MOST { text.to_owned() } else { text.chars().take(MOST).chain("...".chars()).collect() }
}

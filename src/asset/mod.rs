//! Reads bytes into a [`Model`].
//!
//! A file passes through these steps, in this order:
//! 1. `file`: unpack an archive, find the JSON and the binary chunk, refuse files that are not glTF.
//! 2. `json`: convert the JSON to types, and check the required extensions.
//! 3. `file::buffer`, `file::uri`: read buffers and buffer views, and decompress them where needed.
//! 4. Read images, materials, meshes, nodes, skins, instances and animations. All binary numbers are read through `accessor`.
//!
//! Nothing in a file is trusted: every index and length is checked where it is used. If the model can still be shown despite a fault, the
//! fault becomes a finding of the model. Otherwise, it is a [`LoadError`]. [`crate::validate`] checks the remaining rules of the
//! specification.

pub(crate) mod accessor;
mod animation;
pub mod error;
pub mod file;
pub(crate) mod findings;
pub mod image;
pub mod json;
mod material;
pub(crate) mod mesh;
mod scene;

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::model::{AssetInfo, Extension, Model};
use crate::paths::folder_of;

use accessor::Reader;
use error::LoadError;
use file::archive::{self, Archive};
use file::buffer::Buffers;
use file::bytes::Bytes;
use file::glb;
use file::progress::{Progress, Stage};
use file::stamp::SourceFile;
use file::uri::{Files, Folder};
use findings::Findings;
use image::ImageSource;
use json::document::{self, Document};
use json::extensions;
use json::object_count;
use mesh::influences;
use mesh::variants::{self, MaterialContext};
use scene::{camera, instancing, skin};

/// Largest file, in bytes. A GLB stores its length in 32 bits.
pub(crate) const MAX_FILE_BYTES: u64 = u32::MAX as u64;
/// Largest JSON, in bytes. Parsed JSON takes ten times as much memory or more.
pub(crate) const MAX_JSON_BYTES: u64 = 512 << 20;

/// Options of [`load`]. The default loads one file without progress and with the default image limit.
#[derive(Debug, Clone, Copy, Default)]
pub struct LoadOptions<'a> {
    /// Files opened together with this one. A URI that is not found in the file's own folder is looked up here by file name.
    pub opened_together: &'a [PathBuf],
    /// Receives the progress, and can cancel loading.
    pub progress: Option<&'a Progress>,
    /// Limit for the decoded pixels of all images together, in bytes; `None` means 512 MiB. The largest images are halved
    /// until they fit.
    pub image_limit: Option<u64>,
    /// Limit for the file and the files that it refers to, all together, in bytes. A larger file is refused before it is read; a
    /// larger image is left out. With `None`, only the limits of this module apply.
    pub byte_limit: Option<u64>,
}

/// A file that has been read.
#[derive(Debug)]
pub struct Loaded {
    /// The model, with its findings. For images, it has only the size and kind; [`image::decode`] decodes the pixels.
    pub model: Model,
    /// The encoded images, in the order of the model's images.
    pub images: Vec<ImageSource>,
    /// Files that the model was read from, this file first. Empty for a model read from memory.
    pub files: Vec<SourceFile>,
    /// The duration of each step, in the order in which the steps ran.
    pub timings: Vec<(&'static str, Duration)>,
}

/// Reads a .gltf or .glb file and the files it references, or the model inside a .zip archive.
///
/// All quantities keep the file's units: meters, seconds, radians, Y up (glTF 2.0, 3.4).
///
/// Returns an error if the file cannot be read, is not glTF 2.0 (glTF 2.0, 3.2), requires an unsupported extension, or refers to
/// elements that do not exist. Smaller faults are in [`Model::findings`].
///
/// ```no_run
/// use std::path::Path;
///
/// use sinew::asset::{self, LoadOptions};
///
/// let loaded = asset::load(Path::new("fox.glb"), &LoadOptions::default())?;
/// for animation in &loaded.model.animations {
///     println!("{:?}: {} s", animation.name, animation.duration);
/// }
/// # Ok::<(), sinew::asset::error::LoadError>(())
/// ```
pub fn load(path: &Path, options: &LoadOptions) -> Result<Loaded, LoadError> {
    let unwatched = Progress::default();
    let progress = options.progress.unwrap_or(&unwatched);
    let mut timings = Timings::start();
    progress.start(Stage::File)?;
    let source_file = SourceFile::now(path);
    let bytes = read_file(path, options.byte_limit.unwrap_or(MAX_FILE_BYTES))?;
    timings.lap("read file");
    let folder = Folder::OnDisk { folder: folder_of(path), opened_together: options.opened_together };
    let mut loaded = read(bytes, folder, options, progress, timings)?;
    loaded.files.insert(0, source_file);
    Ok(loaded)
}

/// Reads a self-contained model from memory. External files are refused, since there is no folder. `name` is for the log.
///
/// Returns the same errors as [`load`].
pub fn load_bytes(bytes: Vec<u8>, name: &str) -> Result<Loaded, LoadError> {
    log::debug!("reading {name} from memory, {} bytes", bytes.len());
    read(bytes, Folder::None, &LoadOptions::default(), &Progress::default(), Timings::start())
}

/// Reads a whole file of at most `max` bytes, and never more than [`MAX_FILE_BYTES`]. Returns an error if it is not a regular file,
/// is too large, or cannot be read.
pub(crate) fn read_file(path: &Path, max: u64) -> Result<Vec<u8>, LoadError> {
    let max = max.min(MAX_FILE_BYTES);
    let read_error = |reason| LoadError::Read { path: path.to_owned(), reason };
    let metadata = fs::metadata(path).map_err(read_error)?;
    if metadata.is_dir() {
        return Err(LoadError::Folder { path: path.to_owned() });
    }
    // Check before opening: opening a pipe would wait for a writer.
    if !metadata.is_file() {
        return Err(LoadError::NotAFile { path: path.to_owned() });
    }
    if metadata.len() > max {
        return Err(LoadError::TooLarge { bytes: metadata.len(), max });
    }
    // Read no more than the limit: the file may have grown in the meantime.
    let mut bytes = Vec::with_capacity(metadata.len() as usize);
    File::open(path).map_err(read_error)?.take(max).read_to_end(&mut bytes).map_err(read_error)?;
    Ok(bytes)
}

/// Reads a model from the bytes of its file. `folder` supplies the external files. `timings` has the caller's steps, and continues
/// after the last.
fn read(
    mut bytes: Vec<u8>,
    mut folder: Folder,
    options: &LoadOptions,
    progress: &Progress,
    mut timings: Timings,
) -> Result<Loaded, LoadError> {
    let mut findings = Findings::default();
    // Continue with the model inside an archive. The archive is then the folder for the files of the model.
    if archive::is_archive(&bytes) {
        (bytes, folder) = unpack(bytes, &mut findings)?;
        timings.lap("unpack");
    }
    progress.start(Stage::Document)?;
    // Split a GLB into JSON and binary chunk. A .gltf file is all JSON.
    let parts = glb::split(&bytes, &mut findings)?;
    if parts.json.len() as u64 > MAX_JSON_BYTES {
        return Err(LoadError::TooLarge { bytes: parts.json.len() as u64, max: MAX_JSON_BYTES });
    }
    object_count::check(&bytes[parts.json.clone()])?;
    let Document { root, raw_pointers, omitted } = document::parse(&bytes[parts.json.clone()], &mut findings)?;
    let extensions = extensions::list(&root, &mut findings)?;
    timings.lap("parse");

    // The binary chunk is a range of the file's bytes: nothing is copied.
    let file = Bytes::new(bytes);
    let bin = parts.bin.and_then(|bin| file.part(bin.start as u64, bin.len() as u64));
    let max_external_bytes = options.byte_limit.map_or(u64::MAX, |limit| limit.saturating_sub(file.as_slice().len() as u64));
    let mut files = Files::new(folder, max_external_bytes);
    let buffers = Buffers::read(&root, bin, &mut files, progress, &mut findings)?;
    timings.lap("buffers");

    // The reader owns the findings, because accessors are read and repaired throughout the steps below.
    let mut reader = Reader::new(&root, &buffers, findings);
    let image_limit = options.image_limit.unwrap_or(image::DEFAULT_LIMIT_BYTES);
    let (images, sources) = image::read(&mut reader, &mut files, image_limit, progress)?;
    // All external files have been read now, so their size is known.
    let asset = asset_info(&root, extensions, file.as_slice().len() as u64 + files.total_bytes());
    timings.lap("images");
    let materials = material::read(&root, &images, &mut reader.findings)?;
    let variants = variants::read(&root, &mut reader.findings);
    let meshes = mesh::read(&mut reader, &MaterialContext { materials: &materials, variants: &variants }, progress)?;
    timings.lap("meshes");
    let cameras = camera::read_cameras(&root, &mut reader.findings);
    let lights = camera::read_lights(&root, &mut reader.findings);
    // Nodes refer to meshes, cameras and lights; skins and instances refer to nodes. So the order of these steps is fixed.
    let mut model = Model { asset, meshes, materials, variants, images, cameras, lights, ..Model::default() };
    scene::read(&root, &mut model, &mut reader.findings)?;
    camera::check_light_count(&model, &mut reader.findings);
    skin::read(&mut reader, &omitted, &mut model)?;
    instancing::read(&mut reader, &mut model);
    influences::check_joints(&model)?;
    timings.lap("nodes and skins");
    animation::read(&mut reader, &raw_pointers, &omitted, &mut model, progress)?;
    timings.lap("animations");
    model.findings = reader.findings.finish();
    Ok(Loaded { model, images: sources, files: files.into_sources(), timings: timings.laps })
}

/// The file's `asset`, with its extensions and the size of all its files in bytes.
fn asset_info(root: &gltf::json::Root, extensions: Vec<Extension>, bytes: u64) -> AssetInfo {
    AssetInfo {
        generator: root.asset.generator.clone(),
        version: root.asset.version.clone(),
        copyright: root.asset.copyright.clone(),
        bytes,
        extensions,
        textures: root.textures.len(),
    }
}

/// Unpacks the model of an archive. Returns its bytes and the folder inside the archive that its URIs start from.
pub(crate) fn unpack<'a>(bytes: Vec<u8>, findings: &mut Findings) -> Result<(Vec<u8>, Folder<'a>), LoadError> {
    let mut archive = Archive::open(bytes)?;
    let path = archive.find_model(findings)?;
    let bytes = archive.read(&path, MAX_FILE_BYTES)?;
    // Later steps report a model that cannot be split.
    let json_bytes = glb::split(&bytes, &mut Findings::default()).map_or(0, |parts| parts.json.len());
    archive.check_json(&path, json_bytes as u64)?;
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
    Ok((bytes, Folder::InArchive { archive: Box::new(archive), folder }))
}

/// A stopwatch that records the duration of each step of loading.
struct Timings {
    last: Instant,
    laps: Vec<(&'static str, Duration)>,
}

impl Timings {
    fn start() -> Self {
        Self { last: Instant::now(), laps: Vec::new() }
    }

    /// Records the time since the last lap as the duration of this step.
    fn lap(&mut self, step: &'static str) {
        let now = Instant::now();
        self.laps.push((step, now - self.last));
        self.last = now;
    }
}

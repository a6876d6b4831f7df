//! Floor 2: bytes to [`Model`]. A file goes through in this order: what it is and where its JSON lies (`archive`, `glb`,
//! `foreign`), the JSON as types (`document`), which extensions it needs (`extensions`), its buffers (`buffer`, `uri`; `compressed`
//! and `meshopt` for views that are compressed); then, each reading numbers through `accessor` alone, images, materials, meshes,
//! nodes, skins, instances and animations. Nothing in a file is trusted: every index and length is checked where it is followed.
//! What can be shown anyway becomes a finding of the model. `check` stands beside all this: it holds a file against the
//! specification, for `inspect`.

pub(crate) mod accessor;
mod animation;
pub mod error;
pub mod file;
pub(crate) mod findings;
pub mod image;
pub mod image_limit;
pub mod json;
mod material;
pub(crate) mod mesh;
mod scene;

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::model::{AssetInfo, Model};

use accessor::Reader;
use error::LoadError;
use file::archive::{self, Archive};
use file::buffer::{Buffers, Bytes};
use file::glb;
use file::progress::{Progress, Stage};
use file::stamp::SourceFile;
use file::uri::{Files, Folder};
use findings::Findings;
use image::ImageSource;
use json::document::{self, Document};
use json::extensions;
use mesh::influences;
use mesh::variants::{self, MaterialContext};
use scene::{camera, instancing, skin};

/// A GLB says its length in 32 bits; a .gltf of that size would be no less unusual.
const MOST_FILE_BYTES: u64 = u32::MAX as u64;
/// JSON grows tenfold and more when it is parsed.
pub(crate) const MOST_JSON_BYTES: u64 = 512 << 20;

#[derive(Debug, Clone, Copy, Default)]
pub struct LoadOptions<'a> {
    /// Files opened together with this one: where a URI is not found in the file's own folder, its file name is looked
    /// for among them.
    pub beside: &'a [PathBuf],
    pub progress: Option<&'a Progress>,
    /// Bytes of decoded pixels, all images together; none: 512 MiB. Beyond it the largest are halved.
    pub image_limit: Option<u64>,
}

/// A file that was read.
#[derive(Debug)]
pub struct Loaded {
    pub model: Model,
    /// One for each image of the model, still to be decoded.
    pub images: Vec<ImageSource>,
    /// What it was read from, the file itself first; none of a model from memory.
    pub files: Vec<SourceFile>,
    /// What took how long, in order.
    pub timings: Vec<(&'static str, Duration)>,
}

/// Reads a .gltf or .glb and what it names beside it, or the one in a .zip and what it names there.
pub fn load(path: &Path, options: &LoadOptions) -> Result<Loaded, LoadError> {
    let unwatched = Progress::default();
    let progress = options.progress.unwrap_or(&unwatched);
    let mut timings = Timings::start();
    progress.begin(Stage::File)?;
    let own = SourceFile::now(path);
    let bytes = read_file(path)?;
    timings.lap("read file");
    let folder = Folder::At { folder: folder_of(path), beside: options.beside };
    let mut loaded = read(bytes, folder, options.image_limit, progress, timings)?;
    loaded.files.insert(0, own);
    Ok(loaded)
}

/// Where the files beside this one lie.
pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Reads a model that lies in memory, wholly: it has no folder, so external files are refused. `name` is for messages.
pub fn load_bytes(bytes: Vec<u8>, name: &str) -> Result<Loaded, LoadError> {
    log::debug!("reading {name} from memory, {} bytes", bytes.len());
    read(bytes, Folder::None, None, &Progress::default(), Timings::start())
}

pub(crate) fn read_file(path: &Path) -> Result<Vec<u8>, LoadError> {
    let failed = |reason| LoadError::Read { path: path.to_owned(), reason };
    let metadata = fs::metadata(path).map_err(failed)?;
    // Asked before opening: opening a pipe waits for a writer.
    if !metadata.is_file() {
        return Err(LoadError::NotAFile { path: path.to_owned() });
    }
    if metadata.len() > MOST_FILE_BYTES {
        return Err(LoadError::TooLarge { bytes: metadata.len(), most: MOST_FILE_BYTES });
    }
    let mut bytes = Vec::with_capacity(metadata.len() as usize);
    File::open(path).map_err(failed)?.take(MOST_FILE_BYTES).read_to_end(&mut bytes).map_err(failed)?;
    Ok(bytes)
}

fn read(
    mut bytes: Vec<u8>,
    mut folder: Folder,
    image_limit: Option<u64>,
    progress: &Progress,
    mut timings: Timings,
) -> Result<Loaded, LoadError> {
    let mut findings = Findings::default();
    if archive::is_archive(&bytes) {
        (bytes, folder) = unpack(bytes, &mut findings)?;
        timings.lap("unpack");
    }
    progress.begin(Stage::Document)?;
    let parts = glb::split(&bytes, &mut findings)?;
    if parts.json.len() as u64 > MOST_JSON_BYTES {
        return Err(LoadError::TooLarge { bytes: parts.json.len() as u64, most: MOST_JSON_BYTES });
    }
    let Document { root, pointed, left_out } = document::parse(&bytes[parts.json.clone()], &mut findings)?;
    let extensions = extensions::decide(&root, &mut findings)?;
    timings.lap("parse");

    let file = Bytes::new(bytes);
    let bin = parts.bin.and_then(|bin| file.part(bin.start as u64, bin.len() as u64));
    let mut files = Files::new(folder);
    let buffers = Buffers::read(&root, bin, &mut files, progress, &mut findings)?;
    let asset = AssetInfo {
        generator: root.asset.generator.clone(),
        version: root.asset.version.clone(),
        copyright: root.asset.copyright.clone(),
        bytes: file.as_slice().len() as u64 + files.total_bytes(),
        extensions,
        textures: root.textures.len(),
    };
    timings.lap("buffers");

    let mut reader = Reader::new(&root, &buffers, findings);
    let (images, sources) = image::read(&mut reader, &buffers, &mut files, image_limit.unwrap_or(image_limit::DEFAULT_LIMIT), progress)?;
    timings.lap("images");
    let materials = material::read(&root, &images, &mut reader.findings)?;
    let variants = variants::read(&root, &mut reader.findings);
    let meshes = mesh::read(&mut reader, &MaterialContext { materials: &materials, variants: &variants }, progress)?;
    timings.lap("meshes");
    let cameras = camera::read_cameras(&root, &mut reader.findings);
    let lights = camera::read_lights(&root, &mut reader.findings);
    let mut model = Model { asset, meshes, materials, variants, images, cameras, lights, ..Model::default() };
    scene::read(&root, &mut model, &mut reader.findings)?;
    skin::read(&mut reader, &left_out, &mut model)?;
    instancing::read(&mut reader, &mut model);
    influences::check(&mut model)?;
    timings.lap("nodes and skins");
    animation::read(&mut reader, &pointed, &left_out, &mut model, progress)?;
    timings.lap("animations");
    model.findings = reader.findings.finish();
    Ok(Loaded { model, images: sources, files: files.into_sources(), timings: timings.laps })
}

/// The model in an archive, which then is its folder.
pub(crate) fn unpack<'a>(bytes: Vec<u8>, findings: &mut Findings) -> Result<(Vec<u8>, Folder<'a>), LoadError> {
    let mut archive = Archive::open(bytes)?;
    let path = archive.model(findings)?;
    let bytes = archive.read(&path, MOST_FILE_BYTES)?;
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
    Ok((bytes, Folder::In { archive: Box::new(archive), folder }))
}

/// A stopwatch with laps.
struct Timings {
    last: Instant,
    laps: Vec<(&'static str, Duration)>,
}

impl Timings {
    fn start() -> Self {
        Self { last: Instant::now(), laps: Vec::new() }
    }

    fn lap(&mut self, what: &'static str) {
        let now = Instant::now();
        self.laps.push((what, now - self.last));
        self.last = now;
    }
}

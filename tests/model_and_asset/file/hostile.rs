//! Tests that untrusted bytes never cause a panic, a hang, excessive memory use or access outside the file's folder. The tests
//! with fixtures made in code always run. With `SINEW_SAMPLES` set, the tests also load every broken sample, and seeded mutations of the
//! samples of up to 2 MiB.

use std::collections::BTreeMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sinew::asset::error::LoadError;
use sinew::asset::{self, LoadOptions, Loaded};
use sinew::codec::texels::{BlockFormats, DecodeOptions};
use sinew::model::finding::Severity;
use sinew::session::bounds;
use sinew::session::bounds::mesh::MeshBounds;
use sinew::session::pose::Rig;
use sinew::session::pose::in_place::RootStatus;
use sinew::session::pose::solve::{self, Posed};
use sinew::session::view::View;

use crate::common::gltf_builder::{Gltf, finding, glb, png, skinned_triangle, triangle};
use crate::common::skip::skip;

/// A case that takes longer than this is taken to hang. The limit is generous because test machines may be slow.
const MAX_CASE_DURATION: Duration = Duration::from_secs(120);

/// Uses a loaded file: decodes its images, measures it, and poses it at unusual times.
fn use_it(loaded: &Loaded) {
    for source in &loaded.images {
        let blocks = BlockFormats { bc: true, etc2: false, astc: true };
        for blocks in [BlockFormats::default(), blocks] {
            let _ = asset::image::decode(source, &DecodeOptions { blocks, ..DecodeOptions::default() });
        }
    }
    let model = &loaded.model;
    let mut posed = Posed::new(model);
    let extents = MeshBounds::new(model);
    let mut view = View::default();
    solve::solve(model, &view, 0.0, &mut posed);
    bounds::animation_bounds(Rig { model, compiled: &posed.compiled }, &view, RootStatus::None, &extents);
    for (index, animation) in model.animations.iter().enumerate().take(4) {
        view.animation = Some(index);
        for time in [-1.0, 0.0, animation.duration * 0.37, animation.duration, f64::MAX] {
            solve::solve(model, &view, time, &mut posed);
        }
    }
}

/// Counts how the cases ended.
#[derive(Default)]
struct Tally {
    opened: AtomicUsize,
    refused: AtomicUsize,
    /// Files refused because of data that was read through an accessor. The number shows whether the mutations reach accessors.
    by_accessor: AtomicUsize,
}

/// Loads the bytes of `case(0..count)` on two threads. Each case must end with a model or an error.
fn survive(count: usize, case: impl Fn(usize) -> (String, Vec<u8>) + Sync) -> Tally {
    let tally = Tally::default();
    let next = AtomicUsize::new(0);
    let running: Mutex<BTreeMap<usize, (String, Instant)>> = Mutex::default();
    let failures: Mutex<Vec<String>> = Mutex::default();
    let done = AtomicBool::new(false);
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count {
                return;
            }
            let (name, bytes) = case(index);
            running.lock().unwrap().insert(index, (name.clone(), Instant::now()));
            let outcome = catch_unwind(AssertUnwindSafe(|| {
                sinew::validate::bytes(bytes.clone());
                asset::load_bytes(bytes, &name).inspect(use_it)
            }));
            running.lock().unwrap().remove(&index);
            match outcome {
                Ok(Ok(_)) => _ = tally.opened.fetch_add(1, Ordering::Relaxed),
                Ok(Err(error)) => {
                    tally.refused.fetch_add(1, Ordering::Relaxed);
                    tally.by_accessor.fetch_add(usize::from(error.to_string().contains(" accessor ")), Ordering::Relaxed);
                }
                Err(_) => failures.lock().unwrap().push(format!("{name} panics")),
            }
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..2).map(|_| scope.spawn(work)).collect();
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(50));
                for (name, began) in running.lock().unwrap().values() {
                    if began.elapsed() > MAX_CASE_DURATION {
                        // A thread that hangs cannot be stopped, so stop the whole process.
                        eprintln!("{name} takes longer than {MAX_CASE_DURATION:?}");
                        std::process::exit(101);
                    }
                }
            }
        });
        for worker in workers {
            worker.join().unwrap();
        }
        done.store(true, Ordering::Relaxed);
    });
    let failures = failures.into_inner().unwrap();
    assert!(failures.is_empty(), "{} of {count}:\n{}", failures.len(), failures.join("\n"));
    tally
}

/// A small, fast random number generator (xorshift) that repeats its sequence for the same seed.
struct Dice(u64);

impl Dice {
    fn new(seed: u64) -> Self {
        let mut dice = Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        dice.next();
        dice
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }
}

/// Breaks a GLB in one of several ways, which the number of the case selects.
fn mutate(whole: &[u8], case: usize) -> Vec<u8> {
    let mut dice = Dice::new(case as u64 + 1);
    let mut bytes = whole.to_vec();
    let json_end = 20 + u32::from_le_bytes(whole[12..16].try_into().unwrap()) as usize;
    match case % 6 {
        0 => bytes.truncate(dice.below(whole.len())),
        1 => {
            for _ in 0..=dice.below(3) {
                let at = 20 + dice.below(json_end - 20);
                bytes[at] ^= 1 << dice.below(8);
            }
        }
        2 if whole.len() > json_end + 8 => {
            for _ in 0..=dice.below(16) {
                let at = json_end + 8 + dice.below(whole.len() - json_end - 8);
                bytes[at] = dice.next() as u8;
            }
        }
        3 => {
            let at = dice.below(28.min(whole.len()));
            bytes[at] = dice.next() as u8;
        }
        _ => {
            let json = hostile_number(&whole[20..json_end], &mut dice);
            let bin = whole.get(json_end + 8..).unwrap_or_default();
            bytes = glb(&[(b"JSON", &json), (b"BIN\0", bin)]);
        }
    }
    bytes
}

/// Replaces one number of the JSON with a hostile one.
fn hostile_number(json: &[u8], dice: &mut Dice) -> Vec<u8> {
    const NUMBERS: [&str; 16] = [
        "0",
        "-1",
        "1",
        "2",
        "3",
        "7",
        "255",
        "65535",
        "4294967295",
        "4294967296",
        "9223372036854775807",
        "18446744073709551615",
        "1e38",
        "-1e39",
        "1.5",
        "null",
    ];
    let digits = |at: usize| json[at].is_ascii_digit() || matches!(json[at], b'-' | b'.');
    let starts: Vec<usize> =
        (1..json.len()).filter(|&at| digits(at) && !digits(at - 1) && matches!(json[at - 1], b':' | b',' | b'[' | b' ')).collect();
    let Some(&start) = starts.get(dice.below(starts.len())) else { return json.to_vec() };
    let end = (start..json.len()).find(|&at| !digits(at)).unwrap_or(json.len());
    [&json[..start], NUMBERS[dice.below(NUMBERS.len())].as_bytes(), &json[end..]].concat()
}

/// Builds a document with many features: a skin, morph targets, a sparse accessor, a texture, and animations in every interpolation.
fn rich() -> Gltf {
    let mut gltf = skinned_triangle();
    let normals = gltf.floats("VEC3", &[0.0, 0.0, 1.0].repeat(3));
    let tex_coords = gltf.floats("VEC2", &[0.0, 1.0, 1.0, 1.0, 0.0, 0.0]);
    let indices = gltf.u8s("SCALAR", &[0, 1, 2]);
    let (places, values) = (gltf.view(&[0, 2]), gltf.view(&[1.0f32; 6].map(f32::to_le_bytes).concat()));
    let sparse = json!({
        "count": 2,
        "indices": { "bufferView": places, "componentType": 5121 },
        "values": { "bufferView": values },
    });
    let deltas = gltf.push("accessors", json!({ "componentType": 5126, "type": "VEC3", "count": 3, "sparse": sparse }));
    let image = gltf.view(&png(4, 4, [200, 100, 50, 255]));
    gltf.push("images", json!({ "bufferView": image, "mimeType": "image/png" }));
    gltf.push("samplers", json!({ "magFilter": 9729, "wrapS": 33071 }));
    gltf.push("textures", json!({ "source": 0, "sampler": 0 }));
    gltf.push("materials", json!({ "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } }, "normalTexture": { "index": 0 } }));
    gltf.push("cameras", json!({ "type": "perspective", "perspective": { "yfov": 1, "znear": 0.1 } }));
    gltf.push("nodes", json!({ "camera": 0, "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 5, 1] }));
    let primitive = &mut gltf.json["meshes"][0]["primitives"][0];
    primitive["attributes"]["NORMAL"] = json!(normals);
    primitive["attributes"]["TEXCOORD_0"] = json!(tex_coords);
    primitive["indices"] = json!(indices);
    primitive["material"] = json!(0);
    primitive["targets"] = json!([{ "POSITION": deltas, "NORMAL": deltas }]);
    let turns = gltf.floats("VEC4", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0]);
    let moves = gltf.floats("VEC3", &[0.5; 18]);
    let weights = gltf.floats("SCALAR", &[0.0, 1.0]);
    gltf.animation(&[
        (2, "rotation", "LINEAR", &[0.0, 1.0], turns),
        (1, "translation", "CUBICSPLINE", &[0.0, 1.0], moves),
        (0, "weights", "STEP", &[0.0, 2.0], weights),
    ]);
    gltf
}

#[test]
fn a_document_with_many_features_survives_every_truncation() {
    let whole = rich().to_glb();
    assert!(asset::load_bytes(whole.clone(), "whole").unwrap().model.findings.is_empty());
    let tally = survive(whole.len(), |length| (format!("the first {length} bytes"), whole[..length].to_vec()));
    assert_eq!(tally.opened.into_inner(), 0, "a truncated file was opened");
}

#[test]
fn a_document_with_many_features_survives_four_thousand_mutations() {
    let whole = rich().to_glb();
    let tally = survive(4_000, |case| (format!("mutation {case}"), mutate(&whole, case)));
    let (opened, refused) = (tally.opened.into_inner(), tally.refused.into_inner());
    assert!(opened > 800 && refused > 800, "{opened} opened, {refused} were refused");
    assert!(tally.by_accessor.into_inner() > 200, "the mutations hardly reach accessors");
}

#[test]
fn every_number_in_a_document_may_be_hostile() {
    let whole = rich();
    let text = serde_json::to_vec(&whole.json).unwrap();
    // Replace each number of the JSON in turn.
    let numbers: Vec<String> = pointers(&whole.json);
    assert!(numbers.len() > 150 && text.len() > 1_000);
    let hostile =
        [json!(0), json!(-1), json!(3), json!(65_536), json!(u64::MAX), json!(1u64 << 33), json!(1e38), json!(1e-38), json!(null)];
    survive(numbers.len() * hostile.len(), |case| {
        let (pointer, value) = (&numbers[case / hostile.len()], &hostile[case % hostile.len()]);
        let mut broken = whole.clone();
        *broken.json.pointer_mut(pointer).unwrap() = value.clone();
        (format!("{pointer} = {value}"), broken.to_glb())
    });
}

fn pointers(value: &Value) -> Vec<String> {
    let below = |key: String, value: &Value| pointers(value).into_iter().map(move |rest| format!("/{key}{rest}")).collect::<Vec<_>>();
    match value {
        Value::Array(elements) => elements.iter().enumerate().flat_map(|(i, value)| below(i.to_string(), value)).collect(),
        Value::Object(object) => object.iter().flat_map(|(key, value)| below(key.clone(), value)).collect(),
        Value::Number(_) => vec![String::new()],
        _ => Vec::new(),
    }
}

#[test]
fn deep_json_is_refused_before_the_stack_overflows() {
    for open in ["[", "{\"a\":"] {
        let text = format!(r#"{{"asset":{{"version":"2.0"}},"extras":{}"#, open.repeat(1_000_000));
        assert!(matches!(asset::load_bytes(text.into_bytes(), "deep"), Err(LoadError::Json(_))));
    }
}

#[test]
fn a_file_with_too_many_objects_is_refused_with_their_number_and_place() {
    let empty = |count: usize| vec!["{}"; count].join(",");
    // The root, the asset and the animation are objects, too.
    for (elements, refusal) in [
        (format!(r#""nodes":[{}]"#, empty(3_999_999)), "/nodes: 4,000,001 JSON objects; at most 4,000,000 are supported"),
        (
            format!(r#""meshes":[{0}],"scenes":[{0}],"textures":[{0}]"#, empty(1_400_000)),
            "4,200,002 JSON objects; at most 4,000,000 are supported",
        ),
        (format!(r#""materials":[{}]"#, empty(250_001)), "/materials: 250,001 JSON objects in materials; at most 250,000 are supported"),
        (
            format!(r#""animations":[{{"channels":[{}]}}]"#, empty(1_999_998)),
            "/animations: 2,000,001 JSON objects in a file that needs repairs; at most 2,000,000 are supported",
        ),
    ] {
        let text = format!(r#"{{"asset":{{"version":"2.0"}},{elements}}}"#);
        assert_eq!(asset::load_bytes(text.into_bytes(), "many").err().unwrap().to_string(), refusal);
    }
}

#[test]
fn only_regular_files_are_opened() {
    let folder = tempfile::tempdir().unwrap();
    assert!(matches!(asset::load(folder.path(), &LoadOptions::default()), Err(LoadError::Folder { .. })));
    let gone = folder.path().join("gone.glb");
    assert!(asset::load(&gone, &LoadOptions::default()).err().unwrap().to_string().contains("gone.glb"));
    #[cfg(unix)]
    {
        assert!(matches!(asset::load(Path::new("/dev/zero"), &LoadOptions::default()), Err(LoadError::NotAFile { .. })));
        let pipe = make_pipe(folder.path(), "model.glb");
        assert!(matches!(asset::load(&pipe, &LoadOptions::default()), Err(LoadError::NotAFile { .. })));
    }
}

#[cfg(unix)]
fn make_pipe(folder: &Path, name: &str) -> PathBuf {
    let pipe = folder.join(name);
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    pipe
}

/// A folder with a picture, for a model. A secret picture lies outside, beside the folder.
struct SampleFolder {
    root: tempfile::TempDir,
    folder: PathBuf,
}

impl SampleFolder {
    fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("model");
        fs::create_dir(&folder).unwrap();
        fs::write(root.path().join("secret.png"), png(7, 7, [1; 4])).unwrap();
        fs::write(folder.join("own.png"), png(5, 5, [2; 4])).unwrap();
        Self { root, folder }
    }

    /// Loads a model with an image of this URI. Returns the width of the image and the code of the first finding.
    fn picture(&self, uri: &str) -> (u32, Option<&'static str>) {
        let mut gltf = triangle();
        gltf.push("images", json!({ "uri": uri }));
        let file = self.folder.join("model.gltf");
        fs::write(&file, gltf.to_gltf()).unwrap();
        let loaded = asset::load(&file, &LoadOptions::default()).unwrap_or_else(|error| panic!("{uri}: {error}"));
        (loaded.model.images[0].width, loaded.model.findings.first().map(|finding| finding.code))
    }
}

#[test]
fn images_outside_the_folder_of_the_file_are_not_read() {
    let yard = SampleFolder::new();
    for uri in ["own.png", "./own.png", "%6Fwn.png", "gone/../own.png", "gone/x/%2e%2e/../own.png", "./a//../own.png"] {
        assert_eq!(yard.picture(uri), (5, None), "{uri}");
    }
    let secret = yard.root.path().join("secret.png");
    let secret = secret.to_str().unwrap();
    for uri in [
        "../secret.png",
        "..%2fsecret.png",
        "%2e%2e/secret.png",
        "x/../../secret.png",
        "x/../../model/own.png",
        "x/y/../../../secret.png",
        "..\\secret.png",
        "./../secret.png",
        secret,
        &format!("file://{secret}"),
        &format!("/{secret}"),
        "https://example.invalid/own.png",
        "javascript:own.png",
        "C:\\secret.png",
        "own.png\0",
        "",
        ".",
        "..",
        "/",
        &"a".repeat(70_000),
    ] {
        assert_eq!(yard.picture(uri), (0, Some("IMAGE_UNAVAILABLE")), "{uri}");
    }
}

#[cfg(unix)]
#[test]
fn pipes_folders_and_links_that_leave_the_folder_are_not_opened() {
    let yard = SampleFolder::new();
    std::os::unix::fs::symlink(yard.root.path().join("secret.png"), yard.folder.join("out.png")).unwrap();
    std::os::unix::fs::symlink(yard.root.path(), yard.folder.join("up")).unwrap();
    std::os::unix::fs::symlink(yard.folder.join("own.png"), yard.folder.join("in.png")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", yard.folder.join("zero.png")).unwrap();
    fs::create_dir(yard.folder.join("folder.png")).unwrap();
    make_pipe(&yard.folder, "pipe.png");
    for uri in ["out.png", "up/secret.png", "x/../up/secret.png", "up/x/../secret.png", "zero.png", "folder.png", "pipe.png"] {
        assert_eq!(yard.picture(uri), (0, Some("IMAGE_UNAVAILABLE")), "{uri}");
    }
    assert_eq!(yard.picture("in.png"), (5, None), "a link that stays inside is treated like a file");
    // A `..` after a link removes the link from the path. It does not lead to the parent of the link's target.
    assert_eq!(yard.picture("up/../own.png"), (5, None));
    assert_eq!(yard.picture("up/../secret.png"), (0, Some("IMAGE_UNAVAILABLE")));
}

#[test]
fn a_buffer_larger_than_its_file_is_refused_without_reading_it() {
    let yard = SampleFolder::new();
    let mut gltf = triangle();
    gltf.json["buffers"] = json!([{ "byteLength": 1_000_000_000_000u64, "uri": "own.png" }]);
    let file = yard.folder.join("model.gltf");
    fs::write(&file, gltf.to_gltf()).unwrap();
    let error = asset::load(&file, &LoadOptions::default()).err().unwrap().to_string();
    assert!(error.contains("its byteLength is 1,000,000,000,000"), "{error}");
}

#[test]
fn an_image_that_claims_to_be_huge_is_not_decoded() {
    let mut picture = png(1, 1, [0; 4]);
    // Change the width and height in the header, and the header's checksum.
    picture[16..24].copy_from_slice(&[0, 0, 0xff, 0xdc, 0, 0, 0xff, 0xdc]);
    let sum = crc32(&picture[12..29]);
    picture[29..33].copy_from_slice(&sum.to_be_bytes());
    let mut gltf = triangle();
    let view = gltf.view(&picture);
    gltf.push("images", json!({ "bufferView": view }));
    let loaded = gltf.load().unwrap();
    assert!(finding(&loaded.model, "IMAGE_DATA_INVALID").message.contains("65500 x 65500"));
    assert!(asset::image::decode(&loaded.images[0], &DecodeOptions::default()).is_err());
}

fn crc32(bytes: &[u8]) -> u32 {
    let step = |sum: u32, _| if sum & 1 == 1 { (sum >> 1) ^ 0xEDB8_8320 } else { sum >> 1 };
    !bytes.iter().fold(!0u32, |sum, &byte| (0..8).fold(sum ^ u32::from(byte), step))
}

// Real files

fn samples() -> Option<PathBuf> {
    let samples = std::env::var_os("SINEW_SAMPLES").map(PathBuf::from);
    if samples.is_none() {
        skip("SINEW_SAMPLES names no folder of sample models");
    }
    samples
}

fn models_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
            let path = entry.unwrap().path();
            match path.extension().and_then(|extension| extension.to_str()) {
                _ if path.is_dir() => folders.push(path),
                Some("gltf" | "glb") => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    found
}

#[test]
fn every_nasty_sample_ends_as_the_manifest_says() {
    let Some(nasty) = samples().map(|samples| samples.join("nasty")) else { return };
    let manifest = fs::read_to_string(nasty.join("manifest.csv")).unwrap();
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in manifest.lines().skip(1) {
        let (file, expected) = (line.split(',').next().unwrap(), line.rsplit(',').next().unwrap());
        // Load a copy, so that the pipe which one sample refers to can be created beside it.
        let folder = tempfile::tempdir().unwrap();
        let copy = folder.path().join(file);
        fs::copy(nasty.join(file), &copy).unwrap();
        #[cfg(unix)]
        make_pipe(folder.path(), "hang.fifo");
        let loaded = asset::load(&copy, &LoadOptions::default()).inspect(use_it);
        let noted = |loaded: &Loaded| loaded.model.findings.iter().any(|finding| finding.severity >= Severity::Warning);
        let ended = match &loaded {
            Err(_) => "error",
            Ok(loaded) if expected == "deny" => {
                let denied = loaded.model.images[0].width == 0 && loaded.model.findings[0].pointer == "/images/0";
                if denied { "deny" } else { "followed" }
            }
            Ok(loaded) if noted(loaded) => "warn",
            Ok(_) => "ok",
        };
        if ended != expected {
            wrong.push(format!("{file}: {ended}, not {expected} ({:?})", loaded.map(|loaded| loaded.model.findings)));
        }
        count += 1;
    }
    assert!(count > 100 && wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_invalid_sample_ends_in_a_model_or_an_error() {
    let Some(samples) = samples() else { return };
    let files = models_below(&samples.join("invalid"));
    assert!(files.len() > 40);
    for file in files {
        let outcome = catch_unwind(|| {
            sinew::validate::file(&file).unwrap();
            asset::load(&file, &LoadOptions::default()).inspect(use_it)
        });
        assert!(outcome.is_ok(), "{} panics", file.display());
    }
}

#[test]
fn every_sample_survives_seeded_mutations() {
    const LARGEST: u64 = 2 << 20;
    let Some(samples) = samples() else { return };
    let of = |folder: &str| models_below(&samples.join(folder));
    let files: Vec<PathBuf> = of("models").into_iter().chain(of("assetgen")).collect();
    let wholes: Vec<(PathBuf, Vec<u8>)> =
        files.into_iter().filter_map(|file| Some((file.clone(), as_glb(&file).filter(|bytes| bytes.len() as u64 <= LARGEST)?))).collect();
    assert!(wholes.len() > 60, "only {} samples", wholes.len());
    // A large sample takes long to read, and has hardly more kinds of elements than a small one, so it is mutated less often.
    let rounds = |whole: &[u8]| (600 * 64 * 1024 / whole.len()).clamp(150, 600);
    let cases: Vec<(&PathBuf, &[u8], usize)> =
        wholes.iter().flat_map(|(file, whole)| (0..rounds(whole)).map(move |seed| (file, &whole[..], seed))).collect();
    let tally = survive(cases.len(), |case| {
        let (file, whole, seed) = cases[case];
        (format!("{} mutated by {seed}", file.display()), mutate(whole, seed))
    });
    let (opened, refused) = (tally.opened.into_inner(), tally.refused.into_inner());
    let by_accessor = tally.by_accessor.into_inner();
    eprintln!("{} samples: {opened} mutations opened, {refused} were refused, {by_accessor} of them by an accessor", wholes.len());
    assert!(opened > wholes.len() && refused > wholes.len() && by_accessor > wholes.len() / 4);
}

/// Returns a sample as a GLB: its JSON, and its first buffer as the binary chunk.
fn as_glb(file: &Path) -> Option<Vec<u8>> {
    let bytes = fs::read(file).ok()?;
    if bytes.starts_with(b"glTF") {
        return Some(bytes);
    }
    let mut json: Value = serde_json::from_slice(&bytes).ok()?;
    let uri = json["buffers"][0]["uri"].as_str()?.to_owned();
    let mut bin = match uri.split_once(";base64,") {
        Some((_, data)) => base64::Engine::decode(&base64::engine::general_purpose::STANDARD, data).ok()?,
        None => fs::read(file.parent()?.join(&uri)).ok()?,
    };
    json["buffers"][0].as_object_mut()?.remove("uri");
    let mut text = serde_json::to_vec(&json).ok()?;
    text.resize(text.len().next_multiple_of(4), b' ');
    bin.resize(bin.len().next_multiple_of(4), 0);
    Some(glb(&[(b"JSON", &text), (b"BIN\0", &bin)]))
}

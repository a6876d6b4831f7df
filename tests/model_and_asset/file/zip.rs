//! Tests models in .zip archives that are written here byte by byte: the model that a valid archive opens as, and the message with which an
//! invalid one is refused.

use std::io::Write;

use flate2::Crc;
use flate2::write::DeflateEncoder;
use serde_json::json;
use sinew::asset::{self, LoadOptions, Loaded};
use sinew::validate;

use crate::common::gltf_builder::{self, Gltf, codes, finding, triangle};

const STORED: u16 = 0;
const DEFLATED: u16 = 8;
const IS_UTF8: u16 = 1 << 11;
const ENCRYPTED: u16 = 1;

/// One file of an archive that is being written.
#[derive(Clone)]
struct Entry {
    name: Vec<u8>,
    packed: Vec<u8>,
    method: u16,
    flags: u16,
    crc: u32,
    size: u32,
    /// The Unix file mode, or 0 if the archive does not come from Unix.
    mode: u32,
}

fn entry(name: &str, data: &[u8]) -> Entry {
    let mut encoder = DeflateEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(data).unwrap();
    let mut crc = Crc::new();
    crc.update(data);
    let packed = encoder.finish().unwrap();
    Entry { name: name.into(), packed, method: DEFLATED, flags: IS_UTF8, crc: crc.sum(), size: data.len() as u32, mode: 0 }
}

fn stored(name: &str, data: &[u8]) -> Entry {
    Entry { packed: data.to_vec(), method: STORED, ..entry(name, data) }
}

fn zip(entries: &[Entry]) -> Vec<u8> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for entry in entries {
        let offset = bytes.len() as u32;
        let mut common = Vec::new();
        for word in [20, entry.flags, entry.method, 0, 0x21] {
            common.extend(u16::to_le_bytes(word));
        }
        for word in [entry.crc, entry.packed.len() as u32, entry.size] {
            common.extend(word.to_le_bytes());
        }
        common.extend((entry.name.len() as u16).to_le_bytes());
        common.extend([0, 0]);
        bytes.extend([b"PK\x03\x04", &common[..], &entry.name, &entry.packed].concat());
        directory.extend(b"PK\x01\x02");
        directory.extend((if entry.mode == 0 { 20u16 } else { 3 << 8 | 20 }).to_le_bytes());
        directory.extend(&common);
        directory.extend([0; 6]);
        directory.extend((entry.mode << 16).to_le_bytes());
        directory.extend(offset.to_le_bytes());
        directory.extend(&entry.name);
    }
    let count = (entries.len() as u16).to_le_bytes();
    let (length, start) = ((directory.len() as u32).to_le_bytes(), (bytes.len() as u32).to_le_bytes());
    bytes.extend(directory);
    bytes.extend([b"PK\x05\x06", &[0; 4][..], &count, &count, &length, &start, &[0; 2]].concat());
    bytes
}

fn open(bytes: Vec<u8>) -> Result<Loaded, String> {
    asset::load_bytes(bytes, "test.zip").map_err(|error| error.to_string())
}

fn opened(entries: &[Entry]) -> Loaded {
    open(zip(entries)).unwrap_or_else(|error| panic!("{error}"))
}

fn refusal(entries: &[Entry]) -> String {
    open(zip(entries)).expect_err("a refusal")
}

/// Builds the triangle with its buffer in a separate file.
fn split(uri: &str) -> Gltf {
    let mut gltf = triangle();
    gltf.json["buffers"] = json!([{ "byteLength": gltf.bin.len(), "uri": uri }]);
    gltf
}

fn meshes(loaded: &Loaded) -> String {
    format!("{:?}", loaded.model.meshes)
}

fn triangle_meshes() -> String {
    format!("{:?}", triangle().model().meshes)
}

#[test]
fn a_glb_in_an_archive_opens_as_it_does_by_itself() {
    for make in [entry, stored] {
        let loaded = opened(&[make("triangle.glb", &triangle().to_glb())]);
        assert_eq!(meshes(&loaded), triangle_meshes());
        assert!(loaded.model.findings.is_empty(), "{:?}", loaded.model.findings);
        assert_eq!(loaded.model.asset.bytes, triangle().to_glb().len() as u64);
    }
}

#[test]
fn a_whole_folder_opens_with_the_files_beside_the_model() {
    let mut gltf = split("d%C3%A4ten/buffer%201.bin");
    gltf.push("images", json!({ "uri": "bilder/rot.png" }));
    let loaded = opened(&[
        entry("readme.txt", b"hello"),
        entry("modell/szene.gltf", &gltf.to_gltf()),
        entry("modell/däten/buffer 1.bin", &gltf.bin),
        stored("modell/bilder/rot.png", &gltf_builder::png(3, 2, [255, 0, 0, 255])),
    ]);
    assert_eq!(meshes(&loaded), triangle_meshes());
    assert_eq!((loaded.model.images[0].width, loaded.model.images[0].height), (3, 2));
    let pixels = asset::image::decode(&loaded.images[0], &sinew::codec::texels::DecodeOptions::default()).unwrap();
    assert_eq!(pixels.levels[0][..4], [255, 0, 0, 255]);
}

#[test]
fn names_with_backslashes_in_unmarked_utf_8_and_in_code_page_437_are_read() {
    let gltf = split("é/b.bin");
    let plain = |name: &[u8], data: &[u8]| Entry { name: name.into(), flags: 0, ..entry("", data) };
    for folder in ["a\\é\\".as_bytes(), "a/é/".as_bytes(), b"a\\\x82\\"] {
        let buffer = plain(&[folder, b"b.bin"].concat(), &gltf.bin);
        let loaded = opened(&[plain(b"a\\scene.gltf", &gltf.to_gltf()), buffer]);
        assert_eq!(meshes(&loaded), triangle_meshes());
    }
}

#[test]
fn uris_may_leave_the_folder_of_the_model_but_not_the_archive() {
    let beside = |uri: &str| {
        let gltf = split(uri);
        refusal(&[entry("a/scene.gltf", &gltf.to_gltf()), entry("b.bin", &gltf.bin), entry("/etc/b.bin", &gltf.bin)])
    };
    for uri in ["../../b.bin", "%2e%2e/../b.bin", "/etc/b.bin", "..%2F..%2Fa/b.bin", "../../a/../b.bin"] {
        assert!(beside(uri).contains("is outside the file's folder"), "{uri}: {}", beside(uri));
    }
    for uri in ["../b.bin", "%2e%2e/b.bin", "..%2Fb.bin", "..\\b.bin", "../gone/../b.bin"] {
        let gltf = split(uri);
        assert_eq!(meshes(&opened(&[entry("a/scene.gltf", &gltf.to_gltf()), entry("b.bin", &gltf.bin)])), triangle_meshes(), "{uri}");
    }
    let gltf = split("gone/../b.bin");
    assert_eq!(meshes(&opened(&[entry("a/scene.gltf", &gltf.to_gltf()), entry("a/b.bin", &gltf.bin)])), triangle_meshes());
    assert!(beside("https://example.com/b.bin").contains("nothing is fetched"));
    assert_eq!(beside("b.bin"), r#"buffer 0: "b.bin" was not found in the zip archive"#);
}

#[test]
fn links_and_entries_that_lead_out_of_the_archive_are_ignored() {
    let gltf = split("b.bin");
    let link = Entry { mode: 0o120_777, ..stored("b.bin", b"/etc/passwd") };
    for buffer in [link, entry("../b.bin", &gltf.bin), entry("x/../b.bin", &gltf.bin), entry("C:\\b.bin", &gltf.bin)] {
        let refused = refusal(&[entry("scene.gltf", &gltf.to_gltf()), buffer]);
        assert!(refused.contains("was not found in the zip archive"), "{refused}");
    }
}

#[test]
fn an_archive_whose_only_model_is_left_out_says_why() {
    let model = triangle().to_glb();
    let link = Entry { mode: 0o120_777, ..stored("link.glb", b"/tmp/a.glb") };
    for unsafe_model in [link, entry("../up.glb", &model), entry("/etc/root.glb", &model), entry("a\u{1b}[31m.glb", &model)] {
        let name = String::from_utf8(unsafe_model.name.clone()).unwrap();
        let refused = refusal(&[entry("readme.txt", b""), unsafe_model.clone()]);
        assert!(refused.starts_with(&format!("{name:?} in the zip archive is not opened, because it is a link")), "{refused}");
        assert_eq!(meshes(&opened(&[unsafe_model, entry("safe.glb", &model)])), triangle_meshes(), "another model opens");
    }
    let metadata = refusal(&[entry("__MACOSX/._a.glb", b"resources")]);
    assert!(metadata.ends_with("it contains no files"), "{metadata}");
}

#[test]
fn the_shallowest_of_several_models_opens_and_the_others_are_named() {
    let (small, mut large) = (triangle(), triangle());
    large.push("nodes", json!({ "name": "another" }));
    let entries = [
        entry("__MACOSX/._a.gltf", b"resources"),
        entry("._0.glb", b"resources"),
        entry("deep/a.glb", &large.to_glb()),
        entry("z.glb", &small.to_glb()),
        entry("y.GLTF", &small.to_gltf()),
    ];
    let model = opened(&entries).model;
    assert_eq!(model.nodes.len(), 1);
    let said = &finding(&model, "ARCHIVE_OTHER_MODELS").message;
    assert_eq!(said, "The archive contains 3 models; y.GLTF is shown. The others: z.glb, deep/a.glb.");
    assert!(codes(&opened(&entries[..3]).model).is_empty());
}

#[test]
fn the_error_for_an_archive_without_a_model_lists_its_files() {
    let said = refusal(&[entry("a/scene.fbx", b"Kaydara"), entry("b.txt", b"")]);
    assert_eq!(said, "the zip archive has no .gltf or .glb; it contains a/scene.fbx, b.txt");
    assert!(refusal(&[]).ends_with("it contains no files"));
    let many: Vec<Entry> = (0..9).map(|i| entry(&format!("{i}.txt"), b"")).collect();
    assert!(refusal(&many).ends_with("0.txt, 1.txt, 2.txt, 3.txt, 4.txt and 4 more"));
    let usdz = refusal(&[stored("scene.usdc", b"PXR-USDC")]);
    assert!(usdz.contains("a USDZ file") && usdz.contains("File > Export > glTF 2.0"), "{usdz}");
}

#[test]
fn encrypted_entries_and_unsupported_methods_are_refused_with_advice() {
    let glb = triangle().to_glb();
    let encrypted = refusal(&[Entry { flags: ENCRYPTED, ..entry("a.glb", &glb) }]);
    assert!(encrypted.contains("\"a.glb\" in the zip archive is encrypted: unpack it with its password"), "{encrypted}");
    for (method, name) in [(12, "12"), (14, "14"), (93, "93"), (9, "9")] {
        let refused = refusal(&[Entry { method, ..entry("a.glb", &glb) }]);
        assert!(refused.contains("expected deflate: unpack it") && !refused.contains('\n'), "{name}: {refused}");
    }
}

#[test]
fn wrong_sizes_are_refused() {
    let glb = triangle().to_glb();
    let size = glb.len() as u32;
    for (said, problem) in
        [(size + 4, "does not unpack to its declared"), (size - 4, "is larger than its declared"), (12, "is larger than its declared")]
    {
        let refused = refusal(&[Entry { size: said, ..entry("a.glb", &glb) }]);
        assert!(refused.starts_with("\"a.glb\" in the zip archive") && refused.contains(problem), "{said}: {refused}");
    }
    // This size is larger than deflate can store in so few bytes, so it is refused before memory is allocated.
    let refused = refusal(&[Entry { size: u32::MAX - 1, ..entry("a.glb", &glb) }]);
    assert!(refused.contains("does not unpack to"), "{refused}");
}

#[test]
fn a_zip_bomb_is_refused_before_it_is_unpacked() {
    // Half a megabyte that claims to unpack to 400 MB. Its content is never read.
    let bomb = Entry { packed: vec![0x55; 500_000], size: 400_000_000, ..entry("a.glb", b"") };
    let refused = refusal(&[bomb]);
    assert_eq!(refused, r#""a.glb" in the zip archive unpacks to 400,000,000 bytes; the limit for this archive is 33,554,432"#);
    // Several files that exceed the limit together are also refused.
    let gltf = split("b.bin");
    let part = |name: &str| Entry { packed: vec![0x55; 300_000], size: 30_000_000, ..entry(name, b"") };
    let mut images = gltf.clone();
    for i in 0..3 {
        images.push("images", json!({ "uri": format!("{i}.png") }));
    }
    images.push("images", json!({ "uri": "small.png" }));
    let small = gltf_builder::png(1, 1, [255; 4]);
    let parts = [part("0.png"), part("1.png"), part("2.png"), entry("small.png", &small)];
    let entries = [entry("a.gltf", &images.to_gltf()), entry("b.bin", &gltf.bin)].into_iter().chain(parts).collect::<Vec<_>>();
    let model = opened(&entries).model;
    let about = |what: &str| model.findings.iter().filter(|finding| finding.message.contains(what)).count();
    assert_eq!(about("unpacks to 30,000,000 bytes, with the files before it 60,0"), 2, "{:?}", model.findings);
    // A small file after them still has room.
    assert_eq!(about("small.png"), 0, "{:?}", model.findings);
}

/// The limits on accessors grow with the bytes of the file. In an archive, these are the packed bytes.
#[test]
fn bytes_that_an_archive_unpacks_to_do_not_raise_the_limit_of_accessors() {
    let mut gltf = Gltf::new();
    let positions = gltf.floats("VEC3", &vec![0.0; 300_000]);
    let primitive = json!({ "attributes": { "POSITION": positions } });
    gltf.push("meshes", json!({ "primitives": vec![primitive; 500] }));
    gltf.bin.resize(20 << 20, 0);
    let refused = refusal(&[entry("a.glb", &gltf.to_glb())]);
    assert!(refused.contains("unpacks to more than"), "{refused}");
    // The limit of the check is 64 Mi numbers, and 16 more for each byte.
    let sparse = json!({ "count": 1, "indices": { "bufferView": 0, "componentType": 5125 }, "values": { "bufferView": 0 } });
    gltf.push("accessors", json!({ "componentType": 5126, "type": "SCALAR", "count": 300_000_000, "sparse": sparse }));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.zip");
    std::fs::write(&file, zip(&[entry("a.glb", &gltf.to_glb())])).unwrap();
    let found = validate::file(&file).unwrap();
    assert!(found.iter().any(|finding| finding.code == "CHECK_INCOMPLETE"), "{found:?}");
}

#[test]
fn a_small_archive_with_very_much_json_is_refused() {
    let of_nodes = |count: usize| {
        let mut gltf = triangle();
        gltf.json["nodes"] = json!(vec![json!({}); count]);
        gltf
    };
    for gltf in [of_nodes(40_000), of_nodes(50_000)].map(|gltf| [entry("a.gltf", &gltf.to_gltf()), entry("a.glb", &gltf.to_glb())]) {
        for model in gltf {
            let bytes = model.size;
            let result = open(zip(&[model]));
            match bytes > 128 << 10 {
                true => assert!(result.unwrap_err().contains("bytes of JSON; the limit for this archive is 131,072")),
                false => assert_eq!(result.unwrap().model.nodes.len(), 40_000),
            }
        }
    }
}

#[test]
fn damaged_data_is_refused() {
    let glb = triangle().to_glb();
    let crc = refusal(&[Entry { crc: 1, ..entry("a.glb", &glb) }]);
    assert!(crc.contains("\"a.glb\" in the zip archive cannot be unpacked"), "{crc}");
    let mut broken = entry("a.glb", &glb);
    broken.packed.iter_mut().skip(4).for_each(|byte| *byte ^= 0x5a);
    assert!(refusal(&[broken]).contains("\"a.glb\" in the zip archive"));
}

#[test]
fn a_truncated_or_mutated_archive_gives_an_error_or_a_model() {
    let gltf = split("b.bin");
    let whole = zip(&[entry("a.gltf", &gltf.to_gltf()), entry("b.bin", &gltf.bin)]);
    for length in 4..whole.len() {
        assert!(open(whole[..length].to_vec()).is_err(), "cut off at {length}");
    }
    for at in 4..whole.len() {
        for flip in [0x01, 0x80, 0xff] {
            let mut bytes = whole.clone();
            bytes[at] ^= flip;
            if let Err(said) = open(bytes) {
                assert!(!said.is_empty() && !said.contains('\n'), "{said}");
            }
        }
    }
}

#[test]
fn a_directory_that_says_it_has_trillions_of_entries_is_refused() {
    let mut bytes = zip(&[entry("a.glb", &triangle().to_glb())]);
    let end = bytes.len() - 22;
    let start = end as u64;
    let mut record = [b"PK\x06\x06", &44u64.to_le_bytes()[..], &[45, 0, 45, 0], &[0; 8]].concat();
    for word in [1u64 << 40, 1 << 40, 1 << 45, 0] {
        record.extend(word.to_le_bytes());
    }
    record.extend([b"PK\x06\x07", &[0; 4][..], &start.to_le_bytes(), &1u32.to_le_bytes()].concat());
    bytes.splice(end..end, record);
    assert_eq!(open(bytes).unwrap_err(), "the zip archive has more than 65,535 entries: unpack it and open the model inside");
}

#[test]
fn the_command_line_reads_an_archive_as_it_reads_the_model_inside() {
    let folder = tempfile::tempdir().unwrap();
    let gltf = split("b.bin");
    let (archive, plain) = (folder.path().join("model.zip"), folder.path().join("model.gltf"));
    std::fs::write(&archive, zip(&[entry("in/model.gltf", &gltf.to_gltf()), entry("in/b.bin", &gltf.bin)])).unwrap();
    std::fs::write(&plain, gltf.to_gltf()).unwrap();
    std::fs::write(folder.path().join("b.bin"), &gltf.bin).unwrap();
    let printed = |verb: &str, path: &std::path::Path, more: &[&str]| {
        let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_sinew"));
        let output = command.arg(verb).arg(path).args(more).assert().success().get_output().stdout.clone();
        let mut json: serde_json::Value = serde_json::from_slice(&output).unwrap();
        json.as_object_mut().unwrap().remove("file");
        json
    };
    for (verb, more) in [("pose", &["--vertices", "all"][..]), ("inspect", &["--json"])] {
        assert_eq!(printed(verb, &archive, more), printed(verb, &plain, more), "{verb}");
    }
    assert!(asset::load(&archive, &LoadOptions::default()).is_ok());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 3, "nothing was written");
}

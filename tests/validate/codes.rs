//! Tests every code of the full check of `inspect` with the smallest fault that causes it, and that a sound file has no findings.

use serde_json::json;
use sinew::model::finding::Finding;
use sinew::validate;

use crate::common::gltf_builder::{self, Gltf, glb};
use crate::sound::{self, remove, set};
use crate::{cases, cases_of_data};

fn places(findings: &[Finding]) -> Vec<(&str, &str)> {
    let mut places: Vec<(&str, &str)> = findings.iter().map(|finding| (finding.code, finding.pointer.as_str())).collect();
    places.sort_unstable();
    places
}

#[test]
fn a_valid_document_has_no_findings() {
    assert_eq!(validate::bytes(sound::sound().to_gltf()), []);
    assert_eq!(validate::bytes(sound::sound().to_glb()), []);
}

#[test]
fn every_fault_is_found_at_its_place_and_nothing_else() {
    let mut wrong = Vec::new();
    for (break_it, expected) in all_cases() {
        let mut file = sound::sound();
        break_it(&mut file);
        let found = validate::bytes(file.to_gltf());
        let mut expected = expected.to_vec();
        expected.sort_unstable();
        if places(&found) != expected {
            wrong.push(format!("{expected:?}\n  found {found:?}"));
        }
        for finding in &found {
            assert!(finding.message.ends_with('.') && finding.message.len() > 12, "{finding:?} is no sentence");
        }
    }
    assert!(wrong.is_empty(), "{} cases:\n{}", wrong.len(), wrong.join("\n"));
}

fn all_cases() -> impl Iterator<Item = cases::Case> {
    let tables = [cases::SHAPE, cases::LAYOUT, cases::MESH, cases::HIERARCHY, cases_of_data::DATA, cases_of_data::LOOKS];
    tables.into_iter().flatten().copied()
}

/// Containers, each with the codes of its findings. Faults of a GLB have no place in the JSON.
fn containers() -> Vec<(Vec<u8>, &'static [&'static str])> {
    let json = br#"{"asset":{"version":"2.0"}} "#;
    let sound = glb(&[(b"JSON", json)]);
    let edited = |at: usize, word: u32| {
        let mut bytes = sound.clone();
        bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
        bytes
    };
    let mut unaligned = glb(&[(b"JSON", &json[..json.len() - 1])]);
    unaligned.truncate(20 + json.len() - 1);
    let said = unaligned.len() as u32;
    unaligned[8..12].copy_from_slice(&said.to_le_bytes());
    let mut marked = b"\xef\xbb\xbf".to_vec();
    marked.extend_from_slice(json);
    vec![
        (sound.clone(), &[]),
        (sound[..10].to_vec(), &["GLB_UNEXPECTED_END_OF_HEADER"]),
        (edited(0, 0x1234_5678), &["GLB_INVALID_MAGIC"]),
        (edited(4, 1), &["GLB_INVALID_VERSION"]),
        (edited(8, 12), &["GLB_LENGTH_TOO_SMALL"]),
        (edited(8, 9_999), &["GLB_LENGTH_MISMATCH"]),
        (edited(12, 9_996), &["GLB_CHUNK_TOO_BIG", "GLB_UNEXPECTED_END_OF_CHUNK_DATA"]),
        (glb(&[(b"BIN\0", b"1234"), (b"JSON", json)]), &["GLB_UNEXPECTED_FIRST_CHUNK"]),
        (glb(&[(b"JSON", json), (b"JSON", json)]), &["GLB_DUPLICATE_CHUNK"]),
        (glb(&[(b"JSON", json), (b"XTRA", b"1234")]), &["GLB_UNKNOWN_CHUNK_TYPE"]),
        (glb(&[(b"JSON", json), (b"XTRA", b"1234"), (b"BIN\0", b"1234")]), &["GLB_UNKNOWN_CHUNK_TYPE", "GLB_UNEXPECTED_BIN_CHUNK"]),
        (glb(&[(b"JSON", json), (b"BIN\0", b"")]), &["GLB_EMPTY_BIN_CHUNK"]),
        (glb(&[(b"JSON", b"")]), &["GLB_EMPTY_CHUNK"]),
        ([&sound[..], b"tail"].concat(), &["GLB_EXTRA_DATA"]),
        (unaligned, &["GLB_CHUNK_LENGTH_UNALIGNED"]),
        (marked, &["INVALID_JSON"]),
        (br#"{"asset": "#.to_vec(), &["INVALID_JSON"]),
    ]
}

#[test]
fn the_layout_of_a_glb_is_checked() {
    for (bytes, expected) in containers() {
        let found = validate::bytes(bytes);
        let codes: Vec<&str> = found.iter().map(|finding| finding.code).collect();
        assert_eq!(codes, expected);
    }
}

#[test]
fn buffers_are_checked_in_chunks_in_uris_and_in_files() {
    let found = |buffer: &str, bin: Option<&[u8]>| {
        let mut json = format!(r#"{{"asset":{{"version":"2.0"}},"bufferViews":[{{"buffer":0,"byteLength":1}}],"buffers":[{{{buffer}}}]}}"#);
        while json.len() % 4 != 0 {
            json.push(' ');
        }
        let chunks: Vec<(&[u8; 4], &[u8])> = [(b"JSON", json.as_bytes())].into_iter().chain(bin.map(|bin| (b"BIN\0", bin))).collect();
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("test.glb");
        std::fs::write(&file, if bin.is_some() { glb(&chunks) } else { json.into_bytes() }).unwrap();
        let found = validate::file(&file).unwrap();
        let of_buffer = found.into_iter().filter(|finding| finding.pointer.starts_with("/buffers"));
        of_buffer.map(|finding| format!("{} {}", finding.code, finding.pointer)).collect::<Vec<String>>()
    };
    let none: [&str; 0] = [];
    assert_eq!(found(r#""byteLength":4"#, Some(b"1234")), none);
    assert_eq!(found(r#""byteLength":4"#, Some(b"12345678")), ["BUFFER_GLB_CHUNK_TOO_BIG /buffers/0"]);
    assert_eq!(found(r#""byteLength":8"#, Some(b"1234")), ["BUFFER_BYTE_LENGTH_MISMATCH /buffers/0"]);
    let text = r#""byteLength":3,"uri":"data:text/plain;base64,AAAA""#;
    assert_eq!(found(text, None), ["BUFFER_DATA_URI_MIME_TYPE_INVALID /buffers/0/uri"]);
    let octets = r#""byteLength":3,"uri":"data:application/octet-stream;base64,AAAA""#;
    assert_eq!(found(octets, None), none);
    assert_eq!(found(octets, Some(b"1234")), ["URI_GLB /buffers/0/uri", "DATA_URI_GLB /buffers/0/uri"]);
    assert_eq!(found(r#""byteLength":3,"uri":"data:;base64,@""#, None), ["INVALID_URI /buffers/0/uri"]);
    assert_eq!(found(r#""byteLength":3,"uri":"there.bin""#, None), ["IO_ERROR /buffers/0/uri"]);
    for place in ["http://127.0.0.1:9/x.bin", "/etc/passwd"] {
        let buffer = format!(r#""byteLength":3,"uri":"{place}""#);
        assert_eq!(found(&buffer, None), ["NON_RELATIVE_URI /buffers/0/uri", "IO_ERROR /buffers/0/uri"]);
    }
    let missing = validate::bytes(glb(&[(b"JSON", br#"{"asset":{"version":"2.0"},"buffers":[{"byteLength":4}]}"#)]));
    assert_eq!(places(&missing)[0], ("BUFFER_MISSING_GLB_DATA", "/buffers/0"));
}

#[test]
fn repeated_references_to_the_same_data_are_bounded() {
    let mut file = Gltf::new();
    let bytes = vec![0; 1 << 20];
    file.accessor(gltf_builder::UNSIGNED_BYTE, "SCALAR", bytes.len(), &bytes);
    let accessor = file.json["accessors"][0].clone();
    for _ in 0..1000 {
        file.push("accessors", accessor.clone());
    }
    let found = validate::bytes(file.to_glb());
    assert_eq!(found.iter().filter(|finding| finding.code == "CHECK_INCOMPLETE").count(), 1);
}

#[test]
fn documents_with_ignorable_faults_load_completely() {
    let shown: [fn(&mut Gltf); 5] = [
        |f| set(f, "/nodes/1/name", json!(7)),
        |f| set(f, "/meshes/0/name", json!(["Hair"])),
        |f| remove(f, "/animations/0/channels/0/target"),
        |f| remove(f, "/animations/0/channels/0/sampler"),
        |f| set(f, "/nodes/1/colour", json!("red")),
    ];
    for break_it in shown {
        let mut file = sound::sound();
        break_it(&mut file);
        assert!(!validate::bytes(file.to_gltf()).is_empty());
        let model = file.model();
        assert_eq!((model.nodes.len(), model.meshes[0].primitives.len()), (5, 1));
        assert!(model.animations[0].channels.len() >= 2);
    }
}

#[test]
fn a_fault_that_loading_also_finds_is_reported_once() {
    let mut file = sound::sound();
    set(&mut file, "/nodes/2/rotation", json!([0.0, 0.0, 0.0, 0.5]));
    set(&mut file, "/accessors/0/min/0", json!(-1.0));
    let merged = validate::merged(file.model().findings, validate::bytes(file.to_glb()));
    assert_eq!(places(&merged), [("ACCESSOR_MIN_MISMATCH", "/accessors/0/min/0"), ("ROTATION_NON_UNIT", "/nodes/2/rotation")]);
}

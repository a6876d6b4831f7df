//! Tests files that are not models, and faults of GLB containers, which have no location in the JSON.

use sinew::{asset, validate};

use crate::common::gltf_builder::glb;

const JSON: &[u8] = br#"{"asset":{"version":"2.0"}} "#;

/// Builds a GLB with one word overwritten.
fn edited(at: usize, word: u32) -> Vec<u8> {
    let mut bytes = glb(&[(b"JSON", JSON)]);
    bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
    bytes
}

/// Builds a GLB that is cut off after `length` bytes.
fn cut(length: usize) -> Vec<u8> {
    let mut bytes = glb(&[(b"JSON", JSON), (b"BIN\0", b"1234")]);
    bytes.truncate(length);
    bytes
}

fn unaligned() -> Vec<u8> {
    let mut bytes = glb(&[(b"JSON", &JSON[..JSON.len() - 1])]);
    bytes.truncate(20 + JSON.len() - 1);
    let declared = bytes.len() as u32;
    bytes[8..12].copy_from_slice(&declared.to_le_bytes());
    bytes
}

fn codes(bytes: Vec<u8>) -> Vec<&'static str> {
    validate::bytes(bytes).iter().map(|finding| finding.code).collect()
}

#[test]
fn the_header_of_a_glb_is_checked() {
    let sound = glb(&[(b"JSON", JSON)]);
    let none: [&str; 0] = [];
    assert_eq!(codes(sound.clone()), none);
    assert_eq!(codes(cut(4)), ["GLB_UNEXPECTED_END_OF_HEADER"]);
    assert_eq!(codes(cut(11)), ["GLB_UNEXPECTED_END_OF_HEADER"]);
    assert_eq!(codes(edited(0, 0x1234_5678)), ["GLB_INVALID_MAGIC"]);
    assert_eq!(codes(edited(4, 1)), ["GLB_INVALID_VERSION"]);
    assert_eq!(codes(edited(8, 9_999)), ["GLB_LENGTH_MISMATCH"]);
    assert_eq!(codes(edited(8, 13)), ["GLB_CHUNK_TOO_BIG", "GLB_LENGTH_MISMATCH"]);
    assert_eq!(codes(edited(8, 0)), ["GLB_LENGTH_TOO_SMALL", "GLB_CHUNK_TOO_BIG", "GLB_LENGTH_MISMATCH"]);
    assert_eq!(codes(edited(8, 12)), ["GLB_LENGTH_TOO_SMALL", "GLB_EXTRA_DATA"]);
    assert_eq!(codes(glb(&[])), ["GLB_LENGTH_TOO_SMALL"]);
    assert_eq!(codes([&sound[..], b"tail"].concat()), ["GLB_EXTRA_DATA"]);
}

#[test]
fn lengths_in_messages_are_grouped_and_singular() {
    let has = |bytes: Vec<u8>, message: &str| {
        let found = validate::bytes(bytes);
        assert!(found.iter().any(|finding| finding.message == message), "{message}\n{found:?}");
    };
    has([&glb(&[(b"JSON", JSON)]), &b"1"[..]].concat(), "1 byte after the end of the GLB is ignored.");
    has(edited(8, 1), "The declared length of 1 byte is too small for a chunk.");
    has(edited(12, u32::MAX), "The chunk at byte 12 has 4,294,967,295 bytes, which is not a multiple of 4.");
    has(edited(12, u32::MAX), "The chunk at byte 12 has 4,294,967,295 bytes, which is more than the file declares.");
}

#[test]
fn loading_and_the_check_describe_a_binary_chunk_that_is_too_large_alike() {
    let json = br#"{"asset":{"version":"2.0"},"buffers":[{"byteLength":1000}]} "#;
    let bytes = glb(&[(b"JSON", json), (b"BIN\0", &[0; 2000])]);
    let loaded = asset::load_bytes(bytes.clone(), "test").unwrap().model.findings;
    for found in [loaded, validate::bytes(bytes)] {
        let finding = found.iter().find(|finding| finding.code == "BUFFER_GLB_CHUNK_TOO_BIG").unwrap();
        assert_eq!(finding.message, "The binary chunk has 2,000 bytes, but the buffer has 1,000; the rest is ignored.");
    }
}

#[test]
fn the_chunks_of_a_glb_are_checked() {
    let none: [&str; 0] = [];
    assert_eq!(codes(glb(&[(b"JSON", JSON), (b"BIN\0", b"1234")])), none);
    assert_eq!(codes(glb(&[(b"BIN\0", b"1234"), (b"JSON", JSON)])), ["GLB_UNEXPECTED_FIRST_CHUNK"]);
    assert_eq!(codes(glb(&[(b"BIN\0", b"1234")])), ["GLB_UNEXPECTED_FIRST_CHUNK"]);
    assert_eq!(codes(glb(&[(b"JSON", JSON), (b"JSON", JSON)])), ["GLB_DUPLICATE_CHUNK"]);
    assert_eq!(codes(glb(&[(b"JSON", JSON), (b"XTRA", b"1234")])), ["GLB_UNKNOWN_CHUNK_TYPE"]);
    let late = glb(&[(b"JSON", JSON), (b"XTRA", b"1234"), (b"BIN\0", b"1234")]);
    assert_eq!(codes(late), ["GLB_UNKNOWN_CHUNK_TYPE", "GLB_UNEXPECTED_BIN_CHUNK"]);
    assert_eq!(codes(glb(&[(b"JSON", JSON), (b"BIN\0", b"")])), ["GLB_EMPTY_BIN_CHUNK"]);
    assert_eq!(codes(glb(&[(b"JSON", b"")])), ["GLB_EMPTY_CHUNK"]);
    assert_eq!(codes(unaligned()), ["GLB_CHUNK_LENGTH_UNALIGNED"]);
}

#[test]
fn two_json_chunks_are_one_too_many_even_if_both_are_empty() {
    let found = codes(glb(&[(b"JSON", b""), (b"JSON", b"")]));
    assert_eq!(found, ["GLB_EMPTY_CHUNK", "GLB_EMPTY_CHUNK", "GLB_DUPLICATE_CHUNK", "INVALID_JSON"]);
    assert_eq!(codes(glb(&[(b"JSON", b"nope"), (b"JSON", JSON)])), ["GLB_DUPLICATE_CHUNK", "INVALID_JSON"]);
}

#[test]
fn a_truncated_glb_is_reported_once() {
    let end_of_json = 20 + JSON.len();
    assert_eq!(codes(cut(12)), ["GLB_LENGTH_MISMATCH"]);
    assert_eq!(codes(cut(16)), ["GLB_UNEXPECTED_END_OF_CHUNK_HEADER"]);
    assert_eq!(codes(cut(20)), ["GLB_UNEXPECTED_END_OF_CHUNK_DATA"]);
    assert_eq!(codes(cut(end_of_json - 1)), ["GLB_UNEXPECTED_END_OF_CHUNK_DATA"]);
    assert_eq!(codes(cut(end_of_json)), ["GLB_LENGTH_MISMATCH"]);
    assert_eq!(codes(cut(end_of_json + 4)), ["GLB_UNEXPECTED_END_OF_CHUNK_HEADER"]);
    assert_eq!(codes(cut(end_of_json + 10)), ["GLB_UNEXPECTED_END_OF_CHUNK_DATA"]);
    assert_eq!(codes(edited(12, u32::MAX)), ["GLB_CHUNK_LENGTH_UNALIGNED", "GLB_CHUNK_TOO_BIG", "GLB_UNEXPECTED_END_OF_CHUNK_DATA"]);
}

#[test]
fn text_that_is_no_json_object_is_reported() {
    let marked = [b"\xef\xbb\xbf", JSON].concat();
    let padded = [JSON, b"\0\0\0\0"].concat();
    assert_eq!(codes(glb(&[(b"JSON", &padded)])), ["INVALID_JSON"], "padded with NUL");
    for text in [&b""[..], b" ", b"{", br#"{"asset": "#, b"hello", b"{\"asset\": {\"version\": \"2.0\"},}", b"{\"a\": NaN}", &marked] {
        assert_eq!(codes(text.to_vec()), ["INVALID_JSON"], "{}", text.escape_ascii());
    }
    for text in ["[]", "\"glTF\"", "null", "7", "true"] {
        assert_eq!(codes(text.into()), ["TYPE_MISMATCH"], "{text}");
        let mut padded = text.to_owned();
        while padded.len() % 4 != 0 {
            padded.push(' ');
        }
        assert_eq!(codes(glb(&[(b"JSON", padded.as_bytes())])), ["TYPE_MISMATCH"], "{text} in a GLB");
    }
    assert_eq!(codes(glb(&[(b"JSON", b"nope")])), ["INVALID_JSON"]);
}

#[test]
fn unknown_content_is_checked_as_the_format_that_the_file_name_tells() {
    let folder = tempfile::tempdir().unwrap();
    let found = |name: &str, bytes: &[u8]| {
        let file = folder.path().join(name);
        std::fs::write(&file, bytes).unwrap();
        validate::file(&file).unwrap().iter().map(|finding| finding.code).collect::<Vec<&str>>()
    };
    let none: [&str; 0] = [];
    assert_eq!(found("empty.gltf", b""), ["INVALID_JSON"]);
    assert_eq!(found("empty.glb", b""), ["GLB_UNEXPECTED_END_OF_HEADER"]);
    assert_eq!(found("other.gltf", b"v 0 0 0\nv 1 0 0\nv 0 1 0"), ["INVALID_JSON"]);
    assert_eq!(found("other.GLB", b"v 0 0 0\nv 1 0 0\nv 0 1 0"), ["GLB_INVALID_MAGIC"]);
    assert_eq!(
        found("other.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0"),
        none,
        "no finding: the loader's error already says that it is an OBJ file"
    );
    // Sinew opens a file by its content, whatever its name is.
    assert_eq!(found("json.glb", JSON), none);
    assert_eq!(found("container.gltf", &glb(&[(b"JSON", JSON)])), none);
}

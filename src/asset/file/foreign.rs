//! Recognizes files of other formats by their content. The error for each format has advice that completes "this is an FBX file,
//! not glTF 2.0: ...".

use crate::asset::error::LoadError;

// Advice for the formats below.
pub const CONVERT: &str = "convert it, for example with Blender (import it, then File > Export > glTF 2.0)";
const EXPORT: &str = "open it in Blender and choose File > Export > glTF 2.0";
const UNPACK: &str = "unpack it and open the .gltf or .glb inside";
const OPEN_MODEL: &str = "open the model that uses it";
const SAVE_AS_UTF8: &str = "glTF requires UTF-8";
pub const UPGRADE: &str = "convert it to 2.0 with glTF-Pipeline (gltf-pipeline -i old.gltf -o new.gltf)";
const UPGRADE_BINARY: &str = "convert it to 2.0 with glTF-Pipeline (gltf-pipeline -i old.glb -o new.glb)";
const UNPACK_OR_BLENDER: &str = "unpack it and open the .gltf or .glb inside; if it is a Blender file saved with compression, open it in Blender and choose File > Export > glTF 2.0";
const FETCH_FILE: &str =
    "the download is a web page instead of the model; fetch the file itself (on GitHub: the Raw or Download button, not the file's page)";

/// The first bytes of the small pointer file that Git LFS leaves in place of a large file.
pub const LFS_POINTER: &[u8] = b"version https://git-lfs.github.com/";

/// The first bytes of a file, its format, and advice.
const BEGINNINGS: [(&[u8], &str, &str); 27] = [
    (b"Kaydara FBX Binary", "an FBX file", CONVERT),
    (b"; FBX", "an FBX file (text)", CONVERT),
    (b"BLENDER", "a Blender file", EXPORT),
    (b"PXR-USDC", "a USD file", CONVERT),
    (b"#usda", "a USD file (text)", CONVERT),
    (b"ply\n", "a PLY file", CONVERT),
    (b"ply\r", "a PLY file", CONVERT),
    (b"HIERARCHY", "a BVH motion file", CONVERT),
    (b"Ogawa", "an Alembic file", CONVERT),
    (b"#VRML", "a VRML file", CONVERT),
    (b"newmtl ", "the material list of an OBJ file", OPEN_MODEL),
    (b"\x1f\x8b", "a gzip archive", UNPACK_OR_BLENDER),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive", UNPACK_OR_BLENDER),
    (b"7z\xbc\xaf", "a 7z archive", UNPACK),
    (b"Rar!", "a RAR archive", UNPACK),
    (LFS_POINTER, "a Git LFS pointer", "the model itself was not fetched: run `git lfs pull` in its folder"),
    (b"/annex/objects/", "a git-annex pointer", "the model itself was not fetched: run `git annex get` in its folder"),
    (b"%PDF", "a PDF document", "open the .gltf or .glb instead"),
    (b"\x89PNG", "a PNG picture", OPEN_MODEL),
    (b"\xff\xd8\xff", "a JPEG picture", OPEN_MODEL),
    (b"\xabKTX", "a KTX texture", OPEN_MODEL),
    (b"DDS ", "a DDS texture", OPEN_MODEL),
    (b"GIF8", "a GIF picture", OPEN_MODEL),
    (b"RIFF", "a WebP picture, a sound or a video", OPEN_MODEL),
    (b"\xff\xfe", "UTF-16 text", SAVE_AS_UTF8),
    (b"\xfe\xff", "UTF-16 text", SAVE_AS_UTF8),
    (b"{\0", "UTF-16 text", SAVE_AS_UTF8),
];
/// A word in the first `TEXT_SEARCH_BYTES` of a text file, its format, and advice. The first match wins. Case is ignored.
const WORDS: [(&[u8], &str, &str); 6] = [
    // Web pages come first, because they may contain any of the other words.
    (b"<!doctype html", "a web page (HTML)", FETCH_FILE),
    (b"<html", "a web page (HTML)", FETCH_FILE),
    (b"FBXHeaderExtension:", "an FBX file (text)", CONVERT),
    (b"<COLLADA", "a COLLADA file (.dae)", CONVERT),
    (b"<X3D", "an X3D file", CONVERT),
    (b"<svg", "an SVG picture", OPEN_MODEL),
];
/// Length of the beginning of a file that is searched for words, in bytes.
const TEXT_SEARCH_BYTES: usize = 4096;

/// The error for a file of another known format. `None` if it may be glTF.
pub fn recognize(bytes: &[u8]) -> Option<LoadError> {
    let text = bytes.trim_ascii_start();
    if let Some(&(_, what, advice)) = BEGINNINGS.iter().find(|(beginning, ..)| bytes.starts_with(beginning)) {
        return Some(LoadError::Foreign { what, advice });
    }
    // JSON may contain any word.
    if text.starts_with(b"{") {
        return None;
    }
    let head = &text[..text.len().min(TEXT_SEARCH_BYTES)];
    let has_word = |word: &[u8]| head.windows(word.len()).any(|found| found.eq_ignore_ascii_case(word));
    if let Some(&(_, what, advice)) = WORDS.iter().find(|(word, ..)| has_word(word)) {
        return Some(LoadError::Foreign { what, advice });
    }
    let what = if is_stl(bytes) {
        "an STL file"
    } else if is_obj(text) {
        "an OBJ file"
    } else if text.starts_with(b"<?xml") {
        "an XML file"
    } else {
        return None;
    };
    Some(LoadError::Foreign { what, advice: CONVERT })
}

/// The error for a glTF 1.0 file in JSON.
pub fn gltf_1() -> LoadError {
    LoadError::Foreign { what: "a glTF 1.0 file", advice: UPGRADE }
}

/// The error for a glTF 1.0 file in a GLB.
pub fn glb_1() -> LoadError {
    LoadError::Foreign { what: "a binary glTF 1.0 file", advice: UPGRADE_BINARY }
}

/// Returns whether this is an STL file: text with facets, or 80 arbitrary bytes, a count, and 50 bytes per triangle.
fn is_stl(bytes: &[u8]) -> bool {
    if bytes.starts_with(b"solid") && bytes[..bytes.len().min(TEXT_SEARCH_BYTES)].windows(5).any(|word| word == b"facet") {
        return true;
    }
    let count = bytes.get(80..84).and_then(<[u8]>::first_chunk).map(|count| u64::from(u32::from_le_bytes(*count)));
    count.is_some_and(|count| count > 0 && 84 + count * 50 == bytes.len() as u64)
}

/// Returns whether this is an OBJ file. Its first line after comments looks like `v 0 1 2`, `mtllib` or `o name`.
fn is_obj(bytes: &[u8]) -> bool {
    const WORDS: [&[u8]; 7] = [b"v ", b"vn ", b"vt ", b"o ", b"g ", b"mtllib ", b"usemtl "];
    let mut lines = bytes[..bytes.len().min(TEXT_SEARCH_BYTES)].split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    lines.find(|line| !line.is_empty() && !line.starts_with(b"#")).is_some_and(|line| WORDS.iter().any(|word| line.starts_with(word)))
}

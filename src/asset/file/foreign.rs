//! Recognizes files that are not glTF 2.0 by their content, and tells what to do with them: each format has a piece of advice
//! that completes "this is an FBX file, not glTF 2.0: ...".

use crate::asset::error::LoadError;

// Advice that several formats share.
pub const CONVERT: &str = "convert it, for example with Blender (import it, then File > Export > glTF 2.0)";
const EXPORT: &str = "open it in Blender and choose File > Export > glTF 2.0";
const UNPACK: &str = "unpack it and open the .gltf or .glb inside";
const PICTURE: &str = "open the model that uses it";
const TEXT: &str = "glTF requires UTF-8";
pub const UPGRADE: &str = "convert it to 2.0 with glTF-Pipeline (gltf-pipeline -i old.gltf -o new.gltf)";
const UPGRADE_BINARY: &str = "convert it to 2.0 with glTF-Pipeline (gltf-pipeline -i old.glb -o new.glb)";
const ZSTD_OR_GZIP: &str = "unpack it and open the .gltf or .glb inside; if it is a Blender file saved with compression, open it in Blender and choose File > Export > glTF 2.0";
const PAGE: &str =
    "the download is a web page instead of the model; fetch the file itself (on GitHub: the Raw or Download button, not the file's page)";

/// The first bytes of the file that git leaves in place of a large one.
pub const LFS_POINTER: &[u8] = b"version https://git-lfs.github.com/";

/// First bytes, the format's name, and advice.
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
    (b"newmtl ", "the material list of an OBJ file", "open the model that uses it"),
    (b"\x1f\x8b", "a gzip archive", ZSTD_OR_GZIP),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive", ZSTD_OR_GZIP),
    (b"7z\xbc\xaf", "a 7z archive", UNPACK),
    (b"Rar!", "a RAR archive", UNPACK),
    (LFS_POINTER, "a Git LFS pointer", "the model itself was not fetched: run `git lfs pull` in its folder"),
    (b"/annex/objects/", "a git-annex pointer", "the model itself was not fetched: run `git annex get` in its folder"),
    (b"%PDF", "a PDF document", "open the .gltf or .glb instead"),
    (b"\x89PNG", "a PNG picture", PICTURE),
    (b"\xff\xd8\xff", "a JPEG picture", PICTURE),
    (b"\xabKTX", "a KTX texture", PICTURE),
    (b"DDS ", "a DDS texture", PICTURE),
    (b"GIF8", "a GIF picture", PICTURE),
    (b"RIFF", "a WebP picture, a sound or a video", PICTURE),
    (b"\xff\xfe", "UTF-16 text", TEXT),
    (b"\xfe\xff", "UTF-16 text", TEXT),
    (b"{\0", "UTF-16 text", TEXT),
];
/// Words near the beginning of a text file, the format's name, and advice. The first match wins. Case is ignored.
const WORDS: [(&[u8], &str, &str); 6] = [
    // Web pages first: they contain words of every kind.
    (b"<!doctype html", "a web page (HTML)", PAGE),
    (b"<html", "a web page (HTML)", PAGE),
    (b"FBXHeaderExtension:", "an FBX file (text)", CONVERT),
    (b"<COLLADA", "a COLLADA file (.dae)", CONVERT),
    (b"<X3D", "an X3D file", CONVERT),
    (b"<svg", "an SVG picture", PICTURE),
];
/// How far into a file text is searched, in bytes.
const TEXT_SEARCH_BYTES: usize = 4096;

/// The error for a file of another known format. `None` if it may be glTF.
pub fn recognize(bytes: &[u8]) -> Option<LoadError> {
    let text = bytes.trim_ascii_start();
    let known = BEGINNINGS.iter().find(|(beginning, ..)| bytes.starts_with(beginning));
    // Words are searched only where no beginning matched.
    let known = known.or_else(|| {
        let near = &text[..text.len().min(TEXT_SEARCH_BYTES)];
        // JSON may contain any word.
        let has = |word: &[u8]| near.windows(word.len()).any(|found| found.eq_ignore_ascii_case(word));
        WORDS.iter().find(|(word, ..)| !text.starts_with(b"{") && has(word))
    });
    // Last come formats that have no fixed beginning.
    let known = known.map(|&(_, what, advice)| (what, advice)).or_else(|| match () {
        () if text.starts_with(b"{") => None,
        () if is_stl(bytes) => Some(("an STL file", CONVERT)),
        () if is_obj(text) => Some(("an OBJ file", CONVERT)),
        () if text.starts_with(b"<?xml") => Some(("an XML file", CONVERT)),
        () => None,
    });
    known.map(|(what, advice)| LoadError::Foreign { what, advice })
}

/// The error for a glTF 1.0 file in JSON.
pub fn gltf_1() -> LoadError {
    LoadError::Foreign { what: "a glTF 1.0 file", advice: UPGRADE }
}

/// The error for a glTF 1.0 file in a GLB.
pub fn glb_1() -> LoadError {
    LoadError::Foreign { what: "a binary glTF 1.0 file", advice: UPGRADE_BINARY }
}

/// STL is text of facets, or binary: 80 arbitrary bytes, a count, and 50 bytes per triangle.
fn is_stl(bytes: &[u8]) -> bool {
    if bytes.starts_with(b"solid") && bytes[..bytes.len().min(TEXT_SEARCH_BYTES)].windows(5).any(|word| word == b"facet") {
        return true;
    }
    let count = bytes.get(80..84).and_then(<[u8]>::first_chunk).map(|count| u64::from(u32::from_le_bytes(*count)));
    count.is_some_and(|count| count > 0 && 84 + count * 50 == bytes.len() as u64)
}

/// OBJ is lines such as `v 0 1 2`, `mtllib` or `o name`, possibly after comments.
fn is_obj(bytes: &[u8]) -> bool {
    const WORDS: [&[u8]; 7] = [b"v ", b"vn ", b"vt ", b"o ", b"g ", b"mtllib ", b"usemtl "];
    let mut lines = bytes[..bytes.len().min(TEXT_SEARCH_BYTES)].split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    lines.find(|line| !line.is_empty() && !line.starts_with(b"#")).is_some_and(|line| WORDS.iter().any(|word| line.starts_with(word)))
}

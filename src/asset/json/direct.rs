//! Reads the JSON of a file straight into `gltf::json` types, if it needs no repair. [`super::document`] repairs other files: it parses
//! them to [`serde_json::Value`], which takes several times as much time and memory.

use gltf::json;
use gltf::json::validation::Checked;
use serde::{Deserialize, Deserializer};

use super::extensions;

/// The root of a file. Unlike [`json::Root`], no property may be null.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Root {
    asset: json::Asset,
    #[serde(default, deserialize_with = "not_null")]
    scene: Option<json::Index<json::Scene>>,
    #[serde(default, deserialize_with = "not_null")]
    extensions: Option<json::extensions::root::Root>,
    #[serde(default)]
    extensions_used: Vec<String>,
    #[serde(default)]
    extensions_required: Vec<String>,
    #[serde(default)]
    accessors: Vec<json::Accessor>,
    #[serde(default)]
    animations: Vec<json::Animation>,
    #[serde(default)]
    buffers: Vec<json::Buffer>,
    #[serde(default)]
    buffer_views: Vec<json::buffer::View>,
    #[serde(default)]
    cameras: Vec<json::Camera>,
    #[serde(default)]
    images: Vec<json::Image>,
    #[serde(default)]
    materials: Vec<json::Material>,
    #[serde(default)]
    meshes: Vec<json::Mesh>,
    #[serde(default)]
    nodes: Vec<json::Node>,
    #[serde(default)]
    samplers: Vec<json::texture::Sampler>,
    #[serde(default)]
    scenes: Vec<json::Scene>,
    #[serde(default)]
    skins: Vec<json::Skin>,
    #[serde(default)]
    textures: Vec<json::Texture>,
}

/// Reads a file that needs no repair. `None` if it may need one, or is not valid at all.
pub fn read(bytes: &[u8]) -> Option<json::Root> {
    // The types would cut off indices above 32 bits.
    if has_large_integer(bytes) {
        return None;
    }
    // The parser checks the encoding of the strings that it keeps, but not of the strings that it skips.
    let text = std::str::from_utf8(bytes).ok()?;
    let mut root: Root = serde_json::from_str(text).ok()?;
    // Extensions are looked up by name, so unsupported ones do no harm. Remove them only from materials, where one extension may exclude
    // another.
    for extensions in root.materials.iter_mut().filter_map(|material| material.extensions.as_mut()) {
        extensions.others.retain(|name, _| extensions::is_read(name));
    }
    // A channel without a known path may have an animation pointer, which the types cannot hold.
    let mut channels = root.animations.iter().flat_map(|animation| &animation.channels);
    let has_unknown_path = channels.any(|channel| matches!(channel.target.path, Checked::Invalid));
    if has_unknown_path {
        return None;
    }
    Some(json::Root {
        asset: root.asset,
        scene: root.scene,
        extensions: root.extensions,
        extensions_used: root.extensions_used,
        extensions_required: root.extensions_required,
        accessors: root.accessors,
        animations: root.animations,
        buffers: root.buffers,
        buffer_views: root.buffer_views,
        cameras: root.cameras,
        images: root.images,
        materials: root.materials,
        meshes: root.meshes,
        nodes: root.nodes,
        samplers: root.samplers,
        scenes: root.scenes,
        skins: root.skins,
        textures: root.textures,
        extras: None,
    })
}

/// Reads a property that exists. Without this function, a property with the value null would count as missing.
fn not_null<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// Returns whether any number may be an integer above 32 bits. Digits in a string can be mistaken for such an integer.
fn has_large_integer(bytes: &[u8]) -> bool {
    const DIGITS: usize = 10;
    let is_digit = |byte: &u8| byte.is_ascii_digit();
    // Ten digits in a row cover one of every ten positions, so it is enough to look at every tenth byte.
    (DIGITS - 1..bytes.len()).step_by(DIGITS).filter(|&at| is_digit(&bytes[at])).any(|at| {
        let start = at - bytes[..at].iter().rev().take(DIGITS).take_while(|byte| is_digit(byte)).count();
        let length = bytes[start..].iter().take(DIGITS + 1).take_while(|byte| is_digit(byte)).count();
        // The character before the digits tells whether they are an integer. They are no integer after a point or a letter. After a digit,
        // they are the end of a longer number, which was already checked at an earlier position.
        let before = |at: usize| at.checked_sub(1).map_or(b' ', |before| bytes[before]);
        let number = start - usize::from(before(start) == b'-');
        let is_integer = matches!(before(number), b':' | b'[' | b',' | b' ' | b'\n' | b'\r' | b'\t');
        is_integer && (length > DIGITS || length == DIGITS && bytes[start..start + length] > b"4294967295"[..])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_above_32_bits_are_found_wherever_they_lie() {
        for shift in 0..10 {
            let spaces = " ".repeat(shift);
            for (number, is_large) in [("4294967295", false), ("4294967296", true), ("42949672950", true), ("999999999", false)] {
                let text = format!("{{{spaces}\"mesh\":{number}}}");
                assert_eq!(has_large_integer(text.as_bytes()), is_large, "{text}");
            }
            for text in ["0.12345678901", "1e-12345678901", "\"id_12345678901\""] {
                assert!(!has_large_integer(format!("[{spaces}{text}]").as_bytes()), "{text}");
            }
        }
    }

    #[test]
    fn files_that_need_a_repair_are_refused() {
        let valid = r#"{"asset":{"version":"2.0"},"nodes":[{"mesh":0}],"scene":0}"#;
        assert!(read(valid.as_bytes()).is_some());
        for (what, by) in [
            ("\"scene\":0", "\"scene\":null"),
            ("\"mesh\":0", "\"mesh\":4294967296"),
            ("\"mesh\":0", "\"name\":7"),
            ("\"scene\":0", "\"scenes\":[{}]"),
            (
                "\"scene\":0",
                "\"animations\":[{\"samplers\":[],\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"pointer\"}}]}]",
            ),
        ] {
            assert!(read(valid.replace(what, by).as_bytes()).is_none(), "{by}");
        }
        let text = valid.replace("\"scene\":0", "\"extras\":\"?\"");
        assert!(read(text.as_bytes()).is_some());
        let invalid: Vec<u8> = text.bytes().map(|byte| if byte == b'?' { 0xff } else { byte }).collect();
        assert!(read(&invalid).is_none(), "a text that is not UTF-8");
    }
}

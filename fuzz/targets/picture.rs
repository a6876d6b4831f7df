//! Decodes an image of any kind (PNG, JPEG, WebP, KTX2), embedded in a GLB.
#![no_main]

use floors::asset::{self, image};
use floors::codec::texels::{BlockFormats, DecodeOptions};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(loaded) = asset::load_bytes(glb_with_image(bytes), "fuzz.glb") else { return };
    for source in &loaded.images {
        let none = BlockFormats::default();
        for blocks in [none, BlockFormats { bc: true, ..none }, BlockFormats { etc2: true, ..none }, BlockFormats { astc: true, ..none }] {
            for max_size in [u32::MAX, 1] {
                let _ = image::decode(source, &DecodeOptions { blocks, max_size, ..DecodeOptions::default() });
            }
        }
    }
});

/// Wraps the bytes of an image in a GLB.
fn glb_with_image(bytes: &[u8]) -> Vec<u8> {
    let length = bytes.len();
    let mut json = format!(
        r#"{{"asset":{{"version":"2.0"}},"buffers":[{{"byteLength":{length}}}],"bufferViews":[{{"buffer":0,"byteLength":{length}}}],"images":[{{"bufferView":0,"mimeType":"image/png"}}]}}"#
    );
    while json.len() % 4 != 0 {
        json.push(' ');
    }
    let chunk = length.next_multiple_of(4);
    let mut glb = Vec::with_capacity(28 + json.len() + chunk);
    glb.extend(b"glTF");
    glb.extend([2, 28 + json.len() as u32 + chunk as u32].map(u32::to_le_bytes).concat());
    glb.extend((json.len() as u32).to_le_bytes());
    glb.extend(b"JSON");
    glb.extend(json.as_bytes());
    glb.extend((chunk as u32).to_le_bytes());
    glb.extend(b"BIN\0");
    glb.extend(bytes);
    glb.resize(glb.len() + chunk - length, 0);
    glb
}

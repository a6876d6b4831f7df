//! A whole file (.glb, .gltf without files beside it, .zip): checked, read, and its first animation compiled.
#![no_main]

use floors::animation::compiled::model::CompiledModel;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    floors::asset::check::bytes(bytes.to_vec());
    if let Ok(loaded) = floors::asset::load_bytes(bytes.to_vec(), "fuzz.glb") {
        let prepared = CompiledModel::new(&loaded.model);
        if !loaded.model.animations.is_empty() {
            prepared.rows(&loaded.model, 0);
        }
    }
});

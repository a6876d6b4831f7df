//! Validates and loads a whole file (.glb, .gltf without external files, .zip), and compiles its first animation.
#![no_main]

use floors::animation::compiled::model::CompiledModel;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    floors::validate::bytes(bytes.to_vec());
    if let Ok(loaded) = floors::asset::load_bytes(bytes.to_vec(), "fuzz.glb") {
        let compiled = CompiledModel::new(&loaded.model);
        if !loaded.model.animations.is_empty() {
            compiled.animation(&loaded.model, 0);
        }
    }
});

//! Decodes a Draco stream.
#![no_main]

use floors::codec::draco;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = draco::decode(bytes, &mut draco::Budget::for_bytes(bytes.len() as u64));
});

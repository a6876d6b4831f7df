//! Generates the embedded studio environment: `cargo run --example make_studio` writes `assets/studio/studio.bin`, the same bytes
//! every time.
//!
//! `src/render/environment/studio_map.rs` describes the file, `src/render/light/studio.rs` the look of the studio.

use sinew::render::environment::studio_map;

fn main() -> std::io::Result<()> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/studio/studio.bin");
    let bytes = studio_map::compress(&studio_map::build())?;
    std::fs::write(path, &bytes)?;
    println!("{path}: {} bytes", bytes.len());
    Ok(())
}

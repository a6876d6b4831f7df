//! Generates the sample model: `cargo run --example make_sample` writes `assets/sample/sample.glb`, the same bytes every time.
//!
//! README.md in this folder describes the model; module `ripple` generates it.

mod ripple;

fn main() -> std::io::Result<()> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/sample/sample.glb");
    let path = std::env::args().nth(1).unwrap_or_else(|| path.to_owned());
    let bytes = ripple::glb();
    std::fs::write(&path, &bytes)?;
    println!("{path}: {} bytes", bytes.len());
    Ok(())
}

//! Compresses the sample model and the fonts, which are embedded in the program. On Windows, also gives the executable its icon, version
//! and manifest.

use std::io::{self, Write};
use std::path::PathBuf;

use flate2::Compression;
use flate2::write::ZlibEncoder;

/// The files that are embedded in the program and shrink when they are compressed.
const EMBEDDED: [&str; 5] = [
    "assets/fonts/Inter-Regular.otf",
    "assets/fonts/Inter-SemiBold.otf",
    "assets/fonts/JetBrainsMono-Regular.ttf",
    "assets/fonts/Lucide.ttf",
    "assets/sample/sample.glb",
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    for asset in EMBEDDED {
        compress(asset).unwrap_or_else(|error| panic!("cannot compress {asset}: {error}"));
    }
    if std::env::var_os("CARGO_CFG_WINDOWS").is_none() {
        return;
    }
    #[cfg(windows)]
    resources::embed().expect("cannot embed icon, version and manifest");
    #[cfg(not(windows))]
    println!("cargo::warning=the executable gets no icon, version and manifest, because it is not built on Windows");
}

/// Returns a path in the folder for generated files.
fn generated(name: &str) -> io::Result<PathBuf> {
    Ok(PathBuf::from(std::env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?).join(name))
}

/// Writes a compressed file, about half as large as the original. Its name ends with `.zlib`.
fn compress(asset: &str) -> io::Result<()> {
    println!("cargo::rerun-if-changed={asset}");
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&std::fs::read(asset)?)?;
    let name = asset.rsplit('/').next().unwrap_or(asset);
    std::fs::write(generated(&format!("{name}.zlib"))?, encoder.finish()?)
}

#[cfg(windows)]
mod resources {
    use std::io;
    use std::path::Path;

    use super::generated;

    /// Edge lengths of the icon's pictures, in pixels.
    const SIZES: [u32; 6] = [16, 24, 32, 48, 64, 256];
    const MANIFEST: &str = "assets/package/sinew.manifest";

    /// Compiles the resources and links them to the program.
    pub fn embed() -> io::Result<()> {
        println!("cargo::rerun-if-changed={MANIFEST}");
        let icon = generated("sinew.ico")?;
        std::fs::write(&icon, icon_bytes()?)?;
        let mut resources = winresource::WindowsResource::new();
        resources
            .set_icon(&icon.to_string_lossy())
            .set_manifest_file(MANIFEST)
            .set("ProductName", "Sinew")
            // Windows shows this text as the program's name, in Task Manager and in the dialog that asks which program opens a file.
            .set("FileDescription", "Sinew")
            .set("OriginalFilename", "sinew.exe")
            .set("LegalCopyright", "The Sinew developers. MIT or Apache-2.0");
        resources.compile_for("sinew")
    }

    /// An `.ico` of the PNG pictures: a header, an entry per picture, then the pictures as they are.
    fn icon_bytes() -> io::Result<Vec<u8>> {
        let mut pictures = Vec::new();
        for size in SIZES {
            let path = format!("assets/icon-{size}.png");
            println!("cargo::rerun-if-changed={path}");
            pictures.push((size, std::fs::read(Path::new(&path))?));
        }
        // Reserved, kind 1 (icon), number of pictures.
        let mut bytes: Vec<u8> = [0u16, 1, SIZES.len() as u16].iter().flat_map(|word| word.to_le_bytes()).collect();
        let mut offset = (6 + 16 * SIZES.len()) as u32;
        for (size, picture) in &pictures {
            // 256 is written as 0.
            let edge = *size as u8;
            bytes.extend([edge, edge, 0, 0]);
            // One plane, 32 bits per pixel.
            bytes.extend([1, 0, 32, 0]);
            bytes.extend((picture.len() as u32).to_le_bytes());
            bytes.extend(offset.to_le_bytes());
            offset += picture.len() as u32;
        }
        bytes.extend(pictures.into_iter().flat_map(|(_, picture)| picture));
        Ok(bytes)
    }
}

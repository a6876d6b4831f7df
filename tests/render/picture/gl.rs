//! Tests that GL draws the same picture as Vulkan: within 1/255 on average, and within 8/255 for 99.9 % of the pixels.

use std::path::{Path, PathBuf};
use std::process::Command;

use base64::Engine;
use image::{ImageFormat, Rgba, RgbaImage};

use crate::common::skip::{skip, skip_outside_ci};

/// Returns the picture of a backend, or `None`, with a message, if the machine has no such backend.
fn drawn(file: &Path, folder: &Path, backend: &str, flags: &[&str]) -> Option<RgbaImage> {
    let output = folder.join(format!("{backend}.png"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
    command.arg("render").arg(file).arg("-o").arg(&output).args(["--size", "320x240"]).args(flags).env("WGPU_BACKEND", backend);
    let done = command.output().unwrap();
    let said = String::from_utf8_lossy(&done.stderr);
    if said.contains("no graphics adapter found") {
        skip_outside_ci(&format!("no adapter for {backend}: {said}"));
        return None;
    }
    if said.contains("cannot read storage buffers") {
        skip_outside_ci(&format!("this driver has too old a version of OpenGL: {said}"));
        return None;
    }
    assert!(done.status.success(), "{backend}: {said}");
    assert!(!said.contains("graphics:"), "{backend}: {said}");
    Some(image::open(output).unwrap().into_rgba8())
}

fn assert_same(file: &Path, msaa: &str) {
    assert_same_with(file, &["--msaa", msaa]);
}

fn assert_same_with(file: &Path, flags: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let draw = |backend| drawn(file, folder.path(), backend, flags);
    let (Some(vulkan), Some(gl)) = (draw("vulkan"), draw("gl")) else { return };
    let off = |a: &Rgba<u8>, b: &Rgba<u8>| a.0.iter().zip(b.0).map(|(a, b)| a.abs_diff(b)).max().unwrap_or(0);
    let differences: Vec<u8> = vulkan.pixels().zip(gl.pixels()).map(|(a, b)| off(a, b)).collect();
    let mean = differences.iter().map(|&by| f64::from(by)).sum::<f64>() / differences.len() as f64;
    let far = differences.iter().filter(|&&by| by > 8).count();
    println!("{} with {flags:?}: mean {mean:.4}, {far} of {} pixels off by more than 8", file.display(), differences.len());
    assert!(mean < 1.0, "{}: {mean} on average", file.display());
    assert!(far * 1000 <= differences.len(), "{}: {far} of {} pixels", file.display(), differences.len());
    let background = vulkan.get_pixel(0, 0);
    assert!(vulkan.pixels().filter(|pixel| *pixel != background).count() > 2000, "the picture shows too little");
}

/// Writes a model of three boards, one behind the other. The alpha of their texture is a soft disc.
fn boards(alpha: &str, folder: &Path) -> PathBuf {
    let disc = RgbaImage::from_fn(64, 64, |x, y| {
        let from_middle = ((x as f32 - 31.5).hypot(y as f32 - 31.5) / 32.0).min(1.0);
        Rgba([255, (x * 4) as u8, (y * 4) as u8, ((1.0 - from_middle) * 255.0) as u8])
    });
    let mut png = std::io::Cursor::new(Vec::new());
    disc.write_to(&mut png, ImageFormat::Png).unwrap();
    let uri = |kind: &str, bytes: &[u8]| format!("data:{kind};base64,{}", base64::engine::general_purpose::STANDARD.encode(bytes));
    let floats: [f32; 20] = [-1., -1., 0., 1., -1., 0., 1., 1., 0., -1., 1., 0., 0., 1., 1., 1., 1., 0., 0., 0.];
    let mut bytes: Vec<u8> = floats.iter().flat_map(|value| value.to_le_bytes()).collect();
    bytes.extend([0u16, 1, 2, 0, 2, 3].iter().flat_map(|index| index.to_le_bytes()));
    let text = format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0,1,2]}}],
"nodes":[{{"mesh":0}},{{"mesh":0,"translation":[0.5,0.3,-1]}},{{"mesh":0,"translation":[-0.6,0.2,-2],"rotation":[0,0.3826834,0,0.9238795]}}],
"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0,"TEXCOORD_0":1}},"indices":2,"material":0}}]}}],
"materials":[{{"doubleSided":true,{alpha},"pbrMetallicRoughness":{{"baseColorTexture":{{"index":0}},"metallicFactor":0}}}}],
"textures":[{{"source":0}}],"images":[{{"uri":"{}"}}],
"accessors":[{{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3","min":[-1,-1,0],"max":[1,1,0]}},
{{"bufferView":1,"componentType":5126,"count":4,"type":"VEC2"}},{{"bufferView":2,"componentType":5123,"count":6,"type":"SCALAR"}}],
"bufferViews":[{{"buffer":0,"byteLength":48}},{{"buffer":0,"byteOffset":48,"byteLength":32}},{{"buffer":0,"byteOffset":80,"byteLength":12}}],
"buffers":[{{"byteLength":{},"uri":"{}"}}]}}"#,
        uri("image/png", png.get_ref()),
        bytes.len(),
        uri("application/octet-stream", &bytes),
    );
    let file = folder.join("boards.gltf");
    std::fs::write(&file, text).unwrap();
    file
}

#[test]
fn the_sample_model_is_the_same_on_gl() {
    assert_same(&Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/sample/sample.glb"), "4");
}

#[test]
fn weights_are_the_same_on_gl() {
    assert_same_with(&Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/sample/sample.glb"), &["--overlay", "weights"]);
}

#[test]
fn trails_and_ghosts_are_the_same_on_gl() {
    let over = ["--overlay", "trail,ghosts", "--select", "5,3", "--animation", "0", "--time", "0.4"];
    assert_same_with(&Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/sample/sample.glb"), &over);
}

#[test]
fn a_masked_surface_is_the_same_on_gl() {
    let folder = tempfile::tempdir().unwrap();
    let file = boards(r#""alphaMode":"MASK","alphaCutoff":0.4"#, folder.path());
    assert_same(&file, "1");
    assert_same(&file, "4");
}

#[test]
fn a_blended_surface_is_the_same_on_gl() {
    let folder = tempfile::tempdir().unwrap();
    assert_same(&boards(r#""alphaMode":"BLEND""#, folder.path()), "4");
}

#[test]
fn the_fox_is_the_same_on_gl() {
    let Some(folder) = std::env::var_os("SINEW_SAMPLES") else {
        skip("SINEW_SAMPLES names no folder of sample models");
        return;
    };
    assert_same(&Path::new(&folder).join("models/Fox/Fox.glb"), "4");
}

//! Tests that the memory of a clip does not depend on its length. Needs /proc of Linux. Only a software rasterizer can fail the test: its
//! driver compiles shaders in the memory of the process.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::json;

use super::clip_process::drew;
use super::common::gltf_builder::Gltf;

/// Largest difference between the memory of a long and a short clip, in KiB.
const MAX_GROWTH: u64 = 50_000;

/// Builds eight square panes of glass of different thickness, one above the other.
fn panes() -> Gltf {
    let mut gltf = Gltf::new();
    let mut nodes = Vec::new();
    for number in 0..8u8 {
        let y = f32::from(number);
        let positions = gltf.floats("VEC3", &[0.0, y, 0.0, 1.0, y, 0.0, 0.0, y + 0.9, 0.0, 1.0, y + 0.9, 0.0]);
        let normals = gltf.floats("VEC3", &[0.0, 0.0, 1.0].repeat(4));
        let indices = gltf.u16s("SCALAR", &[0, 1, 2, 2, 1, 3]);
        let material = gltf.push(
            "materials",
            json!({
                "pbrMetallicRoughness": { "metallicFactor": 0.0, "roughnessFactor": 0.0 },
                "extensions": {
                    "KHR_materials_transmission": { "transmissionFactor": 1.0 },
                    "KHR_materials_volume": { "thicknessFactor": 0.25 * (y + 1.0), "attenuationDistance": 1.0 },
                },
            }),
        );
        let attributes = json!({ "POSITION": positions, "NORMAL": normals });
        nodes.push(gltf.mesh_node(json!({ "attributes": attributes, "indices": indices, "material": material })));
    }
    gltf.push("scenes", json!({ "nodes": nodes }));
    gltf
}

/// Returns the largest resident memory of a process until now, in KiB. `None` if it has ended.
fn peak_memory(process: &Child) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", process.id())).ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok())
}

/// Draws a turntable of this many frames, and returns the peak memory of the process in KiB. `None` if there is no adapter.
fn memory_of_turntable(frames: u32) -> Option<u64> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("panes.glb"), panes().to_glb()).unwrap();
    let seconds = (f64::from(frames) / 20.0).to_string();
    let mut process = Command::new(env!("CARGO_BIN_EXE_sinew"))
        .args(["render", "panes.glb", "-o", "%04d.png", "--size", "96x72", "--overlay", "shadow", "--fps", "20", "--turntable", &seconds])
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut peak = 0;
    while process.try_wait().unwrap().is_none() {
        peak = peak.max(peak_memory(&process).unwrap_or(0));
        std::thread::sleep(Duration::from_millis(5));
    }
    let is_drawn = drew(&process.wait_with_output().unwrap());
    is_drawn.then(|| {
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), frames as usize + 1, "one picture per frame, and the model");
        peak
    })
}

#[test]
fn the_length_of_a_clip_does_not_change_its_memory() {
    // lavapipe compiles a shader again for each draw if a branch or loop depends only on uniforms, and does not free the old code.
    let (Some(short), Some(long)) = (memory_of_turntable(4), memory_of_turntable(64)) else { return };
    assert!(long < short + MAX_GROWTH, "4 frames: {short} KiB, 64 frames: {long} KiB");
}

//! Tests that commands refuse small files and arguments that ask for an unreasonable amount of memory, and say what is at fault.

use std::path::Path;

use assert_cmd::Command;
use serde_json::{Value, json};

use crate::common::gltf_builder::{Gltf, triangle};
#[cfg(target_os = "linux")]
use crate::common::skip::skip_outside_ci;

fn sinew(arguments: &[&str]) -> assert_cmd::assert::Assert {
    Command::new(env!("CARGO_BIN_EXE_sinew")).args(arguments).assert()
}

/// Runs the program with at most this much address space, in MiB.
#[cfg(target_os = "linux")]
fn sinew_within(mib: usize, arguments: &[&str]) -> assert_cmd::assert::Assert {
    let limited = format!("ulimit -v {} && exec \"$@\"", mib << 10);
    Command::new("sh").args(["-c", &limited, "sh", env!("CARGO_BIN_EXE_sinew")]).args(arguments).assert()
}

fn stderr(assert: &assert_cmd::assert::Assert) -> String {
    String::from_utf8_lossy(&assert.get_output().stderr).into_owned()
}

fn write(folder: &Path, gltf: &Gltf) -> String {
    let path = folder.join("file.glb");
    std::fs::write(&path, gltf.to_glb()).unwrap();
    path.display().to_string()
}

/// A file of 24 nodes that show the same million vertices, which take no bytes in the file.
fn many_vertices() -> Gltf {
    let mut gltf = Gltf::new();
    let positions = gltf.push("accessors", json!({ "componentType": 5126, "type": "VEC3", "count": 999_999 }));
    gltf.push("meshes", json!({ "primitives": [{ "attributes": { "POSITION": positions } }] }));
    (0..24).for_each(|_| _ = gltf.push("nodes", json!({ "mesh": 0 })));
    gltf.push("scenes", json!({ "nodes": (0..24).collect::<Vec<_>>() }));
    gltf
}

#[test]
fn a_thumbnail_refuses_a_file_of_few_bytes_that_draws_too_many_vertices() {
    let folder = tempfile::tempdir().unwrap();
    let mut gltf = many_vertices();
    (24..31).for_each(|_| _ = gltf.push("nodes", json!({ "mesh": 0 })));
    let file = write(folder.path(), &gltf);
    let picture = folder.path().join("picture.png");
    let refused = sinew(&["thumbnail", &file, &picture.display().to_string()]).code(1);
    let said = stderr(&refused);
    assert!(said.contains("the model draws 30,999,969 vertices; at most 30,000,000 are drawn in a thumbnail"), "{said}");
    assert!(!picture.exists());
}

#[test]
fn a_thumbnail_refuses_materials_that_need_too_many_shaders() {
    let folder = tempfile::tempdir().unwrap();
    let mut gltf = triangle();
    let layers = [
        ("KHR_materials_clearcoat", json!({ "clearcoatFactor": 1 })),
        ("KHR_materials_sheen", json!({ "sheenColorFactor": [1, 1, 1] })),
        ("KHR_materials_iridescence", json!({ "iridescenceFactor": 1 })),
        ("KHR_materials_anisotropy", json!({ "anisotropyStrength": 1 })),
        ("KHR_materials_transmission", json!({ "transmissionFactor": 1 })),
        ("KHR_materials_diffuse_transmission", json!({ "diffuseTransmissionFactor": 1 })),
    ];
    for combination in 0..1 << layers.len() {
        let chosen = layers.iter().enumerate().filter(|(bit, _)| combination >> bit & 1 == 1);
        let extensions: Value =
            chosen.map(|(_, (name, layer))| ((*name).to_owned(), layer.clone())).collect::<serde_json::Map<_, _>>().into();
        gltf.push("materials", json!({ "extensions": extensions, "doubleSided": true }));
    }
    let picture = folder.path().join("picture.png").display().to_string();
    // The default material, which is not double-sided, is the 65th one.
    let refused = sinew(&["thumbnail", &write(folder.path(), &gltf), &picture]).code(1);
    let said = stderr(&refused);
    assert!(said.contains("the materials need 65 shaders; at most 64 are compiled for a thumbnail"), "{said}");
    gltf.json["materials"].as_array_mut().unwrap().pop();
    sinew(&["thumbnail", &write(folder.path(), &gltf), &picture]).success();
}

#[test]
fn pose_refuses_to_print_too_many_vertices_and_says_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), &many_vertices());
    let refused = sinew(&["pose", &file, "--vertices", "all"]).code(1);
    let said = stderr(&refused);
    assert!(said.contains(&file) && said.contains("23,999,976") && said.contains("--vertices 0,1,2"), "{said}");
    assert!(refused.get_output().stdout.is_empty());
    let output = sinew(&["pose", &file, "--vertices", "0,999998"]).success().get_output().stdout.clone();
    let pose: Value = serde_json::from_slice(&output).unwrap();
    assert_eq!(pose["samples"][0]["primitives"].as_array().unwrap().len(), 24);
}

#[test]
fn pose_prints_the_vertices_of_each_instance_and_counts_them_in_its_limit() {
    let folder = tempfile::tempdir().unwrap();
    let with_instances = |offsets: &[f32]| {
        let mut gltf = triangle();
        let attributes = json!({ "TRANSLATION": gltf.floats("VEC3", offsets) });
        gltf.json["extensionsUsed"] = json!(["EXT_mesh_gpu_instancing"]);
        gltf.json["nodes"][0]["scale"] = json!([2, 2, 2]);
        gltf.json["nodes"][0]["extensions"] = json!({ "EXT_mesh_gpu_instancing": { "attributes": attributes } });
        write(folder.path(), &gltf)
    };
    let positions = |file: &str| {
        let output = sinew(&["pose", file, "--vertices", "all"]).success().get_output().stdout.clone();
        let primitives = serde_json::from_slice::<Value>(&output).unwrap()["samples"][0]["primitives"].clone();
        let primitives = primitives.as_array().unwrap().iter();
        primitives.map(|primitive| (primitive["instance"].clone(), primitive["positions"].clone())).collect::<Vec<_>>()
    };
    let plain = positions(&write(folder.path(), &triangle()));
    assert_eq!((plain.len(), &plain[0].0), (1, &Value::Null));
    let points = |scale: f64, offset: [f64; 3]| -> Value {
        let moved = |point: &Value| (0..3).map(|axis| scale * (point[axis].as_f64().unwrap() + offset[axis])).collect::<Vec<_>>();
        plain[0].1.as_array().unwrap().iter().map(moved).collect::<Vec<_>>().into()
    };
    let found = positions(&with_instances(&[0.5, 2.0, 3.0, 0.0, 0.0, -1.0]));
    assert_eq!(found, [(json!(0), points(2.0, [0.5, 2.0, 3.0])), (json!(1), points(2.0, [0.0, 0.0, -1.0]))]);

    // 24 nodes draw 50 of the vertices 20,000 times each.
    let mut gltf = many_vertices();
    let attributes = json!({ "TRANSLATION": gltf.floats("VEC3", &[0.0; 60_000]) });
    gltf.json["extensionsUsed"] = json!(["EXT_mesh_gpu_instancing"]);
    for node in gltf.json["nodes"].as_array_mut().unwrap() {
        node["extensions"] = json!({ "EXT_mesh_gpu_instancing": { "attributes": attributes } });
    }
    let vertices = (0..50).map(|vertex| vertex.to_string()).collect::<Vec<_>>().join(",");
    let said = stderr(&sinew(&["pose", &write(folder.path(), &gltf), "--vertices", &vertices]).code(1));
    assert!(said.contains("asks for 24,000,000 positions"), "{said}");
}

#[test]
fn pose_prints_a_note_about_vertices_that_no_primitive_has() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), &triangle());
    for (vertices, note) in [
        ("0,99999", "note: vertex 99999 does not exist: the largest primitive has 3 vertices\n"),
        ("3, 4", "note: vertices 3, 4 do not exist: the largest primitive has 3 vertices\n"),
        ("0,1,2", ""),
        ("all", ""),
    ] {
        let posed = sinew(&["pose", &file, "--vertices", vertices]).success();
        assert_eq!(stderr(&posed), note, "{vertices}");
        serde_json::from_slice::<Value>(&posed.get_output().stdout).unwrap();
    }
    let file = write(folder.path(), &{
        let mut gltf = Gltf::new();
        gltf.push("nodes", json!({}));
        gltf
    });
    assert_eq!(stderr(&sinew(&["pose", &file, "--vertices", "7"]).success()), "note: vertex 7 does not exist: the file has no vertices\n");
}

#[test]
fn pose_accepts_spaces_in_lists() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), &triangle());
    let output = sinew(&["pose", &file, "--times", "0, 0.5 ,1"]).success().get_output().stdout.clone();
    let pose: Value = serde_json::from_slice(&output).unwrap();
    let times: Vec<_> = pose["samples"].as_array().unwrap().iter().map(|sample| sample["time"].as_f64().unwrap()).collect();
    assert_eq!(times, [0.0, 0.5, 1.0]);
    sinew(&["pose", &file, "--times", "0, ,1"]).code(2);
}

#[test]
fn a_view_file_that_is_too_large_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), &triangle());
    let state = folder.path().join("view.json");
    // Spaces are valid JSON, so only the size is at fault.
    for (bytes, code) in [(16 << 20, 0), ((16 << 20) + 1, 1)] {
        let mut view = b"{}".to_vec();
        view.resize(bytes, b' ');
        std::fs::write(&state, view).unwrap();
        let said = stderr(&sinew(&["pose", &file, "--state", state.to_str().unwrap()]).code(code));
        assert_eq!(said.contains("more than 16 MiB"), code == 1, "{said}");
    }
    #[cfg(unix)]
    assert!(stderr(&sinew(&["pose", &file, "--state", "/dev/zero"]).code(1)).contains("the view file /dev/zero has more than"));
}

#[test]
fn a_view_file_with_too_many_layers_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), &triangle());
    let state = folder.path().join("view.json");
    // The file has no animation, so that a view with fewer layers fails later.
    let refused = ": layers: more than 10,000 layers\n";
    for (layers, expected) in [(10_000, "layer 0: no animation 0"), (10_001, refused), (10_002, refused)] {
        std::fs::write(&state, json!({ "layers": vec![json!({}); layers] }).to_string()).unwrap();
        let said = stderr(&sinew(&["pose", &file, "--state", state.to_str().unwrap()]).code(1));
        assert!(said.contains(expected), "{layers}: {said}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_view_file_of_many_short_entries_takes_little_memory() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), &triangle());
    let state = folder.path().join("view.json");
    let entries = |entry: &dyn Fn(usize) -> String| (0..200_000).map(entry).collect::<Vec<_>>().join(",");
    for (view, expected) in [
        (format!("{{\"switches\":{{{}}}}}", entries(&|node| format!("\"{node}\":{{}}"))), "switches: no node 1; the file has 1"),
        (format!("{{\"layer\":[{}]}}", entries(&|_| "[[[[]]]]".into())), "note: "),
    ] {
        std::fs::write(&state, view).unwrap();
        let run = sinew_within(256, &["pose", &file, "--state", state.to_str().unwrap()]);
        assert!(stderr(&run).contains(expected), "{}", stderr(&run));
    }
}

/// The sheet, and the two halves with the picture that joins them, need more memory than there is.
#[test]
#[cfg(target_os = "linux")]
fn a_sheet_or_a_comparison_that_does_not_fit_into_memory_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let (file, out) = (write(folder.path(), &triangle()), folder.path().join("out.png"));
    for (mib, flags) in [(1000, &["--sheet", "2x2"][..]), (2000, &["--compare", &file, "--compare-view", "side"])] {
        let render = ["render", &file, "--size", "16384x16384", "--msaa", "1", "-o", out.to_str().unwrap()];
        let run = sinew_within(mib, &[&render, flags].concat());
        let said = stderr(&run);
        if said.contains("no graphics adapter") {
            return skip_outside_ci("no graphics adapter");
        }
        run.code(1);
        assert!(said.contains("error: not enough memory for a picture of 16384 x 16384 pixels"), "{flags:?}: {said}");
        assert!(!out.exists());
    }
}

/// The targets of a frame of this size need several gigabytes.
#[test]
#[cfg(target_os = "linux")]
fn bench_prints_no_times_of_frames_that_are_not_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), &triangle());
    let run = sinew_within(2000, &["bench", &file, "--size", "16384x16384", "--frames", "1"]);
    if stderr(&run).contains("only the CPU is measured") {
        return skip_outside_ci("no graphics adapter");
    }
    let said = stderr(&run.code(1).stdout(""));
    assert!(said.starts_with("error: ") && said.contains("could not draw a frame"), "{said}");
}

#[test]
fn a_primitive_without_indices_that_exceeds_the_memory_limit_names_its_positions() {
    let folder = tempfile::tempdir().unwrap();
    let mut gltf = many_vertices();
    // Accessor 0 has no part in the fault.
    gltf.json["accessors"].as_array_mut().unwrap().insert(0, json!({ "componentType": 5126, "type": "SCALAR", "count": 1 }));
    // Primitives share their vertices but not their indices.
    gltf.json["meshes"][0]["primitives"] = json!(vec![json!({ "attributes": { "POSITION": 1 } }); 100]);
    let said = stderr(&sinew(&["inspect", &write(folder.path(), &gltf)]).code(1));
    assert!(said.contains("mesh 0, primitive ") && said.contains(": POSITION accessor 1 exceeds the memory limit"), "{said}");
}

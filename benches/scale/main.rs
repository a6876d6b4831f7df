//! Measures how the cost per item grows with the size of a scene. `cargo bench --bench scale` prints a table for each family of generated
//! scenes. `cargo bench --bench scale -- nodes crowd` prints only the tables of families whose names contain one of these words. Numbers
//! select sizes: `-- nodes 1000`.
//!
//! Each row is measured in a separate process, with the heaps of the window. Every cell shows the cost per item, then its ratio to the cost
//! in the first row. docs/benchmarks.md explains the columns. `-- write nodes 1000 FILE` writes a scene, for profilers and other programs.
#![allow(clippy::unwrap_used)] // a measurement that fails may panic

#[path = "../../tests/common/gltf_builder.rs"]
mod gltf_builder;
mod measure;
#[path = "../common/panels.rs"]
mod panels;
mod scenes;
#[path = "../common/thread_time.rs"]
mod thread_time;

use std::path::{Path, PathBuf};
use std::process::Command;

use gltf_builder::Gltf;
use measure::{COLUMNS, Column};
use sinew::app::memory;

/// Scenes of one kind that differ in size.
struct Family {
    name: &'static str,
    /// The item that the size counts.
    item: &'static str,
    sizes: &'static [usize],
    scene: fn(usize) -> Gltf,
}

const FAMILIES: [Family; 7] = [
    Family { name: "nodes", item: "animated node", sizes: &[1000, 10_000, 50_000, 100_000], scene: scenes::nodes },
    Family { name: "building", item: "static mesh", sizes: &[500, 5000], scene: scenes::building },
    Family { name: "crowd", item: "skinned character", sizes: &[20, 200], scene: scenes::crowd },
    Family { name: "triangles", item: "triangle of one mesh", sizes: &[100_000, 1_000_000, 10_000_000], scene: scenes::triangles },
    Family { name: "capture", item: "minute of 100 joints at 120 Hz", sizes: &[3, 30], scene: scenes::capture },
    Family { name: "animations", item: "animation of 30 joints", sizes: &[50, 500], scene: scenes::animations },
    Family { name: "face", item: "morph target of 50,000 vertices", sizes: &[30, 300], scene: scenes::face },
];

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let parts: Vec<&str> = words.iter().map(String::as_str).collect();
    match parts[..] {
        ["measure", file] => {
            memory::set_up_heaps(&memory::WINDOW);
            println!("{}", measure::measure(Path::new(file)).map(|value| value.to_string()).join(" "));
        }
        ["write", name, size, file] => {
            let family = FAMILIES.iter().find(|family| family.name == name).unwrap();
            std::fs::write(file, (family.scene)(size.parse().unwrap()).to_glb()).unwrap();
        }
        _ => {
            let sizes: Vec<usize> = parts.iter().filter_map(|word| word.parse().ok()).collect();
            let names: Vec<&str> = parts.iter().copied().filter(|word| word.parse::<usize>().is_err()).collect();
            for family in FAMILIES.iter().filter(|family| names.is_empty() || names.iter().any(|name| family.name.contains(name))) {
                print_table(family, &sizes);
            }
        }
    }
}

/// Measures the scenes of a family and prints a row for each size. If `wanted` is not empty, only the sizes in it are measured.
fn print_table(family: &Family, wanted: &[usize]) {
    println!("\n{}, per {}", family.name, family.item);
    print!("{:>10}", "items");
    COLUMNS.iter().for_each(|column| print!("{:>20}", column.name));
    println!();
    let mut first = None;
    for &size in family.sizes.iter().filter(|size| wanted.is_empty() || wanted.contains(size)) {
        let row = measured_row(family, size);
        let first = *first.get_or_insert(row);
        print!("{size:>10}");
        for (column, (value, first)) in COLUMNS.iter().zip(row.iter().zip(first)) {
            print!("{:>20}", cell(column, *value, value / first));
        }
        println!();
    }
}

/// Measures a scene in a separate process. Returns the cost per item for each column, in the unit of the column.
fn measured_row(family: &Family, size: usize) -> [f64; COLUMNS.len()] {
    let file = scene_file(family, size);
    let output = Command::new(std::env::current_exe().unwrap()).arg("measure").arg(&file).output().unwrap();
    std::fs::remove_file(&file).unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let values: Vec<f64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let values: [f64; COLUMNS.len()] =
        values.try_into().unwrap_or_else(|_| panic!("{} {size}: {text}{}", family.name, String::from_utf8_lossy(&output.stderr)));
    values.map(|value| value / size as f64)
}

/// Writes a scene to a temporary file.
fn scene_file(family: &Family, size: usize) -> PathBuf {
    let file = std::env::temp_dir().join(format!("sinew-scale-{}-{}-{size}.glb", std::process::id(), family.name));
    std::fs::write(&file, (family.scene)(size).to_glb()).unwrap();
    file
}

/// A value with its unit, and its ratio to the first row.
fn cell(column: &Column, value: f64, ratio: f64) -> String {
    if value.is_nan() || value == 0.0 {
        return "-".to_owned();
    }
    let scale = |steps: &[&str], factor: f64| {
        let step = ((value.max(1e-9).log(factor)).floor().max(0.0) as usize).min(steps.len() - 1);
        (value / factor.powi(step as i32), steps[step].to_owned())
    };
    let (value, unit) = if column.is_bytes { scale(&["B", "KiB", "MiB", "GiB"], 1024.0) } else { scale(&["ns", "us", "ms", "s"], 1000.0) };
    format!("{value:.1} {unit} ({ratio:.2})")
}

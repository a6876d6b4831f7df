//! Checks sample files: invalid ones against the index of the reference validator's codes, and valid ones for false errors.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value;
use sinew::model::finding::{Finding, Severity};
use sinew::validate;

use crate::common::skip::skip;

/// Labels that are not compared. This one describes a limitation of the reference validator itself.
const LEFT_OUT: [&str; 1] = ["I:INCOMPLETE_EXTENSION_SUPPORT"];

/// Faulty samples and the codes of their faults, which the reference validator also reports. Two samples lack a file, and the material of
/// the third needs data that its primitive lacks.
const FAULTY: [(&str, &str); 3] = [
    ("interpolation_test.gltf", "IO_ERROR"),
    ("Node_NegativeScale_03.gltf", "IO_ERROR"),
    ("ClearCoatTest.gltf", "MESH_PRIMITIVE_NO_TANGENT_SPACE"),
];

fn samples() -> Option<PathBuf> {
    let samples = std::env::var_os("SINEW_SAMPLES").map(PathBuf::from);
    if samples.is_none() {
        skip("SINEW_SAMPLES names no folder of sample models");
    }
    samples
}

fn labels(findings: &[Finding]) -> BTreeSet<String> {
    let label = |finding: &Finding| match finding.severity {
        Severity::Error => format!("E:{}", finding.code),
        Severity::Warning => format!("W:{}", finding.code),
        Severity::Info => format!("I:{}", finding.code),
    };
    findings.iter().map(label).collect()
}

#[test]
fn every_invalid_sample_has_the_codes_of_the_index() {
    let Some(samples) = samples() else { return };
    let index: Value = serde_json::from_slice(&std::fs::read(samples.join("invalid/index.json")).unwrap()).unwrap();
    let (mut wrong, mut count) = (Vec::new(), 0);
    for entry in index.as_array().unwrap().iter().filter(|entry| !entry["errors"].is_null()) {
        let file = entry["file"].as_str().unwrap();
        let found = labels(&validate::file(&samples.join(file)).unwrap());
        let wanted: BTreeSet<String> = entry["codes"].as_array().unwrap().iter().map(|code| code.as_str().unwrap().to_owned()).collect();
        let missing = wanted.difference(&found).filter(|label| !LEFT_OUT.contains(&label.as_str()));
        let false_ones = found.difference(&wanted).filter(|label| !label.starts_with("I:"));
        wrong.extend(missing.map(|label| format!("{file}: {label} is missing")));
        wrong.extend(false_ones.map(|label| format!("{file}: {label} is not in the index")));
        count += 1;
    }
    assert!(count > 40 && wrong.is_empty(), "{} in {count} files:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn no_sample_without_a_fault_has_an_error() {
    let Some(samples) = samples() else { return };
    let files: Vec<PathBuf> = ["models", "assetgen"].iter().flat_map(|folder| models_below(&samples.join(folder))).collect();
    assert!(files.len() > 80, "only {} files", files.len());
    for file in files {
        let name = file.file_name().unwrap().to_str().unwrap();
        let found = validate::file(&file).unwrap();
        let errors: BTreeSet<&str> =
            found.iter().filter(|finding| finding.severity == Severity::Error).map(|finding| finding.code).collect();
        let known: BTreeSet<&str> = FAULTY.iter().filter(|(faulty, _)| *faulty == name).map(|(_, code)| *code).collect();
        assert_eq!(errors, known, "{name}");
    }
}

fn models_below(folder: &Path) -> Vec<PathBuf> {
    let mut folders = vec![folder.to_owned()];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "gltf" || extension == "glb") {
                found.push(path);
            }
        }
    }
    found
}

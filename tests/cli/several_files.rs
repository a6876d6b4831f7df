//! Tests `sinew inspect` and `sinew check` with several files and with folders.

use std::io::Read;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::common::gltf_builder::triangle;

fn sinew(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sinew")).current_dir(folder).args(arguments).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", stdout(output)))
}

/// A folder with `good.glb`; `late.glb`, whose animation begins late, which is a warning of `sinew check`; `odd.gltf`, which has an error
/// that only `sinew inspect` finds; and `broken.glb`, which is no model.
fn files() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("good.glb"), triangle().to_glb()).unwrap();
    let mut late = triangle();
    let output = late.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    late.animation(&[(0, "translation", "LINEAR", &[0.5, 1.0], output)]);
    std::fs::write(folder.path().join("late.glb"), late.to_glb()).unwrap();
    std::fs::write(folder.path().join("odd.gltf"), r#"{"asset": {"version": "2.0"}, "nodes": [{"rotation": [0, 0, 0, 2]}]}"#).unwrap();
    std::fs::write(folder.path().join("broken.glb"), b"nothing of the kind").unwrap();
    folder
}

#[test]
fn the_texts_of_several_files_are_those_of_the_single_files_with_empty_lines_between() {
    let folder = files();
    for command in ["inspect", "check"] {
        let texts = ["late.glb", "good.glb"].map(|file| stdout(&sinew(folder.path(), &[command, file])));
        assert!(texts[0].starts_with("late.glb\n") && texts[1].starts_with("good.glb\n"), "{texts:?}");
        let both = sinew(folder.path(), &[command, "late.glb", "good.glb"]);
        assert!(both.status.success(), "{both:?}");
        assert_eq!(stdout(&both), texts.join("\n"), "{command}");
    }
}

#[test]
fn the_json_of_several_files_is_an_array_and_that_of_one_file_is_not() {
    let folder = files();
    for command in ["inspect", "check"] {
        let single = |file| json(&sinew(folder.path(), &[command, file, "--json"]));
        let [late, good] = [single("late.glb"), single("good.glb")];
        assert!(late.is_object(), "{late}");
        assert_eq!(json(&sinew(folder.path(), &[command, "late.glb", "good.glb", "--json"])), Value::from(vec![late, good]));
    }
}

#[test]
fn a_file_that_cannot_be_read_is_an_error_and_the_others_follow() {
    let folder = files();
    for (command, reports) in [("inspect", &["late.glb", "broken.glb", "good.glb"][..]), ("check", &["late.glb", "good.glb"])] {
        let arguments = [command, "late.glb", "broken.glb", "missing.glb", "good.glb", "--json", "--fail-on", "warning"];
        let output = sinew(folder.path(), &arguments);
        assert_eq!(output.status.code(), Some(1), "{command}");
        let printed = json(&output);
        let files: Vec<_> = printed.as_array().unwrap().iter().map(|report| report["file"].as_str().unwrap()).collect();
        assert_eq!(files, reports, "{command}");
        let said = stderr(&output);
        let errors: Vec<_> = said.lines().filter(|line| line.starts_with("error: ")).collect();
        assert!(errors.len() == 2 && errors[0].contains("broken.glb") && errors[1].contains("missing.glb"), "{said}");
    }
    let output = sinew(folder.path(), &["check", "missing.glb", "broken.glb", "--json"]);
    assert_eq!((output.status.code(), json(&output)), (Some(1), Value::Array(Vec::new())));
}

#[test]
fn a_finding_in_any_file_decides_the_exit_code() {
    let folder = files();
    let code = |arguments: &[&str]| sinew(folder.path(), arguments).status.code();
    assert_eq!(code(&["check", "late.glb", "good.glb", "--fail-on", "warning"]), Some(3));
    assert_eq!(code(&["check", "late.glb", "good.glb", "--fail-on", "error"]), Some(0));
    assert_eq!(code(&["check", "late.glb", "good.glb"]), Some(0));
    assert_eq!(code(&["inspect", "odd.gltf", "good.glb", "--fail-on", "error"]), Some(3));
    assert_eq!(code(&["inspect"]), Some(2));
}

#[test]
fn a_folder_stands_for_the_models_directly_in_it() {
    let folder = files();
    std::fs::create_dir_all(folder.path().join("models/below")).unwrap();
    for file in ["10.glb", "9.glb", ".hidden.glb", "notes.txt", "below/8.glb"] {
        std::fs::write(folder.path().join("models").join(file), triangle().to_glb()).unwrap();
    }
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    let names = |output: &Output| json(output).as_array().unwrap().iter().map(|report| report["file"].clone()).collect::<Vec<_>>();
    let in_folder = [Path::new("models").join("9.glb"), Path::new("models").join("10.glb")].map(|path| path.display().to_string());
    for command in ["inspect", "check"] {
        let output = sinew(folder.path(), &[command, "models", "--json"]);
        assert!(output.status.success() && names(&output) == in_folder, "{output:?}");
        let output = sinew(folder.path(), &[command, "good.glb", "models", "empty", "--json"]);
        assert_eq!((output.status.code(), names(&output).len()), (Some(1), 3));
        assert!(stderr(&output).starts_with("error: the folder empty has no .glb"), "{}", stderr(&output));
    }
}

#[test]
fn a_report_is_printed_before_the_next_file_is_read_and_a_closed_pipe_changes_no_exit_code() {
    let folder = files();
    let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
    // Many files, of which only the last one has a finding, so that the pipe closes long before the end.
    command.current_dir(folder.path()).arg("check").args(vec!["good.glb"; 2000]).args(["late.glb", "--fail-on", "warning"]);
    let mut program = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut start = [0; 9];
    program.stdout.take().unwrap().read_exact(&mut start).unwrap();
    assert_eq!(&start, b"good.glb\n");
    assert!(program.try_wait().unwrap().is_none(), "the first report is printed only at the end");
    let output = program.wait_with_output().unwrap();
    assert_eq!((output.status.code(), stderr(&output)), (Some(3), String::new()));
}

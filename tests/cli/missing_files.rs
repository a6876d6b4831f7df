//! Tests which missing file is named if there is no display, and that URLs are refused.

use std::process::Output;

use crate::common::gltf_builder::triangle;

/// Runs the program without a display, in a folder with the model `a.glb`.
fn sinew(arguments: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.glb"), triangle().to_glb()).unwrap();
    let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_sinew"));
    command.current_dir(folder.path()).args(arguments).env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").output().unwrap()
}

fn assert_fails(arguments: &[&str], message: &str) {
    let output = sinew(arguments);
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(1), message), "{arguments:?}");
}

#[test]
#[cfg(target_os = "linux")]
fn without_a_display_the_error_names_a_missing_file() {
    let missing = "error: cannot read missing.glb: the file does not exist\n";
    for arguments in
        [&["missing.glb"][..], &["a.glb", "missing.glb"], &["a.glb", "--animations", "missing.glb"], &["a.glb", "--compare", "missing.glb"]]
    {
        assert_fails(arguments, missing);
    }
    assert_fails(&["a.glb"], "error: no display to open a window on; the commands that sinew --help lists work without one\n");
}

#[test]
fn a_url_is_refused_with_the_advice_to_download_it() {
    for url in ["https://example.org/fox.glb", "http://example.org/fox.glb"] {
        let message = format!("error: cannot open {url}: Sinew opens files only, so download it first\n");
        for arguments in [
            &[url][..],
            &["a.glb", "--compare", url],
            &["render", url, "-o", "out.png"],
            &["render", "a.glb", "-o", "out.png", "--environment", url],
            &["pose", url],
            &["inspect", "a.glb", url],
            &["diff", "a.glb", url],
            &["check", url],
            &["bench", url],
            &["thumbnail", url, "out.png"],
        ] {
            assert_fails(arguments, &message);
        }
    }
}

#[test]
fn a_name_in_the_file_may_look_like_a_url() {
    let output = sinew(&["pose", "a.glb", "--animation", "https://example.org/walk"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("no animation") && !said.contains("download"), "{said}");
}

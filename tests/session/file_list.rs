//! Tests opening several files at once: which ones are opened, and in which order.

use std::path::{Path, PathBuf};

use sinew::session::file::file_list::FileList;

fn list(names: &[&str]) -> FileList {
    FileList::new(&names.iter().map(PathBuf::from).collect::<Vec<_>>()).unwrap()
}

fn names(paths: &[PathBuf]) -> Vec<&str> {
    paths.iter().map(|path| path.to_str().unwrap()).collect()
}

#[test]
fn one_model_with_its_parts_is_one_file_to_open() {
    let list = list(&["fox.bin", "fox.png", "fox.gltf"]);
    assert_eq!(names(&list.models), ["fox.gltf"]);
    assert_eq!(names(&list.beside), ["fox.bin", "fox.png"]);
    assert_eq!(list.place(Some(Path::new("fox.gltf"))), None, "there is nothing to step to");
}

#[test]
fn several_models_are_stepped_through_in_their_order_and_repeat() {
    let mut list = list(&["b.glb", "parts.bin", "a.GLTF", "c.zip", "b.glb", "d.vrm"]);
    assert_eq!(names(&list.models), ["b.glb", "a.GLTF", "c.zip", "d.vrm"]);
    assert_eq!(names(&list.beside), ["parts.bin"]);
    let mut seen = Vec::new();
    for _ in 0..5 {
        seen.push(list.place(list.current().map(PathBuf::as_path)).unwrap().to_string());
        list.step(1);
    }
    assert_eq!(seen, ["1 of 4", "2 of 4", "3 of 4", "4 of 4", "1 of 4"]);
    list.step(-2);
    assert_eq!(list.current().unwrap(), Path::new("d.vrm"));
    assert_eq!(list.place(Some(Path::new("elsewhere.glb"))), None);
}

#[test]
fn a_single_file_of_any_name_is_tried_and_several_must_include_a_model() {
    assert_eq!(names(&list(&["scene.fbx"]).models), ["scene.fbx"]);
    let given = ["a.png", "b.bin"].map(PathBuf::from);
    assert_eq!(FileList::new(&given).unwrap_err(), "none of the 2 files is a .glb, .gltf, .vrm or .zip");
    assert!(FileList::new(&[]).is_err());
    let mut nothing = FileList::default();
    nothing.step(1);
    assert_eq!(nothing.current(), None);
}

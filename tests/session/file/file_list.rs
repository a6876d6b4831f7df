//! Tests the list of files to step through: files that were given together, and the models of a folder.

use std::cmp::Ordering;
use std::path::{Path, PathBuf};

use sinew::session::file::file_list::{FileList, distinct_name};
use sinew::session::file::natural_order::compare;

use crate::common::time_limit::within_half_a_minute;

fn list(names: &[&str]) -> FileList {
    FileList::new(&names.iter().map(PathBuf::from).collect::<Vec<_>>()).unwrap()
}

fn folder(opened: &str, files: &[&str]) -> FileList {
    FileList::in_folder(Path::new(opened), files.iter().map(PathBuf::from).collect(), Vec::new())
}

fn models(list: &FileList) -> Vec<&str> {
    list.models.iter().map(|model| model.path.to_str().unwrap()).collect()
}

fn names(list: &FileList) -> Vec<&str> {
    list.models.iter().map(|model| model.name.as_str()).collect()
}

#[test]
fn one_model_with_its_parts_is_one_file_to_open() {
    let list = list(&["fox.bin", "fox.png", "fox.gltf"]);
    assert_eq!(models(&list), ["fox.gltf"]);
    assert_eq!(list.opened_together, ["fox.bin", "fox.png"].map(PathBuf::from));
    assert_eq!(list.list_position(Some(Path::new("fox.gltf"))), None, "there is no other file to step to");
    assert_eq!(list.opened.as_deref(), Some(Path::new("fox.gltf")), "its folder can be listed");
}

#[test]
fn several_models_are_stepped_through_in_the_given_order_and_start_over() {
    let mut list = list(&["b.glb", "parts.bin", "a.GLTF", "c.zip", "b.glb", "d.vrm"]);
    assert_eq!(models(&list), ["b.glb", "a.GLTF", "c.zip", "d.vrm"]);
    assert_eq!(list.opened_together, [PathBuf::from("parts.bin")]);
    assert_eq!(list.opened, None, "their folders are not listed");
    let mut seen = Vec::new();
    for _ in 0..5 {
        seen.push(list.list_position(list.current().map(PathBuf::as_path)).unwrap().to_string());
        list.step(1);
    }
    assert_eq!(seen, ["1 of 4", "2 of 4", "3 of 4", "4 of 4", "1 of 4"]);
    list.step(-2);
    assert_eq!(list.current().unwrap(), Path::new("d.vrm"));
    assert_eq!(list.list_position(Some(Path::new("elsewhere.glb"))), None);
}

#[test]
fn a_single_file_of_any_name_is_tried_and_several_must_include_a_model() {
    assert_eq!(models(&list(&["scene.fbx"])), ["scene.fbx"]);
    let given = ["a.png", "b.bin"].map(PathBuf::from);
    assert_eq!(FileList::new(&given).unwrap_err(), "none of the 2 files is a .glb, .gltf, .vrm or .zip");
    assert!(FileList::new(&[]).is_err());
    let mut nothing = FileList::default();
    nothing.step(1);
    assert_eq!(nothing.current(), None);
}

#[test]
fn names_are_sorted_by_the_value_of_their_numbers_and_without_regard_to_case() {
    let sorted =
        ["", "2", "10", "A", "a", "B", "walk", "walk 3", "Walk2.glb", "walk09", "walk9", "Walk10", "walk10b", "\u{c4}x", "\u{e4}y"];
    // Compare each pair in both orders.
    for (i, a) in sorted.iter().enumerate() {
        for (j, b) in sorted.iter().enumerate() {
            assert_eq!(compare(a, b), i.cmp(&j), "{a:?} and {b:?}");
        }
    }
    let digits = "9".repeat(300);
    assert_eq!(compare(&digits, &format!("1{digits}")), Ordering::Less, "numbers may be longer than any integer");
}

#[test]
fn a_folder_lists_its_models_in_natural_order_and_starts_at_the_opened_one() {
    let files = ["/m/run10.glb", "/m/Run9.gltf", "/m/run9.bin", "/m/.hidden.glb", "/m/pack.zip", "/m/avatar.VRM", "/m/notes.txt", "/m/glb"];
    let mut list = folder("/m/run10.glb", &files);
    assert_eq!(models(&list), ["/m/avatar.VRM", "/m/Run9.gltf", "/m/run10.glb"]);
    assert_eq!(names(&list), ["avatar.VRM", "Run9.gltf", "run10.glb"]);
    assert_eq!(list.list_position(Some(Path::new("/m/run10.glb"))).unwrap().to_string(), "3 of 3");
    list.step(1);
    assert_eq!(list.current().unwrap(), Path::new("/m/avatar.VRM"));
    assert_eq!(
        names(&folder("/m/pack.zip", &files)),
        ["avatar.VRM", "pack.zip", "Run9.gltf", "run10.glb"],
        "if an archive is opened, archives are listed"
    );
    assert_eq!(names(&folder("/m/.hidden.glb", &files))[0], ".hidden.glb", "the opened file is always listed");
    assert_eq!(names(&folder("/m/notes.txt", &files))[1], "notes.txt");
    assert_eq!(names(&folder("/m/gone.glb", &files)).len(), 3);
}

#[test]
fn a_deleted_model_stays_in_its_place_until_the_next_step() {
    let files = ["/m/a.glb", "/m/b.glb", "/m/c.glb", "/m/d.glb"];
    let without = |gone: &str| folder("/m/a.glb", &files.into_iter().filter(|file| *file != gone).collect::<Vec<_>>());
    let mut list = FileList { at: 2, ..folder("/m/a.glb", &files) };
    list = list.renewed(without("/m/c.glb"));
    assert_eq!((models(&list), list.at), (files.to_vec(), 2));
    list.step(1);
    list = list.renewed(without("/m/c.glb"));
    assert_eq!((models(&list), list.at), (vec!["/m/a.glb", "/m/b.glb", "/m/d.glb"], 2));
    // A file before the current one moves it.
    list = list.renewed(folder("/m/a.glb", &["/m/a.glb", "/m/d.glb"]));
    assert_eq!((models(&list), list.at), (vec!["/m/a.glb", "/m/d.glb"], 1));
}

#[test]
fn files_that_were_given_with_a_model_belong_to_it_alone() {
    let opened_together = vec![PathBuf::from("/parts/hero.bin")];
    let list = FileList::in_folder(Path::new("/m/a.gltf"), vec!["/m/a.gltf".into(), "/m/b.gltf".into()], opened_together.clone());
    assert_eq!(list.opened_with(Path::new("/m/a.gltf")), opened_together);
    assert!(list.opened_with(Path::new("/m/b.gltf")).is_empty());
    let together = self::list(&["/m/a.gltf", "/m/b.gltf", "/parts/hero.bin"]);
    assert_eq!(together.opened_with(Path::new("/m/b.gltf")), opened_together);
}

#[test]
fn listed_names_have_only_the_folders_that_tell_them_apart_and_are_safe_to_show() {
    let paths = ["/w/hero/walk.glb", "/w/villain/walk.glb", "/v/hero/walk.glb", "/w/hero/run.glb", "/w/a\u{202e}b\n.glb"];
    let list = list(&paths);
    assert_eq!(names(&list), ["w/hero/walk.glb", "villain/walk.glb", "v/hero/walk.glb", "run.glb", "a\u{b7}b\u{b7}.glb"]);
    let all: Vec<_> = paths.iter().map(PathBuf::from).collect();
    for (path, name) in all.iter().zip(names(&list)).take(4) {
        assert_eq!(distinct_name(path, &all), name, "`distinct_name` gives the same name as the list");
    }
}

#[test]
fn very_many_files_are_listed() {
    const COUNT: usize = 150_000;
    // Comparing every pair of files takes minutes.
    let files: Vec<_> = (0..COUNT).rev().map(|i| PathBuf::from(format!("/m/{i}/walk.glb"))).collect();
    let given = within_half_a_minute(move || FileList::new(&files).unwrap());
    assert_eq!(given.models[0].name, "149999/walk.glb");
    let files: Vec<_> = (0..COUNT).rev().map(|i| PathBuf::from(format!("/m/walk{i}.glb"))).collect();
    let folder = within_half_a_minute(move || FileList::in_folder(Path::new("/m/walk77.glb"), files, Vec::new()));
    assert_eq!((folder.at, folder.models[10].name.as_str()), (77, "walk10.glb"));
}

#[test]
fn a_folder_that_was_opened_lists_its_models_and_starts_with_the_first() {
    let listed = |files: &[&str]| {
        let list = FileList::of_folder(files.iter().map(PathBuf::from).collect())?;
        Some((list.models.iter().map(|model| model.name.clone()).collect::<Vec<_>>(), list.at))
    };
    let models = |names: &[&str]| Some((names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>(), 0));
    let files = ["/m/walk10.glb", "/m/notes.txt", "/m/Walk9.GLTF", "/m/a.zip", "/m/.hidden.glb", "/m/body.bin", "/m/idle.vrm"];
    assert_eq!(listed(&files), models(&["idle.vrm", "Walk9.GLTF", "walk10.glb"]));
    assert_eq!(listed(&["/m/b.zip", "/m/a.zip", "/m/notes.txt"]), models(&["a.zip", "b.zip"]), "archives, if there is nothing else");
    assert_eq!(listed(&["/m/notes.txt", "/m/.hidden.glb"]), None);
    assert_eq!(listed(&[]), None);
}

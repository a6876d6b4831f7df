//! Tests opening several files at once, and opening archives, in the real window.

use std::io::Write;
use std::path::{Path, PathBuf};

use zip::write::SimpleFileOptions;

use crate::common::pixels::differ;
use crate::harness::colors::{green, is_blue, is_red, red};
use crate::harness::desktop::{App, wait_for};
use crate::harness::drag::Drag;
use crate::harness::fixture;
use crate::harness::picture_parts::in_tile;

fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

/// Answers the dialog that asks what to do with a dropped file: opens the file.
fn answer_drop(app: &App) {
    app.settle();
    app.key(&["o"]);
}

#[test]
fn control_characters_of_a_file_name_are_replaced_in_the_title() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), "a\u{1b}\u{202e}b.gltf", &fixture::metronome());
    let Some(app) = App::start(&[&file], "a\u{b7}\u{b7}b.gltf - Sinew") else { return };
    assert_eq!(app.close().code(), Some(0));
}

#[test]
fn stepping_through_dropped_files_continues_past_a_broken_one() {
    let Some(app) = App::start(&[Path::new("--paused")], "Sample model") else { return };
    let folder = tempfile::tempdir().unwrap();
    let first = write(folder.path(), "first.gltf", &fixture::metronome());
    let broken = write(folder.path(), "broken.gltf", "{ \"asset\": {} }");
    let last = write(folder.path(), "last.gltf", &fixture::metronome().replace("[1,0,0,1]", "[0,0,1,1]"));
    Drag::over(&app, &[&first, &broken, &last]).drop();
    app.wait_for_title("first.gltf (1 of 3)");
    let whole = app.wait_until("the first model", |picture| red(picture).is_some());
    app.key(&["Next"]);
    app.wait_until("the message", |picture| differ(picture, &whole) > 500 && red(picture).is_some());
    app.wait_for_title("first.gltf (1 of 3)");
    app.key(&["Next"]);
    app.wait_for_title("last.gltf (3 of 3)");
    app.wait_until("the last model", |picture| red(picture).is_none() && green(picture).is_some());
    app.key(&["Next"]);
    app.wait_for_title("first.gltf (1 of 3)");
    app.key(&["Prior"]);
    app.wait_for_title("last.gltf (3 of 3)");
    let recent = || std::fs::read_to_string(app.folder.path().join("config/settings.json")).unwrap_or_default();
    wait_for("the first dropped file among the recent files", || recent().contains("first.gltf").then_some(()));
    assert!(!recent().contains("last.gltf"), "a file that was only stepped to is not a recent file");
    // If a single file is opened, the keys step through the files of its folder, sorted by name.
    Drag::over(&app, &[&first]).drop();
    answer_drop(&app);
    app.wait_for_title("first.gltf (2 of 3)");
    app.key(&["Next"]);
    app.wait_for_title("last.gltf (3 of 3)");
}

#[test]
fn stepping_keeps_time_and_camera_and_opening_starts_anew() {
    let folder = tempfile::tempdir().unwrap();
    let text = fixture::metronome();
    let mut files = Vec::new();
    for name in ["one", "two"] {
        std::fs::create_dir(folder.path().join(name)).unwrap();
        files.push(write(&folder.path().join(name), "walk.gltf", &text));
    }
    let Some(app) = App::start(&[Path::new("--paused"), &files[0], &files[1]], "one/walk.gltf (1 of 2)") else { return };
    for keys in [&["Alt_L", "1"][..], &["p"], &["-"], &["-"], &["End"]] {
        app.key(keys);
    }
    let before = red(&app.wait_until_still()).expect("the red square at the end");
    app.key(&["Next"]);
    app.wait_for_title("two/walk.gltf (2 of 2)");
    let after = red(&app.wait_until_still()).expect("the red square");
    assert!((after.0 - before.0).abs() < 2.0 && (after.1 - before.1).abs() < 2.0, "{before:?} became {after:?}");
    // When a single file is opened, the camera fits the model, and the animation plays.
    Drag::over(&app, &[&files[0]]).drop();
    answer_drop(&app);
    app.wait_for_title("walk.gltf - Sinew");
    app.wait_until("the red square elsewhere", |picture| red(picture).is_some_and(|at| (at.0 - before.0).abs() > 20.0));
}

#[test]
fn if_the_first_of_several_files_is_broken_the_next_one_can_be_opened() {
    let folder = tempfile::tempdir().unwrap();
    let broken = write(folder.path(), "broken.gltf", "{ \"asset\": {} }");
    let good = write(folder.path(), "good.gltf", &fixture::metronome());
    let Some(app) = App::start(&[&broken, &good], "Sample model") else { return };
    app.key(&["Next"]);
    app.wait_for_title("good.gltf (2 of 2)");
    app.wait_until("the model", |picture| red(picture).is_some());
}

#[test]
fn a_dropped_archive_opens_and_is_reloaded() {
    let Some(app) = App::start(&[Path::new("--paused")], "Sample model") else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("métronome.zip");
    let pack = |gltf: &str| {
        let mut archive = zip::ZipWriter::new(std::fs::File::create(&path).unwrap());
        archive.start_file("in/metronome.gltf", SimpleFileOptions::default()).unwrap();
        archive.write_all(gltf.as_bytes()).unwrap();
        archive.finish().unwrap();
    };
    pack(&fixture::metronome());
    Drag::over(&app, &[&path]).drop();
    app.wait_for_title("métronome.zip - Sinew");
    app.wait_until("the model of the archive", |picture| red(picture).is_some() && green(picture).is_some());
    pack(&fixture::metronome().replace("[1,0,0,1]", "[0,0,1,1]"));
    app.key(&["F5"]);
    app.wait_until("the changed model", |picture| red(picture).is_none() && green(picture).is_some());
    app.wait_for_title("métronome.zip - Sinew");
}

#[test]
fn a_folder_opens_its_first_model_and_the_strip_shows_all() {
    let folder = tempfile::tempdir().unwrap();
    let [models, empty] = ["models", "empty"].map(|name| folder.path().join(name));
    for path in [&models, &empty, &models.join("deeper")] {
        std::fs::create_dir(path).unwrap();
    }
    write(&models, "walk10.gltf", &fixture::metronome().replace("[1,0,0,1]", "[0,0,1,1]"));
    write(&models, "Walk9.gltf", &fixture::metronome());
    write(&models, "notes.txt", "no model");
    write(&models.join("deeper"), "other.gltf", &fixture::metronome());
    // As an argument.
    let Some(app) = App::start(&[&models, Path::new("--paused")], "Walk9.gltf (1 of 2)") else { return };
    app.wait_until("the thumbnails of both models", |picture| {
        in_tile(picture, 0, is_red) > 20 && in_tile(picture, 1, is_blue) > 20 && red(picture).is_some()
    });
    app.key(&["Next"]);
    app.wait_for_title("walk10.gltf (2 of 2)");
    // By a drop. A folder with several models opens without a question.
    Drag::over(&app, &[&models]).drop();
    app.wait_for_title("Walk9.gltf (1 of 2)");
    let before = app.wait_until("the first model", |picture| red(picture).is_some());
    // A folder without a model changes nothing but shows a message.
    Drag::over(&app, &[&empty]).drop();
    app.wait_until("the message", |picture| differ(picture, &before) > 500 && red(picture).is_some());
    app.wait_for_title("Walk9.gltf (1 of 2)");
}

#[test]
fn a_folder_with_a_single_model_stands_for_this_model() {
    let folder = tempfile::tempdir().unwrap();
    let (shown, models) = (write(folder.path(), "shown.gltf", &fixture::metronome()), folder.path().join("models"));
    std::fs::create_dir(&models).unwrap();
    write(&models, "only.gltf", &fixture::metronome());
    let Some(app) = App::start(&[&shown], "shown.gltf") else { return };
    Drag::over(&app, &[&models]).drop();
    answer_drop(&app);
    app.wait_for_title("only.gltf - Sinew");
}

/// Writes the metronome with 30,000 more nodes around the joint "Base", which take long to measure, and draw four points each.
fn metronome_among_many_nodes(folder: &Path) -> PathBuf {
    let mut gltf: serde_json::Value = serde_json::from_str(&fixture::metronome()).unwrap();
    let points = serde_json::json!({ "primitives": [{ "attributes": { "POSITION": 0 }, "mode": 0 }] });
    gltf["meshes"].as_array_mut().unwrap().push(points);
    gltf["nodes"].as_array_mut().unwrap().extend(std::iter::repeat_n(serde_json::json!({ "mesh": 2 }), 30_000));
    gltf["nodes"][2]["children"] = (3..30_004).collect();
    let path = folder.join("many.gltf");
    std::fs::write(&path, gltf.to_string()).unwrap();
    path
}

#[test]
fn a_large_model_is_framed_like_a_small_one_once_it_is_measured() {
    let folder = tempfile::tempdir().unwrap();
    let (small, large) = (write(folder.path(), "small.gltf", &fixture::metronome()), metronome_among_many_nodes(folder.path()));
    let Some(app) = App::start(&[&small, Path::new("--paused")], "small.gltf") else { return };
    app.wait_until("the small model", |picture| red(picture).is_some());
    let expected = red(&app.wait_until_still()).expect("the red square");
    assert!(app.close().success());
    let Some(app) = App::start(&[&large, Path::new("--paused")], "many.gltf") else { return };
    let is_near = |at: (f64, f64)| (at.0 - expected.0).abs() < 3.0 && (at.1 - expected.1).abs() < 3.0;
    app.wait_until("the camera of the whole animation", |picture| red(picture).is_some_and(is_near));
}

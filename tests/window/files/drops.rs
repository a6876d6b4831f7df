//! Tests files that are dropped on the window.

use std::path::Path;

use image::RgbaImage;

use crate::common::pixels::differ;
use crate::harness::colors::{green, red};
use crate::harness::desktop::{App, wait_for};
use crate::harness::drag::Drag;
use crate::harness::{LEFT, fixture, metronome, open_metronome};

/// Whether the left edge of the viewport has the accent color, as it does while files are dragged over the window.
fn has_drop_outline(picture: &RgbaImage) -> bool {
    let is_accent = |&y: &u32| (LEFT as u32..LEFT as u32 + 8).any(|x| picture.get_pixel(x, y).0[..3] == [0x38, 0xD1, 0xCF]);
    (100..400).filter(is_accent).count() > 250
}

#[test]
fn a_dropped_file_opens_and_hovering_with_a_file_shows_an_outline() {
    let Some(app) = App::start(&[Path::new("--paused")], "Sample model") else { return };
    let folder = tempfile::tempdir().unwrap();
    let named = folder.path().join("métronome + ü.gltf");
    std::fs::rename(metronome(folder.path()), &named).unwrap();
    let drag = Drag::over(&app, &[&named]);
    app.wait_until("the drop outline", has_drop_outline);
    drag.leave();
    // Look only at the outline, because the frame statistics in the status bar change.
    app.wait_until("the outline to go", |picture| !has_drop_outline(picture));
    Drag::over(&app, &[&named]).drop();
    app.wait_until("the dropped model", |picture| red(picture).is_some() && green(picture).is_some());
    wait_for("the window's title", || app.desktop.find_window("métronome + ü.gltf"));
}

#[test]
fn a_gltf_dropped_with_its_buffer_from_another_folder_opens() {
    let Some(app) = App::start(&[], "Sample model") else { return };
    let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let text = fixture::metronome();
    let (before, rest) = text.split_once("data:application/octet-stream;base64,").unwrap();
    let (data, after) = rest.split_once('"').unwrap();
    let bytes = base64::Engine::decode(&base64::engine::general_purpose::STANDARD, data).unwrap();
    let (gltf, bin) = (here.path().join("split.gltf"), there.path().join("split.bin"));
    std::fs::write(&gltf, format!("{before}split.bin\"{after}")).unwrap();
    std::fs::write(&bin, bytes).unwrap();
    Drag::over(&app, &[&bin, &gltf]).drop();
    app.wait_until("the model of both files", |picture| red(picture).is_some() && green(picture).is_some());
}

#[test]
fn a_broken_file_keeps_the_old_model_and_shows_a_message() {
    let Some((app, folder)) = open_metronome(true) else { return };
    let before = app.screenshot();
    let broken = folder.path().join("broken.glb");
    std::fs::write(&broken, b"glTF\x02\0\0\0\xff\xff\xff\xff").unwrap();
    Drag::over(&app, &[&broken]).drop();
    let after = app.wait_until("the message", |picture| differ(picture, &before) > 500);
    assert!(red(&after).is_some() && green(&after).is_some(), "the open model is still there");
    assert!(app.desktop.find_window("metronome.gltf").is_some(), "the title still names the open model");
    app.key(&["End"]);
    app.wait_until("the old model to answer", |picture| red(picture).map(|at| at.0) != red(&before).map(|at| at.0));
}

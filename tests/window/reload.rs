//! A file that changes on disk while it is open.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use base64::Engine;
use image::RgbaImage;

use crate::common::pixels::differ;

use super::desktop::App;
use super::{HEIGHT, LEFT, WIDTH, fixture, green, metronome, middle, open_metronome, red};

/// Longer than the window waits for a writer to go on.
const PATIENT: Duration = Duration::from_millis(3500);

fn blue(picture: &RgbaImage) -> Option<(f64, f64)> {
    middle(picture, |[r, g, b, _]| b > 180 && r < 60 && g < 60)
}

/// The metronome with a blue square for the red one.
fn blue_metronome() -> String {
    fixture::metronome().replace("[1,0,0,1]", "[0,0,1,1]")
}

fn wait_for_blue(app: &App, what: &str) -> (f64, f64) {
    blue(&app.wait_until(what, |picture| blue(picture).is_some() && red(picture).is_none())).unwrap()
}

fn wait_for_red(app: &App, what: &str) {
    app.wait_until(what, |picture| red(picture).is_some() && blue(picture).is_none());
}

/// Whether the strip below the menu is there that says what is wrong.
fn message_shown(picture: &RgbaImage, before: &RgbaImage) -> bool {
    let strip = |picture: &RgbaImage| image::imageops::crop_imm(picture, LEFT as u32 + 10, 32, 500, 50).to_image();
    differ(&strip(picture), &strip(before)) > 300
}

/// The left of the status bar.
fn status(picture: &RgbaImage) -> RgbaImage {
    image::imageops::crop_imm(picture, 0, HEIGHT - 24, WIDTH / 2, 24).to_image()
}

fn path(folder: &tempfile::TempDir) -> PathBuf {
    folder.path().join("metronome.gltf")
}

fn replace(path: &Path, text: &str) {
    let partial = path.with_extension("part");
    fs::write(&partial, text).unwrap();
    fs::rename(&partial, path).unwrap();
}

#[test]
fn a_file_that_is_written_again_shows_itself_at_the_same_time_from_the_same_side() {
    let Some((app, folder)) = open_metronome(true) else { return };
    // Somewhere in the middle, through a camera of one's own.
    for key in ["Right", "Right", "Right", "="] {
        app.key(&[key]);
    }
    let before = red(&app.still()).expect("the red square");
    fs::write(path(&folder), blue_metronome()).unwrap();
    let after = wait_for_blue(&app, "the new colour");
    assert!((after.0 - before.0).abs() < 2.0 && (after.1 - before.1).abs() < 2.0, "{before:?} became {after:?}");
    // It is paused as before, and answers as before.
    app.key(&["Home"]);
    app.wait_until("the first frame", |picture| blue(picture).is_some_and(|at| at.0 < before.0 - 20.0));
}

#[test]
fn playback_continues_when_the_file_is_replaced_repeatedly() {
    let Some((app, folder)) = open_metronome(false) else { return };
    replace(&path(&folder), &blue_metronome());
    wait_for_blue(&app, "the file that was renamed over the first");
    replace(&path(&folder), &fixture::metronome());
    wait_for_red(&app, "the next one: it is another file than the one that was watched");
    let first = app.screenshot();
    app.wait_until("it to play", |picture| differ(picture, &first) > 200);
}

#[test]
fn a_partly_written_file_is_not_shown() {
    let Some((app, folder)) = open_metronome(true) else { return };
    let before = app.still();
    let text = blue_metronome();
    let mut file = OpenOptions::new().write(true).truncate(true).open(path(&folder)).unwrap();
    // Longer in all than the window is patient, but no pause is.
    for piece in text.as_bytes().chunks(text.len().div_ceil(5)) {
        file.write_all(piece).unwrap();
        file.flush().unwrap();
        std::thread::sleep(Duration::from_millis(800));
        let picture = app.screenshot();
        if blue(&picture).is_none() {
            assert!(!message_shown(&picture, &before), "half a file made itself felt");
            assert_eq!(red(&picture), red(&before));
        }
    }
    drop(file);
    wait_for_blue(&app, "the whole file");
}

#[test]
fn a_file_that_stays_broken_is_said_to_be_and_the_message_goes_when_it_is_mended() {
    let Some((app, folder)) = open_metronome(true) else { return };
    let before = app.still();
    let text = blue_metronome();
    fs::write(path(&folder), &text[..text.len() / 2]).unwrap();
    let told = app.wait_until("the message", |picture| message_shown(picture, &before));
    assert!(red(&told).is_some() && green(&told).is_some(), "what was open is still there");
    app.key(&["End"]);
    app.wait_until("the old model to answer", |picture| red(picture).map(|at| at.0) != red(&before).map(|at| at.0));
    app.key(&["Home"]);
    fs::write(path(&folder), fixture::metronome()).unwrap();
    app.wait_until("the message to go", |picture| !message_shown(picture, &before) && red(picture) == red(&before));
}

#[test]
fn the_reload_message_disappears_when_a_reload_fails() {
    let Some((app, folder)) = open_metronome(true) else { return };
    let before = app.still();
    let text = blue_metronome();
    fs::write(path(&folder), &text).unwrap();
    app.wait_until("the word", |picture| blue(picture).is_some() && differ(&status(picture), &status(&before)) > 50);
    // The word stays for eight seconds by itself: the message is there sooner.
    let said = std::time::Instant::now();
    fs::write(path(&folder), &text[..text.len() / 2]).unwrap();
    let told = app.wait_until("the message", |picture| message_shown(picture, &before));
    if said.elapsed() < Duration::from_secs(7) {
        assert!(differ(&status(&told), &status(&before)) < 10, "the message stands alone");
    }
}

#[test]
fn an_animation_that_one_export_lacks_plays_on_when_it_is_back() {
    let Some((app, folder)) = open_metronome(true) else { return };
    // Without rows under the ruler, which go when there is no animation: the picture keeps its size.
    for key in ["c", "c", "Right", "Right", "Right"] {
        app.key(&[key]);
    }
    let before = red(&app.still()).expect("the red square");
    let (start, end) = (fixture::metronome().find("\"animations\"").unwrap(), fixture::metronome().find("\"accessors\"").unwrap());
    let mut without = fixture::metronome();
    without.replace_range(start..end, "");
    fs::write(path(&folder), without).unwrap();
    app.wait_until("the rest pose", |picture| red(picture).is_some_and(|at| at.0 < before.0 - 20.0));
    fs::write(path(&folder), fixture::metronome()).unwrap();
    app.wait_until("the animation where it was", |picture| {
        red(picture).is_some_and(|at| (at.0 - before.0).abs() < 2.0 && (at.1 - before.1).abs() < 2.0)
    });
}

#[test]
fn a_deleted_file_leaves_its_model_and_comes_back() {
    let Some((app, folder)) = open_metronome(true) else { return };
    let before = app.still();
    fs::remove_file(path(&folder)).unwrap();
    std::thread::sleep(PATIENT);
    let gone = app.screenshot();
    assert!(!message_shown(&gone, &before), "no more than a word in the status bar");
    assert_eq!(red(&gone), red(&before));
    assert!(differ(&status(&gone), &status(&before)) > 100, "but that");
    fs::write(path(&folder), blue_metronome()).unwrap();
    wait_for_blue(&app, "the file that came back");
    // The folder and all.
    fs::remove_dir_all(folder.path()).unwrap();
    std::thread::sleep(Duration::from_millis(500));
    fs::create_dir(folder.path()).unwrap();
    metronome(folder.path());
    wait_for_red(&app, "the file in its new folder");
}

/// The metronome with its bytes in `metronome.bin` and its red from `textures/color.png`.
pub fn in_parts(folder: &Path) -> PathBuf {
    let text = fixture::metronome();
    let (before, rest) = text.split_once("data:application/octet-stream;base64,").unwrap();
    let (data, after) = rest.split_once('"').unwrap();
    fs::write(folder.join("metronome.bin"), base64::engine::general_purpose::STANDARD.decode(data).unwrap()).unwrap();
    let gltf = format!("{before}metronome.bin\"{after}")
        .replace(r#""baseColorFactor":[1,0,0,1]"#, r#""baseColorTexture":{"index":0}"#)
        .replacen(r#""POSITION":0"#, r#""POSITION":0,"TEXCOORD_0":8"#, 1)
        .replacen(r#""bufferViews""#, r#""textures":[{"source":0}],"images":[{"uri":"textures/color.png"}],"bufferViews""#, 1)
        .replacen(
            r#""count":1,"type":"SCALAR","min":[0],"max":[0]}"#,
            r#""count":1,"type":"SCALAR","min":[0],"max":[0]},{"bufferView":0,"componentType":5126,"count":4,"type":"VEC2"}"#,
            1,
        );
    fs::create_dir(folder.join("textures")).unwrap();
    color([255, 0, 0, 255], folder);
    let path = folder.join("metronome.gltf");
    fs::write(&path, gltf).unwrap();
    path
}

fn color(rgba: [u8; 4], folder: &Path) {
    RgbaImage::from_pixel(64, 64, image::Rgba(rgba)).save(folder.join("textures/color.png")).unwrap();
}

#[test]
fn a_texture_and_a_buffer_that_change_reload_the_model_too() {
    let folder = tempfile::tempdir().unwrap();
    let file = in_parts(folder.path());
    let Some(app) = App::start(&[&file, Path::new("--paused")], "metronome.gltf") else { return };
    app.wait_until("the red texture", |picture| red(picture).is_some() && green(picture).is_some());
    color([0, 0, 255, 255], folder.path());
    let at = wait_for_blue(&app, "the blue texture");

    // Half a texture is none that anybody wants to see.
    let texture = folder.path().join("textures/color.png");
    let bytes = fs::read(&texture).unwrap();
    fs::write(&texture, &bytes[..bytes.len() / 2]).unwrap();
    for _ in 0..5 {
        assert!(blue(&app.screenshot()).is_some(), "the whole texture stays for now");
        std::thread::sleep(Duration::from_millis(200));
    }
    color([255, 0, 0, 255], folder.path());
    wait_for_red(&app, "the red texture again");

    // A texture that did not change stays on the device.
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("[0,1,0,1]", "[0,0,1,1]")).unwrap();
    app.wait_until("the other square in blue beside the texture", |picture| {
        red(picture).is_some() && blue(picture).is_some() && green(picture).is_none()
    });
    fs::write(&file, &text).unwrap();
    app.wait_until("it in green", |picture| red(picture).is_some() && green(picture).is_some());

    // The whole way of the square one metre up.
    let bin = folder.path().join("metronome.bin");
    let mut bytes = fs::read(&bin).unwrap();
    let low = (-0.6f32).to_le_bytes();
    let high = 0.4f32.to_le_bytes();
    let places: Vec<_> = (0..bytes.len() - 3).step_by(4).filter(|&place| bytes[place..place + 4] == low).collect();
    assert_eq!(places.len(), 12, "eleven keys, and one that is as far to the left");
    for place in places {
        bytes[place..place + 4].copy_from_slice(&high);
    }
    fs::write(&bin, bytes).unwrap();
    app.wait_until("the new way", |picture| red(picture).is_some_and(|now| now.1 < at.1 - 30.0));
}

#[test]
fn a_texture_that_is_a_link_is_followed_to_where_it_leads_now() {
    let folder = tempfile::tempdir().unwrap();
    let file = in_parts(folder.path());
    let textures = folder.path().join("textures");
    fs::rename(textures.join("color.png"), textures.join("red.png")).unwrap();
    RgbaImage::from_pixel(64, 64, image::Rgba([0, 0, 255, 255])).save(textures.join("blue.png")).unwrap();
    // As `ln -sfn` does it.
    let link = |target: &str| {
        std::os::unix::fs::symlink(target, textures.join("new")).unwrap();
        fs::rename(textures.join("new"), textures.join("color.png")).unwrap();
    };
    link("red.png");
    let Some(app) = App::start(&[&file, Path::new("--paused")], "metronome.gltf") else { return };
    app.wait_until("the red texture", |picture| red(picture).is_some() && green(picture).is_some());
    link("blue.png");
    wait_for_blue(&app, "what the link leads to now");
}

#[test]
fn with_following_off_the_file_is_reloaded_by_hand() {
    let home = tempfile::tempdir().unwrap();
    fs::create_dir(home.path().join("config")).unwrap();
    fs::write(home.path().join("config/settings.json"), r#"{ "preferences": { "reload_on_change": false } }"#).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = metronome(folder.path());
    let Some(app) = App::start_in(home, &[&file, Path::new("--paused")], "metronome.gltf") else { return };
    app.wait_until("the red square", |picture| red(picture).is_some());
    fs::write(&file, blue_metronome()).unwrap();
    std::thread::sleep(Duration::from_secs(2));
    assert!(red(&app.screenshot()).is_some(), "nobody asked for it");
    app.key(&["F5"]);
    wait_for_blue(&app, "F5");
}

#[test]
fn a_window_that_only_watches_stays_idle() {
    let Some((app, folder)) = open_metronome(true) else { return };
    // The figures of the last frame are in it: they would hardly be the same after another one.
    let before = app.still();
    for i in 0..20 {
        fs::write(folder.path().join(format!("other{i}")), b"other").unwrap();
        std::thread::sleep(Duration::from_millis(100));
    }
    assert!(app.screenshot() == before, "changes to unrelated files are ignored");
}

//! Opens odd characters in the real window: without a skin, with two skins, with joints in another order, with missing joints, with 300
//! joints, with an animation of ten minutes, with other names, and with another size. Each one is compared with the plain character, gets
//! the animations of the plain character, and is checked.

use std::path::{Path, PathBuf};

use serde_json::json;

use crate::common::odd_rigs::{Character, cesium_man_like, odd};

use crate::common::pixels::differ;
use crate::harness::commands::{clipboard, clipboard_picture, perform, run};
use crate::harness::desktop::{App, wait_for};
use crate::harness::{LEFT, RIGHT};

/// Waits until the copied command has all of these parts, then copies the picture. Asserts that the command draws the same
/// picture.
fn assert_drawn_alike(app: &App, folder: &Path, parts: &[&str], what: &str) {
    let line = wait_for(&format!("the command for {what}"), || {
        app.key(&["Control_L", "Shift_L", "c"]);
        let line = String::from_utf8(clipboard(app, "UTF8_STRING")?).ok()?;
        parts.iter().all(|part| line.contains(part)).then_some(line)
    });
    app.wait_until_still();
    app.key(&["Control_L", "Shift_L", "s"]);
    let copied = wait_for("the picture on the clipboard", || clipboard_picture(app));
    let copied = image::load_from_memory(&copied).unwrap().to_rgba8();
    assert!(copied.width() as i32 > (RIGHT - LEFT) * 3 / 4, "{what}: the whole viewport: {:?}", copied.dimensions());
    assert!(copied.pixels().any(|pixel| pixel != copied.get_pixel(0, 0)), "{what}: an empty picture");
    assert_eq!(differ(&copied, &run(&line, folder)), 0, "{what}: {line}");
}

#[test]
fn every_rig_is_compared_borrows_and_is_checked_in_the_window() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("plain.glb"), Character::default().gltf().to_glb()).unwrap();
    let view = json!({ "animation": 0, "display": { "grid": false, "shadow": "off", "skeleton": true } });
    std::fs::write(folder.path().join("view.json"), view.to_string()).unwrap();
    let rigs = odd().map(|(what, character)| (what, character.gltf())).into_iter().chain([("like CesiumMan", cesium_man_like())]);
    for (what, gltf) in rigs {
        let odd = folder.path().join("odd.glb");
        std::fs::write(&odd, gltf.to_glb()).unwrap();
        let args = ["--paused", "--state", "view.json", "--compare", "plain.glb", "--animations", "plain.glb"];
        let paths: Vec<_> = args.iter().map(|arg| if arg.contains('.') { folder.path().join(arg) } else { arg.into() }).collect();
        let args: Vec<&Path> = std::iter::once(odd.as_path()).chain(paths.iter().map(PathBuf::as_path)).collect();
        let Some(app) = App::start(&args, "odd.glb") else { return };
        app.key(&["Right"]);
        assert_drawn_alike(&app, folder.path(), &["--compare ", "--animations "], what);
        // Play the added animation of the plain character. The plain character is still shown beside the odd one.
        app.key(&["Alt_L", "Down"]);
        app.key(&["Right"]);
        assert_drawn_alike(&app, folder.path(), &["--compare ", "--animations ", "--animation 1"], what);
        perform(&app, "run checks");
        app.wait_until_still();
        assert!(app.close().success(), "{what}");
    }
}

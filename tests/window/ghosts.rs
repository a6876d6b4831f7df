//! Ghosts of a heavy model in the real window: more than are drawn while something moves, and then nothing more to draw.

use std::path::Path;
use std::time::Duration;

use image::RgbaImage;

use super::desktop::App;
use super::{LEFT, RIGHT, TIMELINE, weights};

/// Of how many ghosts after it something is seen above the right half of the board: each is lifted further, and less dense.
fn lifted(picture: &RgbaImage) -> usize {
    let x = ((LEFT + RIGHT) / 2 + 60) as u32;
    let column = || (0..TIMELINE as u32).map(|y| picture.get_pixel(x, y).0);
    let mut shades: Vec<[u8; 4]> = column().filter(|[r, _, b, _]| *b > r.saturating_add(25)).collect();
    shades.dedup();
    shades.retain(|shade| column().filter(|color| color == shade).count() > 5);
    shades.len()
}

#[test]
fn all_ghosts_come_when_nothing_moves_and_then_no_more_frames() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("board.gltf");
    std::fs::write(&file, weights::board()).unwrap();
    let Some(app) = App::start(&[file.as_path(), Path::new("--paused")], "board.gltf") else { return };
    app.key(&["Alt_L", "1"]);
    app.key(&["p"]);
    // A tenth of a second on: of the ghosts, 4 frames apart, the third after it is lifted the most.
    for _ in 0..3 {
        app.key(&["Right"]);
    }
    app.wait_until("the board alone", |picture| lifted(picture) == 0);
    // Six of them, of which five are drawn at once.
    app.key(&["Shift_L", "t"]);
    app.wait_until("the last of the ghosts", |picture| lifted(picture) == 3);
    app.still();
    let before = app.worked();
    std::thread::sleep(Duration::from_secs(2));
    let worked = app.worked() - before;
    assert!(worked < Duration::from_millis(100), "it worked for {worked:?} while nothing moved");
}

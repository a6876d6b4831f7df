//! Tests ghosts of a heavy model in the real window: all of them appear when nothing moves, and then no more frames are drawn.

use std::path::Path;
use std::time::Duration;

use image::RgbaImage;

use crate::harness::board::board;
use crate::harness::desktop::App;
use crate::harness::{LEFT, RIGHT, TIMELINE};

/// Returns how many of the later ghosts are visible above the right half of the board. Each of them is higher and less opaque than the one
/// before it.
fn lifted(picture: &RgbaImage) -> usize {
    let x = ((LEFT + RIGHT) / 2 + 60) as u32;
    let column = || (0..TIMELINE as u32).map(|y| picture.get_pixel(x, y).0);
    let mut shades: Vec<[u8; 4]> = column().filter(|[r, _, b, _]| *b > r.saturating_add(25)).collect();
    shades.dedup();
    shades.retain(|shade| column().filter(|color| color == shade).count() > 5);
    shades.len()
}

#[test]
fn all_ghosts_appear_when_nothing_moves_and_then_drawing_stops() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("board.gltf");
    std::fs::write(&file, board()).unwrap();
    let Some(app) = App::start(&[file.as_path(), Path::new("--paused")], "board.gltf") else { return };
    app.key(&["Alt_L", "1"]);
    app.key(&["p"]);
    // Go to 0.1 s. The ghosts are 4 frames apart. Of the three later ghosts, the third is raised the most.
    for _ in 0..3 {
        app.key(&["Right"]);
    }
    app.wait_until("the board alone", |picture| lifted(picture) == 0);
    // There are six ghosts. At most five are drawn in one frame.
    app.key(&["Shift_L", "t"]);
    app.wait_until("the last of the ghosts", |picture| lifted(picture) == 3);
    // The status bar shows the duration of the last frame, which would differ if another frame were drawn.
    let before = app.wait_until_still();
    std::thread::sleep(Duration::from_secs(2));
    assert!(app.screenshot() == before, "no frame is drawn while nothing moves");
}

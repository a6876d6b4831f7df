//! A camera that follows, in the real window.

use super::{Clock, FIRST_ROW, LEFT, RIGHT, RULER, TRACKS, green, open_metronome, red};

#[test]
fn what_the_camera_follows_stays_and_the_rest_moves() {
    let Some((app, _folder)) = open_metronome(true) else { return };
    let clock = Clock::read_off(&app);
    // Three frames of ten.
    let way = 0.3 * (clock.end - clock.start);
    let stands = green(&app.screenshot()).expect("the green square").0;
    app.click(LEFT / 2, FIRST_ROW);
    app.key(&["Shift_L", "f"]);
    app.settle();
    let before = red(&app.screenshot()).expect("the red square").0;
    assert!((before - clock.start).abs() < 2.0, "nothing jumps: {before}, {}", clock.start);
    app.click(TRACKS + 14 + (RIGHT - TRACKS - 28) * 3 / 10, RULER);
    let picture = app
        .wait_until("the green square to go the other way", |picture| green(picture).is_some_and(|(x, _)| (stands - x - way).abs() < 2.0));
    assert!((red(&picture).expect("the red square").0 - before).abs() < 2.0);
    // Off again, from where it is: the red square goes.
    app.key(&["Shift_L", "f"]);
    app.key(&["Home"]);
    app.wait_until("the red square to move again", |picture| red(picture).is_some_and(|(x, _)| (before - x - way).abs() < 2.0));
}

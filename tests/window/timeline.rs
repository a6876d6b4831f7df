//! Tests the timeline with the mouse.

use crate::harness::colors::red;
use crate::harness::desktop::HEIGHT;
use crate::harness::{Clock, RIGHT, RULER, TIMELINE, TRACKS, open_metronome};

/// The y coordinates of the strip with the in and out points and of the first row, in points.
const STRIP: i32 = TIMELINE + 36 + 5;
const ROW: i32 = TIMELINE + 36 + 34 + 11;
/// Where the time axis of the tracks begins and ends.
const START: i32 = TRACKS + 14;
const END: i32 = RIGHT - 14;

#[test]
fn the_out_point_is_dragged_and_cleared() {
    let Some((app, _folder)) = open_metronome(true) else { return };
    let clock = Clock::read_off(&app);
    let middle = (START + END) / 2;
    app.move_to(END, STRIP);
    app.press(1);
    for x in [END - 20, middle + 40, middle] {
        app.move_to(x, STRIP);
    }
    app.release(1);
    app.key(&["End"]);
    clock.shows(&app, 0.5, "End: the out point");
    app.key(&["Alt_L", "i"]);
    app.key(&["End"]);
    clock.shows(&app, 1.0, "the range is cleared");
}

#[test]
fn a_drag_and_a_key_that_fall_into_one_frame_are_not_lost() {
    let Some((app, _folder)) = open_metronome(true) else { return };
    let clock = Clock::read_off(&app);
    let middle = (START + END) / 2;
    app.at_once(&[(END, STRIP), (END - 20, STRIP), (middle + 40, STRIP), (middle, STRIP)], "End");
    clock.shows(&app, 0.5, "End: the out point");
}

#[test]
fn the_wheel_zooms_over_the_ruler_and_with_ctrl_over_the_rows() {
    let Some((app, _folder)) = open_metronome(true) else { return };
    let clock = Clock::read_off(&app);
    let wheel_up = || {
        for _ in 0..12 {
            app.press(4);
            app.release(4);
        }
    };
    for (y, control) in [(RULER, false), (HEIGHT as i32 - 60, true)] {
        app.key(&["Shift_L", "Home"]);
        app.move_to(START, y);
        if control {
            app.hold("Control_L", wheel_up);
        } else {
            wheel_up();
        }
        // The start stays under the pointer, so a position to its right is an earlier time than before.
        app.click((START + END) / 2, RULER);
        app.wait_until("the press to seek less far", |picture| {
            let time = red(picture).map(|_| clock.time(picture));
            time.is_some_and(|time| time > 0.08 && time < 0.42)
        });
        app.key(&["Home"]);
        clock.shows(&app, 0.0, "Home: the first frame");
        // Show the whole time axis again.
        app.key(&["Shift_L", "Home"]);
        app.click(END, RULER);
        clock.shows(&app, 1.0, "the ruler's end");
    }
}

#[test]
fn a_click_on_a_key_seeks_to_it() {
    let Some((app, _folder)) = open_metronome(true) else { return };
    let clock = Clock::read_off(&app);
    app.click(END + 2, ROW);
    clock.shows(&app, 1.0, "the last key");
    app.click(START + 2, ROW);
    clock.shows(&app, 0.0, "the first key");
}

//! Tests that joints are found and switched in the list of nodes.

use crate::harness::colors::{green, red};
use crate::harness::{FIRST_ROW, INFLUENCE_COLUMN, ROW, open_metronome};

#[test]
fn the_influence_switch_of_a_joint_changes_the_picture_and_can_be_undone() {
    let Some((app, _folder)) = open_metronome(true) else { return };
    let before = green(&app.screenshot()).expect("the green square").1;
    // The joint's row is the fourth of the list, and the influence column is the last.
    app.click(INFLUENCE_COLUMN, FIRST_ROW + 3 * ROW);
    let lower =
        app.wait_until("the green square to fall to its parent joint", |picture| green(picture).is_some_and(|at| at.1 > before + 50.0));
    assert!(red(&lower).is_some());
    app.key(&["Control_L", "z"]);
    app.wait_until("undo", |picture| green(picture).is_some_and(|at| (at.1 - before).abs() < 2.0));
}

#[test]
fn a_joint_is_found_by_name_and_switched_by_key() {
    let Some((app, _folder)) = open_metronome(true) else { return };
    let before = green(&app.screenshot()).expect("the green square").1;
    app.key(&["Control_L", "f"]);
    app.text("arm");
    app.key(&["Return"]);
    app.key(&["e"]);
    app.wait_until("the green square to fall", |picture| green(picture).is_some_and(|at| at.1 > before + 50.0));
    app.key(&["Shift_L", "BackSpace"]);
    app.wait_until("the reset", |picture| green(picture).is_some_and(|at| (at.1 - before).abs() < 2.0));
}

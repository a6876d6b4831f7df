//! Tests that words agree with their count, and how frames are numbered.

use sinew::check::finding::CheckFinding;
use sinew::check::finding::Findings;
use sinew::check::rule::Rule;
use sinew::check::settings::Settings;
use sinew::numbers::{agreeing, counted, frame};

use crate::common::character::{Channel, Character, HEAD, SPINE, about_x, character, frames, per_frame};

#[test]
fn words_agree_with_their_count() {
    assert_eq!([0, 1, 2].map(|count| counted(count, "vertex")), ["0 vertices", "1 vertex", "2 vertices"]);
    assert_eq!([0, 1, 2].map(|count| counted(count, "mesh")), ["0 meshes", "1 mesh", "2 meshes"]);
    assert_eq!([0, 1, 2].map(|count| counted(count, "joint")), ["0 joints", "1 joint", "2 joints"]);
    assert_eq!([0, 1, 2].map(|count| agreeing(count, "has", "have")), ["have", "has", "have"]);
}

#[test]
fn frames_are_never_rounded_up() {
    assert_eq!([47.0, 47.04, 47.4, 47.96, 47.999].map(|number| frame(number, 1)), ["47", "47", "47.4", "47.9", "47.9"]);
    assert_eq!([0.999, 12.345].map(|number| frame(number, 0)), ["0", "12"]);
    assert_eq!([47.996, 12.34].map(|number| frame(number, 2)), ["47.99", "12.34"]);
    // Every tenth of a frame is shown as itself, although most tenths have no exact binary representation.
    for tenth in 0..2000 {
        let seconds = f64::from(tenth) / 10.0 / 24.0;
        assert_eq!(frame(seconds * 24.0, 1).parse::<f64>().unwrap(), f64::from(tenth) / 10.0);
    }
}

/// The message of the finding with this code. Panics if there is not exactly one such finding.
fn message(character: &Character, code: &str) -> String {
    let found = character.check(&Settings::default());
    let mut found = found.iter().filter(|finding| finding.code == code);
    let message = found.next().unwrap_or_else(|| panic!("no {code}")).message.clone();
    assert!(found.next().is_none());
    message
}

/// Asserts the message about one fault and that about several.
fn assert_messages(code: &str, spoiled: impl Fn(usize) -> Character, [one, several]: [&str; 2]) {
    for (count, words) in [(1, one), (2, several)] {
        let message = message(&spoiled(count), code);
        assert!(message.contains(words), "{code}, {count}: {message}");
    }
}

#[test]
fn findings_about_one_thing_use_the_singular() {
    let morphs = |count| {
        let mut morphs = character();
        morphs.targets = count;
        morphs
    };
    assert_messages("MORPH_NEVER_DRIVEN", morphs, ["drives the morph target of Body", "drives 2 of the 2 morph targets of Body"]);
    let turned = |count| {
        let mut turned = character();
        for node in [SPINE, HEAD].into_iter().take(count) {
            turned.channels()[node] = per_frame(node, "rotation", |time| about_x(12.0 * (std::f32::consts::TAU * time).cos() + 5.0 * time));
        }
        // The head is at the position of the spine, so a turn of the spine does not move it.
        turned.nodes[HEAD]["translation"] = serde_json::json!([0.0, 0.0, 0.0]);
        turned
    };
    assert_messages("LOOP_GAP", turned, ["not on it; a joint is rotated: Spine", "not on it; joints are rotated: "]);
    let constant = |count| {
        let mut constant = character();
        for node in [3, 6].into_iter().take(count) {
            let (times, values) = (frames(200), [0.1, 0.0, 0.0].repeat(200));
            constant.channels().push(Channel { node, path: "translation", interpolation: "LINEAR", times, values });
        }
        constant
    };
    assert_messages(
        "CONSTANT_CHANNEL",
        constant,
        ["1 channel has several keys, but never changes", "2 channels have several keys, but never change:"],
    );
    let uneven = |count| {
        let mut uneven = character();
        uneven.influences.iter_mut().skip(3).take(count).for_each(|vertex| vertex[0][0].1 = 0.5);
        uneven
    };
    assert_messages("WEIGHTS_NOT_NORMALIZED", uneven, ["at 1 vertex,", "at 2 vertices,"]);
    let unused = |count| {
        let mut unused = character();
        // The vertices of the last joints of the right leg follow the hips.
        for vertex in 3 * (9 - count)..27 {
            unused.influences[vertex][0][0].0 = 0;
        }
        unused
    };
    let words =
        ["1 joint without effect: neither it nor its descendants move", "2 joints without effect: neither they nor their descendants move"];
    assert_messages("JOINT_WITHOUT_WEIGHTS", unused, words);
}

#[test]
fn a_single_finding_that_is_left_out_is_counted_in_the_singular() {
    for (count, words) in [(11, "1 more finding of this kind is less severe"), (12, "2 more findings of this kind are less severe")] {
        let settings = Settings::default();
        let mut findings = Findings::new(&settings);
        for _ in 0..count {
            findings.add(CheckFinding::new(Rule::LoopGap, "A gap.".to_owned()));
        }
        assert!(findings.finish()[10].message.starts_with(words));
    }
}

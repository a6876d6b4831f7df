//! Tests that the checks never panic, and end, on broken and mutated files.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use sinew::asset;
use sinew::check;
use sinew::check::profile::Profile;
use sinew::check::settings::Settings;
use sinew::session::document::Document;

use crate::common::character::{Clip, character};
use crate::common::skip::skip;

/// Checks bytes with every profile, if they load.
fn check_bytes(bytes: Vec<u8>) {
    let Ok(loaded) = asset::load_bytes(bytes, "mutated") else { return };
    let document = Document::new(Arc::new(loaded.model), "mutated".to_owned(), None);
    for profile in Profile::ALL {
        check::check(&document, &Settings::with_profile(profile), &|_| true).unwrap();
    }
}

#[test]
fn mutated_files_never_panic() {
    let bytes = character().gltf().to_glb();
    // A simple generator with a fixed seed, so that a failure can be repeated.
    let mut state = 0x2545_f491_4f6c_dd1du64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    for _ in 0..300 {
        let mut mutated = bytes.clone();
        for _ in 0..1 + random() % 6 {
            // The first bytes are the JSON, the others are keys and vertices.
            let at = random() as usize % mutated.len();
            mutated[at] = match random() % 3 {
                0 => random() as u8,
                1 => 0xff,
                _ => 0x7f,
            };
        }
        check_bytes(mutated);
    }
}

#[test]
fn extreme_and_non_finite_numbers_cause_no_panic() {
    for number in [f32::NAN, f32::INFINITY, f32::MAX, f32::MIN_POSITIVE, 0.0, -1e30] {
        for channel in 0..3 {
            let mut broken = character();
            broken.channels()[channel].values.iter_mut().step_by(7).for_each(|value| *value = number);
            check_bytes(broken.gltf().to_glb());
        }
        let mut broken = character();
        broken.bound[3] = [number; 3];
        broken.influences[2][0][0].1 = number;
        check_bytes(broken.gltf().to_glb());
    }
}

#[test]
fn sample_files_never_panic() {
    let Some(samples) = std::env::var_os("SINEW_SAMPLES") else {
        skip("SINEW_SAMPLES names no folder of sample models");
        return;
    };
    let mut files = Vec::new();
    for folder in ["nasty", "invalid/base", "invalid/ext"] {
        let entries = std::fs::read_dir(Path::new(&samples).join(folder)).unwrap();
        files.extend(entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_file()));
    }
    assert!(files.len() > 50, "only {} files", files.len());
    for file in files {
        let Ok(loaded) = asset::load(&file, &asset::LoadOptions::default()) else { continue };
        let document = Document::new(Arc::new(loaded.model), "nasty".to_owned(), None);
        check::check(&document, &Settings::with_profile(Profile::Unity), &|_| true).unwrap();
    }
}

#[test]
fn a_check_can_be_stopped_and_its_progress_rises() {
    let mut long = character();
    long.clips = (0..5).map(|_| long.clips[0].clone()).collect::<Vec<Clip>>();
    let document = Document::new(Arc::new(long.gltf().model()), "long".to_owned(), None);
    let calls = AtomicUsize::new(0);
    let stopped = check::check(&document, &Settings::default(), &|_| calls.fetch_add(1, Ordering::Relaxed) < 4);
    assert_eq!((stopped, calls.load(Ordering::Relaxed)), (None, 5));
    let last = std::cell::Cell::new(0.0f32);
    let done = check::check(&document, &Settings::default(), &|done| {
        assert!(done >= last.get() && done <= 1.0, "{done} after {}", last.get());
        last.set(done);
        true
    });
    assert!(done.is_some() && last.get() > 0.8);
}

#[test]
fn two_thousand_channels_give_a_few_findings() {
    let mut many = character();
    let channel = many.channels()[2].clone();
    for node in 0..2000 {
        many.nodes.push(serde_json::json!({ "name": format!("Helper{node}") }));
        many.roots.push(10 + node);
        let mut values = channel.values.clone();
        values[40..].iter_mut().for_each(|number| *number = -*number * 1.2);
        many.channels().push(crate::common::character::Channel { node: 10 + node, values, ..channel.clone() });
    }
    let found = many.check(&Settings::default());
    assert!(found.len() < 8, "{} findings", found.len());
    let long = found.iter().find(|finding| finding.code == "ROTATION_NOT_UNIT").unwrap();
    assert!(long.message.contains("and 1997 more"), "{}", long.message);
    assert!(found.iter().all(|finding| finding.message.len() < 1000));
}

#[test]
fn a_clean_character_has_no_findings() {
    assert_eq!(character().check(&Settings::default()), Vec::new());
}

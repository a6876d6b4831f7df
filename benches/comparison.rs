//! Measures how long it takes to compare two rigs: to bind them, to pose them at 60 samples per second, and to measure distances and
//! angles. The rigs have 200 joints, each with translation, rotation and scale keys at 30 frames per second. Their animations last 60 s or
//! 600 s. Run with `cargo bench --bench comparison`.
#![allow(clippy::unwrap_used)] // a measurement that fails may panic

use std::sync::Arc;
use std::time::Instant;

use sinew::compare::{Choices, compare};
use sinew::session::document::Document;

#[allow(dead_code)] // this benchmark uses one kind of rig
#[path = "common/rigs.rs"]
mod rigs;

const JOINTS: usize = 200;
const ROUNDS: usize = 5;

fn main() {
    for seconds in [60, 600] {
        let document = |raised: f32| {
            let mut model = rigs::shared(JOINTS, seconds * 30 + 1);
            // In B, shift and rotate the root, which moves every joint. Identical poses would be compared faster.
            model.animations[0].channels[0].output.iter_mut().for_each(|number| *number += raised);
            model.animations[0].channels[1].output.iter_mut().step_by(4).for_each(|number| *number += raised);
            Document::new(Arc::new(model), String::new(), None)
        };
        let (a, b) = (document(0.0), document(0.01));
        let choices = Choices { animations: [Some(0); 2], ..Choices::default() };
        let mut times: Vec<f64> = (0..ROUNDS)
            .map(|_| {
                let start = Instant::now();
                let found = compare(&a, &b, &choices, &|| true).unwrap();
                assert!(found.measured.joints.iter().all(|joint| joint.distance_max > 0.0 && joint.angle_max > 0.0));
                start.elapsed().as_secs_f64()
            })
            .collect();
        times.sort_by(f64::total_cmp);
        println!("{JOINTS} joints, {seconds} s: {:.3} s, slowest of {ROUNDS} {:.3} s", times[ROUNDS / 2], times[ROUNDS - 1]);
    }
}

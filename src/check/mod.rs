//! Checks whether a file will behave in an engine: what the specification allows, but what probably is a mistake. What the
//! specification forbids is found by loading and by [`crate::validate`]; the two are never mixed.
//!
//! Each file has the checks of one subject, as plain functions over a [`context::CheckContext`]. [`rule`] lists all of them with their
//! limits. No check is slower than linear in keys, vertices, or samples times nodes; sampling has a budget.

pub mod context;
pub mod feet;
pub mod finding;
pub mod keys;
pub mod loops;
pub mod morphs;
pub mod motion;
pub mod names;
pub mod profile;
pub mod redundancy;
pub mod report;
pub mod rotation;
pub mod rule;
pub mod scale_and_axis;
pub mod settings;
pub mod skeleton;
pub mod skin;
pub mod spikes;
pub mod steps;

use crate::session::document::Document;
use crate::session::inspect::weight_checks;

use context::{CheckContext, Rest};
use finding::{CheckFinding, Findings};
use motion::Budget;
use settings::Settings;

/// Runs all checks. `progress` is told the fraction that is done, and returns false to stop; the result is then `None`.
///
/// ```
/// use std::sync::Arc;
///
/// use sinew::check::{self, settings::Settings};
/// use sinew::model::Model;
/// use sinew::session::document::Document;
///
/// let document = Document::new(Arc::new(Model::default()), "empty.glb".into(), None);
/// assert_eq!(check::check(&document, &Settings::default(), &|_| true), Some(Vec::new()));
/// ```
pub fn check(document: &Document, settings: &Settings, progress: &dyn Fn(f32) -> bool) -> Option<Vec<CheckFinding>> {
    let rest = Rest::new(document);
    progress(0.02).then_some(())?;
    let weights = weight_checks::faults(document);
    progress(0.1).then_some(())?;
    let context = CheckContext { document, model: &document.model, settings, weights: &weights, rest: &rest };
    let mut findings = Findings::new(settings);
    let of_file = [
        names::check,
        skin::check,
        skeleton::check,
        scale_and_axis::check,
        morphs::check,
        profile::check,
        redundancy::check,
        rotation::flips,
    ];
    for check in of_file {
        check(&context, &mut findings);
    }
    progress(0.2).then_some(())?;
    let count = document.model.animations.len();
    let mut budget = Budget::new(document);
    for animation in 0..count {
        for check in [keys::check, rotation::check, steps::check] {
            check(&context, animation, &mut findings);
        }
        let part = |done: f32| progress(0.2 + 0.8 * (animation as f32 + done) / count as f32);
        motion::check(&context, animation, &mut budget, &mut findings, &part)?;
    }
    budget.report(&mut findings);
    Some(findings.finish())
}

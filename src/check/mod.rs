//! Checks whether a file will work well in an engine: finds probable mistakes that the specification allows. Loading and
//! [`crate::validate`] find violations of the specification.
//!
//! Each source file contains the checks of one subject, as functions over a [`context::CheckContext`]. [`rule`] lists all checks with their
//! limits. The time of each check is about linear in keys, influences, or samples times nodes. Sampling has a budget.

pub mod context;
pub mod engine_limits;
pub mod finding;
pub mod keys;
pub mod motion;
pub mod names;
pub mod profile;
pub mod reach;
pub mod report;
pub mod rig;
pub mod rule;
pub mod settings;
pub mod worst;

use std::sync::Arc;

use crate::retarget::carry;
use crate::session::document::Document;
use crate::session::inspect::weight_checks;

use context::{CheckContext, RestMeasures};
use finding::{CheckFinding, Findings};
use keys::{morphs, redundancy, rotation, spikes, steps, times};
use motion::Budget;
use rig::{scale_and_axis, skeleton, skin};
use settings::Settings;

/// Runs all checks. `progress` receives the fraction that is done, and returns false to stop. The result is then `None`.
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
    // Animations of other files are no part of the file.
    let own = (!document.model.borrowed.is_empty())
        .then(|| document.with_animations(Arc::new(carry::with_animations((*document.model).clone(), Vec::new()))));
    let document = own.as_ref().unwrap_or(document);
    let rest = RestMeasures::new(document);
    progress(0.02).then_some(())?;
    let weights = weight_checks::faults(document);
    progress(0.1).then_some(())?;
    let context = CheckContext { document, model: &document.model, settings, weights: &weights, rest: &rest };
    let mut findings = Findings::new(settings);
    let file_checks = [
        names::check,
        skin::check,
        skeleton::check,
        scale_and_axis::check,
        morphs::check,
        engine_limits::check,
        redundancy::check,
        rotation::check_flips,
    ];
    for check in file_checks {
        check(&context, &mut findings);
    }
    progress(0.2).then_some(())?;
    let animation_count = document.model.animations.len();
    let mut budget = Budget::new(document);
    for animation in 0..animation_count {
        for check in [times::check, rotation::check, steps::check, spikes::check] {
            check(&context, animation, &mut findings);
        }
        let animation_progress = |done: f32| progress(0.2 + 0.8 * (animation as f32 + done) / animation_count as f32);
        motion::check(&context, animation, &mut budget, &mut findings, &animation_progress)?;
    }
    budget.report(&mut findings);
    Some(findings.finish())
}

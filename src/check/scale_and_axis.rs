//! Checks unit, up axis and place of a rig at rest.

use glam::{DVec3, Vec3Swizzles};

use super::context::CheckContext;
use super::finding::{CheckFinding, Findings};
use super::rule::{Limit, Rule};

/// Parts of names that tell the hips, the head and the feet of a character.
const HIPS: [&str; 2] = ["hips", "pelvis"];
const HEAD: [&str; 1] = ["head"];
const FEET: [&str; 3] = ["foot", "ankle", "toe"];
/// Smallest angle between the directions from the hips to the head and to the feet, in degrees, of a body that stands. It is near 90 in an
/// animal on four legs.
const MIN_BODY_ANGLE: f64 = 135.0;

/// Checks the rig.
pub fn check(context: &CheckContext, findings: &mut Findings) {
    unit(context, findings);
    axis(context, findings);
    origin(context, findings);
}

/// A rig that is tiny or huge.
fn unit(context: &CheckContext, findings: &mut Findings) {
    let Some(height) = context.height() else { return };
    let [least, most] = [Limit::MinHeight, Limit::MaxHeight].map(|limit| context.settings.limit(limit));
    let (threshold, guess) = match height {
        height if height > most => (most, "glTF is in meters: if the model is in centimeters, export it at scale 0.01."),
        height if height < least => (least, "glTF is in meters: the export probably scaled it down, such as by 0.01 twice."),
        _ => return,
    };
    let message = format!("The rig is {} large. {guess}", context.length(height));
    findings.add(CheckFinding { value: Some(height), threshold: Some(threshold), ..CheckFinding::new(Rule::UnlikelyUnit, message) });
}

/// A character that lies on its back, or stands on its head.
fn axis(context: &CheckContext, findings: &mut Findings) {
    let (Some(hips), Some(head), Some(feet)) = (mean(context, &HIPS), mean(context, &HEAD), mean(context, &FEET)) else { return };
    let (up, down) = (head - hips, feet - hips);
    // A long neck or tail does not matter: only directions do.
    if up.length() < 1e-6 * context.rest.size || up.angle_between(down).to_degrees() < MIN_BODY_ANGLE {
        return;
    }
    let (angle, limit) = (up.angle_between(DVec3::Y).to_degrees(), context.settings.limit(Limit::UprightAngle));
    if angle > limit {
        let pose = if angle > 180.0 - limit { "stands on its head" } else { "lies down" };
        let message =
            format!("The character {pose} at rest: its spine is {angle:.0} degrees from +Y, which is up in glTF. Export it with Y up.");
        findings.add(CheckFinding { value: Some(angle), threshold: Some(limit), ..CheckFinding::new(Rule::UnlikelyAxis, message) });
    }
}

/// The mean position at rest of the joints whose names contain one of these words. `None` if there is none.
fn mean(context: &CheckContext, words: &[&str]) -> Option<DVec3> {
    let is_named = |name: &str| {
        // Names may have megabytes; a word at the end of a long one is not looked for.
        let name: String = name.chars().take(200).collect::<String>().to_lowercase();
        words.iter().any(|word| name.contains(word))
    };
    let joints = context.model.nodes.iter().enumerate().filter(|(node, _)| context.document.joints[*node]);
    let named = joints.filter(|(_, node)| node.name.as_deref().is_some_and(is_named));
    let places: Vec<DVec3> =
        named.map(|(node, _)| context.rest.compiled.rest_globals[node].translation).filter(|place| place.is_finite()).collect();
    (!places.is_empty()).then(|| places.iter().sum::<DVec3>() / places.len() as f64)
}

/// A rig far from the origin.
fn origin(context: &CheckContext, findings: &mut Findings) {
    let (Some(bounds), Some(extent)) = (context.rest.bounds.filter(|_| context.has_rig()), context.extent()) else { return };
    let (size, limit) = (extent.length(), context.settings.limit(Limit::OriginDistance));
    let distance = bounds.center().xz().length();
    if distance > limit * size && distance.is_finite() {
        let message = format!(
            "The rig stands {} from the origin, which is farther than it is large. Engines place it by the origin.",
            context.length(distance)
        );
        findings.add(CheckFinding { value: Some(distance), threshold: Some(limit * size), ..CheckFinding::new(Rule::OffOrigin, message) });
    }
}

//! Checks whether feet slide while they stand, and whether they sink below the ground of the rest pose.

use glam::DVec3;

use crate::check::context::CheckContext;
use crate::check::finding::{CheckFinding, Findings, Unit};
use crate::check::rule::{Limit, Rule};
use crate::check::worst::Worst;
use crate::model::node::NodeIndex;
use crate::numbers::agreeing;
use crate::session::locomotion::foot_contact::{ContactLimits, FootPoint};

use super::Sampled;

/// Checks the contacts of an animation.
pub fn check(context: &CheckContext, sampled: &Sampled, findings: &mut Findings) {
    let locomotion = &sampled.locomotion;
    let contacts = locomotion.contacts(&sampled.view);
    let slide_limit = context.settings.limit(Limit::FootSlide) * context.rest.size;
    let depth_limit = context.settings.limit(Limit::FootDepth) * context.rest.size;
    // A falling foot may be low and not slide, but it does not stand.
    let max_speed = ContactLimits::usual(context.rest.size).speed;
    let rest_height = |node: usize| context.rest.compiled.rest_globals[node].translation.y;
    let foot_points = sampled.rig.feet.iter().flat_map(|foot| &foot.points);
    let ground = foot_points.map(|&node| rest_height(node)).fold(f64::INFINITY, f64::min);
    let (mut slides, mut depths) = (Worst::default(), Worst::default());
    for (points, contacts) in locomotion.points.iter().zip(&contacts) {
        for contact in contacts.iter().filter(|contact| contact.slide > slide_limit && contact.slide.is_finite()) {
            let first_sample = contact.parts.first().map_or(0, |part| part.first);
            slides.add(contact.slide, (contact.node, first_sample));
        }
        // A foot that never stands may be at any height, as in a dive.
        if contacts.is_empty() {
            continue;
        }
        let largest_depth = |point: &FootPoint| {
            let samples = contacts.iter().flat_map(|contact| &contact.parts).flat_map(|part| part.first..=part.last);
            let standing = samples.filter(|&sample| keeps_height(&point.path, &locomotion.times, sample, max_speed));
            let heights = standing.filter_map(|sample| Some((sample, point.path.get(sample)?.y)));
            let (sample, height) = heights.min_by(|a, b| a.1.total_cmp(&b.1))?;
            Some((ground - height, (point.node, sample)))
        };
        if let Some((depth, node_and_sample)) = points.iter().filter_map(largest_depth).max_by(|a, b| a.0.total_cmp(&b.0))
            && depth > depth_limit
            && depth.is_finite()
        {
            depths.add(depth, node_and_sample);
        }
    }
    let name = context.animation_name(sampled.animation);
    let words = |worst: &Worst<(usize, usize)>, preposition: &str| {
        worst.words(|distance, (node, sample)| {
            let time = locomotion.times.get(*sample).copied().unwrap_or_default();
            format!("{} by {} {preposition} {time:.2} s", context.node_name(NodeIndex(*node as u32)), context.length(distance))
        })
    };
    let feet = agreeing(slides.count, "a standing foot slides", "standing feet slide");
    let message = format!("{name}: {feet} along the ground: {}.", words(&slides, "starting at"));
    let finding = CheckFinding { threshold: Some(slide_limit), unit: Some(Unit::Meters), ..CheckFinding::new(Rule::FootSlide, message) };
    add_finding(context, sampled, &slides, finding, findings);
    let feet = agreeing(depths.count, "a standing foot sinks", "standing feet sink");
    let message = format!("{name}: {feet} below the ground of the rest pose: {}.", words(&depths, "at"));
    let finding =
        CheckFinding { threshold: Some(depth_limit), unit: Some(Unit::Meters), ..CheckFinding::new(Rule::FootBelowGround, message) };
    add_finding(context, sampled, &depths, finding, findings);
}

/// Returns whether a point rises and falls by at most `max_speed`, in meters per second, just before and after a sample.
fn keeps_height(path: &[DVec3], times: &[f64], sample: usize, max_speed: f64) -> bool {
    let mut steps = (sample.saturating_sub(1)..=sample).filter(|step| step + 1 < path.len().min(times.len()));
    steps.all(|step| (path[step + 1].y - path[step].y).abs() <= max_speed * (times[step + 1] - times[step]))
}

/// Adds a finding about the worst foot, if there is one.
fn add_finding(context: &CheckContext, sampled: &Sampled, worst: &Worst<(usize, usize)>, finding: CheckFinding, findings: &mut Findings) {
    let Some(&(value, (node, sample))) = worst.first() else { return };
    findings.add(CheckFinding {
        node: Some(context.model.nodes[node].source),
        animation: Some(sampled.animation),
        time: sampled.locomotion.times.get(sample).copied(),
        value: Some(value),
        pointer: format!("/animations/{}", sampled.animation),
        ..finding
    });
}

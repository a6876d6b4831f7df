//! Writes the report of a comparison as text: a summary, the joints with the largest errors, and the other differences. Also provides
//! the titles of A and B for labels.

use std::fmt::{Result, Write};
use std::path::PathBuf;

use crate::numbers::{counted, grouped, three_digits};
use crate::report::terminal::{self, MAX_MESSAGE_CHARS};
use crate::report::text::{line, section};
use crate::session::document::Document;
use crate::session::file::file_list::distinct_name;
use crate::units::Units;

use super::counterpart::CompareView;
use super::differences::Difference;
use super::report::{AnimationReport, DiffReport, JointReport};
use super::vertices::MAX_VERTICES;

/// Maximum number of joints in the table.
const MAX_JOINTS: usize = 20;
/// Maximum number of other animations in the table.
const MAX_ANIMATIONS: usize = 20;
/// Maximum number of unmatched nodes that are listed per file.
const MAX_UNMATCHED: usize = 20;

/// Returns the report as lines of text.
pub fn to_text(report: &DiffReport) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write(report, &mut text);
    text
}

/// Writes all parts of the report.
fn write(report: &DiffReport, out: &mut String) -> Result {
    writeln!(out, "A {}", terminal::escape(&report.a, MAX_MESSAGE_CHARS))?;
    writeln!(out, "B {}", terminal::escape(&report.b, MAX_MESSAGE_CHARS))?;
    let animation = |animation: Option<usize>, name: Option<&str>, duration: f64| match (animation, name) {
        (Some(animation), Some(name)) => format!("animation {animation} {}, {duration:.3} s", terminal::quote(name)),
        (Some(animation), None) => format!("animation {animation}, {duration:.3} s"),
        (None, _) => "rest pose".into(),
    };
    let a = animation(report.animation.a, report.animation_name.a.as_deref(), report.duration.a);
    let b = animation(report.animation.b, report.animation_name.b.as_deref(), report.duration.b);
    line(out, "compared", &format!("A {a}; B {b}; at {}", counted(report.samples, "time")))?;
    let unmatched = [&report.unmatched.a, &report.unmatched.b].map(|nodes| index_list(nodes));
    let matched = grouped(report.joints.len());
    line(out, "nodes", &format!("{matched} matched; only in A: {}; only in B: {}", unmatched[0], unmatched[1]))?;
    line(out, "joints", &joint_summary(report))?;
    line(out, "vertices", &vertex_summary(report))?;
    if let (Some(max), Some(node), Some(time)) = (report.bounds_distance_max, report.bounds_node, report.bounds_time) {
        let worst = if max > 0.0 { format!(" at node {node} at {time:.3} s") } else { String::new() };
        line(out, "bounds", &format!("max {}{worst}, of meshes that cannot be compared by vertices", distance(max, report.height)))?;
    }
    if let Some(worst) = report.morph_targets.as_ref().filter(|worst| worst.distance_max > 0.0) {
        let place = format!("at vertex {} of morph target {} of node {}", worst.vertex, worst.target, worst.node);
        line(out, "morph targets", &format!("max {} {place}", distance(worst.distance_max, report.height)))?;
    }
    if let Some(worst) = report.joint_weights.as_ref().filter(|worst| worst.distance_max > 0.0) {
        let place = format!("at vertex {} of node {}, if one joint turned by 60 degrees", worst.vertex, worst.node);
        line(out, "joint weights", &format!("max {} {place}", distance(worst.distance_max, report.height)))?;
    }
    if !report.other_animations.is_empty() {
        let beyond = report.other_animations.iter().filter(|other| !other.within_tolerance).count();
        let beyond = if beyond == 0 { "none".into() } else { grouped(beyond) };
        line(out, "animations", &format!("{} more compared, {beyond} beyond the tolerance", grouped(report.other_animations.len())))?;
    }
    line(out, "tolerance", &verdict(report))?;
    write_joints(report, out)?;
    write_animations(report, out)?;
    let row = |difference: &Difference| vec![difference.code.into(), terminal::escape(&difference.message, MAX_MESSAGE_CHARS)];
    section(out, "differences", report.differences.iter().map(row))
}

/// Writes the table of the joints with the largest errors. Joints without errors are left out.
fn write_joints(report: &DiffReport, out: &mut String) -> Result {
    let differs = |joint: &&JointReport| joint.distance_max > 0.0 || joint.angle_max > 0.0;
    let rows = report.joints.iter().filter(differs).take(MAX_JOINTS).map(|joint| {
        vec![
            joint.a.to_string(),
            joint.name.as_deref().map_or_else(|| "-".into(), terminal::quote),
            format!("max {}", distance(joint.distance_max, report.height)),
            format!("mean {}", meters(joint.distance_mean)),
            angle(joint.angle_max),
            format!("at {:.3} s", joint.time),
        ]
    });
    section(out, "joints, the worst first", rows)?;
    match report.joints.iter().filter(differs).count().saturating_sub(MAX_JOINTS) {
        0 => Ok(()),
        more => writeln!(out, "  and {} more (--json lists all)", grouped(more)),
    }
}

/// Writes the table of the other animations with the largest errors, those beyond the tolerance first.
fn write_animations(report: &DiffReport, out: &mut String) -> Result {
    let distance_of = |other: &AnimationReport| {
        let distances = [Some(other.distance_max), other.vertex_distance_max, other.bounds_distance_max];
        distances.into_iter().flatten().fold(0.0, f64::max)
    };
    let mut others: Vec<&AnimationReport> = report.other_animations.iter().collect();
    others.sort_by(|a, b| {
        let by_distance = distance_of(b).total_cmp(&distance_of(a)).then(b.angle_max.total_cmp(&a.angle_max));
        a.within_tolerance.cmp(&b.within_tolerance).then(by_distance)
    });
    let part = |what: &str, value: Option<f64>| value.map_or_else(String::new, |value| format!("{what} {}", meters(value)));
    let rows = others.iter().take(MAX_ANIMATIONS).map(|other| {
        let (animation, duration) = (&other.animation, [other.duration.a, other.duration.b].map(|duration| format!("{duration:.3} s")));
        vec![
            if animation.a == animation.b { animation.a.to_string() } else { format!("{}:{}", animation.a, animation.b) },
            other.name.a.as_deref().or(other.name.b.as_deref()).map_or_else(|| "-".into(), terminal::quote),
            if duration[0] == duration[1] { duration[0].clone() } else { format!("{} in A, {} in B", duration[0], duration[1]) },
            part("joints", Some(other.distance_max)),
            angle(other.angle_max),
            part("vertices", other.vertex_distance_max),
            part("bounds", other.bounds_distance_max),
            if other.within_tolerance { String::new() } else { "beyond the tolerance".into() },
        ]
    });
    section(out, "other animations, the worst first", rows)?;
    match others.len().saturating_sub(MAX_ANIMATIONS) {
        0 => Ok(()),
        more => writeln!(out, "  and {} more (--json lists all)", grouped(more)),
    }
}

/// Whether the files count as equal, and if not, why.
fn verdict(report: &DiffReport) -> String {
    if report.within_tolerance {
        return "not exceeded".into();
    }
    let reasons: Vec<&str> = report.exceeded.iter().map(|reason| reason.text()).collect();
    format!("exceeded: {}", reasons.join(", "))
}

/// The errors of joints in one line.
fn joint_summary(report: &DiffReport) -> String {
    match (report.joints.is_empty(), report.unmatched.a.is_empty()) {
        (false, _) => format!("max {}, max {}", distance(report.distance_max, report.height), angle(report.angle_max)),
        (true, false) => "not compared: no node of A has a counterpart in B".into(),
        (true, true) => "none".into(),
    }
}

/// The errors of vertices in one line.
fn vertex_summary(report: &DiffReport) -> String {
    let height = report.height;
    let Some(errors) = &report.vertices else {
        let reason = match report.has_meshes {
            [false, false] => return "none".into(),
            [true, true] if report.has_mesh_pairs => "the topology differs",
            [true, true] => "no node with a mesh has a counterpart with a mesh",
            [false, true] => "A has no mesh",
            [true, false] => "B has no mesh",
        };
        return format!("not compared: {reason}");
    };
    // Vertices beyond the maximum are skipped, too.
    let limit = match errors.compared.saturating_add(errors.skipped) > MAX_VERTICES {
        true => format!(", or there are more than {}", grouped(MAX_VERTICES)),
        false => String::new(),
    };
    let skipped = match errors.skipped {
        0 => String::new(),
        skipped => format!("; {} not compared: the topology differs, or B lacks their mesh{limit}", grouped(skipped)),
    };
    let worst = match errors.distance_max > 0.0 {
        true => format!(" at vertex {} of node {} at {:.3} s", errors.vertex, errors.node, errors.time),
        false => String::new(),
    };
    let [max, mean] = [distance(errors.distance_max, height), meters(errors.distance_mean)];
    format!("max {max}{worst}, mean {mean}, {} compared{skipped}", grouped(errors.compared))
}

/// The indices of some nodes, or "none".
fn index_list(nodes: &[usize]) -> String {
    let listed: Vec<String> = nodes.iter().take(MAX_UNMATCHED).map(usize::to_string).collect();
    match nodes.len() {
        0 => "none".into(),
        count if count > MAX_UNMATCHED => format!("{} and {} more", listed.join(" "), grouped(count - MAX_UNMATCHED)),
        _ => listed.join(" "),
    }
}

/// A distance, and its percentage of the model's height.
fn distance(value: f64, height: Option<f64>) -> String {
    match height.filter(|height| *height > 0.0 && value > 0.0) {
        Some(height) => format!("{} ({} % of the height)", meters(value), three_digits(value / height * 100.0)),
        None => meters(value),
    }
}

/// A length in meters.
fn meters(value: f64) -> String {
    format!("{} m", three_digits(value))
}

/// An angle in degrees.
fn angle(value: f64) -> String {
    format!("{} degrees", three_digits(value))
}

/// Returns the titles of A and B, which have these names.
pub fn titles([a, b]: &[String; 2]) -> [String; 2] {
    [format!("A: {a}"), format!("B: {b}")]
}

/// Returns the title of the picture of A, or of its half side by side, if the models have these names.
pub fn picture_title(side_names: &[String; 2], layout: CompareView) -> String {
    let [a, b] = titles(side_names);
    match layout {
        CompareView::Side => a,
        CompareView::Overlay => format!("{b} as a ghost"),
        CompareView::Difference => format!("Distance to {b}"),
    }
}

/// Returns the names of A and B for a comparison of the files at two paths. Folders are shown as far as they are needed to distinguish the
/// files.
pub fn path_names([a, b]: [&PathBuf; 2]) -> [String; 2] {
    [distinct_name(a, [b]), distinct_name(b, [a])]
}

/// Returns the names of A and B for a comparison of two animations of one document.
pub fn animation_names(document: &Document, animations: [Option<usize>; 2]) -> [String; 2] {
    let existing = animations.map(|animation| document.model.existing_animation(animation));
    existing.map(|animation| animation.map_or("rest pose", |animation| document.names.animation(animation)).to_owned())
}

/// A distance between two files, for legends and panels. Distances that are too small for the user's unit are in micrometers.
pub fn small_distance(units: Units, meters: f64) -> String {
    if meters > 0.0 && meters < 1e-4 { format!("{:.1} \u{b5}m", meters * 1e6) } else { units.distance(meters) }
}

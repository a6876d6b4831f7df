//! Checks the file against the features and limits of the engine that its profile names.

use std::collections::BTreeSet;

use crate::model::label;
use crate::numbers::{agreeing, counted};

use super::context::CheckContext;
use super::finding::{CheckFinding, Findings, Unit};
use super::profile::ProfileEntry;
use super::rule::{Limit, Rule};
use super::worst::Worst;

/// Compares the file with the features and limits of the profile.
pub fn check(context: &CheckContext, findings: &mut Findings) {
    let entry = context.settings.profile.entry();
    check_influences(context, entry, findings);
    check_joints(context, entry, findings);
    check_names(context, entry, findings);
    check_unit(context, entry, findings);
    check_extensions(context, entry, findings);
}

/// Reports vertices with joints that the engine does not read, or with too many joints.
fn check_influences(context: &CheckContext, entry: &ProfileEntry, findings: &mut Findings) {
    let Some(limit) = entry.max_influences else { return };
    let faults = context.weights;
    if entry.reads_first_set_only {
        let Some((first, count)) = faults.later_sets else { return };
        let message = format!(
            "{} {} weights in WEIGHTS_1 or later sets; {} reads only JOINTS_0 and WEIGHTS_0.",
            counted(count, "vertex"),
            agreeing(count, "has", "have"),
            entry.label
        );
        let node = Some(context.source(first.node));
        findings.add(CheckFinding { node, value: Some(count as f64), ..CheckFinding::new(Rule::ProfileInfluences, message) });
        return;
    }
    let count = if limit < 8 { faults.too_many_joints.count } else { faults.above_many_joint_count };
    if count == 0 {
        return;
    }
    let largest = faults.max_joints.map_or(0, |(_, joints)| joints);
    let message = format!(
        "{} {} more than {limit} joints, up to {largest}; {} drops the joints with the smallest weights.",
        counted(count, "vertex"),
        agreeing(count, "follows", "follow"),
        entry.label
    );
    let node = faults.max_joints.map(|(vertex, _)| context.source(vertex.node));
    let finding = CheckFinding {
        node,
        value: Some(largest as f64),
        threshold: Some(limit as f64),
        ..CheckFinding::new(Rule::ProfileInfluences, message)
    };
    findings.add(finding);
}

/// Reports skins with too many joints.
fn check_joints(context: &CheckContext, entry: &ProfileEntry, findings: &mut Findings) {
    let Some(limit) = entry.max_joints else { return };
    for (index, skin) in context.model.skins.iter().enumerate().filter(|(_, skin)| skin.joints.len() > limit) {
        let count = skin.joints.len();
        let message = format!("Skin {index} has {count} joints; {} supports {limit} in one section of a mesh by default.", entry.label);
        findings.add(CheckFinding {
            node: skin.joints.first().map(|joint| context.source(*joint)),
            value: Some(count as f64),
            threshold: Some(limit as f64),
            pointer: format!("/skins/{index}/joints"),
            ..CheckFinding::new(Rule::ProfileJoints, message)
        });
    }
}

/// Reports nodes whose names the import changes.
fn check_names(context: &CheckContext, entry: &ProfileEntry, findings: &mut Findings) {
    let named = context.model.nodes.iter().zip(&context.document.joints).enumerate();
    let named = named
        .filter_map(|(index, (node, is_joint))| Some((index, node.name.as_deref()?, entry.forbidden_characters[usize::from(!is_joint)])));
    let (mut changed, mut characters) = (Worst::default(), BTreeSet::new());
    for (index, name, forbidden) in named {
        // A space in the list stands for all white space.
        let name_chars = name.chars().map(|char| if char.is_whitespace() || char == '\u{FEFF}' { ' ' } else { char });
        let found: Vec<_> = name_chars.filter(|char| forbidden.contains(*char)).collect();
        if !found.is_empty() {
            changed.add(0.0, (index, label::clean(name)));
            characters.extend(found);
        }
    }
    let Some((_, (index, _))) = changed.first() else { return };
    let characters: Vec<String> = characters.iter().map(|char| if *char == ' ' { "spaces".to_owned() } else { char.to_string() }).collect();
    let message = format!(
        "{} changes {} on import, because it does not keep {} in {}: {}.",
        entry.label,
        counted(changed.count, "node name"),
        characters.join(" "),
        agreeing(changed.count, "it", "them"),
        changed.words(|_, (_, name)| name.to_string())
    );
    let node = Some(context.model.nodes[*index].source);
    findings.add(CheckFinding { node, ..CheckFinding::new(Rule::ProfileNames, message) });
}

/// Reports a rig that seems to be in the engine's unit of length already, so that the import would scale it twice.
fn check_unit(context: &CheckContext, entry: &ProfileEntry, findings: &mut Findings) {
    let Some(height) = context.height().filter(|_| entry.unit != 1.0) else { return };
    let max_height = context.settings.limit(Limit::MaxHeight);
    if height > max_height {
        let message = format!(
            "The rig measures {height:.1} m, as if its numbers were centimeters. {} multiplies them by {:.0} on import.",
            entry.label,
            1.0 / entry.unit
        );
        findings.add(CheckFinding {
            value: Some(height),
            threshold: Some(max_height),
            unit: Some(Unit::Meters),
            ..CheckFinding::new(Rule::ProfileUnit, message)
        });
    }
}

/// Reports required extensions that the engine does not support.
fn check_extensions(context: &CheckContext, entry: &ProfileEntry, findings: &mut Findings) {
    if entry.extensions.is_empty() {
        return;
    }
    for extension in context.model.asset.extensions.iter().filter(|extension| extension.required) {
        if !entry.extensions.contains(&extension.name.as_str()) {
            let message = format!("The file requires {}, which {} does not support.", label::clean(&extension.name), entry.label);
            findings.add(CheckFinding { pointer: "/extensionsRequired".to_owned(), ..CheckFinding::new(Rule::ProfileExtension, message) });
        }
    }
}

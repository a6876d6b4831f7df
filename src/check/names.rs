//! Checks the names of animations, which engines find them by.

use std::collections::HashMap;

use super::context::CheckContext;
use super::finding::{CheckFinding, Findings};
use super::rule::Rule;

/// Reports equal and empty names.
pub fn check(context: &CheckContext, findings: &mut Findings) {
    let animations = &context.model.animations;
    let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, animation) in animations.iter().enumerate() {
        by_name.entry(animation.name.as_deref().unwrap_or_default().trim()).or_default().push(index);
    }
    if let Some(nameless) = by_name.remove("") {
        let message = match nameless.len() {
            1 => format!("Animation {} has no name.", nameless[0]),
            count => format!("{count} animations have no name, the first is animation {}.", nameless[0]),
        };
        let pointer = format!("/animations/{}/name", nameless[0]);
        let animation = Some(nameless[0]);
        findings.add(CheckFinding {
            animation,
            value: Some(nameless.len() as f64),
            pointer,
            ..CheckFinding::new(Rule::EmptyName, message)
        });
    }
    let mut equal: Vec<Vec<usize>> = by_name.into_values().filter(|equal| equal.len() > 1).collect();
    equal.sort_unstable();
    for equal in equal {
        let numbers: Vec<String> = equal.iter().take(5).map(usize::to_string).collect();
        let more = if equal.len() > 5 { ", ..." } else { "" };
        let name = context.animation_name(equal[0]);
        let message = format!(
            "{} animations are named {name}: {}{more}. Engines that find animations by name keep one.",
            equal.len(),
            numbers.join(", ")
        );
        findings.add(CheckFinding {
            animation: Some(equal[1]),
            value: Some(equal.len() as f64),
            pointer: format!("/animations/{}/name", equal[1]),
            ..CheckFinding::new(Rule::DuplicateName, message)
        });
    }
}

//! Checks the names of animations, by which engines find them.

use std::collections::HashMap;

use super::context::CheckContext;
use super::finding::{CheckFinding, Findings};
use super::rule::Rule;

/// Maximum number of animations with the same name that a message lists.
const MAX_INDICES: usize = 5;

/// Reports equal and missing names.
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
    let mut repeated: Vec<Vec<usize>> = by_name.into_values().filter(|animations| animations.len() > 1).collect();
    repeated.sort_unstable();
    for animations in repeated {
        let indices: Vec<String> = animations.iter().take(MAX_INDICES).map(usize::to_string).collect();
        let more = if animations.len() > MAX_INDICES { ", ..." } else { "" };
        let name = context.animation_name(animations[0]);
        let message = format!(
            "{} animations are named {name}: {}{more}. Engines that find animations by name keep one.",
            animations.len(),
            indices.join(", ")
        );
        findings.add(CheckFinding {
            animation: Some(animations[1]),
            value: Some(animations.len() as f64),
            pointer: format!("/animations/{}/name", animations[1]),
            ..CheckFinding::new(Rule::DuplicateName, message)
        });
    }
}

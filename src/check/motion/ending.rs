//! Tells whether an animation is meant to loop, and begins messages about its end.

use crate::check::context::CheckContext;
use crate::check::finding::CheckFinding;
use crate::check::rule::Rule;
use crate::session::names::parts;

/// Words in the name of an animation that is meant to loop.
const LOOP_WORDS: [&str; 2] = ["loop", "cycle"];

/// How an animation ends.
#[derive(Debug, Clone, Copy)]
pub struct Ending {
    /// Whether it ends near its first pose.
    pub is_closed: bool,
    /// Whether its name says that it is a loop.
    pub is_named: bool,
}

impl Ending {
    /// The end of an animation.
    pub fn new(context: &CheckContext, animation: usize, is_closed: bool) -> Self {
        Self { is_closed, is_named: is_named_loop(context, animation) }
    }

    /// Returns whether the animation is meant to loop.
    pub fn is_loop(self) -> bool {
        self.is_closed || self.is_named
    }

    /// The beginning of a message about a loop that does not end on its first pose.
    pub fn opening(self, context: &CheckContext, animation: usize) -> String {
        let ending = if self.is_closed {
            "ends near its first pose, but not on it"
        } else {
            "is named as a loop, but does not end on its first pose"
        };
        format!("{} {ending}", context.animation_name(animation))
    }
}

/// Returns whether the name of an animation says that it is meant to loop.
fn is_named_loop(context: &CheckContext, animation: usize) -> bool {
    let name = context.model.animations[animation].name.as_deref().unwrap_or_default();
    let is_loop_word =
        |part: &str| LOOP_WORDS.iter().any(|word| part.trim_matches(|c: char| !c.is_alphabetic()).eq_ignore_ascii_case(word));
    parts::parts(name).into_iter().any(is_loop_word)
}

/// A finding about the end of an animation, and about a joint if there is one.
pub fn finding(context: &CheckContext, animation: usize, node: Option<usize>, rule: Rule, message: String) -> CheckFinding {
    CheckFinding {
        node: node.map(|node| context.model.nodes[node].source),
        animation: Some(animation),
        time: Some(context.model.animations[animation].duration),
        pointer: format!("/animations/{animation}"),
        ..CheckFinding::new(rule, message)
    }
}

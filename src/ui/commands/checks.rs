//! Commands that run the checks and the validation, open the inspector at the results, and go to a finding.

use crate::check::finding::CheckFinding;
use crate::session::view::selection::{self, SelectMode};
use crate::ui::context::Context;
use crate::ui::context::request::Request;
use crate::ui::context::window_state::RevealedSection;

use super::{camera, playback};

/// Switches to the animation of a finding, out of the bind pose, and pauses at its time. Then selects the finding's node and frames that
/// node with its surroundings.
pub fn show(context: &mut Context, finding: &CheckFinding) {
    let animations = context.document.model.animations.len();
    if let Some(animation) = finding.animation.filter(|&animation| animation < animations) {
        if context.view.animation != Some(animation) || context.view.bind_pose {
            playback::choose_animation(context, Some(animation));
        }
        if let Some(time) = finding.time {
            context.transport.pause();
            playback::seek(context, time);
        }
    }
    if let Some(node) = finding.node.filter(|&node| context.document.model.node_from_source(node).is_some()) {
        selection::select(&mut context.view.selection, node, SelectMode::Only);
        camera::fit_around(context, node);
    }
}

/// Opens the inspector and scrolls to a section.
pub fn reveal(context: &mut Context, section: RevealedSection) {
    context.show_inspector(true);
    context.window.revealed_section = Some(section);
}

/// Runs the checks and shows their results.
pub fn run(context: &mut Context) {
    reveal(context, RevealedSection::Checks);
    context.requests.push(Request::RunChecks);
}

/// Runs the full validation and shows its findings.
pub fn validate(context: &mut Context) {
    reveal(context, RevealedSection::Findings);
    context.requests.push(Request::Validate);
}

//! Commands for shading, skin weights, joint names and comparisons.

use crate::compare::counterpart::CompareView;
use crate::session::view::display::{JointNames, Shading, Weights};
use crate::ui::context::Context;
use crate::ui::context::comparison::OtherKind;
use crate::ui::context::request::Request;

/// Sets the shading. Weight colors are switched off, because they would replace it.
pub fn shade(context: &mut Context, shading: Shading) {
    (context.view.display.shading, context.view.display.weights) = (shading, Weights::Off);
}

/// Shows these weights, or hides them if they are shown. `covered` is the choice that the weights of all joints have replaced. Hiding the
/// weights of all joints restores that choice.
pub fn toggle_weights(context: &mut Context, covered: &mut Weights, weights: Weights) {
    let shown = &mut context.view.display.weights;
    let before = std::mem::replace(shown, weights);
    match (before, weights) {
        (Weights::All, Weights::All) => *shown = *covered,
        (_, Weights::All) => *covered = before,
        (Weights::Selection, _) => *shown = Weights::Off,
        _ => {}
    }
}

/// Shows all joint names, or hides them.
pub fn toggle_joint_names(context: &mut Context) {
    let names = &mut context.view.display.names;
    *names = if *names == JointNames::All { JointNames::None } else { JointNames::All };
}

/// Toggles a value.
pub fn flip(value: &mut bool) {
    *value = !*value;
}

/// Compares the playing animation with the next one of the file. If it is already compared with an animation of the file, moves on to the
/// one after that.
pub fn compare_with_another(context: &mut Context) {
    let (model, count) = (&context.document.model, context.document.model.animations.len());
    let Some(playing) = context.view.animation else { return };
    let same_file = context.status.comparison.as_ref().filter(|status| status.kind == OtherKind::SameFile);
    let from = same_file.and_then(|status| status.other_animation(model, context.view)).unwrap_or(playing);
    if let Some(next) = (1..=count).map(|step| (from + step) % count).find(|&next| next != playing) {
        context.requests.push(Request::CompareAnimation(next));
    }
}

/// Shows the comparison in this layout.
pub fn compare(context: &mut Context, layout: CompareView) {
    if let Some(status) = &mut context.status.comparison {
        status.choices.layout = layout;
    }
}

//! Commands for shading, skin weights and joint names.

use crate::compare::counterpart::Layout;
use crate::session::view::display::{JointNames, Shading, Weights};
use crate::ui::context::Context;

/// Sets the shading. This replaces weight colors, because they are a shading too.
pub fn shade(context: &mut Context, shading: Shading) {
    (context.view.display.shading, context.view.display.weights) = (shading, Weights::Off);
}

/// Shows these weights, or switches them off if they are shown. `covered` remembers the weights that were shown before those of all
/// joints, and restores them afterwards.
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

/// Switches a value that is on or off.
pub fn flip(value: &mut bool) {
    *value = !*value;
}

/// Shows the comparison in this layout.
pub fn compare(context: &mut Context, layout: Layout) {
    if let Some(status) = &mut context.status.comparison {
        status.choices.layout = layout;
    }
}

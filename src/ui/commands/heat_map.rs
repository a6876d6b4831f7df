//! Switches the colors of skin weights: off, those of the selection, or those of all joints.

use crate::session::view::display::Weights;
use crate::ui::context::Context;

/// Shows these weights, or switches them off if they are shown. `covered` remembers the weights that were shown before those of all
/// joints, and restores them afterwards.
pub fn toggle(context: &mut Context, covered: &mut Weights, weights: Weights) {
    let shown = &mut context.view.display.weights;
    let before = std::mem::replace(shown, weights);
    match (before, weights) {
        (Weights::All, Weights::All) => *shown = *covered,
        (_, Weights::All) => *covered = before,
        (Weights::Selection, _) => *shown = Weights::Off,
        _ => {}
    }
}

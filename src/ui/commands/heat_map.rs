//! The colours of skin weights: switching between off, the selection's and all joints'.

use crate::session::view::display::Weights;
use crate::ui::context::Context;

/// Switches weights off if they are shown. All joints' colours cover the selection's weights, which return without them: `covered`
/// remembers these.
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

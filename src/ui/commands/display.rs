//! How the model is drawn: shading and joint names.

use crate::session::view::display::{JointNames, Shading, Weights};
use crate::ui::context::Context;

/// The colours of weights are a shading too: another one replaces them.
pub fn shade(context: &mut Context, shading: Shading) {
    (context.view.display.shading, context.view.display.weights) = (shading, Weights::Off);
}

/// All names, or none.
pub fn toggle_joint_names(context: &mut Context) {
    let names = &mut context.view.display.names;
    *names = if *names == JointNames::All { JointNames::None } else { JointNames::All };
}

pub fn flip(value: &mut bool) {
    *value = !*value;
}

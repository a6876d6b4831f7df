//! Commands for shading, skin weights, joint names and comparisons.

use crate::compare::counterpart::CompareView;
use crate::session::view::display::{HeatMap, JointNames, Shading};
use crate::ui::context::Context;
use crate::ui::context::comparison::OtherKind;
use crate::ui::context::request::Request;

/// Sets the shading. Weight colors are switched off, because they would replace it.
pub fn shade(context: &mut Context, shading: Shading) {
    (context.view.display.shading, context.view.display.heat_map) = (shading, HeatMap::Off);
}

/// Shows this heat map, or hides it if it is shown. `covered` is the choice that the heat map of all joints has replaced. Hiding the
/// heat map of all joints restores that choice.
pub fn toggle_heat_map(context: &mut Context, covered: &mut HeatMap, heat_map: HeatMap) {
    let shown = &mut context.view.display.heat_map;
    let before = std::mem::replace(shown, heat_map);
    match (before, heat_map) {
        (HeatMap::All, HeatMap::All) => *shown = *covered,
        (_, HeatMap::All) => *covered = before,
        (HeatMap::Selection, _) => *shown = HeatMap::Off,
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
    let same_file = context.comparison.as_deref().filter(|status| status.kind == OtherKind::SameFile);
    let from = same_file.and_then(|status| status.other_animation(model, context.view)).unwrap_or(playing);
    if let Some(next) = (1..=count).map(|step| (from + step) % count).find(|&next| next != playing) {
        context.requests.push(Request::CompareAnimation(next));
    }
}

/// Shows the comparison in this layout.
pub fn compare(context: &mut Context, layout: CompareView) {
    if let Some(status) = context.comparison.as_deref_mut() {
        status.choices.layout = layout;
    }
}

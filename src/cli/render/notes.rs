//! Notes on flags that have no effect, and on overlays and pictures that show nothing.

use glam::DVec2;

use crate::asset::file::panorama::Panorama;
use crate::cli::args::render::RenderArgs;
use crate::cli::{messages, view};
use crate::compare::counterpart::CompareView;
use crate::export::render_command::value;
use crate::numbers::agreeing;
use crate::session::analyses::Subject;
use crate::session::locomotion::cache::LocomotionCache;
use crate::session::time::moment::Moment;
use crate::session::view::View;
use crate::session::view::display::{Display, GhostSource, JointNames, Lighting};
use crate::session::view::overlay::Overlay;

/// Prints the notes that follow from the flags and the view. Errors if a panorama that is not used cannot be read.
pub fn note_flags(args: &RenderArgs, view: &View) -> anyhow::Result<()> {
    note_missing_selection(args, view);
    note_unused_times(args, view);
    note_missing_animation(args, view);
    note_unused_timing(args, view);
    note_unused_light(args, view);
    note_missing_shadow(args, view);
    note_unused_environment(args, view)
}

/// Prints the notes that follow from the content of the file.
pub fn note_content(args: &RenderArgs, subject: Subject) {
    note_nothing_to_draw(args, subject);
    note_unused_selection(args, subject);
    note_missing_footprints(subject);
}

/// Notes overlays that need a selection if there is none.
fn note_missing_selection(args: &RenderArgs, view: &View) {
    // If nothing moves, [`note_missing_animation`] notes the trail.
    for (overlay, is_noted) in [(Overlay::Outline, false), (Overlay::Trail, is_still(args, view))] {
        if args.has_overlay(overlay) && view.selection.is_empty() && !is_noted {
            let name = value(overlay);
            messages::note(format_args!("no {name}: nothing is selected; use --select, or --state with a view that has a selection"));
        }
    }
}

/// Returns whether nothing moves. The tiles of a sheet play animations by themselves.
fn is_still(args: &RenderArgs, view: &View) -> bool {
    view.animation.is_none() && view.layers.is_empty() && args.sheet.is_none()
}

/// Notes flags about time that have no effect.
fn note_unused_times(args: &RenderArgs, view: &View) {
    // The path and the footprints of an animation are shown in the bind pose, too.
    let shows_animation = args.sheet.is_some() || view.bind_pose && LocomotionCache::is_drawn(view);
    let flags = [("--range", args.range.is_some()), ("--time", args.time.is_some()), ("--repeat", args.repeat.is_some())];
    let (reason, flags) = match view::why_still(view).filter(|_| !shows_animation) {
        Some(reason) => (reason, &flags[..]),
        None if args.turntable.is_some() && view.animation.is_none() && !view.bind_pose => {
            ("layers over the rest pose have no end", &flags[..1])
        }
        None => return,
    };
    note_unused(flags, &format!("{reason}; use --animation"));
}

/// Notes those of these flags that are given: they have no effect, for this reason.
fn note_unused(flags: &[(&str, bool)], reason: &str) {
    let unused: Vec<&str> = flags.iter().filter(|(_, is_given)| *is_given).map(|(name, _)| *name).collect();
    if !unused.is_empty() {
        messages::note(format_args!("{} {} no effect: {reason}", unused.join(", "), agreeing(unused.len(), "has", "have")));
    }
}

/// Notes the timing of a comparison if there are no animations to compare.
fn note_unused_timing(args: &RenderArgs, view: &View) {
    if is_still(args, view) {
        let flags = [("--compare-stretch", args.compared.compare_stretch), ("--compare-offset", args.compared.compare_offset != 0.0)];
        note_unused(&flags, "nothing moves; use --animation");
    }
}

/// Notes the flags about shading and light that have no effect, because surfaces show something else.
fn note_unused_light(args: &RenderArgs, view: &View) {
    let display = &view.display;
    let replaced = shown_instead_of_shading(args, display);
    let reason = match replaced {
        Some(reason) => reason.to_owned(),
        None if !display.shading.is_lit() => format!("--shading {} shows colors without light", value(display.shading)),
        None if display.lighting == Lighting::None => "--lighting none shows colors without light".to_owned(),
        None => return,
    };
    // The environment may be the background. Shading and lighting decide whether there is a shadow on the ground.
    let has_background =
        display.environment.shown && display.lighting == Lighting::Studio && !args.transparent && args.background.is_none();
    let has_shadow = Overlay::Shadow.is_on(display);
    let is_unlit = replaced.is_some() || !display.shading.is_lit();
    let lights_nothing = is_unlit && !display.environment.shown && !(has_shadow && display.shading.is_lit());
    let flags = [
        ("--shading", args.shading.is_some() && replaced.is_some() && !has_shadow),
        ("--lighting", args.lighting.is_some() && lights_nothing),
        ("--environment", args.environment.is_some() && lights_nothing && display.lighting == Lighting::Studio),
        ("--exposure", args.exposure.is_some() && !has_background),
        ("--tonemap", args.tonemap.is_some() && !has_background),
    ];
    note_unused(&flags, &reason);
}

/// Returns the reason why no shading is seen, for a note. `None` if nothing replaces the shading.
fn shown_instead_of_shading(args: &RenderArgs, display: &Display) -> Option<&'static str> {
    if args.compared.compare.is_some() && args.compared.compare_view == CompareView::Difference {
        return Some("--compare-view difference shows distances as colors");
    }
    Overlay::Weights.is_on(display).then_some("--overlay weights shows skin weights as colors")
}

/// Notes a shadow of the flags that no light casts.
fn note_missing_shadow(args: &RenderArgs, view: &View) {
    let display = &view.display;
    if !args.has_overlay(Overlay::Shadow) {
        return;
    }
    if display.lighting != Lighting::Studio {
        messages::note("no shadow: only --lighting studio has a light that casts one");
    } else if !display.shading.is_lit() {
        messages::note(format_args!("no shadow: --shading {} shows colors without light", value(display.shading)));
    }
}

/// Notes a selection of the flags that nothing in the picture shows.
fn note_unused_selection(args: &RenderArgs, Subject { document, view, .. }: Subject) {
    let is_marked = document.marks_selection(view) && !args.hides_overlays();
    let reason = "the overlays do not show what is selected; add outline, skeleton or trail";
    note_unused(&[("--select", !args.select.is_empty() && !is_marked)], reason);
}

/// Notes overlays that show motion if nothing moves.
fn note_missing_animation(args: &RenderArgs, view: &View) {
    if !is_still(args, view) {
        return;
    }
    // The ghosts of a view file may show the rest pose or the bind pose.
    let shows_times = view.display.ghosts.source == GhostSource::Times;
    let needs_motion = [(Overlay::Trail, true), (Overlay::Ghosts, shows_times), (Overlay::Path, true), (Overlay::Contacts, true)];
    let missing = needs_motion.into_iter().filter(|&(overlay, is_missing)| is_missing && args.has_overlay(overlay));
    let names: Vec<String> = missing.map(|(overlay, _)| value(overlay)).collect();
    if !names.is_empty() {
        messages::note(format_args!("no {}: nothing moves; use --animation", names.join(", ")));
    }
}

/// Notes a panorama of the flags that does not light the model. Errors if it cannot be read, as if it were used.
fn note_unused_environment(args: &RenderArgs, view: &View) -> anyhow::Result<()> {
    if let Some(file) = &args.environment
        && view.display.lighting != Lighting::Studio
    {
        Panorama::read(file)?;
        messages::note("--environment has no effect: a panorama lights the model only with --lighting studio");
    }
    Ok(())
}

/// Notes if there is nothing to draw. Sheets of several files and comparisons are left out, because they draw other models, too.
fn note_nothing_to_draw(args: &RenderArgs, Subject { document, view, .. }: Subject) {
    let model = &document.model;
    let in_scene = model.nodes_in_scene(model.scene_or_default(view.scene));
    let has_mesh = model.nodes.iter().zip(&in_scene).any(|(node, in_scene)| *in_scene && node.mesh.is_some());
    let shows_joints = document.shows_skeleton(view) || view.display.names == JointNames::All;
    let has_skeleton = shows_joints && document.skeleton_nodes(view).contains(&true);
    let has_other_models = !args.others.is_empty() || args.compared.compare.is_some();
    if has_mesh || has_skeleton && !args.hides_overlays() || has_other_models {
        return;
    }
    let reason = if !in_scene.contains(&true) {
        "the scene is empty"
    } else if has_skeleton {
        "no node of the scene has a mesh, and --overlay none hides the skeleton"
    } else {
        "no node of the scene has a mesh"
    };
    messages::note(format_args!("nothing to draw: {reason}"));
}

/// Notes if the foot contacts of the view leave no footprints. Pictures need the result, too, and find it in the cache.
fn note_missing_footprints(Subject { document, analyses, view }: Subject) {
    if !view.display.contacts {
        return;
    }
    let locomotion = analyses.compute_locomotion(document, view, &Moment::from(0.0));
    if locomotion.is_some_and(|locomotion| locomotion.ground_velocity != DVec2::ZERO) {
        messages::note("no footprints: the model walks on the spot, so its footprints would move with the ground");
    }
}

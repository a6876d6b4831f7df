//! The view that the picture shows: a view file, overridden by the flags.

use clap::ValueEnum;

use crate::cli::args::render::RenderArgs;
use crate::cli::view;
use crate::model::Model;
use crate::session::view::View;
use crate::session::view::display::Display;
use crate::session::view::overlay::Overlay;
use crate::session::view::selector::{self, Selector};

/// The view file, overridden by the flags. Without `--overlay` and without a view file there are no overlays.
pub fn chosen_view(args: &RenderArgs, state: View, model: &Model) -> anyhow::Result<View> {
    let mut view = state;
    // The flag replaces the range, so the saved one may not fit the animation.
    if args.range.is_some() {
        view.range = None;
    }
    view::apply(model, &mut view, args.scene, args.animation.as_ref(), args.camera.as_ref())?;
    view.repeat = args.repeat.unwrap_or(view.repeat);
    // A turntable without an animation ignores the range.
    if let Some(span) = args.range.filter(|_| args.turntable.is_none() || view.animation.is_some()) {
        view::set_range(model, &mut view, span, "--range")?;
    }
    if !args.select.is_empty() {
        view.selection = selected(args, model)?;
    }
    // A plain picture shows the model only. Flags and view files add to that.
    if args.state.is_none() {
        view.display = Display::plain();
    }
    set_display(args, &mut view.display);
    if let Some(selector) = args.variant.clone().or(view.display.variant.map(Selector::Index)) {
        view.display.variant = Some(view::note_namesakes(selector::variant(model, &selector)?, "variant", &selector));
    }
    Ok(view)
}

/// Sets overlays, lighting and shading from the flags.
pub fn set_display(args: &RenderArgs, display: &mut Display) {
    if !args.overlay.is_empty() {
        for &overlay in Overlay::value_variants() {
            overlay.set(display, args.has_overlay(overlay));
        }
    }
    display.lighting = args.lighting.unwrap_or(display.lighting);
    display.environment.file = args.environment.clone().or(display.environment.file.take());
    display.tonemap = args.tonemap.unwrap_or(display.tonemap);
    display.shading = args.shading.unwrap_or(display.shading);
    display.exposure = args.exposure.unwrap_or(display.exposure);
}

/// The selected nodes, as the file's indices. The last one is the active node.
fn selected(args: &RenderArgs, model: &Model) -> anyhow::Result<Vec<usize>> {
    let find = |text: &String| {
        let Ok(mut selector) = text.parse::<Selector>();
        // A name may have blanks around it. If there is no such name, they belong to the list, as in "A, B".
        if selector::node(model, &selector).is_err() {
            let Ok(trimmed) = text.trim().parse();
            selector = trimmed;
        }
        Ok(view::note_namesakes(selector::node(model, &selector)?, "node", &selector))
    };
    args.select.iter().map(find).collect()
}

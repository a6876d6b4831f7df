//! Finds flags that contradict each other or the output, which clap cannot check. The messages become usage errors.

use std::io::{self, IsTerminal};

use crate::cli::args::render::RenderArgs;
use crate::session::time::clip::ClipFormat;
use crate::session::view::overlay::Overlay;

use super::output::{self, is_stdout};

/// The names of outputs that are clips, for messages.
const CLIP_NAMES: &str = "give -o DIR/%04d.png, OUT.gif, OUT.mp4 or OUT.webm, or --fps for an animated OUT.png";
/// The same names for a message about `--fps`.
const CLIP_NAMES_WITH_FPS: &str = "give -o DIR/%04d.png, OUT.gif, OUT.mp4 or OUT.webm, or OUT.png for an animated PNG";

/// Errors with a message if flags contradict each other or the output.
pub fn check(args: &RenderArgs) -> Result<(), String> {
    if args.hides_overlays() && args.overlay.iter().any(Option::is_some) {
        return Err("--overlay none means no overlay at all: leave out none, or the others".into());
    }
    output::check_name(args)?;
    match output::format(args) {
        Some(_) if args.sheet.is_some() => Err("a contact sheet is a single picture: give -o OUT.png".into()),
        Some(format) => check_clip(args, format),
        None => check_still(args),
    }
}

/// Errors with a message if flags do not fit a still picture.
fn check_still(args: &RenderArgs) -> Result<(), String> {
    if args.range.is_some() || args.turntable.is_some() || args.loops.is_some() {
        return Err(format!("--range, --turntable and --loops make a clip: {CLIP_NAMES}"));
    }
    if args.fps.is_some() {
        return Err(format!("--fps is the rate of a clip: {CLIP_NAMES_WITH_FPS}"));
    }
    if args.repeat.is_some() && !is_repeat_visible(args) {
        return Err(format!("--repeat is the loop mode of a clip: {CLIP_NAMES}"));
    }
    if is_stdout(&args.output) && io::stdout().is_terminal() {
        return Err("-o - writes a picture to the standard output, which is a terminal: redirect it to a file or to a program".into());
    }
    Ok(())
}

/// Errors with a message if flags do not fit a clip of this format.
fn check_clip(args: &RenderArgs, format: ClipFormat) -> Result<(), String> {
    if args.time.is_some() {
        return Err("--time is the time of a still picture; a clip takes --range START..END".into());
    }
    if args.animation.is_none() && args.state.is_none() && args.turntable.is_none() {
        return Err("a clip needs motion: --animation A, or --turntable SECONDS for the rest pose".into());
    }
    if args.transparent && !format.can_be_transparent() {
        return Err("MP4 cannot be transparent: use OUT.webm, OUT.gif, or PNG".into());
    }
    if let Some(fps) = args.fps.filter(|&fps| fps > format.max_rate()) {
        return Err(format!("{fps} frames per second are too many for {}: the limit is {}", format.label(), format.max_rate()));
    }
    Ok(())
}

/// Returns whether the loop mode may change a still picture: ghosts and foot contacts show what comes before and after its moment, and the
/// phases of a sheet include the end of an animation that does not loop.
fn is_repeat_visible(args: &RenderArgs) -> bool {
    let has_phases = args.sheet.is_some() && args.animation.is_some();
    has_phases || args.state.is_some() || args.has_overlay(Overlay::Ghosts) || args.has_overlay(Overlay::Contacts)
}

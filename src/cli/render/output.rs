//! Decides whether `-o` names a still picture or a clip, and the clip's format. It looks at the file extension, a number in the name, and
//! other flags.

use crate::export::clip::ClipTarget;
use crate::export::formats::sequence::Numbered;
use crate::session::time::clip::ClipFormat;

use crate::cli::args::render::RenderArgs;

/// The clip to write; `None` for a still picture. Errors with a message if flags contradict each other.
pub fn clip(args: &RenderArgs) -> Result<Option<ClipTarget>, String> {
    let format = format(args);
    if args.sheet.is_some() && format.is_some() {
        return Err("a contact sheet is a single picture: give -o OUT.png".into());
    }
    let Some(format) = format else {
        if args.range.is_some() || args.turntable.is_some() {
            return Err("--range and --turntable make a clip: give -o DIR/%04d.png, OUT.gif, OUT.mp4 or OUT.webm, or --fps for an \
                        animated OUT.png"
                .into());
        }
        return Ok(None);
    };
    // The remaining checks refuse flags that do not fit a clip or its format.
    if args.time.is_some() {
        return Err("--time is the time of a still picture; a clip takes --range A..B".into());
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
    Ok(Some(ClipTarget { format, path: args.output.clone(), overwrite: true }))
}

/// The format of the clip; `None` for a still picture.
fn format(args: &RenderArgs) -> Option<ClipFormat> {
    let extension = args.output.extension()?.to_str()?.to_ascii_lowercase();
    match extension.as_str() {
        "png" if Numbered::parse(&args.output).is_some() => Some(ClipFormat::Sequence),
        "png" => args.fps.map(|_| ClipFormat::Apng),
        "gif" => Some(ClipFormat::Gif),
        "mp4" => Some(ClipFormat::Mp4),
        "webm" => Some(ClipFormat::Webm),
        _ => None,
    }
}

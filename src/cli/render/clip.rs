//! Runs `sinew render` for a clip, with progress on stderr. After Ctrl+C it leaves no partial files.

use std::io::{IsTerminal, Write, stderr};
use std::sync::Arc;

use anyhow::Context;

use crate::end_signals;
use crate::export::clip::{self, ClipTarget, PartialFiles};
use crate::export::formats::encoder::ExportProgress;
use crate::export::formats::sequence::Numbered;
use crate::export::still::options::StillOptions;
use crate::export::still::{self, Stills};
use crate::numbers;
use crate::render::picture::Background;
use crate::session::analyses::Subject;
use crate::session::camera::orbit_controls;
use crate::session::time::clip::{Clip, ClipFormat, ClipLength, usual_rate};

use crate::cli::args::render::RenderArgs;
use crate::cli::{escaped, exit, messages};

use super::explicit_camera::explicit_camera;
use super::scene::{RenderScene, uploaded};

/// Draws and writes a clip. Ctrl+C cancels it and leaves no files behind; a second Ctrl+C ends the program at once.
pub fn run(args: &RenderArgs, target: &ClipTarget, scene: &mut RenderScene, options: &StillOptions) -> anyhow::Result<()> {
    let RenderScene { gpu, renderer, gpu_model, document, analyses, view, compared, .. } = scene;
    let (document, analyses, view) = (&*document, &*analyses, &*view);
    let subject = Subject { document, analyses, view };
    let rate = document.rate(view).fps;
    let fps = args.fps.unwrap_or_else(|| usual_rate(rate, target.format));
    if args.fps.is_none() && fps < rate {
        let format = target.format;
        messages::note(format_args!(
            "the clip has {} frames per second, not {}: {} has at most {}",
            numbers::rate(fps),
            numbers::rate(rate),
            format.label(),
            format.max_rate()
        ));
    }
    let length = args.turntable.map_or(ClipLength::Loops(args.loops.unwrap_or(1)), ClipLength::Turntable);
    let clip = Clip::new(&document.model, view, fps, length)?;
    let [width, height] = target.format.size([options.width, options.height]);
    if [width, height] != [options.width, options.height] {
        messages::note(format_args!("video sizes must be even; using {width}x{height} pixels"));
    }
    let mut options = StillOptions { width, height, ..options.clone() };
    let aspect = still::aspect([width, height], compared.as_ref().map(|compared| compared.model.layout));
    let first = clip.frames.first().map_or(0.0, |frame| frame.time);
    // The orbit is fitted once, at the first frame, so that the camera only turns.
    let orbit = args.turntable.map(|_| orbit_controls::turntable(subject, &subject.posed(first), aspect));
    let bounds = analyses.crowd_bounds(view);

    let progress = Arc::new(ExportProgress::default());
    handle_interrupts(progress.clone(), PartialFiles::from_target(target))?;
    let transparent = options.background == Background::Transparent;
    let (mut line, frames) = (ProgressLine::default(), clip.frames.len());
    let mut drawn = 0;
    let mut stills = Stills::new(gpu, renderer, subject);
    stills.progress = Some(&progress);
    if let Some(compared) = &*compared {
        stills.compare_with(compared.model.compared(&document.model, options.units));
    }
    let models = uploaded(gpu_model, compared.as_ref());
    // The writer requests the frames one by one, so that they are not all in memory at the same time.
    let written = clip::write(&clip, [width, height], transparent, target, &progress, |frame| {
        drawn += 1;
        line.show(&format!("frame {drawn} of {frames}"));
        options.camera = explicit_camera(args, &bounds, frame.turn);
        stills.orbit = orbit.map(|orbit| orbit_controls::turned(&orbit, frame.turn));
        stills.draw(models, frame.moment(), &options)
    });
    drop(line);
    written?;
    if let Some(names) = Numbered::parse(&target.path).filter(|_| target.format == ClipFormat::Sequence)
        && let Some([first, last]) = names.leftovers(frames)
    {
        messages::note(format_args!("older frames remain after the last one, from {} to {}", escaped(&first), escaped(&last)));
    }
    Ok(())
}

/// Cancels the clip on the first signal that asks the process to end, for example Ctrl+C. The second one does not wait for the current
/// frame: it removes the partial files and ends the program without exit handlers, because those would free a driver that is drawing. It
/// waits while the pictures of a sequence replace older ones, which takes a moment.
fn handle_interrupts(progress: Arc<ExportProgress>, partial_files: PartialFiles) -> anyhow::Result<()> {
    let on_signal = move |_| {
        if progress.is_canceled() && !progress.moves_files() {
            partial_files.remove();
            signal_hook::low_level::exit(exit::FAILED.into());
        }
        progress.cancel();
    };
    end_signals::listen(on_signal).context("cannot handle Ctrl+C")
}

/// A progress line on stderr that overwrites itself. It prints nothing unless stderr is a terminal.
#[derive(Default)]
struct ProgressLine {
    /// Number of bytes of the last text, which the next one overwrites.
    length: usize,
}

impl ProgressLine {
    /// Replaces the text of the line.
    fn show(&mut self, text: &str) {
        let mut stderr = stderr();
        if stderr.is_terminal() {
            // Failing to show progress is not worth an error.
            let _ = write!(stderr, "\r{text:width$}", width = self.length).and_then(|()| stderr.flush());
            self.length = text.len();
        }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        if self.length > 0 {
            self.show("");
            let _ = write!(stderr(), "\r");
        }
    }
}

//! `sinew render` with a clip to write: how far it is on stderr, and Ctrl+C leaves nothing half-written.

use std::io::{IsTerminal, Write, stderr};
use std::sync::Arc;

use anyhow::{Context, bail};

use crate::export::clip::{self, Progress, Remains, Target};
use crate::export::sequence::Numbered;
use crate::export::still::{StillOptions, Stills};
use crate::model::Model;
use crate::render::device::gpu::Gpu;
use crate::render::model::GpuModel;
use crate::render::picture::Background;
use crate::render::renderer::Renderer;
use crate::session::analyses::Subject;
use crate::session::camera::orbit_controls;
use crate::session::time::clip::{Clip, ClipFormat, usual_rate};
use crate::session::view::View;
use crate::session::view::playback_range;

use super::args::RenderArgs;
use super::exit;
use super::render::explicit_camera;
use super::values::Span;

/// Puts `--range` into the view.
pub fn set_range(model: &Model, view: &mut View, span: Span) -> anyhow::Result<()> {
    let duration = playback_range::duration(model, view);
    let [start, end] = [span.start.unwrap_or(0.0), span.end.unwrap_or(duration)];
    if view.animation.is_some() && start > duration {
        bail!("the range begins at {start} s, and the animation ends at {duration} s");
    }
    view.range = Some([start, end]);
    Ok(())
}

/// Draws and writes it.
pub fn run(
    args: &RenderArgs,
    target: &Target,
    (gpu, renderer, gpu_model): (&Gpu, &mut Renderer, &GpuModel),
    subject: Subject,
    options: &StillOptions,
) -> anyhow::Result<()> {
    let Subject { document, analyses, view } = subject;
    let fps = args.fps.unwrap_or_else(|| usual_rate(document.rate(view).fps, target.format));
    let clip = Clip::new(&document.model, view, fps, args.turntable)?;
    let [width, height] = target.format.size([options.width, options.height]);
    if [width, height] != [options.width, options.height] {
        eprintln!("note: a video has even sides; this one has {width}x{height} pixels");
    }
    let mut options = StillOptions { width, height, ..options.clone() };
    let aspect = f64::from(width) / f64::from(height);
    let first = clip.frames.first().map_or(0.0, |frame| frame.time);
    let orbit = args.turntable.map(|_| orbit_controls::turntable(subject, &subject.posed(first), aspect));
    let bounds = analyses.crowd_bounds(view);

    let progress = Arc::new(Progress::default());
    let (interrupted, remains) = (progress.clone(), Remains::of(target));
    let heard = ctrlc::set_handler(move || {
        // Who asks twice does not wait for the frame that is being drawn.
        if interrupted.is_cancelled() {
            remains.remove();
            signal_hook::low_level::exit(exit::FAILED.into());
        }
        interrupted.cancel();
    });
    heard.context("cannot wait for Ctrl+C")?;
    let transparent = options.background == Background::Transparent;
    let (mut said, frames) = (Said::default(), clip.frames.len());
    let mut drawn = 0;
    let mut stills = Stills::new(gpu, renderer, subject);
    let written = clip::write(&clip, [width, height], transparent, target, &progress, |frame| {
        drawn += 1;
        said.say(&format!("frame {drawn} of {frames}"));
        options.camera = explicit_camera(args, &bounds, frame.turn);
        stills.orbit = orbit.map(|orbit| orbit_controls::turned(&orbit, frame.turn));
        stills.draw_all(gpu_model, frame.moment(), &options)
    });
    drop(said);
    written?;
    if let Some(names) = Numbered::parse(&target.path).filter(|_| target.format == ClipFormat::Sequence)
        && let Some(last) = names.last_behind(frames)
    {
        let first = names.path(frames);
        eprintln!("note: older pictures lie behind the last one, from {} to {}", first.display(), last.display());
    }
    Ok(())
}

/// A line that is written over, where a person reads it.
#[derive(Default)]
struct Said {
    length: usize,
}

impl Said {
    fn say(&mut self, text: &str) {
        let mut stderr = stderr();
        if stderr.is_terminal() {
            // Nothing hangs on it.
            let _ = write!(stderr, "\r{text:width$}", width = self.length).and_then(|()| stderr.flush());
            self.length = text.len();
        }
    }
}

impl Drop for Said {
    fn drop(&mut self) {
        if self.length > 0 {
            self.say("");
            let _ = write!(stderr(), "\r");
        }
    }
}

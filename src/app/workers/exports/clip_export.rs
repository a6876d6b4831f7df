//! Exports a clip, frame by frame.

use std::path::{Path, PathBuf};

use crate::app::worker_events::SaveOutcome;
use crate::export::clip::{self, ClipError, ClipTarget};
use crate::export::error::WriteError;
use crate::export::formats::encoder::ExportProgress;
use crate::export::formats::sequence::Numbered;
use crate::session::camera::orbit_controls;
use crate::session::time::clip::{Clip, ClipFormat, ClipOptions};
use crate::ui::context::request::SaveKind;

use super::export_scene::ExportScene;

/// File names of a sequence, inside its folder.
pub const SEQUENCE_NAMES: &str = "%04d.png";

/// The options and the destination of a clip.
pub struct ClipJob {
    /// The user's options, returned with the event if a file of that name exists.
    pub options: ClipOptions,
    /// The file, or the folder of a sequence.
    pub path: PathBuf,
    /// Whether an existing file may be replaced.
    pub overwrite: bool,
}

/// Draws and writes a clip. Errors are returned as an outcome, too.
pub fn export(clip: &Clip, scene: &ExportScene, job: ClipJob, progress: &ExportProgress) -> SaveOutcome {
    let written = draw_and_write(clip, scene, &job, progress);
    let ClipJob { options, path, .. } = job;
    match written {
        Ok(()) => match leftovers(options.format, &path, clip.frames.len()) {
            Some(older) => SaveOutcome::WrittenWithOlderFrames { path, older },
            None => SaveOutcome::Written(path),
        },
        Err(ClipError::Canceled) => SaveOutcome::Canceled,
        Err(ClipError::Write(WriteError::Exists { .. })) => SaveOutcome::Exists { kind: SaveKind::Clip(options), path },
        Err(error) => SaveOutcome::Failed(error.to_string()),
    }
}

/// Draws and writes all frames in the format of the job.
fn draw_and_write(clip: &Clip, scene: &ExportScene, job: &ClipJob, progress: &ExportProgress) -> Result<(), ClipError> {
    let subject = scene.subject();
    let ClipJob { options, path, overwrite } = job;
    let size = [scene.options.width, scene.options.height];
    let mut renderer = scene.renderer();
    let first = clip.frames.first().map_or(0.0, |frame| frame.time);
    // A turntable turns around the model's position in the first frame.
    let orbit = options.turntable.map(|_| orbit_controls::turntable(subject, &subject.posed(first), scene.aspect()));
    let mut stills = scene.stills(&mut renderer, progress);
    let target = file_target(options.format, path, *overwrite);
    clip::write(clip, size, options.is_transparent(), &target, progress, |frame| {
        stills.orbit = orbit.map(|orbit| orbit_controls::turned(&orbit, frame.turn));
        scene.draw(&mut stills, frame.moment(), &scene.options)
    })
}

/// The first and the last of the older frames in the folder of a sequence that follow its last frame. `None` if there are none.
fn leftovers(format: ClipFormat, path: &Path, frames: usize) -> Option<[PathBuf; 2]> {
    let names = Numbered::parse(&file_target(format, path, false).path).filter(|_| format == ClipFormat::Sequence)?;
    names.leftovers(frames)
}

/// The target of the encoder. For a sequence, it is a pattern for the numbered files in the folder.
fn file_target(format: ClipFormat, path: &Path, overwrite: bool) -> ClipTarget {
    let path = if format == ClipFormat::Sequence { path.join(SEQUENCE_NAMES) } else { path.to_owned() };
    ClipTarget { format, path, overwrite }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn older_frames_directly_after_a_sequence_are_found() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["0001.png", "0002.png", "0003.png", "0005.png"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let found = |format, frames| leftovers(format, folder.path(), frames);
        assert_eq!(found(ClipFormat::Sequence, 2), Some(["0002.png", "0003.png"].map(|name| folder.path().join(name))));
        assert_eq!(found(ClipFormat::Sequence, 4), None);
        assert_eq!(found(ClipFormat::Gif, 2), None);
    }
}

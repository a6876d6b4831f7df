//! Exports a contact sheet, tile by tile.

use std::path::PathBuf;

use image::RgbaImage;

use crate::app::worker_events::SaveOutcome;
use crate::camera::Orbit;
use crate::export::error::ExportError;
use crate::export::formats::encoder::ExportProgress;
use crate::export::still::Stills;
use crate::export::still::options::StillOptions;
use crate::export::still::sheet::{Sheet, SheetSource};
use crate::session::contact_sheet::{Grid, SheetOptions};
use crate::session::view::{View, ViewCamera};
use crate::ui::context::request::SaveKind;

use super::export_scene::{ComparedScene, ExportScene};
use super::picture_file::PictureFile;

/// The options and the destination of a contact sheet.
pub struct SheetJob {
    /// The user's options, returned with the event if a file of that name exists.
    pub options: SheetOptions,
    /// The direction of view of the tiles, unless the view uses a camera of the file.
    pub direction: Orbit,
    pub path: PathBuf,
    /// Whether an existing file may be replaced.
    pub overwrite: bool,
}

/// Draws and writes a contact sheet. Errors are returned as an outcome, too.
pub fn export(scene: &ExportScene, job: SheetJob, progress: &ExportProgress) -> SaveOutcome {
    let drawn = draw(scene, &job, progress);
    PictureFile { kind: SaveKind::ContactSheet(job.options), path: job.path, overwrite: job.overwrite }.write(drawn, progress)
}

/// Draws all tiles. While two models are compared, each tile compares them.
fn draw(scene: &ExportScene, job: &SheetJob, progress: &ExportProgress) -> Result<RgbaImage, ExportError> {
    let ExportScene { gpu, document, analyses, view, compared, options, .. } = scene;
    // The camera of each tile is fitted to what the tile shows. Tiles show animations, so the bind pose is switched off.
    let camera = if matches!(view.camera, ViewCamera::File(_)) { view.camera } else { ViewCamera::Fit };
    let view = View { camera, bind_pose: false, ..view.clone() };
    let keep_going = || !progress.is_canceled();
    let tiles = job.options.tiles(document, &view, &keep_going).ok_or(ExportError::Canceled)?;
    let size = [options.width, options.height];
    let mut renderer = scene.renderer();
    let mut sheet = Sheet::new(gpu, &mut renderer, size, Grid::fitting(tiles.len(), size))?;
    sheet.direction = job.direction;
    let compared_models = match compared {
        Some(ComparedScene { model, timing, .. }) => {
            model.for_tiles(document, &tiles, *timing, &keep_going).ok_or(ExportError::Canceled)?
        }
        None => Vec::new(),
    };
    // Each tile locks the models, so that the window can change them in between.
    let draw = |stills: &mut Stills, moment, options: &StillOptions| scene.draw(stills, moment, options);
    sheet.draw(SheetSource { document, analyses, draw: &draw, compared: &compared_models, note: None }, &tiles, options, progress)?;
    Ok(sheet.finish())
}

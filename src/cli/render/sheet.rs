//! Runs `sinew render --sheet`: draws a contact sheet of one or several files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::bail;

use crate::animation::compiled::model::CompiledModel;
use crate::asset::Loaded;
use crate::export::formats::encoder::ExportProgress;
use crate::export::still;
use crate::export::still::options::StillOptions;
use crate::export::still::sheet::{Sheet, SheetSource};
use crate::export::thumbnail::view_and_moment;
use crate::numbers::agreeing;
use crate::paths::file_name;
use crate::render::device::gpu::Gpu;
use crate::report::terminal::{self, MAX_MESSAGE_CHARS};
use crate::session::analyses::Analyses;
use crate::session::contact_sheet::{self, DEFAULT_PHASES, Grid, SheetContent, Tile};
use crate::session::document::Document;
use crate::session::view::View;

use crate::cli::args::render::RenderArgs;
use crate::cli::upload::upload;
use crate::cli::{about, messages};

use super::scene::{RenderScene, uploaded};
use super::{chosen_view, inputs, output};

/// The content of the tiles.
enum Content {
    /// A tile per file. The first one is open, and the others are opened one after the other.
    Files,
    /// Phases of the chosen animation, or all animations of the file.
    OfFile(SheetContent),
}

/// Draws and writes the sheet. `scene` contains the first file. If a file is broken, its tile says why, and this errors after writing.
/// Other errors name the file that cannot be drawn.
pub fn run(args: &RenderArgs, grid: Option<Grid>, scene: &mut RenderScene, options: &StillOptions) -> anyhow::Result<()> {
    let size = [options.width, options.height];
    let RenderScene { gpu, renderer, gpu_model, document, analyses, view, compared, failure } = scene;
    // Tiles show animations, so the bind pose is switched off.
    let view = &View { bind_pose: false, ..view.clone() };
    let content = if !args.others.is_empty() {
        Content::Files
    } else if view.animation.is_some() {
        Content::OfFile(SheetContent::Phases)
    } else {
        Content::OfFile(SheetContent::Animations)
    };
    let wanted = match content {
        Content::Files => 1 + args.others.len(),
        // With a grid, there is a phase for each of its cells.
        Content::OfFile(SheetContent::Phases) => grid.map_or(DEFAULT_PHASES, Grid::tiles),
        Content::OfFile(SheetContent::Animations) => contact_sheet::animation_count(&document.model),
    };
    let grid = grid.unwrap_or_else(|| Grid::fitting(wanted, size));
    let tiles = match content {
        Content::Files => vec![file_tile(args, document)],
        Content::OfFile(SheetContent::Phases) => contact_sheet::phase_tiles(document, view, wanted),
        Content::OfFile(SheetContent::Animations) => {
            contact_sheet::animation_tiles(document, view, grid.tiles(), &|| true).unwrap_or_default()
        }
    };
    if wanted > grid.tiles() {
        let last = agreeing(wanted - grid.tiles(), "the last one is", "the last ones are");
        messages::note(format_args!("{wanted} tiles do not fit into {} x {}; {last} left out", grid.columns, grid.rows));
    }
    let mut sheet = Sheet::new(gpu, renderer, size, grid)?;
    let height = sheet.tile_size()[1] as f32;
    let options = StillOptions { pixels_per_point: (height / super::SCREEN_HEIGHT).max(1.0), ..options.clone() };
    let compared_models = match &compared {
        Some(compared) => still::compared::per_tile(&tiles, |view| compared.with_view(args, document, view))?,
        None => Vec::new(),
    };
    let models = uploaded(gpu_model, compared.as_ref());
    let source = SheetSource {
        document,
        analyses,
        draw: &|stills, moment, options| stills.draw(models, moment, options),
        compared: &compared_models,
        note: failure.as_deref(),
    };
    sheet.draw(source, &tiles, &options, &ExportProgress::default())?;
    let mut draw_other = |file: &PathBuf| draw_other(args, file, gpu, &mut sheet, &options);
    let failures: Vec<_> = args.others.iter().take(grid.tiles() - 1).map(&mut draw_other).collect::<anyhow::Result<_>>()?;
    let picture = sheet.finish();
    output::write_picture(&picture, &output::path(args))?;
    match failures.iter().flatten().count() + usize::from(failure.is_some()) {
        0 => Ok(()),
        failed => bail!("{failed} of {wanted} files cannot be drawn; {} why", agreeing(failed, "its tile says", "their tiles say")),
    }
}

/// Draws the tile of another file. Returns what is wrong with the file if its tile shows no model.
fn draw_other(args: &RenderArgs, file: &Path, gpu: &Gpu, sheet: &mut Sheet, options: &StillOptions) -> anyhow::Result<Option<String>> {
    let (Loaded { model, images, .. }, failure) = inputs::load_for_tile(args, file)?;
    let model = Arc::new(model);
    let gpu_model = upload(gpu, &model, images).map_err(about(file))?;
    let document = Document::with_compiled(CompiledModel::uncompiled(&model), model, name(file), Some(file.to_owned()));
    let tile = file_tile(args, &document);
    let analyses = Analyses::new(&document, &tile.view);
    let source = SheetSource {
        document: &document,
        analyses: &analyses,
        draw: &|stills, moment, options| stills.draw(&gpu_model, moment, options),
        compared: &[],
        note: failure.as_deref(),
    };
    sheet.draw(source, &[tile], options, &ExportProgress::default())?;
    Ok(failure)
}

/// The tile of one of several files. It shows the pose of the file's thumbnail with the display of the flags, and the file's name.
fn file_tile(args: &RenderArgs, document: &Document) -> Tile {
    let (mut view, moment) = view_and_moment(&document.model);
    chosen_view::set_display(args, &mut view.display);
    view.repeat = args.repeat.unwrap_or(view.repeat);
    let name = document.path.as_deref().map_or_else(|| document.name.clone(), name);
    Tile { view, moment, title: name }
}

/// The name of a file, safe to show.
fn name(file: &Path) -> String {
    terminal::escape(&file_name(file), MAX_MESSAGE_CHARS)
}

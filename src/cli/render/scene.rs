//! Holds the data for drawing pictures and clips. Loads the file that `--compare` names, and compares the rendered file with it.

use std::path::Path;
use std::sync::Arc;

use anyhow::anyhow;

use crate::compare::counterpart::{self, Pair};
use crate::compare::time_map::Timing;
use crate::compare::{Choices, compare, pairing, text};
use crate::export::still::UploadedModels;
use crate::export::still::compared::ComparedModel;
use crate::render::device::gpu::Gpu;
use crate::render::model::GpuModel;
use crate::render::renderer::Renderer;
use crate::report::terminal::{self, MAX_MESSAGE_CHARS};
use crate::session::analyses::Analyses;
use crate::session::document::Document;
use crate::session::view::View;
use crate::session::view::selector;

use crate::cli::args::render::RenderArgs;
use crate::cli::upload::upload;
use crate::cli::{about, diff, is_same_file, messages, view};

use super::inputs;

/// The data for drawing a picture or a clip.
pub struct RenderScene {
    /// The graphics device.
    pub gpu: Gpu,
    /// The renderer, on that device.
    pub renderer: Renderer,
    /// The uploaded model.
    pub gpu_model: GpuModel,
    /// The open document.
    pub document: Document,
    /// The cached analyses of the document.
    pub analyses: Analyses,
    /// The view to draw.
    pub view: View,
    /// The file that the document is compared with.
    pub compared: Option<UploadedComparison>,
    /// Why the file cannot be read. Then the document is empty. Only for a sheet of several files.
    pub failure: Option<String>,
}

/// The second file of a comparison, with the data for drawing it.
pub struct UploadedComparison {
    pub model: ComparedModel,
    /// `None` if the file is compared with itself.
    gpu_model: Option<GpuModel>,
}

impl UploadedComparison {
    /// Reads and uploads `file`, and compares `a` in this view with it. Errors if the file cannot be read, does not fit on the GPU, or
    /// lacks the animation.
    pub fn load(args: &RenderArgs, file: &Path, gpu: &Gpu, a: &Document, view: &View) -> anyhow::Result<Self> {
        // If the file is compared with itself, B also has the animations that A borrows from other files.
        if is_same_file(file, &args.file) {
            return Ok(Self { model: compared(args, a, a, view)?, gpu_model: None });
        }
        let loaded = inputs::load_model(args, file)?;
        let document = Document::new(Arc::new(loaded.model), file.display().to_string(), Some(file.to_owned()));
        let gpu_model = upload(gpu, &document.model, loaded.images).map_err(about(file))?;
        let model = compared(args, a, &document, view).map_err(about(file))?;
        diff::note_unmatched(&model.comparison, [&args.file, file]);
        Ok(Self { model, gpu_model: Some(gpu_model) })
    }

    /// Compares `a` in another view with the file.
    pub fn with_view(&self, args: &RenderArgs, a: &Document, view: &View) -> anyhow::Result<ComparedModel> {
        compared(args, a, &self.model.document, view)
    }

    /// The file on the GPU; `None` if it is compared with itself.
    pub fn gpu_model(&self) -> Option<&GpuModel> {
        self.gpu_model.as_ref()
    }
}

/// The uploaded models of a scene.
pub fn uploaded<'m>(model: &'m GpuModel, compared: Option<&'m UploadedComparison>) -> UploadedModels<'m> {
    UploadedModels { model, other: compared.and_then(UploadedComparison::gpu_model) }
}

/// Compares `a` in this view with `b`. Errors if `b` lacks the animation that the flags name.
fn compared(args: &RenderArgs, a: &Document, b: &Document, view: &View) -> anyhow::Result<ComparedModel> {
    let flags = &args.compared;
    let animation = match &flags.compare_animation {
        Some(selector) => Some(view::note_namesakes(selector::animation(&b.model, selector)?, "animation", selector)),
        None => other_animation(args, a, b, view)?,
    };
    match (view.animation, animation) {
        (Some(played), None) => {
            let name = terminal::escape(&b.name, MAX_MESSAGE_CHARS);
            let played = terminal::escape(a.names.animation(played), MAX_MESSAGE_CHARS);
            messages::note(format_args!("{name} has no counterpart of animation {played}; it stays at rest"));
        }
        // The tiles of a sheet play animations by themselves.
        (None, Some(_)) if args.sheet.is_none() => messages::note("without --animation, both files stay at rest"),
        _ => {}
    }
    let animation = view.animation.and(animation);
    let timing = Timing { stretch: flags.compare_stretch, offset: flags.compare_offset };
    let choices = Choices { animations: [view.animation, animation], timing, scene: view.scene };
    let comparison = compare(a, b, &choices, &|| true).ok_or_else(|| anyhow!("the comparison was canceled"))?;
    let view = counterpart::view(view, Pair { a: &a.model, b: &b.model, node_pairs: &comparison.node_pairs }, animation);
    // Two animations of one file may be the same in a tile of a sheet, which still has the names of the other tiles.
    let compares_animations = flags.compare_animation.is_some() || args.sheet.is_some() || choices.animations[0] != choices.animations[1];
    let side_names = match a.id == b.id && compares_animations {
        true => text::animation_names(a, choices.animations),
        false => text::path_names([&args.file, b.path.as_ref().unwrap_or(&args.file)]),
    };
    Ok(ComparedModel {
        document: b.clone(),
        analyses: Analyses::new(b, &view),
        view,
        time_map: comparison.time_map,
        max_distance: comparison.largest_distance(),
        comparison: Arc::new(comparison),
        layout: flags.compare_view,
        side_names,
    })
}

/// The animation of `b` that is compared with the one that the view plays. Errors if the user chose that one by a flag, and its counterpart
/// has another name. Without a counterpart, `b` stays at rest, as in the window.
fn other_animation(args: &RenderArgs, a: &Document, b: &Document, view: &View) -> anyhow::Result<Option<usize>> {
    let Some(animation) = view.animation else { return Ok(None) };
    let found = pairing::animation(&a.model, &b.model, animation);
    if args.animation.is_some() && found.is_some() {
        let named = pairing::counterpart(&a.model, &b.model, animation);
        return named.map(Some).map_err(|error| anyhow!("{error}; choose one with --compare-animation"));
    }
    Ok(found)
}

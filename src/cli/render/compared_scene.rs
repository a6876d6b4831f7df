//! Loads the file that `--compare` names, and compares the rendered one with it.

use std::path::Path;
use std::sync::Arc;

use anyhow::anyhow;

use crate::asset;
use crate::compare::counterpart::{self, Layout, Pair};
use crate::compare::{Choices, Comparison, clock, compare, pairing};
use crate::export::still::compared::Compared;
use crate::model::Model;
use crate::render::device::gpu::Gpu;
use crate::render::model::GpuModel;
use crate::session::analyses::{Analyses, Subject};
use crate::session::document::Document;
use crate::session::file::file_list;
use crate::session::view::View;
use crate::units::Units;

use crate::cli::about;
use crate::cli::args::RenderArgs;
use crate::cli::scene::upload;

/// The second file of a comparison, with everything that drawing it needs.
pub struct ComparedScene {
    pub layout: Layout,
    gpu_model: GpuModel,
    document: Document,
    analyses: Analyses,
    view: View,
    comparison: Comparison,
    titles: [String; 2],
}

impl ComparedScene {
    /// Reads and uploads `file`, and compares `a`, as `view` shows it, with it. Errors if the file cannot be read or does not fit on the GPU.
    pub fn load(args: &RenderArgs, file: &Path, gpu: &Gpu, a: &Document, view: &View) -> anyhow::Result<Self> {
        let loaded = asset::load(file, &args.images.load_options()).map_err(about(file))?;
        let document = Document::new(Arc::new(loaded.model), file.display().to_string(), Some(file.to_owned()));
        let animation = view.animation.and_then(|animation| pairing::animation(&a.model, &document.model, animation));
        if view.animation.is_some() && animation.is_none() {
            eprintln!("note: {} has no such animation; it stays at rest", file.display());
        }
        let choices = Choices { animations: [view.animation, animation], timing: clock::Timing::default(), scene: view.scene };
        let comparison = compare(a, &document, &choices, &|| true).ok_or_else(|| anyhow!("the comparison was cancelled"))?;
        let pair = Pair { a: &a.model, b: &document.model, binding: &comparison.binding };
        let view = counterpart::view(view, pair, animation);
        let analyses = Analyses::new(&document, &view);
        let gpu_model = upload(gpu, &document.model, loaded.images).map_err(about(file))?;
        let titles = [format!("A: {}", file_list::file_name(&args.file)), format!("B: {}", file_list::file_name(file))];
        Ok(Self { layout: args.compare_view, gpu_model, document, analyses, view, comparison, titles })
    }

    /// Extends the bounds of A so that the camera sees both models.
    pub fn widen(&self, analyses: &mut Analyses) {
        analyses.bounds = analyses.bounds.union(&self.analyses.bounds);
        analyses.hull.extend(&self.analyses.hull);
    }

    /// What pictures of A, whose model this is, are drawn with.
    pub fn compared<'a>(&'a self, model: &'a Model) -> Compared<'a> {
        Compared {
            subject: Subject { document: &self.document, analyses: &self.analyses, view: &self.view },
            model,
            gpu_model: &self.gpu_model,
            comparison: &self.comparison,
            layout: self.layout,
            titles: &self.titles,
            units: Units::default(),
        }
    }
}

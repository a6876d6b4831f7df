//! The scene that an export draws: copies of the document, the view and the options, because the window changes while the export runs.

use std::sync::{Arc, PoisonError, RwLock};

use image::RgbaImage;

use crate::app::window::SAMPLES;
use crate::compare::time_map::Timing;
use crate::export::error::ExportError;
use crate::export::formats::encoder::ExportProgress;
use crate::export::still::compared::ComparedModel;
use crate::export::still::options::StillOptions;
use crate::export::still::{self, Stills, UploadedModels};
use crate::render::device::gpu::Gpu;
use crate::render::environment::EnvironmentLight;
use crate::render::model::GpuModel;
use crate::render::renderer::Renderer;
use crate::session::analyses::{Analyses, Subject};
use crate::session::document::Document;
use crate::session::time::moment::Moment;
use crate::session::view::View;

/// Everything that a screenshot, a clip or a contact sheet depends on.
pub struct ExportScene {
    pub gpu: Gpu,
    pub gpu_model: Arc<RwLock<GpuModel>>,
    /// The image-based light; `None` for the studio.
    pub light: Option<EnvironmentLight>,
    pub document: Document,
    pub analyses: Analyses,
    pub view: View,
    /// The comparison that the pictures show.
    pub compared: Option<ComparedScene>,
    /// Size, background and overlays of the pictures.
    pub options: StillOptions,
}

/// The other model of a comparison.
pub struct ComparedScene {
    pub model: ComparedModel,
    /// The matching of the animations' times.
    pub timing: Timing,
    /// B on the device. `None` if A and B are the same model: locking it twice could wait forever.
    pub gpu_model: Option<Arc<RwLock<GpuModel>>>,
}

impl ExportScene {
    /// The document with its analyses, as the view shows it.
    pub fn subject(&self) -> Subject<'_> {
        Subject { document: &self.document, analyses: &self.analyses, view: &self.view }
    }

    /// The aspect ratio of the picture, or of each half if two models are side by side.
    pub fn aspect(&self) -> f64 {
        still::aspect([self.options.width, self.options.height], self.compared.as_ref().map(|compared| compared.model.layout))
    }

    /// Prepares to draw stills, until `progress` is canceled.
    pub fn stills<'a>(&'a self, renderer: &'a mut Renderer, progress: &'a ExportProgress) -> Stills<'a> {
        let mut stills = Stills::new(&self.gpu, renderer, self.subject());
        stills.progress = Some(progress);
        if let Some(compared) = &self.compared {
            stills.compare_with(compared.model.compared(&self.document.model, self.options.units));
        }
        stills
    }

    /// Draws a still. The models are locked meanwhile.
    pub fn draw(&self, stills: &mut Stills, moment: Moment, options: &StillOptions) -> Result<RgbaImage, ExportError> {
        let model = self.gpu_model.read().unwrap_or_else(PoisonError::into_inner);
        let other = self.compared.as_ref().and_then(|compared| compared.gpu_model.as_ref());
        let other = other.map(|other| other.read().unwrap_or_else(PoisonError::into_inner));
        stills.draw(UploadedModels { model: &model, other: other.as_deref() }, moment, options)
    }

    /// Makes a renderer for this picture, with the window's light.
    pub fn renderer(&self) -> Renderer {
        let mut renderer = Renderer::new(&self.gpu, wgpu::TextureFormat::Rgba8Unorm, SAMPLES);
        if let Some(light) = self.light.clone() {
            renderer.set_environment(light);
        }
        renderer
    }
}

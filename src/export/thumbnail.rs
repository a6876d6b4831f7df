//! Draws thumbnails: small pictures of a file for file managers and for the file strip of the window, on a transparent background.
//!
//! A file manager draws thumbnails automatically, for every file in a folder, so the size of the model and of its images is limited.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use image::RgbaImage;
use thiserror::Error;

use crate::animation::compiled::model::CompiledModel;
use crate::asset::error::LoadError;
use crate::asset::file::progress::Progress;
use crate::asset::{self, LoadOptions, Loaded};
use crate::camera::Orbit;
use crate::model::Model;
use crate::model::mesh::{Mesh, Primitive, Topology};
use crate::model::node::Node;
use crate::numbers::grouped;
use crate::render::device::gpu::{Gpu, GpuError};
use crate::render::error::RenderError;
use crate::render::picture::{Background, Msaa};
use crate::render::renderer::Renderer;
use crate::session::analyses::{Analyses, Subject};
use crate::session::bounds;
use crate::session::document::Document;
use crate::session::pose::in_place::Roots;
use crate::session::time::moment::Moment;
use crate::session::view::View;
use crate::session::view::display::Display;

use super::error::ExportError;
use super::still::Stills;
use super::still::options::StillOptions;
use super::upload::{Uploaded, upload};

/// Maximum size of a model with all files that it refers to, in bytes.
const MAX_MODEL_BYTES: u64 = 256 << 20;
/// Limit on the decoded pixels of all images, in bytes. A small picture needs no large textures.
const MAX_IMAGE_BYTES: u64 = 32 << 20;
/// Maximum number of nodes. A node takes 2 KB, also if it draws nothing.
const MAX_NODES: usize = 100_000;
/// Maximum number of materials. A material takes 10 KB and 0.03 ms, also if no primitive uses it.
const MAX_MATERIALS: usize = 20_000;
/// Maximum number of primitives that are drawn, each counted once per node and instance. With a software rasterizer, each may take 0.04 ms.
const MAX_DRAWN_PRIMITIVES: usize = 100_000;
/// Maximum number of vertices that are drawn, each counted once per index, node and instance. A software rasterizer may take 0.2 us for
/// each.
const MAX_DRAWN_VERTICES: usize = 30_000_000;
/// Maximum number of points that are drawn. A small picture cannot show more of them, and a software rasterizer may take 1 us for each.
const MAX_DRAWN_POINTS: usize = 500_000;
/// Maximum number of shaders that the materials need. Without a graphics card, compiling one may take 0.15 s.
const MAX_SHADERS: usize = 64;
/// The time that the picture shows, as a fraction of the first animation. The start is often a T-pose.
const TIME_FRACTION: f64 = 1.0 / 3.0;

/// An error that occurred while drawing a thumbnail. The messages are shown to the user.
#[derive(Debug, Error)]
pub enum ThumbnailError {
    #[error(transparent)]
    Load(#[from] LoadError),
    #[error(transparent)]
    Device(#[from] GpuError),
    #[error(transparent)]
    Upload(#[from] RenderError),
    #[error("the model has {} {elements}; at most {} are drawn in a thumbnail", grouped(*count), grouped(*max))]
    TooManyElements { count: usize, elements: &'static str, max: usize },
    #[error("the model draws {} primitives; at most {} are drawn in a thumbnail", grouped(*count), grouped(MAX_DRAWN_PRIMITIVES))]
    TooManyPrimitives { count: usize },
    #[error("the model draws {} vertices; at most {} are drawn in a thumbnail", grouped(*count), grouped(MAX_DRAWN_VERTICES))]
    TooManyVertices { count: usize },
    #[error("the materials need {count} shaders; at most {MAX_SHADERS} are compiled for a thumbnail")]
    TooManyShaders { count: usize },
    #[error(transparent)]
    Draw(#[from] ExportError),
}

/// Reads a file within the limits of thumbnails. `opened_together` are files in other folders that it may refer to.
pub fn read(file: &Path, opened_together: &[PathBuf], progress: &Progress) -> Result<Loaded, LoadError> {
    let (image_limit, byte_limit) = (Some(MAX_IMAGE_BYTES), Some(MAX_MODEL_BYTES));
    asset::load(file, &LoadOptions { opened_together, progress: Some(progress), image_limit, byte_limit })
}

/// The view of the model alone, and the moment that the picture shows.
pub fn view_and_moment(model: &Model) -> (View, Moment) {
    let mut view = View { display: Display::plain(), ..View::default() };
    let first = model.animations.first();
    view.choose_animation(first.map(|_| 0));
    (view, Moment::from(first.map_or(0.0, |animation| animation.duration * TIME_FRACTION)))
}

/// A picture of a file, and messages about images that could not be shown.
pub struct Thumbnail {
    pub picture: RgbaImage,
    pub warnings: Vec<String>,
}

/// Draws thumbnails one after another. Its pipelines are made once.
pub struct Thumbnailer {
    gpu: Gpu,
    renderer: Renderer,
}

impl Thumbnailer {
    /// Prepares to draw on a device.
    pub fn new(gpu: Gpu) -> Self {
        let renderer = Renderer::new(&gpu, wgpu::TextureFormat::Rgba8Unorm, Msaa::Four);
        Self { gpu, renderer }
    }

    /// Draws a file that was read. `size` is the side of the picture, in pixels. Errors if the driver cannot draw the whole picture, or if
    /// `progress` is canceled.
    pub fn draw(&mut self, loaded: Loaded, size: u32, progress: &Progress) -> Result<Thumbnail, ThumbnailError> {
        let Loaded { mut model, images, .. } = loaded;
        for (count, elements, max) in [(model.nodes.len(), "nodes", MAX_NODES), (model.materials.len(), "materials", MAX_MATERIALS)] {
            if count > max {
                return Err(ThumbnailError::TooManyElements { count, elements, max });
            }
        }
        let count = drawn(&model, |_| 1);
        if count > MAX_DRAWN_PRIMITIVES {
            return Err(ThumbnailError::TooManyPrimitives { count });
        }
        thin_points(&mut model);
        let count = drawn(&model, |primitive| primitive.indices.len());
        if count > MAX_DRAWN_VERTICES {
            return Err(ThumbnailError::TooManyVertices { count });
        }
        let model = Arc::new(model);
        let Uploaded { gpu_model, warnings } = upload(&self.gpu, &model, images, progress)?;
        let count = gpu_model.shader_count();
        if count > MAX_SHADERS {
            return Err(ThumbnailError::TooManyShaders { count });
        }
        if progress.is_canceled() {
            return Err(LoadError::Canceled.into());
        }
        let (view, moment) = view_and_moment(&model);
        let document = Document::with_compiled(CompiledModel::uncompiled(&model), model, String::new(), None);
        let analyses = Analyses::new(&document, &view);
        let subject = Subject { document: &document, analyses: &analyses, view: &view };
        let shown = bounds::moment_bounds(document.rig(), &view, moment, Roots::default(), &document.mesh_bounds);
        let orbit = shown.fit(&Orbit::default(), 1.0);
        let options = StillOptions {
            background: Background::Transparent,
            camera: Some(orbit.camera(&analyses.crowd_bounds(&view))),
            ..StillOptions::new([size; 2])
        };
        let picture = Stills::new(&self.gpu, &mut self.renderer, subject).draw(&gpu_model, moment, &options)?;
        Ok(Thumbnail { picture, warnings })
    }
}

/// Adds up `count` over the primitives of all nodes, with all their instances.
fn drawn(model: &Model, count: impl Fn(&Primitive) -> usize) -> usize {
    let in_mesh = |mesh: &Mesh| mesh.primitives.iter().map(&count).fold(0, usize::saturating_add);
    let of_node = |node: &Node| Some(in_mesh(model.meshes.get(node.mesh?)?).saturating_mul(node.instances.len().max(1)));
    model.nodes.iter().filter_map(of_node).fold(0, usize::saturating_add)
}

/// Keeps only every nth point if there are more than [`MAX_DRAWN_POINTS`].
fn thin_points(model: &mut Model) {
    let is_points = |primitive: &Primitive| primitive.topology == Topology::Points;
    let step = drawn(model, |primitive| if is_points(primitive) { primitive.indices.len() } else { 0 }).div_ceil(MAX_DRAWN_POINTS);
    if step > 1 {
        for primitive in model.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives).filter(|primitive| is_points(primitive)) {
            primitive.indices = primitive.indices.iter().step_by(step).copied().collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_beyond_the_limit_are_thinned_evenly_and_triangles_are_kept() {
        let primitive = |topology, count: u32| Primitive { topology, indices: (0..count).collect(), ..Primitive::default() };
        let mesh = |topology| Mesh { primitives: vec![primitive(topology, 400_000), primitive(Topology::Triangles, 3)], ..Mesh::default() };
        let node = |mesh| Node { mesh: Some(mesh), ..Node::default() };
        let mut model = Model { meshes: vec![mesh(Topology::Points)], nodes: vec![node(0)], ..Model::default() };
        thin_points(&mut model);
        assert_eq!(drawn(&model, |primitive| primitive.indices.len()), 400_003, "a cloud within the limit keeps all of its points");
        // Three nodes draw 1,200,000 points, so every third point is kept.
        model.nodes = vec![node(0), node(0), node(0)];
        thin_points(&mut model);
        let [points, triangle] = &model.meshes[0].primitives[..] else { panic!("two primitives") };
        assert_eq!((points.indices.len(), &points.indices[..3]), (133_334, &[0, 3, 6][..]));
        assert_eq!(triangle.indices, [0, 1, 2]);
        assert_eq!((drawn(&model, |_| 1), drawn(&model, |primitive| primitive.indices.len())), (6, 400_011));
    }
}

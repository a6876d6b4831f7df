//! Draws a contact sheet: small pictures on a grid, each with its title. A tile can compare its model with another one.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::DVec2;
use image::RgbaImage;
use image::imageops::replace;

use crate::camera::bounds::Bounds;
use crate::camera::{self, Camera, Orbit};
use crate::captions::legends::{comparison, frame};
use crate::compare::counterpart::{self, CompareView};
use crate::render::device::gpu::Gpu;
use crate::render::renderer::Renderer;
use crate::session::analyses::{Analyses, Subject};
use crate::session::bounds::{self, AnimationBounds};
use crate::session::camera::view_camera;
use crate::session::contact_sheet::{Grid, Tile};
use crate::session::document::Document;
use crate::session::pose::crowd;
use crate::session::time::moment::Moment;
use crate::session::view::ViewCamera;

use crate::export::error::ExportError;
use crate::export::formats::encoder::ExportProgress;

use super::allocation::empty_picture;
use super::compared::ComparedModel;
use super::options::StillOptions;
use super::{Stills, aspect};

/// Draws a tile of this size and camera, with [`Stills::draw`]. It may lock the uploaded models as long as it draws.
pub type DrawTile<'a> = &'a dyn Fn(&mut Stills, Moment, &StillOptions) -> Result<RgbaImage, ExportError>;

/// A document whose tiles are drawn.
#[derive(Clone, Copy)]
pub struct SheetSource<'a> {
    pub document: &'a Document,
    pub analyses: &'a Analyses,
    pub draw: DrawTile<'a>,
    /// The model that each tile is compared with, in the order of the tiles. Empty without a comparison.
    pub compared: &'a [Arc<ComparedModel>],
    /// A text in the middle of each tile.
    pub note: Option<&'a str>,
}

/// A sheet that is being filled.
pub struct Sheet<'a> {
    gpu: &'a Gpu,
    renderer: &'a mut Renderer,
    picture: RgbaImage,
    grid: Grid,
    /// Number of tiles drawn so far.
    drawn: usize,
    /// The direction of view of the tiles that do not use a camera of the file.
    pub direction: Orbit,
}

impl<'a> Sheet<'a> {
    /// An empty sheet of this size in pixels. Errors if a tile would have no pixels, or if the sheet is too large or memory is short.
    pub fn new(gpu: &'a Gpu, renderer: &'a mut Renderer, [width, height]: [u32; 2], grid: Grid) -> Result<Self, ExportError> {
        let Grid { columns, rows } = grid;
        if width < columns || height < rows || grid.tiles() == 0 {
            return Err(ExportError::Tiles { width, height, columns, rows });
        }
        Ok(Self { gpu, renderer, picture: empty_picture(width, height)?, grid, drawn: 0, direction: Orbit::default() })
    }

    /// Width and height of a tile, in pixels.
    pub fn tile_size(&self) -> [u32; 2] {
        self.grid.tile_size([self.picture.width(), self.picture.height()])
    }

    /// Draws tiles of one document into the next cells of the grid, all at the same scale. Tiles without a cell are left out. The size in
    /// `options` is ignored. `progress` counts the tiles. Returns an error if the driver fails, or if `progress` is canceled.
    pub fn draw(
        &mut self,
        source: SheetSource,
        tiles: &[Tile],
        options: &StillOptions,
        progress: &ExportProgress,
    ) -> Result<(), ExportError> {
        let SheetSource { document, analyses, draw, compared, note } = source;
        let title_band = self.title_band(compared, options.pixels_per_point);
        let [width, tile_height] = self.tile_size();
        let height = tile_height - title_band;
        let analyses = per_animation(document, analyses, tiles, compared);
        let subjects: Vec<Subject> =
            tiles.iter().map(|tile| Subject { document, analyses: &analyses[&tile.view.animation], view: &tile.view }).collect();
        let fit = |(i, tile): (usize, &Tile)| self.fitted(subjects[i], tile.moment, compared.get(i), [width, height]);
        let fitted: Vec<_> = tiles.iter().enumerate().map(fit).collect();
        let distance = fitted.iter().map(|(orbit, _)| orbit.distance).fold(0.0, f64::max);
        for (i, (tile, (orbit, bounds))) in tiles.iter().zip(&fitted).take(self.grid.tiles() - self.drawn).enumerate() {
            if progress.is_canceled() {
                return Err(ExportError::Canceled);
            }
            let orbit = Orbit { distance, ..*orbit };
            let camera = options.camera.map(|camera| camera_in_front(camera, bounds));
            let camera = camera.or_else(|| (tile.view.camera == ViewCamera::Fit).then(|| orbit.camera(bounds)));
            let options = StillOptions { width, height, camera, ..options.clone() };
            let mut stills = Stills::new(self.gpu, self.renderer, subjects[i]);
            stills.title = Some(tile.title.clone());
            stills.title_band = title_band;
            stills.note = note.map(str::to_owned);
            stills.progress = Some(progress);
            if let Some(compared) = compared.get(i) {
                stills.compare_with(compared.compared(&document.model, options.units));
            }
            let picture = draw(&mut stills, tile.moment, &options)?;
            let cell = u32::try_from(self.drawn).unwrap_or(u32::MAX);
            let [x, y] = [cell % self.grid.columns * width, cell / self.grid.columns * tile_height];
            replace(&mut self.picture, &picture, x.into(), y.into());
            self.drawn += 1;
            progress.count_frame();
        }
        Ok(())
    }

    /// Height of the band of each tile that holds the title, so that the title does not cover the model, in pixels.
    fn title_band(&self, compared: &[Arc<ComparedModel>], pixels_per_point: f32) -> u32 {
        let [width, height] = self.tile_size();
        let points = |pixels: u32| f64::from(pixels) / f64::from(pixels_per_point);
        let has_scale = compared.first().is_some_and(|compared| compared.layout == CompareView::Difference)
            && frame::fits(DVec2::new(points(width), points(height)));
        let band = (comparison::band_height(has_scale) * pixels_per_point).round() as u32;
        band.min(height / 2)
    }

    /// The orbit at the distance that fits the models at the moment of a tile into a picture of this width and height, and the bounds of
    /// the models at that moment. A crowd is fitted over its whole animation, because its members show different times.
    fn fitted(&self, subject: Subject, moment: Moment, compared: Option<&Arc<ComparedModel>>, size: [u32; 2]) -> (Orbit, Bounds) {
        let aspect = aspect(size, compared.map(|compared| compared.layout));
        let Subject { analyses, view, .. } = subject;
        if crowd::count(view) > 1 {
            return (view_camera::fitted(analyses, view, &self.direction, aspect), analyses.crowd_bounds(view));
        }
        let mut shown = moment_bounds(subject, moment);
        if let Some(compared) = compared {
            let ComparedModel { document, analyses, view, time_map, .. } = &**compared;
            let other = moment_bounds(Subject { document, analyses, view }, counterpart::moment(&moment, time_map));
            shown.bounds = shown.bounds.union(&other.bounds);
            shown.hull.extend(other.hull);
        }
        (shown.fit(&self.direction, aspect), shown.bounds)
    }

    /// The finished sheet. Cells without a tile get the color of the sheet's first pixel, which shows the background.
    pub fn finish(mut self) -> RgbaImage {
        let background = *self.picture.get_pixel(0, 0);
        let [width, height] = self.tile_size();
        for (x, y, pixel) in self.picture.enumerate_pixels_mut() {
            let cell = (y / height).saturating_mul(self.grid.columns).saturating_add((x / width).min(self.grid.columns));
            if cell as usize >= self.drawn || x / width >= self.grid.columns || y / height >= self.grid.rows {
                *pixel = background;
            }
        }
        self.picture
    }
}

/// The camera with a near plane that does not cut off these bounds. A tile may show more than the bounds that the camera was made for.
fn camera_in_front(camera: Camera, bounds: &Bounds) -> Camera {
    Camera { znear: camera.znear.min(camera::near(camera.eye(), bounds.center(), bounds)), ..camera }
}

/// The bounds of what the subject shows at a moment, kept in place if its view asks for that.
fn moment_bounds(subject: Subject, moment: Moment) -> AnimationBounds {
    let Subject { document, analyses, view } = subject;
    let roots = analyses.find_roots(document, view, &moment);
    bounds::moment_bounds(document.rig(), view, moment, roots, &document.mesh_bounds)
}

/// The analyses with the bounds of each tile's view, by its animation, as for stills of these views. The tiles of an animation share a
/// view.
fn per_animation(
    document: &Document,
    analyses: &Analyses,
    tiles: &[Tile],
    compared: &[Arc<ComparedModel>],
) -> BTreeMap<Option<usize>, Analyses> {
    let mut all = BTreeMap::new();
    for (i, tile) in tiles.iter().enumerate() {
        all.entry(tile.view.animation).or_insert_with(|| {
            let mut own = analyses.clone();
            own.update_bounds(document, &tile.view);
            match compared.get(i) {
                Some(compared) => own.widened(&compared.analyses),
                None => own,
            }
        });
    }
    all
}

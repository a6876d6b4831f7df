//! Draws a contact sheet: small pictures on a grid, each with its title. A tile shows an animation at the moment that tells most about it,
//! a phase of one animation, or a file. A tile can compare its model with another one.

use std::sync::Arc;

use glam::{DAffine3, DVec3};
use image::RgbaImage;
use image::imageops::replace;

use crate::camera::Orbit;
use crate::compare::counterpart;
use crate::render::device::gpu::Gpu;
use crate::render::renderer::Renderer;
use crate::session::analyses::{Analyses, Subject};
use crate::session::bounds::{self, AnimationBounds};
use crate::session::document::Document;
use crate::session::pose;
use crate::session::pose::in_place::Roots;
use crate::session::time::moment::Moment;
use crate::session::view::{View, ViewCamera};

use crate::export::error::{ExportError, MAX_SIDE};

use super::compared::ComparedModel;
use super::{StillOptions, Stills, UploadedModels};

/// Moments of an animation among which the most telling one is chosen.
const CANDIDATES: u32 = 24;
/// Factor on the distance of the camera, so that titles do not cover the model.
const MARGIN: f64 = 1.15;

/// Columns and rows of a sheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grid {
    pub columns: u32,
    pub rows: u32,
}

impl Grid {
    /// The grid with room for `count` tiles whose tiles are the largest squares, in a sheet of this size in pixels.
    pub fn fitting(count: usize, [width, height]: [u32; 2]) -> Self {
        let count = u32::try_from(count.max(1)).unwrap_or(u32::MAX).min(width.max(1));
        let grids = (1..=count).map(|columns| Self { columns, rows: count.div_ceil(columns) });
        let side = |grid: &Self| (width / grid.columns).min(height / grid.rows);
        // Of equally large tiles, the grid with the fewest empty places wins.
        grids.max_by_key(|grid| (side(grid), u32::MAX - (grid.columns * grid.rows - count))).unwrap_or(Self { columns: 1, rows: 1 })
    }

    /// Number of tiles that fit.
    pub fn tiles(self) -> usize {
        self.columns as usize * self.rows as usize
    }
}

/// A view of a document at a moment, and its title.
#[derive(Debug, Clone)]
pub struct Tile {
    pub view: View,
    pub moment: Moment,
    pub title: String,
    /// What the tile compares the document with.
    pub compared: Option<Arc<ComparedModel>>,
}

/// A tile for each animation at its most telling moment, with name and length. A single one of the rest pose without animations.
pub fn animation_tiles(document: &Document, view: &View) -> Vec<Tile> {
    let animations = &document.model.animations;
    if animations.is_empty() {
        return vec![Tile { view: view.clone(), moment: Moment::from(0.0), title: "Rest pose".to_owned(), compared: None }];
    }
    let tiles = animations.iter().enumerate().map(|(index, animation)| {
        let mut view = view.clone();
        view.choose_animation(Some(index));
        let title = format!("{}, {:.2} s", document.names.animation(index), animation.duration);
        Tile { moment: telling_moment(document, &view, animation.duration), view, title, compared: None }
    });
    tiles.collect()
}

/// Evenly spaced phases of the view's animation, with their times. The end is left out, because it repeats the start of a loop.
pub fn phase_tiles(document: &Document, view: &View, count: usize) -> Vec<Tile> {
    let duration = view.animation.and_then(|index| document.model.animations.get(index)).map_or(0.0, |animation| animation.duration);
    let times = (0..count).map(|phase| duration * phase as f64 / count as f64);
    let tile = |time: f64| Tile { view: view.clone(), moment: Moment::from(time), title: format!("{time:.2} s"), compared: None };
    times.map(tile).collect()
}

/// The moment at which the pose differs most from the start of the animation, apart from where the model stands.
fn telling_moment(document: &Document, view: &View, duration: f64) -> Moment {
    let mut posed = document.rig().posed();
    let mut places = |time: f64| {
        pose::pose(&document.model, view, time, Roots::default(), &mut posed);
        centered(&posed.globals)
    };
    let first = places(0.0);
    let mut distance = |time: f64| places(time).iter().zip(&first).map(|(a, b)| a.distance_squared(*b)).sum::<f64>();
    let times = (0..=CANDIDATES).map(|i| duration * f64::from(i) / f64::from(CANDIDATES));
    let farthest = times.map(|time| (distance(time), time)).filter(|(distance, _)| distance.is_finite());
    // The earliest of equally far moments.
    Moment::from(farthest.fold((0.0, 0.0), |best, next| if next.0 > best.0 { next } else { best }).1)
}

/// The positions of all nodes relative to their mean.
fn centered(globals: &[DAffine3]) -> Vec<DVec3> {
    let mean = globals.iter().map(|global| global.translation).sum::<DVec3>() / globals.len().max(1) as f64;
    globals.iter().map(|global| global.translation - mean).collect()
}

/// A document on the device, for tiles.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    pub document: &'a Document,
    pub analyses: &'a Analyses,
    pub models: UploadedModels<'a>,
}

/// A sheet that is being filled.
pub struct Sheet<'a> {
    gpu: &'a Gpu,
    renderer: &'a mut Renderer,
    picture: RgbaImage,
    grid: Grid,
    /// Number of tiles drawn so far.
    drawn: usize,
}

impl<'a> Sheet<'a> {
    /// An empty sheet of this size in pixels. Errors if a tile would have no pixels, or the sheet is too large.
    pub fn new(gpu: &'a Gpu, renderer: &'a mut Renderer, [width, height]: [u32; 2], grid: Grid) -> Result<Self, ExportError> {
        if width.max(height) > MAX_SIDE || width < grid.columns || height < grid.rows || grid.tiles() == 0 {
            return Err(ExportError::Size { width, height });
        }
        Ok(Self { gpu, renderer, picture: RgbaImage::new(width, height), grid, drawn: 0 })
    }

    /// Width and height of a tile, in pixels.
    pub fn tile_size(&self) -> [u32; 2] {
        [self.picture.width() / self.grid.columns, self.picture.height() / self.grid.rows]
    }

    /// Draws tiles of one document into the next places, all at the same scale. Tiles beyond the last place are left out. `options`
    /// gives all but size and camera.
    pub fn draw(&mut self, source: Source, tiles: &[Tile], options: &StillOptions) -> Result<(), ExportError> {
        let Source { document, analyses, models } = source;
        let [width, height] = self.tile_size();
        let fitted: Vec<_> = tiles.iter().map(|tile| fitted(document, tile, f64::from(width) / f64::from(height))).collect();
        let farthest = MARGIN * fitted.iter().map(|(orbit, _)| orbit.distance).fold(0.0, f64::max);
        for (tile, (orbit, shown)) in tiles.iter().zip(&fitted).take(self.grid.tiles() - self.drawn) {
            let orbit = Orbit { distance: farthest, ..*orbit };
            let camera = options.camera.or_else(|| (tile.view.camera == ViewCamera::Fit).then(|| orbit.camera(&shown.bounds)));
            let options = StillOptions { width, height, camera, ..options.clone() };
            let subject = Subject { document, analyses, view: &tile.view };
            let mut stills = Stills::new(self.gpu, self.renderer, subject);
            stills.title = Some(tile.title.clone());
            if let Some(compared) = &tile.compared {
                stills.compare_with(compared.compared(&document.model));
            }
            let picture = stills.draw_all(models, tile.moment, &options)?;
            let place = u32::try_from(self.drawn).unwrap_or(u32::MAX);
            let [x, y] = [place % self.grid.columns * width, place / self.grid.columns * height];
            replace(&mut self.picture, &picture, x.into(), y.into());
            self.drawn += 1;
        }
        Ok(())
    }

    /// The sheet. Places without a tile are filled like its first pixel, which is background.
    pub fn finish(mut self) -> RgbaImage {
        let background = *self.picture.get_pixel(0, 0);
        let [width, height] = self.tile_size();
        for (x, y, pixel) in self.picture.enumerate_pixels_mut() {
            let place = (y / height).saturating_mul(self.grid.columns).saturating_add((x / width).min(self.grid.columns));
            if place as usize >= self.drawn || x / width >= self.grid.columns || y / height >= self.grid.rows {
                *pixel = background;
            }
        }
        self.picture
    }
}

/// The usual camera, close enough to show what a tile shows, and the bounds of that.
fn fitted(document: &Document, tile: &Tile, aspect: f64) -> (Orbit, AnimationBounds) {
    let mut shown = bounds::moment_bounds(document.rig(), &tile.view, tile.moment, &document.mesh_bounds);
    let Some(compared) = &tile.compared else { return (shown.fit(&Orbit::default(), aspect), shown) };
    let ComparedModel { document, view, time_map, layout, .. } = &**compared;
    let moment = counterpart::moment(&tile.moment, time_map);
    let other = bounds::moment_bounds(document.rig(), view, moment, &document.mesh_bounds);
    shown.bounds = shown.bounds.union(&other.bounds);
    shown.hull.extend(other.hull);
    (shown.fit(&Orbit::default(), aspect / f64::from(layout.columns())), shown)
}

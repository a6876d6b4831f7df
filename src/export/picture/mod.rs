//! Describes the picture of a posed document: camera, options, lights, annotations, and the actors. The window and stills describe their
//! pictures here, so that both show the same.

pub mod compared;

use glam::Vec4;

use crate::colors::Colors;
use crate::render::actor::Actor;
use crate::render::annotations::{Annotations, PosedView, onion_skin};
use crate::render::light::punctual::{self, PlacedLight};
use crate::render::model::GpuModel;
use crate::render::picture::{Background, Options, Picture, Resolution, Tile};
use crate::session::analyses::Subject;
use crate::session::camera::screen::ScreenProjection;
use crate::session::inspect::heat_map;
use crate::session::pose::posed_document::PosedDocument;
use crate::session::view::display::{Display, HeatMap, Lighting};
use crate::session::view::overlay;

use compared::{ComparisonParts, GhostOfOther};

/// A document in a pose, with its model on the device.
#[derive(Clone, Copy)]
pub struct ShownDocument<'a> {
    /// If it is compared with another model, the bounds of its analyses include that model ([`Analyses::widened`]).
    ///
    /// [`Analyses::widened`]: crate::session::analyses::Analyses::widened
    pub subject: Subject<'a>,
    pub pose: &'a PosedDocument,
    pub gpu_model: &'a GpuModel,
}

/// The overlays that a picture shows: skeleton, trails, ghosts, path, contacts, wireframe, x-ray, outline, grid, axes, and heat map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overlays {
    /// Those of the view. Waits for the analyses that they need.
    All,
    /// Those of the view whose analyses are known. Missing analyses are requested.
    Known,
    /// None.
    Off,
}

/// The content of a picture. [`Self::picture`] and [`Self::actors`] borrow it for the renderer.
pub struct PictureContent<'a> {
    shown: ShownDocument<'a>,
    /// The camera, and the picture's size in points.
    projection: ScreenProjection,
    theme: &'a Colors,
    options: Options,
    lights: Vec<PlacedLight>,
    pub annotations: Annotations,
    /// The colors of the heat map, or of the difference view.
    tints: Vec<Vec4>,
    compared: &'a ComparisonParts<'a>,
}

impl<'a> PictureContent<'a> {
    /// The content of a picture of this document. `compared` are the parts of a comparison, if there is one.
    pub fn new(
        shown: ShownDocument<'a>,
        projection: ScreenProjection,
        theme: &'a Colors,
        overlays: Overlays,
        compared: &'a ComparisonParts<'a>,
    ) -> Self {
        let ShownDocument { subject: Subject { document, analyses, view }, pose, .. } = shown;
        let posed_view = PosedView { document, analyses, view, posed: &pose.posed, moment: pose.moment, theme, projection };
        let (options, annotations) = match overlays {
            Overlays::Off => (picture_options(&overlay::without_overlays(&view.display)), Annotations::default()),
            Overlays::All | Overlays::Known => (picture_options(&view.display), Annotations::new(&posed_view, overlays == Overlays::All)),
        };
        let tints = match &compared.tints {
            Some(tints) => tints.clone(),
            None if overlays == Overlays::Off => Vec::new(),
            None => heat_map::tints(document, view),
        };
        Self {
            shown,
            projection,
            theme,
            options: compared.apply_to(options),
            lights: punctual::placed_lights(&document.model, &pose.posed),
            annotations,
            tints,
            compared,
        }
    }

    /// The picture at full resolution, on the background of the view. `size` is in pixels.
    pub fn picture(&self, size: [u32; 2], pixels_per_point: f32) -> Picture<'_> {
        let Subject { analyses, view, .. } = self.shown.subject;
        Picture {
            camera: &self.projection.camera,
            tile: Tile::whole(size),
            resolution: Resolution::FULL,
            is_simplified: false,
            anchor: self.shown.pose.posed.anchor,
            options: self.options,
            background: picture_background(&view.display, self.theme),
            lights: &self.lights,
            lines: &self.annotations.lines,
            solid_joints: &self.annotations.solid_joints,
            bounds: analyses.crowd_bounds(view),
            theme: self.theme,
            pixels_per_point,
        }
    }

    /// The model with its crowd, the ghost of the model that it is compared with, then the ghosts of the model, the nearest in time first.
    pub fn actors(&self) -> Vec<Actor<'_>> {
        let ShownDocument { subject: Subject { document, .. }, pose, gpu_model } = self.shown;
        let model = &*document.model;
        let body = Actor {
            tints: &self.tints,
            heats: self.compared.heats.as_deref(),
            outlined: &self.annotations.outlined,
            ..Actor::crowd(model, gpu_model, &pose.posed, &pose.crowd)
        };
        let other = self.compared.ghost.as_ref().map(GhostOfOther::actor);
        std::iter::once(body).chain(other).chain(onion_skin::actors(model, gpu_model, &pose.ghosts, self.theme)).collect()
    }
}

/// Returns the picture's options for a view's display settings.
pub fn picture_options(display: &Display) -> Options {
    Options {
        shading: display.shading,
        lighting: display.lighting,
        tonemap: display.tonemap,
        exposure: display.exposure,
        environment_rotation: display.environment.rotation,
        environment_blur: display.environment.blur,
        shadow: display.shadow,
        variant: display.variant,
        heat_map: display.heat_map != HeatMap::Off,
        onion_skin: display.ghosts.shown,
        wireframe: display.wireframe,
        xray: display.xray,
        solid_joints_depth: display.skeleton_depth,
        grid: display.grid,
        axes: display.axes,
    }
}

/// Returns the background of a view: the environment, or a color. `theme` gives the color if the view has none.
pub fn picture_background(display: &Display, theme: &Colors) -> Background {
    match display.environment.shown && display.lighting == Lighting::Studio {
        true => Background::Environment,
        false => Background::Color(display.background.unwrap_or(theme.background)),
    }
}

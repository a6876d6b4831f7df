//! What a comparison adds to a picture: the other model as a ghost, colors by the distance to it, and the legend that explains them.
//! Stills and the window use it.

use std::sync::Arc;

use glam::{DVec3, Vec4};
use image::RgbaImage;

use crate::animation::hierarchy::skinning::JointMatrix;
use crate::captions::legends::comparison::Legend;
use crate::colors;
use crate::compare::Comparison;
use crate::compare::clock::TimeMap;
use crate::compare::counterpart::Layout;
use crate::compare::heat::{self, HeatSource, PosePair};
use crate::compare::text;
use crate::model::Model;
use crate::render::actor::Actor;
use crate::render::annotations::line::Theme;
use crate::render::model::GpuModel;
use crate::render::picture::Options;
use crate::session::analyses::{Analyses, Subject};
use crate::session::document::Document;
use crate::session::inspect::heat_map::VertexHeats;
use crate::session::pose::solve::Posed;
use crate::session::view::View;
use crate::units::Units;

/// Opacity of the ghost on a dark and on a light background. Blending is linear, so a light background needs more.
const DENSITIES: [f32; 2] = [0.55, 0.85];

/// The model that pictures are compared with, and how they show it.
#[derive(Debug, Clone)]
pub struct ComparedModel {
    pub document: Document,
    pub analyses: Analyses,
    /// See [`Compared::subject`].
    pub view: View,
    pub comparison: Arc<Comparison>,
    pub time_map: TimeMap,
    /// See [`Compared::most`].
    pub most: f64,
    pub layout: Layout,
    pub titles: [String; 2],
    pub units: Units,
}

impl ComparedModel {
    /// What pictures of A, whose model this is, are drawn with.
    pub fn compared<'a>(&'a self, model: &'a Model) -> Compared<'a> {
        Compared {
            subject: Subject { document: &self.document, analyses: &self.analyses, view: &self.view },
            model,
            comparison: &self.comparison,
            time_map: self.time_map,
            most: self.most,
            layout: self.layout,
            titles: &self.titles,
            units: self.units,
        }
    }
}

/// The model that a picture is compared with.
#[derive(Clone, Copy)]
pub struct Compared<'a> {
    /// B, in the view that [`crate::compare::counterpart::view`] derives from that of A.
    pub subject: Subject<'a>,
    /// The model of A.
    pub model: &'a Model,
    pub comparison: &'a Comparison,
    /// The time of B for each time of A.
    pub time_map: TimeMap,
    /// The distance of the brightest color of the difference view, in meters.
    pub most: f64,
    pub layout: Layout,
    /// What the halves of the picture are called: "A: fox.glb".
    pub titles: &'a [String; 2],
    /// The unit of the legend.
    pub units: Units,
}

/// B in a pose, and on the device.
#[derive(Clone, Copy)]
pub struct PosedOther<'a> {
    pub posed: &'a Posed,
    pub gpu_model: &'a GpuModel,
}

/// What a comparison adds to the picture of one model. Nothing by default.
#[derive(Default)]
pub struct Beside<'a> {
    /// The other model.
    pub ghost: Option<GhostOfOther<'a>>,
    /// The colors of the difference view by joint, which replace the heat map of skin weights.
    pub tints: Option<Vec<Vec4>>,
    /// Its colors by vertex.
    pub heats: Option<Arc<VertexHeats>>,
    pub legend: Option<Legend>,
}

/// The other model as a ghost.
pub struct GhostOfOther<'a> {
    model: &'a Model,
    gpu_model: &'a GpuModel,
    posed: &'a Posed,
    /// Relative to the anchor of the first model.
    palette: Vec<JointMatrix>,
    /// Linear color, and density as alpha.
    tint: Vec4,
}

impl GhostOfOther<'_> {
    /// The ghost as an actor.
    pub fn actor(&self) -> Actor<'_> {
        Actor {
            model: self.model,
            gpu: self.gpu_model,
            count: 1,
            palettes: &self.palette,
            weights: &self.posed.pose.weights,
            materials: &self.posed.materials,
            tints: &[],
            heats: None,
            visible_indices: &self.posed.visible_indices,
            visible: &self.posed.shown,
            ghost: Some(self.tint),
            outlined: &[],
        }
    }
}

impl Beside<'_> {
    /// Only a title.
    pub fn titled(title: String) -> Self {
        Self { legend: Some(Legend { title, swatch: None, scale: None }), ..Self::default() }
    }

    /// The options of a picture with what the comparison needs switched on.
    pub fn look(&self, options: Options) -> Options {
        let (heat_map, onion_skin) = (options.heat_map || self.tints.is_some(), options.onion_skin || self.ghost.is_some());
        Options { heat_map, onion_skin, ..options }
    }
}

impl<'a> Compared<'a> {
    /// B as a ghost over A. `anchor` is that of the picture.
    fn ghost(&self, PosedOther { posed, gpu_model }: PosedOther<'a>, anchor: DVec3, theme: &Theme) -> Beside<'a> {
        let is_light = *theme == Theme::LIGHT;
        let color = if is_light { colors::LIGHT.compared } else { colors::DARK.compared };
        let tint = colors::linear(color).extend(DENSITIES[usize::from(is_light)]);
        let palette = posed.joint_transforms.iter().map(|transform| JointMatrix::anchored(transform, anchor)).collect();
        let ghost = GhostOfOther { model: &self.subject.document.model, gpu_model, posed, palette, tint };
        let legend = Legend { title: format!("{} as a ghost", self.titles[1]), swatch: Some(color), scale: None };
        Beside { ghost: Some(ghost), legend: Some(legend), ..Beside::default() }
    }

    /// The heats of the vertices in these poses, for the difference view. They take a while for heavy models.
    pub fn heats(&self, poses: PosePair) -> Option<Arc<VertexHeats>> {
        if self.layout != Layout::Difference {
            return None;
        }
        heat::vertex_heats(self.heat_source(), poses.vertices(), self.most, &|| true).map(Arc::new)
    }

    /// The models with their matching nodes and vertices.
    fn heat_source(&self) -> HeatSource<'a> {
        let models = [self.model, &*self.subject.document.model];
        HeatSource { models, binding: &self.comparison.binding, followed: &self.comparison.followed }
    }

    /// A colored by the distance to B.
    fn heat(&self, poses: PosePair, heats: Option<Arc<VertexHeats>>) -> Beside<'a> {
        let tints = heat::tints(self.heat_source(), poses, self.most);
        let scale = Some(["0".to_owned(), text::small_distance(self.units, self.most)]);
        Beside {
            ghost: None,
            tints: Some(tints),
            heats,
            legend: Some(Legend { title: format!("Distance to {}", self.titles[1]), swatch: None, scale }),
        }
    }

    /// What the layout adds to a single picture of A. Nothing for side by side, which is two pictures. `a` and B are in poses of the same
    /// moment, and `heats` are those of the difference view.
    pub fn beside(&self, a: &Posed, other: PosedOther<'a>, heats: Option<Arc<VertexHeats>>, theme: &Theme) -> Beside<'a> {
        match self.layout {
            Layout::Side => Beside::default(),
            Layout::Overlay => self.ghost(other, a.anchor, theme),
            Layout::Difference => self.heat(PosePair { a, b: other.posed }, heats),
        }
    }
}

/// A picture of this width with `left` and `right`, which are equally high, at its edges and a line between them.
pub fn side_by_side(left: &RgbaImage, right: &RgbaImage, width: u32, theme: &Theme) -> RgbaImage {
    let mut picture = RgbaImage::new(width, left.height());
    image::imageops::replace(&mut picture, left, 0, 0);
    image::imageops::replace(&mut picture, right, i64::from(width) - i64::from(right.width()), 0);
    let [red, green, blue] = if *theme == Theme::LIGHT { colors::LIGHT.divider } else { colors::DARK.divider };
    let line = image::Rgba([red, green, blue, 255]);
    for y in 0..picture.height() {
        picture.put_pixel(width / 2, y, line);
    }
    picture
}

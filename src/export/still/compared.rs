//! What a comparison adds to a picture: the other model as a ghost, colors by the distance to it, and the legend that explains them.
//! Stills and the window use it.

use glam::{DVec3, Vec4};
use image::RgbaImage;

use crate::animation::hierarchy::skinning::JointMatrix;
use crate::captions::legends::comparison::Legend;
use crate::colors;
use crate::compare::Comparison;
use crate::compare::counterpart::Layout;
use crate::compare::heat::{self, HeatSource, PosePair};
use crate::compare::text;
use crate::model::Model;
use crate::render::actor::Actor;
use crate::render::annotations::line::Theme;
use crate::render::model::GpuModel;
use crate::render::picture::Options;
use crate::session::analyses::Subject;
use crate::session::pose::solve::Posed;
use crate::units::Units;

/// Opacity of the ghost on a dark and on a light background. Blending is linear, so a light background needs more.
const DENSITIES: [f32; 2] = [0.55, 0.85];

/// The model that pictures are compared with.
#[derive(Clone, Copy)]
pub struct Compared<'a> {
    /// B, in the view that [`crate::compare::counterpart::view`] derives from that of A.
    pub subject: Subject<'a>,
    /// The model of A.
    pub model: &'a Model,
    /// B on the device.
    pub gpu_model: &'a GpuModel,
    pub comparison: &'a Comparison,
    pub layout: Layout,
    /// What the halves of the picture are called: "A: fox.glb".
    pub titles: &'a [String; 2],
    /// The unit of the legend.
    pub units: Units,
}

/// What a comparison adds to the picture of one model. Nothing by default.
#[derive(Default)]
pub struct Beside<'a> {
    /// The other model.
    pub ghost: Option<GhostOfOther<'a>>,
    /// The colors of the difference view, which replace the heat map of skin weights.
    pub tints: Option<Vec<Vec4>>,
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
    /// B, in the pose `posed`, as a ghost over A. `anchor` is that of the picture.
    fn ghost(&self, posed: &'a Posed, anchor: DVec3, theme: &Theme) -> Beside<'a> {
        let is_light = *theme == Theme::LIGHT;
        let color = if is_light { colors::LIGHT.compared } else { colors::DARK.compared };
        let tint = colors::linear(color).extend(DENSITIES[usize::from(is_light)]);
        let palette = posed.joint_transforms.iter().map(|transform| JointMatrix::anchored(transform, anchor)).collect();
        let ghost = GhostOfOther { model: &self.subject.document.model, gpu_model: self.gpu_model, posed, palette, tint };
        let legend = Legend { title: format!("{} as a ghost", self.titles[1]), swatch: Some(color), scale: None };
        Beside { ghost: Some(ghost), tints: None, legend: Some(legend) }
    }

    /// A colored by the distance to B. The brightest color is the largest distance of the whole comparison.
    fn heat(&self, poses: PosePair) -> Beside<'a> {
        let most = self.comparison.largest_distance();
        let models = [self.model, &*self.subject.document.model];
        let source = HeatSource { models, binding: &self.comparison.binding, followed: &self.comparison.followed };
        let tints = heat::tints(source, poses, most);
        let scale = Some(["0".to_owned(), text::small_distance(self.units, most)]);
        Beside {
            ghost: None,
            tints: Some(tints),
            legend: Some(Legend { title: format!("Distance to {}", self.titles[1]), swatch: None, scale }),
        }
    }

    /// What the layout adds to a single picture of A. Nothing for side by side, which is two pictures. `a` and `b` are poses of the same
    /// moment.
    pub fn beside(&self, a: &Posed, b: &'a Posed, theme: &Theme) -> Beside<'a> {
        match self.layout {
            Layout::Side => Beside::default(),
            Layout::Overlay => self.ghost(b, a.anchor, theme),
            Layout::Difference => self.heat(PosePair { a, b }),
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

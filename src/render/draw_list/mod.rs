//! The draw list describes all that one frame draws, as plain data: the draws of the actors, and also lines, solid joints, lights and the
//! fit of the shadow map.

pub(crate) mod collect;
pub(crate) mod draw;
pub(crate) mod key;
mod order;
pub(crate) mod part;
pub(crate) mod resources;

use crate::session::view::display::Depth;

use super::actor::Actor;
use super::annotations::line::{self, GpuLine, Line};
use super::annotations::skeleton::{self, GpuSolidJoint};
use super::bind_groups::frame;
use super::device::gpu::Gpu;
use super::environment::key_light::KeyLight;
use super::light::punctual::GpuLight;
use super::light::shadow_fit::{self, ShadowFit};
use super::model::cull_bounds::Frustum;
use super::model::partial_indices::IndexSubsets;
use super::picture::{Background, Msaa, Options, Picture};

use collect::Collection;
use draw::ActorDraws;
use key::LightFeatures;

/// The input of a frame: a picture, the actors in it, and the size of the target.
#[derive(Clone, Copy)]
pub(crate) struct FrameInputs<'f, 'a> {
    pub gpu: &'f Gpu,
    pub picture: &'f Picture<'f>,
    pub actors: &'f [Actor<'a>],
    /// Width and height of the scene target, in texels.
    pub size: [u32; 2],
}

/// The renderer's settings that decide how actors are drawn.
pub(crate) struct DrawSettings<'f> {
    /// Key light of the environment, if it has one.
    pub key_light: Option<KeyLight>,
    /// Index lists of primitives that are drawn in part.
    pub subsets: &'f IndexSubsets,
    /// Largest buffer of a palette page, in bytes.
    pub page_bytes: u64,
    /// Whether draws outside the picture are left out.
    pub culls: bool,
}

/// All that one frame draws.
pub(crate) struct DrawList<'a> {
    /// The options that the list was made for.
    pub options: Options,
    pub background: Background,
    pub samples: Msaa,
    /// Punctual lights, scaled to an exposure that the screen can show.
    pub lights: Vec<GpuLight>,
    /// The fit of the shadow map. `None` if the key light casts no shadow.
    pub shadow: Option<ShadowFit>,
    pub draws: ActorDraws<'a>,
    /// The axes, then lines that surfaces may hide.
    pub scene_lines: Vec<GpuLine>,
    /// Number of lines at the front of `scene_lines` that are axes.
    pub axes: usize,
    /// Lines in front of all surfaces.
    pub overlay_lines: Vec<GpuLine>,
    /// Joints in the scene or over it; see [`DrawList::has_solid_joints_in_scene`].
    pub solid_joints: Vec<GpuSolidJoint>,
}

/// The amount drawn over a picture: numbers of lines and solid joints, and whether there is an outline.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct OverlayContent {
    pub lines: u32,
    pub solid_joints: u32,
    pub outline: bool,
}

impl OverlayContent {
    /// Returns whether anything is drawn over the picture.
    pub fn any(&self) -> bool {
        self.lines > 0 || self.solid_joints > 0 || self.outline
    }
}

impl<'a> DrawList<'a> {
    /// Makes the draw list of a picture, without GPU work.
    pub fn new(inputs: &FrameInputs<'_, 'a>, settings: &DrawSettings, samples: Msaa) -> Self {
        let FrameInputs { gpu, picture, actors, size } = *inputs;
        let lights = frame::lights(picture);
        let shadow = shadow_fit::for_picture(gpu, picture, actors, settings.key_light);
        let collection = Collection {
            picture,
            features: LightFeatures { punctual: !lights.is_empty(), shadow: shadow.is_some() },
            page_bytes: settings.page_bytes,
            frustum: settings.culls.then(|| Frustum::new(&frame::clip_from_anchored(picture, size), size)),
            subsets: settings.subsets,
        };
        let mut in_scene = if picture.options.axes { line::axes(&picture.bounds, picture.theme).to_vec() } else { Vec::new() };
        let axes = in_scene.len();
        // In x-ray mode nothing hides lines, so all of them go into the overlay.
        let is_occludable = |line: &&Line| line.depth == Depth::Occluded && !picture.options.xray;
        in_scene.extend(picture.lines.iter().filter(is_occludable));
        let in_front: Vec<_> = picture.lines.iter().filter(|line| !is_occludable(line)).copied().collect();
        let texels_per_point = picture.texels_per_point();
        let gpu_lines = |lines: &[_]| line::gpu_lines(lines, picture.anchor, texels_per_point);
        Self {
            options: picture.options,
            background: picture.background,
            samples,
            draws: collection.draws(actors),
            lights,
            shadow,
            scene_lines: gpu_lines(&in_scene),
            axes,
            overlay_lines: gpu_lines(&in_front),
            solid_joints: skeleton::gpu_solid_joints(picture.solid_joints, picture.anchor),
        }
    }

    /// Returns the amount drawn over the picture.
    pub fn overlay(&self) -> OverlayContent {
        let solid_joints = if self.has_solid_joints_in_scene() { 0 } else { self.solid_joints.len() };
        OverlayContent {
            lines: self.overlay_lines.len() as u32,
            solid_joints: solid_joints as u32,
            outline: !self.draws.outlined.is_empty(),
        }
    }

    /// Returns whether surfaces may hide solid joints. If so, solid joints are part of the scene, otherwise of the overlay.
    pub fn has_solid_joints_in_scene(&self) -> bool {
        self.options.solid_joints_depth == Depth::Occluded && !self.options.xray
    }

    /// Returns whether the environment is the background.
    pub fn shows_environment(&self) -> bool {
        self.background == Background::Environment
    }
}

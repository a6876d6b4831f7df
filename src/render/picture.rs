//! Describes a picture: camera, light, background, what is drawn over it. Plain data, made again for every frame.

use glam::DVec3;

use crate::camera::{Bounds, Camera};
use crate::session::view::display::{Depth, Lighting, Shading, Shadow, Tonemap};

use super::annotations::line::{Line, Theme};
use super::annotations::skeleton::SolidJoint;
use super::light::punctual::PlacedLight;

/// A picture, or a tile of one.
///
/// Positions are in world space, in metres, as `f64`. The GPU gets them relative to `anchor` as `f32`, so that models far from the
/// origin do not jitter; the palettes of all actors are relative to the same anchor.
#[derive(Clone, Copy)]
pub struct Picture<'a> {
    pub camera: &'a Camera,
    pub tile: Tile,
    /// Supersamples a side of a pixel, 1 to 4, averaged in linear light; on top of MSAA.
    pub supersample: u32,
    /// World position that palettes are relative to.
    pub anchor: DVec3,
    pub options: Options,
    pub background: Background,
    /// The file's lights.
    pub lights: &'a [PlacedLight],
    /// Drawn over everything else.
    pub lines: &'a [Line],
    /// Joints as solids, drawn under the lines.
    pub solids: &'a [SolidJoint],
    /// Bounds of everything shown: the shadow map, the grid and the axes are sized to fit.
    pub bounds: Bounds,
    pub theme: &'a Theme,
    /// Pixels per point, before supersampling. Line widths are in points.
    pub pixels_per_point: f32,
}

impl Picture<'_> {
    /// Width and height of the scene target for a viewport: pixels times supersamples.
    pub(crate) fn samples(&self, viewport: &Viewport) -> [u32; 2] {
        let [_, _, width, height] = viewport.rect;
        [width, height].map(|side| side * self.supersample.clamp(1, 4))
    }

    pub(crate) fn uses_environment_light(&self) -> bool {
        self.options.lighting == Lighting::Studio
    }
}

/// The shading of surfaces and what is drawn around them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    pub shading: Shading,
    pub lighting: Lighting,
    pub tonemap: Tonemap,
    /// Exposure value: each step doubles the light.
    pub exposure: f32,
    /// Rotation of the environment about Y, in degrees, anticlockwise as seen from above.
    pub environment_rotation: f32,
    /// Blur of the environment where it is the background: from 0, sharp, to 1, as the roughest surface mirrors it.
    pub environment_blur: f32,
    /// Shadow of the key light.
    pub shadow: Shadow,
    /// Variant of KHR_materials_variants; `None` shows the file's own materials.
    pub variant: Option<usize>,
    /// Shades actors that have tints by their joint weights.
    pub heat_map: bool,
    /// Draws actors that are ghosts.
    pub onion_skin: bool,
    pub wireframe: bool,
    /// Translucent surfaces, through which the skeleton is seen.
    pub xray: bool,
    /// Whether surfaces hide joints that are drawn as solids.
    pub solids_depth: Depth,
    pub grid: bool,
    pub axes: bool,
}

/// Where a picture goes: a rectangle of a texture.
#[derive(Debug, Clone, Copy)]
pub struct Viewport<'a> {
    pub target: &'a wgpu::TextureView,
    /// x, y, width, height in pixels. What lies outside stays as it is.
    pub rect: [u32; 4],
}

/// Which part of a picture is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tile {
    /// Size of the whole picture, in pixels.
    pub picture: [u32; 2],
    /// Upper left corner of the tile in the picture, in pixels.
    pub origin: [u32; 2],
}

impl Tile {
    pub fn whole(picture: [u32; 2]) -> Self {
        Self { picture, origin: [0, 0] }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Background {
    /// sRGB; comes out as exactly these bytes.
    Color([u8; 3]),
    /// Alpha is coverage; colour is not multiplied by it.
    Transparent,
    /// The environment, with the options' rotation and blur.
    Environment,
}

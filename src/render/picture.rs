//! Describes a picture: the camera, the light, the background, and the drawings over the models. The description is plain data and is made
//! again for every frame.

use glam::DVec3;

use crate::camera::Camera;
use crate::camera::bounds::Bounds;
use crate::colors::{self, Colors};
use crate::session::view::display::{Depth, Lighting, Shading, Shadow, Tonemap};

use super::annotations::line::Line;
use super::annotations::skeleton::SolidJoint;
use super::light::punctual::PlacedLight;

/// A picture, or a tile of one.
///
/// Positions are in world space, in meters, as `f64`. The GPU receives them relative to `anchor` as `f32`, so that models far from the
/// origin do not jitter. The palettes of all actors are relative to the same anchor.
#[derive(Clone, Copy)]
pub struct Picture<'a> {
    /// The camera of the whole picture, in world space.
    pub camera: &'a Camera,
    /// The part of the picture that the viewport shows.
    pub tile: Tile,
    /// Number of texels of the scene target per pixel of the picture.
    pub resolution: Resolution,
    /// Whether meshes are drawn with their simplified triangle lists, if they have them. The wireframe always shows the full meshes.
    pub is_simplified: bool,
    /// World position that palettes are relative to, in meters.
    pub anchor: DVec3,
    /// Options for shading, lighting, and the drawings over and around surfaces.
    pub options: Options,
    /// The fill of pixels that no surface covers.
    pub background: Background,
    /// The file's punctual lights (KHR_lights_punctual), placed in the world.
    pub lights: &'a [PlacedLight],
    /// Lines in world space, for example of the skeleton and of trails. They are drawn after surfaces; each line says whether surfaces hide
    /// it.
    pub lines: &'a [Line],
    /// Joints drawn as solid shapes, under the lines.
    pub solid_joints: &'a [SolidJoint],
    /// Bounds of all geometry in the picture, in world space. They determine the size of the shadow map, the grid and the axes.
    pub bounds: Bounds,
    /// Colors of the grid, the axes, the wireframe and the outline.
    pub theme: &'a Colors,
    /// Pixels of the picture per point. Line widths are in points.
    pub pixels_per_point: f32,
}

impl<'a> Picture<'a> {
    /// Returns the picture of a camera without lights of the file and without anything drawn over surfaces, on the dark theme's background.
    /// `size` is in pixels.
    pub fn plain(camera: &'a Camera, size: [u32; 2], options: Options, anchor: DVec3, bounds: Bounds) -> Self {
        Self {
            camera,
            tile: Tile::whole(size),
            resolution: Resolution::FULL,
            is_simplified: false,
            anchor,
            options,
            background: Background::Color(colors::DARK.background),
            lights: &[],
            lines: &[],
            solid_joints: &[],
            bounds,
            theme: &colors::DARK,
            pixels_per_point: 1.0,
        }
    }

    /// Returns width and height of the scene target for a viewport, in texels.
    pub(crate) fn target_size(&self, viewport: &Viewport) -> [u32; 2] {
        let [_, _, width, height] = viewport.rect;
        [width, height].map(|side| self.resolution.texels(side))
    }

    /// Returns the texels of the scene target per point. Line widths are in points.
    pub(crate) fn texels_per_point(&self) -> f32 {
        self.pixels_per_point * self.resolution.texels_per_pixel() as f32
    }

    /// Returns whether surfaces are lit by the environment and the key light.
    pub(crate) fn uses_environment_light(&self) -> bool {
        self.options.lighting == Lighting::Studio
    }
}

/// The resolution of the scene target, compared with the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resolution {
    /// This number of texels along each side of a pixel, 1 to 4. They are averaged in linear light. Each has its own MSAA samples.
    Supersampled(u32),
    /// One texel for this number of pixels along each side. The texels are interpolated.
    Reduced(u32),
}

impl Resolution {
    /// One texel per pixel.
    pub const FULL: Self = Self::Supersampled(1);

    /// Returns the number of texels for the side of a picture or a tile. Reduced sizes are rounded up.
    pub(crate) fn texels(self, pixels: u32) -> u32 {
        match self {
            Self::Supersampled(count) => pixels * count.clamp(1, 4),
            Self::Reduced(pixels_per_texel) => pixels.div_ceil(pixels_per_texel.max(1)),
        }
    }

    /// Returns the number of texels along the side of a pixel.
    pub(crate) fn texels_per_pixel(self) -> f64 {
        match self {
            Self::Supersampled(count) => f64::from(count.clamp(1, 4)),
            Self::Reduced(pixels_per_texel) => 1.0 / f64::from(pixels_per_texel.max(1)),
        }
    }
}

/// Number of MSAA samples per texel of the scene. All devices support these two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Msaa {
    One,
    Four,
}

impl Msaa {
    /// Returns the number.
    pub const fn samples(self) -> u32 {
        match self {
            Self::One => 1,
            Self::Four => 4,
        }
    }
}

/// Options for the shading of surfaces and for their surroundings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// The quantity that surfaces show: the full material or a single property of it.
    pub shading: Shading,
    /// Where the light comes from.
    pub lighting: Lighting,
    /// Curve from linear light to displayable colors.
    pub tonemap: Tonemap,
    /// Exposure value: each step up doubles the light.
    pub exposure: f32,
    /// Rotation of the environment about +Y, in degrees, counterclockwise as seen from above.
    pub environment_rotation: f32,
    /// Blur of the environment as a background, from 0 (sharp) to 1 (as blurred as its reflection in the roughest surface).
    pub environment_blur: f32,
    /// Shadow of the key light.
    pub shadow: Shadow,
    /// Index of a variant of KHR_materials_variants. `None` shows the default materials.
    pub variant: Option<usize>,
    /// Shows the heats and tints of the actors that have them, instead of lit surfaces.
    pub heat_map: bool,
    /// Draws the actors that are ghosts.
    pub onion_skin: bool,
    /// Draws the edges of triangles over surfaces.
    pub wireframe: bool,
    /// Draws surfaces translucent, so that the skeleton shows through them.
    pub xray: bool,
    /// Whether surfaces hide joints that are drawn as solids.
    pub solid_joints_depth: Depth,
    /// Draws the grid on the ground.
    pub grid: bool,
    /// Draws the world's axes.
    pub axes: bool,
}

/// The rectangle of a texture that a picture is drawn into.
#[derive(Debug, Clone, Copy)]
pub struct Viewport<'a> {
    /// A view of the whole texture, which has the `target_format` of the renderer.
    pub target: &'a wgpu::TextureView,
    /// x, y, width and height in pixels. The rest of the texture keeps its content.
    pub rect: [u32; 4],
}

/// The part of a picture that is drawn. The viewport gives the size of the tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tile {
    /// Size of the whole picture, in pixels.
    pub picture: [u32; 2],
    /// Upper left corner of the tile in the picture, in pixels.
    pub origin: [u32; 2],
}

impl Tile {
    /// The tile that shows the whole picture.
    pub fn whole(picture: [u32; 2]) -> Self {
        Self { picture, origin: [0, 0] }
    }

    /// Returns the size of the whole picture, in pixels, at least 1.
    pub(crate) fn picture_size(&self) -> [f64; 2] {
        self.picture.map(|pixels| f64::from(pixels.max(1)))
    }
}

/// The fill of pixels that no surface covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Background {
    /// An sRGB color. Background pixels have exactly these bytes.
    Color([u8; 3]),
    /// No background. The alpha of the picture is its coverage, and color is not multiplied by alpha.
    Transparent,
    /// The environment, with the rotation and blur of [`Options`].
    Environment,
}

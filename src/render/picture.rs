//! What the renderer is asked to draw: an eye, what is around it, and the actors. Plain data, made anew for every frame.

use glam::DVec3;

use crate::animation::skinning::JointMatrix;
use crate::camera::{Bounds, Camera};
use crate::model::Model;
use crate::session::view::Display;

use super::lights::PlacedLight;
use super::overlay::{Line, Theme};
use super::upload::GpuModel;

/// A picture, or a tile of one.
pub struct Picture<'a> {
    pub camera: &'a Camera,
    pub tile: Tile,
    /// Samples a side, 1 to 4, averaged in linear light; on top of MSAA.
    pub supersample: u32,
    /// What palettes are relative to.
    pub anchor: DVec3,
    pub display: &'a Display,
    pub background: Background,
    /// The file's.
    pub lights: &'a [PlacedLight],
    /// Drawn over everything else.
    pub lines: &'a [Line],
    /// Of what is shown: the grid is as wide as that needs, and the axes as long.
    pub bounds: Bounds,
    pub theme: &'a Theme,
    /// Width of lines.
    pub pixels_per_point: f32,
}

/// Which part of a picture is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tile {
    /// Of the whole picture, pixels.
    pub picture: [u32; 2],
    /// Of the tile in it, from the upper left.
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
    /// Alpha is coverage, colour is not multiplied by it.
    Transparent,
}

/// A posed model. The renderer draws a list of these and knows no other model.
pub struct Actor<'a> {
    pub model: &'a Model,
    pub gpu: &'a GpuModel,
    pub palette: &'a [JointMatrix],
    pub weights: &'a [f32],
    /// By node: whether its mesh is drawn.
    pub visible: &'a [bool],
}

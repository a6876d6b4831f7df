//! What the renderer is asked to draw: an eye, what is around it, and the actors. Plain data, made anew for every frame.

use std::ops::Range;
use std::sync::Arc;

use glam::{DVec3, Vec4};

use crate::animation::hierarchy::skinning::JointMatrix;
use crate::camera::{Bounds, Camera};
use crate::model::Model;
use crate::model::material::Material;
use crate::model::node::{Node, NodeIndex};
use crate::session::pose::geometry_mask::VisibleIndices;
use crate::session::view::display::{Display, Lighting};

use super::annotations::joints::SolidJoint;
use super::annotations::line::{Line, Theme};
use super::light::punctual::PlacedLight;
use super::model::GpuModel;
use super::model::geometry::GpuPrimitive;
use super::model::instances::{PlacedPrimitive, Places};

/// A picture, or a tile of one.
#[derive(Clone, Copy)]
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
    /// Under the lines.
    pub solids: &'a [SolidJoint],
    /// Of what is shown: the grid is as wide as that needs, and the axes as long.
    pub bounds: Bounds,
    pub theme: &'a Theme,
    /// Width of lines.
    pub pixels_per_point: f32,
}

impl Picture<'_> {
    /// That it is drawn with in a viewport, each way.
    pub(crate) fn samples(&self, [_, _, width, height]: [u32; 4]) -> [u32; 2] {
        [width, height].map(|side| side * self.supersample.clamp(1, 4))
    }

    /// Whether the light from all around is seen behind everything.
    pub(crate) fn shows_environment(&self) -> bool {
        self.background == Background::Environment
    }
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

impl Background {
    /// As a view has it, over a colour of the theme's.
    pub fn of(display: &Display, theme: &Theme) -> Self {
        match display.environment.shown && display.lighting == Lighting::Studio {
            true => Self::Environment,
            false => Self::Color(display.background.unwrap_or(theme.background)),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Background {
    /// sRGB; comes out as exactly these bytes.
    Color([u8; 3]),
    /// Alpha is coverage, colour is not multiplied by it.
    Transparent,
    /// The light from all around, as the display has it.
    Environment,
}

/// A model, posed once or many times: all members show the same meshes. The renderer draws a list of these and knows no other
/// model.
#[derive(Clone, Copy)]
pub struct Actor<'a> {
    pub model: &'a Model,
    pub gpu: &'a GpuModel,
    /// How many members.
    pub count: usize,
    /// As long for every member, one after the other.
    pub palettes: &'a [JointMatrix],
    /// Morph weights: as many for every member, one after the other.
    pub weights: &'a [f32],
    /// The model's, as an animation drives them; none: as they were uploaded.
    pub materials: &'a [Material],
    /// What the heat map shows of a member, by the entries of its palette, as [`crate::session::inspect::heat_map`] has it; none: it is shaded as
    /// all are.
    pub tints: &'a [Vec4],
    /// What is left of meshes that are not drawn whole.
    pub left: &'a Arc<VisibleIndices>,
    /// By node: whether its mesh is drawn.
    pub visible: &'a [bool],
    /// The body at another time, in this colour alone (linear, and how dense it is); casts no shadow.
    pub ghost: Option<Vec4>,
    /// By node: whether there is a line around its mesh, as the first member shows it; none at all where it is empty.
    pub outlined: &'a [bool],
}

/// A primitive that an actor shows.
#[derive(Clone, Copy)]
pub(crate) struct Drawn<'a> {
    pub index: NodeIndex,
    pub node: &'a Node,
    /// Among the primitives of its mesh.
    pub place: usize,
    pub primitive: &'a GpuPrimitive,
    /// In a member's palette: the first of the skin, or the node's own.
    pub matrix: usize,
    pub skinned: bool,
    pub outlined: bool,
    /// Where the node shows it; none: once, where the node is.
    pub placed: Option<Placed<'a>>,
}

/// Many places of a primitive, all of them mirroring or none.
#[derive(Clone, Copy)]
pub(crate) struct Placed<'a> {
    pub places: &'a Places,
    pub primitive: &'a PlacedPrimitive,
}

impl<'a> Actor<'a> {
    /// Of a member.
    pub(crate) fn palette_len(&self) -> usize {
        self.palettes.len() / self.count.max(1)
    }

    /// Of a member.
    pub(crate) fn weights_len(&self) -> usize {
        self.weights.len() / self.count.max(1)
    }

    /// That are deformed for a picture.
    pub(crate) fn vertices(&self) -> usize {
        let drawn = self.drawn().map(|drawn| {
            let places = drawn.placed.map_or(1, |placed| placed.places.count as usize);
            drawn.primitive.vertices.count().saturating_mul(places)
        });
        drawn.sum::<usize>().saturating_mul(self.count)
    }

    pub fn palettes_of(&self, members: &Range<usize>) -> &'a [JointMatrix] {
        &self.palettes[members.start * self.palette_len()..members.end * self.palette_len()]
    }

    pub(crate) fn weights_of(&self, members: &Range<usize>) -> &'a [f32] {
        &self.weights[members.start * self.weights_len()..members.end * self.weights_len()]
    }

    /// What each member shows.
    pub(crate) fn drawn(&self) -> impl Iterator<Item = Drawn<'a>> + use<'a> {
        let (model, gpu, outlined) = (self.model, self.gpu, self.outlined);
        let visible = model.nodes.iter().enumerate().zip(self.visible).filter(|(_, visible)| **visible);
        let primitives = visible.flat_map(move |((index, node), _)| {
            let primitives = node.mesh.and_then(|mesh| gpu.meshes.get(mesh)).map_or(&[][..], Vec::as_slice);
            let places = gpu.places.get(&index).map_or(&[][..], Vec::as_slice);
            primitives.iter().enumerate().flat_map(move |(at, primitive)| {
                let once = places.is_empty().then_some(None);
                let placed = places.iter().map(move |places| Some(Placed { places, primitive: places.primitives.get(at)? }));
                once.into_iter().chain(placed).map(move |placed| (index, node, at, primitive, placed))
            })
        });
        primitives.filter(|(_, _, _, primitive, _)| primitive.index_count > 0).filter_map(move |(index, node, place, primitive, placed)| {
            let skin = node.skin.filter(|_| primitive.vertices.influences.is_some()).map(|skin| &model.skins[skin]);
            let matrix = skin.map(|skin| skin.matrices.start).or(node.rigid_matrix)?;
            let outlined = outlined.get(index).copied().unwrap_or_default();
            Some(Drawn { index: NodeIndex(index as u32), node, place, primitive, matrix, skinned: skin.is_some(), outlined, placed })
        })
    }
}

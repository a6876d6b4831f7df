//! The keys of pipelines. A key holds everything that distinguishes one pipeline from another, in normalized form.

use crate::model::mesh::Topology;
use crate::model::texture::TextureSlot;
use crate::render::material::features::Features;
use crate::render::material::texture_set::TextureSet;
use crate::session::view::display::{Shading, Tonemap};

use super::shadow_caster::ShadowCasterKey;

/// The key of a pipeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum PipelineKey {
    Surface(SurfaceKey),
    /// Into the shadow map.
    ShadowCaster(ShadowCasterKey),
    /// The environment as background, by tone map; `under` everything drawn so far.
    Background {
        tonemap: u8,
        under: bool,
    },
    /// The shadow on the ground.
    Ground,
    Grid {
        under: bool,
    },
    SceneLines {
        under: bool,
    },
    OverlayLines,
    /// Joints over the picture; or in the scene, where what is before them hides them.
    Solids {
        in_scene: bool,
    },
    /// Which blocks of the picture the outline may be in.
    OutlineBlocks,
    Outline,
    /// The backdrop's light from the scene, by tone map; or a mip level from the one before.
    Backdrop(u8),
    BackdropMip,
    /// Composites the picture.
    Composite,
}

/// Everything that makes one surface pipeline differ from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct SurfaceKey {
    pub role: Role,
    pub alpha: Alpha,
    pub points_or_lines: Option<PointsOrLines>,
    pub skinned: bool,
    /// The primitive has morph targets.
    pub morphed: bool,
    /// More than four joints may move a vertex.
    pub further_influences: bool,
    /// The vertices have optional attributes.
    pub further: bool,
    /// Instances of EXT_mesh_gpu_instancing are multiplied onto the node's matrix.
    pub instanced: bool,
    /// Front faces turn clockwise: the transform mirrors.
    pub mirrored: bool,
    pub cull: Cull,
    /// Textures in group 3, whether the shader reads them or not.
    pub textures: TextureSet,
    pub features: Features,
    pub normals: bool,
    pub tangents: bool,
    /// Back faces are lit as seen from behind.
    pub two_sided: bool,
    pub unlit: bool,
    pub studio: bool,
    pub punctual: bool,
    /// The key light casts a shadow.
    pub shadowed: bool,
    pub shading: u8,
    pub tonemap: u8,
    /// The primitive lacks the attribute that the shading mode shows.
    pub attribute_missing: bool,
    /// The surface is translucent, so that the skeleton shows through.
    pub xray: bool,
}

/// What a primitive is drawn for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Role {
    /// Shaded color.
    Shade,
    /// Triangle edges over the shaded surface.
    Wireframe,
    /// The selection mask for the outline.
    OutlineMask,
    /// Depth of a ghost.
    GhostDepth,
    /// Color of a ghost.
    Ghost,
    /// Ids for picking.
    Picking,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Alpha {
    Opaque,
    Mask,
    /// The almost opaque part of a blended surface: it hides what is behind it.
    Covering,
    /// The remaining part, or the whole surface.
    Blend,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum PointsOrLines {
    Points,
    Lines,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Cull {
    None,
    Back,
    Front,
}

impl SurfaceKey {
    /// Normalizes the key, so that equal pipelines have equal keys.
    pub fn simplified(mut self) -> Self {
        match self.role {
            Role::Shade => {}
            Role::Wireframe | Role::OutlineMask | Role::Picking => return self.simplified_marks(),
            Role::GhostDepth | Role::Ghost => return self.simplified_ghost(),
        }
        if self.attribute_missing {
            (self.shading, self.unlit) = (UV, false);
        }
        let colors_only = self.unlit || !matches!(self.shading, LIT | CLAY | NORMALS | TANGENTS | WEIGHTS);
        if colors_only {
            (self.normals, self.tangents, self.two_sided) = (self.normals || !self.xray, false, false);
        }
        if colors_only || !matches!(self.shading, LIT | CLAY) {
            (self.studio, self.punctual, self.shadowed, self.tonemap) = (false, false, false, tonemap_index(Tonemap::None));
        }
        if self.shading == WEIGHTS {
            self.features = Features::WEIGHTS;
        } else if colors_only || self.shading != LIT {
            self.features = Features::default();
        }
        let mapped = self.textures.has(TextureSlot::Normal) || self.textures.has(TextureSlot::ClearcoatNormal);
        let leans = self.features.has(Features::ANISOTROPY);
        let needs_tangents = !colors_only && (mapped || leans || self.shading == TANGENTS);
        self.tangents &= needs_tangents;
        self
    }

    /// Normalizes the key for roles that show neither color nor light.
    fn simplified_marks(mut self) -> Self {
        self.features = if self.role == Role::Picking { Features::IDS } else { Features::default() };
        match self.role {
            Role::Wireframe => self.alpha = Alpha::Opaque,
            Role::OutlineMask => (self.cull, self.mirrored) = (Cull::None, false),
            _ => {}
        }
        self.normals = true;
        self.without_light()
    }

    fn simplified_ghost(mut self) -> Self {
        self.features = Features::default();
        self.normals |= self.role == Role::GhostDepth;
        self.without_light()
    }

    fn without_light(mut self) -> Self {
        (self.tangents, self.two_sided, self.unlit) = (false, false, false);
        (self.studio, self.punctual, self.shadowed, self.attribute_missing, self.xray) = (false, false, false, false, false);
        (self.shading, self.tonemap) = (BASE_COLOR, tonemap_index(Tonemap::None));
        self
    }
}

const LIT: u8 = Shading::Lit as u8;
const BASE_COLOR: u8 = Shading::BaseColor as u8;
const CLAY: u8 = Shading::Clay as u8;
const NORMALS: u8 = Shading::Normals as u8;
const TANGENTS: u8 = Shading::Tangents as u8;
const UV: u8 = Shading::Uv as u8;
/// The weights of joints, whatever the shading. Keep in sync with debug_shading.wgsl.
pub(crate) const WEIGHTS: u8 = 7;

/// Keep in sync with tonemap.wgsl.
pub(crate) fn tonemap_index(tonemap: Tonemap) -> u8 {
    match tonemap {
        Tonemap::Neutral => 0,
        Tonemap::Aces => 1,
        Tonemap::Agx => 2,
        Tonemap::None => 3,
    }
}

/// Keep in sync with debug_shading.wgsl.
pub(crate) fn shading_index(shading: Shading) -> u8 {
    shading as u8
}

impl PointsOrLines {
    pub fn from_topology(topology: Topology) -> Option<Self> {
        match topology {
            Topology::Triangles => None,
            Topology::Points => Some(Self::Points),
            Topology::Lines => Some(Self::Lines),
        }
    }
}

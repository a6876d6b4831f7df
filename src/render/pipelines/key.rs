//! The keys of pipelines. A key holds all the properties that distinguish one pipeline from another, in normalized form.

use crate::model::mesh::Topology;
use crate::model::texture::TextureSlot;
use crate::render::material::features::ShaderFeatures;
use crate::render::material::texture_set::TextureSet;
use crate::render::picture::Msaa;
use crate::session::view::display::{Shading, Tonemap};

/// Identifies a pipeline, apart from the number of MSAA samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum PipelineKey {
    /// Draws a primitive of a file.
    Surface(SurfaceKey),
    /// Draws a primitive into the shadow map.
    ShadowCaster(ShadowCasterKey),
    /// Draws the environment as background, with this tone mapping. `under` blends it under all previous draws.
    Background { tonemap: u8, under: bool },
    /// Draws the shadow on the ground.
    Ground,
    /// Draws the grid on the ground.
    Grid { under: bool },
    /// Draws lines that surfaces may hide.
    SceneLines { under: bool },
    /// Draws lines over the picture.
    OverlayLines,
    /// Draws joints as solids, either over the picture or in the scene. Surfaces hide joints in the scene.
    SolidJoints { in_scene: bool },
    /// Finds the blocks of the picture that the outline may touch.
    OutlineBlocks,
    /// Draws the outline from its mask.
    Outline,
    /// Makes the first level of the backdrop from the scene, inverting this tone mapping.
    Backdrop(u8),
    /// Makes a level of the backdrop from the previous one.
    BackdropMip,
    /// Composites the picture.
    Composite,
}

/// Identifies a pipeline. Equal keys mean equal pipelines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct SampledKey {
    pub key: PipelineKey,
    pub samples: Msaa,
}

impl PipelineKey {
    /// Adds the number of samples: `scene_samples`, or one for pipelines whose targets always have one sample.
    pub fn sampled(self, scene_samples: Msaa) -> SampledKey {
        let samples = match self {
            Self::ShadowCaster(_) | Self::OutlineBlocks | Self::Backdrop(_) | Self::BackdropMip | Self::Composite => Msaa::One,
            Self::Surface(SurfaceKey { role: Role::Picking, .. }) => Msaa::One,
            Self::Surface(_)
            | Self::Background { .. }
            | Self::Ground
            | Self::Grid { .. }
            | Self::SceneLines { .. }
            | Self::OverlayLines
            | Self::SolidJoints { .. }
            | Self::Outline => scene_samples,
        };
        SampledKey { key: self, samples }
    }
}

/// All the properties in which surface pipelines differ. See [`SurfaceKey::simplified`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct SurfaceKey {
    /// The purpose that the primitive is drawn for.
    pub role: Role,
    pub alpha: Alpha,
    /// `None` for triangles.
    pub points_or_lines: Option<PointsOrLines>,
    /// Whether joints move the vertices.
    pub skinned: bool,
    /// Whether the primitive has morph targets.
    pub morphed: bool,
    /// Whether more than four joints may move a vertex.
    pub extra_influences: bool,
    /// Whether the vertices have optional attributes.
    pub optional_attributes: bool,
    /// Whether the node's matrix is multiplied by the matrices of EXT_mesh_gpu_instancing.
    pub instanced: bool,
    /// Whether front faces are clockwise, because the transform mirrors.
    pub mirrored: bool,
    pub cull: Cull,
    /// Textures in group 3, whether the shader reads them or not.
    pub textures: TextureSet,
    /// Features in the shader's code.
    pub features: ShaderFeatures,
    /// True if there are vertex normals, or if the shader needs none.
    pub normals: bool,
    /// Whether there are vertex tangents that the shader needs.
    pub tangents: bool,
    /// Whether back faces are lit with reversed normals.
    pub two_sided: bool,
    /// Whether the surface shows its base color without light.
    pub unlit: bool,
    /// Whether an unlit surface adds its emission to its base color.
    pub emissive: bool,
    /// Whether the environment and the key light illuminate the surface.
    pub lit_by_environment: bool,
    /// Whether there are punctual lights.
    pub punctual: bool,
    /// Whether the key light casts a shadow.
    pub shadowed: bool,
    /// Index of the shading; see [`shading_index`].
    pub shading: u8,
    /// Index of the tone mapping; see [`tonemap_index`].
    pub tonemap: u8,
    /// Whether the primitive lacks the attribute that the shading shows.
    pub attribute_missing: bool,
    /// Whether the surface is translucent, so that the skeleton shows through.
    pub xray: bool,
}

/// The purpose that a primitive is drawn for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Role {
    /// Shaded color.
    Shade,
    /// Triangle edges over the shaded surface.
    Wireframe,
    /// The selection mask for the outline.
    OutlineMask,
    /// Depth of a ghost, without color.
    GhostDepth,
    /// Color of a ghost.
    Ghost,
    /// Ids for picking.
    Picking,
}

/// The fragments of a surface that are drawn, by their alpha.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Alpha {
    /// All fragments, without alpha.
    Opaque,
    /// Fragments at or above the cutoff.
    Mask,
    /// The almost opaque fragments of a blended surface. They write depth, and therefore hide the surfaces behind them.
    BlendOpaquePart,
    /// The other fragments of a blended surface, or all its fragments if no `BlendOpaquePart` pipeline draws the surface.
    Blend,
}

/// Topologies without faces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum PointsOrLines {
    Points,
    Lines,
}

/// The faces that are not drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Cull {
    None,
    Back,
    Front,
}

/// All the properties in which the pipelines of shadow casters differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ShadowCasterKey {
    /// The fragments that cast a shadow. Those of [`Alpha::Blend`] are dithered.
    pub alpha: Alpha,
    /// How vertices are read and moved.
    pub stage: VertexStage,
    /// Textures of group 3, if there is a fragment stage.
    pub textures: TextureSet,
    /// Whether light passes through the surface, so that its shadow is lighter. Such a caster is dithered.
    pub transmits: bool,
}

impl ShadowCasterKey {
    /// Whether there is a fragment stage, which reads the material.
    pub fn has_fragments(self) -> bool {
        self.alpha != Alpha::Opaque || self.transmits
    }
}

/// How the vertex stage reads and moves vertices. This determines the entry point and the vertex buffers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct VertexStage {
    /// Whether the stage reads corner numbers, for the wireframe.
    pub wire: bool,
    pub skinned: bool,
    pub instanced: bool,
    /// Whether the stage reads optional attributes.
    pub optional_attributes: bool,
    pub morphed: bool,
    pub extra_influences: bool,
}

impl VertexStage {
    /// Returns the vertex stage of a surface pipeline.
    pub fn from_surface_key(key: SurfaceKey) -> Self {
        Self {
            wire: key.role == Role::Wireframe,
            skinned: key.skinned,
            instanced: key.instanced,
            optional_attributes: key.optional_attributes,
            morphed: key.morphed,
            extra_influences: key.extra_influences,
        }
    }
}

impl SurfaceKey {
    /// Clears the properties that the role and the shading do not use, so that equal pipelines have equal keys.
    pub fn simplified(mut self) -> Self {
        match self.role {
            Role::Shade => {}
            Role::Wireframe | Role::OutlineMask | Role::Picking => return self.simplified_marks(),
            Role::GhostDepth | Role::Ghost => return self.simplified_ghost(),
        }
        if self.attribute_missing {
            (self.shading, self.unlit) = (UV, false);
        }
        let colors_only = self.unlit || !matches!(self.shading, LIT | CLAY | NORMALS | TANGENTS | HEAT_MAP);
        // Shading with plain colors needs no normals, but x-ray mode does.
        if colors_only {
            (self.normals, self.tangents, self.two_sided) = (self.normals || !self.xray, false, false);
        }
        if colors_only || !matches!(self.shading, LIT | CLAY) {
            (self.lit_by_environment, self.punctual, self.shadowed, self.tonemap) = (false, false, false, tonemap_index(Tonemap::None));
        }
        let mixed_winding = self.features.intersection(ShaderFeatures::MIXED_WINDING);
        if self.shading == HEAT_MAP {
            self.features = ShaderFeatures::HEAT_MAP;
        } else if matches!(self.shading, ROUGHNESS | SPECULAR) {
            // Metallic-roughness and specular-glossiness materials store these values in different properties.
            self.features = self.features.intersection(ShaderFeatures::SPECULAR_GLOSSINESS);
        } else if colors_only || self.shading != LIT {
            self.features = ShaderFeatures::default();
        }
        // Every shading that turns the normals of back faces needs to know which faces these are.
        if self.two_sided {
            self.features = self.features.with(mixed_winding);
        }
        // Only normal maps, anisotropy and the shading that shows tangents need tangents.
        let has_normal_map = self.textures.has(TextureSlot::Normal) || self.textures.has(TextureSlot::ClearcoatNormal);
        let has_anisotropy = self.features.has(ShaderFeatures::ANISOTROPY);
        let needs_tangents = !colors_only && (has_normal_map || has_anisotropy || self.shading == TANGENTS);
        self.tangents &= needs_tangents;
        self
    }

    /// Simplifies the key for roles that show neither colors nor light.
    fn simplified_marks(mut self) -> Self {
        self.features = if self.role == Role::Picking { ShaderFeatures::IDS } else { ShaderFeatures::default() };
        match self.role {
            Role::Wireframe => self.alpha = Alpha::Opaque,
            Role::OutlineMask => (self.cull, self.mirrored) = (Cull::None, false),
            _ => {}
        }
        self.normals = true;
        self.without_light()
    }

    /// Simplifies the key for both roles of a ghost.
    fn simplified_ghost(mut self) -> Self {
        self.features = ShaderFeatures::default();
        self.normals |= self.role == Role::GhostDepth;
        self.without_light()
    }

    /// Clears all properties of light and shading.
    fn without_light(mut self) -> Self {
        (self.tangents, self.two_sided, self.unlit, self.emissive) = (false, false, false, false);
        (self.lit_by_environment, self.punctual, self.shadowed, self.attribute_missing, self.xray) = (false, false, false, false, false);
        (self.shading, self.tonemap) = (BASE_COLOR, tonemap_index(Tonemap::None));
        self
    }
}

// The indices of shadings that the simplification distinguishes.
const LIT: u8 = shading_index(Shading::Lit);
const BASE_COLOR: u8 = shading_index(Shading::BaseColor);
const CLAY: u8 = shading_index(Shading::Clay);
const NORMALS: u8 = shading_index(Shading::Normals);
const TANGENTS: u8 = shading_index(Shading::Tangents);
const UV: u8 = shading_index(Shading::Uv);
const ROUGHNESS: u8 = shading_index(Shading::Roughness);
const SPECULAR: u8 = shading_index(Shading::Specular);
/// Shading index of the heat map, beyond those of [`Shading`]. Keep in sync with debug_shading.wgsl.
pub(crate) const HEAT_MAP: u8 = 255;

/// Returns the index of a tone mapping. Keep in sync with tonemap.wgsl.
pub(crate) fn tonemap_index(tonemap: Tonemap) -> u8 {
    match tonemap {
        Tonemap::Neutral => 0,
        Tonemap::Aces => 1,
        Tonemap::Agx => 2,
        Tonemap::None => 3,
    }
}

/// Returns the index of a shading. Keep in sync with debug_shading.wgsl.
pub(crate) const fn shading_index(shading: Shading) -> u8 {
    match shading {
        Shading::Lit => 0,
        Shading::BaseColor => 1,
        Shading::Clay => 2,
        Shading::Normals => 3,
        Shading::Tangents => 4,
        Shading::Uv => 5,
        Shading::VertexColors => 6,
        Shading::Roughness => 7,
        Shading::Metallic => 8,
        Shading::Occlusion => 9,
        Shading::Emissive => 10,
        Shading::Alpha => 11,
        Shading::Specular => 12,
    }
}

impl PointsOrLines {
    /// Returns `None` for triangles.
    pub fn from_topology(topology: Topology) -> Option<Self> {
        match topology {
            Topology::Triangles => None,
            Topology::Points => Some(Self::Points),
            Topology::Lines => Some(Self::Lines),
        }
    }
}

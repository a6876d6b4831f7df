//! Concatenates the WGSL files into programs. Pipelines are compiled from them, and a test validates them.

const BACKGROUND: &str = include_str!("../../shaders/passes/background.wgsl");
const BACKDROP: &str = include_str!("../../shaders/passes/backdrop.wgsl");
const SHADOW_CASTER: &str = include_str!("../../shaders/passes/shadow_caster.wgsl");
const COLOR: &str = include_str!("../../shaders/common/color.wgsl");
const DEFORM: &str = include_str!("../../shaders/common/deform.wgsl");
const ENVIRONMENT: &str = include_str!("../../shaders/light/environment.wgsl");
const COMPOSITE: &str = include_str!("../../shaders/passes/composite.wgsl");
const FRAME: &str = include_str!("../../shaders/common/frame.wgsl");
const GHOST: &str = include_str!("../../shaders/annotations/ghost.wgsl");
const GRID: &str = include_str!("../../shaders/annotations/grid.wgsl");
const GROUND: &str = include_str!("../../shaders/passes/ground.wgsl");
const PICKING: &str = include_str!("../../shaders/passes/picking.wgsl");
const JOINT: &str = include_str!("../../shaders/annotations/joint.wgsl");
const PUNCTUAL_LIGHTS: &str = include_str!("../../shaders/light/punctual_lights.wgsl");
const MATERIAL_LAYERS: &str = include_str!("../../shaders/surface/material_layers.wgsl");
const LINE: &str = include_str!("../../shaders/annotations/line.wgsl");
const OUTLINE_MASK: &str = include_str!("../../shaders/passes/outline_mask.wgsl");
const MATERIAL: &str = include_str!("../../shaders/common/material.wgsl");
const MESH: &str = include_str!("../../shaders/common/mesh.wgsl");
const DEBUG_SHADING: &str = include_str!("../../shaders/surface/debug_shading.wgsl");
const OUTLINE: &str = include_str!("../../shaders/passes/outline.wgsl");
const PALETTE: &str = include_str!("../../shaders/common/palette.wgsl");
const PALETTE_TEXELS: &str = include_str!("../../shaders/common/palette_texels.wgsl");
const BRDF: &str = include_str!("../../shaders/surface/brdf.wgsl");
const SHADOW: &str = include_str!("../../shaders/light/shadow.wgsl");
const SURFACE: &str = include_str!("../../shaders/surface/surface.wgsl");
const TONEMAP: &str = include_str!("../../shaders/passes/tonemap.wgsl");
const TONEMAP_INVERSE: &str = include_str!("../../shaders/passes/tonemap_inverse.wgsl");
const TRANSMISSION: &str = include_str!("../../shaders/surface/transmission.wgsl");
const HEAT_MAP: &str = include_str!("../../shaders/surface/heat_map.wgsl");
const WIREFRAME: &str = include_str!("../../shaders/surface/wireframe.wgsl");

use super::material::features::ShaderFeatures;
use super::material::texture_set::TextureSet;

/// This file is appended to [`Program::Surface`] on devices that need and support it; see [`super::device::gpu::Gpu::masks_by_sample`].
pub const PER_SAMPLE: &str = include_str!("../../shaders/surface/per_sample.wgsl");

/// A shader module with its entry points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Program {
    /// Primitives of a file, with a material without textures and extensions. [`surface`] makes the other variants.
    Surface,
    /// The environment as background.
    Background,
    /// The grid on the ground.
    Grid,
    /// The shadow on the ground.
    Ground,
    /// Lines of constant screen width.
    Line,
    /// Joints that are drawn as solids.
    Joint,
    /// The outline of the selection.
    Outline,
    /// The final picture, composited from scene and overlay.
    Composite,
    /// The backdrop that transmissive surfaces refract, with its mip levels.
    Backdrop,
    /// Morph targets and skins alone, for tests that read deformed vertices.
    Deform,
}

impl Program {
    /// All programs, for the test that validates them.
    pub const ALL: [Self; 10] = [
        Self::Surface,
        Self::Background,
        Self::Grid,
        Self::Ground,
        Self::Line,
        Self::Joint,
        Self::Outline,
        Self::Composite,
        Self::Backdrop,
        Self::Deform,
    ];

    /// Returns the label of the module.
    pub fn name(self) -> &'static str {
        match self {
            Self::Surface => "surface",
            Self::Background => "background",
            Self::Grid => "grid",
            Self::Ground => "ground",
            Self::Line => "line",
            Self::Joint => "joint",
            Self::Outline => "outline",
            Self::Composite => "composite",
            Self::Backdrop => "backdrop",
            Self::Deform => "deform",
        }
    }

    /// Returns the WGSL of the module. If `software` is true, the module is for a software rasterizer.
    pub fn source(self, software: bool) -> String {
        let source = match self {
            Self::Surface => return surface(TextureSet::default(), ShaderFeatures::default(), software),
            Self::Background => [FRAME, TONEMAP, ENVIRONMENT, BACKGROUND].concat(),
            Self::Grid => [FRAME, GRID].concat(),
            Self::Ground => [FRAME, SHADOW, GROUND].concat(),
            Self::Line => [FRAME, COLOR, LINE].concat(),
            Self::Joint => [FRAME, COLOR, JOINT].concat(),
            Self::Outline => [FRAME, OUTLINE].concat(),
            Self::Composite => [COLOR, COMPOSITE].concat(),
            Self::Backdrop => [FRAME, TONEMAP, TONEMAP_INVERSE, BACKDROP].concat(),
            Self::Deform => [PALETTE, DEFORM].concat(),
        };
        if software { pass_uniforms_in_storage(&source) } else { source }
    }
}

/// Returns the module of materials with these textures and features, without code for other features. If `software` is true, the module is
/// for a software rasterizer: then the palette is a texture (see `super::buffers::palette`).
pub fn surface(textures: TextureSet, features: ShaderFeatures, software: bool) -> String {
    let palette = if software { PALETTE_TEXELS } else { PALETTE };
    let transmission = if features.has(ShaderFeatures::TRANSMISSION) { TRANSMISSION } else { "" };
    let light = [ENVIRONMENT, BRDF, MATERIAL_LAYERS, transmission, SHADOW, PUNCTUAL_LIGHTS].concat();
    let material = [palette, FRAME, DEFORM, MESH, HEAT_MAP, COLOR, TONEMAP, MATERIAL].concat();
    let entries = [DEBUG_SHADING, SHADOW_CASTER, SURFACE, WIREFRAME, OUTLINE_MASK, GHOST, PICKING].concat();
    let source = [&material, &textures.source(), &light, &entries].map(String::as_str).concat();
    preprocess(&source, features)
}

/// Declares the uniforms of single passes as storage buffers of the same layout ([`super::bind_groups::uniform_type`] tells why).
fn pass_uniforms_in_storage(source: &str) -> String {
    source
        .replace("var<uniform> composite:", "var<storage, read> composite:")
        .replace("var<uniform> background:", "var<storage, read> background:")
}

/// Keeps only the lines for these features. Lines after `//if` are kept if the set contains one of the features that follow the `//if`.
/// Lines after `//else` are kept if it contains none of them. All lines outside `//if` and `//end` are kept.
fn preprocess(source: &str, features: ShaderFeatures) -> String {
    let mut text = String::with_capacity(source.len());
    // For each open `//if`, whether its lines are kept.
    let mut open: Vec<bool> = Vec::new();
    for line in source.lines() {
        if let Some(names) = line.strip_prefix("//if ") {
            open.push(names.split(' ').any(|name| features.has_named(name)));
        } else if line == "//else" {
            open.iter_mut().last().into_iter().for_each(|is_kept| *is_kept = !*is_kept);
        } else if line == "//end" {
            open.pop();
        } else if open.iter().all(|is_kept| *is_kept) {
            text.extend([line, "\n"]);
        }
    }
    text
}

/// Compares the layouts of structs in Rust and in WGSL. The files with the Rust structs use it in their tests.
#[cfg(test)]
pub(crate) mod layout {
    use naga::{Binding, StructMember, TypeInner};

    /// The size of a Rust struct, and the offsets of its members by their names in WGSL.
    pub struct Layout {
        pub size: usize,
        pub members: Vec<(&'static str, usize)>,
    }

    /// Lists members of a Rust struct, except padding. `wgsl: rust` renames a member.
    macro_rules! layout {
        ($type:ident { $($wgsl:ident: $rust:ident),* $(,)? }) => {
            $crate::render::shaders::layout::Layout {
                size: size_of::<$type>(),
                members: vec![$((stringify!($wgsl), std::mem::offset_of!($type, $rust))),*],
            }
        };
        ($type:ident { $($member:ident),* $(,)? }) => { layout!($type { $($member: $member),* }) };
    }
    pub(crate) use layout;

    /// Returns the members of a WGSL struct and its size.
    fn wgsl_struct(source: &str, name: &str) -> (Vec<StructMember>, usize) {
        let module = naga::front::wgsl::parse_str(source).unwrap();
        let (_, found) = module.types.iter().find(|(_, found)| found.name.as_deref() == Some(name)).unwrap();
        let TypeInner::Struct { members, span } = &found.inner else { panic!("{name} is no struct") };
        (members.clone(), *span as usize)
    }

    /// Asserts that a WGSL struct in a buffer has the size of the Rust struct, and the same members at the same offsets.
    pub fn assert_same(source: &str, name: &str, rust: &Layout) {
        let (members, size) = wgsl_struct(source, name);
        let wgsl: Vec<_> = members.iter().map(|member| (member.name.as_deref().unwrap(), member.offset as usize)).collect();
        assert_eq!(wgsl, rust.members, "{name}");
        assert_eq!(size, rust.size, "{name}");
    }

    /// Asserts that the attributes feed each member of a WGSL struct from the member of the Rust struct with the same name, and that they
    /// fill the Rust struct.
    pub fn assert_fed(source: &str, name: &str, rust: &Layout, attributes: &[wgpu::VertexAttribute]) {
        let (members, _) = wgsl_struct(source, name);
        let attribute = |member: &StructMember| {
            let Some(Binding::Location { location, .. }) = member.binding else { panic!("{name} has a member without location") };
            attributes.iter().find(|attribute| attribute.shader_location == location).unwrap()
        };
        let fed: Vec<_> = members.iter().map(|member| (member.name.as_deref().unwrap(), attribute(member).offset as usize)).collect();
        assert_eq!(fed, rust.members, "{name}");
        assert_eq!(attributes.iter().map(|attribute| attribute.format.size()).sum::<u64>(), rust.size as u64, "{name}");
    }
}

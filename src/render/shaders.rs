//! The WGSL programs, as concatenations of small files: what a pipeline is compiled from and a test validates.

const BACKGROUND: &str = include_str!("../../shaders/background.wgsl");
const BEHIND: &str = include_str!("../../shaders/behind.wgsl");
const CAST: &str = include_str!("../../shaders/cast.wgsl");
const COLOR: &str = include_str!("../../shaders/color.wgsl");
const DEFORM: &str = include_str!("../../shaders/deform.wgsl");
const ENVIRONMENT: &str = include_str!("../../shaders/environment.wgsl");
const FINISH: &str = include_str!("../../shaders/finish.wgsl");
const FRAME: &str = include_str!("../../shaders/frame.wgsl");
const GHOST: &str = include_str!("../../shaders/ghost.wgsl");
const GRID: &str = include_str!("../../shaders/grid.wgsl");
const GROUND: &str = include_str!("../../shaders/ground.wgsl");
const IDENTIFY: &str = include_str!("../../shaders/identify.wgsl");
const JOINT: &str = include_str!("../../shaders/joint.wgsl");
const LAMPS: &str = include_str!("../../shaders/lamps.wgsl");
const LAYERS: &str = include_str!("../../shaders/layers.wgsl");
const LINE: &str = include_str!("../../shaders/line.wgsl");
const MARK: &str = include_str!("../../shaders/mark.wgsl");
const MATERIAL: &str = include_str!("../../shaders/material.wgsl");
const MESH: &str = include_str!("../../shaders/mesh.wgsl");
const MODES: &str = include_str!("../../shaders/modes.wgsl");
const OUTLINE: &str = include_str!("../../shaders/outline.wgsl");
const PALETTE: &str = include_str!("../../shaders/palette.wgsl");
const PALETTE_TEXELS: &str = include_str!("../../shaders/palette_texels.wgsl");
const REFLECTION: &str = include_str!("../../shaders/reflection.wgsl");
const SHADOW: &str = include_str!("../../shaders/shadow.wgsl");
const SURFACE: &str = include_str!("../../shaders/surface.wgsl");
const TONEMAP: &str = include_str!("../../shaders/tonemap.wgsl");
const TONEMAP_INVERSE: &str = include_str!("../../shaders/tonemap_inverse.wgsl");
const TRANSMISSION: &str = include_str!("../../shaders/transmission.wgsl");
const WEIGHTS: &str = include_str!("../../shaders/weights.wgsl");
const WIRE: &str = include_str!("../../shaders/wire.wgsl");

use super::material::features::Features;
use super::material::texture_set::TextureSet;

/// Goes behind [`Program::Surface`] where it is needed and can be had: see [`super::device::gpu::Gpu::masks_by_sample`].
pub const PER_SAMPLE: &str = include_str!("../../shaders/per_sample.wgsl");

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Program {
    /// What a file draws, of a material without textures and extensions; see [`surface`].
    Surface,
    /// What is seen behind everything.
    Background,
    Grid,
    /// What receives the shadow beside what a file draws.
    Ground,
    Line,
    /// Joints as solids over the picture.
    Joint,
    /// Around what is selected.
    Outline,
    /// The last pass.
    Finish,
    /// What stands behind transmissive surfaces, and its levels.
    Behind,
    /// Morph and skin alone, for whoever wants deformed vertices without a picture.
    Deform,
}

impl Program {
    pub const ALL: [Self; 10] = [
        Self::Surface,
        Self::Background,
        Self::Grid,
        Self::Ground,
        Self::Line,
        Self::Joint,
        Self::Outline,
        Self::Finish,
        Self::Behind,
        Self::Deform,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Surface => "surface",
            Self::Background => "background",
            Self::Grid => "grid",
            Self::Ground => "ground",
            Self::Line => "line",
            Self::Joint => "joint",
            Self::Outline => "outline",
            Self::Finish => "finish",
            Self::Behind => "behind",
            Self::Deform => "deform",
        }
    }

    pub fn source(self) -> String {
        match self {
            Self::Surface => surface(TextureSet::default(), Features::default(), false),
            Self::Background => [FRAME, TONEMAP, ENVIRONMENT, BACKGROUND].concat(),
            Self::Grid => [FRAME, GRID].concat(),
            Self::Ground => [FRAME, SHADOW, GROUND].concat(),
            Self::Line => [FRAME, COLOR, LINE].concat(),
            Self::Joint => [FRAME, COLOR, JOINT].concat(),
            Self::Outline => [FRAME, OUTLINE].concat(),
            Self::Finish => [COLOR, FINISH].concat(),
            Self::Behind => [FRAME, TONEMAP, TONEMAP_INVERSE, BEHIND].concat(),
            Self::Deform => [PALETTE, DEFORM].concat(),
        }
    }
}

/// What materials with these textures and these features are drawn by: they pay for nothing else. `texels`: what the palette is
/// made of, see [`super::buffers::palette`].
pub fn surface(textures: TextureSet, features: Features, texels: bool) -> String {
    let palette = if texels { PALETTE_TEXELS } else { PALETTE };
    let transmission = if features.has(Features::TRANSMISSION) { TRANSMISSION } else { "" };
    let light = [ENVIRONMENT, REFLECTION, LAYERS, transmission, SHADOW, LAMPS].concat();
    let material = [palette, FRAME, DEFORM, MESH, WEIGHTS, COLOR, TONEMAP, MATERIAL].concat();
    let entries = [MODES, CAST, SURFACE, WIRE, MARK, GHOST, IDENTIFY].concat();
    let source = [&material, &textures.source(), &light, &entries].map(String::as_str).concat();
    kept(&source, features)
}

/// The lines that are for these features: all but those between `//if` (with names of features, any of which will do) or `//else`
/// and `//end` that are not.
fn kept(source: &str, features: Features) -> String {
    let mut text = String::with_capacity(source.len());
    // Of each `//if` that is open: whether its lines are kept.
    let mut open: Vec<bool> = Vec::new();
    for line in source.lines() {
        if let Some(names) = line.strip_prefix("//if ") {
            open.push(names.split(' ').any(|name| features.has_named(name)));
        } else if line == "//else" {
            open.iter_mut().last().into_iter().for_each(|kept| *kept = !*kept);
        } else if line == "//end" {
            open.pop();
        } else if open.iter().all(|kept| *kept) {
            text.extend([line, "\n"]);
        }
    }
    text
}

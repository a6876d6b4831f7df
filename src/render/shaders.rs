//! The WGSL programs, as concatenations of small files: what a pipeline is compiled from and a test validates.

const COLOR: &str = include_str!("../../shaders/color.wgsl");
const DEFORM: &str = include_str!("../../shaders/deform.wgsl");
const ENVIRONMENT: &str = include_str!("../../shaders/environment.wgsl");
const FINISH: &str = include_str!("../../shaders/finish.wgsl");
const FRAME: &str = include_str!("../../shaders/frame.wgsl");
const GRID: &str = include_str!("../../shaders/grid.wgsl");
const LAMPS: &str = include_str!("../../shaders/lamps.wgsl");
const LINE: &str = include_str!("../../shaders/line.wgsl");
const MATERIAL: &str = include_str!("../../shaders/material.wgsl");
const MESH: &str = include_str!("../../shaders/mesh.wgsl");
const MODES: &str = include_str!("../../shaders/modes.wgsl");
const PALETTE: &str = include_str!("../../shaders/palette.wgsl");
const PALETTE_TEXELS: &str = include_str!("../../shaders/palette_texels.wgsl");
const REFLECTION: &str = include_str!("../../shaders/reflection.wgsl");
const SURFACE: &str = include_str!("../../shaders/surface.wgsl");
const TONEMAP: &str = include_str!("../../shaders/tonemap.wgsl");

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Program {
    /// What a file draws.
    Surface,
    /// The same with a palette of texels.
    SurfaceOfTexels,
    Grid,
    Line,
    /// The last pass.
    Finish,
    /// Morph and skin alone, for whoever wants deformed vertices without a picture.
    Deform,
}

/// What a file draws with either palette.
const DRAWN: [&str; 11] = [FRAME, DEFORM, MESH, COLOR, TONEMAP, MATERIAL, ENVIRONMENT, REFLECTION, LAMPS, MODES, SURFACE];

impl Program {
    pub const ALL: [Self; 6] = [Self::Surface, Self::SurfaceOfTexels, Self::Grid, Self::Line, Self::Finish, Self::Deform];

    pub fn source(self) -> String {
        match self {
            Self::Surface => [&[PALETTE][..], &DRAWN].concat().concat(),
            Self::SurfaceOfTexels => [&[PALETTE_TEXELS][..], &DRAWN].concat().concat(),
            Self::Grid => [FRAME, GRID].concat(),
            Self::Line => [FRAME, COLOR, LINE].concat(),
            Self::Finish => [COLOR, FINISH].concat(),
            Self::Deform => [PALETTE, DEFORM].concat(),
        }
    }
}

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
const REFLECTION: &str = include_str!("../../shaders/reflection.wgsl");
const SURFACE: &str = include_str!("../../shaders/surface.wgsl");
const TONEMAP: &str = include_str!("../../shaders/tonemap.wgsl");

/// Goes behind [`Program::Surface`] where it is needed and can be had: see [`super::gpu::Gpu::masks_by_sample`].
pub const PER_SAMPLE: &str = include_str!("../../shaders/per_sample.wgsl");

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Program {
    /// What a file draws.
    Surface,
    Grid,
    Line,
    /// The last pass.
    Finish,
    /// Morph and skin alone, for whoever wants deformed vertices without a picture.
    Deform,
}

impl Program {
    pub const ALL: [Self; 5] = [Self::Surface, Self::Grid, Self::Line, Self::Finish, Self::Deform];

    pub fn name(self) -> &'static str {
        match self {
            Self::Surface => "surface",
            Self::Grid => "grid",
            Self::Line => "line",
            Self::Finish => "finish",
            Self::Deform => "deform",
        }
    }

    pub fn source(self) -> String {
        match self {
            Self::Surface => [FRAME, DEFORM, MESH, COLOR, TONEMAP, MATERIAL, ENVIRONMENT, REFLECTION, LAMPS, MODES, SURFACE].concat(),
            Self::Grid => [FRAME, GRID].concat(),
            Self::Line => [FRAME, COLOR, LINE].concat(),
            Self::Finish => [COLOR, FINISH].concat(),
            Self::Deform => DEFORM.to_owned(),
        }
    }
}

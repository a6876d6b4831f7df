//! The WGSL programs, as concatenations of small files: what a pipeline is compiled from and a test validates.

const CAST: &str = include_str!("../../shaders/cast.wgsl");
const COLOR: &str = include_str!("../../shaders/color.wgsl");
const DEFORM: &str = include_str!("../../shaders/deform.wgsl");
const ENVIRONMENT: &str = include_str!("../../shaders/environment.wgsl");
const FINISH: &str = include_str!("../../shaders/finish.wgsl");
const FRAME: &str = include_str!("../../shaders/frame.wgsl");
const GRID: &str = include_str!("../../shaders/grid.wgsl");
const GROUND: &str = include_str!("../../shaders/ground.wgsl");
const LAMPS: &str = include_str!("../../shaders/lamps.wgsl");
const LINE: &str = include_str!("../../shaders/line.wgsl");
const MATERIAL: &str = include_str!("../../shaders/material.wgsl");
const MESH: &str = include_str!("../../shaders/mesh.wgsl");
const MODES: &str = include_str!("../../shaders/modes.wgsl");
const REFLECTION: &str = include_str!("../../shaders/reflection.wgsl");
const SHADOW: &str = include_str!("../../shaders/shadow.wgsl");
const SURFACE: &str = include_str!("../../shaders/surface.wgsl");
const TONEMAP: &str = include_str!("../../shaders/tonemap.wgsl");

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Program {
    /// What a file draws.
    Surface,
    Grid,
    /// What receives the shadow beside what a file draws.
    Ground,
    Line,
    /// The last pass.
    Finish,
    /// Morph and skin alone, for whoever wants deformed vertices without a picture.
    Deform,
}

impl Program {
    pub const ALL: [Self; 6] = [Self::Surface, Self::Grid, Self::Ground, Self::Line, Self::Finish, Self::Deform];

    pub fn source(self) -> String {
        match self {
            Self::Surface => {
                let lit = [ENVIRONMENT, REFLECTION, SHADOW, LAMPS, MODES, SURFACE];
                [&[FRAME, DEFORM, MESH, COLOR, TONEMAP, MATERIAL, CAST][..], &lit].concat().concat()
            }
            Self::Grid => [FRAME, GRID].concat(),
            Self::Ground => [FRAME, SHADOW, GROUND].concat(),
            Self::Line => [FRAME, COLOR, LINE].concat(),
            Self::Finish => [COLOR, FINISH].concat(),
            Self::Deform => DEFORM.to_owned(),
        }
    }
}

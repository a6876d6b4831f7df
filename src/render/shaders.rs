//! The WGSL programs, as concatenations of small files: what a pipeline is compiled from and a test validates.

const COLOR: &str = include_str!("../../shaders/color.wgsl");
const DEFORM: &str = include_str!("../../shaders/deform.wgsl");
const ENVIRONMENT: &str = include_str!("../../shaders/environment.wgsl");
const FINISH: &str = include_str!("../../shaders/finish.wgsl");
const FRAME: &str = include_str!("../../shaders/frame.wgsl");
const GRID: &str = include_str!("../../shaders/grid.wgsl");
const JOINT: &str = include_str!("../../shaders/joint.wgsl");
const LAMPS: &str = include_str!("../../shaders/lamps.wgsl");
const LINE: &str = include_str!("../../shaders/line.wgsl");
const MARK: &str = include_str!("../../shaders/mark.wgsl");
const MATERIAL: &str = include_str!("../../shaders/material.wgsl");
const MESH: &str = include_str!("../../shaders/mesh.wgsl");
const MODES: &str = include_str!("../../shaders/modes.wgsl");
const OUTLINE: &str = include_str!("../../shaders/outline.wgsl");
const REFLECTION: &str = include_str!("../../shaders/reflection.wgsl");
const SURFACE: &str = include_str!("../../shaders/surface.wgsl");
const TONEMAP: &str = include_str!("../../shaders/tonemap.wgsl");
const WIRE: &str = include_str!("../../shaders/wire.wgsl");

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Program {
    /// What a file draws.
    Surface,
    Grid,
    Line,
    /// Octahedra over the picture.
    Joint,
    /// Around what is selected.
    Outline,
    /// The last pass.
    Finish,
    /// Morph and skin alone, for whoever wants deformed vertices without a picture.
    Deform,
}

impl Program {
    pub const ALL: [Self; 7] = [Self::Surface, Self::Grid, Self::Line, Self::Joint, Self::Outline, Self::Finish, Self::Deform];

    pub fn source(self) -> String {
        match self {
            Self::Surface => {
                let lit = [MATERIAL, ENVIRONMENT, REFLECTION, LAMPS].concat();
                [FRAME, DEFORM, MESH, COLOR, TONEMAP, &lit, MODES, SURFACE, WIRE, MARK].concat()
            }
            Self::Grid => [FRAME, GRID].concat(),
            Self::Line => [FRAME, COLOR, LINE].concat(),
            Self::Joint => [FRAME, JOINT].concat(),
            Self::Outline => [FRAME, OUTLINE].concat(),
            Self::Finish => [COLOR, FINISH].concat(),
            Self::Deform => DEFORM.to_owned(),
        }
    }
}

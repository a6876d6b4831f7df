//! How finely a picture is drawn: the levels of quality, and what each of them leaves out. [`super::adaptive_quality`] chooses among them.

use crate::render::picture::{Msaa, Resolution};

/// How finely a picture is drawn. From low to high.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Quality {
    /// Half resolution along each side, simplified meshes if there are any, no automatic shadow, no MSAA.
    Coarse,
    /// Full resolution, simplified meshes, no automatic shadow, no MSAA.
    Simplified,
    /// Full resolution, no automatic shadow, no MSAA.
    Shadowless,
    /// Full resolution, no MSAA.
    #[default]
    Plain,
    /// Full resolution with MSAA.
    Full,
}

/// The parts that pictures of a document can leave out. A quality that leaves out no more than the one before it is skipped.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Omissions {
    /// Whether there is a shadow that the user has not asked for.
    pub shadow: bool,
    /// Whether there are simplified meshes.
    pub meshes: bool,
}

impl Quality {
    /// All qualities, from low to high.
    pub const ALL: [Self; 5] = [Self::Coarse, Self::Simplified, Self::Shadowless, Self::Plain, Self::Full];

    /// Returns the number of MSAA samples. `full` is the number at full quality.
    pub fn samples(self, full: Msaa) -> Msaa {
        if self == Self::Full { full } else { Msaa::One }
    }

    /// Returns the resolution of the scene.
    pub fn resolution(self) -> Resolution {
        if self == Self::Coarse { Resolution::Reduced(2) } else { Resolution::FULL }
    }

    /// Returns whether simplified meshes are drawn.
    pub fn is_simplified(self) -> bool {
        matches!(self, Self::Coarse | Self::Simplified)
    }

    /// Returns whether an automatic shadow is drawn.
    pub fn has_shadow(self) -> bool {
        matches!(self, Self::Plain | Self::Full)
    }

    /// Returns whether the quality leaves out something that the next higher one does not.
    pub fn is_available(self, omissions: Omissions) -> bool {
        match self {
            Self::Simplified => omissions.meshes,
            Self::Shadowless => omissions.shadow,
            Self::Coarse | Self::Plain | Self::Full => true,
        }
    }
}

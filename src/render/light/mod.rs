//! The lights of the file, the light of the studio, and the fit of the key light's shadow map.

pub mod punctual;
pub(crate) mod shadow_fit;
pub mod studio;

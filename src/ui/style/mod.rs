//! The look shared by all panels: theme, icons, text, numbers with units.

pub mod icons;
pub mod missing_glyphs;
pub mod numbers;
pub mod text;
pub mod theme;
pub mod units;

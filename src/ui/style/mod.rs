//! The look shared by all panels: theme, icons, text.

pub mod icons;
pub mod missing_glyphs;
pub mod text;
pub mod theme;

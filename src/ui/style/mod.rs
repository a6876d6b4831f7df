//! The look shared by all panels: theme, icons, fonts, and how values are written as text.

pub mod contact_colors;
pub mod icons;
pub mod key_values;
pub mod missing_glyphs;
pub mod text;
pub mod texture_text;
pub mod theme;
pub mod time_text;

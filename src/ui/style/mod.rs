//! The look that all panels share: theme, icons, fonts, and the formats of values.

pub mod contact_colors;
pub mod icons;
pub mod key_values;
pub mod missing_glyphs;
pub mod text;
pub mod texture_text;
pub mod theme;
pub mod time_text;

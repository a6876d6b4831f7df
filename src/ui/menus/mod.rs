//! The menu bar and the context menus.

pub mod content;
pub mod menu_bar;
pub mod saved_views;

//! The menu bar and its menus.

pub mod content;
pub mod menu_bar;
pub mod saved_views;

//! The menu bar and the context menus.

pub mod content;
pub mod menu_bar;
pub mod node_menu;
pub mod saved_views;
pub mod viewport_menu;

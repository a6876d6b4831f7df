//! The menu bar and its menus: `menu_bar` draws the bar with the rows of `content` and `saved_views`.

pub mod content;
pub mod menu_bar;
pub mod saved_views;

//! Widgets that several panels use.

pub mod combo_box;
pub mod hover_card;
pub mod key_cap;
pub mod list;
pub mod menu_item;
pub mod named_area;
pub mod node_menu;
pub mod number_field;
pub mod search_field;
pub mod single_click;
pub mod slider;
pub mod splitter;
pub mod tick_steps;
pub mod value_rows;

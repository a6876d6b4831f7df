//! Floor 5: the panels, as functions over plain state. They edit the [`View`](crate::session::view::View) and the
//! [`Transport`](crate::session::time::transport::Transport) in place, and push a [`request::Request`] only for what the application
//! must do. They use no GPU, no files, and no clock.
//!
//! A frame: [`crate::ui::layout::controls_ui`] lays out the window and runs every panel that controls; then the caller poses the
//! model; then [`crate::ui::layout::readouts_ui`] fills the panels that show live values. So a scrub and every value on screen belong
//! to one moment.

pub mod actions;
pub mod animations;
pub mod app_status;
pub mod check_status;
pub mod choices;
pub mod command_palette;
pub mod commands;
pub mod comparison;
pub mod context;
pub mod dialogs;
pub mod failure_bar;
pub mod image_previews;
pub mod input_steps;
pub mod inspector;
pub mod key_selection;
pub mod layout;
pub mod menus;
pub mod per_document;
pub mod perform;
pub mod preferences;
pub mod request;
pub mod state;
pub mod status_bar;
pub mod style;
pub mod timeline;
pub mod tree;
pub mod viewport;
pub mod widgets;
pub mod window_state;

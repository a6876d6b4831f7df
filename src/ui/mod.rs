//! The panels, as functions over plain state. They edit the [`View`](crate::session::view::View) and the
//! [`Transport`](crate::session::time::transport::Transport) in place, and push a [`context::request::Request`] for each task that only the
//! application can do. They use no GPU, no files, and no clock.
//!
//! In a frame, [`crate::ui::layout::controls_ui`] lays out the window and runs the panels that change view and transport. Then the caller
//! poses the model. Last, [`crate::ui::layout::readouts_ui`] fills the panels that show live values. So every value on screen belongs to
//! the time that the user has just scrubbed to.

pub mod actions;
pub mod animations;
pub mod choices;
pub mod command_palette;
pub mod commands;
pub mod context;
pub mod dialogs;
pub mod failure_bar;
pub mod file_strip;
pub mod held_button;
pub mod input_steps;
pub mod inspector;
pub mod layout;
pub mod loading_screen;
pub mod menus;
pub mod perform;
pub mod state;
pub mod status_bar;
pub mod style;
pub mod timeline;
pub mod tree;
pub mod viewport;
pub mod widgets;

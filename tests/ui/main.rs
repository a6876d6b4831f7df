//! Tests the panels by accessible label, with a test file for each panel, and the look by numbers.
#![allow(clippy::unwrap_used)] // a failed unwrap in a helper fails the test

mod actions;
mod command_palette;
#[path = "../common/mod.rs"]
mod common;
mod dialogs;
mod disabled_actions;
mod escape;
mod file_strip;
mod fonts;
mod gestures;
mod inspector;
mod keys_page;
mod left_panel;
mod look;
mod menus;
mod odd_rigs;
mod saved_views;
mod slow_frames;
mod status_bar;
mod timeline;
mod viewport;

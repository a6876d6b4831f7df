//! The session: the user's choices ([`view::View`]), the playback time ([`time::transport::Transport`]), and the data that is computed from
//! both.
//!
//! This data includes the pose ([`pose::pose`]), motions, locomotion, bounds, and picking.

pub mod analyses;
pub mod bounds;
pub mod camera;
pub mod contact_sheet;
pub mod document;
pub mod file;
pub mod ground_grid;
pub mod inspect;
pub mod locomotion;
pub mod motion;
pub mod names;
pub mod pick;
pub mod pose;
pub mod saved_list;
pub mod time;
pub mod view;

/// Maximum width and height of a picture, in pixels.
pub const MAX_PICTURE_SIDE: u32 = 16384;

//! Commands: functions that change the view and the transport. Actions and widgets call them.

pub mod camera;
pub mod checks;
pub mod copy_keys;
pub mod display;
pub mod locomotion;
pub mod nodes;
pub mod panel_layout;
pub mod playback;
pub mod retarget;
pub mod trails;

//! Commands: functions that change the view and the transport. Actions and widgets call them.

pub mod bookmarks;
pub mod camera;
pub mod checks;
pub mod copy_transforms;
pub mod display;
pub mod isolate;
pub mod locomotion;
pub mod panel_layout;
pub mod playback;
pub mod retarget;
pub mod selection;
pub mod switches;
pub mod trails;
pub mod view_presets;

//! The actions: their table, their keys, and when each is available. Also the camera moves of mouse buttons.

pub mod availability;
pub mod entry;
pub mod keys;
pub mod navigation;
pub mod table;

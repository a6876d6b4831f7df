//! Exports pictures and clips of a document to files, without a window. A still is posed, described, drawn and read back; a clip is a
//! sequence of stills, encoded one by one. Also writes the command line that draws a view. The window describes its pictures like stills.

pub mod atomic_file;
pub mod clip;
pub mod error;
pub mod formats;
pub mod picture;
pub mod render_command;
pub mod still;
pub mod thumbnail;
pub mod upload;

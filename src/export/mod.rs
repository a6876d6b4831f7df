//! Floor 5: exports pictures and clips of a document to files, without a window. A still is posed, drawn and read back; a clip is a row of
//! stills, encoded one by one.

mod annotations;
mod apng;
pub mod atomic_file;
mod changed_area;
pub mod clip;
pub mod compared;
pub mod encoder;
pub mod error;
mod gif;
pub mod png;
pub mod sequence;
pub mod sheet;
pub mod still;
pub mod video;

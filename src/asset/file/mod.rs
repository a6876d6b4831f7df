//! The sources of a model's bytes: containers, archives, external files and data URIs. Also the progress of reading, the stamps that reveal
//! changed files, and the recognition of other formats.

pub mod archive;
pub mod buffer;
pub mod bytes;
pub(crate) mod foreign;
pub mod glb;
pub mod panorama;
pub mod progress;
pub mod stamp;
pub(crate) mod uri;

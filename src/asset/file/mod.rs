//! Where the bytes of a model come from: containers, archives, linked files, data URIs.

pub mod archive;
pub mod buffer;
pub mod bytes;
pub(crate) mod foreign;
pub mod glb;
pub mod panorama;
pub mod progress;
pub mod stamp;
pub(crate) mod uri;

//! KHR_draco_mesh_compression: the decoder against meshes made in code, and primitives that are compressed against their plain
//! twins. With `SINEW_SAMPLES` set, the samples too.

mod decoding;
mod encoder;
mod hostile;
mod loading;

//! Tests KHR_draco_mesh_compression: the decoder with meshes made in code, and compressed primitives against the same primitives
//! uncompressed. With `SINEW_SAMPLES` set, the sample models as well.

mod decoding;
mod encoder;
mod hostile;
mod loading;

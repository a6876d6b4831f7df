//! Tests KHR_draco_mesh_compression: decodes generated meshes, and compares compressed primitives with their uncompressed originals. If
//! `SINEW_SAMPLES` is set, it also reads the sample models.

mod decoding;
mod encoder;
mod hostile;
mod loading;

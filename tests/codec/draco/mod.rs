//! Tests KHR_draco_mesh_compression: decodes meshes made in code, and compares compressed primitives with the same primitives
//! uncompressed. If `SINEW_SAMPLES` is set, it also reads the sample models.

mod decoding;
mod encoder;
mod hostile;
mod loading;

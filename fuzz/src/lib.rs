//! Includes only the modules that load, validate and sample files, so that fuzz targets build without a window and a renderer.

#[path = "../../src/animation/mod.rs"]
pub mod animation;
#[path = "../../src/asset/mod.rs"]
pub mod asset;
#[path = "../../src/cancel.rs"]
pub mod cancel;
#[path = "../../src/codec/mod.rs"]
pub mod codec;
#[path = "../../src/model/mod.rs"]
pub mod model;
#[path = "../../src/numbers.rs"]
pub mod numbers;
#[path = "../../src/paths.rs"]
pub mod paths;
#[path = "../../src/validate/mod.rs"]
pub mod validate;

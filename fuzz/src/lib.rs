//! The floors that read files, and nothing above: what is fuzzed builds without a window and a renderer.

#[path = "../../src/animation/mod.rs"]
pub mod animation;
#[path = "../../src/asset/mod.rs"]
pub mod asset;
#[path = "../../src/codec/mod.rs"]
pub mod codec;
#[path = "../../src/model/mod.rs"]
pub mod model;

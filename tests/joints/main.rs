//! What is told of joints: how they were bound, morph weights set by hand, lengths and axes as a person reads them.
#![allow(clippy::unwrap_used)] // a test may end at any surprise

mod bind_pose;
#[path = "../hand_made/mod.rs"]
mod hand_made;
mod morphs;
#[path = "../reference/mod.rs"]
mod reference;
mod units;

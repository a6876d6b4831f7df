//! Ripple, the sample model: a young axolotl. From solids to a file:
//!
//! `skeleton` says where the joints are; `body` melts solids into a skin bound to them, `surface` makes triangles of it and `refine` better
//! ones,
//! `swept` adds gills, lids, eyes and tongue; `atlas` lays the skin flat and `paint` colours it; `face` moves it into
//! expressions; `pose` moves the joints, `animations` are poses in time; `document` writes all of it by `glb`.
//!
//! All numbers are f64 and are rounded where they are written, so that every machine makes the same bytes.

mod animations;
mod atlas;
mod body;
mod document;
mod face;
mod glb;
mod mesh;
mod paint;
mod pose;
mod refine;
mod shape;
mod skeleton;
mod surface;
mod swept;

/// The whole file.
pub fn glb() -> Vec<u8> {
    let skeleton = skeleton::Skeleton::new();
    document::write(&skeleton)
}

//! Generates Ripple, the sample model: a young axolotl. The steps from solids to a file:
//!
//! - `skeleton` places the joints;
//! - `body` blends solids into a skin bound to the joints, `surface` triangulates it and `refine` improves the triangles;
//! - `swept` adds gills, eyelids, eyes and tongue;
//! - `atlas` unwraps the skin and `paint` colors it;
//! - `face` defines the expressions, `pose` the joint transforms, and `animations` poses over time;
//! - `document` writes everything with `glb`.
//!
//! All numbers are f64 and are rounded when written, so that every machine produces the same bytes.

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

/// Returns the bytes of the file.
pub fn glb() -> Vec<u8> {
    let skeleton = skeleton::Skeleton::new();
    document::write(&skeleton)
}

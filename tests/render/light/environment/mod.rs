//! Tests the environment light: compares its map with directly computed integrals, and reads valid and hostile panorama files.

mod files;
mod map;

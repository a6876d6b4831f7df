//! Tests the left panel: files, animations, layers, the node tree and its switches.

mod animations;
mod files;
mod layers;
mod switches;
mod tree;

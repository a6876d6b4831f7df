//! Tests the left panel: files, animations, layers, the node tree and its switches.

mod animations;
mod borrowed;
mod files;
mod layers;
mod names;
mod room;
mod switches;
mod tree;

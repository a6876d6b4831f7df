//! Tests the pictures and clips that the window saves.

mod clips;
mod screenshots;

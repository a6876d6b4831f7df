//! Sinew: a desktop glTF animation viewer. This page is the map of the house.
//!
//! **The one rule.** A pose is a pure function of (file, view, moment). Playing, scrubbing, exporting, testing and the headless
//! commands all call [`session::posing::pose`], so what is seen in the window can be reproduced as numbers (`sinew pose`)
//! or as a picture (`sinew render`).
//!
//! **Floors.** Modules import only from floors below (a test holds this):
//!
//! | floor | modules | what they do |
//! |---|---|---|
//! | 6 | `app`, `cli` | the window with its clock and threads; the commands |
//! | 5 | `export` | pose, draw, read back, encode |
//! | 4 | `ui`, `render` | egui panels over plain state; wgpu. Neither imports the other |
//! | 3 | `session`, `report` | what a person chose, the time, posing; what `inspect` prints |
//! | 2 | `asset`, `animation`, `camera`, `fonts` | bytes to [`model::Model`]; model and time to matrices; where the eye is; the system's fonts |
//! | 1 | `model`, `codec` | plain data; compressed bytes to numbers |
//!
//! **From a file to the screen.** `asset` reads bytes into an immutable `Model`. Three free functions over slices, without
//! allocation, take it to the GPU: `animation::sample` (keyframes to local transforms), `animation::pose` (locals to globals,
//! parents first), `animation::skinning` (globals times inverse bind matrices to the palette of 3x4 matrices). One upload a
//! frame; the vertex shader reads `array<mat3x4<f32>>`.
//!
//! **A frame** (`app`): the panels that control edit the `View` in place; the clock advances; the pose is made; the panels
//! that read out show it; the renderer draws the actors; egui is drawn over them.

pub mod animation;
pub mod app;
pub mod asset;
pub mod camera;
pub mod cli;
pub mod codec;
pub mod colors;
pub mod export;
pub mod model;
pub mod render;
pub mod report;
pub mod session;
pub mod system_fonts;
pub mod ui;
pub mod validate;

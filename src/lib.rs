//! Sinew, a desktop glTF animation viewer, as a library. `docs/architecture.md` explains the modules and the life of a frame.
//!
//! A pose is a pure function of model, view and moment: the window, `sinew pose`, `sinew render` and the tests all call
//! [`session::pose::pose`].
//!
//! Modules import only from the floors below (`tests/floors.rs` checks it):
//!
//! | floor | modules | what they do |
//! |---|---|---|
//! | 7 | `app`, `cli` | the window with its clock and threads; the commands |
//! | 6 | `export` | pose, draw, read back, encode |
//! | 5 | `ui`, `render` | egui panels over plain state; wgpu. Neither imports the other |
//! | 4 | `captions`, `check`, `compare`, `borrowed` | names and legends; checks of motion and rig; comparison; animations of other files |
//! | 3 | `session`, `report`, `validate`, `retarget` | view, time, pose; output of `inspect`; the specification's rules; retargeting |
//! | 2 | `asset`, `animation`, `units` | bytes to [`model::Model`]; model and time to matrices; lengths in the user's units |
//! | 1 | `model`, `codec`, `camera`, `colors`, `numbers`, `system_fonts` | plain data; decoders; cameras; colors; numbers as text; fonts |

// A closed or full stream must not end the program: `report::terminal` and `cli` print in other ways.
#![warn(clippy::print_stderr, clippy::print_stdout)]

pub mod animation;
pub mod app;
pub mod asset;
pub mod borrowed;
pub mod camera;
pub mod captions;
pub mod check;
pub mod cli;
pub mod codec;
pub mod colors;
pub mod compare;
pub mod export;
pub mod model;
pub mod numbers;
pub mod render;
pub mod report;
pub mod retarget;
pub mod session;
pub mod system_fonts;
pub mod ui;
pub mod units;
pub mod validate;

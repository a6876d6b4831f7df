//! Sinew, a desktop glTF animation viewer, as a library. The page `docs/architecture.md` explains the modules and the life of a frame.
//!
//! A pose is a pure function of model, view and moment: the window, `sinew pose`, `sinew render` and the tests all call
//! [`session::pose::pose`].
//!
//! The modules are arranged on floors, which are listed on that page. A module imports only from lower floors; `tests/floors/` checks it.

// A closed or full stream must not end the program: `report::terminal` and `cli` print in other ways.
#![warn(clippy::print_stderr, clippy::print_stdout)]

pub mod animation;
pub mod app;
pub mod asset;
pub mod borrowed;
pub mod camera;
pub mod cancel;
pub mod captions;
pub mod check;
pub mod cli;
pub mod codec;
pub mod colors;
pub mod compare;
pub mod end_signals;
pub mod export;
pub mod model;
pub mod numbers;
pub mod paths;
pub mod render;
pub mod report;
pub mod retarget;
pub mod session;
pub mod system_fonts;
pub mod ui;
pub mod units;
pub mod validate;

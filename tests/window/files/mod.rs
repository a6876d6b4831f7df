//! Tests opening, dropping, reloading and stepping through files.

mod drops;
mod file_strip;
mod launch;
mod opening;
mod reload;

//! Tests the real window on a virtual display: the tests act like a user and check the picture. Needs Xvfb and a Vulkan or GL driver.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)] // a failed unwrap in a helper fails the test

mod borrow;
mod checks;
#[path = "../common/mod.rs"]
mod common;
mod compare;
mod files;
mod harness;
mod joints;
mod odd_rigs;
mod output;
mod overlays;
mod playback;
mod screens;
mod settings;
mod survives;
mod timeline;

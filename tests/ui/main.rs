//! The window's frame: actions, menus, timeline, dialogs, by accessible label; and the look by numbers.

mod actions;
mod curves;
mod dialogs;
mod keys_page;
mod look;
mod panels;
mod sheet;
mod timeline;
#[path = "../ui_window/mod.rs"]
mod ui_window;

use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;

use ui_window::{Window, harness, walker};

fn window() -> Harness<'static, Window> {
    harness(1280.0, 720.0, 1.0, Window::new(walker()))
}

/// Some of what stands in the menus stands in the inspector too, under the same name.
fn without_inspector() -> Harness<'static, Window> {
    harness(900.0, 600.0, 1.0, Window::new(walker()))
}

fn click(window: &mut Harness<'static, Window>, label: &str) {
    window.get_by_label(label).click();
    window.run();
}

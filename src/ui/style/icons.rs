//! The icons: code points of the embedded Lucide subset, and buttons with icons. `scripts/subset_fonts.sh` makes the subset from the list
//! below.

use egui::{Align2, Color32, FontFamily, FontId, Rect, Response, Role, Sense, Ui, Vec2, WidgetInfo};

use crate::captions::fonts;
use crate::model::finding::Severity;
use crate::model::node::NodeIndex;
use crate::session::document::Document;

use super::theme;

// Transport.
pub const PLAY: char = '\u{e13c}';
pub const PAUSE: char = '\u{e12e}';
pub const FIRST: char = '\u{e15f}';
pub const LAST: char = '\u{e160}';
pub const PREVIOUS_FRAME: char = '\u{e3e9}';
pub const NEXT_FRAME: char = '\u{e3ea}';
pub const REPEAT_LOOP: char = '\u{e146}';
pub const REPEAT_ONCE: char = '\u{e459}';
pub const REPEAT_PING_PONG: char = '\u{e24a}';
pub const RESET: char = '\u{e148}';

// Files and text.
pub const COPY: char = '\u{e09e}';
pub const CLOSE: char = '\u{e1b2}';

// Panels.
pub const INSPECTOR: char = '\u{e29a}';
pub const TIMELINE: char = '\u{e087}';
pub const DOPE_SHEET: char = '\u{e4c4}';
pub const CURVES: char = '\u{e38b}';
pub const FILTER: char = '\u{e460}';
pub const SNAP: char = '\u{e2b5}';
pub const PANEL_LEFT_CLOSE: char = '\u{e21c}';
pub const PANEL_LEFT_OPEN: char = '\u{e21d}';
pub const PANEL_RIGHT_CLOSE: char = '\u{e432}';
pub const SEARCH: char = '\u{e151}';

// Rows.
pub const CHEVRON_RIGHT: char = '\u{e06f}';
pub const CHEVRON_DOWN: char = '\u{e06d}';
pub const CHECK: char = '\u{e06c}';
pub const LOCK: char = '\u{e10b}';

// Kinds of nodes.
pub const NODE: char = '\u{e345}';
pub const JOINT: char = '\u{e358}';
pub const MESH: char = '\u{e061}';
pub const CAMERA: char = '\u{e1a5}';
pub const LIGHT: char = '\u{e1c2}';

// Switches.
pub const VISIBLE: char = '\u{e0ba}';
pub const HIDDEN: char = '\u{e0bb}';
pub const ANIMATED: char = '\u{e038}';
pub const INFLUENCE: char = '\u{e2e7}';

// Findings.
pub const INFO: char = '\u{e0f9}';
pub const WARNING: char = '\u{e193}';
pub const ERROR: char = '\u{e084}';

// Width and height of an icon and of its button, in points. Those of the transport bar are larger.
pub const ICON_SIZE: f32 = 16.0;
pub const BUTTON_SIDE: f32 = 24.0;
pub const TRANSPORT_ICON_SIZE: f32 = 20.0;
pub const TRANSPORT_BUTTON_SIDE: f32 = 32.0;

/// Opacity of the icon of a switch in its default state.
pub const IDLE_OPACITY: f32 = 0.35;

/// The icon font at this size, in points.
pub fn font(size: f32) -> FontId {
    FontId::new(size, FontFamily::Name(fonts::ICON_FAMILY.into()))
}

/// Paints an icon in the middle of `rect`.
pub fn paint(ui: &Ui, rect: Rect, icon: char, size: f32, color: Color32) {
    theme::undimmed(ui).text(rect.center(), Align2::CENTER_CENTER, icon, font(size), color);
}

/// Draws a button of the usual size with an icon. `label` is its name for screen readers.
pub fn button(ui: &mut Ui, icon: char, label: &str) -> Response {
    sized_button(ui, icon, label, ICON_SIZE, BUTTON_SIDE)
}

/// Like [`button`], with the size of the icon and the side of the button in points.
pub fn sized_button(ui: &mut Ui, icon: char, label: &str, size: f32, side: f32) -> Response {
    let (rect, response) = ui.allocate_exact_size(Vec2::splat(side), Sense::click());
    let enabled = ui.is_enabled();
    response.widget_info(|| WidgetInfo::labeled(Role::Button, enabled, label));
    paint_button(ui, rect, &response, icon, size, false);
    response
}

/// Draws the main button of a bar, filled with the accent color. `size` is the size of the icon, in points.
pub fn filled_button(ui: &mut Ui, icon: char, label: &str, size: f32, side: f32) -> Response {
    let (rect, response) = ui.allocate_exact_size(Vec2::splat(side), Sense::click());
    let enabled = ui.is_enabled();
    response.widget_info(|| WidgetInfo::labeled(Role::Button, enabled, label));
    if !enabled {
        paint_button(ui, rect, &response, icon, size, false);
        return response;
    }
    let palette = theme::palette(ui.ctx());
    let fill = if response.is_pointer_button_down_on() {
        palette.accent.gamma_multiply(0.8)
    } else if response.hovered() {
        palette.accent.lerp_to_gamma(palette.text, 0.2)
    } else {
        palette.accent
    };
    // The filled square is a little smaller than the clickable area, so that it does not touch the edges of a bar.
    ui.painter().rect_filled(rect.shrink(2.0), theme::RADIUS, fill);
    paint(ui, rect, icon, size, palette.on_accent);
    response
}

/// Draws a button that shows whether a setting is on.
pub fn toggle(ui: &mut Ui, icon: char, label: &str, on: bool) -> Response {
    let (rect, response) = ui.allocate_exact_size(Vec2::splat(BUTTON_SIDE), Sense::click());
    let enabled = ui.is_enabled();
    response.widget_info(|| WidgetInfo::selected(Role::Button, enabled, on, label));
    paint_button(ui, rect, &response, icon, ICON_SIZE, on);
    response
}

/// Paints the background and the icon of a button in its current state.
fn paint_button(ui: &Ui, rect: Rect, response: &Response, icon: char, size: f32, on: bool) {
    if !ui.is_rect_visible(rect) {
        return;
    }
    let palette = theme::palette(ui.ctx());
    let fill = if response.is_pointer_button_down_on() {
        palette.field
    } else if on {
        palette.selection
    } else if response.hovered() {
        palette.hover
    } else {
        Color32::TRANSPARENT
    };
    let color = if !ui.is_enabled() {
        palette.disabled
    } else if on {
        palette.accent
    } else if response.hovered() {
        palette.text
    } else {
        palette.secondary
    };
    ui.painter().rect_filled(rect, theme::RADIUS, fill);
    paint(ui, rect, icon, size, color);
}

/// Icon and color of a finding.
pub fn severity_mark(ui: &Ui, severity: Severity) -> (char, Color32) {
    let palette = theme::palette(ui.ctx());
    match severity {
        Severity::Info => (INFO, palette.secondary),
        Severity::Warning => (WARNING, palette.warning),
        Severity::Error => (ERROR, palette.error),
    }
}

/// A node's icon and its kind in words.
pub fn node_kind(document: &Document, node: NodeIndex) -> (char, &'static str) {
    let node_data = document.model.node(node);
    if document.joints[node.index()] {
        (JOINT, "joint")
    } else if node_data.mesh.is_some() && node_data.skin.is_some() {
        (MESH, "skinned mesh")
    } else if node_data.mesh.is_some() {
        (MESH, "mesh")
    } else if node_data.camera.is_some() {
        (CAMERA, "camera")
    } else if node_data.light.is_some() {
        (LIGHT, "light")
    } else {
        (NODE, "node")
    }
}

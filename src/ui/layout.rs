//! Lays out the window. [`controls_ui`] places all panels and runs the panels that change the view and the transport. When the pose is
//! ready, [`readouts_ui`] fills the panels that show live values.

use egui::containers::panel::PanelState;
use egui::{Align, Id, Key, Layout, Margin, Modifiers, Panel, Popup, PopupAnchor, Rect, Ui, UiBuilder, vec2};

use super::actions::Action;
use super::animations::{layers, list};
use super::context::Context;
use super::context::comparison::FrameContent;
use super::context::preferences::{INSPECTOR_WIDTHS, LEFT_WIDTHS, TimelineRows};
use super::menus::menu_bar;
use super::state::PanelStates;
use super::style::{icons, missing_glyphs, text, theme};
use super::timeline::{self, TimelineState};
use super::viewport::other_half;
use super::widgets::splitter::{self, Axis, Divider};
use super::{command_palette, dialogs, failure_bar, file_strip, inspector, perform, status_bar, tree, viewport};

/// The rectangles of the panels that [`readouts_ui`] fills.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Areas {
    /// The viewport. If two models are shown side by side, this is the half that shows model A.
    pub viewport: Rect,
    /// The half of the viewport that shows model B. `None` unless two models are shown side by side.
    pub other: Option<Rect>,
    /// The inspector below its header. `None` if the inspector is collapsed.
    pub inspector: Option<Rect>,
    /// The status bar.
    pub status: Rect,
}

/// Width of a collapsed side panel, and height of the collapsed timeline, in points.
const COLLAPSED_SIZE: f32 = 28.0;
/// Height of the row with a panel's title and collapse button, in points.
const HEAD_HEIGHT: f32 = 32.0;
/// Minimum size left to the viewport, in points.
const MIN_VIEWPORT_SIZE: [f32; 2] = [320.0, 240.0];
/// The inspector starts collapsed in a window narrower than this, in points.
const NARROW_WINDOW_WIDTH: f32 = 1100.0;
/// In a window shorter than this, in points, a timeline with rows starts at the height [`SHORT_TIMELINE_HEIGHT`].
const SHORT_WINDOW_HEIGHT: f32 = 700.0;
/// Initial height of the timeline in a short window, in points.
const SHORT_TIMELINE_HEIGHT: f32 = 140.0;
/// Maximum height of the timeline, as a fraction of the window's.
const MAX_TIMELINE_SHARE: f32 = 0.6;
/// Minimum height of the timeline's rows, in points.
const MIN_ROWS_HEIGHT: f32 = 2.0 * theme::TREE_ROW_HEIGHT;
/// Minimum of the height limit of the animations section, in points. A section with few rows is lower than its limit.
const MIN_ANIMATIONS_HEIGHT: f32 = 96.0;
/// Minimum height of the nodes section, in points.
const MIN_NODES_HEIGHT: f32 = 140.0;
/// While the details of a layer are open, the height limit of the layers section is at least this fraction of the left panel's height.
const OPEN_LAYER_SHARE: f32 = 0.45;

/// Places all panels, and runs the panels that do not need the pose. Actions are performed between panels, so that the next panel shows
/// their effect. Returns the rectangles of the panels that need the pose.
pub fn controls_ui(ui: &mut Ui, panels: &mut PanelStates, context: &mut Context) -> Areas {
    let window = ui.max_rect();
    quit_by_key(ui, context);
    if context.window.dialog.is_some() {
        hide_tooltips(ui);
    }
    panels.held_button.update(ui, context.document.id, context.view);
    missing_glyphs::update(ui.ctx(), &mut panels.missing_glyphs, context);
    // Free the previews of the previous document, even if no panel shows previews.
    context.status.previews.get(context.document);
    context.keys.update(context.document, context.view.animation);
    panels.timeline.zoom.update(context.document, context.view.animation);
    // The tree follows reloads even while it is hidden. Otherwise it would keep the memory of the previous model.
    panels.tree.update(context.document, context.view);
    if std::mem::take(&mut context.window.releases_focus) {
        ui.memory_mut(|memory| {
            if let Some(focused) = memory.focused() {
                memory.surrender_focus(focused);
            }
        });
    }
    // The widget with the keyboard focus sets this again in each frame.
    context.window.list_focused = false;
    context.window.is_narrow = window.width() < NARROW_WINDOW_WIDTH;
    // Panels take their space from the outside in; the viewport gets the remaining space.
    let menu = bar(Panel::top("menu bar"), theme::MENU_BAR_HEIGHT)
        .frame(filled(ui).inner_margin(Margin::symmetric(2, 2)))
        .show(ui, |ui| menu_bar::menu_bar_ui(ui, context));
    perform_queued(panels, context);
    let status = bar(Panel::bottom("status bar"), status_bar::HEIGHT).frame(filled(ui)).show(ui, Ui::take_available_space);
    if context.file_strip_shown() {
        let strip = bar(Panel::bottom("file strip"), file_strip::HEIGHT).frame(filled(ui));
        strip.show(ui, |ui| file_strip::file_strip_ui(ui, &mut panels.file_strip, context));
    } else {
        file_strip::hidden(context);
    }
    perform_queued(panels, context);
    left_panel(ui, panels, context);
    perform_queued(panels, context);
    let inspector = reserve_inspector(ui, context);
    perform_queued(panels, context);
    timeline_panel(ui, &mut panels.timeline, context, window.height());
    timeline::end_drags(ui, &mut panels.timeline, context);
    perform_queued(panels, context);
    failure_bar::crash_ui(ui, context);
    failure_bar::failure_ui(ui, context);
    let whole = ui.available_rect_before_wrap();
    context.status.statistics.picture = whole.size().into();
    let (viewport, other) = other_half::halves(context.comparison.as_deref(), whole, ui.ctx().pixels_per_point());
    viewport::controls_ui(ui, &mut panels.viewport, context, viewport);
    if let Some(other) = other {
        other_half::controls_ui(ui, &mut panels.viewport, context, other);
    }
    menu_bar::progress_line_ui(ui, context.status, menu.response.rect);
    command_palette::palette_ui(ui.ctx(), &mut panels.palette, context);
    dialogs::dialogs_ui(ui.ctx(), &mut panels.dialogs, context);
    perform_queued(panels, context);
    panels.held_button.restore(context.view);
    Areas { viewport, other, inspector, status: status.response.rect }
}

/// Fills the panels that show live values.
pub fn readouts_ui(ui: &mut Ui, panels: &mut PanelStates, context: &mut Context, areas: &Areas, content: &FrameContent) {
    viewport::readouts_ui(ui, &mut panels.viewport, context, content, areas.viewport);
    other_half::readouts_ui(ui, &mut panels.viewport, context, content, [areas.viewport, areas.other.unwrap_or(areas.viewport)]);
    perform_queued(panels, context);
    if let Some(place) = areas.inspector {
        let mut inspector = ui.new_child(UiBuilder::new().id_salt("inspector").max_rect(place));
        inspector::inspector_ui(&mut inspector, &mut panels.inspector, context, content.posed);
        perform_queued(panels, context);
        panels.held_button.restore(context.view);
    }
    let mut status = ui.new_child(UiBuilder::new().id_salt("status").max_rect(areas.status));
    status_bar::status_ui(&mut status, &mut panels.status_bar, context, content.posed, content.camera);
    theme::focus_ring(ui.ctx());
    context.window.end_rail_click(ui.ctx());
}

/// Quits by Ctrl+Q while a dialog or a menu is in front and receives every key. Otherwise the table of actions receives this key first.
fn quit_by_key(ui: &Ui, context: &mut Context) {
    if ui.input_mut(|input| input.consume_key(Modifiers::COMMAND, Key::Q)) {
        context.actions.push(Action::Quit);
    }
}

/// Hides the tooltips of the panels while a dialog is in front. Otherwise an open tooltip stays in front of the dialog for as long as the
/// pointer rests. egui hides the tooltips of a layer that has an open popup. This popup has no position, so it is not drawn.
fn hide_tooltips(ui: &Ui) {
    Popup::new(Id::unique("dialog in front"), ui.ctx().clone(), PopupAnchor::PointerFixed, ui.layer_id()).show(|_| {});
}

/// Performs the actions that a panel queued, before the next panel runs.
fn perform_queued(panels: &mut PanelStates, context: &mut Context) {
    for action in std::mem::take(context.actions) {
        perform::perform(action, panels, context);
    }
}

/// Draws the left panel: animations, layers, nodes.
fn left_panel(ui: &mut Ui, panels: &mut PanelStates, context: &mut Context) {
    if !context.preferences.left_panel {
        rail(Panel::left("left rail"), ui, context, icons::PANEL_LEFT_OPEN, Action::LeftPanel);
        return;
    }
    let inspector = if context.inspector_shown() { context.preferences.inspector_width } else { COLLAPSED_SIZE };
    // The panel may grow until the viewport has its minimum width.
    let max_width = (ui.available_width() - inspector - MIN_VIEWPORT_SIZE[0]).clamp(LEFT_WIDTHS[0], LEFT_WIDTHS[1]);
    let width = context.preferences.left_width;
    let panel = SizedPanel { edge: Edge::Left, name: "left panel", chosen: width, sizes: [LEFT_WIDTHS[0], max_width] };
    let (_, chosen) = panel.show(ui, context, |ui, context| {
        let all = ui.max_rect();
        ui.take_available_space();
        left_sections(ui, panels, context, all);
        collapse_button(ui, context, all, icons::PANEL_LEFT_CLOSE, Action::LeftPanel);
    });
    context.preferences.left_width = chosen;
}

/// The edge of the window at which a panel lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Edge {
    Left,
    Right,
    Bottom,
}

/// A panel that the user can resize, by dragging its edge or with the arrow keys while the edge has the keyboard focus.
struct SizedPanel {
    edge: Edge,
    name: &'static str,
    /// The size that the user chose, in points. If it does not fit, the panel is as near to it as possible.
    chosen: f32,
    /// Minimum and maximum size, in points.
    sizes: [f32; 2],
}

impl SizedPanel {
    /// Draws the panel. Returns its rectangle and the size that the user has chosen, which does not change with the available space.
    fn show(self, ui: &mut Ui, context: &mut Context, content: impl FnOnce(&mut Ui, &mut Context)) -> (Rect, f32) {
        let [min, max] = self.sizes;
        let fitting = self.chosen.clamp(min, max);
        // egui would restore the size of the last frame, which may have been limited by the available space.
        let id = ui.scope_id().with(self.name);
        ui.data_mut(|data| data.remove::<PanelState>(id));
        let (panel, axis, direction) = match self.edge {
            Edge::Left => (Panel::left(self.name), Axis::Horizontal, 1.0),
            Edge::Right => (Panel::right(self.name), Axis::Horizontal, -1.0),
            Edge::Bottom => (Panel::bottom(self.name), Axis::Vertical, -1.0),
        };
        // egui gives the edge of a panel this id.
        let moved = direction * splitter::key_move(ui, &mut context.window.list_focused, id.with("__resize"), axis);
        let panel = panel.resizable(true).default_size(fitting + moved).size_range(min..=max).frame(filled(ui));
        let rect = panel.show(ui, |ui| content(ui, context)).response.rect;
        let size = if axis == Axis::Horizontal { rect.width() } else { rect.height() };
        // Panels lie on whole pixels. Only a window without enough room makes a panel smaller than its minimum.
        let is_changed = (size - fitting).abs() >= 1.0 && size >= min - 1.0;
        (rect, if is_changed { size } else { self.chosen })
    }
}

/// Draws the sections of the left panel. The animations and the layers are as high as their rows need, up to a limit that the user can
/// drag. The nodes get the remaining height.
fn left_sections(ui: &mut Ui, panels: &mut PanelStates, context: &mut Context, all: Rect) {
    let max_height = (all.height() - HEAD_HEIGHT - MIN_NODES_HEIGHT).max(MIN_ANIMATIONS_HEIGHT);
    let limit = (all.height() * context.preferences.animations_share).clamp(MIN_ANIMATIONS_HEIGHT, max_height);
    let split = all.top() + list::height(context.document).min(limit);
    let (top, mut bottom) = all.split_top_bottom_at_y(split);
    list::animations_ui(&mut ui.new_child(UiBuilder::new().id_salt("animations").max_rect(top)), &mut panels.animations, context);
    if context.document.model.animations.is_empty() {
        ui.painter().hline(all.x_range(), split, ui.visuals().widgets.noninteractive.bg_stroke);
    } else {
        let divider =
            SectionDivider { label: "Height of the animations", top: all.top(), y: split, range: [MIN_ANIMATIONS_HEIGHT, max_height] };
        divider.show(ui, all, &mut context.window.list_focused, &mut context.preferences.animations_share);
        let open = context.window.open_layer.is_some();
        let share = if open { context.preferences.layers_share.max(OPEN_LAYER_SHARE) } else { context.preferences.layers_share };
        let limit = (bottom.height() - MIN_NODES_HEIGHT).min(all.height() * share).max(HEAD_HEIGHT);
        // The layers begin below the divider.
        let layers = bottom.with_min_y(split + 1.0);
        let split = layers.top() + panels.layers.height().min(limit);
        let (layers, below) = layers.split_top_bottom_at_y(split);
        layers::layers_ui(&mut ui.new_child(UiBuilder::new().id_salt("layers").max_rect(layers)), &mut panels.layers, context);
        let divider = SectionDivider { label: "Height of the layers", top: layers.top(), y: split, range: [HEAD_HEIGHT, max_height] };
        divider.show(ui, all, &mut context.window.list_focused, &mut context.preferences.layers_share);
        bottom = below;
    }
    let nodes = bottom.with_min_y(bottom.top() + 1.0);
    tree::nodes_ui(&mut ui.new_child(UiBuilder::new().id_salt("nodes").max_rect(nodes)), &mut panels.tree, context);
}

/// The line below a section of the left panel. It changes the section's maximum height.
struct SectionDivider {
    label: &'static str,
    /// The y coordinates of the section's top and of the line, in points.
    top: f32,
    y: f32,
    /// Minimum and maximum height of the section, in points.
    range: [f32; 2],
}

impl SectionDivider {
    /// Draws the line and changes the section's share of the panel `all` while the line is moved.
    fn show(&self, ui: &Ui, all: Rect, list_focused: &mut bool, share: &mut f32) {
        let grip = Rect::from_x_y_ranges(all.x_range(), self.y - 3.0..=self.y + 3.0);
        let divider = Divider { label: self.label, axis: Axis::Vertical, grip, line: self.y, at: self.y };
        if let Some(y) = divider.show(ui, list_focused) {
            let [min, max] = self.range;
            *share = (y - self.top).clamp(min, max.max(min)) / all.height().max(1.0);
        }
    }
}

/// Reserves the space of the inspector. Its content needs the pose, which is computed later.
fn reserve_inspector(ui: &mut Ui, context: &mut Context) -> Option<Rect> {
    if !context.inspector_shown() {
        rail(Panel::right("inspector rail"), ui, context, icons::INSPECTOR, Action::Inspector);
        return None;
    }
    let max_width = (ui.available_width() - MIN_VIEWPORT_SIZE[0]).clamp(INSPECTOR_WIDTHS[0], INSPECTOR_WIDTHS[1]);
    let width = context.preferences.inspector_width;
    let panel = SizedPanel { edge: Edge::Right, name: "inspector", chosen: width, sizes: [INSPECTOR_WIDTHS[0], max_width] };
    let (rect, chosen) = panel.show(ui, context, |ui, context| {
        ui.take_available_space();
        let head = ui.max_rect().with_max_y(ui.max_rect().top() + HEAD_HEIGHT).shrink2(vec2(theme::MARGIN, 0.0));
        let row = UiBuilder::new().id_salt("head").max_rect(head).layout(Layout::left_to_right(Align::Center));
        ui.new_child(row).label(text::section(ui, Action::Inspector.label()));
        collapse_button(ui, context, ui.max_rect(), icons::PANEL_RIGHT_CLOSE, Action::Inspector);
    });
    context.preferences.inspector_width = chosen;
    // The content scrolls below the panel's header.
    Some(rect.with_min_y(rect.top() + HEAD_HEIGHT))
}

/// Draws the timeline. Without rows, it has a fixed height. With rows, the user can change the height.
fn timeline_panel(ui: &mut Ui, state: &mut TimelineState, context: &mut Context, window_height: f32) {
    if !context.preferences.timeline {
        rail(Panel::bottom("timeline rail"), ui, context, icons::TIMELINE, Action::Timeline);
        return;
    }
    let height_without_rows = timeline::height_without_rows(context);
    if timeline::rows(context) == TimelineRows::None {
        bar(Panel::bottom("timeline"), height_without_rows).frame(filled(ui)).show(ui, |ui| timeline::timeline_ui(ui, state, context));
        return;
    }
    // The height in a short window is not remembered between runs.
    let is_short = window_height < SHORT_WINDOW_HEIGHT;
    let height =
        if is_short { context.window.short_timeline_height.unwrap_or(SHORT_TIMELINE_HEIGHT) } else { context.preferences.timeline_height };
    let min_height = height_without_rows + MIN_ROWS_HEIGHT;
    let max_height = (window_height * MAX_TIMELINE_SHARE).min(ui.available_height() - MIN_VIEWPORT_SIZE[1]).max(min_height);
    let panel = SizedPanel { edge: Edge::Bottom, name: "timeline with rows", chosen: height, sizes: [min_height, max_height] };
    let (_, chosen) = panel.show(ui, context, |ui, context| timeline::timeline_ui(ui, state, context));
    if is_short {
        context.window.short_timeline_height = Some(chosen);
    } else {
        context.preferences.timeline_height = chosen;
    }
}

/// Gives a panel a fixed size, in points.
fn bar(panel: Panel, size: f32) -> Panel {
    panel.exact_size(size).resizable(false)
}

/// Draws a collapsed panel as an icon that opens it.
fn rail(panel: Panel, ui: &mut Ui, context: &mut Context, icon: char, action: Action) {
    bar(panel, COLLAPSED_SIZE).frame(filled(ui).inner_margin(Margin::same(2))).show(ui, |ui| {
        if icons::button(ui, icon, action.label()).on_hover_text(action.tooltip()).clicked() {
            context.actions.push(action);
        }
    });
}

/// Draws the collapse button in the corner of an open panel.
fn collapse_button(ui: &mut Ui, context: &mut Context, panel: Rect, icon: char, action: Action) {
    let corner =
        Rect::from_min_size(panel.right_top() + vec2(-icons::BUTTON_SIDE - 4.0, 4.0), vec2(icons::BUTTON_SIDE, icons::BUTTON_SIDE));
    let mut child = ui.new_child(UiBuilder::new().id_salt("collapse").max_rect(corner).layout(Layout::left_to_right(Align::Center)));
    let label = format!("Collapse: {}", action.label());
    if icons::button(&mut child, icon, &label).on_hover_text(format!("Collapse ({})", action.shortcut())).clicked() {
        context.actions.push(action);
    }
}

/// The frame of a panel in the theme's color.
fn filled(ui: &Ui) -> egui::Frame {
    egui::Frame::new().fill(theme::palette(ui.ctx()).panel)
}

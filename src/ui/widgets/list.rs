//! A list of rows of equal height. It lays out only visible rows, scrolls to a given row, and takes the keyboard focus as a whole.

use egui::{Event, EventFilter, Id, Key, Modifiers, Rangef, Rect, Role, ScrollArea, Sense, Ui, Vec2, WidgetInfo, vec2};

/// Scroll state of a list between frames.
#[derive(Debug, Clone, Copy, Default)]
pub struct ListScroll {
    /// Width of the rows, in points, if they may be wider than the list. The list then scrolls sideways.
    pub width: Option<f32>,
    /// Distance of the visible part from the top left corner of the content, and size of the visible part, in points.
    offset: Vec2,
    size: Vec2,
    /// The row to scroll to.
    target: Option<ScrollTarget>,
    /// Whether the next frame scrolls to the top left corner.
    restarts: bool,
    /// Number of rows in the last frame.
    count: usize,
}

/// A row to scroll to.
#[derive(Debug, Clone, Copy)]
struct ScrollTarget {
    row: usize,
    /// Whether a row that is not visible is scrolled to the middle rather than to the nearest edge.
    centered: bool,
    /// The part of the row to show, in points from its left end.
    span: Rangef,
}

impl ListScroll {
    /// Scrolls a row to the middle in the next frame if it is not visible. `span` is the part to show, in points from its left end.
    pub fn reveal(&mut self, row: usize, span: Rangef) {
        self.target = Some(ScrollTarget { row, centered: true, span });
    }

    /// Scrolls in the next frame, only as far as needed to make the row visible. This is for a row that was reached with an arrow key.
    pub fn scroll_into_view(&mut self, row: usize, span: Rangef) {
        self.target = Some(ScrollTarget { row, centered: false, span });
    }

    /// Returns to the top left corner in the next frame.
    pub fn restart(&mut self) {
        (self.restarts, self.target) = (true, None);
    }

    /// The offset that makes the target visible. `None` if the list need not scroll.
    fn new_offset(&mut self, row_height: f32, count: usize) -> Option<Vec2> {
        if std::mem::take(&mut self.restarts) {
            return Some(Vec2::ZERO);
        }
        // The extent of the list is unknown until it has been laid out with these rows, so the target waits until then.
        let ScrollTarget { row, centered, span } = self.target.take_if(|_| self.size.y > 0.0 && self.count == count)?;
        let (top, mut offset) = (row as f32 * row_height, self.offset);
        let min_offset = (top + row_height - self.size.y).max(0.0);
        if !(min_offset..=top).contains(&offset.y) {
            let middle = (top - (self.size.y - row_height) / 2.0).clamp(0.0, (count as f32 * row_height - self.size.y).max(0.0));
            offset.y = if centered { middle } else { offset.y.clamp(min_offset, top.max(min_offset)) };
        }
        if self.width.is_some() {
            offset.x = offset.x.max(span.max - self.size.x).min(span.min).max(0.0);
        }
        (offset != self.offset).then_some(offset)
    }
}

/// A list as a widget.
pub struct List {
    /// The id of the list. Clicks on rows give it the focus.
    pub id: Id,
    /// Whether the list has the keyboard focus.
    pub focused: bool,
}

/// Reserves the list's space and handles its focus. [`rows_ui`] then draws the rows.
pub fn begin(ui: &mut Ui, label: &str) -> List {
    let id = ui.make_persistent_id(label);
    let response = ui.interact(ui.available_rect_before_wrap(), id, Sense::FOCUSABLE);
    response.widget_info(|| WidgetInfo::labeled(Role::List, true, label));
    let focused = response.has_focus();
    if focused {
        let arrows = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(id, arrows));
    }
    List { id, focused }
}

/// Draws the visible rows. `row` receives each row's index and rectangle.
pub fn rows_ui(ui: &mut Ui, scroll: &mut ListScroll, row_height: f32, count: usize, mut row: impl FnMut(&mut Ui, usize, Rect)) {
    ui.spacing_mut().item_spacing.y = 0.0;
    let mut area = ScrollArea::new([scroll.width.is_some(), true]).auto_shrink(false);
    if let Some(offset) = scroll.new_offset(row_height, count) {
        area = area.scroll_offset(offset);
    }
    let width = scroll.width.map(|width| width.max(ui.available_width()));
    let output = area.show_rows(ui, row_height, count, |ui, visible| {
        for number in visible {
            let (_, rect) = ui.allocate_space(vec2(width.unwrap_or(ui.available_width()), row_height));
            row(ui, number, rect);
        }
    });
    scroll.offset = output.state.clamped_offset();
    scroll.size = output.inner_rect.size();
    scroll.count = count;
    if scroll.target.is_some() {
        ui.ctx().request_repaint();
    }
}

/// The arrow keys that were pressed in this frame, in order. The bool tells whether Shift was held. This is called while the list has the
/// focus.
pub fn arrows(ui: &Ui) -> Vec<(Key, bool)> {
    let arrow = |event: &Event| match event {
        Event::Key { key, pressed: true, modifiers, .. } if is_plain_arrow(*key, *modifiers) => Some((*key, modifiers.shift)),
        _ => None,
    };
    ui.input(|input| input.events.iter().filter_map(arrow).collect())
}

/// Returns whether a key is an arrow without Ctrl and Alt.
fn is_plain_arrow(key: Key, modifiers: Modifiers) -> bool {
    matches!(key, Key::ArrowUp | Key::ArrowDown | Key::ArrowLeft | Key::ArrowRight) && !modifiers.command && !modifiers.alt
}

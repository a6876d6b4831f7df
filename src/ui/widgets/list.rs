//! A list of rows of equal height, used for animations and nodes. It lays out only visible rows, scrolls to a given row, and has
//! keyboard focus as a whole.

use egui::{Event, EventFilter, Id, Key, Modifiers, Rect, Role, ScrollArea, Sense, Ui, WidgetInfo, vec2};

/// Scroll state of a list between frames.
#[derive(Debug, Clone, Copy, Default)]
pub struct ListScroll {
    /// Distance from the top and height of the visible part, in points.
    offset: f32,
    height: f32,
    /// The row to scroll to.
    wanted: Option<usize>,
    /// Number of rows in the last frame.
    count: usize,
}

impl ListScroll {
    /// Scrolls to a row in the next frame if it is not visible.
    pub fn reveal(&mut self, row: usize) {
        self.wanted = Some(row);
    }

    /// The offset that makes the wanted row visible. `None` if there is nothing to do.
    fn offset_for(&mut self, row_height: f32, count: usize) -> Option<f32> {
        // Until the list was laid out with these rows, its extent is unknown, so the request waits.
        let row = self.wanted.take_if(|_| self.height > 0.0 && self.count == count)?;
        let top = row as f32 * row_height;
        if top < self.offset {
            Some(top)
        } else if top + row_height > self.offset + self.height {
            Some(top + row_height - self.height)
        } else {
            None
        }
    }
}

/// The parts of a list that the caller needs.
pub struct List {
    /// The id of the list. Clicks on rows give it the focus.
    pub id: Id,
    /// Whether the list has the keyboard focus.
    pub focused: bool,
}

/// Reserves the list's place and handles its focus. [`rows_ui`] then draws the rows.
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
    let mut area = ScrollArea::vertical().auto_shrink(false);
    if let Some(offset) = scroll.offset_for(row_height, count) {
        area = area.vertical_scroll_offset(offset);
    }
    let output = area.show_rows(ui, row_height, count, |ui, in_sight| {
        for number in in_sight {
            let (_, rect) = ui.allocate_space(vec2(ui.available_width(), row_height));
            row(ui, number, rect);
        }
    });
    scroll.offset = output.state.clamped_offset().y;
    scroll.height = output.inner_rect.height();
    scroll.count = count;
    if scroll.wanted.is_some() {
        ui.ctx().request_repaint();
    }
}

/// The arrow keys that were pressed in this frame, in order, each with whether Shift was down. Call it while the list has the focus.
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

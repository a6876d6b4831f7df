//! The file strip: the models of the file list, as thumbnails with names. A click on a tile opens its model.

mod tile;

use std::path::PathBuf;
use std::sync::Arc;

use egui::{Align, Key, Layout, Rect, RichText, ScrollArea, TextStyle, Ui, UiBuilder, vec2};

use crate::session::file::file_list::ListedModel;

use super::actions::Action;
use super::context::Context;
use super::context::request::Request;
use super::context::thumbnails;
use super::style::{icons, text, theme};
use super::widgets::{list, search_field};

/// Height of the strip, in points.
pub const HEIGHT: f32 = 112.0;
/// Width of the title and the search field beside the tiles, in points.
const HEAD_WIDTH: f32 = 200.0;
/// Number of tiles on each side of the visible ones. Their thumbnails are requested as well.
const TILES_BEYOND_VIEW: usize = 4;

/// The state of the strip.
#[derive(Debug, Clone, Default)]
pub struct FileStripState {
    pub search: String,
    found: FoundModels,
    /// Scroll distance from the left end, and width of the visible part, in points.
    scrolled: f32,
    width: f32,
    /// The requested file that the strip scrolled to last.
    revealed: Option<PathBuf>,
}

/// The models that match the search. They are kept between frames, because a folder may contain thousands of models.
#[derive(Debug, Clone, Default)]
struct FoundModels {
    /// Indices of the models in `files`.
    indices: Vec<usize>,
    /// The list and the search text that the indices belong to.
    files: Arc<Vec<ListedModel>>,
    search: String,
}

impl FoundModels {
    /// Searches again if the list or the text has changed.
    fn update(&mut self, files: &Arc<Vec<ListedModel>>, search: &str) {
        let search = search_field::query(search);
        if Arc::ptr_eq(&self.files, files) && self.search == search {
            return;
        }
        let is_found = |(_, model): &(usize, &ListedModel)| search_field::matches(&model.name, &search);
        self.indices = files.iter().enumerate().filter(is_found).map(|(index, _)| index).collect();
        (self.files, self.search) = (files.clone(), search);
    }
}

/// Draws the strip.
pub fn file_strip_ui(ui: &mut Ui, state: &mut FileStripState, context: &mut Context) {
    let all = ui.max_rect();
    ui.painter().hline(all.x_range(), all.top(), ui.visuals().widgets.noninteractive.bg_stroke);
    let (head, tiles) = all.split_left_right_at_x(all.left() + HEAD_WIDTH);
    state.found.update(&context.status.files, &state.search);
    head_ui(&mut child(ui, "head", head.shrink(theme::MARGIN)), state, context);
    tiles_ui(&mut child(ui, "tiles", tiles.with_min_y(tiles.top() + 1.0)), state, context);
}

fn child(ui: &mut Ui, id: &str, place: Rect) -> Ui {
    ui.new_child(UiBuilder::new().id_salt(id).max_rect(place))
}

/// Draws the title, the search field, and the number of models. Enter in the search field opens the first model that was found.
fn head_ui(ui: &mut Ui, state: &mut FileStripState, context: &mut Context) {
    let [all, found] = [context.status.files.len(), state.found.indices.len()];
    let secondary = theme::palette(ui.ctx()).secondary;
    ui.horizontal(|ui| {
        ui.set_min_height(theme::CONTROL_HEIGHT);
        ui.label(text::section(ui, "Files"));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let hide = format!("Hide: {}", Action::FileStrip.label());
            if icons::button(ui, icons::CLOSE, &hide).on_hover_text(format!("Hide ({})", Action::FileStrip.shortcut())).clicked() {
                context.actions.push(Action::FileStrip);
            }
        });
    });
    let search = search_field::search_ui(ui, &mut state.search, "Search files");
    if search_field::is_entered(ui, &search, &state.search) {
        // The text may have changed in this frame.
        state.found.update(&context.status.files, &state.search);
        open(state, context, 0);
    }
    let count = match context.status.list_position {
        _ if !search_field::query(&state.search).is_empty() => format!("{found} of {all} found"),
        Some(position) => position.to_string(),
        None => format!("{all} models"),
    };
    ui.label(RichText::new(count).text_style(TextStyle::Small).color(secondary));
}

/// Opens the model of a tile.
fn open(state: &FileStripState, context: &mut Context, tile: usize) {
    if let Some(model) = state.found.indices.get(tile).and_then(|&index| context.status.files.get(index)) {
        context.requests.push(Request::OpenListed(model.path.clone()));
    }
}

/// Draws the visible tiles, and requests their thumbnails.
fn tiles_ui(ui: &mut Ui, state: &mut FileStripState, context: &mut Context) {
    let count = state.found.indices.len();
    let list = list::begin(ui, "Files");
    context.window.list_focused |= list.focused;
    if list.focused {
        arrows(ui, state, context);
    }
    if count == 0 {
        ui.centered_and_justified(|ui| ui.weak("No results"));
    }
    ui.style_mut().always_scroll_the_only_direction = true;
    let mut area = ScrollArea::horizontal().auto_shrink(false);
    if let Some(offset) = reveal(state, context) {
        area = area.horizontal_scroll_offset(offset);
    }
    let (mut clicked, mut in_sight) = (None, 0..0);
    let output = area.show_viewport(ui, |ui, viewport| {
        let height = ui.available_height();
        let start = ui.max_rect().min;
        ui.allocate_space(vec2(count as f32 * tile::WIDTH, height));
        in_sight = (viewport.left() / tile::WIDTH) as usize..((viewport.right() / tile::WIDTH).ceil() as usize).min(count);
        for number in in_sight.clone() {
            let rect = Rect::from_min_size(start + vec2(number as f32 * tile::WIDTH, 0.0), vec2(tile::WIDTH, height));
            if tile::tile_ui(ui, context, list.id, state.found.indices[number], rect).clicked() {
                clicked = Some(number);
            }
        }
    });
    (state.scrolled, state.width) = (output.state.clamped_offset().x, output.inner_rect.width());
    if let Some(number) = clicked {
        ui.memory_mut(|memory| memory.request_focus(list.id));
        open(state, context, number);
    }
    let beyond = (in_sight.end..(in_sight.end + TILES_BEYOND_VIEW).min(count))
        .chain(in_sight.start.saturating_sub(TILES_BEYOND_VIEW)..in_sight.start);
    let path = |number: usize| context.status.files.get(state.found.indices[number]).map(|model| model.path.clone());
    let wanted = in_sight.chain(beyond).filter_map(path).collect();
    thumbnails::want(context, wanted, tile::picture_pixels(ui));
}

/// Tells the application that no thumbnails are wanted while the strip is hidden.
pub fn hidden(context: &mut Context) {
    thumbnails::want(context, Vec::new(), 0);
}

/// The scroll distance, in points, that shows the requested file. `None` if the strip has already scrolled to this file, or if its tile is
/// visible.
fn reveal(state: &mut FileStripState, context: &Context) -> Option<f32> {
    let requested = context.status.requested_file;
    let path = context.status.files.get(requested).map(|model| &model.path);
    // The width is not known before the first frame.
    if state.revealed.as_ref() == path || state.width == 0.0 {
        return None;
    }
    state.revealed = path.cloned();
    let tile = state.found.indices.binary_search(&requested).ok()?;
    let left = tile as f32 * tile::WIDTH;
    let is_in_sight = (left + tile::WIDTH - state.width..=left).contains(&state.scrolled);
    (!is_in_sight).then(|| (left - (state.width - tile::WIDTH) / 2.0).max(0.0))
}

/// Handles the arrow keys of the focused strip: opens the next or the previous model.
fn arrows(ui: &Ui, state: &FileStripState, context: &mut Context) {
    let at = state.found.indices.partition_point(|&index| index < context.status.requested_file) as isize;
    let is_shown = state.found.indices.get(at as usize) == Some(&context.status.requested_file);
    let steps = list::arrows(ui).into_iter().map(|(key, _)| if matches!(key, Key::ArrowLeft | Key::ArrowUp) { -1 } else { 1 });
    let by: isize = steps.sum();
    // If the search hides the requested file, one step to the right leads to the next file that matches the search.
    let target = at + if is_shown || by < 0 { by } else { by - 1 };
    let last = state.found.indices.len() as isize - 1;
    if by != 0 && last >= 0 {
        open(state, context, target.clamp(0, last) as usize);
    }
}

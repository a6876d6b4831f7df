//! The list of animations, the rest pose and the bind pose, with names and durations. Choosing an animation plays it from its start. Clicks
//! with Ctrl or Shift put several animations into the playlist.

use egui::{Align2, Key, Label, Modifiers, Pos2, Rangef, Rect, Response, RichText, Role, Sense, TextStyle, Ui, WidgetInfo, vec2};

use crate::captions;
use crate::model::Model;
use crate::numbers::counted;
use crate::session::document::Document;
use crate::session::view::View;
use crate::ui::actions::availability;
use crate::ui::actions::keys::COMMAND_NAME;
use crate::ui::commands::playback;
use crate::ui::context::Context;
use crate::ui::context::per_document::{DocumentChange, LastDocument};
use crate::ui::context::request::Request;
use crate::ui::style::{icons, text, theme};
use crate::ui::widgets::list::{self, ListScroll};
use crate::ui::widgets::{menu_item, search_field};

use super::{file_row, layers};

/// Height of the section's title with its margins, in points.
const HEAD_HEIGHT: f32 = 36.0;
/// Maximum number of animations that are listed without a search field.
const MAX_UNSEARCHED: usize = 8;

/// The state of the list.
#[derive(Debug, Clone, Default)]
pub struct AnimationsState {
    pub search: String,
    scroll: ListScroll,
    document: LastDocument,
    /// The animation that the list scrolled to last. The list scrolls again when another animation is shown.
    revealed: Option<usize>,
    /// Whether the list showed only the results of a search in the last frame.
    was_searching: bool,
    /// The animation that was shown when the search began.
    shown_before_search: Option<usize>,
}

/// A row of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum AnimationRow {
    /// The rest pose: no animation.
    Rest,
    /// The bind pose of the skins.
    Bind,
    Animation(usize),
    /// The heading of the animations of another file, by the number of the file.
    File(usize),
}

impl AnimationRow {
    /// The row of the animation or pose that is shown now.
    fn shown(view: &View) -> Self {
        match view.animation {
            _ if view.bind_pose => Self::Bind,
            Some(animation) => Self::Animation(animation),
            None => Self::Rest,
        }
    }

    /// The animation of the row. `None` for poses and headings.
    fn animation(self) -> Option<usize> {
        if let Self::Animation(animation) = self { Some(animation) } else { None }
    }

    /// Shows the pose, or plays the animation.
    fn play(self, context: &mut Context) {
        match self {
            Self::Rest => playback::play_animation(context, None),
            Self::Bind => context.view.bind_pose = true,
            Self::Animation(animation) => playback::play_animation(context, Some(animation)),
            Self::File(_) => {}
        }
    }
}

/// Returns whether the section has no list, because there is no animation and no pose to choose. A sentence then takes the place of a row.
fn is_folded(document: &Document) -> bool {
    document.model.animations.is_empty() && document.model.skins.is_empty()
}

/// Height that the section needs for all its rows, in points.
pub fn height(document: &Document) -> f32 {
    let animations = document.model.animations.len();
    let poses = 1 + usize::from(!document.model.skins.is_empty());
    let search = if animations > MAX_UNSEARCHED { theme::CONTROL_HEIGHT + 4.0 } else { 0.0 };
    let rows = if is_folded(document) { 1 } else { animations + document.model.borrowed.len() + poses };
    HEAD_HEIGHT + search + rows as f32 * theme::ANIMATION_ROW_HEIGHT
}

/// Draws the section: title, search field if needed, and list. Enter in the search field plays the first animation that the search finds.
pub fn animations_ui(ui: &mut Ui, state: &mut AnimationsState, context: &mut Context) {
    let count = context.document.model.animations.len();
    egui::Frame::new().inner_margin(egui::Margin { left: 8, right: 8, top: 4, bottom: 4 }).show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.set_min_height(theme::CONTROL_HEIGHT);
            ui.label(text::section(ui, "Animations"));
            let found = (!search_field::query(&state.search).is_empty()).then(|| found(context.document, &state.search).len());
            ui.label(text::section_count(ui, count, found));
            if !context.view.playlist.is_empty() {
                playlist_ui(ui, context);
            }
        });
        if count > MAX_UNSEARCHED {
            let search = search_field::search_ui(ui, &mut state.search, "Search animations");
            if search_field::is_entered(ui, &search, &state.search)
                && let Some(&first) = found(context.document, &state.search).first()
            {
                AnimationRow::Animation(first).play(context);
            }
        } else {
            state.search.clear();
        }
    });
    if state.document.update(context.document) == DocumentChange::Other {
        state.scroll.restart();
        state.revealed = None;
    }
    if is_folded(context.document) {
        let hint = RichText::new("None. File > Add animations from... adds some.").color(theme::palette(ui.ctx()).secondary);
        ui.horizontal(|ui| {
            ui.add_space(theme::MARGIN);
            ui.add(Label::new(hint).truncate())
                .on_hover_text("File > Add animations from... plays the animations of another file on this model");
        });
    } else {
        list_ui(ui, state, context);
    }
}

/// Shows the number of animations in the playlist, and a button that clears it. In a narrow panel, the text is cut, so that the button
/// does not reach the button that collapses the panel.
fn playlist_ui(ui: &mut Ui, context: &mut Context) {
    let label = format!("Playlist ({})", context.view.playlist.len());
    let room = ui.available_width() - 2.0 * icons::BUTTON_SIDE - ui.spacing().item_spacing.x;
    ui.scope(|ui| {
        ui.set_max_width(room.max(0.0));
        ui.add(Label::new(text::section(ui, &label).color(theme::palette(ui.ctx()).accent)).truncate());
    });
    if icons::button(ui, icons::CLOSE, "Clear playlist").on_hover_text("Clear playlist").clicked() {
        context.view.playlist.clear();
    }
}

/// Draws the rows that match the search, and handles keys and clicks on them.
fn list_ui(ui: &mut Ui, state: &mut AnimationsState, context: &mut Context) {
    let shows_all = search_field::query(&state.search).is_empty();
    let found = found(context.document, &state.search).into_iter().map(AnimationRow::Animation);
    let rest_pose = shows_all.then_some(AnimationRow::Rest);
    let bind_pose = (shows_all && !context.document.model.skins.is_empty()).then_some(AnimationRow::Bind);
    let rows: Vec<AnimationRow> = bind_pose.into_iter().chain(rest_pose).chain(found).collect();
    let rows = with_headings(rows, &context.document.model, shows_all);

    let list = list::begin(ui, "Animations");
    context.window.list_focused |= list.focused;
    if list.focused {
        arrows(ui, context, &rows);
    }
    // Scroll to an animation that was chosen with a key, in another panel or in a search that has ended.
    match (std::mem::replace(&mut state.was_searching, !shows_all), !shows_all) {
        (false, true) => state.shown_before_search = context.view.animation,
        (true, false) if state.shown_before_search != context.view.animation => state.revealed = None,
        _ => {}
    }
    if state.revealed != context.view.animation {
        state.revealed = context.view.animation;
        if let Some(row) = rows.iter().position(|row| *row == AnimationRow::shown(context.view)) {
            if list.focused {
                state.scroll.scroll_into_view(row, Rangef::point(0.0));
            } else {
                state.scroll.reveal(row, Rangef::point(0.0));
            }
        }
    }
    if rows.is_empty() {
        ui.centered_and_justified(|ui| ui.weak("No results"));
        return;
    }
    list::rows_ui(ui, &mut state.scroll, theme::ANIMATION_ROW_HEIGHT, rows.len(), |ui, row, rect| {
        if let AnimationRow::File(file) = rows[row] {
            return file_row::file_ui(ui, context, list.id, file, rect);
        }
        let response = row_ui(ui, context, list.id, rows[row], rect);
        if let Some(animation) = rows[row].animation() {
            response.context_menu(|ui| menu_ui(ui, context, animation));
        }
        if response.clicked() {
            ui.memory_mut(|memory| memory.request_focus(list.id));
            click(context, &rows, row, ui.input(|input| input.modifiers));
        }
    });
}

/// The animations whose names contain the search text. Without a text, all animations.
fn found(document: &Document, search: &str) -> Vec<usize> {
    let (animations, query) = (&document.model.animations, search_field::query(search));
    (0..animations.len()).filter(|&i| query.is_empty() || search_field::matches(&animations[i].label(i), &query)).collect()
}

/// Inserts a heading before the first animation of each file whose animations were added to the model. `with_empty_files` also adds
/// headings for such files without animations.
fn with_headings(rows: Vec<AnimationRow>, model: &Model, with_empty_files: bool) -> Vec<AnimationRow> {
    let mut headed = Vec::with_capacity(rows.len() + model.borrowed.len());
    let mut last_file = None;
    for row in rows {
        let file = row.animation().and_then(|animation| model.file_of_animation(animation));
        if file != last_file {
            headed.extend(file.map(AnimationRow::File));
            last_file = file;
        }
        headed.push(row);
    }
    let empty = (0..model.borrowed.len()).filter(|&file| with_empty_files && model.borrowed[file].animations.is_empty());
    headed.extend(empty.map(AnimationRow::File));
    headed
}

/// Draws the context menu of an animation.
fn menu_ui(ui: &mut Ui, context: &mut Context, animation: usize) {
    let is_in_playlist = context.view.playlist.contains(&animation);
    let gesture = format!("{COMMAND_NAME}+click");
    if menu_item::item(ui, "Add to playlist", &gesture, Some(is_in_playlist)).clicked() {
        playback::toggle_in_playlist(context, animation);
        ui.close();
    }
    let disabled_reason = context.view.animation.is_none_or(|playing| playing == animation).then_some("Another animation must be playing");
    let row = ui.add_enabled_ui(disabled_reason.is_none(), |ui| menu_item::item(ui, "Compare with the playing animation", "", None)).inner;
    if text::reason_beside(row, disabled_reason.unwrap_or_default()).clicked() {
        context.requests.push(Request::CompareAnimation(animation));
        ui.close();
    }
    ui.separator();
    layers::animation_menu_ui(ui, context, animation);
}

/// Handles a click on a row. A click without modifiers chooses only this row. With Ctrl, a click adds the animation to the playlist, or
/// removes it from the playlist. With Shift, a click makes a playlist of the animations from the current row to this one.
fn click(context: &mut Context, rows: &[AnimationRow], row: usize, modifiers: Modifiers) {
    match rows[row] {
        AnimationRow::Animation(animation) if modifiers.command => playback::toggle_in_playlist(context, animation),
        AnimationRow::Animation(_) if modifiers.shift => {
            let current = rows.iter().position(|row| *row == AnimationRow::shown(context.view)).unwrap_or(row);
            let animations: Vec<_> = rows[current.min(row)..=current.max(row)].iter().filter_map(|row| row.animation()).collect();
            match animations[..] {
                [only] => playback::play_animation(context, Some(only)),
                _ => playback::play_list(context, animations),
            }
        }
        chosen => chosen.play(context),
    }
}

/// Handles an arrow key with Shift: extends the playlist by the row below its last animation, or above its first one.
fn extend(context: &mut Context, rows: &[AnimationRow], down: bool) {
    let list = &context.view.playlist;
    let end = if down { list.last() } else { list.first() };
    let end = end.copied().map_or(AnimationRow::shown(context.view), AnimationRow::Animation);
    let Some(end) = rows.iter().position(|row| *row == end) else { return };
    let next = if down { Some(end + 1) } else { end.checked_sub(1) };
    if let Some(animation) = next.and_then(|next| rows.get(next)?.animation()) {
        playback::toggle_in_playlist(context, animation);
    }
}

/// Handles the arrow keys of the focused list.
fn arrows(ui: &Ui, context: &mut Context, rows: &[AnimationRow]) {
    for (key, shift) in list::arrows(ui) {
        if shift && matches!(key, Key::ArrowUp | Key::ArrowDown) {
            extend(context, rows, key == Key::ArrowDown);
            continue;
        }
        let current = rows.iter().position(|row| *row == AnimationRow::shown(context.view));
        let next = match (key, current) {
            (Key::ArrowUp, Some(current)) => current.checked_sub(1),
            (Key::ArrowDown, Some(current)) => Some(current + 1),
            (Key::ArrowUp | Key::ArrowDown, None) => Some(0),
            // The rows of this list cannot be opened or closed, so left and right step through time, as they do outside the list.
            _ => {
                if availability::no_duration(context).is_none() {
                    let frames = if shift { 10 } else { 1 };
                    playback::step(context, if key == Key::ArrowLeft { -frames } else { frames });
                }
                continue;
            }
        };
        // The arrows skip headings.
        let is_heading = |row: &usize| matches!(rows.get(*row), Some(AnimationRow::File(_)));
        let next = match key {
            Key::ArrowUp => next.map(|next| (0..=next).rev().find(|row| !is_heading(row)).unwrap_or(next)),
            _ => next.map(|next| (next..rows.len()).find(|row| !is_heading(row)).unwrap_or(next)),
        };
        if let Some(row) = next.and_then(|next| rows.get(next)) {
            row.play(context);
        }
    }
}

/// Draws a row: its mark, its name, and its duration at the right.
fn row_ui(ui: &mut Ui, context: &Context, list: egui::Id, row: AnimationRow, rect: Rect) -> Response {
    let palette = theme::palette(ui.ctx());
    let response = ui.interact(rect, list.with(("row", row)), Sense::CLICK);
    let chosen = AnimationRow::shown(context.view) == row;
    let playlist_position = context.view.playlist.iter().position(|&other| Some(other) == row.animation());
    let found = row.animation().and_then(|i| Some((i, context.document.model.animations.get(i)?)));
    let [name, pose, tooltip] = match row {
        AnimationRow::Bind => ["Bind pose", "inverse bind matrices", "Bind pose: the joint transforms from the inverse bind matrices"],
        _ => ["No animation", "rest pose", "Rest pose: the node transforms in the file, without animation"],
    };
    let name = found.map_or(name.to_owned(), |(i, animation)| animation.label(i));
    response.widget_info(|| WidgetInfo::selected(Role::ListBoxOption, true, chosen || playlist_position.is_some(), &name));
    if chosen || playlist_position.is_some() {
        ui.painter().rect_filled(rect, 0.0, palette.selection);
    } else if response.hovered() {
        ui.painter().rect_filled(rect, 0.0, palette.hover);
    }
    if chosen {
        // A mark is drawn too, so that color is not the only indication.
        ui.painter().rect_filled(rect.with_max_x(rect.left() + 2.0), 0.0, palette.accent);
    }
    let right = rect.right_center() - vec2(12.0, 0.0);
    let duration = found.map(|(_, animation)| format!("{:.3} s", animation.duration));
    let duration = ui.painter().text(
        right,
        Align2::RIGHT_CENTER,
        duration.as_deref().unwrap_or(pose),
        if found.is_some() { theme::number_font() } else { TextStyle::Small.resolve(ui.style()) },
        palette.secondary,
    );
    let left = rect.left_center() + vec2(12.0, 0.0);
    let left = if context.view.playlist.is_empty() { left } else { playlist_mark_ui(ui, left, playlist_position, chosen) };
    let font = TextStyle::Body.resolve(ui.style());
    let room = duration.left() - left.x - 8.0;
    let short = found.map_or(name.clone(), |(i, _)| context.document.names.fit_animation(i, &captions::text::fits(ui.ctx(), &font, room)));
    ui.painter().text(left, Align2::LEFT_CENTER, short, font, palette.text);
    let tooltip = match found {
        Some((i, animation)) => {
            format!("{name}\nAnimation {i}, {}, {:.3} s", counted(animation.channels.len(), "channel"), animation.duration)
        }
        None => tooltip.to_owned(),
    };
    text::tooltip_beside(response, &tooltip)
}

/// Draws the position in the playlist, or the playing mark. Returns the x coordinate where the name begins.
fn playlist_mark_ui(ui: &Ui, left: Pos2, position: Option<usize>, chosen: bool) -> Pos2 {
    let palette = theme::palette(ui.ctx());
    let place = Rect::from_center_size(left + vec2(4.0, 0.0), vec2(16.0, 16.0));
    match position {
        Some(_) if chosen => icons::paint(ui, place, icons::PLAY, 12.0, palette.accent),
        Some(position) => {
            let number = (position + 1).to_string();
            ui.painter().text(place.center(), Align2::CENTER_CENTER, number, theme::number_font(), palette.accent);
        }
        None => {}
    }
    left + vec2(18.0, 0.0)
}

//! The sections of the inspector and their rows: a label at the left, a value at the right.

use std::fmt::Debug;
use std::hash::Hash;

use egui::text::LayoutJob;
use egui::{
    Align, Align2, CollapsingHeader, Color32, FontSelection, Layout, Rect, Response, RichText, Role, Sense, TextStyle, Ui, WidgetInfo,
    pos2, vec2,
};

use crate::numbers;
use crate::ui::style::{icons, text, theme};

/// Minimum width of the label, in points.
const MIN_LABEL_WIDTH: f32 = 96.0;
/// Minimum width of the label before columns of numbers, in points.
const MIN_COLUMNS_LABEL_WIDTH: f32 = 80.0;
/// Maximum distance between columns, in points.
const MAX_COLUMN_SPACING: f32 = 62.0;
/// Minimum gap between two numbers, in points.
const MIN_GAP: f32 = 4.0;
/// Minimum gap between two numbers if the numbers take up the whole row, in points.
const MIN_WIDE_GAP: f32 = 10.0;

/// Draws a section that the user can close. `count` is drawn beside its name.
pub fn section_ui(ui: &mut Ui, name: &str, count: Option<usize>, content: impl FnOnce(&mut Ui)) {
    foldable_ui(ui, header(ui, name, count).default_open(true), content);
}

/// Draws a section that is closed at first, for content that is rarely needed.
pub fn closed_section_ui(ui: &mut Ui, name: &str, count: Option<usize>, content: impl FnOnce(&mut Ui)) {
    foldable_ui(ui, header(ui, name, count), content);
}

/// Like [`section_ui`]. If `reveal` is set, the section is opened, and the inspector scrolls to it.
pub fn revealed_section_ui(ui: &mut Ui, name: &str, count: Option<usize>, reveal: bool, content: impl FnOnce(&mut Ui)) {
    let header = header(ui, name, count).default_open(true).open(reveal.then_some(true));
    let response = foldable_ui(ui, header, content);
    if reveal {
        response.scroll_to_me(Some(Align::TOP));
    }
}

/// The header of a section. Its id leaves out the count, so that the section stays open or closed when the count changes.
fn header(ui: &Ui, name: &str, count: Option<usize>) -> CollapsingHeader {
    let mut title = LayoutJob::default();
    let mut append = |part: RichText| part.append_to(&mut title, ui.style(), FontSelection::Default, Align::Center);
    append(text::section(ui, name));
    if let Some(count) = count {
        append(" ".into());
        append(text::section_count(ui, count, None));
    }
    CollapsingHeader::new(title).id_salt(name)
}

/// Draws a section with a header that opens and closes it. Returns the response of the header.
fn foldable_ui(ui: &mut Ui, header: CollapsingHeader, content: impl FnOnce(&mut Ui)) -> Response {
    ui.spacing_mut().indent = 20.0;
    // A line across the whole panel separates the section from the one above.
    let line = ui.visuals().widgets.noninteractive.bg_stroke;
    ui.painter().hline(ui.max_rect().expand(theme::MARGIN).x_range(), ui.cursor().top(), line);
    ui.add_space(2.0);
    let header = header.icon(|ui, openness, response| {
        let icon = if openness > 0.5 { icons::CHEVRON_DOWN } else { icons::CHEVRON_RIGHT };
        let palette = theme::palette(ui.ctx());
        let center = pos2(response.rect.left() + 2.0, response.rect.center().y);
        let color = if response.hovered() { palette.text } else { palette.secondary };
        ui.painter().text(center, Align2::CENTER_CENTER, icon, icons::font(14.0), color);
    });
    let shown = header.show_unindented(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        content(ui);
        ui.add_space(theme::SECTION_GAP - 8.0);
    });
    shown.header_response
}

/// Draws a note in place of rows.
pub fn note_ui(ui: &mut Ui, text: &str) {
    ui.add(egui::Label::new(egui::RichText::new(text).color(theme::palette(ui.ctx()).secondary)).wrap());
    ui.add_space(4.0);
}

/// Draws a label and calls `value` to draw beside it.
pub fn row_ui<R>(ui: &mut Ui, label: &str, value: impl FnOnce(&mut Ui) -> R) -> R {
    tall_row_ui(ui, label, theme::INSPECTOR_ROW_HEIGHT, value)
}

/// Like [`row_ui`], but also returns the response of the row itself.
pub fn clickable_row_ui<R>(ui: &mut Ui, label: &str, value: impl FnOnce(&mut Ui) -> R) -> (Response, R) {
    let rect = Rect::from_min_size(ui.cursor().min, vec2(ui.available_width(), theme::INSPECTOR_ROW_HEIGHT));
    let response = ui.interact(rect, ui.scope_id().with(("row", label)), Sense::CLICK);
    (response, row_ui(ui, label, value))
}

/// Like [`row_ui`], but higher, so that there are gaps between bordered controls.
pub fn control_ui<R>(ui: &mut Ui, label: &str, value: impl FnOnce(&mut Ui) -> R) -> R {
    tall_row_ui(ui, label, theme::CONTROL_HEIGHT + 4.0, value)
}

/// Draws a row of this height, in points.
fn tall_row_ui<R>(ui: &mut Ui, label: &str, height: f32, value: impl FnOnce(&mut Ui) -> R) -> R {
    let (row, right) = begin(ui, label, height);
    let mut child = ui.new_child(egui::UiBuilder::new().id_salt(label).max_rect(right).layout(Layout::left_to_right(Align::Center)));
    child.set_clip_rect(row.rect.intersect(ui.clip_rect()));
    value(&mut child)
}

/// Draws a text. If it does not fit, it is shortened in the middle, and the tooltip shows the whole text.
pub fn text_ui(ui: &mut Ui, label: &str, value: &str) -> Response {
    colored_text_ui(ui, label, value, theme::palette(ui.ctx()).text)
}

/// Draws a second line of the row above.
pub fn second_line_ui(ui: &mut Ui, value: &str) -> Response {
    colored_text_ui(ui, "", value, theme::palette(ui.ctx()).secondary)
}

/// Draws a text in this color.
fn colored_text_ui(ui: &mut Ui, label: &str, value: &str, color: Color32) -> Response {
    let (row, right) = begin(ui, label, theme::INSPECTOR_ROW_HEIGHT);
    let font = TextStyle::Body.resolve(ui.style());
    let short = text::elide_middle(ui, value, &font, right.width());
    ui.painter().text(right.left_center(), Align2::LEFT_CENTER, &short, font, color);
    let row = named(row, label, value);
    if short == value { row } else { row.on_hover_text(value) }
}

/// Draws a single number at the right edge. The label takes the remaining width.
pub fn count_ui(ui: &mut Ui, label: &str, value: &str) -> Response {
    let (row, _) = begin(ui, "", theme::INSPECTOR_ROW_HEIGHT);
    let palette = theme::palette(ui.ctx());
    let value_rect = ui.painter().text(row.rect.right_center(), Align2::RIGHT_CENTER, value, theme::number_font(), palette.text);
    let font = TextStyle::Body.resolve(ui.style());
    let short = text::elide_middle(ui, label, &font, value_rect.left() - row.rect.left() - 8.0);
    ui.painter().text(row.rect.left_center(), Align2::LEFT_CENTER, &short, font, palette.secondary);
    let row = named(row, label, value);
    if short == label { row } else { row.on_hover_text(label) }
}

/// Draws right-aligned numbers in columns, with as many digits as fit. The tooltip has all digits.
pub fn numbers_ui(ui: &mut Ui, label: &str, values: &[f64], decimals: usize) -> Response {
    let (row, _) = begin(ui, label, theme::INSPECTOR_ROW_HEIGHT);
    columns_ui(ui, row.rect, values, decimals, [column_spacing(row.rect), MIN_GAP]);
    numbers_response(row, label, values, decimals)
}

/// Draws four numbers in a separate row below the label and the column letters.
pub fn four_numbers_ui(ui: &mut Ui, label: &str, values: &[f64; 4], decimals: usize) -> Response {
    let (head, _) = begin(ui, label, theme::INSPECTOR_ROW_HEIGHT);
    paint_letters(ui, head.rect, &['X', 'Y', 'Z', 'W']);
    let (rect, row) = ui.allocate_exact_size(vec2(ui.available_width(), theme::INSPECTOR_ROW_HEIGHT), Sense::hover());
    columns_ui(ui, rect, values, decimals, [column_spacing(rect), MIN_GAP]);
    numbers_response(row.union(head), label, values, decimals)
}

/// Draws numbers across the whole row. `name` is for screen readers.
pub fn wide_numbers_ui(ui: &mut Ui, name: &str, values: &[f64], decimals: usize) -> Response {
    let (rect, row) = ui.allocate_exact_size(vec2(ui.available_width(), theme::INSPECTOR_ROW_HEIGHT), Sense::hover());
    columns_ui(ui, rect, values, decimals, [rect.width() / values.len() as f32, MIN_WIDE_GAP]);
    numbers_response(row, name, values, decimals)
}

/// Draws the columns with this spacing and minimum gap, in points.
fn columns_ui(ui: &Ui, row: Rect, values: &[f64], decimals: usize, [spacing, gap]: [f32; 2]) {
    let color = theme::palette(ui.ctx()).text;
    let font = theme::number_font();
    let [digit, point] = ui.ctx().fonts_mut(|fonts| ['0', '.'].map(|char| fonts.glyph_width(&font, char)));
    // The decimal point is narrower than a digit.
    let max_characters = ((spacing - gap + digit - point) / digit) as usize;
    for (i, value) in values.iter().enumerate() {
        let right = pos2(row.right() - spacing * (values.len() - 1 - i) as f32, row.center().y);
        ui.painter().text(right, Align2::RIGHT_CENTER, numbers::fitted(*value, decimals, max_characters), font.clone(), color);
    }
}

/// Adds a name for screen readers, and a tooltip with all digits.
fn numbers_response(row: Response, label: &str, values: &[f64], decimals: usize) -> Response {
    let short: Vec<_> = values.iter().map(|value| numbers::fitted(*value, decimals, usize::MAX)).collect();
    let whole: Vec<_> = values.iter().map(ToString::to_string).collect();
    named(row, label, &short.join(", ")).on_hover_text(whole.join("\n"))
}

/// Draws the title of a group of rows, and the letters of its columns.
pub fn heads_ui(ui: &mut Ui, label: &str, letters: &[char]) {
    let (row, _) = begin(ui, "", theme::INSPECTOR_ROW_HEIGHT);
    paint_sub_head(ui, row.rect, label, theme::palette(ui.ctx()).secondary);
    paint_letters(ui, row.rect, letters);
}

/// Paints the title of a group at the left of a row.
pub fn paint_sub_head(ui: &Ui, row: Rect, label: &str, color: Color32) {
    ui.painter().text(row.left_center(), Align2::LEFT_CENTER, label, theme::sub_head_font(), color);
}

/// Paints the letters over their columns, in the colors of the axes.
pub fn paint_letters(ui: &Ui, row: Rect, letters: &[char]) {
    for ((i, letter), color) in letters.iter().enumerate().zip(theme::palette(ui.ctx()).axes) {
        let right = pos2(column(row, i, letters.len()), row.center().y);
        ui.painter().text(right, Align2::RIGHT_CENTER, letter, theme::number_font(), color);
    }
}

/// Draws a text as a link. `accessible_name` tells screen readers what a click does.
pub fn named_link_ui(ui: &mut Ui, name: &str, accessible_name: &str, color: Color32) -> Response {
    let font = TextStyle::Body.resolve(ui.style());
    let short = text::elide_middle(ui, name, &font, ui.available_width());
    let galley = ui.painter().layout_no_wrap(short, font, color);
    let (rect, response) = ui.allocate_exact_size(vec2(galley.size().x, theme::CONTROL_HEIGHT), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Link, true, accessible_name));
    let corner = pos2(rect.left(), rect.center().y - galley.size().y / 2.0);
    if response.hovered() {
        let line = corner.y + galley.size().y - 1.0;
        ui.painter().hline(rect.x_range(), line, egui::Stroke::new(1.0, color));
    }
    ui.painter().galley(corner, galley, color);
    response.on_hover_cursor(egui::CursorIcon::PointingHand)
}

/// Draws a row that unfolds the remaining `count` rows of a list, or nothing if no rows remain. Returns whether the rows are unfolded; egui
/// remembers this under `id`. `noun` names the rows for screen readers.
pub fn more_ui(ui: &mut Ui, id: impl Hash + Debug, count: usize, noun: &str) -> bool {
    if count == 0 {
        return false;
    }
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), theme::INSPECTOR_ROW_HEIGHT), Sense::hover());
    let rect = rect.with_min_x(rect.left() + MIN_LABEL_WIDTH);
    let id = ui.scope_id().with(id);
    let response = ui.interact(rect, id, Sense::click());
    let mut open = ui.data(|data| data.get_temp(id).unwrap_or(false));
    if response.clicked() {
        open = !open;
        ui.data_mut(|data| data.insert_temp(id, open));
    }
    let count = numbers::grouped(count);
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, open, format!("{count} more {noun}")));
    let palette = theme::palette(ui.ctx());
    let (icon, label) =
        if open { (icons::CHEVRON_DOWN, "Show fewer".to_owned()) } else { (icons::CHEVRON_RIGHT, format!("and {count} more")) };
    let color = if response.hovered() || response.has_focus() { palette.text } else { palette.secondary };
    icons::paint(ui, rect.with_max_x(rect.left() + 12.0), icon, 14.0, color);
    let font = TextStyle::Body.resolve(ui.style());
    ui.painter().text(rect.left_center() + vec2(16.0, 0.0), Align2::LEFT_CENTER, label, font, color);
    response.on_hover_cursor(egui::CursorIcon::PointingHand);
    open
}

/// Reserves the row. Returns its response and the rectangle right of the label. A long label takes up to half of the row.
fn begin(ui: &mut Ui, label: &str, height: f32) -> (Response, Rect) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    let font = TextStyle::Body.resolve(ui.style());
    let short = text::elide_middle(ui, label, &font, (rect.width() / 2.0).max(MIN_LABEL_WIDTH) - 8.0);
    let shown = ui.painter().text(rect.left_center(), Align2::LEFT_CENTER, short, font, theme::palette(ui.ctx()).secondary);
    (response, rect.with_min_x((rect.left() + MIN_LABEL_WIDTH).max(shown.right() + 8.0)))
}

/// The right edge of a column. Columns are placed from the right edge of the row, so three columns line up with the last three of four.
fn column(row: Rect, number: usize, count: usize) -> f32 {
    row.right() - column_spacing(row) * (count - 1 - number) as f32
}

/// The distance between columns, in points. Three columns leave space for a label.
fn column_spacing(row: Rect) -> f32 {
    ((row.width() - MIN_COLUMNS_LABEL_WIDTH) / 3.0).min(MAX_COLUMN_SPACING)
}

/// Gives the row its text for screen readers.
fn named(row: Response, label: &str, value: &str) -> Response {
    row.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{label}: {value}")));
    row
}

//! A card that describes the trail dot or vertex under the pointer: a title, and rows with a color, a text and a number.

use egui::{Align2, Color32, Painter, Pos2, Rect, Role, Sense, Stroke, StrokeKind, TextStyle, Ui, Vec2, WidgetInfo, pos2, vec2};

use crate::captions::legends::frame;
use crate::ui::style::text;
use crate::ui::style::theme::{self, Palette};

/// Maximum width of a name, in points. Longer names are shortened.
const MAX_NAME_WIDTH: f32 = 180.0;
/// Space around the content, in points.
const PAD: f32 = 8.0;

/// The content of a card.
pub struct HoverCard {
    /// Id of the widget.
    pub id: &'static str,
    /// The first line.
    pub title: String,
    /// Name for screen readers.
    pub accessible_name: String,
    pub rows: Vec<CardRow>,
}

/// A row of the card: a color, a name, and a value at the right.
pub struct CardRow {
    pub color: Color32,
    pub name: String,
    pub value: String,
}

/// Paints the frame of hover cards, legends, chips and hints: filled, with a thin outline.
pub fn paint_frame(painter: &Painter, palette: &Palette, rect: Rect, fill: Color32) {
    frame::paint_frame(painter, rect, fill, palette.divider);
}

/// The position of a card.
#[derive(Debug, Clone, Copy)]
pub struct CardPosition {
    /// The point that the card describes. The card is beside it.
    pub anchor: Pos2,
    /// The rectangle that the card stays in.
    pub inside: Rect,
}

/// Draws the card.
pub fn hover_card_ui(ui: &mut Ui, card: &HoverCard, position: CardPosition) {
    let inside = position.inside;
    let palette = theme::palette(ui.ctx());
    let (body, small) = (TextStyle::Body.resolve(ui.style()), TextStyle::Small.resolve(ui.style()));
    let painter = ui.painter_at(inside);
    let head = text::elide_middle(ui, &card.title, &small, MAX_NAME_WIDTH + 60.0);
    let head = painter.layout_no_wrap(head, small, palette.secondary);
    let rows = card.rows.iter().map(|row| {
        let name = text::elide_middle(ui, &row.name, &body, MAX_NAME_WIDTH);
        let value = painter.layout_no_wrap(row.value.clone(), theme::number_font(), palette.text);
        (row.color, painter.layout_no_wrap(name, body.clone(), palette.text), value)
    });
    let rows: Vec<_> = rows.collect();
    // The card is as large as its content, which is laid out first.
    let row_height = ui.text_style_height(&TextStyle::Body) + 2.0;
    let widest = rows.iter().map(|(_, name, value)| name.size().x + value.size().x).fold(0.0, f32::max);
    let size = vec2((widest + 32.0).max(head.size().x), head.size().y + 2.0 + row_height * rows.len() as f32);
    let rect = beside(position, size + vec2(2.0 * PAD, PAD));
    let response = ui.interact(rect, ui.make_persistent_id(card.id), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &card.accessible_name));
    paint_frame(&painter, palette, rect, palette.panel.gamma_multiply(0.94));
    let mut corner = rect.min + vec2(PAD, PAD / 2.0);
    let head_height = head.size().y + 2.0;
    painter.galley(corner, head, palette.secondary);
    corner.y += head_height;
    for (color, name, value) in rows {
        let middle = corner.y + row_height / 2.0;
        let swatch = Rect::from_center_size(pos2(corner.x + 5.0, middle), vec2(10.0, 10.0));
        // The outline keeps the hottest color visible on a light card.
        painter.rect(swatch, 2.0, color, Stroke::new(1.0, palette.outline), StrokeKind::Inside);
        painter.galley(Align2::LEFT_CENTER.anchor_size(pos2(corner.x + 16.0, middle), name.size()).min, name, palette.text);
        painter.galley(Align2::RIGHT_CENTER.anchor_size(pos2(rect.right() - PAD, middle), value.size()).min, value, palette.text);
        corner.y += row_height;
    }
}

/// The card's rectangle: below and right of the anchor, or on the other side if it does not fit there.
fn beside(position: CardPosition, size: Vec2) -> Rect {
    let CardPosition { anchor, inside } = position;
    let gap = vec2(16.0, 14.0);
    let x = if anchor.x + gap.x + size.x < inside.right() { anchor.x + gap.x } else { anchor.x - gap.x - size.x };
    let y = if anchor.y + gap.y + size.y < inside.bottom() { anchor.y + gap.y } else { anchor.y - gap.y - size.y };
    Rect::from_min_size(pos2(x.max(inside.left()), y.max(inside.top())), size)
}

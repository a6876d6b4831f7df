//! The chips in the viewport's lower left corner: states that change the picture but cannot be seen in it, such as a camera that follows
//! a node, or a model kept in place. A click on a chip ends its state.

use egui::{Align2, CursorIcon, Rect, Role, Sense, TextStyle, Ui, WidgetInfo, pos2, vec2};

use crate::captions::legends::frame::{GAP, PAD};
use crate::session::view::ViewCamera;
use crate::ui::actions::Action;
use crate::ui::commands::locomotion;
use crate::ui::context::Context;
use crate::ui::style::{icons, text, theme};
use crate::ui::widgets::hover_card;

/// Maximum width of a chip's text, in points. Longer texts are shortened.
const MAX_TEXT_WIDTH: f32 = 240.0;
/// Width and height of the cross at the right end of a chip, in points.
const CROSS_SIZE: f32 = 12.0;

/// A chip.
struct Chip {
    text: String,
    /// The effect of a click, for screen readers.
    click_effect: &'static str,
    tooltip: String,
}

/// Draws the chips. `legends` are the rectangles of the legends in the lower corners.
pub fn chips_ui(ui: &mut Ui, context: &mut Context, viewport: Rect, legends: [Option<Rect>; 2]) {
    // The chips are placed above the legends that reach into their column.
    let right = viewport.left() + MAX_TEXT_WIDTH + CROSS_SIZE + 4.0 * PAD;
    let below = legends.into_iter().flatten().filter(|legend| legend.left() < right).map(|legend| legend.top());
    let mut bottom = below.fold(viewport.bottom(), f32::min) - PAD;
    if let Some(name) = followed(context) {
        let tooltip = format!("The camera follows {name}.\nClick to stop ({})", Action::Follow.shortcut());
        if chip_ui(ui, viewport, &mut bottom, &Chip { text: format!("Following {name}"), click_effect: "Stop following", tooltip }) {
            locomotion::set_followed(context, None);
        }
    }
    if context.view.in_place {
        let tooltip = format!("Root motion is removed.\nClick to restore it ({})", Action::InPlace.shortcut());
        if chip_ui(ui, viewport, &mut bottom, &Chip { text: "In place".to_owned(), click_effect: "Restore root motion", tooltip }) {
            context.view.in_place = false;
        }
    }
}

/// The followed node's name. `None` if no node is followed; a camera of the file never follows a node.
fn followed(context: &Context) -> Option<String> {
    let source = context.view.follow.filter(|_| !matches!(context.view.camera, ViewCamera::File(_)))?;
    let node = context.document.model.node_from_source(source)?;
    Some(context.node_name(node).to_owned())
}

/// Draws a chip above `bottom` and moves `bottom` up. Returns whether the chip was clicked.
fn chip_ui(ui: &mut Ui, viewport: Rect, bottom: &mut f32, chip: &Chip) -> bool {
    let Chip { text, click_effect, tooltip } = chip;
    let palette = theme::palette(ui.ctx());
    let font = TextStyle::Small.resolve(ui.style());
    let short = text::elide_middle(ui, text, &font, MAX_TEXT_WIDTH.min(viewport.width() - 6.0 * PAD));
    let galley = ui.painter().layout_no_wrap(short, font, palette.text);
    let size = vec2(galley.size().x + CROSS_SIZE + 2.5 * PAD, theme::CONTROL_HEIGHT);
    let chip_rect = Align2::LEFT_BOTTOM.anchor_size(pos2(viewport.left() + PAD, *bottom), size);
    *bottom = chip_rect.top() - GAP;
    let response = ui.interact(chip_rect, ui.make_persistent_id(("state", click_effect)), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("{text}: {click_effect}")));
    let is_highlighted = response.hovered() || response.has_focus();
    let (fill, cross) = if is_highlighted { (palette.hover, palette.text) } else { (palette.panel.gamma_multiply(0.9), palette.secondary) };
    let painter = ui.painter_at(viewport);
    hover_card::paint_frame(&painter, palette, chip_rect, fill);
    painter.galley(pos2(chip_rect.left() + PAD, chip_rect.center().y - galley.size().y / 2.0), galley, palette.text);
    let cross_center = pos2(chip_rect.right() - PAD - CROSS_SIZE / 2.0, chip_rect.center().y);
    painter.text(cross_center, Align2::CENTER_CENTER, icons::CLOSE, icons::font(CROSS_SIZE), cross);
    text::tooltip_beside(response.on_hover_cursor(CursorIcon::PointingHand), tooltip).clicked()
}

//! The chips in the viewport's lower left corner: states that change the picture but cannot be seen in it, such as a camera that follows
//! a node, or a model kept in place. A click on a chip ends its state.

use egui::{Align2, CursorIcon, Rect, Role, Sense, TextStyle, Ui, WidgetInfo, pos2, vec2};

use crate::session::view::ViewCamera;
use crate::ui::actions::action::Action;
use crate::ui::commands::locomotion;
use crate::ui::context::Context;
use crate::ui::style::{icons, text, theme};
use crate::ui::widgets::hover_card;

use super::legends::plate::{GAP, PAD};

// Maximum width of the text, and the size of the cross, in points.
const WIDEST: f32 = 240.0;
const CROSS: f32 = 12.0;

/// A chip: its text, its tooltip, and what a click does.
struct Told {
    words: String,
    click: &'static str,
    about: String,
}

/// Draws the chips. `legends` are the rectangles of the legends in the lower corners.
pub fn plates_ui(ui: &mut Ui, context: &mut Context, viewport: Rect, legends: [Option<Rect>; 2]) {
    // Chips stand above the legends that reach into their column.
    let right = viewport.left() + WIDEST + CROSS + 4.0 * PAD;
    let below = legends.into_iter().flatten().filter(|legend| legend.left() < right).map(|legend| legend.top());
    let mut bottom = below.fold(viewport.bottom(), f32::min) - PAD;
    if let Some(name) = followed(context) {
        let about = format!("The camera goes along with {name}.\nA click stops it ({})", Action::Follow.shortcut());
        if plate_ui(ui, viewport, &mut bottom, &Told { words: format!("Follows {name}"), click: "Stop following", about }) {
            locomotion::follow(context, None);
        }
    }
    if context.view.in_place {
        let about = format!("The model's way along the ground is taken back.\nA click lets it travel ({})", Action::InPlace.shortcut());
        if plate_ui(ui, viewport, &mut bottom, &Told { words: "In place".to_owned(), click: "Let it travel", about }) {
            context.view.in_place = false;
        }
    }
}

/// The followed node's name. A camera of the file follows nothing.
fn followed(context: &Context) -> Option<String> {
    let source = context.view.follow.filter(|_| !matches!(context.view.camera, ViewCamera::File(_)))?;
    let node = context.document.model.node_from_source(source)?;
    Some(context.node_name(node).to_owned())
}

/// Draws a chip above `bottom` and moves `bottom` up. Returns whether the chip was clicked.
fn plate_ui(ui: &mut Ui, viewport: Rect, bottom: &mut f32, told: &Told) -> bool {
    let Told { words, click, about } = told;
    let palette = theme::palette(ui.ctx());
    let font = TextStyle::Small.resolve(ui.style());
    let short = text::elide_middle(ui, words, &font, WIDEST.min(viewport.width() - 6.0 * PAD));
    let galley = ui.painter().layout_no_wrap(short, font, palette.text);
    let size = vec2(galley.size().x + CROSS + 2.5 * PAD, theme::CONTROL);
    let plate = Align2::LEFT_BOTTOM.anchor_size(pos2(viewport.left() + PAD, *bottom), size);
    *bottom = plate.top() - GAP;
    let response = ui.interact(plate, ui.make_persistent_id(("state", click)), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("{words}: {click}")));
    let hot = response.hovered() || response.has_focus();
    let (fill, cross) = if hot { (palette.hover, palette.text) } else { (palette.panel.gamma_multiply(0.9), palette.secondary) };
    let painter = ui.painter_at(viewport);
    hover_card::paint_plate(&painter, palette, plate, fill);
    painter.galley(pos2(plate.left() + PAD, plate.center().y - galley.size().y / 2.0), galley, palette.text);
    let at = pos2(plate.right() - PAD - CROSS / 2.0, plate.center().y);
    painter.text(at, Align2::CENTER_CENTER, icons::CLOSE, icons::font(CROSS), cross);
    text::tooltip_beside(response.on_hover_cursor(CursorIcon::PointingHand), about).clicked()
}

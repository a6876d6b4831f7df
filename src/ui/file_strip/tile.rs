//! A tile of the file strip: the thumbnail of a model, or a mark if the model cannot be shown, and its name.

use egui::{Align2, Color32, Id, Label, Rect, Response, Role, Sense, Stroke, StrokeKind, TextStyle, Ui, WidgetInfo, pos2, vec2};

use crate::model::label;
use crate::ui::context::Context;
use crate::ui::context::image_previews::{EguiTexture, Preview};
use crate::ui::style::{icons, text, theme};

/// Distance from one tile to the next, in points.
pub const WIDTH: f32 = 96.0;
/// Side of the thumbnail, in points.
const PICTURE: f32 = 76.0;
/// Gap above the thumbnail, and between the thumbnail and the name, in points.
const GAP: f32 = 4.0;
/// Minimum and maximum side of a thumbnail, in pixels.
const PIXELS: [f32; 2] = [32.0, 256.0];

/// Side of the thumbnails at the scale of the window, in pixels.
pub fn picture_pixels(ui: &Ui) -> u32 {
    (PICTURE * ui.pixels_per_point()).round().clamp(PIXELS[0], PIXELS[1]) as u32
}

/// Draws the tile of the model with this index. The tile of the open model is filled. The tile of a requested model that is not open yet
/// has an outline.
pub fn tile_ui(ui: &Ui, context: &Context, list: Id, index: usize, rect: Rect) -> Response {
    let palette = theme::palette(ui.ctx());
    let response = ui.interact(rect, list.with(("tile", index)), Sense::CLICK);
    let Some(model) = context.status.files.get(index) else { return response };
    let preview = context.status.thumbnails.get(&model.path);
    let is_open = context.document.path.as_ref() == Some(&model.path);
    let about = about(&model.path.display().to_string(), &preview);
    let name = if matches!(preview, Preview::Failed(_)) { format!("{}: cannot be shown", model.name) } else { model.name.clone() };
    response.widget_info(|| WidgetInfo::selected(Role::ListBoxOption, true, is_open, &name));
    let frame = rect.shrink2(vec2(2.0, 2.0));
    if is_open {
        ui.painter().rect_filled(frame, theme::RADIUS, palette.selection);
        // A mark is drawn too, so that color is not the only indication.
        ui.painter().rect_filled(frame.with_min_y(frame.bottom() - 2.0), 0.0, palette.accent);
    } else if response.hovered() {
        ui.painter().rect_filled(frame, theme::RADIUS, palette.hover);
    }
    if !is_open && context.status.requested_file == index {
        ui.painter().rect_stroke(frame, theme::RADIUS, Stroke::new(1.0, palette.accent), StrokeKind::Inside);
    }
    let picture = Rect::from_min_size(pos2(rect.center().x - PICTURE / 2.0, frame.top() + GAP), vec2(PICTURE, PICTURE));
    picture_ui(ui, picture, &preview);
    let font = TextStyle::Small.resolve(ui.style());
    let short = text::elide_middle(ui, &model.name, &font, frame.width() - 2.0 * GAP);
    ui.painter().text(pos2(rect.center().x, picture.bottom() + GAP), Align2::CENTER_TOP, short, font, palette.text);
    text::tooltip_above(&response, Label::new(about));
    response
}

/// The tooltip: where the file is, and why it cannot be shown.
fn about<T>(path: &str, preview: &Preview<T>) -> String {
    let path = label::clean(path);
    match preview {
        Preview::Failed(message) => format!("{path}\n{}", label::capitalized(&label::clean(message))),
        Preview::Decoding | Preview::Ready(_) => path.into_owned(),
    }
}

/// Draws the thumbnail on the background of the viewport.
fn picture_ui(ui: &Ui, rect: Rect, preview: &Preview<EguiTexture>) {
    let palette = theme::palette(ui.ctx());
    ui.painter().rect_filled(rect, theme::RADIUS, palette.viewport);
    match preview {
        Preview::Ready(texture) => {
            ui.painter().image(texture.sized().0, rect, Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0)), Color32::WHITE);
        }
        Preview::Decoding => {}
        Preview::Failed(_) => icons::paint(ui, rect, icons::ERROR, 24.0, palette.error),
    }
}

//! The textures of a material as rows: a thumbnail, the image, and how it is mapped. A click on a row enlarges the texture in a dialog.

use egui::{Align2, FontId, Rect, Role, Sense, Stroke, StrokeKind, TextStyle, Ui, Vec2, WidgetInfo, pos2, vec2};

use crate::model::material::Material;
use crate::model::texture::{Texture, TextureSlot};
use crate::ui::context::Context;
use crate::ui::context::image_previews::{self, EguiTexture, Preview};
use crate::ui::context::window_state::{Dialog, TextureUse};
use crate::ui::style::texture_text;
use crate::ui::style::{icons, text, theme};

/// Width and height of a thumbnail, in points.
const THUMBNAIL_SIDE: f32 = 48.0;
/// Gap between the thumbnail and the text, in points.
const GAP: f32 = 8.0;
// Heights of the title and of a line below it, in points.
const TITLE_HEIGHT: f32 = 18.0;
const LINE_HEIGHT: f32 = 15.0;
/// Space above and below the content of a row, in points.
const PADDING: f32 = 4.0;

/// Draws a row for each texture of a material, in the order of [`TextureSlot::ALL`].
pub fn textures_ui(ui: &mut Ui, context: &mut Context, mesh: usize, material: usize) {
    let document = context.document;
    let Some(shown) = document.model.materials.get(material) else { return };
    for slot in TextureSlot::ALL {
        if let Some(texture) = shown.texture(slot) {
            let texture_use = TextureUse { document: context.document.first_reading(), mesh, material, slot };
            texture_ui(ui, context, texture_use, (shown, texture));
        }
    }
}

/// Draws the row of a texture.
fn texture_ui(ui: &mut Ui, context: &mut Context, texture_use: TextureUse, (material, texture): (&Material, &Texture)) {
    let mut lines = lines(context, material, texture);
    // A row that is not visible requests no thumbnail.
    let height = |lines: usize| 2.0 * PADDING + THUMBNAIL_SIDE.max(TITLE_HEIGHT + lines as f32 * LINE_HEIGHT);
    let row = Rect::from_min_size(ui.cursor().min, vec2(ui.available_width(), height(lines.len())));
    let thumbnail = texture.image.filter(|_| ui.is_rect_visible(row)).map(|image| {
        let preview = image_previews::thumbnail(context, image, texture_use.slot.is_color());
        if let Preview::Failed(reason) = &preview {
            lines.push(reason.clone());
        }
        preview
    });
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height(lines.len())), Sense::click());
    let title = texture_text::slot(texture_use.slot);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("{title} texture: {}", lines.join("; "))));
    if response.hovered() || response.has_focus() {
        ui.painter().rect_filled(rect, theme::RADIUS, theme::palette(ui.ctx()).hover);
    }
    let content = rect.shrink2(vec2(0.0, PADDING));
    thumbnail_ui(ui, Rect::from_min_size(content.min, Vec2::splat(THUMBNAIL_SIDE)), thumbnail.as_ref());
    lines_ui(ui, content.with_min_x(content.left() + THUMBNAIL_SIDE + GAP), title, &lines);
    if response.on_hover_cursor(egui::CursorIcon::PointingHand).on_hover_text(format!("{}\nClick to enlarge", lines.join("\n"))).clicked() {
        context.window.dialog = Some(Dialog::Texture(texture_use));
    }
}

/// The lines about a texture: name, size and format, texture coordinates and wrapping, filters, and the transform if there is one.
fn lines(context: &Context, material: &Material, texture: &Texture) -> Vec<String> {
    let image = texture.image.and_then(|index| Some((index, context.document.model.images.get(index)?)));
    let mut lines = match image {
        Some((index, image)) => vec![texture_text::name(image, index), texture_text::size(image)],
        None => vec!["no image that can be read".to_owned()],
    };
    lines.push(texture_text::placement(material, texture));
    lines.push(texture_text::filters(texture.sampler));
    lines.extend(texture_text::transform(&texture.transform));
    lines
}

/// Draws the thumbnail in the middle of its frame.
fn thumbnail_ui(ui: &Ui, frame: Rect, preview: Option<&Preview<EguiTexture>>) {
    if !ui.is_rect_visible(frame) {
        return;
    }
    let palette = theme::palette(ui.ctx());
    ui.painter().rect_filled(frame, 0.0, palette.field);
    match preview {
        Some(Preview::Ready(texture)) => {
            let (id, [width, height]) = texture.sized();
            let size = vec2(width as f32, height as f32);
            let shown = Rect::from_center_size(frame.center(), size * (THUMBNAIL_SIDE / size.max_elem().max(1.0)));
            ui.painter().image(id, shown, Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0)), egui::Color32::WHITE);
        }
        Some(Preview::Decoding) => {}
        Some(Preview::Failed(_)) | None => icons::paint(ui, frame, icons::WARNING, icons::ICON_SIZE, palette.warning),
    }
    ui.painter().rect_stroke(frame, 0.0, Stroke::new(1.0, palette.divider), StrokeKind::Inside);
}

/// Draws the title, and the lines below it. Long lines are shortened in the middle.
fn lines_ui(ui: &Ui, rect: Rect, title: &str, lines: &[String]) {
    let palette = theme::palette(ui.ctx());
    let line_ui = |top: f32, line: &str, font: FontId, color| {
        // A name may contain line breaks.
        let line = line.replace(char::is_control, " ");
        let short = text::elide_middle(ui, &line, &font, rect.width());
        ui.painter().text(pos2(rect.left(), top), Align2::LEFT_TOP, short, font, color);
    };
    line_ui(rect.top(), title, TextStyle::Body.resolve(ui.style()), palette.text);
    for (i, line) in lines.iter().enumerate() {
        line_ui(rect.top() + TITLE_HEIGHT + i as f32 * LINE_HEIGHT, line, TextStyle::Small.resolve(ui.style()), palette.secondary);
    }
}

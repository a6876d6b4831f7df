//! The dialog that shows an enlarged texture. The user can choose a channel, zoom, and show the triangles of the mesh in texture
//! coordinates on top.

mod canvas;
pub mod channel;
pub mod uv_outline;

use std::sync::Arc;

use egui::{Ui, Vec2, vec2};

use crate::codec::texels::Encoding;
use crate::model::label;
use crate::model::material::Material;
use crate::model::texture::{Image, Texture};
use crate::numbers;
use crate::session::document::DocumentId;
use crate::ui::context::Context;
use crate::ui::context::image_previews::{self, EguiTexture, Pixels, Preview};
use crate::ui::context::request::PreviewDetail;
use crate::ui::context::window_state::{Dialog, TextureUse};
use crate::ui::style::texture_text;
use crate::ui::style::theme;

use super::buttons;

use canvas::CanvasView;
use channel::Channel;
use uv_outline::UvOutline;

/// Maximum width and height of the canvas, in points.
const MAX_CANVAS_SIDE: f32 = 900.0;
/// Parts of the window's width and height that the canvas cannot use, in points. The rest of the dialog needs the height.
const SIZE_OUTSIDE: Vec2 = vec2(96.0, 280.0);
/// Minimum size of the canvas, in points.
const MIN_CANVAS_SIZE: Vec2 = vec2(300.0, 120.0);

/// State of the dialog.
#[derive(Debug, Clone, Default)]
pub struct TextureState {
    /// The document and the texture that the dialog shows.
    shown: Option<(DocumentId, TextureUse)>,
    /// The name of the material of the texture.
    material: Option<String>,
    channel: Channel,
    view: CanvasView,
    /// Whether the triangles are shown. It is kept for the next texture.
    shows_outline: bool,
    /// `None` before the outline is shown for the first time.
    outline: Option<Arc<UvOutline>>,
    painted: Option<Painted>,
}

/// The texture that is painted, and the inputs that it was made from.
#[derive(Debug, Clone)]
struct Painted {
    pixels: Arc<Pixels>,
    channel: Channel,
    level: u32,
    texture: EguiTexture,
}

impl TextureState {
    /// Finds the texture of the dialog again after a reload, which may change the indices: by the name of its material, or by the index of
    /// an unnamed one. `None` if the file no longer has the material.
    fn find_again(&mut self, context: &Context, texture_use: TextureUse) -> Option<TextureUse> {
        let is_reload = self.shown.is_some_and(|(before, shown)| before != context.document.id && shown == texture_use);
        if !is_reload || self.material.is_none() {
            return Some(texture_use);
        }
        let (model, variant) = (&context.document.model, context.view.display.variant);
        let has_name = |&index: &usize| model.materials.get(index).is_some_and(|material| material.name == self.material);
        let material = Some(texture_use.material).filter(has_name).or_else(|| (0..model.materials.len()).find(has_name))?;
        let has_material = |&mesh: &usize| {
            let mut primitives = model.meshes.get(mesh).into_iter().flat_map(|mesh| &mesh.primitives);
            primitives.any(|primitive| primitive.material_in(variant) == Some(material))
        };
        let mesh = Some(texture_use.mesh).filter(has_material).or_else(|| (0..model.meshes.len()).find(has_material));
        let found = TextureUse { mesh: mesh.unwrap_or(texture_use.mesh), material, ..texture_use };
        self.shown = self.shown.map(|(before, _)| (before, found));
        Some(found)
    }

    /// Resets the state if the texture is another one. After a reload of the file, channel and zoom stay, and the outline is made again.
    fn update(&mut self, document: DocumentId, texture_use: TextureUse, material: &Material) {
        let before = self.shown.replace((document, texture_use));
        if before.is_none_or(|(_, before)| before != texture_use) {
            *self = Self { shown: self.shown, shows_outline: self.shows_outline, ..Self::default() };
        } else if before != self.shown {
            self.outline = None;
        }
        if before != self.shown {
            self.material.clone_from(&material.name);
        }
    }

    /// Frees the data that only the open dialog needs.
    pub fn close(&mut self, context: &mut Context) {
        if self.shown.is_some() {
            *self = Self { shows_outline: self.shows_outline, ..Self::default() };
            context.status.previews.get(context.document).forget_large();
        }
    }
}

/// The width of the dialog, in points.
pub fn width(ui: &Ui) -> f32 {
    canvas_size(ui).x
}

/// The size of the canvas in the current window, in points.
fn canvas_size(ui: &Ui) -> Vec2 {
    (ui.ctx().content_rect().size() - SIZE_OUTSIDE).min(Vec2::splat(MAX_CANVAS_SIDE)).max(MIN_CANVAS_SIZE)
}

/// Draws the dialog. Closes it if the file no longer has the texture.
pub fn texture_ui(ui: &mut Ui, state: &mut TextureState, context: &mut Context, texture_use: TextureUse) {
    let document = context.document;
    let found = Some(texture_use).filter(|texture_use| document.first_reading() == texture_use.document);
    let found = found.and_then(|texture_use| state.find_again(context, texture_use)).and_then(|texture_use| {
        let material = document.model.materials.get(texture_use.material)?;
        Some((texture_use, material, material.texture(texture_use.slot)?))
    });
    let Some((texture_use, material, texture)) = found else {
        context.window.dialog = None;
        return;
    };
    context.window.dialog = Some(Dialog::Texture(texture_use));
    state.update(document.id, texture_use, material);
    let Some((index, image)) = texture.image.and_then(|index| Some((index, document.model.images.get(index)?))) else {
        ui.label("The texture has no image that can be read. A color texture shows a checkerboard; a data texture is left out.");
        return close_ui(ui, context);
    };
    let preview = image_previews::large(context, index, texture_use.slot.is_color());
    toolbar_ui(ui, state, texture_use, &preview);
    let (rect, response) = ui.allocate_exact_size(canvas_size(ui), egui::Sense::click_and_drag());
    let size = vec2(image.width as f32, image.height as f32);
    match preview {
        Preview::Ready(pixels) => {
            state.view.take_input(ui, &response, size);
            let shown = state.view.image_rect(rect, size);
            let level = channel::level(pixels.size[0], shown.width() * ui.pixels_per_point());
            let texture = painted(ui, state, &pixels, level);
            canvas::paint(ui, rect, shown, &texture);
            if state.shows_outline {
                let outline = state.outline.get_or_insert_with(|| Arc::new(UvOutline::new(context, texture_use)));
                canvas::paint_edges(ui, rect, shown, &outline.edges);
            }
        }
        Preview::Decoding => canvas::paint_message(ui, rect, "Decoding..."),
        Preview::Failed(reason) => canvas::paint_message(ui, rect, &reason),
    }
    description_ui(ui, state, (material, texture), (index, image));
    close_ui(ui, context);
}

/// The texture to paint. It is made again when the pixels, the channel or the level change.
fn painted(ui: &Ui, state: &mut TextureState, pixels: &Arc<Pixels>, level: u32) -> EguiTexture {
    let channel = state.channel;
    let is_same = |painted: &&Painted| Arc::ptr_eq(&painted.pixels, pixels) && painted.channel == channel && painted.level == level;
    if let Some(painted) = state.painted.as_ref().filter(is_same) {
        return painted.texture.clone();
    }
    let is_color = state.shown.is_some_and(|(_, texture_use)| texture_use.slot.is_color());
    let texture = EguiTexture::new(ui.ctx(), "texture", channel::image(pixels, channel, level, Encoding::new(is_color)));
    state.painted = Some(Painted { pixels: pixels.clone(), channel, level, texture: texture.clone() });
    texture
}

/// Draws the buttons of the channels, the switch for the outline, and the zoom.
fn toolbar_ui(ui: &mut Ui, state: &mut TextureState, texture_use: TextureUse, preview: &Preview<Arc<Pixels>>) {
    let meanings = texture_text::channels(texture_use.slot);
    ui.horizontal_wrapped(|ui| {
        for (channel, label, meaning) in channel::labels(meanings) {
            let response = ui.selectable_label(state.channel == channel, label).on_hover_text(meaning);
            if response.clicked() {
                state.channel = channel;
            }
        }
        ui.add_space(theme::MARGIN);
        ui.checkbox(&mut state.shows_outline, "UV outline")
            .on_hover_text("The triangles of the mesh in the texture coordinates of this texture");
        ui.add_space(theme::MARGIN);
        if matches!(preview, Preview::Ready(_)) {
            state.view.zoom_ui(ui);
        }
    });
}

/// Draws two lines that describe the texture and, if the outline is shown, one that describes the outline.
fn description_ui(ui: &mut Ui, state: &TextureState, (material, texture): (&Material, &Texture), (index, image): (usize, &Image)) {
    let kind = match state.shown {
        Some((_, texture_use)) if texture_use.slot.is_color() => "sRGB color",
        _ => "linear data",
    };
    let mut facts = vec![texture_text::name(image, index), texture_text::size(image), kind.to_owned()];
    let max_side = PreviewDetail::Large.longest_side();
    if image.width.max(image.height) > max_side {
        facts.push(format!("shown with at most {max_side} pixels per side"));
    }
    ui.label(facts.join(", ").replace(char::is_control, " "));
    let name = material.name.as_deref().filter(|name| !name.trim().is_empty());
    let mut mapping: Vec<_> = name.map(|name| format!("Material {}", label::clean(name))).into_iter().collect();
    mapping.extend([texture_text::placement(material, texture), texture_text::filters(texture.sampler)]);
    mapping.extend(texture_text::transform(&texture.transform));
    ui.weak(mapping.join(", "));
    if let Some(outline) = state.outline.as_ref().filter(|_| state.shows_outline) {
        ui.weak(outline_text(outline));
    }
}

/// Describes the outline.
fn outline_text(outline: &UvOutline) -> String {
    match outline.step {
        _ if outline.edges.is_empty() => "UV outline: no triangles with these texture coordinates".to_owned(),
        1 => format!("UV outline: {}", numbers::counted(outline.edges.len(), "edge")),
        step => format!("UV outline: {} of 1 in {step} triangles", numbers::counted(outline.edges.len(), "edge")),
    }
}

/// Draws the button that closes the dialog.
fn close_ui(ui: &mut Ui, context: &mut Context) {
    buttons(ui, |ui| {
        if ui.button("Close").clicked() {
            context.window.dialog = None;
        }
    });
}

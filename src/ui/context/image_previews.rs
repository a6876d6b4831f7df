//! Previews of the document's images for the panels. The first call of [`thumbnail`] or [`large`] requests a preview from the
//! application, which decodes it in the background and passes it to [`ImagePreviews::receive`].

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use egui::{ColorImage, TextureHandle, TextureOptions};

use crate::codec::texels::{DecodedImage, Texels};

use super::Context;
use super::request::{PreviewDetail, PreviewOrder, Request};

/// Maximum number of thumbnails that are kept. Each takes at most 64 KiB. The inspector shows fewer at a time.
const MAX_THUMBNAILS: usize = 512;

/// The state of a preview.
#[derive(Debug, Clone)]
pub enum Preview<T> {
    Decoding,
    Ready(T),
    /// The reason why there is no preview.
    Failed(String),
}

/// The RGBA pixels of an image, which may be reduced in size: four bytes each, rows from the top.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pixels {
    /// Width and height, in pixels.
    pub size: [u32; 2],
    pub rgba: Vec<u8>,
}

/// A texture that egui can paint. It is freed with its last copy.
#[derive(Clone)]
pub struct EguiTexture(TextureHandle);

impl EguiTexture {
    /// Uploads an image. A magnified image shows its pixels as squares.
    pub fn new(egui: &egui::Context, name: &str, image: ColorImage) -> Self {
        let options = TextureOptions { magnification: egui::TextureFilter::Nearest, ..TextureOptions::LINEAR };
        Self(egui.load_texture(name, image, options))
    }

    /// The id for painting, with the width and height in pixels.
    pub fn sized(&self) -> (egui::TextureId, [usize; 2]) {
        (self.0.id(), self.0.size())
    }
}

impl fmt::Debug for EguiTexture {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.debug_tuple("EguiTexture").field(&self.0.id()).finish()
    }
}

/// The previews of one document.
#[derive(Debug, Clone, Default)]
pub struct ImagePreviews {
    /// Thumbnails by index of the image.
    thumbnails: BTreeMap<usize, Preview<EguiTexture>>,
    /// The large preview for the texture dialog, with the index of the image. Only one is kept.
    large: Option<(usize, Preview<Arc<Pixels>>)>,
}

impl ImagePreviews {
    /// Stores the decoded image of a [`PreviewOrder`], which must be for this document.
    pub fn receive(&mut self, egui: &egui::Context, order: &PreviewOrder, decoded: Result<DecodedImage, String>) {
        let pixels = decoded.and_then(|image| Pixels::new(image).ok_or_else(|| "its pixels are incomplete".to_owned()));
        match order.detail {
            PreviewDetail::Thumbnail => {
                let texture = |pixels: Pixels| EguiTexture::new(egui, "thumbnail", pixels.opaque());
                self.thumbnails.insert(order.image, pixels.map_or_else(Preview::Failed, |pixels| Preview::Ready(texture(pixels))));
            }
            PreviewDetail::Large => {
                // The dialog may show another image by now.
                if let Some((_, preview)) = self.large.as_mut().filter(|(image, _)| *image == order.image) {
                    *preview = pixels.map_or_else(Preview::Failed, |pixels| Preview::Ready(Arc::new(pixels)));
                }
            }
        }
    }

    /// Frees the large preview.
    pub fn forget_large(&mut self) {
        self.large = None;
    }
}

impl Pixels {
    /// The first level of an image. `None` if the image is not RGBA or if bytes are missing.
    fn new(mut image: DecodedImage) -> Option<Self> {
        let is_usable = image.texels == Texels::Rgba8 && image.is_complete();
        is_usable.then(|| Self { size: [image.width, image.height], rgba: image.levels.swap_remove(0) })
    }

    /// The colors without alpha, in the format of egui.
    fn opaque(&self) -> ColorImage {
        let colors = self.rgba.as_chunks::<4>().0.iter().map(|[r, g, b, _]| egui::Color32::from_rgb(*r, *g, *b)).collect();
        ColorImage::new(self.size.map(|side| side as usize), colors)
    }
}

/// The thumbnail of an image. The first call requests it.
pub fn thumbnail(context: &mut Context, image: usize, is_color: bool) -> Preview<EguiTexture> {
    if let Some(reason) = unavailable(context, image) {
        return Preview::Failed(reason);
    }
    let previews = context.status.previews.get(context.document);
    if let Some(thumbnail) = previews.thumbnails.get(&image) {
        return thumbnail.clone();
    }
    if previews.thumbnails.len() >= MAX_THUMBNAILS {
        previews.thumbnails.clear();
    }
    previews.thumbnails.insert(image, Preview::Decoding);
    order(context, image, PreviewDetail::Thumbnail, is_color);
    Preview::Decoding
}

/// The large preview of an image. The first call requests it and drops the preview of the previous image.
pub fn large(context: &mut Context, image: usize, is_color: bool) -> Preview<Arc<Pixels>> {
    if let Some(reason) = unavailable(context, image) {
        return Preview::Failed(reason);
    }
    let previews = context.status.previews.get(context.document);
    match &previews.large {
        Some((shown, preview)) if *shown == image => preview.clone(),
        _ => {
            previews.large = Some((image, Preview::Decoding));
            order(context, image, PreviewDetail::Large, is_color);
            Preview::Decoding
        }
    }
}

/// Returns the reason why an image cannot have a preview, if the reason is known before decoding.
fn unavailable(context: &Context, image: usize) -> Option<String> {
    let image = context.document.model.images.get(image)?;
    if image.width == 0 || image.height == 0 {
        Some("the image cannot be read".into())
    } else if image.needs_blocks {
        Some("no preview: only the graphics device can read its blocks".into())
    } else {
        None
    }
}

/// Requests a preview from the application.
fn order(context: &mut Context, image: usize, detail: PreviewDetail, is_color: bool) {
    context.requests.push(Request::PreviewImage(PreviewOrder { document: context.document.id, image, detail, is_color }));
}

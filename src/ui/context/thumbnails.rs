//! The thumbnails of files for the file strip. The strip calls [`want`] with the files that it shows. The application draws their
//! thumbnails in the background and passes them to [`Thumbnails::receive`]. Only a limited number is kept.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use egui::ColorImage;
use image::RgbaImage;

use crate::asset::file::stamp::Stamp;

use super::Context;
use super::image_previews::{EguiTexture, Preview};
use super::request::Request;

/// Maximum number of thumbnails that are kept. At 144 x 144 pixels, they take 16 MiB.
const MAX_KEPT: usize = 200;

/// The thumbnails that exist, and the files whose thumbnails are wanted.
#[derive(Debug, Clone, Default)]
pub struct Thumbnails {
    kept: HashMap<PathBuf, KeptThumbnail>,
    wanted: Vec<PathBuf>,
    /// Width and height of the thumbnails, in pixels.
    size: u32,
    /// Number of changes of `wanted` so far.
    changes: u64,
}

/// A thumbnail, or the reason why there is none.
#[derive(Debug, Clone)]
struct KeptThumbnail {
    preview: Preview<EguiTexture>,
    /// The stamp of the file that was drawn.
    stamp: Option<Stamp>,
    /// The number of the last change of `wanted` that included this file.
    wanted: u64,
}

impl Thumbnails {
    /// The thumbnail of a file.
    pub fn get(&self, file: &Path) -> Preview<EguiTexture> {
        self.kept.get(file).map_or(Preview::Decoding, |kept| kept.preview.clone())
    }

    /// Stores a picture that was drawn at this size, or the reason why there is none. `stamp` is the stamp of the file before it was read.
    pub fn receive(&mut self, egui: &egui::Context, file: PathBuf, size: u32, stamp: Option<Stamp>, picture: Result<RgbaImage, String>) {
        if size != self.size {
            return;
        }
        let preview = match picture {
            Ok(picture) => {
                let [width, height] = [picture.width() as usize, picture.height() as usize];
                let image = ColorImage::from_rgba_unmultiplied([width, height], &picture);
                Preview::Ready(EguiTexture::new(egui, "file", image))
            }
            Err(message) => Preview::Failed(message),
        };
        self.kept.insert(file, KeptThumbnail { preview, stamp, wanted: self.changes });
    }

    /// The files that have a thumbnail, each with its stamp from the time when the thumbnail was drawn.
    pub fn stamps(&self) -> Vec<(PathBuf, Option<Stamp>)> {
        self.kept.iter().map(|(file, kept)| (file.clone(), kept.stamp)).collect()
    }

    /// Drops the thumbnails of files that have changed. Visible ones are drawn again.
    pub fn forget(&mut self, files: &[PathBuf]) {
        let count = self.kept.len();
        self.kept.retain(|file, _| !files.contains(file));
        if self.kept.len() != count {
            self.wanted.clear();
        }
    }

    /// Sets the wanted files. If they have changed, returns the files whose thumbnails must be drawn.
    fn want(&mut self, files: Vec<PathBuf>, size: u32) -> Option<Vec<PathBuf>> {
        if size != self.size && !files.is_empty() {
            *self = Self { size, changes: self.changes, ..Self::default() };
        }
        if files == self.wanted {
            return None;
        }
        self.changes += 1;
        for file in &files {
            if let Some(kept) = self.kept.get_mut(file) {
                kept.wanted = self.changes;
            }
        }
        // Drop the thumbnails that have not been wanted for the longest time.
        if self.kept.len() > MAX_KEPT {
            let mut ages: Vec<_> = self.kept.values().map(|kept| kept.wanted).collect();
            ages.sort_unstable_by(|a, b| b.cmp(a));
            let oldest = ages[MAX_KEPT];
            self.kept.retain(|_, kept| kept.wanted > oldest);
        }
        self.wanted = files;
        Some(self.wanted.iter().filter(|file| !self.kept.contains_key(*file)).cloned().collect())
    }
}

/// Requests the thumbnails of these files, in this order, and no others. `size` is the width and height of the thumbnails, in pixels.
pub fn want(context: &mut Context, files: Vec<PathBuf>, size: u32) {
    if let Some(missing) = context.status.thumbnails.want(files, size) {
        context.requests.push(Request::DrawThumbnails { files: missing, size });
    }
}

//! Turns the channels of an image into pictures, reduced to about the size at which they are shown.

use egui::{Color32, ColorImage};

use crate::codec::halving::{half_size, halve_rgba};
use crate::codec::texels::Encoding;
use crate::ui::context::image_previews::Pixels;

/// Maximum number of times that an image is halved.
const MAX_LEVEL: u32 = 6;

/// A choice of the channels that are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Channel {
    /// Red, green and blue together, without alpha.
    #[default]
    Rgb,
    /// One channel as gray: 0 red, 1 green, 2 blue, 3 alpha.
    One(usize),
}

/// The choices with their labels and tooltips. `meanings` has the meaning of each channel, or an empty text for an unused channel.
pub fn labels(meanings: [&'static str; 4]) -> impl Iterator<Item = (Channel, &'static str, String)> {
    let single = ["R", "G", "B", "A"].into_iter().zip(["Red", "Green", "Blue", "Alpha"]).zip(meanings).enumerate();
    let single = single.map(|(i, ((label, name), meaning))| {
        let tooltip = match meaning {
            "" => format!("{name}: not used here"),
            meaning if name.eq_ignore_ascii_case(meaning) => name.to_owned(),
            meaning => format!("{name}: {meaning}"),
        };
        (Channel::One(i), label, tooltip)
    });
    std::iter::once((Channel::Rgb, "RGB", "All colors, without alpha".to_owned())).chain(single)
}

/// The number of times to halve an image of this width, in pixels, if it covers `screen_width` pixels of the screen. Without halving, a
/// reduced image would skip pixels.
pub fn level(width: u32, screen_width: f32) -> u32 {
    let ratio = width as f32 / screen_width.max(1.0);
    (ratio.log2().round().max(0.0) as u32).min(MAX_LEVEL)
}

/// The picture of a channel, halved `level` times. sRGB colors are averaged as linear light.
pub fn image(pixels: &Pixels, channel: Channel, level: u32, encoding: Encoding) -> ColorImage {
    let [mut width, mut height] = pixels.size;
    let mut halved: Option<Vec<u8>> = None;
    for _ in 0..level {
        halved = Some(halve_rgba(width, height, halved.as_deref().unwrap_or(&pixels.rgba), encoding));
        (width, height) = (half_size(width), half_size(height));
    }
    let texels = halved.as_deref().unwrap_or(&pixels.rgba).as_chunks::<4>().0;
    let color = |texel: &[u8; 4]| match channel {
        Channel::Rgb => Color32::from_rgb(texel[0], texel[1], texel[2]),
        Channel::One(i) => Color32::from_gray(texel[i.min(3)]),
    };
    ColorImage::new([width as usize, height as usize], texels.iter().map(color).collect())
}

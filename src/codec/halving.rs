//! Halves images, for mip levels and for images that are too large for the device. sRGB colors are averaged as linear light.

use std::sync::LazyLock;

use super::texels::Encoding;

/// Returns the side of the next smaller mip level, in pixels.
pub fn half_size(size: u32) -> u32 {
    (size / 2).max(1)
}

/// Returns the next smaller mip level as RGBA. `texel` returns the texel at x, y. Each result is the mean of the texels that it covers: two
/// along each axis, or up to three if a side is odd.
pub fn halve(width: u32, height: u32, texel: impl Fn(usize, usize) -> [u8; 4], encoding: Encoding) -> Vec<u8> {
    let (w, h) = (half_size(width) as usize, half_size(height) as usize);
    let (width, height) = (width as usize, height as usize);
    let (transfer, is_srgb) = (&*TRANSFER, encoding == Encoding::Srgb);
    let mut out = Vec::with_capacity(w * h * 4);
    for y in 0..h {
        let rows = y * height / h..((y + 1) * height).div_ceil(h);
        for x in 0..w {
            let columns = x * width / w..((x + 1) * width).div_ceil(w);
            let mut sum = [0f32; 4];
            for row in rows.clone() {
                for column in columns.clone() {
                    for (channel, (sum, byte)) in sum.iter_mut().zip(texel(column, row)).enumerate() {
                        *sum += if is_srgb && channel < 3 { transfer.linear[usize::from(byte)] } else { f32::from(byte) / 255.0 };
                    }
                }
            }
            let count = (rows.len() * columns.len()) as f32;
            for (channel, sum) in sum.iter().enumerate() {
                let mean = sum / count;
                out.push(if is_srgb && channel < 3 { transfer.encode(mean) } else { (mean * 255.0 + 0.5) as u8 });
            }
        }
    }
    out
}

/// Returns the next smaller mip level of sRGB texels. Colors are weighted by alpha, so that transparent texels do not tint opaque ones.
pub fn halve_weighted_by_alpha(width: u32, height: u32, rgba: &[u8]) -> Vec<u8> {
    let (w, h) = (half_size(width) as usize, half_size(height) as usize);
    let (width, height) = (width as usize, height as usize);
    let (transfer, texels) = (&*TRANSFER, rgba.as_chunks::<4>().0);
    let mut out = Vec::with_capacity(w * h * 4);
    for y in 0..h {
        let rows = y * height / h..((y + 1) * height).div_ceil(h);
        for x in 0..w {
            let columns = x * width / w..((x + 1) * width).div_ceil(w);
            let covered = || rows.clone().flat_map(|row| &texels[row * width..][columns.clone()]);
            let alpha_sum: u32 = covered().map(|texel| u32::from(texel[3])).sum();
            let count = (rows.len() * columns.len()) as f32;
            for channel in 0..3 {
                // If all texels are transparent, use their plain mean, because filtering may blend it with visible texels.
                let weight = |texel: &[u8; 4]| if alpha_sum > 0 { f32::from(texel[3]) / alpha_sum as f32 } else { 1.0 / count };
                let light: f32 = covered().map(|texel| transfer.linear[usize::from(texel[channel])] * weight(texel)).sum();
                out.push(transfer.encode(light));
            }
            out.push((alpha_sum as f32 / count + 0.5) as u8);
        }
    }
    out
}

/// Like [`halve`], for RGBA texels in a slice.
pub fn halve_rgba(width: u32, height: u32, rgba: &[u8], encoding: Encoding) -> Vec<u8> {
    if width.is_multiple_of(2) && height.is_multiple_of(2) {
        return halve_even(width as usize, rgba, encoding);
    }
    let texels = rgba.as_chunks::<4>().0;
    halve(width, height, |x, y| texels[y * width as usize + x], encoding)
}

/// Does the same as [`halve_rgba`], for even sides. Most images have even sides, so this function is optimized: it has no ranges and no
/// divisions.
fn halve_even(width: usize, rgba: &[u8], encoding: Encoding) -> Vec<u8> {
    let transfer = &*TRANSFER;
    let light = |byte: u8| transfer.linear[usize::from(byte)];
    let mean = |quad: [u8; 4]| ((quad.iter().map(|&byte| u16::from(byte)).sum::<u16>() + 2) / 4) as u8;
    let mut out = Vec::with_capacity(rgba.len() / 4);
    for rows in rgba.chunks_exact(width * 8) {
        let (above, below) = rows.split_at(width * 4);
        for (above, below) in above.as_chunks::<8>().0.iter().zip(below.as_chunks::<8>().0) {
            let quad = |channel: usize| [above[channel], above[4 + channel], below[channel], below[4 + channel]];
            let shade = |channel: usize| match encoding {
                Encoding::Srgb => transfer.encode(quad(channel).map(light).iter().sum::<f32>() / 4.0),
                Encoding::Linear => mean(quad(channel)),
            };
            out.extend([shade(0), shade(1), shade(2), mean(quad(3))]);
        }
    }
    out
}

/// The sRGB transfer function as tables.
struct Transfer {
    /// Linear light of each sRGB byte.
    linear: [f32; 256],
    /// The sRGB byte of each step of linear light. The steps are evenly spaced, and fine enough to tell the darkest bytes apart.
    bytes: Vec<u8>,
}

/// Number of steps of light in the table.
const STEPS: usize = 1 << 14;

/// Converts sRGB to linear light, both 0 to 1 (IEC 61966-2-1).
pub fn srgb_to_linear(value: f32) -> f32 {
    if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

/// The inverse of [`srgb_to_linear`].
fn linear_to_srgb(light: f32) -> f32 {
    if light <= 0.0031308 { light * 12.92 } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 }
}

/// The tables, computed on first use.
static TRANSFER: LazyLock<Transfer> = LazyLock::new(|| Transfer {
    linear: std::array::from_fn(|byte| srgb_to_linear(byte as f32 / 255.0)),
    bytes: (0..=STEPS).map(|i| (linear_to_srgb(i as f32 / STEPS as f32) * 255.0 + 0.5) as u8).collect(),
});

impl Transfer {
    /// Returns the sRGB byte for linear light from 0 to 1.
    fn encode(&self, light: f32) -> u8 {
        self.bytes[((light * STEPS as f32 + 0.5) as usize).min(STEPS)]
    }
}

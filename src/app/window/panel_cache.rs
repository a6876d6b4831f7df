//! Keeps the window's pixels between frames, so that a software rasterizer paints only the parts of the panels that have changed. Painting
//! all panels takes it longer than drawing most models.
//!
//! The picture and the panels are drawn into a texture that is copied to the window. In each frame the picture covers its areas, and panels
//! are painted over these areas and over the areas in which egui's primitives differ from those of the last frame.

use bytemuck::cast_slice;
use egui::epaint::{ClippedPrimitive, Primitive};
use egui::{Rect, pos2};

use crate::render::device::gpu::Gpu;

/// If there are more changed areas than this, everything is painted.
const MAX_AREAS: usize = 24;

/// The window's pixels, and the primitives that were painted.
pub struct PanelCache {
    texture: wgpu::Texture,
    painted: Painted,
}

impl PanelCache {
    /// Makes an empty texture of this width and height in pixels. `format` is that of the window.
    pub fn new(gpu: &Gpu, [width, height]: [u32; 2], format: wgpu::TextureFormat) -> Self {
        use wgpu::TextureUsages as Usage;
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("window"),
            size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: Usage::RENDER_ATTACHMENT | Usage::COPY_SRC | Usage::COPY_DST,
            view_formats: &[],
        });
        Self { texture, painted: Painted::default() }
    }

    /// Returns the texture to draw into.
    pub fn texture(&self) -> &wgpu::Texture {
        &self.texture
    }

    /// Returns the primitives to paint so that the texture shows `primitives`. `pictures` are the areas of the picture, in pixels: left,
    /// top, width and height. They are drawn again in each frame.
    pub fn update(&mut self, primitives: Vec<ClippedPrimitive>, pictures: &[[u32; 4]], pixels_per_point: f32) -> Vec<ClippedPrimitive> {
        self.painted.update(primitives, pictures, pixels_per_point)
    }

    /// Forgets what was painted, so that everything is painted in the next frame. Call it when egui's textures have changed, because equal
    /// primitives may then look different.
    pub fn forget(&mut self) {
        self.painted.primitives.clear();
    }
}

/// What the texture shows.
#[derive(Default)]
struct Painted {
    pixels_per_point: f32,
    /// egui's primitives of the last frame. Empty if everything must be painted.
    primitives: Vec<ClippedPrimitive>,
}

impl Painted {
    /// See [`PanelCache::update`].
    fn update(&mut self, primitives: Vec<ClippedPrimitive>, pictures: &[[u32; 4]], pixels_per_point: f32) -> Vec<ClippedPrimitive> {
        let is_comparable = self.pixels_per_point == pixels_per_point && !self.primitives.is_empty();
        let areas = is_comparable.then(|| changed_areas(&self.primitives, &primitives, pictures, pixels_per_point)).flatten();
        self.pixels_per_point = pixels_per_point;
        let Some(areas) = areas else {
            self.primitives.clone_from(&primitives);
            return primitives;
        };
        let areas: Vec<_> = areas.into_iter().map(|area| area.in_points(pixels_per_point)).collect();
        let clipped = primitives.iter().flat_map(|primitive| {
            let shown = bounds(primitive);
            let overlaps = areas.iter().filter(move |area| shown.intersects(**area));
            overlaps
                .map(|area| ClippedPrimitive { clip_rect: primitive.clip_rect.intersect(*area), primitive: primitive.primitive.clone() })
        });
        let clipped = clipped.filter(|primitive| primitive.clip_rect.is_positive()).collect();
        self.primitives = primitives;
        clipped
    }
}

/// An area of whole pixels: left, top, right and bottom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Area {
    min: [i32; 2],
    max: [i32; 2],
}

impl Area {
    /// Returns the smallest area that contains a rectangle in points.
    fn around(rect: Rect, pixels_per_point: f32) -> Self {
        let [left, top] = [rect.left(), rect.top()].map(|side| (side * pixels_per_point).floor() as i32);
        let [right, bottom] = [rect.right(), rect.bottom()].map(|side| (side * pixels_per_point).ceil() as i32);
        Self { min: [left, top], max: [right, bottom] }
    }

    fn in_points(self, pixels_per_point: f32) -> Rect {
        let [min, max] = [self.min, self.max].map(|[x, y]| pos2(x as f32 / pixels_per_point, y as f32 / pixels_per_point));
        Rect { min, max }
    }

    fn is_empty(self) -> bool {
        self.min[0] >= self.max[0] || self.min[1] >= self.max[1]
    }

    /// Returns the parts of the area that are outside of `other`, at most four: above it, below it, to its left and to its right.
    fn without(self, other: Self) -> Vec<Self> {
        let Self { min: [left, top], max: [right, bottom] } = self;
        let [inner_left, inner_right] = [other.min[0], other.max[0]].map(|x| x.clamp(left, right));
        let [inner_top, inner_bottom] = [other.min[1], other.max[1]].map(|y| y.clamp(top, bottom));
        if inner_left >= inner_right || inner_top >= inner_bottom {
            return vec![self];
        }
        let parts = [
            Self { min: [left, top], max: [right, inner_top] },
            Self { min: [left, inner_bottom], max: [right, bottom] },
            Self { min: [left, inner_top], max: [inner_left, inner_bottom] },
            Self { min: [inner_right, inner_top], max: [right, inner_bottom] },
        ];
        parts.into_iter().filter(|part| !part.is_empty()).collect()
    }
}

/// Returns the areas in which the primitives differ, and those of the pictures. No two areas overlap, because translucent primitives must
/// not be painted twice. `None` if there are too many areas.
fn changed_areas(
    before: &[ClippedPrimitive],
    after: &[ClippedPrimitive],
    pictures: &[[u32; 4]],
    pixels_per_point: f32,
) -> Option<Vec<Area>> {
    let picture = |&[left, top, width, height]: &[u32; 4]| Area {
        min: [left, top].map(|side| side as i32),
        max: [left + width, top + height].map(|side| side as i32),
    };
    let mut areas: Vec<Area> = pictures.iter().map(picture).collect();
    let pairs = (0..before.len().max(after.len())).map(|i| (before.get(i), after.get(i)));
    let changed = pairs.filter(|(before, after)| !before.zip(*after).is_some_and(|(before, after)| is_same(before, after)));
    for primitive in changed.flat_map(|(before, after)| before.into_iter().chain(after)) {
        let shown = bounds(primitive);
        if !shown.is_positive() {
            continue;
        }
        let mut parts = vec![Area::around(shown, pixels_per_point)];
        for area in &areas {
            parts = parts.into_iter().flat_map(|part| part.without(*area)).collect();
        }
        areas.extend(parts);
        if areas.len() > MAX_AREAS {
            return None;
        }
    }
    Some(areas)
}

/// Returns whether both primitives give the same pixels, provided that textures have not changed.
fn is_same(a: &ClippedPrimitive, b: &ClippedPrimitive) -> bool {
    match (&a.primitive, &b.primitive) {
        // Vertices are compared as bytes, because egui's comparison rejects positions that are not numbers.
        (Primitive::Mesh(first), Primitive::Mesh(second)) => {
            a.clip_rect == b.clip_rect
                && first.texture_id == second.texture_id
                && first.indices == second.indices
                && cast_slice::<_, u8>(&first.vertices) == cast_slice::<_, u8>(&second.vertices)
        }
        // Nothing is known about the content of a callback.
        _ => false,
    }
}

/// Returns the rectangle that a primitive covers, in points.
fn bounds(primitive: &ClippedPrimitive) -> Rect {
    match &primitive.primitive {
        Primitive::Mesh(mesh) => primitive.clip_rect.intersect(mesh.calc_bounds()),
        Primitive::Callback(callback) => primitive.clip_rect.intersect(callback.rect),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::epaint::Mesh;
    use egui::{Color32, vec2};

    const WINDOW: Rect = Rect { min: pos2(0.0, 0.0), max: pos2(100.0, 80.0) };

    /// Builds a filled rectangle of a color, clipped to the window.
    fn filled(left: f32, top: f32, size: f32, color: Color32) -> ClippedPrimitive {
        let mut mesh = Mesh::default();
        mesh.add_colored_rect(Rect::from_min_size(pos2(left, top), vec2(size, size)), color);
        ClippedPrimitive { clip_rect: WINDOW, primitive: Primitive::Mesh(mesh) }
    }

    /// Paints filled rectangles on a grid of 200 x 160 pixels. A pixel is a list of colors: an opaque color, then the translucent colors
    /// that were painted over it. Returns the number of pixels that were painted with `Color32::GREEN`.
    fn paint(pixels: &mut [Vec<Color32>], primitives: &[ClippedPrimitive], pixels_per_point: f32) -> usize {
        let mut count = 0;
        for ClippedPrimitive { clip_rect, primitive } in primitives {
            let Primitive::Mesh(mesh) = primitive else { unreachable!() };
            let (bounds, color) = (mesh.calc_bounds(), mesh.vertices[0].color);
            for (index, pixel) in pixels.iter_mut().enumerate() {
                let center = pos2((index % 200) as f32 + 0.5, (index / 200) as f32 + 0.5);
                let is_in = |rect: &Rect| rect.contains(pos2(center.x / pixels_per_point, center.y / pixels_per_point));
                if is_in(clip_rect) && is_in(&bounds) {
                    if color.is_opaque() {
                        pixel.clear();
                    }
                    pixel.push(color);
                    count += usize::from(color == Color32::GREEN);
                }
            }
        }
        count
    }

    /// Shows frames one after another and compares the pixels with those of painting each frame completely. The first primitive of a frame
    /// is a green panel that fills the window. Returns the number of pixels of the panel that each frame painted.
    fn show(painted: &mut Painted, frames: &[Vec<ClippedPrimitive>], pictures: &[[u32; 4]], pixels_per_point: f32) -> Vec<usize> {
        let mut pixels = vec![Vec::new(); 200 * 160];
        let mut counts = Vec::new();
        for frame in frames {
            let clipped = painted.update(frame.clone(), pictures, pixels_per_point);
            counts.push(paint(&mut pixels, &clipped, pixels_per_point));
            let mut whole = vec![Vec::new(); 200 * 160];
            paint(&mut whole, frame, pixels_per_point);
            assert!(pixels == whole, "frame {}", counts.len());
        }
        counts
    }

    #[test]
    fn only_changed_areas_are_painted_and_each_pixel_once() {
        let [red, green, blue] = [Color32::RED, Color32::GREEN, Color32::from_rgba_unmultiplied(0, 0, 255, 100)];
        let panel = || filled(0.0, 0.0, 100.0, green);
        for pixels_per_point in [1.0, 1.5, 2.0] {
            let counts = show(
                &mut Painted::default(),
                &[
                    vec![panel(), filled(10.0, 10.0, 10.0, red)],
                    vec![panel(), filled(10.0, 10.0, 10.0, red)],
                    // The red rectangle moves, a blue one appears over it, and the red one disappears.
                    vec![panel(), filled(15.0, 12.0, 10.0, red)],
                    vec![panel(), filled(15.0, 12.0, 10.0, red), filled(5.0, 15.0, 30.0, blue)],
                    vec![panel(), filled(5.0, 15.0, 30.0, blue)],
                ],
                &[],
                pixels_per_point,
            );
            let scale = (pixels_per_point * pixels_per_point) as usize;
            assert_eq!(counts[1], 0, "nothing has changed");
            assert!((100 * scale..300 * scale.max(2)).contains(&counts[2]), "{counts:?}");
            assert!((900 * scale..1200 * scale.max(2)).contains(&counts[3]), "{counts:?}");
        }
    }

    #[test]
    fn panels_over_the_picture_are_painted_in_every_frame() {
        let panel = || filled(0.0, 0.0, 100.0, Color32::GREEN);
        let badge = || filled(30.0, 30.0, 8.0, Color32::RED);
        let picture = [20, 20, 40, 40];
        let frames = [vec![panel(), badge()], vec![panel(), badge()], vec![panel(), filled(50.0, 50.0, 20.0, Color32::RED)]];
        let counts = show(&mut Painted::default(), &frames, &[picture], 1.0);
        assert_eq!(counts[1], 1600);
        assert_eq!(counts[2], 1600 + 400 - 100, "the part of the badge outside of the picture");
    }

    #[test]
    fn everything_is_painted_at_first_and_at_another_scale() {
        let mut painted = Painted::default();
        let frame = vec![filled(0.0, 0.0, 100.0, Color32::GREEN), filled(10.0, 10.0, 10.0, Color32::RED)];
        assert_eq!(show(&mut painted, &[frame.clone(), frame.clone()], &[], 1.0), [100 * 80, 0]);
        assert_eq!(show(&mut painted, std::slice::from_ref(&frame), &[], 2.0), [200 * 160]);
        painted.primitives.clear();
        assert_eq!(show(&mut painted, &[frame], &[], 2.0), [200 * 160]);
    }

    #[test]
    fn many_changes_paint_everything() {
        let boxes = |color| (0..100).map(|i| filled(i as f32 % 10.0 * 9.0, (i / 10) as f32 * 7.0, 3.0, color)).collect::<Vec<_>>();
        assert_eq!(changed_areas(&boxes(Color32::RED), &boxes(Color32::GREEN), &[], 1.0), None);
    }

    #[test]
    fn the_parts_of_an_area_outside_of_another_are_disjoint_and_complete() {
        let area = |left, top, right, bottom| Area { min: [left, top], max: [right, bottom] };
        let whole = area(2, 2, 10, 10);
        for other in [area(4, 4, 6, 6), area(0, 0, 5, 5), area(0, 4, 20, 6), area(4, 0, 6, 20), area(0, 0, 20, 20), area(10, 2, 12, 10)] {
            let parts = whole.without(other);
            let contains = |area: Area, x, y| area.min[0] <= x && x < area.max[0] && area.min[1] <= y && y < area.max[1];
            for (x, y) in (0..20).flat_map(|y| (0..20).map(move |x| (x, y))) {
                let count = parts.iter().filter(|part| contains(**part, x, y)).count();
                assert_eq!(count, usize::from(contains(whole, x, y) && !contains(other, x, y)), "{other:?} at {x}, {y}");
            }
        }
    }
}

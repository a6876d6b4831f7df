//! Keeps the window's pixels between frames, so that a software rasterizer paints only the parts of the panels that have changed. Painting
//! all panels takes it longer than drawing most models.
//!
//! The picture and the panels are drawn into a texture that is copied to the window. In each frame the picture covers its areas, and panels
//! are painted over these areas and over the areas in which egui's triangles differ from the last frame's. Triangles are compared
//! one by one, because egui combines shapes that have nothing in common but their clip rectangle: a number in the status bar and the shade
//! behind a dialog, which covers the window, are parts of the same mesh.

use bytemuck::{bytes_of, cast_slice};
use egui::epaint::{ClippedPrimitive, Mesh, Primitive, Vertex};
use egui::{Rect, pos2};

use crate::render::device::gpu::Gpu;

/// If there are more changed areas than this, everything is painted.
const MAX_AREAS: usize = 48;
/// If more parts of a mesh have changed than this, they count as one.
const MAX_PARTS: usize = 6;
/// Two changed parts of a mesh count as one if this saves an area and adds at most this many square points.
const MAX_MERGE_COST: f32 = 1000.0;

/// The window's pixels, and the primitives that were painted.
pub struct PanelCache {
    texture: wgpu::Texture,
    painted: Painted,
}

impl PanelCache {
    /// Makes an empty texture of this width and height in pixels. `format` is the window's format.
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
            areas.iter().filter(move |area| shown.intersects(**area)).filter_map(move |area| part_in(primitive, shown, *area))
        });
        let clipped = clipped.collect();
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

/// Returns the areas in which the primitives differ, and the areas of the pictures. No two areas overlap, because translucent primitives
/// must not be painted twice. `None` if there are too many areas.
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
    let changed = pairs.flat_map(|(before, after)| changed_rects(before, after));
    for rect in changed.filter(Rect::is_positive) {
        let mut parts = vec![Area::around(rect, pixels_per_point)];
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

/// Returns rectangles, in points, outside of which two primitives give the same pixels, provided that textures have not changed.
fn changed_rects(before: Option<&ClippedPrimitive>, after: Option<&ClippedPrimitive>) -> Vec<Rect> {
    if let (Some(a), Some(b)) = (before, after)
        && let (Primitive::Mesh(first), Primitive::Mesh(second)) = (&a.primitive, &b.primitive)
        && a.clip_rect == b.clip_rect
        && first.texture_id == second.texture_id
    {
        return changed_parts(first, second).into_iter().map(|rect| rect.intersect(a.clip_rect)).collect();
    }
    // Nothing is known about the content of a callback.
    before.into_iter().chain(after).map(bounds).collect()
}

/// Returns rectangles that contain the triangles in which two meshes differ. Vertices are compared as bytes, because egui's comparison
/// rejects positions that are not numbers.
fn changed_parts(before: &Mesh, after: &Mesh) -> Vec<Rect> {
    if before.indices == after.indices && cast_slice::<_, u8>(&before.vertices) == cast_slice::<_, u8>(&after.vertices) {
        return Vec::new();
    }
    let (before_count, after_count) = (triangle_count(before), triangle_count(after));
    let is_same = |i: usize, j: usize| bytes_of(&triangle(before, i)) == bytes_of(&triangle(after, j));
    let shorter = before_count.min(after_count);
    let start = (0..shorter).take_while(|&i| is_same(i, i)).count();
    let end = (1..=shorter - start).take_while(|&i| is_same(before_count - i, after_count - i)).count();
    let mut parts = Vec::new();
    // With as many triangles as before, those in the middle that are the same are left out, too.
    let changed = |&i: &usize| before_count != after_count || !is_same(i, i);
    (start..before_count - end).filter(changed).for_each(|i| add_part(&mut parts, triangle_bounds(&triangle(before, i))));
    (start..after_count - end).filter(changed).for_each(|i| add_part(&mut parts, triangle_bounds(&triangle(after, i))));
    parts
}

/// Adds the rectangle of a changed triangle to those of the triangles before it.
fn add_part(parts: &mut Vec<Rect>, rect: Rect) {
    match parts.last_mut() {
        Some(last) if last.union(rect).area() <= last.area() + rect.area() + MAX_MERGE_COST => *last = last.union(rect),
        _ => parts.push(rect),
    }
    if parts.len() > MAX_PARTS {
        *parts = vec![parts.iter().fold(Rect::NOTHING, |all, part| all.union(*part))];
    }
}

/// Returns the part of a primitive that must be painted in an area. `shown` are its [`bounds`]. `None` if it covers nothing of the area.
fn part_in(primitive: &ClippedPrimitive, shown: Rect, area: Rect) -> Option<ClippedPrimitive> {
    let clip_rect = primitive.clip_rect.intersect(area);
    let primitive = match &primitive.primitive {
        Primitive::Mesh(mesh) if !area.contains_rect(shown) => Primitive::Mesh(triangles_in(mesh, clip_rect)),
        whole => whole.clone(),
    };
    let is_empty = matches!(&primitive, Primitive::Mesh(mesh) if mesh.is_empty());
    (clip_rect.is_positive() && !is_empty).then_some(ClippedPrimitive { clip_rect, primitive })
}

/// Returns the triangles of a mesh that may cover pixels of a rectangle.
fn triangles_in(mesh: &Mesh, rect: Rect) -> Mesh {
    let mut part = Mesh::with_texture(mesh.texture_id);
    let mut new_indices = vec![None; mesh.vertices.len()];
    for (number, indices) in mesh.indices.as_chunks::<3>().0.iter().enumerate() {
        if !triangle_bounds(&triangle(mesh, number)).intersects(rect) {
            continue;
        }
        for &index in indices {
            let new_index = *new_indices[index as usize].get_or_insert_with(|| {
                part.vertices.push(mesh.vertices[index as usize]);
                part.vertices.len() as u32 - 1
            });
            part.indices.push(new_index);
        }
    }
    part
}

fn triangle_count(mesh: &Mesh) -> usize {
    mesh.indices.len() / 3
}

fn triangle(mesh: &Mesh, number: usize) -> [Vertex; 3] {
    let corner = |corner: usize| mesh.vertices[mesh.indices[3 * number + corner] as usize];
    [corner(0), corner(1), corner(2)]
}

/// Returns the rectangle around a triangle, in points.
fn triangle_bounds([a, b, c]: &[Vertex; 3]) -> Rect {
    Rect { min: a.pos.min(b.pos).min(c.pos), max: a.pos.max(b.pos).max(c.pos) }
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
    use egui::{Color32, Pos2, vec2};

    const WINDOW: Rect = Rect { min: pos2(0.0, 0.0), max: pos2(100.0, 80.0) };

    /// Builds a filled rectangle of a color, clipped to the window.
    fn filled(left: f32, top: f32, size: f32, color: Color32) -> ClippedPrimitive {
        let mut mesh = Mesh::default();
        mesh.add_colored_rect(Rect::from_min_size(pos2(left, top), vec2(size, size)), color);
        ClippedPrimitive { clip_rect: WINDOW, primitive: Primitive::Mesh(mesh) }
    }

    /// Combines primitives with the same clip rectangle into one mesh, as egui does.
    fn combined(primitives: &[ClippedPrimitive]) -> ClippedPrimitive {
        let mut mesh = Mesh::default();
        for primitive in primitives {
            let Primitive::Mesh(part) = &primitive.primitive else { unreachable!() };
            mesh.append_ref(part);
        }
        ClippedPrimitive { clip_rect: primitives[0].clip_rect, primitive: Primitive::Mesh(mesh) }
    }

    /// Returns whether a triangle covers a point. A point on an edge belongs to one of the two triangles that share the edge.
    fn covers(corners: &[Vertex; 3], point: Pos2) -> bool {
        let [a, b, c] = [corners[0].pos, corners[1].pos, corners[2].pos];
        let cross = |from: Pos2, to: Pos2| (to - from).rot90().dot(point - from);
        let sign = (b - a).rot90().dot(c - a).signum();
        [(a, b), (b, c), (c, a)].into_iter().all(|(from, to)| {
            let (side, edge) = (sign * cross(from, to), sign * (to - from));
            side > 0.0 || (side == 0.0 && (edge.y > 0.0 || (edge.y == 0.0 && edge.x < 0.0)))
        })
    }

    /// Paints triangles on a grid of 200 x 160 pixels. A pixel is a list of colors: an opaque color, then the translucent colors that were
    /// painted over it. Returns the number of pixels that were painted with `Color32::GREEN`.
    fn paint(pixels: &mut [Vec<Color32>], primitives: &[ClippedPrimitive], pixels_per_point: f32) -> usize {
        let mut count = 0;
        for ClippedPrimitive { clip_rect, primitive } in primitives {
            let Primitive::Mesh(mesh) = primitive else { unreachable!() };
            for corners in (0..triangle_count(mesh)).map(|number| triangle(mesh, number)) {
                let color = corners[0].color;
                for (index, pixel) in pixels.iter_mut().enumerate() {
                    let [x, y] = [index % 200, index / 200].map(|i| (i as f32 + 0.5) / pixels_per_point);
                    if clip_rect.contains(pos2(x, y)) && covers(&corners, pos2(x, y)) {
                        if color.is_opaque() {
                            pixel.clear();
                        }
                        pixel.push(color);
                        count += usize::from(color == Color32::GREEN);
                    }
                }
            }
        }
        count
    }

    /// Shows frames one after another and compares the pixels with each frame painted completely. The first primitive of a frame
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
    fn a_change_in_a_combined_mesh_paints_its_triangles_only() {
        let [red, green, blue] = [Color32::RED, Color32::GREEN, Color32::from_rgba_unmultiplied(0, 0, 255, 100)];
        let panel = || filled(0.0, 0.0, 100.0, green);
        // Numbers at two corners, and the shade of a dialog over everything, in the same mesh.
        let shaded = |first: f32, second: f32| {
            combined(&[filled(first, 2.0, 4.0, red), filled(90.0, second, 4.0, red), filled(0.0, 0.0, 100.0, blue)])
        };
        let frames = [
            vec![panel(), shaded(2.0, 70.0)],
            vec![panel(), shaded(2.0, 71.0)],
            vec![panel(), shaded(5.0, 70.0)],
            // The second number disappears, so the shade has another place in the mesh.
            vec![panel(), combined(&[filled(5.0, 2.0, 4.0, red), filled(0.0, 0.0, 100.0, blue)])],
            vec![panel(), combined(&[filled(5.0, 2.0, 4.0, red), filled(90.0, 70.0, 4.0, red), filled(0.0, 0.0, 100.0, blue)])],
            vec![panel(), filled(5.0, 2.0, 4.0, red), filled(0.0, 0.0, 100.0, blue)],
        ];
        let counts = show(&mut Painted::default(), &frames, &[], 1.0);
        assert_eq!(counts, [8000, 4 * 5, 4 * 5 + 7 * 4, 4 * 4, 4 * 4, 8000]);
    }

    #[test]
    fn many_changes_in_a_mesh_count_as_one() {
        let boxes = |color| combined(&(0..20).map(|i| filled(i as f32 * 9.0, 40.0 * (i % 2) as f32, 3.0, color)).collect::<Vec<_>>());
        let area = changed_areas(&[boxes(Color32::RED)], &[boxes(Color32::GREEN)], &[], 1.0);
        assert_eq!(area, Some(vec![Area { min: [0, 0], max: [100, 43] }]));
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

//! Tests blended primitives whose triangles are in any order in the file. Opaque texels hide everything behind them. The translucent texels
//! in front are blended over them, in file order. The expected blend is worked out by hand.

use glam::{Mat4, Vec3, Vec4};
use sinew::model::material::{AlphaMode, Material};
use sinew::model::mesh::{Primitive, Vertices};

use crate::scene::{Scene, Shot, colored, gpu};
use crate::surface::energy::linear;

const WIDTH: f32 = 16.0;
const RED: Vec3 = Vec3::new(0.9, 0.1, 0.2);
const GREEN: Vec3 = Vec3::new(0.1, 0.8, 0.1);
const BEHIND: [u8; 3] = [10, 20, 30];

fn blended(double_sided: bool) -> Material {
    Material { alpha_mode: AlphaMode::Blend, double_sided, ..colored([1.0; 4]) }
}

/// Builds one quad for each entry of `list`, in the order of the list. An entry has the four corners, counterclockwise from the upper left,
/// and a color.
fn quads(list: &[([Vec3; 4], Vec4)]) -> Primitive {
    let vertices = Vertices {
        positions: list.iter().flat_map(|(corners, _)| *corners).collect(),
        colors: list.iter().flat_map(|(_, color)| [*color; 4]).collect(),
        ..Vertices::default()
    };
    let indices = (0..list.len() as u32).flat_map(|quad| [0, 1, 2, 0, 2, 3].map(|corner| 4 * quad + corner)).collect();
    let source_vertex_count = vertices.positions.len();
    Primitive { vertices: vertices.into(), indices, source_vertex_count, material: Some(0), ..Primitive::default() }
}

/// Returns a quad over whole columns of the picture. `left` and `right` are the z coordinates of its left and right edges.
fn columns(column: usize, count: usize, [left, right]: [f32; 2]) -> [Vec3; 4] {
    let (x, width) = (column as f32 * WIDTH, count as f32 * WIDTH);
    [Vec3::new(x, 0.0, left), Vec3::new(x, -64.0, left), Vec3::new(x + width, -64.0, right), Vec3::new(x + width, 0.0, right)]
}

/// Returns the blended color of layers, farthest first, in linear light.
fn composite(layers: &[Vec4]) -> Vec3 {
    let behind = Vec3::from(BEHIND.map(|byte| linear(f32::from(byte))));
    layers.iter().fold(behind, |behind, layer| behind.lerp(layer.truncate(), layer.w))
}

fn assert_light(pixel: [u8; 4], expected: Vec3, case: &str) {
    for (byte, expected) in pixel.into_iter().zip(expected.to_array()) {
        let [low, high] = [-1.0, 1.0].map(|by| linear((f32::from(byte) + by).max(0.0)));
        assert!((low..=high).contains(&expected), "{case}: {pixel:?}, but {expected} of the light");
    }
}

#[test]
fn nearer_texels_are_drawn_over_farther_texels_if_one_of_the_two_is_opaque() {
    let Some(gpu) = gpu() else { return };
    // Each column has a different pair of alphas. The near quads come first in the file.
    let alphas = [[1.0, 1.0], [0.5, 1.0], [1.0, 0.5], [0.3, 1.0]];
    let colors = alphas.map(|[near, far]| [RED.extend(near), GREEN.extend(far)]);
    let layers = [0, 1].map(|layer| {
        let z = 5.0 - 10.0 * layer as f32;
        colors.iter().enumerate().map(|(column, pair)| (columns(column, 1, [z; 2]), pair[layer])).collect::<Vec<_>>()
    });
    let primitive = quads(&layers.concat());
    for (samples, double_sided) in [(1, false), (1, true), (4, false), (4, true)] {
        let scene = Scene::new(vec![blended(double_sided)], vec![primitive.clone()]);
        let picture = scene.draw(gpu, &Shot { samples, ..Shot::default() });
        for (column, [near, far]) in colors.into_iter().enumerate() {
            let pixel = picture.get_pixel(column as u32 * 16 + 8, 32).0;
            assert_light(pixel, composite(&[far, near]), &format!("column {column}, {samples} samples, both sides {double_sided}"));
        }
    }
}

#[test]
fn crossing_opaque_surfaces_are_cut_at_their_intersection() {
    let Some(gpu) = gpu() else { return };
    // The first quad is nearer on the left.
    let crossing = |alpha| quads(&[(columns(0, 4, [8.0, -8.0]), RED.extend(alpha)), (columns(0, 4, [-8.0, 8.0]), GREEN.extend(alpha))]);
    let draw = |alpha| Scene::new(vec![blended(true)], vec![crossing(alpha)]).draw(gpu, &Shot::default());
    let (full, half) = (draw(1.0), draw(0.5));
    for x in (0..64).filter(|x| !(30..34).contains(x)) {
        let near = if x < 32 { RED } else { GREEN };
        assert_light(full.get_pixel(x, 20).0, near, &format!("column {x}"));
        // Where nothing is opaque, the quads are blended in file order.
        let expected = composite(&[RED.extend(0.5), GREEN.extend(0.5)]);
        assert_light(half.get_pixel(x, 20).0, expected, &format!("column {x}, half"));
    }
}

#[test]
fn coplanar_layers_are_blended_in_draw_order() {
    let Some(gpu) = gpu() else { return };
    // Red is opaque in columns 0 and 1, and half transparent in 2 and 3. Green is half transparent in column 1 and opaque in column 2, and
    // is drawn over red.
    let layer = |color: Vec3, full: [usize; 2], half: [usize; 2]| {
        quads(&[(columns(full[0], full[1], [0.0; 2]), color.extend(1.0)), (columns(half[0], half[1], [0.0; 2]), color.extend(0.5))])
    };
    let (first, second) = (layer(RED, [0, 2], [2, 2]), layer(GREEN, [2, 1], [1, 1]));
    let picture = Scene::new(vec![blended(false)], vec![first, second]).draw(gpu, &Shot::default());
    let [red, half_red, green, half_green] = [RED.extend(1.0), RED.extend(0.5), GREEN.extend(1.0), GREEN.extend(0.5)];
    let expected = [vec![red], vec![red, half_green], vec![half_red, green], vec![half_red]];
    for (column, layers) in expected.into_iter().enumerate() {
        assert_light(picture.get_pixel(column as u32 * 16 + 8, 32).0, composite(&layers), &format!("column {column}"));
    }
}

#[test]
fn opaque_texels_hide_farther_surfaces_drawn_later() {
    let Some(gpu) = gpu() else { return };
    // The first primitive is mostly farther away, but nearer in the last column.
    let first = quads(&[(columns(0, 3, [-20.0; 2]), RED.extend(0.5)), (columns(3, 1, [20.0; 2]), RED.extend(1.0))]);
    let second = quads(&[(columns(0, 4, [5.0; 2]), GREEN.extend(0.5))]);
    let mut scene = Scene::new(vec![blended(false)], vec![first]);
    scene.add(second, Mat4::IDENTITY);
    let picture = scene.draw(gpu, &Shot::default());
    assert_light(picture.get_pixel(8, 32).0, composite(&[RED.extend(0.5), GREEN.extend(0.5)]), "behind");
    assert_light(picture.get_pixel(56, 32).0, RED, "in front");
}

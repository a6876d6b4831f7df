//! Tests the shading modes with surfaces of known colors, and the hatching of surfaces without data for a mode.

use glam::{Vec2, Vec3, Vec4};
use image::RgbaImage;
use sinew::model::material::{AlphaMode, Material};
use sinew::session::view::display::{Display, Lighting, Shading};

use crate::common::pixels::count;
use crate::scene::{Scene, Shot, colored, gpu, quad, with};

fn shot(shading: Shading) -> Shot {
    Shot { display: Display { shading, ..Shot::default().display }, ..Shot::default() }
}

fn close(pixel: [u8; 4], expected: [u8; 3], case: &str) {
    assert!(pixel.iter().zip(expected).all(|(a, b)| a.abs_diff(b) <= 1), "{case}: {pixel:?} is not {expected:?}");
}

#[test]
fn each_mode_shows_its_own_value_of_a_surface_with_all_attributes() {
    let Some(gpu) = gpu() else { return };
    let full = with(quad(0.0, 0.0, 64.0, 64.0), |vertices| {
        vertices.normals = vec![Vec3::Z; 4];
        vertices.tangents = vec![Vec4::new(1.0, 0.0, 0.0, 1.0); 4];
        vertices.colors = vec![Vec4::new(1.0, 0.0, 1.0, 1.0); 4];
    });
    for (material, lighting) in [(colored([1.0, 1.0, 0.0, 1.0]), Lighting::None), (colored([1.0, 1.0, 0.0, 1.0]), Lighting::Studio)] {
        for unlit in [false, true] {
            let scene = Scene::new(vec![Material { unlit, ..material.clone() }], vec![full.clone()]);
            let cases = [
                (Shading::BaseColor, [255, 0, 0]),
                (Shading::Normals, [128, 128, 255]),
                (Shading::Tangents, [255, 128, 128]),
                (Shading::VertexColors, [255, 0, 255]),
            ];
            for (shading, expected) in cases {
                let mut shot = shot(shading);
                shot.display.lighting = lighting;
                let case = format!("{shading:?}, {lighting:?}, unlit {unlit}");
                close(scene.draw(gpu, &shot).get_pixel(20, 40).0, expected, &case);
            }
        }
    }
    // Without light, clay is 0.42 for any material.
    let scene = Scene::new(vec![colored([1.0, 1.0, 0.0, 1.0])], vec![full]);
    close(scene.draw(gpu, &shot(Shading::Clay)).get_pixel(20, 40).0, [173; 3], "clay");
}

#[test]
fn tangents_of_mirrored_texture_coordinates_are_striped() {
    let Some(gpu) = gpu() else { return };
    let mirrored = with(quad(0.0, 0.0, 64.0, 64.0), |vertices| {
        vertices.normals = vec![Vec3::Z; 4];
        vertices.tangents = vec![Vec4::new(1.0, 0.0, 0.0, -1.0); 4];
    });
    let picture = Scene::new(vec![Material::default()], vec![mirrored]).draw(gpu, &shot(Shading::Tangents));
    let like = |expected: [u8; 3]| picture.pixels().filter(|pixel| pixel.0.iter().zip(expected).all(|(a, b)| a.abs_diff(b) <= 1)).count();
    let (bright, dark) = (like([255, 128, 128]), like([153, 77, 77]));
    assert!(bright > 600 && dark > 600, "{bright} pixels between the stripes, {dark} on them");
}

#[test]
fn the_uv_checkerboard_gets_redder_with_u_and_greener_with_v() {
    let Some(gpu) = gpu() else { return };
    // Cells of eight pixels are too small for labels.
    let picture = Scene::new(vec![Material::default()], vec![quad(0.0, 0.0, 64.0, 64.0)]).draw(gpu, &shot(Shading::Uv));
    for row in 0..8 {
        for column in 0..8 {
            let shade = if (row + column) % 2 == 1 { 0.66 } else { 1.0 };
            let channel = |cell: u32| ((0.28 + (cell as f32 + 0.5) / 8.0 * 0.62) * shade * 255.0f32).round() as u8;
            let expected = [channel(column), channel(row), (0.5 * shade * 255.0f32).round() as u8];
            close(picture.get_pixel(column * 8 + 4, row * 8 + 4).0, expected, &format!("column {column}, row {row}"));
        }
    }
}

/// Returns the two characters in the label of a cell of 64 pixels, with fifteen dots each.
fn label(picture: &RgbaImage, column: u32, row: u32) -> [String; 2] {
    let ground = picture.get_pixel(column * 64 + 2, row * 64 + 2).0;
    [2, 6].map(|left| {
        let dots = (0..5).flat_map(|y| (0..3).map(move |x| (x, y)));
        dots.map(|(x, y)| {
            let at = |dot: u32, cell: u32| cell * 64 + ((dot as f32 + 0.5) * 64.0 / 11.0) as u32;
            if picture.get_pixel(at(left + x, column), at(3 + y, row)).0 == ground { '.' } else { '#' }
        })
        .collect()
    })
}

#[test]
fn labels_of_cells_are_mirrored_where_texture_coordinates_are() {
    let Some(gpu) = gpu() else { return };
    let shot = Shot { size: [512, 512], ..shot(Shading::Uv) };
    let upright = quad(0.0, 0.0, 512.0, 512.0);
    let mirrored = with(upright.clone(), |vertices| {
        vertices.tex_coords[0].iter_mut().for_each(|uv| *uv = Vec2::new(1.0 - uv.x, uv.y));
    });
    let draw = |primitive| Scene::new(vec![Material::default()], vec![primitive]).draw(gpu, &shot);
    let picture = draw(upright);
    let (a, one, e, seven) = (".#.#.#####.##.#", ".#.##..#..#.###", "####..##.#..###", "###..#.#..#..#.");
    assert_eq!(label(&picture, 0, 0), [a, one]);
    assert_eq!(label(&picture, 4, 6), [e, seven]);
    // Mirrored, the digit comes first and every row of dots is reversed.
    let picture = draw(mirrored);
    assert_eq!(label(&picture, 7, 0), [".#..##.#..#.###", ".#.#.#####.##.#"]);
    assert_eq!(label(&picture, 3, 6), ["####...#..#..#.", "###..#.##..####"]);
}

#[test]
fn missing_data_is_hatched_the_same_with_and_without_tiles() {
    let Some(gpu) = gpu() else { return };
    let bare = with(quad(0.0, 0.0, 64.0, 64.0), |vertices| vertices.tex_coords = Default::default());
    let cut = Material { alpha_mode: AlphaMode::Mask { cutoff: 0.5 }, ..Material::default() };
    for material in [Material::default(), cut] {
        let scene = Scene::new(vec![material], vec![bare.clone()]);
        for shading in [Shading::Tangents, Shading::Uv, Shading::VertexColors] {
            let whole = scene.draw(gpu, &shot(shading));
            assert!(count(&whole, [92, 92, 92, 255]) > 600 && count(&whole, [117, 117, 117, 255]) > 600, "{shading:?}");
            assert!(whole.pixels().all(|pixel| pixel.0[0] == pixel.0[1] && (92..=117).contains(&pixel.0[0])), "{shading:?}");
            assert_eq!(scene.draw(gpu, &Shot { tile: 16, ..shot(shading) }), whole);
        }
    }
}

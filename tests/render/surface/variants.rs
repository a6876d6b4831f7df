//! Tests that the material of the chosen variant is drawn, even if an animation changes it.

use serde_json::json;
use sinew::model::mesh::Primitive;
use sinew::session::view::display::Display;

use crate::common::pixels::count;
use crate::scene::{Scene, Shot, colored, gpu, quad};
use crate::surface::animated_properties::{Stage, square, stepping};

const RED: [u8; 4] = [255, 0, 0, 255];
const BLUE: [u8; 4] = [0, 0, 255, 255];

#[test]
fn the_chosen_variant_is_drawn_where_it_has_a_material() {
    let Some(gpu) = gpu() else { return };
    let materials = vec![colored([1.0, 0.0, 0.0, 1.0]), colored([0.0, 0.0, 1.0, 1.0])];
    // The left quad is blue in the variants 1 and 2, the right one in variant 2.
    let left = Primitive { variants: vec![(1, 1), (2, 1)], ..quad(0.0, 0.0, 8.0, 8.0) };
    let right = Primitive { variants: vec![(2, 1)], ..quad(8.0, 0.0, 8.0, 8.0) };
    let scene = Scene::new(materials, vec![left, right]);
    for (variant, red, blue) in [(None, 128, 0), (Some(0), 128, 0), (Some(1), 64, 64), (Some(2), 0, 128), (Some(9), 128, 0)] {
        let display = Display { variant, ..Shot::default().display };
        let picture = scene.draw(gpu, &Shot { size: [16, 8], display, ..Shot::default() });
        assert_eq!((count(&picture, RED), count(&picture, BLUE)), (red, blue), "variant {variant:?}");
    }
}

#[test]
fn a_variants_animated_material_is_drawn() {
    let Some(gpu) = gpu() else { return };
    let mut gltf = square(json!({ "pbrMetallicRoughness": { "baseColorFactor": [0, 1, 0, 1] } }));
    gltf.push("materials", json!({}));
    gltf.json["extensions"] = json!({ "KHR_materials_variants": { "variants": [{ "name": "other" }] } });
    gltf.json["meshes"][0]["primitives"][0]["extensions"] =
        json!({ "KHR_materials_variants": { "mappings": [{ "material": 1, "variants": [0] }] } });
    stepping(&mut gltf, "/materials/1/pbrMetallicRoughness/baseColorFactor", "VEC4", &[1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0]);
    let mut stage = Stage::new(&gltf, gpu);
    assert_eq!((count(&stage.draw(0.0), RED), count(&stage.draw(1.0), BLUE)), (0, 0));
    stage.view.display.variant = Some(0);
    assert_eq!((count(&stage.draw(0.0), RED), count(&stage.draw(1.0), BLUE)), (32 * 32, 32 * 32));
}

//! Tests how animated properties other than node transforms look in the picture: materials, texture transforms, visibility, cameras and
//! lights. The files are made here and posed as usual. Pixel counts are compared with areas worked out by hand.

use image::RgbaImage;
use serde_json::{Value, json};
use sinew::asset;
use sinew::camera::{Camera, Projection};
use sinew::codec::texels::{DecodeOptions, DecodedImage};
use sinew::colors;
use sinew::export::still::options::StillOptions;
use sinew::render::device::gpu::Gpu;
use sinew::render::material::mipmap::{self, PreparedImage};
use sinew::render::model::GpuModel;
use sinew::render::picture::{Background, Msaa};
use sinew::render::renderer::Renderer;
use sinew::session::analyses::{Analyses, Subject};
use sinew::session::document::Document;
use sinew::session::names::NameStyle;
use sinew::session::view::display::{Display, Lighting, Shading, Tonemap};
use sinew::session::view::{View, ViewCamera};

use crate::common::gltf_builder::Gltf;
use crate::common::pixels::count;
use crate::scene::{CHECKER, gpu, still};

const BACKGROUND: [u8; 4] = [10, 20, 30, 255];

/// Builds a square of two meters in the plane z = 0, centered at the origin, with the texture upright.
pub fn square(material: Value) -> Gltf {
    let mut gltf = Gltf::new();
    let positions = gltf.floats("VEC3", &[-1.0, 1.0, 0.0, -1.0, -1.0, 0.0, 1.0, -1.0, 0.0, 1.0, 1.0, 0.0]);
    let normals = gltf.floats("VEC3", &[0.0, 0.0, 1.0].repeat(4));
    let tex_coords = gltf.floats("VEC2", &[0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0]);
    let indices = gltf.u16s("SCALAR", &[0, 1, 2, 0, 2, 3]);
    let attributes = json!({ "POSITION": positions, "NORMAL": normals, "TEXCOORD_0": tex_coords });
    gltf.mesh_node(json!({ "attributes": attributes, "indices": indices, "material": 0 }));
    gltf.push("materials", material);
    gltf.push("scenes", json!({ "nodes": [0] }));
    gltf
}

/// Adds an animation that steps `pointer` from its first value to its second at one second.
pub fn stepping(gltf: &mut Gltf, pointer: &str, type_: &str, values: &[f32]) {
    let output = gltf.floats(type_, values);
    driven(gltf, pointer, output);
}

fn driven(gltf: &mut Gltf, pointer: &str, output: usize) {
    let input = gltf.floats("SCALAR", &[0.0, 1.0]);
    let target = json!({ "path": "pointer", "extensions": { "KHR_animation_pointer": { "pointer": pointer } } });
    let samplers = json!([{ "input": input, "output": output, "interpolation": "STEP" }]);
    gltf.push("animations", json!({ "channels": [{ "sampler": 0, "target": target }], "samplers": samplers }));
}

/// A document on the GPU that one renderer draws again and again, as in the window.
pub struct Stage {
    gpu: &'static Gpu,
    renderer: Renderer,
    gpu_model: GpuModel,
    document: Document,
    pub view: View,
    /// Whether the camera shows four meters around the origin in 64 pixels. Otherwise the view's camera is used.
    fixed: bool,
}

impl Stage {
    pub fn new(gltf: &Gltf, gpu: &'static Gpu) -> Self {
        let loaded = asset::load_bytes(gltf.to_glb(), "test").unwrap();
        let mut gpu_model = GpuModel::new(gpu, &loaded.model).unwrap();
        let uses = mipmap::image_uses(&loaded.model, loaded.images.len());
        for (i, source) in loaded.images.iter().enumerate() {
            let prepared = PreparedImage::new(uses[i], asset::image::decode(source, &DecodeOptions::default()).unwrap());
            gpu_model.set_image(gpu, i, Some(&prepared)).unwrap();
        }
        let display = Display { lighting: Lighting::None, tonemap: Tonemap::None, grid: false, ..Display::default() };
        let view = View { animation: Some(0), display, ..View::default() };
        let document = Document::new(loaded.model.into(), "test".into(), None);
        let renderer = Renderer::new(gpu, wgpu::TextureFormat::Rgba8Unorm, Msaa::One);
        Self { gpu, renderer, gpu_model, document, view, fixed: true }
    }

    pub fn draw(&mut self, time: f64) -> RgbaImage {
        let camera = Camera::look_at(
            glam::DVec3::Z * 10.0,
            glam::DVec3::ZERO,
            glam::DVec3::Y,
            Projection::Orthographic { ymag: 2.0, xmag: None, depth: 20.0 },
            0.0,
        );
        let options = StillOptions {
            width: 64,
            height: 64,
            supersample: 1,
            background: Background::Color([10, 20, 30]),
            overlays: false,
            theme: colors::DARK,
            names: NameStyle::Full,
            units: Default::default(),
            pixels_per_point: 1.0,
            camera: self.fixed.then_some(camera),
        };
        still(
            self.gpu,
            &mut self.renderer,
            &self.gpu_model,
            Subject { document: &self.document, analyses: &Analyses::new(&self.document, &self.view), view: &self.view },
            time,
            &options,
        )
        .unwrap()
    }
}

const RED: [u8; 4] = [255, 0, 0, 255];
const GREEN: [u8; 4] = [0, 255, 0, 255];

#[test]
fn an_animated_color_follows_the_time_and_is_the_files_color_without_an_animation() {
    let Some(gpu) = gpu() else { return };
    let mut gltf = square(json!({ "pbrMetallicRoughness": { "baseColorFactor": [0, 0, 1, 1] } }));
    stepping(&mut gltf, "/materials/0/pbrMetallicRoughness/baseColorFactor", "VEC4", &[1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0]);
    let mut stage = Stage::new(&gltf, gpu);
    for (time, color) in [(0.0, RED), (1.0, GREEN), (0.5, RED)] {
        assert_eq!(count(&stage.draw(time), color), 32 * 32, "at {time}");
    }
    stage.view.animation = None;
    assert_eq!(count(&stage.draw(0.0), [0, 0, 255, 255]), 32 * 32);
}

#[test]
fn an_animated_specular_factor_is_shown_as_a_value_of_the_material() {
    let Some(gpu) = gpu() else { return };
    let mut gltf = square(json!({ "extensions": { "KHR_materials_specular": {} } }));
    stepping(&mut gltf, "/materials/0/extensions/KHR_materials_specular/specularFactor", "SCALAR", &[1.0, 0.0]);
    let mut stage = Stage::new(&gltf, gpu);
    stage.view.display.shading = Shading::Specular;
    for (time, color) in [(0.0, [255, 255, 255, 255]), (1.0, [0, 0, 0, 255])] {
        assert_eq!(count(&stage.draw(time), color), 32 * 32, "at {time}");
    }
}

#[test]
fn two_renderers_draw_one_model_at_two_times() {
    let Some(gpu) = gpu() else { return };
    let mut gltf = square(json!({ "pbrMetallicRoughness": {} }));
    stepping(&mut gltf, "/materials/0/pbrMetallicRoughness/baseColorFactor", "VEC4", &[1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0]);
    let mut stage = Stage::new(&gltf, gpu);
    let mut other = Renderer::new(gpu, wgpu::TextureFormat::Rgba8Unorm, Msaa::One);
    for _ in 0..2 {
        assert_eq!(count(&stage.draw(0.0), RED), 32 * 32);
        std::mem::swap(&mut stage.renderer, &mut other);
        assert_eq!(count(&stage.draw(1.0), GREEN), 32 * 32);
        std::mem::swap(&mut stage.renderer, &mut other);
    }
}

#[test]
fn an_animated_texture_transform_applies_to_an_image_loaded_later() {
    let Some(gpu) = gpu() else { return };
    // The left half of the texture is red and the right half is green. The offset is half the texture at first, then a quarter.
    let mut texels = image::RgbaImage::new(2, 1);
    texels.put_pixel(0, 0, image::Rgba(RED));
    texels.put_pixel(1, 0, image::Rgba(GREEN));
    let mut bytes = std::io::Cursor::new(Vec::new());
    texels.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    let mut gltf = square(json!({ "pbrMetallicRoughness": { "baseColorTexture": {
        "index": 0, "extensions": { "KHR_texture_transform": {} } } } }));
    let view = gltf.view(bytes.get_ref());
    gltf.push("images", json!({ "bufferView": view, "mimeType": "image/png" }));
    gltf.push("samplers", json!({ "minFilter": 9728, "magFilter": 9728 }));
    gltf.push("textures", json!({ "source": 0, "sampler": 0 }));
    let offset = "/materials/0/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/offset";
    stepping(&mut gltf, offset, "VEC2", &[0.5, 0.0, 0.25, 0.0]);
    let mut stage = Stage::new(&gltf, gpu);
    let is = |picture: &RgbaImage, at: [u32; 4], colors: [[u8; 4]; 4]| {
        for (x, color) in at.into_iter().zip(colors) {
            assert_eq!(picture.get_pixel(x, 32).0, color, "at {x}");
        }
    };
    // The square begins at pixel 16. Each eighth of the texture is 4 pixels wide.
    is(&stage.draw(0.0), [18, 30, 34, 46], [GREEN, GREEN, RED, RED]);
    is(&stage.draw(1.0), [18, 30, 34, 46], [RED, GREEN, GREEN, RED]);

    stage.gpu_model.set_image(gpu, 0, None).unwrap();
    assert!(count(&stage.draw(1.0), CHECKER[0]) > 32 * 8, "a checkerboard while there is no image");
    let blue = DecodedImage::rgba(1, 1, vec![0, 0, 255, 255]);
    let prepared = PreparedImage::new(mipmap::image_uses(&stage.document.model, 1)[0], blue);
    stage.gpu_model.set_image(gpu, 0, Some(&prepared)).unwrap();
    assert_eq!(count(&stage.draw(1.0), [0, 0, 255, 255]), 32 * 32);
}

#[test]
fn each_texture_uses_its_own_set_of_texture_coordinates() {
    let Some(gpu) = gpu() else { return };
    // The image is red, green and blue from left to right. The first set of texture coordinates points to red, the second to green, the
    // third to blue.
    let mut texels = image::RgbaImage::new(3, 1);
    for (x, color) in [RED, GREEN, [0, 0, 255, 255]].into_iter().enumerate() {
        texels.put_pixel(x as u32, 0, image::Rgba(color));
    }
    let mut bytes = std::io::Cursor::new(Vec::new());
    texels.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    for (base, normal, color) in [(0, 2, RED), (1, 2, GREEN), (2, 0, [0, 0, 255, 255]), (2, 1, [0, 0, 255, 255])] {
        let mut gltf = square(json!({
            "pbrMetallicRoughness": { "baseColorTexture": { "index": 0, "texCoord": base } },
            "normalTexture": { "index": 0, "texCoord": normal },
        }));
        for (set, u) in [0.5 / 3.0, 1.5 / 3.0, 2.5 / 3.0].into_iter().enumerate() {
            let accessor = gltf.floats("VEC2", &[u, 0.5].repeat(4));
            gltf.json["meshes"][0]["primitives"][0]["attributes"][format!("TEXCOORD_{set}")] = json!(accessor);
        }
        let view = gltf.view(bytes.get_ref());
        gltf.push("images", json!({ "bufferView": view, "mimeType": "image/png" }));
        gltf.push("samplers", json!({ "minFilter": 9728, "magFilter": 9728 }));
        gltf.push("textures", json!({ "source": 0, "sampler": 0 }));
        let transform = json!({ "KHR_texture_transform": { "offset": [0, 0] } });
        gltf.json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"]["extensions"] = transform;
        let offset = "/materials/0/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/offset";
        // The offset moves by one whole repetition, so the color is the same.
        stepping(&mut gltf, offset, "VEC2", &[0.0, 0.0, 1.0, 0.0]);
        let mut stage = Stage::new(&gltf, gpu);
        for time in [0.0, 1.0] {
            assert_eq!(count(&stage.draw(time), color), 32 * 32, "base color {base}, normals {normal}, at {time}");
        }
    }
}

#[test]
fn animated_emissive_strength_and_cutoff_are_drawn() {
    let Some(gpu) = gpu() else { return };
    let mut gltf = square(json!({
        "pbrMetallicRoughness": { "baseColorFactor": [0, 0, 0, 0.5] }, "emissiveFactor": [1, 0, 0],
        "extensions": { "KHR_materials_emissive_strength": { "emissiveStrength": 0.25 } }, "alphaMode": "MASK", "alphaCutoff": 0.4,
    }));
    stepping(&mut gltf, "/materials/0/extensions/KHR_materials_emissive_strength/emissiveStrength", "SCALAR", &[0.0, 1.0]);
    stepping(&mut gltf, "/materials/0/alphaCutoff", "SCALAR", &[0.4, 0.6]);
    let mut stage = Stage::new(&gltf, gpu);
    // Flat light adds no specular reflection to black, so only the emission shows.
    stage.view.display.lighting = Lighting::Flat;
    let red = |picture: &RgbaImage| i32::from(picture.get_pixel(32, 32).0[0]);
    let (dark, bright) = (red(&stage.draw(0.0)), red(&stage.draw(1.0)));
    assert!(dark < 100 && bright >= 250, "{dark}, {bright}");
    stage.view.animation = Some(1);
    let shown = |picture: &RgbaImage| 64 * 64 - count(picture, BACKGROUND);
    assert_eq!((shown(&stage.draw(0.0)), shown(&stage.draw(1.0))), (32 * 32, 0));
}

#[test]
fn animated_visibility_hides_the_subtree_in_the_picture() {
    let Some(gpu) = gpu() else { return };
    let mut gltf = square(json!({ "pbrMetallicRoughness": { "baseColorFactor": [1, 0, 0, 1] } }));
    // The parent is empty. When it is hidden, the square below it is hidden too.
    let parent = gltf.push("nodes", json!({ "children": [0], "extensions": { "KHR_node_visibility": { "visible": false } } }));
    gltf.json["scenes"][0]["nodes"] = json!([parent]);
    let output = gltf.u8s("SCALAR", &[1, 0]);
    driven(&mut gltf, "/nodes/1/extensions/KHR_node_visibility/visible", output);
    let mut stage = Stage::new(&gltf, gpu);
    for (time, pixels) in [(0.0, 32 * 32), (1.0, 0), (0.0, 32 * 32)] {
        assert_eq!(count(&stage.draw(time), RED), pixels, "at {time}");
    }
    stage.view.animation = None;
    assert_eq!(count(&stage.draw(0.0), RED), 0, "hidden at rest, as in the file");
}

#[test]
fn an_animated_camera_uses_its_animated_field_of_view() {
    let Some(gpu) = gpu() else { return };
    let mut gltf = square(json!({ "pbrMetallicRoughness": { "baseColorFactor": [1, 0, 0, 1] } }));
    gltf.push("cameras", json!({ "type": "orthographic", "orthographic": { "xmag": 8, "ymag": 8, "znear": 0, "zfar": 20 } }));
    let node = gltf.push("nodes", json!({ "camera": 0, "translation": [0, 0, 10] }));
    gltf.json["scenes"][0]["nodes"] = json!([0, node]);
    stepping(&mut gltf, "/cameras/0/orthographic/ymag", "SCALAR", &[2.0, 4.0]);
    let xmag = gltf.floats("SCALAR", &[2.0, 4.0]);
    gltf.json["animations"][0]["samplers"].as_array_mut().unwrap().push(json!({ "input": 0, "output": xmag, "interpolation": "STEP" }));
    let input = gltf.json["animations"][0]["samplers"][0]["input"].clone();
    gltf.json["animations"][0]["samplers"][1]["input"] = input;
    let target = json!({ "path": "pointer", "extensions": { "KHR_animation_pointer": { "pointer": "/cameras/0/orthographic/xmag" } } });
    gltf.json["animations"][0]["channels"].as_array_mut().unwrap().push(json!({ "sampler": 1, "target": target }));
    let mut stage = Stage::new(&gltf, gpu);
    (stage.fixed, stage.view.camera) = (false, ViewCamera::File(0));
    assert_eq!((count(&stage.draw(0.0), RED), count(&stage.draw(1.0), RED)), (32 * 32, 16 * 16));
    stage.view.animation = None;
    assert_eq!(count(&stage.draw(0.0), RED), 8 * 8);
}

#[test]
fn an_animated_light_colors_the_surface_it_lights() {
    let Some(gpu) = gpu() else { return };
    let mut gltf = square(json!({ "pbrMetallicRoughness": { "metallicFactor": 0 } }));
    gltf.json["extensions"] = json!({ "KHR_lights_punctual": { "lights": [{ "type": "directional", "intensity": 20 }] } });
    let node = gltf.push("nodes", json!({ "extensions": { "KHR_lights_punctual": { "light": 0 } } }));
    gltf.json["scenes"][0]["nodes"] = json!([0, node]);
    stepping(&mut gltf, "/extensions/KHR_lights_punctual/lights/0/color", "VEC3", &[1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    let mut stage = Stage::new(&gltf, gpu);
    // The lamp of flat light is always on, so the file's light must be brighter.
    stage.view.display.lighting = Lighting::Flat;
    stage.view.display.exposure = -3.0;
    let pixel = |picture: RgbaImage| picture.get_pixel(32, 32).0.map(i32::from);
    let ([r0, g0, ..], [r1, g1, ..]) = (pixel(stage.draw(0.0)), pixel(stage.draw(1.0)));
    assert!(r0 > g0 + 60 && g1 > r1 + 60 && (r0 - g1).abs() <= 1, "{r0} {g0}, then {r1} {g1}");
}

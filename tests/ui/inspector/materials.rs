//! Tests the materials in the inspector, the previews of their images, and the dialog that shows a texture large.

use std::f32::consts::FRAC_PI_2;

use egui::accesskit::{Role, Toggled};
use egui::{Color32, Modifiers};
use egui_kittest::kittest::{NodeT, Queryable};
use glam::{Vec2, Vec3, Vec4};

use sinew::codec::texels::DecodedImage;
use sinew::codec::texels::Encoding;
use sinew::model::Model;
use sinew::model::material::{AlphaMode, Material};
use sinew::model::material_layers::{Clearcoat, SpecularGlossiness};
use sinew::model::mesh::{Primitive, Vertices};
use sinew::model::texture::{Image, Sampler, Texture, TextureSlot, TextureTransform, Wrap};
use sinew::session::document::Document;
use sinew::ui::context::image_previews::Pixels;
use sinew::ui::context::request::Request;
use sinew::ui::context::request::{PreviewDetail, PreviewOrder};
use sinew::ui::context::window_state::{Dialog, TextureUse};
use sinew::ui::dialogs::texture::channel::{self, Channel};
use sinew::ui::dialogs::texture::uv_outline::UvOutline;
use sinew::ui::inspector::materials::factors::{Factor, factors};

use crate::common::ui_harness::{Window, harness, walker};
use crate::gestures::{Ui, click, click_row};

fn texture(image: Option<usize>) -> Texture {
    Texture { source: 0, image, sampler: Sampler::DEFAULT, tex_coord: 0, transform: TextureTransform::IDENTITY }
}

fn image(name: &str, kind: &str, width: u32, height: u32) -> Image {
    Image { name: Some(name.into()), kind: kind.into(), width, height, ..Image::default() }
}

/// Builds the walker with a textured material on its body.
fn painted() -> Model {
    let turned = TextureTransform { offset: Vec2::new(0.5, 0.0), rotation: FRAC_PI_2, scale: Vec2::splat(2.0) };
    let sharp = Sampler { mag_linear: false, min_linear: true, mip_linear: None, wrap_s: Wrap::ClampToEdge, wrap_t: Wrap::MirroredRepeat };
    let paint = Material {
        name: Some("Paint".into()),
        tex_coords: [0, 3],
        base_color_factor: Vec4::new(1.0, 0.5, 0.25, 0.125),
        base_color_texture: Some(Texture { transform: turned, ..texture(Some(0)) }),
        metallic_factor: 0.25,
        roughness_factor: 0.75,
        normal_texture: Some(Texture { tex_coord: 1, sampler: sharp, ..texture(Some(1)) }),
        occlusion_texture: Some(texture(Some(2))),
        emissive_texture: Some(texture(None)),
        alpha_mode: AlphaMode::Mask { cutoff: 0.375 },
        double_sided: true,
        clearcoat: Clearcoat { factor: 0.875, roughness_factor: 0.125, ..Clearcoat::default() },
        ..Material::default()
    };
    let mut model = walker();
    model.materials = vec![paint];
    let blocks = Image { needs_blocks: true, ..image("bumps", "ktx2", 512, 512) };
    model.images =
        vec![image("paint.png", "png", 2048, 1024), blocks, Image { uri: Some("textures/skin.jpg".into()), ..image("", "jpeg", 64, 64) }];
    let primitive = &mut model.meshes[0].primitives[0];
    primitive.material = Some(0);
    std::sync::Arc::make_mut(&mut primitive.vertices).tex_coords[0] = vec![Vec2::ZERO, Vec2::X, Vec2::Y];
    model
}

/// Opens a model in a high window and selects its body.
fn open_body(model: Model) -> Ui {
    let mut ui = harness(1280.0, 2400.0, 1.0, Window::new(model));
    click_row(&mut ui, "Body", Modifiers::NONE);
    ui
}

fn orders(ui: &Ui) -> Vec<PreviewOrder> {
    let previews = ui.state().requests.iter().filter_map(|request| match request {
        Request::PreviewImage(order) => Some(*order),
        _ => None,
    });
    previews.collect()
}

/// Answers a request for a preview, as the application does.
fn answer(ui: &mut Ui, order: &PreviewOrder, decoded: Result<DecodedImage, String>) {
    let egui = ui.ctx.clone();
    let Window { state, document, .. } = ui.state_mut();
    state.status.previews.get(document).receive(&egui, order, decoded);
    ui.run();
}

/// Returns the number of egui textures with this name.
fn textures(ui: &Ui, name: &str) -> usize {
    let manager = ui.ctx.tex_manager();
    manager.read().allocated().filter(|(_, meta)| meta.name == name).count()
}

#[test]
fn the_inspector_shows_the_factors_of_a_material() {
    let ui = open_body(painted());
    ui.get_by_label("Material: Paint (material 0)");
    for row in [
        "Base color: 1.000, 0.500, 0.250, 0.125",
        "Metallic: 0.250",
        "Roughness: 0.750",
        "Emissive: 0.000, 0.000, 0.000",
        "Normal scale: 1.000",
        "Occlusion strength: 1.000",
        "Alpha mode: mask",
        "Alpha cutoff: 0.375",
        "Double-sided: yes",
        "Clearcoat: 0.875",
        "Clearcoat roughness: 0.125",
    ] {
        ui.get_by_label(row);
    }
    for absent in ["Sheen roughness", "Index of refraction", "Emissive strength", "Unlit", "Clearcoat normal scale"] {
        assert!(ui.query_by_label_contains(absent).is_none(), "{absent}");
    }
}

#[test]
fn the_inspector_shows_how_each_texture_is_stored_and_mapped() {
    let ui = open_body(painted());
    for row in [
        "Base color texture: paint.png; 2048 \u{D7} 1024 PNG; UV set 0, repeat; linear, mipmaps linear; \
         offset 0.5, 0, rotation 90.0\u{b0}, scale 2, 2",
        "Normal texture: bumps; 512 \u{D7} 512 KTX2; UV set 3, clamp to edge in U, mirrored repeat in V; \
         magnified nearest, minified linear, no mipmaps; no preview: only the graphics device can read its blocks",
        "Occlusion texture: skin.jpg; 64 \u{D7} 64 JPEG; UV set 0, repeat; linear, mipmaps linear",
        "Emissive texture: no image that can be read; UV set 0, repeat; linear, mipmaps linear",
    ] {
        ui.get_by_role_and_label(Role::Button, row);
    }
}

#[test]
fn a_material_folds_and_the_default_material_is_named() {
    let mut ui = open_body(painted());
    click(&mut ui, "Material: Paint (material 0)");
    assert!(ui.query_by_label("Metallic: 0.250").is_none());
    click(&mut ui, "Material: Paint (material 0)");
    ui.get_by_label("Metallic: 0.250");
    click_row(&mut ui, "Hips", Modifiers::NONE);
    assert!(ui.query_by_label("Metallic: 0.250").is_none(), "a joint has no mesh");
    open_body(walker()).get_by_label("Material: default (none in the file)");
}

#[test]
fn glossiness_replaces_metalness_and_roughness() {
    let glossy = SpecularGlossiness { specular_factor: Vec3::new(0.5, 0.25, 0.0), glossiness_factor: 0.75, texture: None };
    let rows = factors(&Material { specular_glossiness: Some(glossy), ..Material::default() });
    let of = |label: &str| rows.iter().find(|(name, _)| *name == label).map(|(_, factor)| factor.clone());
    assert_eq!(of("Diffuse color"), Some(Factor::ColorWithAlpha(Vec4::ONE)));
    assert_eq!(of("Specular color"), Some(Factor::Color(Vec3::new(0.5, 0.25, 0.0))));
    assert_eq!(of("Glossiness"), Some(Factor::Number(0.75)));
    assert_eq!((of("Metallic"), of("Roughness")), (None, None));
}

#[test]
fn a_thumbnail_is_requested_once_and_freed_with_its_document() {
    let mut ui = open_body(painted());
    // The block-compressed image and the missing one are not requested.
    let document = ui.state().document.id;
    let order = |image, is_color| PreviewOrder { document, image, detail: PreviewDetail::Thumbnail, is_color };
    assert_eq!(orders(&ui), [order(0, true), order(2, false)]);
    answer(&mut ui, &order(0, true), Ok(DecodedImage::rgba(2, 1, vec![9; 8])));
    answer(&mut ui, &order(2, false), Err("its data is broken".into()));
    ui.get_by_label_contains("linear, mipmaps linear; its data is broken");
    assert_eq!((textures(&ui, "thumbnail"), orders(&ui).len()), (1, 2));
    // This image has too few bytes for its size.
    answer(&mut ui, &order(0, true), Ok(DecodedImage::rgba(2000, 2000, vec![9; 8])));
    ui.get_by_label_contains("its pixels are incomplete");
    answer(&mut ui, &order(0, true), Ok(DecodedImage::rgba(2, 1, vec![9; 8])));
    // The texture is freed with its document even if no panel shows it.
    ui.state_mut().state.preferences.inspector = false;
    ui.run();
    assert_eq!(textures(&ui, "thumbnail"), 1);
    ui.state_mut().open(Document::new(walker().into(), "other.glb".into(), None));
    ui.run();
    assert_eq!(textures(&ui, "thumbnail"), 0);
}

#[test]
fn a_click_on_a_texture_shows_it_large() {
    let mut ui = open_body(painted());
    ui.get_by_label_contains("Base color texture").click();
    ui.run();
    let texture_use = TextureUse { document: ui.state().document.id, mesh: 0, material: 0, slot: TextureSlot::BaseColor };
    assert_eq!(ui.state().state.window.dialog, Some(Dialog::Texture(texture_use)));
    let order = orders(&ui).into_iter().find(|order| order.detail == PreviewDetail::Large).expect("a request");
    assert_eq!((order.image, order.is_color), (0, true));
    assert!(ui.query_by_label("Fit").is_none(), "the image is not there yet");
    answer(&mut ui, &order, Ok(DecodedImage::rgba(2, 1, vec![9; 8])));
    ui.get_by_label("paint.png, 2048 \u{D7} 1024 PNG, sRGB color");
    ui.get_by_label("Material Paint, UV set 0, repeat, linear, mipmaps linear, offset 0.5, 0, rotation 90.0\u{b0}, scale 2, 2");
    // The picture is at most 900 points wide, and the image has 2048 pixels in width.
    ui.get_by_label("44 %");
    assert_eq!(textures(&ui, "texture"), 1);
    for channel in ["R", "G", "B", "A", "RGB", "100 %", "Fit"] {
        click(&mut ui, channel);
        assert_eq!(textures(&ui, "texture"), 1, "{channel}: the previous texture is freed");
    }
    click(&mut ui, "UV outline");
    ui.get_by_label("UV outline: 3 edges");
    ui.key_press(egui::Key::Escape);
    ui.run();
    assert_eq!((ui.state().state.window.dialog.clone(), textures(&ui, "texture")), (None, 0));
}

#[test]
fn the_texture_dialog_survives_a_reload_and_closes_with_the_file() {
    let mut ui = open_body(painted());
    ui.get_by_label_contains("Base color texture").click();
    ui.run();
    let reload = |ui: &mut Ui, model: Model, path: &str| {
        ui.state_mut().open(Document::new(model.into(), "walker.glb".into(), Some(path.into())));
        ui.run();
    };
    let asked = orders(&ui).len();
    reload(&mut ui, painted(), "/models/walker.glb");
    assert!(ui.state().state.window.dialog.is_some());
    assert!(orders(&ui)[asked..].iter().any(|order| order.detail == PreviewDetail::Large), "the image may have changed");
    reload(&mut ui, walker(), "/models/walker.glb");
    assert_eq!(ui.state().state.window.dialog, None, "the texture is gone");
    reload(&mut ui, painted(), "/models/walker.glb");
    ui.get_by_label_contains("Base color texture").click();
    ui.run();
    reload(&mut ui, painted(), "/models/other.glb");
    assert_eq!(ui.state().state.window.dialog, None, "another file");
}

#[test]
fn the_texture_dialog_stays_with_its_material_if_a_reload_changes_the_order() {
    let reload = |ui: &mut Ui, model: Model| {
        ui.state_mut().open(Document::new(model.into(), "walker.glb".into(), Some("/models/walker.glb".into())));
        ui.run();
    };
    let mut ui = open_body(painted());
    ui.get_by_label_contains("Base color texture").click();
    ui.run();
    // Another material comes first, and another mesh.
    let mut changed = painted();
    changed.materials.insert(0, Material { name: Some("Metal".into()), base_color_texture: Some(texture(Some(2))), ..Material::default() });
    let mut other = changed.meshes[0].clone();
    other.primitives[0].material = Some(0);
    changed.meshes[0].primitives[0].material = Some(1);
    changed.meshes.insert(0, other);
    changed.nodes[5].mesh = Some(1);
    reload(&mut ui, changed.clone());
    let Some(Dialog::Texture(shown)) = ui.state().state.window.dialog else { panic!("the dialog is closed") };
    assert_eq!((shown.material, shown.mesh), (1, 1));
    ui.get_by_label("paint.png, 2048 \u{D7} 1024 PNG, sRGB color");
    ui.get_by_label_contains("Material Paint, UV set 0");
    changed.materials[1].name = Some("Lacquer".into());
    reload(&mut ui, changed);
    assert_eq!(ui.state().state.window.dialog, None, "the material is gone");
}

#[test]
fn the_texture_dialog_keeps_channel_and_zoom_after_a_reload() {
    let mut ui = open_body(painted());
    ui.get_by_label_contains("Base color texture").click();
    ui.run();
    let decode = |ui: &mut Ui| {
        let order = orders(ui).into_iter().rfind(|order| order.detail == PreviewDetail::Large).expect("a request");
        answer(ui, &order, Ok(DecodedImage::rgba(2, 1, vec![9; 8])));
    };
    decode(&mut ui);
    click(&mut ui, "UV outline");
    click(&mut ui, "G");
    click(&mut ui, "100 %");
    assert_eq!(ui.query_all_by_label("100 %").count(), 2, "the button and the current zoom");
    let mut changed = painted();
    changed.meshes[0].primitives[0].indices.truncate(0);
    ui.state_mut().open(Document::new(changed.into(), "walker.glb".into(), Some("/models/walker.glb".into())));
    ui.run();
    decode(&mut ui);
    assert_eq!(ui.query_all_by_label("100 %").count(), 2);
    assert_eq!(ui.get_by_label("G").accesskit_node().toggled(), Some(Toggled::True));
    ui.get_by_label("UV outline: no triangles with these texture coordinates");
}

#[test]
fn a_channel_is_shown_as_gray_and_reduced_without_skipping_pixels() {
    let rgba = [[10, 20, 30, 40], [50, 60, 70, 80], [10, 20, 30, 40], [50, 60, 70, 80]].concat();
    let pixels = Pixels { size: [2, 2], rgba };
    let shown = |channel, level| channel::image(&pixels, channel, level, Encoding::Linear);
    assert_eq!(shown(Channel::Rgb, 0).pixels[..2], [Color32::from_rgb(10, 20, 30), Color32::from_rgb(50, 60, 70)]);
    for (channel, bytes) in [[10, 50], [20, 60], [30, 70], [40, 80]].into_iter().enumerate() {
        assert_eq!(shown(Channel::One(channel), 0).pixels[..2], bytes.map(Color32::from_gray));
        let halved = shown(Channel::One(channel), 1);
        assert_eq!((halved.size, &halved.pixels[..]), ([1, 1], &[Color32::from_gray((bytes[0] + bytes[1]) / 2)][..]));
    }
    let levels = [(2048, 2048.0), (2048, 1024.0), (2048, 256.0), (2048, 9000.0), (2048, 0.0), (1, 300.0)];
    assert_eq!(levels.map(|(width, shown)| channel::level(width, shown)), [0, 1, 3, 0, 6, 0]);
}

/// Returns the UV outline for the base color texture of a model whose only mesh has this primitive.
fn outline(primitive: Primitive) -> UvOutline {
    let mut model = painted();
    model.materials[0].base_color_texture = Some(texture(Some(0)));
    model.meshes[0].primitives = vec![Primitive { material: Some(0), ..primitive }];
    let mut window = Window::new(model);
    let texture_use = TextureUse { document: window.document.id, mesh: 0, material: 0, slot: TextureSlot::BaseColor };
    UvOutline::new(&window.context(), texture_use)
}

#[test]
fn the_uv_outline_has_each_edge_once_in_texture_coordinates() {
    let corners = vec![Vec2::ZERO, Vec2::X, Vec2::ONE, Vec2::Y];
    let square = |corners| Primitive {
        vertices: Vertices { positions: vec![Vec3::ZERO; 4], tex_coords: [corners, Vec::new()], ..Vertices::default() }.into(),
        indices: vec![0, 1, 2, 0, 2, 3],
        ..Primitive::default()
    };
    let found = outline(square(corners.clone()));
    assert_eq!((found.edges.len(), found.step), (5, 1));
    // Edges to coordinates that are not numbers are left out. A mesh without coordinates has no edges.
    let broken = outline(square(vec![corners[0], corners[1], Vec2::NAN, corners[3]]));
    assert_eq!(broken.edges, [[Vec2::ZERO, Vec2::X], [Vec2::Y, Vec2::ZERO]]);
    assert!(outline(square(Vec::new())).edges.is_empty());
    // The example in KHR_texture_transform: a quarter turn, then down by one.
    let turned = TextureTransform { offset: Vec2::Y, rotation: FRAC_PI_2, scale: Vec2::splat(0.5) };
    let places = [Vec2::ZERO, Vec2::X, Vec2::Y].map(|uv| turned.transformed(uv));
    for (place, expected) in places.into_iter().zip([Vec2::Y, Vec2::new(0.0, 0.5), Vec2::new(0.5, 1.0)]) {
        assert!(place.abs_diff_eq(expected, 1e-6), "{place} is not {expected}");
    }
}

#[test]
fn the_uv_outline_of_a_huge_mesh_is_bounded() {
    let count = 400_000u32;
    let uvs: Vec<Vec2> = (0..count + 2).map(|i| Vec2::new(i as f32, (i % 7) as f32)).collect();
    let strip = Primitive {
        vertices: Vertices { positions: vec![Vec3::ZERO; uvs.len()], tex_coords: [uvs, Vec::new()], ..Vertices::default() }.into(),
        indices: (0..count).flat_map(|i| [i, i + 1, i + 2]).collect(),
        ..Primitive::default()
    };
    let found = outline(strip);
    assert!((40_000..=60_000).contains(&found.edges.len()), "{}", found.edges.len());
    let last = found.edges.iter().flatten().map(|uv| uv.x).fold(0.0, f32::max);
    assert!(last > 399_000.0, "all parts of the mesh are in it: {last}");
}

#[test]
fn the_uv_outline_of_unshared_triangles_skips_triangles_evenly() {
    // The step of each number of triangles. Up to 20,000 triangles without shared vertices have no more than 60,000 edges.
    for (count, step) in [(20_000u32, 1), (20_001, 2), (30_000, 2), (40_000, 2), (40_001, 3)] {
        let uvs: Vec<Vec2> = (0..count * 3).map(|i| Vec2::new((i / 3) as f32, (i % 3) as f32)).collect();
        let found = outline(Primitive {
            vertices: Vertices { positions: vec![Vec3::ZERO; uvs.len()], tex_coords: [uvs, Vec::new()], ..Vertices::default() }.into(),
            indices: (0..count * 3).collect(),
            ..Primitive::default()
        });
        assert_eq!((found.step, found.edges.len()), (step, (count as usize).div_ceil(step) * 3), "{count} triangles");
        let last = found.edges.iter().flatten().map(|uv| uv.x as u32).max();
        assert!(last.is_some_and(|last| last + step as u32 >= count), "the last triangles are in it: {last:?} of {count}");
    }
}

#[test]
fn hostile_names_and_sizes_are_shown_without_panic() {
    let mut model = painted();
    let long = "\u{202e}a\nb\u{0}".repeat(100_000);
    model.materials[0].name = Some(long.clone());
    model.images[0] = image(&long, &long, 1, u32::MAX);
    model.images[2] = image(&long, "png", 0, 0);
    let far = TextureTransform { offset: Vec2::splat(f32::MAX), rotation: f32::MIN, scale: Vec2::splat(f32::MAX) };
    model.materials[0].base_color_texture = Some(Texture { transform: far, ..texture(Some(0)) });
    model.materials[0].emissive_factor = Vec3::splat(f32::MAX);
    let mut ui = open_body(model);
    ui.get_by_label_contains("Base color texture").click();
    ui.run();
    let order = orders(&ui).into_iter().find(|order| order.detail == PreviewDetail::Large).expect("a request");
    answer(&mut ui, &order, Ok(DecodedImage::rgba(1, 2048, vec![9; 8192])));
    click(&mut ui, "UV outline");
    click(&mut ui, "100 %");
}

//! Builds every kind of pipeline by drawing with it once. Drawing asserts that validation reports no error.

use glam::{DAffine3, Mat4, Vec3, Vec4};
use sinew::model::light::{Light, LightKind};
use sinew::model::material::{AlphaMode, Material};
use sinew::model::mesh::{Influences, Primitive, Topology};
use sinew::model::node::NodeIndex;
use sinew::model::skin::Skin;
use sinew::model::texture::Texture;
use sinew::render::light::punctual::PlacedLight;
use sinew::session::view::display::{Display, Lighting, Shading, Tonemap};

use crate::scene::{Scene, Shot, gpu, matrix_rows, quad, texture, with};

const SHADINGS: [Shading; 13] = [
    Shading::Lit,
    Shading::BaseColor,
    Shading::Clay,
    Shading::Normals,
    Shading::Tangents,
    Shading::Uv,
    Shading::VertexColors,
    Shading::Roughness,
    Shading::Metallic,
    Shading::Occlusion,
    Shading::Emissive,
    Shading::Alpha,
    Shading::Specular,
];

/// Builds primitives with and without normals, tangents and skins, of all topologies, opaque, masked and blended, with textures.
fn everything() -> Scene {
    let data = Texture { image: Some(1), ..texture() };
    let full = Material {
        base_color_texture: Some(texture()),
        metallic_roughness_texture: Some(data.clone()),
        normal_texture: Some(data.clone()),
        occlusion_texture: Some(data),
        emissive_texture: Some(texture()),
        emissive_factor: Vec3::ONE,
        double_sided: true,
        ..Material::default()
    };
    let mask = Material { alpha_mode: AlphaMode::Mask { cutoff: 0.5 }, ..full.clone() };
    let blend = Material { alpha_mode: AlphaMode::Blend, ..full.clone() };
    let plain = Material { alpha_mode: AlphaMode::Blend, ..Material::default() };
    let unlit = Material { unlit: true, ..Material::default() };
    let materials = vec![full, mask, blend, plain, unlit];

    let mut primitives = Vec::new();
    for material in 0..materials.len() {
        let bare = Primitive { material: Some(material), ..quad(0.0, 0.0, 8.0, 8.0) };
        let normals = with(bare.clone(), |vertices| vertices.normals = vec![Vec3::Z; 4]);
        let tangents = with(normals.clone(), |vertices| vertices.tangents = vec![Vec4::X; 4]);
        primitives.extend([bare, normals, tangents]);
    }
    for topology in [Topology::Points, Topology::Lines] {
        let bare = Primitive { topology, indices: vec![0, 1, 2, 3], ..quad(0.0, 0.0, 8.0, 8.0) };
        for material in 0..materials.len() {
            let bare = Primitive { material: Some(material), ..bare.clone() };
            primitives.extend([with(bare.clone(), |vertices| vertices.normals = vec![Vec3::Z; 4]), bare]);
        }
    }
    let texels = [[200, 100, 50, 180]];
    let mut scene = Scene::new(materials, primitives).image(1, 1, &texels).image(1, 1, &texels);
    let joints = scene.palette.len();
    scene.add(skinned(), Mat4::IDENTITY);
    scene.model.skins.push(Skin {
        joints: vec![NodeIndex(0), NodeIndex(1)],
        inverse_bind_matrices: vec![glam::Affine3A::IDENTITY; 2],
        matrices: joints + 1..joints + 3,
        ..Skin::default()
    });
    scene.model.palette_len += 2;
    // One of the two joints mirrors, so the primitive is drawn without culling.
    scene.palette.push(matrix_rows(&Mat4::IDENTITY));
    scene.palette.push(matrix_rows(&Mat4::from_scale(Vec3::new(-1.0, 1.0, 1.0))));
    scene.model.nodes.last_mut().unwrap().skin = Some(0);
    scene
}

fn skinned() -> Primitive {
    let influences = Influences { sets: 1, joints: vec![[0, 1, 0, 0]; 4], weights: vec![[0.5, 0.5, 0.0, 0.0]; 4] };
    with(quad(0.0, 0.0, 8.0, 8.0), |vertices| vertices.influences = influences)
}

#[test]
fn drawing_every_kind_of_primitive_in_every_shading_mode_and_light_does_not_panic() {
    let Some(gpu) = gpu() else { return };
    let scene = everything();
    let light = Light { name: None, color: Vec3::ONE, intensity: 1.0, range: None, kind: LightKind::Point };
    let lamp = PlacedLight { light, world_from_light: DAffine3::IDENTITY };
    let draw = |display, lights, samples| {
        let display = Display { grid: true, axes: true, ..display };
        scene.draw(gpu, &Shot { size: [8, 8], display, lights, samples, ..Shot::default() });
    };
    for shading in SHADINGS {
        draw(Display { shading, ..Display::default() }, Vec::new(), 1);
    }
    for lighting in [Lighting::Studio, Lighting::Flat, Lighting::None] {
        draw(Display { lighting, ..Display::default() }, vec![lamp.clone()], 4);
    }
    for tonemap in [Tonemap::Neutral, Tonemap::Aces, Tonemap::Agx, Tonemap::None] {
        draw(Display { tonemap, ..Display::default() }, Vec::new(), 1);
    }
}

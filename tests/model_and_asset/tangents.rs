//! Tests the tangents that are generated for files without tangents.

use std::f32::consts::{FRAC_PI_2, PI, TAU};
use std::sync::Arc;
use std::time::{Duration, Instant};

use glam::{Vec2, Vec3, Vec4};
use serde_json::{Value, json};

use crate::common::gltf_builder::{Gltf, UNSIGNED_INT, codes, finding, png};
use crate::common::time_limit::within_half_a_minute;

/// Builds a unit square that faces +z. u runs to the right and v down the picture, as in glTF.
fn textured_square(mirrored: bool) -> Gltf {
    let mut gltf = Gltf::new();
    let positions = gltf.floats("VEC3", &[0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 0.0]);
    let normals = gltf.floats("VEC3", &[0.0, 0.0, 1.0].repeat(4));
    let u = if mirrored { [1.0, 0.0] } else { [0.0, 1.0] };
    let tex_coords = gltf.floats("VEC2", &[u[0], 0.0, u[0], 1.0, u[1], 0.0, u[1], 1.0]);
    let indices = gltf.u8s("SCALAR", &[0, 1, 2, 2, 1, 3]);
    let view = gltf.view(&png(1, 1, [128, 128, 255, 255]));
    gltf.push("images", json!({ "bufferView": view, "mimeType": "image/png" }));
    gltf.push("textures", json!({ "source": 0 }));
    gltf.push("materials", json!({ "normalTexture": { "index": 0 } }));
    gltf.mesh_node(json!({
        "attributes": { "POSITION": positions, "NORMAL": normals, "TEXCOORD_0": tex_coords },
        "indices": indices,
        "material": 0,
    }));
    gltf
}

#[test]
fn a_normal_texture_gets_tangents_along_u_and_bitangents_towards_small_v() {
    let model = textured_square(false).model();
    let primitive = &model.meshes[0].primitives[0];
    assert_eq!(primitive.vertices.tangents, [Vec4::new(1.0, 0.0, 0.0, 1.0); 4]);
    // bitangent = cross(normal, tangent) * w points up, towards small v.
    assert_eq!(Vec3::Z.cross(Vec3::X) * primitive.vertices.tangents[0].w, Vec3::Y);
    let mirrored = textured_square(true).model();
    assert_eq!(mirrored.meshes[0].primitives[0].vertices.tangents, [Vec4::new(-1.0, 0.0, 0.0, -1.0); 4]);
}

#[test]
fn tangents_follow_the_set_of_texture_coordinates_of_the_normal_texture() {
    let mut gltf = textured_square(false);
    let mirrored = gltf.floats("VEC2", &[1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
    gltf.json["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_2"] = json!(mirrored);
    gltf.json["materials"][0]["normalTexture"]["texCoord"] = json!(2);
    let model = gltf.model();
    assert_eq!(model.meshes[0].primitives[0].vertices.tangents, [Vec4::new(-1.0, 0.0, 0.0, -1.0); 4]);
}

/// Asserts that each tangent of the square turns the normal (0.6, 0, 0.8) of a normal texture to the one that these bytes show.
fn assert_normal(gltf: &Gltf, bytes: [u8; 3]) {
    let model = gltf.model();
    let tangents = &model.meshes[0].primitives[0].vertices.tangents;
    assert_eq!(tangents.len(), 4);
    for tangent in tangents {
        let shown = (tangent.truncate() * 0.6 + Vec3::Z * 0.8) * 127.5 + 127.5;
        assert!((shown - Vec3::from(bytes.map(f32::from))).abs().max_element() < 1.0, "{shown} is not {bytes:?}");
    }
}

#[test]
fn tangents_follow_the_transform_of_the_normal_texture() {
    // Measured with coordinates that are transformed in the file.
    let cases = [
        (json!({ "offset": [0.3, 0.7] }), [204, 128, 230]),
        (json!({ "rotation": FRAC_PI_2 }), [128, 51, 230]),
        (json!({ "rotation": PI }), [51, 127, 230]),
        (json!({ "scale": [-1, 1] }), [51, 128, 230]),
        (json!({ "scale": [1, -1] }), [204, 128, 230]),
        (json!({ "rotation": 0.5, "scale": [2, 2] }), [195, 91, 230]),
        (json!({ "rotation": 0.3, "scale": [4, 1] }), [176, 69, 230]),
    ];
    for (transform, expected) in cases {
        let mut gltf = textured_square(false);
        gltf.json["materials"][0]["normalTexture"]["extensions"] = json!({ "KHR_texture_transform": transform });
        assert_normal(&gltf, expected);

        // The same coordinates in the file have the same handedness as well.
        let texture = gltf.model().materials[0].normal_texture.clone().unwrap();
        let transformed = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]].map(|uv| texture.transform.transformed(uv.into()).to_array());
        let mut baked = textured_square(false);
        let tex_coords = baked.floats("VEC2", &transformed.concat());
        baked.json["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_0"] = json!(tex_coords);
        let [tangent, expected] = [&gltf, &baked].map(|gltf| gltf.model().meshes[0].primitives[0].vertices.tangents[0]);
        assert!(tangent.distance(expected) < 1e-5, "{transform}: {tangent} is not {expected}");

        // Tangents of the file are kept.
        let given = gltf.floats("VEC4", &[0.0, 1.0, 0.0, -1.0].repeat(4));
        gltf.json["meshes"][0]["primitives"][0]["attributes"]["TANGENT"] = json!(given);
        assert_eq!(gltf.model().meshes[0].primitives[0].vertices.tangents, [Vec4::new(0.0, 1.0, 0.0, -1.0); 4]);
    }
}

#[test]
fn averaged_tangents_follow_the_transform_of_the_normal_texture() {
    // 501 equal triangles meet at each vertex.
    let mut gltf = textured_square(false);
    let indices = gltf.u8s("SCALAR", &[0, 1, 2, 2, 1, 3].repeat(501));
    gltf.json["meshes"][0]["primitives"][0]["indices"] = json!(indices);
    let transform = json!({ "KHR_texture_transform": { "rotation": FRAC_PI_2 } });
    gltf.json["materials"][0]["normalTexture"]["extensions"] = transform;
    assert_normal(&gltf, [128, 51, 230]);
    assert_eq!(codes(&gltf.model()), ["MESH_PRIMITIVE_TANGENTS_AVERAGED"]);
}

#[test]
fn primitives_share_tangents_unless_their_textures_are_turned_differently() {
    let mut gltf = textured_square(false);
    let turned = |transform: Value| json!({ "normalTexture": { "index": 0, "extensions": { "KHR_texture_transform": transform } } });
    gltf.push("materials", turned(json!({ "rotation": FRAC_PI_2 })));
    gltf.push("materials", turned(json!({ "rotation": FRAC_PI_2, "offset": [0.5, 0.5] })));
    let primitive = gltf.json["meshes"][0]["primitives"][0].clone();
    let primitives = [0, 1, 2].map(|material| {
        let mut primitive = primitive.clone();
        primitive["material"] = json!(material);
        primitive
    });
    gltf.json["meshes"][0]["primitives"] = json!(primitives);
    let model = gltf.model();
    let [plain, turned, shifted] = &model.meshes[0].primitives[..] else { panic!("three primitives") };
    assert!(plain.vertices.tangents[0].distance(Vec4::new(1.0, 0.0, 0.0, 1.0)) < 1e-6);
    assert!(turned.vertices.tangents[0].distance(Vec4::new(0.0, -1.0, 0.0, 1.0)) < 1e-6);
    assert!(Arc::ptr_eq(&turned.vertices, &shifted.vertices));
}

#[test]
fn transforms_that_overflow_or_collapse_texture_coordinates_give_tangents_of_unit_length() {
    for scale in [[3e38, 3e38], [0.0, 0.0], [0.0, 1.0], [-3e38, 1e-38]] {
        let mut gltf = textured_square(false);
        let tex_coords = gltf.floats("VEC2", &[0.0, 0.0, 0.0, 3e38, 3e38, 0.0, 3e38, 3e38]);
        gltf.json["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_0"] = json!(tex_coords);
        let transform = json!({ "KHR_texture_transform": { "rotation": 0.5, "scale": scale } });
        gltf.json["materials"][0]["normalTexture"]["extensions"] = transform;
        for tangent in &gltf.model().meshes[0].primitives[0].vertices.tangents {
            assert!((tangent.truncate().length() - 1.0).abs() < 1e-5 && tangent.w.abs() == 1.0, "{scale:?}: {tangent}");
        }
    }
}

#[test]
fn transforms_without_area_change_no_tangents() {
    for scale in [[0.0, 0.0], [0.0, 1.0], [2.0, 0.0]] {
        let mut gltf = textured_square(true);
        let transform = json!({ "KHR_texture_transform": { "rotation": 0.5, "scale": scale } });
        gltf.json["materials"][0]["normalTexture"]["extensions"] = transform;
        assert_eq!(gltf.model().meshes[0].primitives[0].vertices.tangents, [Vec4::new(-1.0, 0.0, 0.0, -1.0); 4], "{scale:?}");
    }
}

#[test]
fn the_size_of_a_transform_changes_no_tangents() {
    let (sin, cos) = 0.5f32.sin_cos();
    let cases = [
        ([1.0, 1.0], Vec4::new(cos, -sin, 0.0, 1.0)),
        ([3e38, 3e38], Vec4::new(cos, -sin, 0.0, 1.0)),
        ([-1e-30, -1e-30], Vec4::new(-cos, sin, 0.0, 1.0)),
        // Nearly only -u is left: turned by 0.5, it becomes v, mirrored.
        ([-3e38, 1e-38], Vec4::new(0.0, -1.0, 0.0, -1.0)),
    ];
    for (scale, expected) in cases {
        let mut gltf = textured_square(false);
        let transform = json!({ "KHR_texture_transform": { "rotation": 0.5, "scale": scale } });
        gltf.json["materials"][0]["normalTexture"]["extensions"] = transform;
        for tangent in &gltf.model().meshes[0].primitives[0].vertices.tangents {
            assert!(tangent.distance(expected) < 1e-5, "{scale:?}: {tangent}");
        }
    }
}

/// Builds a flat surface on which u is x and v is -y: 120 vertices at which 499 triangles meet, and one primitive for each transform.
fn dense_fans(transforms: impl Iterator<Item = Value>) -> Gltf {
    const FANS: u32 = 120;
    const TRIANGLES: u32 = 499;
    let mut gltf = textured_square(false);
    // The centers are close to the origin. All fans share a ring.
    let centers = (0..FANS).map(|index| Vec2::new(index as f32 * 1e-3, 0.0));
    let ring = (0..TRIANGLES).map(|index| Vec2::from_angle(TAU * index as f32 / TRIANGLES as f32));
    let points: Vec<Vec2> = centers.chain(ring).collect();
    let positions = gltf.floats("VEC3", &points.iter().flat_map(|point| [point.x, point.y, 0.0]).collect::<Vec<_>>());
    let normals = gltf.floats("VEC3", &[0.0, 0.0, 1.0].repeat(points.len()));
    let tex_coords = gltf.floats("VEC2", &points.iter().flat_map(|point| [point.x, -point.y]).collect::<Vec<_>>());
    let fan = |center| (0..TRIANGLES).flat_map(move |index| [center, FANS + index, FANS + (index + 1) % TRIANGLES]);
    let indices = gltf.u16s("SCALAR", &(0..FANS).flat_map(fan).map(|index| index as u16).collect::<Vec<_>>());
    gltf.json["materials"] = json!([]);
    let primitive = |transform| {
        let normal_texture = json!({ "index": 0, "extensions": { "KHR_texture_transform": transform } });
        let attributes = json!({ "POSITION": positions, "NORMAL": normals, "TEXCOORD_0": tex_coords });
        let material = gltf.push("materials", json!({ "normalTexture": normal_texture }));
        json!({ "attributes": attributes, "indices": indices, "material": material })
    };
    let primitives: Vec<Value> = transforms.map(primitive).collect();
    gltf.json["meshes"][0]["primitives"] = json!(primitives);
    gltf
}

#[test]
fn primitives_whose_textures_differ_only_in_tiling_share_tangents() {
    let tilings = (0..45).map(|index| json!({ "scale": [1.0 + f64::from(index) / 1000.0, 1.0 + f64::from(index) / 7.0] }));
    // To generate tangents for each of them takes minutes.
    let model = within_half_a_minute(move || dense_fans(tilings).model());
    let primitives = &model.meshes[0].primitives;
    assert_eq!((primitives.len(), codes(&model).len()), (45, 0));
    assert!(primitives.iter().all(|primitive| Arc::ptr_eq(&primitive.vertices, &primitives[0].vertices)));
    assert!(primitives[0].vertices.tangents.iter().all(|tangent| tangent.distance(Vec4::new(1.0, 0.0, 0.0, 1.0)) < 1e-3));
}

#[test]
fn tangents_of_equal_triangles_are_generated_once() {
    let mut gltf = dense_fans(std::iter::once(json!({})));
    let primitive = gltf.json["meshes"][0]["primitives"][0].clone();
    let indices = gltf.json["accessors"][primitive["indices"].as_u64().unwrap() as usize].clone();
    for _ in 0..5 {
        let mut primitive = primitive.clone();
        primitive["indices"] = json!(gltf.push("accessors", indices.clone()));
        gltf.json["meshes"][0]["primitives"].as_array_mut().unwrap().push(primitive);
    }
    // If tangents were generated for each primitive, they would be averaged from the second on, with a finding.
    let model = gltf.model();
    assert_eq!((model.meshes[0].primitives.len(), codes(&model).len()), (6, 0));
}

#[test]
fn very_many_textures_that_are_turned_differently_get_tangents_in_a_short_time() {
    let angles = || (0..45).map(|index| index as f32 / 10.0);
    let rotations = angles().map(|angle| json!({ "rotation": angle }));
    let model = within_half_a_minute(move || dense_fans(rotations).model());
    for (primitive, angle) in model.meshes[0].primitives.iter().zip(angles()) {
        let expected = Vec4::new(angle.cos(), -angle.sin(), 0.0, 1.0);
        assert!(primitive.vertices.tangents.iter().all(|tangent| tangent.distance(expected) < 1e-3), "{angle}");
    }
    let averaged = finding(&model, "MESH_PRIMITIVE_TANGENTS_AVERAGED");
    let reason = "very many triangles meet at the vertices of this file";
    assert_eq!(averaged.message, format!("Mesh 0, primitive 1: {reason}; generated tangents are averaged."));
}

#[test]
fn anisotropy_gets_tangents_even_if_its_strength_is_0_at_rest() {
    let mut gltf = textured_square(false);
    for (extensions, count) in [(json!({}), 0), (json!({ "KHR_materials_anisotropy": {} }), 4)] {
        gltf.json["materials"][0] = json!({ "extensions": extensions });
        assert_eq!(gltf.model().meshes[0].primitives[0].vertices.tangents, vec![Vec4::new(1.0, 0.0, 0.0, 1.0); count]);
    }
}

#[test]
fn primitives_with_the_same_vertices_and_indices_share_split_vertices() {
    let mut gltf = textured_square(false);
    // The second triangle is mirrored, so the vertices that it shares with the first one are split.
    let tex_coords = gltf.floats("VEC2", &[0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0]);
    let primitive = &mut gltf.json["meshes"][0]["primitives"][0];
    primitive["attributes"]["TEXCOORD_0"] = json!(tex_coords);
    let (primitive, mut strip) = (primitive.clone(), primitive.clone());
    let model_of = |gltf: &Gltf, primitives: serde_json::Value| {
        let mut gltf = gltf.clone();
        gltf.json["meshes"][0]["primitives"] = primitives;
        gltf.model()
    };
    let alone = model_of(&gltf, json!([primitive]));
    strip["mode"] = json!(5);
    let strip_alone = model_of(&gltf, json!([strip]));
    let model = model_of(&gltf, json!([primitive, primitive, strip, primitive]));
    let [first, second, third, fourth] = &model.meshes[0].primitives[..] else { panic!("four primitives") };
    let alone = &alone.meshes[0].primitives[0];
    assert!(alone.vertices.positions.len() > 4);
    for primitive in [first, second, fourth] {
        assert_eq!(primitive.indices, alone.indices);
        assert_eq!(primitive.vertices.tangents[..alone.vertices.tangents.len()], alone.vertices.tangents);
    }
    // The indices of a strip stand for other triangles.
    assert_eq!(third.indices.len(), strip_alone.meshes[0].primitives[0].indices.len());
}

#[test]
fn a_vertex_between_mirrored_halves_is_split_with_all_attributes() {
    let mut gltf = Gltf::new();
    // Two triangles share the edge 0-1. u increases away from it on both sides.
    let positions = gltf.floats("VEC3", &[0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    let normals = gltf.floats("VEC3", &[0.0, 0.0, 1.0].repeat(4));
    let tex_coords = gltf.floats("VEC2", &[0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0]);
    let indices = gltf.u8s("SCALAR", &[0, 1, 2, 0, 3, 1]);
    let joints = gltf.u8s("VEC4", &[0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    let weights = gltf.floats("VEC4", &[1.0, 0.0, 0.0, 0.0].repeat(4));
    let view = gltf.view(&png(1, 1, [128, 128, 255, 255]));
    gltf.push("images", json!({ "bufferView": view }));
    gltf.push("textures", json!({ "source": 0 }));
    gltf.push("materials", json!({ "normalTexture": { "index": 0 } }));
    gltf.mesh_node(json!({
        "attributes": { "POSITION": positions, "NORMAL": normals, "TEXCOORD_0": tex_coords, "JOINTS_0": joints, "WEIGHTS_0": weights },
        "indices": indices,
        "material": 0,
        "targets": [{ "POSITION": positions, "NORMAL": normals }],
    }));
    let model = gltf.model();
    let primitive = &model.meshes[0].primitives[0];
    assert_eq!((primitive.source_vertex_count, primitive.vertices.positions.len()), (4, 6));
    // Vertices 4 and 5 are copies of vertices 0 and 1, in the order in which the second triangle uses them.
    assert_eq!(primitive.indices, [0, 1, 2, 4, 3, 5]);
    assert_eq!([0, 1, 2, 3, 4, 5].map(|vertex| primitive.source_vertex(vertex)), [0, 1, 2, 3, 0, 1]);
    assert_eq!(primitive.vertices.positions[4..], [Vec3::ZERO, Vec3::Y]);
    assert_eq!(primitive.vertices.targets[0].positions[4..], [Vec3::ZERO, Vec3::Y]);
    assert_eq!(
        (primitive.vertices.normals.len(), primitive.vertices.tex_coords[0].len(), primitive.vertices.targets[0].normals.len()),
        (6, 6, 6)
    );
    assert_eq!(primitive.vertices.influences.joints[4..], [[0, 0, 0, 0], [1, 0, 0, 0]]);
    assert_eq!((primitive.vertices.tangents[2].x, primitive.vertices.tangents[3].x), (-1.0, 1.0));
    assert_eq!((primitive.vertices.tangents[0].x, primitive.vertices.tangents[4].x), (-1.0, 1.0));
}

#[test]
fn tangents_are_averaged_where_very_many_triangles_meet_at_a_vertex() {
    const TRIANGLES: u32 = 30_000;
    // The vertex in the middle has seven zeros, so negative zeros give it up to 128 spellings.
    for spellings in [1, 128] {
        let mut gltf = textured_square(false);
        let zero = |index: u32, bit: u32| if index < spellings && index >> bit & 1 == 1 { -0.0 } else { 0.0f32 };
        // A fan in the x-y plane. u is x, and v is -y.
        let points: Vec<Vec3> = (0..spellings)
            .map(|index| Vec3::new(zero(index, 0), zero(index, 1), zero(index, 2)))
            .chain((0..TRIANGLES).map(|index| Vec2::from_angle(TAU * index as f32 / TRIANGLES as f32).extend(0.0)))
            .collect();
        let positions = gltf.floats("VEC3", &points.iter().flat_map(Vec3::to_array).collect::<Vec<_>>());
        let numbered = || points.iter().zip(0..);
        let normals = numbered().flat_map(|(_, index)| [zero(index, 3), zero(index, 4), 1.0]).collect::<Vec<_>>();
        let normals = gltf.floats("VEC3", &normals);
        let tex_coord =
            |(point, index): (&Vec3, u32)| if index < spellings { [zero(index, 5), zero(index, 6)] } else { [point.x, -point.y] };
        let tex_coords = gltf.floats("VEC2", &numbered().flat_map(tex_coord).collect::<Vec<_>>());
        let corners = (1..TRIANGLES).flat_map(|index| [index % spellings, index + spellings - 1, index + spellings]);
        let corners = corners.flat_map(u32::to_le_bytes).collect::<Vec<_>>();
        let indices = gltf.accessor(UNSIGNED_INT, "SCALAR", corners.len() / 4, &corners);
        let primitive = json!({
            "attributes": { "POSITION": positions, "NORMAL": normals, "TEXCOORD_0": tex_coords },
            "indices": indices,
            "material": 0,
        });
        gltf.json["meshes"][0]["primitives"] = json!([primitive, primitive]);
        let model = gltf.model();
        assert_eq!(codes(&model), ["MESH_PRIMITIVE_TANGENTS_AVERAGED"], "equal triangles get tangents only once");
        let primitive = &model.meshes[0].primitives[0];
        assert!(primitive.vertices.tangents.iter().all(|tangent| tangent.distance(Vec4::new(1.0, 0.0, 0.0, 1.0)) < 1e-3));
        assert_eq!(primitive.vertices.positions.len(), points.len(), "no vertex is split");
        let finding = finding(&model, "MESH_PRIMITIVE_TANGENTS_AVERAGED");
        assert_eq!(finding.message, "Mesh 0, primitive 0: 29,999 triangles meet at one vertex; generated tangents are averaged.");
    }
}

/// Builds a document with these triangles, which face +z: positions and texture coordinates of their corners.
fn unindexed(positions: &[f32], tex_coords: &[f32]) -> Gltf {
    let mut gltf = textured_square(false);
    let normals = gltf.floats("VEC3", &[0.0, 0.0, 1.0].repeat(positions.len() / 3));
    let (positions, tex_coords) = (gltf.floats("VEC3", positions), gltf.floats("VEC2", tex_coords));
    let attributes = json!({ "POSITION": positions, "NORMAL": normals, "TEXCOORD_0": tex_coords });
    gltf.json["meshes"][0]["primitives"] = json!([{ "attributes": attributes, "material": 0 }]);
    gltf
}

#[test]
fn very_many_triangles_with_the_same_corners_get_tangents_in_a_short_time() {
    const TRIANGLES: usize = 100_000;
    // Each triangle has other texture coordinates, so its corners are separate vertices.
    let tex_coords = (0..TRIANGLES).flat_map(|index| [index as f32, 0.0, index as f32 + 1.0, 0.0, index as f32, -1.0]);
    let gltf = unindexed(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0].repeat(TRIANGLES), &tex_coords.collect::<Vec<_>>());
    let start = Instant::now();
    let model = gltf.model();
    assert_eq!(model.meshes[0].primitives[0].vertices.tangents, vec![Vec4::new(1.0, 0.0, 0.0, 1.0); TRIANGLES * 3]);
    // A time that grows with the square of the number would be minutes.
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn a_negative_zero_makes_no_seam() {
    // Two triangles share the edge from (0, 0) to (1, 1), but their tangents differ.
    let tangents = |zero: f32| {
        let positions = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, zero, zero, zero, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0];
        let gltf = unindexed(&positions, &[0.0, 0.0, 1.0, 0.0, 1.0, -1.0, zero, zero, 1.0, -1.0, 0.0, -0.5]);
        gltf.model().meshes[0].primitives[0].vertices.tangents.clone()
    };
    let expected = tangents(0.0);
    assert!(expected[0] == expected[3] && expected[1] != expected[5], "{expected:?}");
    assert_eq!(tangents(-0.0), expected);
}

#[test]
fn triangles_without_area_split_no_vertices() {
    let mut gltf = textured_square(true);
    let indices = gltf.u8s("SCALAR", &[1, 1, 0, 0, 1, 2, 2, 1, 3, 3, 2, 3]);
    gltf.json["meshes"][0]["primitives"][0]["indices"] = json!(indices);
    let model = gltf.model();
    let primitive = &model.meshes[0].primitives[0];
    assert_eq!(primitive.vertices.tangents, [Vec4::new(-1.0, 0.0, 0.0, -1.0); 4]);
    assert_eq!((primitive.indices.len(), codes(&model).len()), (12, 0));
}
